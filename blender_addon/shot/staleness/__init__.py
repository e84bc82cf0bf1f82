"""Outdated bakes: the inputs of each bake are stored with it, and compared after every change."""

from .finding import cached_change, register, unregister
from .inputs import first_change, shot_checksum, store_inputs

__all__ = ["cached_change", "first_change", "register", "shot_checksum", "store_inputs", "unregister"]
