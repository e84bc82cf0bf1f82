"""Few keys instead of one on each frame: curves that move no point of the body farther than allowed.

An F-curve between two keys is a cubic; a key is a value and a slope. What counts is not how far a channel is off but
how far the body is, so the curves are fitted in metres: by how much each channel moves each point at each frame. Keys
are added where a point is off by more than its bound, to the channel that gains most by it, and taken back where it
keeps its bound without. Channels make up for each other: a thigh takes back at a standing foot what the hips got wrong.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from ..motion.rotations import Array
from .channels import ChannelJacobian, Channels, Mask
from .hermite import Frames
from .search import search_keys

PointPositions = Callable[[Sequence[Array]], Array]
"""From the tracks' values (F, n) to the positions (F, J, 3), metres, of the points to be kept."""

# During a contact the touching point is off by at most this share of the bound.
CONTACT_BOUND_RATIO = 0.1
# A channel that moves no point by more than this share of the bound does not change; nor do units of less than this.
MIN_POINT_RANGE_RATIO, MIN_VALUE_RANGE = 0.005, 0.01
# How far a number of a quaternion may be off whatever that moves: its length is free, but not to become nothing.
MAX_QUATERNION_DRIFT, QUATERNION_SIZE = 0.1, 4
# An extreme stands out by so many times the bound.
PEAK_PROMINENCE_RATIO = 5.0
# By how much channels are nudged, in their own units, to see what they move, and what moves at all, in metres.
FINITE_DIFFERENCE_STEP, MIN_SENSITIVITY_M = 1e-4, 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class ChannelKeys:
    """The keys of one channel.

    Attributes:
        frames: ascending (K), from 0, the first and the last frame among them.
        values: (K).
        slopes: (K), per frame.
        is_extreme: keys (K) at which a contact begins or ends, or the channel turns round.
    """

    frames: Frames
    values: Array
    slopes: Array
    is_extreme: Mask


def contact_bounds(bound: float, contacts: Mask) -> Array:
    """How far each point may be off (F, J), metres: a tenth of the bound while it touches something."""
    return np.where(contacts, bound * CONTACT_BOUND_RATIO, bound)


def reduce_keys(
    tracks: Sequence[Array], bones: Sequence[int], positions: PointPositions, bound: float, contacts: Mask
) -> list[list[ChannelKeys]]:
    """Keys of tracks with which every point stays within the bound at every frame.

    Args:
        tracks: each (F, n), continuous: quaternions without changes of sign. They may lose their unit length by a
            tenth: Blender normalises what its curves give.
        bones: for each track a number; channels of one number have their keys at the same frames where that costs
            nothing.
        positions: gives the points of the body for any such tracks.
        bound: metres.
        contacts: whether each point (F, J) touches something: then it is off by a tenth of the bound at most, and all
            channels that move it have keys at the first and the last frame of it.

    Returns:
        For each track the keys of its channels. A channel that does not change has two.
    """
    dense = positions(tracks)
    whole = [_end_keys(channel) for track in tracks for channel in track.T]
    if len(dense) > 2:
        _reduce_changing_channels(
            whole, [np.asarray(track, dtype=float) for track in tracks], bones, positions, bound, contacts, dense
        )
    remaining = iter(whole)
    return [[next(remaining) for _ in range(track.shape[1])] for track in tracks]


def _end_keys(channel: Array) -> ChannelKeys:
    """Return the first and the last frame as they are."""
    frames = np.unique([0, len(channel) - 1])
    slope = channel[-1] - channel[0] if len(channel) == 2 else 0.0
    return ChannelKeys(
        frames, channel[frames].astype(float), np.full(len(frames), slope), np.zeros(len(frames), dtype=bool)
    )


def _reduce_changing_channels(
    keys: list[ChannelKeys],
    tracks: list[Array],
    bones: Sequence[int],
    positions: PointPositions,
    bound: float,
    contacts: Mask,
    dense_positions: Array,
) -> None:
    """Replace the keys of all channels that change by those that are found."""
    edges = np.zeros_like(contacts)
    edges[1:] |= contacts[1:] & ~contacts[:-1]
    edges[:-1] |= contacts[:-1] & ~contacts[1:]
    places = [(number, column) for number, track in enumerate(tracks) for column in range(track.shape[1])]
    changing, touches, fixed, extreme = [], [], [], []
    for index, (number, column) in enumerate(places):
        channel = tracks[number][:, column]
        if np.ptp(channel) < 1e-9:
            continue
        touch = _channel_jacobian(tracks, number, column, positions, dense_positions)
        reach = float(np.abs(touch.derivatives).max(initial=0.0))
        if reach * np.ptp(channel) < MIN_POINT_RANGE_RATIO * bound and np.ptp(channel) < MIN_VALUE_RANGE:
            continue
        marked: Mask = np.asarray(edges[:, touch.points].any(axis=1))
        marked[_turning_points(channel, reach, bound)] = True
        extreme.append(marked)
        fixed.append(marked | np.isin(np.arange(len(channel)), (0, len(channel) - 1)))
        changing.append(index)
        touches.append(touch)
    if not changing:
        return
    own = np.stack([tracks[number][:, column] for number, column in (places[index] for index in changing)])
    drift = np.array(
        [MAX_QUATERNION_DRIFT if tracks[places[index][0]].shape[1] == QUATERNION_SIZE else np.inf for index in changing]
    )
    channels = Channels(own, touches, contact_bounds(bound, contacts).T, np.array(fixed), drift)

    def true_error(curves: Array) -> Array:
        values = [np.repeat(track[:1], len(track), axis=0) for track in tracks]
        for index, curve in zip(changing, curves, strict=True):
            number, column = places[index]
            values[number][:, column] = curve
        return (positions(values) - dense_positions).transpose(1, 2, 0)

    families = np.array([bones[places[index][0]] for index in changing])
    search_keys(channels, families, bound, true_error)
    for row, index in enumerate(changing):
        frames = np.flatnonzero(channels.is_key[row])
        values, slopes = channels.values[row, frames], channels.slopes[row, frames]
        keys[index] = ChannelKeys(frames, values, slopes, extreme[row][frames])


def _channel_jacobian(
    tracks: Sequence[Array], number: int, column: int, positions: PointPositions, dense_positions: Array
) -> ChannelJacobian:
    """What one column of a track moves."""
    nudged = tracks[number].copy()
    nudged[:, column] += FINITE_DIFFERENCE_STEP
    moves = (positions([*tracks[:number], nudged, *tracks[number + 1 :]]) - dense_positions) / FINITE_DIFFERENCE_STEP
    points = np.flatnonzero(np.abs(moves).max(axis=(0, 2)) > MIN_SENSITIVITY_M)
    return ChannelJacobian(points, np.ascontiguousarray(moves[:, points].transpose(1, 2, 0), dtype=np.float32))


def _turning_points(channel: Array, sensitivity: float, bound: float) -> Frames:
    """Where a channel (F) turns round that moves points by up to ``sensitivity`` metres per unit."""
    if sensitivity * np.ptp(channel) < PEAK_PROMINENCE_RATIO * bound:
        return np.zeros(0, dtype=np.intp)
    found = [
        scipy.signal.find_peaks(sign * channel, prominence=PEAK_PROMINENCE_RATIO * bound / sensitivity)[0]
        for sign in (1, -1)
    ]
    return np.sort(np.concatenate(found))
