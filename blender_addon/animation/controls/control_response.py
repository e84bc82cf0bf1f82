"""Dependencies between keyed bones, found by probing their poses on the stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from .control_spaces import (
    FIXED_CARRIER,
    POSITION_TOLERANCE_RATIO,
    ROTATION_TOLERANCE_RAD,
    BoneInheritance,
    ControlSpace,
    SpaceDependency,
    find_dependency,
    pose_difference,
    without_scale,
)
from .rig_sandbox import RigSandbox

PROBE_COUNT: Final = 5
PROBE_ROTATION_RAD: Final = 0.5
"""Rotation of a bone in a probe, radians: enough to distinguish bones, too little to flip constraints."""
PROBE_TRANSLATION_RATIO: Final = 0.03
"""Translation of a bone in a probe, as a share of the armature's size."""


@dataclass(frozen=True, eq=False)
class ControlHierarchy:
    """The dependencies found by probing.

    Attributes:
        bones: names of the keyed bones; carrier ``n`` is bone ``n - 1``.
        base_poses: (4, 4) pose matrix of each bone with all channels at rest, armature space, without scale.
        dependencies: the dependency of each bone's space on the carriers; ``None`` if the probes do not reveal it.
        inheritance: the rules by which each bone's pose is built from its channels.
        constraint_parented: bones that constraints of their own, such as Child Of, attach to other keyed bones without
            conflicts with their keys.
    """

    bones: tuple[str, ...]
    base_poses: dict[str, Array]
    dependencies: dict[str, SpaceDependency | None]
    inheritance: dict[str, BoneInheritance]
    constraint_parented: frozenset[str]

    def measured_space(
        self, bone: str, unconstrained: ControlSpace, location: Array, rotation: Array, pose: Array
    ) -> ControlSpace:
        """Return the space of a bone, computed from the pose (4, 4) to which given channels brought it in Blender."""
        return (
            unconstrained.under_constraints(location, rotation, pose)
            if bone in self.constraint_parented
            else unconstrained
        )

    def carrier_bones(self, bone: str) -> tuple[str, ...]:
        """Return the keyed bones that move a bone along with them."""
        carried = self.dependencies[bone]
        return (
            tuple(self.bones[carrier - 1] for carrier in sorted(carried.carriers - {FIXED_CARRIER})) if carried else ()
        )

    def displacement(self, bone: str, poses: Array) -> Array:
        """Return the displacements (F, 4, 4), armature space, that turn a bone's base pose into poses (F, 4, 4)."""
        return poses @ np.linalg.inv(self.base_poses[bone])

    def carrier_index(self, bone: str) -> int:
        """Return the index of a bone as a carrier."""
        return self.bones.index(bone) + 1


def probe_hierarchy(stage: RigSandbox, bones: Sequence[str], armature_size: float) -> ControlHierarchy:
    """Find how bones depend on each other, by posing all of them at random several times.

    Args:
        stage: sandbox for the poses.
        bones: the keyed bones, carriers first.
        armature_size: size of the armature in its own units.
    """
    random = np.random.default_rng(0)
    ways = {bone: BoneInheritance.of_bone(stage.bones[bone].bone) for bone in bones}
    poses: dict[str, list[Array]] = {bone: [] for bone in bones}
    plain: dict[str, list[ControlSpace]] = {bone: [] for bone in bones}
    seen: dict[str, list[ControlSpace]] = {bone: [] for bone in bones}
    constrained: set[str] = set()
    for number in range(PROBE_COUNT):
        channels: dict[str, tuple[Array, Array]] = {}
        for bone in bones:
            turn, step = (
                random.uniform(-PROBE_ROTATION_RAD, PROBE_ROTATION_RAD, 3),
                random.uniform(-PROBE_TRANSLATION_RATIO, PROBE_TRANSLATION_RATIO, 3) * armature_size,
            )
            channels[bone] = step * (number > 0 and not ways[bone].is_connected), rot.exp(turn * (number > 0))
            stage.set_pose(bone, *channels[bone])
        stage.evaluate()
        matrices, spaces = stage.matrices(bones), stage.spaces(ways)
        for bone in bones:
            pose = without_scale(matrices[bone])
            poses[bone].append(pose)
            plain[bone].append(spaces[bone])
            seen[bone].append(spaces[bone].under_constraints(*channels[bone], pose))
            turned, moved = pose_difference(pose, spaces[bone].pose_matrices(*channels[bone]))
            if turned > ROTATION_TOLERANCE_RAD or moved > POSITION_TOLERANCE_RATIO * armature_size:
                constrained.add(bone)
    motions = np.tile(np.eye(4), (len(bones) + 1, PROBE_COUNT, 1, 1))
    for carrier, bone in enumerate(bones, start=1):
        at = np.array(poses[bone])
        motions[carrier] = at @ np.linalg.inv(at[0])
    rests = {bone: way.rest_space() for bone, way in ways.items()}
    before = np.tile(rot.IDENTITY, (len(bones) + 1, 1))
    for carrier, bone in enumerate(bones, start=1):
        before[carrier] = rot.from_matrix(poses[bone][0][:3, :3] @ ways[bone].rest_matrix[:3, :3].T)
    found: dict[str, SpaceDependency | None] = {}
    hung: set[str] = set()
    for carrier, bone in enumerate(bones, start=1):
        found[bone] = find_dependency(plain[bone], rests[bone], motions, before, carrier, armature_size)
        if bone in constrained:
            other = find_dependency(seen[bone], rests[bone], motions, before, carrier, armature_size)
            if other is not None and other.origin_carrier is not None:
                found[bone] = other
                hung.add(bone)
    base = {bone: poses[bone][0] for bone in bones}
    return ControlHierarchy(tuple(bones), base, found, ways, frozenset(hung))
