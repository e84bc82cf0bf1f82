"""Which keyed bones carry which others, found by posing them on the stage and looking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from .spaces import Carried, Space, Ways, carried, rigid
from .stage import Stage

PROBES: Final = 5
TURN: Final = 0.5
"""How far bones are turned in a probe, radians: enough to tell them apart, too little for constraints to flip."""
STEP: Final = 0.03
"""How far they are moved, as a share of the armature's size."""


@dataclass(frozen=True, eq=False)
class Found:
    """What the probes showed.

    Attributes:
        bones: the keyed bones; carrier ``n`` is bone ``n - 1``.
        base: their pose matrices (4, 4) with all channels at rest.
        carried: how each one's space follows the others; ``None`` where the probes do not tell.
    """

    bones: tuple[str, ...]
    base: dict[str, Array]
    carried: dict[str, Carried | None]


def probe(stage: Stage, bones: Sequence[str], size: float) -> Found:
    """Poses the bones at random, all at once, a few times.

    Args:
        stage: where they are posed; they are left at rest.
        bones: the keyed bones, those that carry others first.
        size: the armature's, in its own units.
    """
    random = np.random.default_rng(0)
    ways = {bone: Ways.of(stage.bones[bone].bone) for bone in bones}
    poses: list[dict[str, Array]] = []
    spaces: dict[str, list[Space]] = {bone: [] for bone in bones}
    for number in range(PROBES):
        for bone in bones:
            basis = np.eye(4)
            if number:
                basis[:3, :3] = rot.to_matrix(rot.exp(random.uniform(-TURN, TURN, 3)))
                basis[:3, 3] = random.uniform(-STEP, STEP, 3) * size
            stage.set_basis(bone, basis)
        poses.append(stage.evaluate(bones))
        for bone, space in stage.spaces(ways).items():
            spaces[bone].append(space)
    for bone in bones:
        stage.set_basis(bone, np.eye(4))
    motions = np.tile(np.eye(4), (len(bones) + 1, PROBES, 1, 1))
    for carrier, bone in enumerate(bones, start=1):
        at = rigid(np.array([pose[bone] for pose in poses]))
        motions[carrier] = at @ np.linalg.inv(at[0])
    found = {bone: carried(spaces[bone], motions, carrier, size) for carrier, bone in enumerate(bones, start=1)}
    return Found(tuple(bones), {bone: rigid(poses[0][bone]) for bone in bones}, found)
