"""Roles by the words in bones' names: ``LeftUpperLeg``, ``Bip01 R Calf``, ``upperarm.r``."""

from .rig_tree import RigTree


def read_words(tree: RigTree) -> dict[str, str]:
    return {}
