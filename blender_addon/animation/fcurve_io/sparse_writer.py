"""Few keys on Bezier curves instead of one on each frame."""

from collections.abc import Mapping, Sequence
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.errors import FootfallError
from ....core.keyframes.sparse_keys import ChannelKeys, reduce_keys
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ....core.rig.rig_map import RigMap
from ... import compat
from .carried_body import RigPointModel
from .curves import INTERPOLATION_CODES, KEY_TYPE_GENERATED, write_curve
from .ik_points import find_ik_limb_points
from .rig import read_rig
from .tracks import PropertyTrack

KEY_TYPE_EXTREME: Final = 1
HANDLE_ALIGNED: Final = 3
# Meters: single precision of positions some meters away.
MIN_ERROR_M: Final = 1e-5


class ReducedKeyWriter:
    """Writer of the fewest keys that keep every bone's head, and every leaf bone's end, within a bound.

    It implements the ``TrackWriter`` of ``layers``. Handles are aligned, with a third of the distance to the next key,
    so that Blender's curves equal the fitted cubics. Keys at a contact's beginning or end, or at an extreme of a
    channel, have the type *extreme*, others *generated*. Tracks of constant interpolation get keys at their changes.
    Data that cannot be fitted get a key on each frame: uneven frames, NaN values, or an unevenly stretched rig.

    Args:
        armature: the object of the tracks.
        bound: largest error of a point at any frame, meters; a tenth of it during a contact.
        contacts: (F) contacts of bones' heads, by bone.
        start: scene frame of the first contact value.
        rig_map: if given, its IK limbs are also kept within the bound, with their knees and elbows.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        max_error: float,
        contacts: Mapping[str, Array] | None = None,
        start_frame: float = 0.0,
        rig_map: RigMap | None = None,
    ) -> None:
        self._armature, self._max_error, self._start_frame = armature, max(max_error, MIN_ERROR_M), start_frame
        self._contacts, self._rig_map = dict(contacts or {}), rig_map

    def __call__(self, channelbag: bpy.types.ActionChannelbag, frames: Array, tracks: Sequence[PropertyTrack]) -> None:
        """Write tracks whose rows belong to ascending scene frames (F)."""
        found = self._find_keys([track for track in tracks if _is_reducible(track, frames)], frames)
        for track in tracks:
            if track not in found:
                _write_every_frame(channelbag, frames, track)
        for track, channels in found.items():
            for index, _ in track.columns():
                write_keys(channelbag, track.path, index, track.group, frames, channels[index])

    def _find_keys(self, tracks: Sequence[PropertyTrack], frames: Array) -> dict[PropertyTrack, list[ChannelKeys]]:
        """Return the keys to write for each track; ``None`` if keys cannot be fitted to the rig."""
        if not tracks:
            return {}
        try:
            rig = read_rig(self._armature)
            limbs = find_ik_limb_points(self._rig_map, rig) if self._rig_map else []
            body = RigPointModel(self._armature, rig, tracks, limbs)
        except FootfallError:
            return {}
        touching = {name: self._contacts_at(own, frames) for name, own in self._contacts.items()}
        values, contacts = [_continuous_values(track) for track in tracks], body.contacts(touching, len(frames))
        found = reduce_keys(values, body.bones, body.positions, self._max_error, contacts)
        return dict(zip(tracks, found, strict=True))

    def _contacts_at(self, touching: Array, frames: Array) -> NDArray[np.bool_]:
        """Return which scene frames (F) are in contact; frames outside the known range are not."""
        at = np.rint(frames - self._start_frame).astype(int)
        inside = (at >= 0) & (at < len(touching))
        return inside & np.asarray(touching, dtype=bool)[np.clip(at, 0, len(touching) - 1)]


def write_keys(
    channelbag: bpy.types.ActionChannelbag, path: str, index: int, group: str, frames: Array, keys: ChannelKeys
) -> None:
    """Replace an F-curve with keys on some of the scene's ascending, evenly spaced frames (F)."""
    step = float(frames[1] - frames[0]) if len(frames) > 1 else 1.0
    count = len(keys.frames)
    gaps = np.diff(keys.frames).astype(float)
    before, after = np.append(gaps[:1], gaps) / 3, np.append(gaps, gaps[-1:]) / 3
    points = np.stack([frames[keys.frames], keys.values], axis=1)
    slopes = np.stack([np.full(count, step), keys.slopes], axis=1)
    curve = compat.replace_curve(channelbag, path, index, group)
    curve.keyframe_points.add(count)
    for attribute, values in (
        ("co", points),
        ("handle_left", points - slopes * before[:, None]),
        ("handle_right", points + slopes * after[:, None]),
        ("interpolation", np.full(count, INTERPOLATION_CODES["BEZIER"])),
        ("type", np.where(keys.is_extreme, KEY_TYPE_EXTREME, KEY_TYPE_GENERATED)),
        ("handle_left_type", np.full(count, HANDLE_ALIGNED)),
        ("handle_right_type", np.full(count, HANDLE_ALIGNED)),
    ):
        kind = np.float32 if values.ndim == 2 else np.int32
        curve.keyframe_points.foreach_set(attribute, values.astype(kind).ravel())
    curve.update()


def _is_reducible(track: PropertyTrack, frames: Array) -> bool:
    even = len(frames) > 2 and np.allclose(np.diff(frames), frames[1] - frames[0])
    finite = all(np.isfinite(column).all() for _, column in track.columns())
    return even and finite and len(track.values) == len(frames) and track.interpolation != "CONSTANT"


def _continuous_values(track: PropertyTrack) -> Array:
    """Return a track's values without locked channels; quaternions keep a continuous sign."""
    values = np.nan_to_num(np.asarray(track.values, dtype=float))
    return rot.unroll(values) if track.path.endswith("rotation_quaternion") else values


def _write_every_frame(channelbag: bpy.types.ActionChannelbag, frames: Array, track: PropertyTrack) -> None:
    """Key a track on every frame, but channels that jump only where they jump."""
    for index, values in track.columns():
        kept = np.ones(len(values), dtype=bool)
        if track.interpolation == "CONSTANT":
            kept[1:-1] = values[1:-1] != values[:-2]
        at = np.flatnonzero(kept)
        write_curve(channelbag, track.path, index, track.group, frames[at], values[at], track.interpolation)
