"""Who yields to whom, when and by how much: the cheapest way of one walker among the ways of others, in space and time.

A walker can slow down, wait, hurry a little and go beside the way. Time goes in layers; in each, a walker is at a cell
of its own clock, on a lane beside its way. What leads to a layer most cheaply follows from the layer before, for all
cells and lanes at once, so that the cheapest of all ways is found (dynamic programming), with all of the future known:
nobody turns back, and nobody is in anybody's way for ever who could have let them pass.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array

CELLS: Final = 4
"""Cells of a walker's clock in a layer of time: so many quarters of their pace there are, ..."""
FASTEST: Final = 5
"""... and so many of them are the fastest."""
LANE: Final = 0.2
"""Metres from lane to lane."""
ROOMY: Final = 0.45
"""Metres more than the least distance from which on others do not matter."""
EARLY: Final = 0.5
"""Seconds that a walker may be ahead of its plan."""

# What a layer costs.
PACE: Final = 0.3
"""Of the square of the share by which one is slower or faster than planned."""
LATE: Final = 0.01
"""Of the square of the seconds that one is behind, ..."""
LATEST: Final = 4.0
"""... no more of them than so many."""
BESIDE: Final = 0.12
"""Of the square of the metres beside the way."""
LEFT: Final = 0.01
"""Of being left of the way: people go round each other on the right."""
CROSSING: Final = 2.0
"""Of the square of a step to the next lane, for each metre of way in a layer."""
NEAR: Final = 0.25
"""Of being as near to somebody as is just allowed, ..."""
LIKELY: Final = 0.4
"""... and the share of that where they have no way yet and are taken to go as they planned."""
HARD: Final = 1000.0
"""Of being nearer than allowed, for each share (see :class:`_Near`) that is over one, ..."""
BLOCKED: Final = 60.0
"""... and of all layers together that is as if there was no way."""
WALL: Final = 500.0
"""Of being where nobody may be."""
STARTING: Final = 40.0
"""Of the square of the metres beside the way at its start; and at its end."""
UNDONE: Final = 5.0
"""Of each second of the plan that is left at the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """Where somebody may be.

    Attributes:
        middle: (C) x and (C) y of the way, metres, world, at each cell of their clock.
        right: (C) x and (C) y of the unit vectors to the right of it.
        offsets: (L) metres to the right of the way, of each lane.
        shut: (C, L) where nobody may be; never on the way itself.
        start: the cell of everybody's time at which their clock begins.
        seconds: of a layer.
    """

    middle: tuple[Array, Array]
    right: tuple[Array, Array]
    offsets: Array
    shut: NDArray[np.bool_]
    start: int
    seconds: float

    def __len__(self) -> int:
        """The cells of their clock."""
        return len(self.middle[0])

    @property
    def first(self) -> int:
        """The layer in which they stand at the start still."""
        return self.start // CELLS

    def last(self, patience: float) -> int:
        """The layer in which they are at the end at the latest, who wait for so many seconds and no more."""
        return (self.start + len(self) - 1) // CELLS + 1 + round(patience / self.seconds)


@dataclass(frozen=True, slots=True, eq=False)
class Others:
    """Everybody else.

    Attributes:
        places: (N, K, 2) metres, world, in each layer.
        apart: (N, K) metres, that one is to be away from them at least, and ...
        beside: (N) ... while one stands.
        sure: (N, K) whether they will be there; else they are likely to.
    """

    places: Array
    apart: Array
    beside: Array
    sure: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Yielded:
    """A way found.

    Attributes:
        clock: (K) the cell of the walker's clock, in layers from the first on.
        offsets: (K) metres to the right of the way.
        cost: what it costs.
    """

    clock: NDArray[np.intp]
    offsets: Array
    cost: float

    @property
    def blocked(self) -> bool:
        """Whether it is nearer to somebody than is allowed."""
        return self.cost >= BLOCKED


def yielded(lanes: Lanes, others: Others, patience: float) -> Yielded:
    """The cheapest way among others.

    Args:
        lanes: where one may be.
        others: where they are; after their last layer they stand.
        patience: seconds by which one may be late under way; the last stretch may take longer.
    """
    window = _Window.of(lanes, patience)
    near = _Near(lanes, others, window)
    aside = (BESIDE * lanes.offsets**2 + np.where(lanes.offsets < 0, LEFT, 0.0)).astype(np.float32)
    steps, lateness = _crossing(lanes), window.lateness(lanes)
    walls = np.where(lanes.shut, WALL, 0.0).astype(np.float32) if lanes.shut.any() else None

    costs = np.full((window.rows, len(lanes.offsets)), np.inf, dtype=np.float32)
    costs[0] = STARTING * lanes.offsets**2 + aside + near.standing(0, slice(0, lanes.first + 1))[0]
    if walls is not None:
        costs += walls[window.clock(0)]
    history = [costs]
    for number in range(1, len(window.layers)):
        costs = _went_on(costs, steps[window.clock(number - 1)], window, number)
        costs += lateness[number, :, None] + aside
        costs += near.at(number)
        if walls is not None:
            costs += walls[window.clock(number)]
        history.append(costs)

    left = (len(lanes) - 1 - window.clock(len(window.layers) - 1)) / CELLS * lanes.seconds
    costs = costs + UNDONE * left[:, None] + np.where(left == 0, STARTING, 0.0)[:, None] * lanes.offsets**2
    costs += near.standing(len(window.layers) - 1, slice(lanes.last(patience) + 1, None))
    return _traced(lanes, window, steps, history, costs)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The cells of the clock that one may be at in each layer: ``rows`` of them from ``bases`` (K) on.

    There are ``count`` of them, and the first is at the cell ``start`` of everybody's time.
    """

    layers: NDArray[np.intp]
    bases: NDArray[np.intp]
    rows: int
    count: int
    start: int

    @staticmethod
    def of(lanes: Lanes, patience: float) -> "_Window":
        behind, early = (round(time / lanes.seconds * CELLS) for time in (patience, EARLY))
        count = len(lanes)
        rows = min(behind + early + 1, count)
        layers = np.arange(lanes.first, lanes.last(patience) + 1)
        return _Window(
            layers, np.clip(CELLS * layers - lanes.start - behind, 0, count - rows), rows, count, lanes.start
        )

    def clock(self, number: int) -> NDArray[np.intp]:
        """The cells (rows) of a layer."""
        return self.bases[number] + np.arange(self.rows)

    def ahead(self, number: int) -> int:
        """By how many cells a layer's window is farther than that of the layer before."""
        return int(self.bases[number] - self.bases[number - 1])

    def ends(self, number: int) -> bool:
        """Whether the clock's last cell is in a layer's window."""
        return bool(self.bases[number] + self.rows == self.count)

    def price(self, number: int, pace: int, ending: bool = False) -> float:
        """What it costs to get to a layer by so many cells; those who get to the end, or are there, need not hurry."""
        if ending and pace <= CELLS:
            return 0.0
        planned = CELLS * int(self.layers[number]) - self.start if number == 1 else CELLS
        return PACE * ((planned - pace) / CELLS) ** 2

    def lateness(self, lanes: Lanes) -> Array:
        """What it costs (K, rows) to be late, or early, in each layer; who is at the end is neither."""
        clock = self.bases[:, None] + np.arange(self.rows)
        late = (CELLS * self.layers[:, None] - self.start - clock) / CELLS * lanes.seconds
        return np.where(clock == self.count - 1, 0.0, LATE * np.clip(late, -LATEST, LATEST) ** 2).astype(np.float32)


def _went_on(costs: Array, steps: Array, window: _Window, number: int) -> Array:
    """The least costs (rows, L) of getting to a layer, from those of the one before: at some pace, and beside it on the
    same lane or the next."""
    beside = _beside(costs, steps)
    result = np.full_like(costs, np.inf)
    for pace in range(FASTEST + 1):
        shift = window.ahead(number) - pace
        to, since = slice(max(-shift, 0), len(costs) - max(shift, 0)), slice(max(shift, 0), len(costs) - max(-shift, 0))
        if to.start >= to.stop:
            continue
        before = costs[since] if pace == 0 else beside[since]
        np.minimum(result[to], before + window.price(number, pace), out=result[to])
        if window.ends(number) and to.stop == len(costs):
            np.minimum(result[-1], before[-1] + window.price(number, pace, True), out=result[-1])
    return result


def _beside(costs: Array, steps: Array) -> Array:
    """The least costs (rows, L) on each lane of who may have come from the next one, for so much (rows)."""
    result, moved = costs.copy(), costs + steps[:, None]
    np.minimum(result[:, 1:], moved[:, :-1], out=result[:, 1:])
    np.minimum(result[:, :-1], moved[:, 1:], out=result[:, :-1])
    return result


def _traced(lanes: Lanes, window: _Window, steps: Array, history: list[Array], costs: Array) -> Yielded:
    """The cheapest way, from its last layer back: at each, what was cheapest of all that leads there."""
    row, lane = (int(at) for at in np.unravel_index(int(costs.argmin()), costs.shape))
    cost = float(costs[row, lane])
    clock = np.empty(len(window.layers), dtype=np.intp)
    offsets = np.empty(len(window.layers))
    for number in range(len(window.layers) - 1, -1, -1):
        clock[number], offsets[number] = window.bases[number] + row, lanes.offsets[lane]
        if number == 0:
            break
        before, ending = history[number - 1], row == window.rows - 1 and window.ends(number)
        lowest, highest = max(lane - 1, 0), min(lane + 1, len(lanes.offsets) - 1)
        best, at = np.inf, (row, lane)
        for pace in range(FASTEST + 1):
            since = row + window.ahead(number) - pace
            if not 0 <= since < window.rows:
                continue
            price = window.price(number, pace, ending)
            step = float(steps[window.bases[number - 1] + since])
            for other in (lane,) if pace == 0 else range(lowest, highest + 1):
                found = float(before[since, other]) + price + (step if other != lane else 0.0)
                if found < best:
                    best, at = found, (since, other)
        row, lane = at
    return Yielded(clock, offsets, cost)


def _crossing(lanes: Lanes) -> Array:
    """What it costs (C) to go over to the next lane: the more the slower one is."""
    x, y = lanes.middle
    along = np.hypot(np.gradient(x), np.gradient(y)) * CELLS if len(x) > 1 else np.zeros(1)
    return (CROSSING * LANE**2 / (along + 0.02)).astype(np.float32)


class _Near:
    """What it costs to be near to others, layer by layer."""

    def __init__(self, lanes: Lanes, others: Others, window: _Window) -> None:
        self.lanes, self.others, self.window = lanes, others, window
        self._powers = np.stack([np.ones_like(lanes.offsets), lanes.offsets, lanes.offsets**2]).astype(np.float32)
        places = others.places[:, np.minimum(window.layers, others.places.shape[1] - 1)]
        # Whoever is farther than that from some of a window's places is too far from all.
        some = np.unique(np.concatenate([np.arange(0, window.rows, 2 * CELLS), [window.rows - 1]]))
        x, y = (axis[window.bases[:, None] + some].astype(np.float32) for axis in lanes.middle)
        gap = float(np.hypot(*(np.diff(axis) for axis in lanes.middle)).max(initial=0.0))
        far = float(others.apart.max(initial=0.0)) + ROOMY + float(lanes.offsets[-1]) + CELLS * gap
        xs, ys = places[..., 0, None].astype(np.float32), places[..., 1, None].astype(np.float32)
        self._who = ((xs - x) ** 2 + (ys - y) ** 2).min(axis=2) < far**2

    def at(self, number: int) -> Array | float:
        """The costs (rows, L) in one of the layers."""
        who = np.flatnonzero(self._who[:, number])
        if len(who) == 0:
            return 0.0
        layer = min(int(self.window.layers[number]), self.others.places.shape[1] - 1)
        return self._costs(
            number, self.others.places[who, layer], self.others.apart[who, layer], self.others.sure[who, layer]
        )

    def standing(self, number: int, layers: slice) -> Array:
        """What it costs (rows, L) to stand in other layers where one is in one of one's own, too near to others."""
        others, clock = self.others, self.window.clock(number)
        middle = np.stack([axis[clock] for axis in self.lanes.middle], axis=-1)
        centre = middle.mean(axis=0)
        wide = float(np.linalg.norm(middle - centre, axis=-1).max() + self.lanes.offsets[-1])
        places = others.places[:, layers]
        close = np.linalg.norm(places - centre, axis=-1) < wide + others.beside[:, None]
        who, when = np.nonzero(close & others.sure[:, layers])
        # Who stands is there but once.
        _, first = np.unique(np.column_stack([who, np.round(places[who, when], 2)]), axis=0, return_index=True)
        result = np.zeros((self.window.rows, len(self.lanes.offsets)), dtype=np.float32)
        for some in np.array_split(first, len(first) // 64 + 1):
            near = places[who[some], when[some]], others.beside[who[some]], np.ones(len(some), dtype=bool)
            result += self._costs(number, *near, around=0.0)
        return result

    def _costs(self, number: int, places: Array, apart: Array, sure: NDArray[np.bool_], around: float = NEAR) -> Array:
        """What it costs (rows, L) in a layer to be near to places (W, 2) of others from whom one is to be so far apart
        (W), and who are sure (W) to be there."""
        begin = self.window.bases[number]
        rows = slice(begin, begin + self.window.rows)
        (x, y), (right, up) = self.lanes.middle, self.lanes.right
        to = (x[rows] - places[:, :1]).astype(np.float32), (y[rows] - places[:, 1:]).astype(np.float32)
        farthest = (apart + ROOMY) ** 2
        scale = (1 / (farthest - apart**2)).astype(np.float32)[:, None]
        # How near one is: 1 where one is just allowed to be, 0 where it does not matter. The square of a distance is a
        # polynomial of the offset.
        parts = np.empty((*to[0].shape, 3), dtype=np.float32)
        parts[..., 0] = farthest.astype(np.float32)[:, None] * scale - (to[0] ** 2 + to[1] ** 2) * scale
        parts[..., 1] = -2 * scale * (to[0] * right[rows] + to[1] * up[rows])
        parts[..., 2] = -scale
        near = (parts.reshape(-1, 3) @ self._powers).reshape(len(places), self.window.rows * self._powers.shape[1])
        np.maximum(near, 0.0, out=near)
        cost = np.zeros(near.shape[1], dtype=np.float32)
        if around:
            cost += np.where(sure, around, around * LIKELY).astype(np.float32) @ (near * near)
        if sure.any():
            sure_ones = sure.astype(np.float32)
            cost += HARD * (sure_ones @ np.maximum(near, 1.0) - sure_ones.sum())
        return cost.reshape(self.window.rows, -1)
