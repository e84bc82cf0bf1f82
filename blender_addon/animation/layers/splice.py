"""New keys inserted between existing ones."""

from dataclasses import dataclass

import numpy as np

from .blend_keys import BlendFrames
from .keys import HANDLE_FREE, KEY_DTYPE, Keys
from .segments import CONSTANT_CODE, CurveFunction, cut_after, cut_before


@dataclass(frozen=True, slots=True)
class BlendedRange:
    """The frames ``first`` to ``last`` of the scene, with the joins of their ends."""

    first: int
    last: int
    blend: BlendFrames

    @property
    def outer_frames(self) -> tuple[int, int]:
        """Outermost frames at which the old curves are unchanged."""
        return self.first - (self.blend.start == 0), self.last + (self.blend.end == 0)


def splice_keys(
    old: Keys, inner: Keys, frames: BlendedRange, value: CurveFunction, jumps: tuple[bool, bool] = (False, False)
) -> Keys:
    """Return a curve's keys with those in a range replaced; outside the range nothing changes.

    Args:
        old: the curve's keys.
        inner: the range's keys, including its first and last frame.
        frames: the range.
        value: function that returns the old curve's value at a frame.
        jumps: whether the representation jumps between the range's first two frames, and between its last two.
    """
    left, right = frames.outer_frames
    before, after = cut_before(old, left, value), cut_after(old, right, value)
    inner = np.array(inner, dtype=KEY_DTYPE)
    if frames.blend.start:
        inner, before = _join_start(before, inner, jumps[0])
    else:
        before["interpolation"][-1] = CONSTANT_CODE
    if frames.blend.end:
        inner, after = _join_end(inner, after, jumps[1])
    else:
        inner["interpolation"][-1] = CONSTANT_CODE
    times = old["co"][:, 0]
    outside_left, outside_right = old[times < frames.first], old[times > frames.last]
    parts = [
        outside_left,
        _keys_at_other_frames(before, outside_left),
        inner,
        _keys_at_other_frames(after, outside_right),
        outside_right,
    ]
    merged = np.concatenate(parts)
    return merged[np.argsort(merged["co"][:, 0], kind="stable")]


def _join_start(cut: Keys, inner: Keys, jump: bool) -> tuple[Keys, Keys]:
    """Merge the range's first key with the last key of the part before; return the range's keys and the rest."""
    first = inner[:1]
    if jump:
        first["interpolation"] = CONSTANT_CODE
    for name in ("co", "handle_left"):
        first[name] = cut[-1:][name]
    _free_handles(first)
    return inner, cut[:-1]


def _join_end(inner: Keys, cut: Keys, jump: bool) -> tuple[Keys, Keys]:
    """Merge the range's last key with the first key of the part after; return the range's keys and the rest."""
    last = inner[-1:]
    for name in ("co", "handle_right", "interpolation", "easing", "back", "amplitude", "period"):
        last[name] = cut[:1][name]
    _free_handles(last)
    if jump and len(inner) > 1:
        inner["interpolation"][-2] = CONSTANT_CODE
    return inner, cut[1:]


def _free_handles(key: Keys) -> None:
    """Free the handles of a key at an end of the range, so that the old and new curve may have different slopes."""
    key["handle_left_type"] = key["handle_right_type"] = HANDLE_FREE


def _keys_at_other_frames(keys: Keys, others: Keys) -> Keys:
    """Return the keys at frames where ``others`` has none."""
    return keys[~np.isin(keys["co"][:, 0], others["co"][:, 0])]
