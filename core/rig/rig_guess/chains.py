"""Assignment of the bones of a chain to parts of a limb, by typical proportions of limbs.

Each assignment has a cost: the squared log ratios of its lengths to the typical ones, over their deviations, summed.
The cheapest is the likeliest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from ...motion.rotations import Array

MAX_INLINE_OFFSET_RATIO: Final = 0.03
"""Largest distance of a twist bone in the chain from the line between two joints, relative to that line's length."""
MISSING_END_COST: Final = 3.0
"""Cost of an arm without a hand, or a leg without a foot."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of N bones of a limb, as points.

    Attributes:
        points: (N + 1, 3) heads of the bones, and the tail of the last one, in the armature's unit.
        has_tip: whether that tail is meaningful.
        finger_bone: index in the chain of the bone with the fingers; ``None`` if there is none.
        thumb_bone: index in the chain of the bone that starts where a thumb starts; ``None`` if there is none.
    """

    points: Array
    has_tip: bool
    finger_bone: int | None = None
    thumb_bone: int | None = None

    @property
    def count(self) -> int:
        """Number N of bones in the chain."""
        return len(self.points) - 1


@dataclass(frozen=True, slots=True)
class LegProportions:
    """Proportions of one kind of leg.

    Attributes:
        sole_ratio: distance from the foot's joint to the toe's, relative to the length of thigh and shin.
        foot_ratio: distance from the foot's joint to the tip of the toes, relative to the length of thigh and shin.
        has_shoulder: whether the chain may begin with a shoulder blade.
    """

    sole_ratio: float
    foot_ratio: float
    has_shoulder: bool = False


BIPED_LEG_PROPORTIONS: Final = LegProportions(0.18, 0.26)
"""Proportions of a person's legs."""
HIND_LEG_PROPORTIONS: Final = LegProportions(0.28, 0.4)
"""Proportions of a quadruped's hind legs."""
FRONT_LEG_PROPORTIONS: Final = LegProportions(0.28, 0.4, has_shoulder=True)
"""Proportions of a quadruped's front legs."""


@dataclass(frozen=True, slots=True)
class LimbReading:
    """An assignment of a chain's bones to the parts of a limb.

    Attributes:
        parts: index in the chain of each part's bone, by role without side.
        cost: negative log-likelihood up to a constant; 0 is best.
    """

    parts: dict[str, int]
    cost: float


def read_arm(chains: Sequence[Chain]) -> list[LimbReading]:
    """Return all assignments of the bones of two arms' chains to their parts, with a hand or without, by likelihood."""
    count = _shortest_count(chains)
    readings = [_arm(chains, *places) for places in combinations(range(count), 3)]
    return _ranked(readings + [_arm(chains, *places, None) for places in combinations(range(count), 2)])


def read_leg(chains: Sequence[Chain], proportions: LegProportions) -> list[LimbReading]:
    """Return all assignments of the bones of two legs' chains to their parts, the likeliest first.

    They include legs without a toe, and without a foot.
    """
    count = _shortest_count(chains)
    readings = [_leg(chains, proportions, *places) for places in combinations(range(count), 4)]
    readings += [_leg(chains, proportions, *places, None) for places in combinations(range(count), 3)]
    return _ranked(
        readings + [_leg(chains, proportions, *places, None, None) for places in combinations(range(count), 2)]
    )


def read_front_leg(chains: Sequence[Chain]) -> list[LimbReading]:
    """Return all assignments of the bones of two front legs' chains to their parts, the likeliest first.

    A front leg is read as a hind leg below a shoulder blade.
    """
    return [_as_front_leg(reading) for reading in read_leg(chains, FRONT_LEG_PROPORTIONS)]


def _as_front_leg(reading: LimbReading) -> LimbReading:
    """Convert a reading of hind legs to one of front legs."""
    parts = {f"front_{part}": place for part, place in reading.parts.items()}
    start = reading.parts["thigh"]
    return LimbReading(parts | ({"front_shoulder": start - 1} if start else {}), reading.cost)


def _arm(chains: Sequence[Chain], upper: int, fore: int, hand: int | None) -> LimbReading:
    """Return the limb reading for arms whose upper arm, forearm and hand are at these indices in the chains."""
    parts = {"upper_arm": upper, "forearm": fore}
    if hand is not None:
        parts["hand"] = hand
    if upper >= 1:
        parts["shoulder"] = upper - 1
    return LimbReading(parts, _mean(_arm_cost(chain, upper, fore, hand) for chain in chains))


def _arm_cost(chain: Chain, upper: int, fore: int, hand: int | None) -> float:
    """Return the cost of reading one arm's chain this way."""
    points = chain.points
    wrist = chain.count if hand is None else hand
    lengths = _distance(points, upper, fore), _distance(points, fore, wrist)
    if min(lengths) <= 0:
        return np.inf
    cost = (np.log(lengths[0] / lengths[1]) / 0.25) ** 2
    cost += _twist_bones_cost(points, upper, fore) + _twist_bones_cost(points, fore, wrist)
    if upper == 0:
        cost += 1.0
    else:
        collar = _distance(points, upper - 1, upper) / lengths[0]
        cost += (np.log(max(collar, 0.02) / 0.55) / 0.6) ** 2 + 2.0 * (upper - 1)
    if hand is None:
        return float(cost + MISSING_END_COST)
    if chain.finger_bone is not None:
        return float(cost + 6.0 * (hand != chain.finger_bone))
    cost += 1.0 * (chain.thumb_bone is not None and hand != chain.thumb_bone)
    palm = _chain_length(points, hand, chain.count) / lengths[1]
    cost += min((np.log(palm / 0.5) / 0.6) ** 2, 1.5) if palm > 0.02 and chain.has_tip else 0.5
    return float(cost + 0.3 * (chain.count - 1 - hand))


def _leg(
    chains: Sequence[Chain], proportions: LegProportions, thigh: int, shin: int, foot: int | None, toe: int | None
) -> LimbReading:
    """Return the limb reading for legs whose thigh, shin, foot and toe are at these indices in the chains."""
    places = {"thigh": thigh, "shin": shin, "foot": foot, "toe": toe}
    parts = {part: place for part, place in places.items() if place is not None}
    return LimbReading(parts, _mean(_leg_cost(chain, proportions, thigh, shin, foot, toe) for chain in chains))


def _leg_cost(
    chain: Chain, proportions: LegProportions, thigh: int, shin: int, foot: int | None, toe: int | None
) -> float:
    """Return the cost of reading one leg's chain this way."""
    points = chain.points
    ankle = chain.count if foot is None else foot
    lengths = _distance(points, thigh, shin), _distance(points, shin, ankle)
    if min(lengths) <= 0:
        return np.inf
    cost = (np.log(lengths[0] / lengths[1]) / 0.3) ** 2 + _leading_bones_cost(chain, thigh, proportions)
    cost += _twist_bones_cost(points, thigh, shin) + _twist_bones_cost(points, shin, ankle)
    if foot is None:
        return float(cost + MISSING_END_COST)
    end = chain.count if toe is None else toe
    sole = _distance(points, foot, end) / sum(lengths)
    if toe is None and not chain.has_tip and end == foot + 1:
        cost += 1.0
    else:
        # Without a toe bone the foot reaches to the tip of the toes.
        cost += (
            np.log(max(sole, 0.01) / (proportions.sole_ratio if toe is not None else proportions.foot_ratio)) / 0.5
        ) ** 2
    if toe is None:
        return float(cost + 1.2 * (chain.count - 1 - foot))
    return float(cost + _twist_bones_cost(points, foot, toe) + 0.4 * (chain.count - 1 - toe))


def _leading_bones_cost(chain: Chain, thigh: int, proportions: LegProportions) -> float:
    """Return the cost of the bones before the thigh: short bones to the hip joint, or a front leg's shoulder blade."""
    if thigh == 0:
        return 2.5 if proportions.has_shoulder else 0.0
    reach = _chain_length(chain.points, 0, thigh) / max(_distance(chain.points, thigh, thigh + 1), 1e-9)
    if proportions.has_shoulder:
        return 2.0 * (thigh - 1) + (np.log(max(reach, 1e-2) / 0.8) / 0.6) ** 2
    return 0.8 * thigh + max(np.log(max(reach, 1e-3) / 0.3) / 0.5, 0.0) ** 2


def _twist_bones_cost(points: Array, start: int, end: int) -> float:
    """Return the cost of the bones between two joints as twist bones, which should be on the line between these."""
    between = points[start + 1 : end] - points[start]
    if not len(between):
        return 0.0
    line = points[end] - points[start]
    length = np.linalg.norm(line)
    off = np.linalg.norm(np.cross(between, line / length), axis=-1) / length
    return float(np.sum(0.7 + np.minimum((off / MAX_INLINE_OFFSET_RATIO) ** 2, 8.0)))


def _distance(points: Array, start: int, end: int) -> float:
    """Return the distance between two points."""
    return float(np.linalg.norm(points[end] - points[start]))


def _chain_length(points: Array, start: int, end: int) -> float:
    """Return the length of the chain between two of its points."""
    return float(np.linalg.norm(np.diff(points[start : end + 1], axis=0), axis=-1).sum())


def _shortest_count(chains: Sequence[Chain]) -> int:
    """Return the number of bones of the shorter chain, at most 12."""
    return min(min(chain.count for chain in chains), 12)


def _mean(values: object) -> float:
    """Return the mean of the numbers in an iterable."""
    return float(np.mean(list(values)))  # type: ignore[call-overload]


def _ranked(readings: list[LimbReading]) -> list[LimbReading]:
    """Return the readings sorted by cost, the likeliest first."""
    return sorted(readings, key=lambda reading: reading.cost)
