"""Few keys instead of one on each frame: curves that move no point of the body farther than allowed.

An F-curve between two keys is a cubic; a key is a value and a slope. What counts is not how far a channel is off but
how far the body is, so the curves are fitted in metres: by how much each channel moves each point at each frame. Keys
are added where a point is off by more than its bound, to the bone that gains most by it. Bones make up for each other:
a thigh takes back at a standing foot what the hips got wrong.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .hermite import Frames
from .key_fit import CONSTANT, Part, extremes

Positions = Callable[[Sequence[Array]], Array]
"""From the tracks' values (F, n) to the positions (F, J, 3), metres, of the points to be kept."""

# During a contact the touching point is off by at most this share of the bound.
CONTACT_SHARE = 0.1
# Share of the bound that one bone may use up by itself at first: not all are off to the same side at once.
ALONE = 0.8
# Rounds at most: of each bone by itself, and of all together.
ROUNDS = 40
# Channels are nudged by this much, in their own units, to see what they move.
NUDGE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """The keys of one track.

    Attributes:
        frames: ascending (K), from 0; the first and the last frame of the track are among them.
        values: (K, n).
        slopes: (K, n), per frame.
        constant: channels (n) that never change: one key says it all.
        extreme: keys (K) at which a contact begins or ends, or the motion turns round.
    """

    frames: Frames
    values: Array
    slopes: Array
    constant: NDArray[np.bool_]
    extreme: NDArray[np.bool_]


def contact_bounds(bound: float, contacts: NDArray[np.bool_]) -> Array:
    """How far each point may be off (F, J), metres: a tenth of the bound while it touches something."""
    return np.where(contacts, bound * CONTACT_SHARE, bound)


def sparse_keys(
    tracks: Sequence[Array],
    groups: Sequence[int],
    positions: Positions,
    bound: float,
    contacts: NDArray[np.bool_],
) -> list[Keys]:
    """Keys of tracks such that every point stays within the bound at every frame.

    Args:
        tracks: each (F, n), continuous: quaternions without changes of sign.
        groups: for each track a number; tracks of one number have their keys at the same frames.
        positions: gives the points of the body; quaternions need no unit length for it.
        bound: metres.
        contacts: whether each point (F, J) touches something: then it is off by a tenth of the bound at most, and all
            tracks that move it have keys at the first and the last frame of it.

    Returns:
        For each track its keys.
    """
    values = [np.asarray(track, dtype=float) for track in tracks]
    count = len(values[0]) if values else 0
    if count < 2:
        return [_constant(track) for track in values]
    return _Search(values, groups, positions, bound, contacts).run()


def _constant(track: Array) -> Keys:
    ends = np.unique([0, len(track) - 1]) if len(track) else np.zeros(0, dtype=np.intp)
    shape = (len(ends), track.shape[1])
    return Keys(ends, track[ends], np.zeros(shape), np.ones(shape[1], dtype=bool), np.zeros(shape[0], dtype=bool))


class _Search:
    """One search for keys, and what it knows of the body."""

    def __init__(
        self,
        tracks: list[Array],
        groups: Sequence[int],
        positions: Positions,
        bound: float,
        contacts: NDArray[np.bool_],
    ) -> None:
        self.tracks, self.groups, self.positions = tracks, list(groups), positions
        self.bound, self.contacts = bound, contacts
        self.dense = positions(tracks)
        self.bounds = contact_bounds(bound, contacts)
        self.members = {group: [i for i, own in enumerate(self.groups) if own == group] for group in groups}
        self.changing: dict[int, list[NDArray[np.bool_]]] = {}
        self.parts = {group: part for group in self.members if (part := self._part(group)) is not None}

    def run(self) -> list[Keys]:
        """The keys of each track."""
        for part in self.parts.values():
            self._alone(part)
        self._together()
        return [self._keys(number) for number in range(len(self.tracks))]

    def _part(self, group: int) -> Part | None:
        """The group's changing channels; ``None`` where none changes."""
        moves = [self._moves(number) for number in self.members[group]]
        own = [self.tracks[number] for number in self.members[group]]
        self.changing[group] = [self._changes(track, moved) for track, moved in zip(own, moves, strict=True)]
        blocks = tuple(int(changing.sum()) for changing in self.changing[group])
        if not sum(blocks):
            return None
        chosen = np.concatenate(self.changing[group])
        values, moved = np.concatenate(own, axis=1)[:, chosen], np.concatenate(moves, axis=-1)[..., chosen]
        points = np.flatnonzero(np.abs(moved).max(axis=(0, 2, 3)) > 1e-9)
        fixed = np.zeros(len(values), dtype=bool)
        fixed[[0, -1]] = True
        touching = self.contacts[:, points]
        fixed[1:] |= (touching[1:] & ~touching[:-1]).any(axis=1)
        fixed[:-1] |= (touching[:-1] & ~touching[1:]).any(axis=1)
        fixed[extremes(values, moved[:, points], self.bound) if len(points) else []] = True
        return Part(values, points, moved[:, points], self.bounds[:, points], fixed, blocks)

    def _moves(self, number: int) -> Array:
        """Metres by which each point moves per unit of each channel of a track (F, J, 3, n)."""
        track = self.tracks[number]
        moved = np.empty((*self.dense.shape, track.shape[1]))
        for channel in range(track.shape[1]):
            nudged = track.copy()
            nudged[:, channel] += NUDGE
            others = [*self.tracks[:number], nudged, *self.tracks[number + 1 :]]
            moved[..., channel] = (self.positions(others) - self.dense) / NUDGE
        return moved

    def _changes(self, track: Array, moved: Array) -> NDArray[np.bool_]:
        """Which channels (n) change by what counts."""
        reach = np.linalg.norm(moved, axis=2).max(axis=(0, 1), initial=0.0) * np.ptp(track, axis=0)
        return (reach > CONSTANT * self.bound) | (np.ptp(track, axis=0) > 0.01)

    def _alone(self, part: Part) -> None:
        """Adds keys until the part by itself keeps the bound."""
        for _ in range(ROUNDS):
            part.fit()
            off = np.linalg.norm(part.error, axis=-1).max(axis=1, initial=0.0) / (ALONE * self.bound)
            places = part.peaks(np.maximum(off, part.drift))
            if not len(places):
                return
            part.add(places)

    def _together(self) -> None:
        """Adds keys until all parts together keep every point's bound."""
        total = np.zeros_like(self.dense)
        for part in self.parts.values():
            total[:, part.points] += part.error
        for _ in range(ROUNDS):
            for part in self.parts.values():
                others = total[:, part.points] - part.error
                part.fit(others)
                total[:, part.points] = others + part.error
            ratio = np.linalg.norm(total, axis=-1) / self.bounds
            if ratio.max(initial=0.0) <= 1:
                break
            if not self._add_keys(total, ratio):
                break

    def _add_keys(self, total: Array, ratio: Array) -> bool:
        """Adds keys where points are off by too much, to the parts that gain most for each channel."""
        choices: list[tuple[float, Part, int, int, int]] = []
        for part in self.parts.values():
            worst = ratio[:, part.points].max(axis=1, initial=0.0)
            highest = np.maximum.reduceat(worst, part.keys[:-1])
            for index in np.flatnonzero((highest > 1) & (np.diff(part.keys) > 1)):
                start, stop = int(part.keys[index]), int(part.keys[index + 1])
                middle = (start + stop) // 2
                gain = part.gain(start, middle, stop, total[:, part.points]) / part.own.shape[1]
                choices.append((gain, part, start, middle, stop))
        choices.sort(key=lambda choice: -choice[0])
        open_frames = ratio.max(axis=1) > 1
        for _, part, start, middle, stop in choices:
            here = slice(start, stop + 1)
            if (open_frames[here] & (ratio[here][:, part.points].max(axis=1) > 1)).any():
                part.add(np.array([middle]))
                open_frames[here] = False
        return bool(choices)

    def _keys(self, number: int) -> Keys:
        """The keys of a track."""
        group, track = self.groups[number], self.tracks[number]
        if group not in self.parts:
            return _constant(track)
        part, members = self.parts[group], self.members[group]
        place = members.index(number)
        changing = self.changing[group][place]
        first = sum(int(other.sum()) for other in self.changing[group][:place])
        columns = slice(first, first + int(changing.sum()))
        values = np.repeat(track[:1], len(part.keys), axis=0)
        slopes = np.zeros_like(values)
        values[:, changing], slopes[:, changing] = part.values[:, columns], part.slopes[:, columns]
        return Keys(part.keys, values, slopes, ~changing, part.fixed[part.keys])
