"""What moves the body besides the keys of a bake: controls left posed, or animated by what the bake goes over."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ..fcurve_io.curves import bone_path
from ..fcurve_io.rotation_modes import rotation_channel, rotation_interpolation
from ..fcurve_io.tracks import Track
from ..layers.animation import Channel, key_values
from ..layers.property_value import read_value
from .channels import AT_REST, Keyed
from .constraint_conflicts import named
from .control_response import STEP, TURN
from .control_spaces import SAME_PLACE, SAME_TURN, apart, rigid
from .rig_sandbox import Stage

AWAY: Final = 1e-5
"""Values of a channel that differ by less are one."""
_PROPERTY: Final = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\["((?:[^"\\]|\\.)*)"\]$')


@dataclass(frozen=True, eq=False)
class Strays:
    """What was found, and put to rest on the stage.

    Attributes:
        tracks: what holds it so while the bake plays, a row each.
        resting: the bones among it that are put to rest.
    """

    tracks: tuple[Track, ...]
    resting: tuple[str, ...]


def settle(
    stage: Stage,
    armature: bpy.types.Object,
    keyed: Sequence[str],
    body: Sequence[str],
    spared: Sequence[str],
    set_already: Sequence[str],
    size: float,
) -> Strays:
    """Puts to rest, on the stage, what moves the body and is not keyed.

    What carries the body as a whole is where the animator wants it: that stays where it is now. So do properties.

    Args:
        stage: where it is tried out.
        armature: the armature object.
        keyed: the bones that are keyed.
        body: the bones that are seen.
        spared: bones that are none of this module's concern.
        set_already: data paths of the properties that the bake sets.
        size: the armature's, in its own units.
    """
    animated = key_values(armature.animation_data)
    known = {*keyed, *spared}
    bones = [bone.name for bone in armature.pose.bones if bone.name not in known and _channels(bone, animated)]
    properties = _properties(armature, animated, set_already)
    if not bones and not properties:
        return Strays((), ())
    trial = _Trial(stage, keyed, body, size)
    resting: list[str] = []
    tracks: list[Track] = []
    for name in trial.movers(bones, trial.turned):
        bone = armature.pose.bones[name]
        carries = trial.carries(name)
        if not carries:
            resting.append(name)
        tracks += [
            Track(bone_path(name, channel), name, _held(bone, channel, carries)[None], between)
            for channel, between in _channels(bone, animated)
            if not carries or any((bone_path(name, channel), index) in animated for index in range(4))
        ]
    for path in trial.movers(list(properties), lambda path: trial.set_to(*properties[path])):
        bone, name, _ = properties[path]
        now = float(armature.pose.bones[bone][name])
        tracks.append(Track(path, bone, np.array([[now]]), "CONSTANT"))
    for name in resting:
        stage.pose(name, np.zeros(3), rot.IDENTITY)
    return Strays(tuple(tracks), tuple(resting))


def left_alone(strays: Strays, spared: Collection[Channel]) -> tuple[list[Track], list[str]]:
    """What of it is held although some channels' keys are to stay as they are; and sentences about it."""
    kept = [track for track in strays.tracks if any((track.path, index) in spared for index in range(4))]
    owners = list(dict.fromkeys(track.group for track in kept))
    held = [name for name in strays.resting if name not in owners]
    warnings = [f"{named(held)} would move the body besides the keys and are held at rest"] if held else []
    if owners:
        warnings.append(f"{named(owners)} keep their own keys, which move the body besides")
    return [track for track in strays.tracks if track.group not in owners], warnings


def still_locations(armature: bpy.types.Object, made: Mapping[str, Keyed]) -> list[Track]:
    """Locations of keyed bones that are not keyed themselves, but animated by what the bake goes over."""
    animated = key_values(armature.animation_data)
    result: list[Track] = []
    for name, channels in made.items():
        path = bone_path(name, "location")
        rest = channels.location[:1].copy()
        moved = any(_differs(animated.get((path, index)), rest[0, index]) for index in range(3))
        if moved and all(track.path != path for track in channels.tracks):
            result.append(Track(path, name, rest, "BEZIER"))
    return result


class _Trial:
    """The keyed bones posed at random on the stage, and what happens to the body when something else changes."""

    def __init__(self, stage: Stage, keyed: Sequence[str], body: Sequence[str], size: float) -> None:
        self._stage, self._size = stage, size
        self._watched = list(dict.fromkeys((*body, *keyed)))
        self._random = np.random.default_rng(1)
        for bone in keyed:
            stage.pose(bone, *self._some())
        stage.update()
        self._before = self._seen()

    def movers(self, names: Sequence[str], changed: Callable[[str], Callable[[], None]]) -> list[str]:
        """Those of what is named that move the body when they are changed; all is as before afterwards.

        Args:
            names: bones or data paths.
            changed: changes one of them, and returns what changes it back.
        """
        if not names or not self._moved(names, changed):
            return []
        if len(names) == 1:
            return list(names)
        middle = len(names) // 2
        return self.movers(names[:middle], changed) + self.movers(names[middle:], changed)

    def turned(self, bone: str) -> Callable[[], None]:
        """Poses a bone at random."""
        posed = self._stage.bones[bone]
        before = posed.matrix_basis.copy()
        self._stage.pose(bone, *self._some())

        def back() -> None:
            posed.matrix_basis = before

        return back

    def set_to(self, bone: str, name: str, value: float) -> Callable[[], None]:
        """Sets a bone's custom property."""
        before = float(self._stage.bones[bone][name])
        self._stage.set_property(bone, name, value)
        return lambda: self._stage.set_property(bone, name, before)

    def carries(self, bone: str) -> bool:
        """Whether a bone carries all of the body and its controls as one."""
        back = self.turned(bone)
        self._stage.update()
        after = self._seen()
        back()
        motions = [after[name] @ np.linalg.inv(self._before[name]) for name in self._watched]
        return all(self._same(motions[0] @ self._before[name], after[name]) for name in self._watched)

    def _moved(self, names: Sequence[str], changed: Callable[[str], Callable[[], None]]) -> bool:
        back = [changed(name) for name in names]
        self._stage.update()
        after = self._seen()
        for undo in back:
            undo()
        return not all(self._same(self._before[name], after[name]) for name in self._watched)

    def _same(self, one: Array, other: Array) -> bool:
        turned, moved = apart(one, other)
        return turned < SAME_TURN and moved < SAME_PLACE * self._size

    def _seen(self) -> dict[str, Array]:
        return {name: rigid(matrix) for name, matrix in self._stage.matrices(self._watched).items()}

    def _some(self) -> tuple[Array, Array]:
        return self._random.uniform(-STEP, STEP, 3) * self._size, rot.exp(self._random.uniform(-TURN, TURN, 3))


def _channels(bone: bpy.types.PoseBone, animated: Mapping[Channel, tuple[float, float]]) -> list[tuple[str, str]]:
    """Location and rotation of a bone, where they are away from rest, now or at a key; with each its interpolation."""
    turning = rotation_channel(bone.rotation_mode)
    result: list[tuple[str, str]] = []
    for channel, between in (("location", "BEZIER"), (turning, rotation_interpolation(bone.rotation_mode))):
        if channel == "location" and bone.bone.use_connect and bone.parent is not None:
            continue
        # Of a rotation that is at rest, one part of four means nothing alone: a quaternion's w, an axis without angle.
        values = list(getattr(bone, channel))
        telling = {"rotation_quaternion": (1, 2, 3), "rotation_axis_angle": (0,)}.get(channel, (0, 1, 2))
        path = bone_path(bone.name, channel)
        if any(abs(values[index]) > AT_REST or _differs(animated.get((path, index)), 0.0) for index in telling):
            result.append((channel, between))
    return result


def _held(bone: bpy.types.PoseBone, channel: str, as_now: bool) -> Array:
    """The values (n) at which a bone's channel is held."""
    now = np.array(getattr(bone, channel), dtype=float)
    if as_now:
        return now
    if channel == "rotation_quaternion":
        return rot.IDENTITY.copy()
    return np.array([0.0, 0.0, 1.0, 0.0]) if channel == "rotation_axis_angle" else np.zeros(3)


def _properties(
    armature: bpy.types.Object, animated: Mapping[Channel, tuple[float, float]], besides: Sequence[str]
) -> dict[str, tuple[str, str, float]]:
    """The bones' custom properties that are animated, by their paths: bone, name, and a value that it has elsewhere."""
    result: dict[str, tuple[str, str, float]] = {}
    for (path, _), ends in animated.items():
        match, now = _PROPERTY.match(path), read_value(armature, path)
        if match and path not in besides and isinstance(now, bool | int | float) and _differs(ends, now):
            bone, name = (re.sub(r"\\(.)", r"\1", part) for part in match.groups())
            result[path] = bone, name, ends[0] if abs(ends[0] - now) > abs(ends[1] - now) else ends[1]
    return result


def _differs(ends: tuple[float, float] | None, value: float) -> bool:
    return ends is not None and max(abs(end - value) for end in ends) > AWAY
