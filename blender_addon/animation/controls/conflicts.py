"""Motion of the body that a bake does not key: posed controls, and controls with their own animation."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.message import Message
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ..fcurve_io.curves import bone_path
from ..fcurve_io.rotation_modes import rotation_channel, rotation_interpolation
from ..fcurve_io.tracks import PropertyTrack
from ..layers.animation import Channel, key_value_ranges
from ..layers.property_value import read_value
from .channels import REST_TOLERANCE, ControlChannels
from .constraint_conflicts import list_bones
from .control_response import PROBE_ROTATION_RAD, PROBE_TRANSLATION_RATIO
from .control_spaces import POSITION_TOLERANCE_RATIO, ROTATION_TOLERANCE_RAD, pose_difference, without_scale
from .rig_sandbox import RigSandbox

VALUE_TOLERANCE: Final = 1e-5
"""Difference below which values of a channel count as equal."""
_BONE_PROPERTY_PATH: Final = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\["((?:[^"\\]|\\.)*)"\]$')


@dataclass(frozen=True, eq=False)
class ConflictingAnimation:
    """Animation that conflicts with a bake and has been reset on the stage.

    Attributes:
        hold_tracks: tracks of one row each, which hold the conflicting channels and properties while the bake plays.
        reset_bones: names of the conflicting bones that are held in their rest pose.
    """

    hold_tracks: tuple[PropertyTrack, ...]
    reset_bones: tuple[str, ...]


def reset_conflicting_animation(
    stage: RigSandbox,
    armature: bpy.types.Object,
    keyed_bones: Sequence[str],
    body_bones: Sequence[str],
    ignored_bones: Sequence[str],
    baked_properties: Sequence[str],
    armature_size: float,
) -> ConflictingAnimation:
    """On the stage, reset animation that moves the body but is not part of the bake.

    Bones that carry the whole body, and properties, keep the state in which the animator left them.

    Args:
        stage: sandbox for the trials.
        armature: the armature object.
        keyed_bones: the keyed bones.
        body_bones: the bones of the visible body.
        ignored_bones: bones to ignore.
        baked_properties: data paths of the properties that the bake sets.
        armature_size: size of the armature in its own units.
    """
    animated = key_value_ranges(armature.animation_data)
    known = {*keyed_bones, *ignored_bones}
    bones = [bone.name for bone in armature.pose.bones if bone.name not in known and _posed_channels(bone, animated)]
    properties = _animated_properties(armature, animated, baked_properties)
    if not bones and not properties:
        return ConflictingAnimation((), ())
    trial = _InfluenceTest(stage, keyed_bones, body_bones, armature_size)
    resting: list[str] = []
    tracks: list[PropertyTrack] = []
    for name in trial.find_influences(bones, trial.randomize_bone):
        bone = armature.pose.bones[name]
        carries = trial.moves_whole_body(name)
        if not carries:
            resting.append(name)
        tracks += [
            PropertyTrack(bone_path(name, channel), name, _hold_value(bone, channel, carries)[None], between)
            for channel, between in _posed_channels(bone, animated)
            if not carries or any((bone_path(name, channel), index) in animated for index in range(4))
        ]
    for path in trial.find_influences(list(properties), lambda path: trial.set_property(*properties[path])):
        bone, name, _ = properties[path]
        now = float(armature.pose.bones[bone][name])
        tracks.append(PropertyTrack(path, bone, np.array([[now]]), "CONSTANT"))
    for name in resting:
        stage.set_pose(name, np.zeros(3), rot.IDENTITY)
    return ConflictingAnimation(tuple(tracks), tuple(resting))


def select_hold_tracks(
    conflicts: ConflictingAnimation, preserved_channels: Collection[Channel]
) -> tuple[list[PropertyTrack], list[str]]:
    """Return tracks that hold conflicting animation still, except channels that keep their keys, and warnings."""
    kept = [
        track for track in conflicts.hold_tracks if any((track.path, index) in preserved_channels for index in range(4))
    ]
    owners = list(dict.fromkeys(track.group for track in kept))
    held = [name for name in conflicts.reset_bones if name not in owners]
    warnings: list[str] = (
        [
            Message(
                "These bones are keyed at rest, so that they do not add to the bake: {bones}",
                bones=list_bones(held),
            )
        ]
        if held
        else []
    )
    if owners:
        warnings.append(
            Message(
                "These bones keep their own keys, which are added to the baked motion: {bones}",
                bones=list_bones(owners),
            )
        )
    return [track for track in conflicts.hold_tracks if track.group not in owners], warnings


def rest_location_tracks(armature: bpy.types.Object, solved: Mapping[str, ControlChannels]) -> list[PropertyTrack]:
    """Return tracks that hold the location of bones with rotation keys only, if old keys would move them."""
    animated = key_value_ranges(armature.animation_data)
    result: list[PropertyTrack] = []
    for name, channels in solved.items():
        path = bone_path(name, "location")
        rest = channels.location[:1].copy()
        moved = any(_range_differs(animated.get((path, index)), rest[0, index]) for index in range(3))
        if moved and all(track.path != path for track in channels.tracks):
            result.append(PropertyTrack(path, name, rest, "BEZIER"))
    return result


class _InfluenceTest:
    """Test for bones and properties that move the body, with the keyed bones in random poses on the stage."""

    def __init__(
        self, stage: RigSandbox, keyed_bones: Sequence[str], body_bones: Sequence[str], armature_size: float
    ) -> None:
        self._stage, self._size = stage, armature_size
        self._watched = list(dict.fromkeys((*body_bones, *keyed_bones)))
        self._random = np.random.default_rng(1)
        for bone in keyed_bones:
            stage.set_pose(bone, *self._random_channels())
        stage.evaluate()
        self._before = self._watched_poses()

    def find_influences(self, names: Sequence[str], change: Callable[[str], Callable[[], None]]) -> list[str]:
        """Return the bones or properties whose change moves the body; all changes are undone afterward.

        Args:
            names: names of the bones, or data paths of the properties.
            change: function that changes the item with a name and returns a function that undoes it.
        """
        if not names or not self._any_moves_body(names, change):
            return []
        if len(names) == 1:
            return list(names)
        middle = len(names) // 2
        return self.find_influences(names[:middle], change) + self.find_influences(names[middle:], change)

    def randomize_bone(self, bone: str) -> Callable[[], None]:
        """Set a bone to a random pose; return a function that restores its pose."""
        posed = self._stage.bones[bone]
        before = posed.matrix_basis.copy()
        self._stage.set_pose(bone, *self._random_channels())

        def back() -> None:
            posed.matrix_basis = before

        return back

    def set_property(self, bone: str, name: str, value: float) -> Callable[[], None]:
        """Set a bone's custom property; return a function that restores its value."""
        before = float(self._stage.bones[bone][name])
        self._stage.set_property(bone, name, value)
        return lambda: self._stage.set_property(bone, name, before)

    def moves_whole_body(self, bone: str) -> bool:
        """Return whether a bone moves the whole body together with its controls."""
        back = self.randomize_bone(bone)
        self._stage.evaluate()
        after = self._watched_poses()
        back()
        motions = [after[name] @ np.linalg.inv(self._before[name]) for name in self._watched]
        return all(self._is_same_pose(motions[0] @ self._before[name], after[name]) for name in self._watched)

    def _any_moves_body(self, names: Sequence[str], change: Callable[[str], Callable[[], None]]) -> bool:
        back = [change(name) for name in names]
        self._stage.evaluate()
        after = self._watched_poses()
        for undo in back:
            undo()
        return not all(self._is_same_pose(self._before[name], after[name]) for name in self._watched)

    def _is_same_pose(self, first: Array, second: Array) -> bool:
        turned, moved = pose_difference(first, second)
        return turned < ROTATION_TOLERANCE_RAD and moved < POSITION_TOLERANCE_RATIO * self._size

    def _watched_poses(self) -> dict[str, Array]:
        return {name: without_scale(matrix) for name, matrix in self._stage.matrices(self._watched).items()}

    def _random_channels(self) -> tuple[Array, Array]:
        return self._random.uniform(-PROBE_TRANSLATION_RATIO, PROBE_TRANSLATION_RATIO, 3) * self._size, rot.exp(
            self._random.uniform(-PROBE_ROTATION_RAD, PROBE_ROTATION_RAD, 3)
        )


def _posed_channels(bone: bpy.types.PoseBone, animated: Mapping[Channel, tuple[float, float]]) -> list[tuple[str, str]]:
    """Return the location and rotation channels of a bone that are posed or keyed away from rest.

    Each channel is paired with the interpolation of its keys.
    """
    turning = rotation_channel(bone.rotation_mode)
    result: list[tuple[str, str]] = []
    for channel, between in (("location", "BEZIER"), (turning, rotation_interpolation(bone.rotation_mode))):
        if channel == "location" and bone.bone.use_connect and bone.parent is not None:
            continue
        # A single component of a rotation at rest may look changed: a quaternion's w, or an axis without an angle.
        values = list(getattr(bone, channel))
        telling = {"rotation_quaternion": (1, 2, 3), "rotation_axis_angle": (0,)}.get(channel, (0, 1, 2))
        path = bone_path(bone.name, channel)
        if any(
            abs(values[index]) > REST_TOLERANCE or _range_differs(animated.get((path, index)), 0.0) for index in telling
        ):
            result.append((channel, between))
    return result


def _hold_value(bone: bpy.types.PoseBone, channel: str, keep_current: bool) -> Array:
    """Return the values (n) at which a bone's channel is to be held: the current ones, or those at rest."""
    now = np.array(getattr(bone, channel), dtype=float)
    if keep_current:
        return now
    if channel == "rotation_quaternion":
        return rot.IDENTITY.copy()
    return np.array([0.0, 0.0, 1.0, 0.0]) if channel == "rotation_axis_angle" else np.zeros(3)


def _animated_properties(
    armature: bpy.types.Object, animated: Mapping[Channel, tuple[float, float]], excluded: Sequence[str]
) -> dict[str, tuple[str, str, float]]:
    """Return the bones' animated custom properties by data path: bone, name, and a value to test with."""
    result: dict[str, tuple[str, str, float]] = {}
    for (path, _), ends in animated.items():
        match, now = _BONE_PROPERTY_PATH.match(path), read_value(armature, path)
        if match and path not in excluded and isinstance(now, bool | int | float) and _range_differs(ends, now):
            bone, name = (re.sub(r"\\(.)", r"\1", part) for part in match.groups())
            result[path] = bone, name, ends[0] if abs(ends[0] - now) > abs(ends[1] - now) else ends[1]
    return result


def _range_differs(value_range: tuple[float, float] | None, value: float) -> bool:
    return value_range is not None and max(abs(end - value) for end in value_range) > VALUE_TOLERANCE
