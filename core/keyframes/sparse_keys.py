"""Keyframe reduction: curves with few keys that move no point of the body by more than a bound.

An F-curve between two keys is a cubic; a key is a value and a slope. The relevant error is the body's, not a channel's,
so the curves are fitted in meters with the Jacobians of the points. Where a point exceeds its bound, a key is added to
the most effective channel; superfluous keys are removed. Channels compensate for each other: at a standing foot, a
thigh corrects the error of the hips. Cf. Lim and Thalmann 2001.
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
"""Function from the tracks' values (F, n) to the relevant points (F, J, 3), meters."""

CONTACT_BOUND_RATIO = 0.1
"""Largest error of a point in contact, relative to the bound."""
MIN_POINT_RANGE_RATIO = 0.005
"""Range of a point's motion by a channel, relative to the bound, below which the channel can be constant."""
MIN_VALUE_RANGE = 0.01
"""Range of a channel's values, in its own unit, below which it can be constant."""
MAX_QUATERNION_DRIFT = 0.1
"""Largest error of a quaternion's component; its length is free, but must not vanish."""
QUATERNION_SIZE = 4
"""Number of channels of a quaternion track."""
PEAK_PROMINENCE_RATIO = 5.0
"""Least prominence of an extreme, relative to the bound."""
FINITE_DIFFERENCE_STEP = 1e-4
"""Step of the finite differences of a channel, in its own unit."""
MIN_SENSITIVITY_M = 1e-7
"""Displacement of a point per unit of a channel below which the channel does not move it."""


@dataclass(frozen=True, slots=True, eq=False)
class ChannelKeys:
    """The keys of one channel.

    Attributes:
        frames: (K) ascending frames from 0, including the first and the last.
        values: (K) values.
        slopes: (K) slopes, per frame.
        is_extreme: (K) whether the key is at an extreme of the channel, or at the start or end of a contact.
    """

    frames: Frames
    values: Array
    slopes: Array
    is_extreme: Mask


def contact_bounds(bound: float, contacts: Mask) -> Array:
    """Return the largest allowed error (F, J) of each point, meters: ``bound``, or a tenth of it during contact."""
    return np.where(contacts, bound * CONTACT_BOUND_RATIO, bound)


def reduce_keys(
    tracks: Sequence[Array], bones: Sequence[int], positions: PointPositions, bound: float, contacts: Mask
) -> list[list[ChannelKeys]]:
    """Reduce tracks to few keys, which keep every point of the body within an error bound at every frame.

    Args:
        tracks: tracks (F, n), continuous: quaternions without changes of sign. Quaternions of the curves may deviate
            from unit length by a tenth, since Blender normalizes them.
        bones: index of the bone of each track; channels of one bone share key frames if this costs nothing.
        positions: function that returns the body's points (F, J, 3), meters, for given tracks.
        bound: largest allowed error of a point, meters.
        contacts: (F, J) whether each point is in contact; during a contact its error is at most a tenth of the bound,
            and all channels that move it have keys at the contact's first and last frame.

    Returns:
        For each track the keys of its channels. A constant channel has two keys.
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
    """Return the keys of a channel at only the first and the last frame."""
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
    """Replace the keys of all changing channels in ``keys`` with those that the search finds."""
    edges = np.zeros_like(contacts)
    edges[1:] |= contacts[1:] & ~contacts[:-1]
    edges[:-1] |= contacts[:-1] & ~contacts[1:]
    places = [(number, column) for number, track in enumerate(tracks) for column in range(track.shape[1])]
    changing, jacobians, fixed, extreme = [], [], [], []
    for index, (number, column) in enumerate(places):
        channel = tracks[number][:, column]
        if np.ptp(channel) < 1e-9:
            continue
        jacobian = _channel_jacobian(tracks, number, column, positions, dense_positions)
        sensitivity = float(np.abs(jacobian.derivatives).max(initial=0.0))
        if sensitivity * np.ptp(channel) < MIN_POINT_RANGE_RATIO * bound and np.ptp(channel) < MIN_VALUE_RANGE:
            continue
        marked: Mask = np.asarray(edges[:, jacobian.points].any(axis=1))
        marked[_turning_points(channel, sensitivity, bound)] = True
        extreme.append(marked)
        fixed.append(marked | np.isin(np.arange(len(channel)), (0, len(channel) - 1)))
        changing.append(index)
        jacobians.append(jacobian)
    if not changing:
        return
    own = np.stack([tracks[number][:, column] for number, column in (places[index] for index in changing)])
    drift = np.array(
        [MAX_QUATERNION_DRIFT if tracks[places[index][0]].shape[1] == QUATERNION_SIZE else np.inf for index in changing]
    )
    channels = Channels(own, jacobians, contact_bounds(bound, contacts).T, np.array(fixed), drift)

    def true_error(curves: Array) -> Array:
        """Return the exact errors (J, 3, F), meters, of the points if the channels follow ``curves`` (C, F)."""
        values = [np.repeat(track[:1], len(track), axis=0) for track in tracks]
        for index, curve in zip(changing, curves, strict=True):
            number, column = places[index]
            values[number][:, column] = curve
        return (positions(values) - dense_positions).transpose(1, 2, 0)

    bone_of_channel = np.array([bones[places[index][0]] for index in changing])
    search_keys(channels, bone_of_channel, bound, true_error)
    for row, index in enumerate(changing):
        frames = np.flatnonzero(channels.is_key[row])
        values, slopes = channels.values[row, frames], channels.slopes[row, frames]
        keys[index] = ChannelKeys(frames, values, slopes, extreme[row][frames])


def _channel_jacobian(
    tracks: Sequence[Array], number: int, column: int, positions: PointPositions, dense_positions: Array
) -> ChannelJacobian:
    """Return how one column of a track moves the points, by finite differences."""
    nudged = tracks[number].copy()
    nudged[:, column] += FINITE_DIFFERENCE_STEP
    moves = (positions([*tracks[:number], nudged, *tracks[number + 1 :]]) - dense_positions) / FINITE_DIFFERENCE_STEP
    points = np.flatnonzero(np.abs(moves).max(axis=(0, 2)) > MIN_SENSITIVITY_M)
    return ChannelJacobian(points, np.ascontiguousarray(moves[:, points].transpose(1, 2, 0), dtype=np.float32))


def _turning_points(channel: Array, sensitivity: float, bound: float) -> Frames:
    """Return the frames of a channel's extremes; the channel moves points by ``sensitivity`` meters per unit."""
    if sensitivity * np.ptp(channel) < PEAK_PROMINENCE_RATIO * bound:
        return np.zeros(0, dtype=np.intp)
    found = [
        scipy.signal.find_peaks(sign * channel, prominence=PEAK_PROMINENCE_RATIO * bound / sensitivity)[0]
        for sign in (1, -1)
    ]
    return np.sort(np.concatenate(found))
