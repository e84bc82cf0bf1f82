"""Which keyed bones carry which others, found by posing them on the stage and looking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from .control_spaces import FIXED, SAME_PLACE, SAME_TURN, Carried, Space, Ways, apart, carried, rigid
from .rig_sandbox import Stage

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
        ways: how each is built from its channels.
        hung: those whose own constraints, such as Child Of, hang them on others instead of fighting their keys.
    """

    bones: tuple[str, ...]
    base: dict[str, Array]
    carried: dict[str, Carried | None]
    ways: dict[str, Ways]
    hung: frozenset[str]

    def space(self, bone: str, plain: Space, location: Array, rotation: Array, pose: Array) -> Space:
        """What a bone is measured from, where Blender brought it with some channels to a pose (4, 4)."""
        return plain.seen(location, rotation, pose) if bone in self.hung else plain

    def carriers(self, bone: str) -> tuple[str, ...]:
        """The keyed bones that carry a bone."""
        carried = self.carried[bone]
        return tuple(self.bones[carrier - 1] for carrier in sorted(carried.carriers - {FIXED})) if carried else ()

    def motion(self, bone: str, poses: Array) -> Array:
        """How far a bone with some poses (F, 4, 4) has moved (F, 4, 4)."""
        return poses @ np.linalg.inv(self.base[bone])

    def number(self, bone: str) -> int:
        """Which carrier a bone is."""
        return self.bones.index(bone) + 1


def probe(stage: Stage, bones: Sequence[str], size: float) -> Found:
    """Poses the bones at random, all at once, a few times.

    Args:
        stage: where they are posed.
        bones: the keyed bones, those that carry others first.
        size: the armature's, in its own units.
    """
    random = np.random.default_rng(0)
    ways = {bone: Ways.of(stage.bones[bone].bone) for bone in bones}
    poses: dict[str, list[Array]] = {bone: [] for bone in bones}
    plain: dict[str, list[Space]] = {bone: [] for bone in bones}
    seen: dict[str, list[Space]] = {bone: [] for bone in bones}
    constrained: set[str] = set()
    for number in range(PROBES):
        channels: dict[str, tuple[Array, Array]] = {}
        for bone in bones:
            turn, step = random.uniform(-TURN, TURN, 3), random.uniform(-STEP, STEP, 3) * size
            channels[bone] = step * (number > 0 and not ways[bone].connected), rot.exp(turn * (number > 0))
            stage.pose(bone, *channels[bone])
        stage.update()
        matrices, spaces = stage.matrices(bones), stage.spaces(ways)
        for bone in bones:
            pose = rigid(matrices[bone])
            poses[bone].append(pose)
            plain[bone].append(spaces[bone])
            seen[bone].append(spaces[bone].seen(*channels[bone], pose))
            turned, moved = apart(pose, spaces[bone].posed(*channels[bone]))
            if turned > SAME_TURN or moved > SAME_PLACE * size:
                constrained.add(bone)
    motions = np.tile(np.eye(4), (len(bones) + 1, PROBES, 1, 1))
    for carrier, bone in enumerate(bones, start=1):
        at = np.array(poses[bone])
        motions[carrier] = at @ np.linalg.inv(at[0])
    rests = {bone: way.at_rest() for bone, way in ways.items()}
    before = np.tile(rot.IDENTITY, (len(bones) + 1, 1))
    for carrier, bone in enumerate(bones, start=1):
        before[carrier] = rot.from_matrix(poses[bone][0][:3, :3] @ ways[bone].rest[:3, :3].T)
    found: dict[str, Carried | None] = {}
    hung: set[str] = set()
    for carrier, bone in enumerate(bones, start=1):
        found[bone] = carried(plain[bone], rests[bone], motions, before, carrier, size)
        if bone in constrained:
            other = carried(seen[bone], rests[bone], motions, before, carrier, size)
            if other is not None and other.place is not None:
                found[bone] = other
                hung.add(bone)
    base = {bone: poses[bone][0] for bone in bones}
    return Found(tuple(bones), base, found, ways, frozenset(hung))
