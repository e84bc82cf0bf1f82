"""Ladders or steps fitted under the hands and feet of a captured climb (NSM section 5.2, step 1).

Motion capture lacks objects. Where the ball of a foot is at rest above the floor, it has a support; where a palm is at
rest nearby, it holds on. The heights of the feet give levels, and the levels a ladder or steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..errors import FootfallError
from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, has_toes
from ..motion.root_frame import facing_direction, into_frame, out_of_frame, root_track
from ..motion.rotations import Array, rotation_about_up
from ..motion.signals import runs_of
from .body_capsules import BodyCapsules
from .climb_structure import ClimbStructure
from .collider import Collider
from .collider_pose import PosedCollider
from .object_fitting import PALM_FLESH_M, palm_positions

LIMBS: Final = ("hand.L", "hand.R", "foot.L", "foot.R")
"""Limbs that can hold on to a structure or stand on it."""
STILL_SPEED_M_S: Final = {"hand": 0.18, "foot": 0.15}
"""Speeds below which an adult's palm and ball of the foot count as at rest."""
SPEED_SMOOTHING_S: Final = 0.05
"""Standard deviation of the Gaussian that smooths positions before differentiation."""
MIN_SUPPORT_S: Final = 0.2
"""Shortest duration of a support; a limb that rests for less time is ignored."""
FLOOR_MARGIN_M: Final = 0.12
"""Largest height above the floor of a foot that counts as standing on it, for an adult."""
FLOOR_PERCENTILE: Final = 5.0
"""Percentile of the lower foot's heights at which the floor is assumed."""
LEVEL_GAP_M: Final = 0.12
"""Least height difference between two levels that an adult climbs."""
PLANE_REACH_M: Final = 0.3
"""Distance from the plane of the levels within which an adult's resting palm holds the structure."""
MIN_LADDER_RAD: Final = 0.87
"""Inclination above which levels are rungs of a ladder; stairs have at most 45 degrees."""
MAX_FOOT_REACH_M: Final = 0.15
"""Largest distance by which the ball of an adult's foot is in front of its rung, which is under the arch."""
MIN_HALF_WIDTH_M: Final = {"ladder": 0.2, "steps": 0.4}
RAIL_MARGIN_M: Final = 0.3
"""Height by which the rails exceed the highest position of a hand."""
LIMBS_ON: Final = 3
"""Number of limbs that hold or stand in three-point contact."""


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """A time interval in which a palm or foot is at rest on the structure.

    Attributes:
        limb: one of :data:`LIMBS`.
        start, stop: first frame, and frame after the last.
        position: (3) median position of the palm, or of the sole under the ball, m, world.
        spread: largest distance of the palm or sole from that position, m.
    """

    limb: str
    start: int
    stop: int
    position: Array
    spread: float


@dataclass(frozen=True, eq=False)
class ClimbFit:
    """A structure under a captured climb of F frames.

    Attributes:
        structure: the structure.
        position: (3) origin of the structure, m, world.
        yaw: yaw of the climber facing it, rad.
        supports: supports in order of time.
        level_numbers: index of the level under each support of a foot; -1 for hands.
        frames: first frame on the structure, and frame after the last.
    """

    structure: ClimbStructure
    position: Array
    yaw: float
    supports: tuple[Support, ...]
    level_numbers: tuple[int, ...]
    frames: tuple[int, int]

    def posed(self, collider: Collider) -> PosedCollider:
        """Return a part of the structure, such as its rungs, placed in the world with its front toward the climber."""
        return PosedCollider(collider, self.position, rotation_about_up(np.array(self.yaw + np.pi)))

    def local(self, points: Array) -> Array:
        """Convert world points (N, 3), meters, to the structure's object space."""
        return into_frame(np.asarray(points) - self.position, np.full(len(points), self.yaw + np.pi))

    def foot_spread(self) -> float:
        """Return the root mean square deviation of the feet's heights from evenly spaced levels, m."""
        structure = self.structure
        line = np.polyfit(np.arange(len(structure.levels)), structure.levels, min(1, len(structure.levels) - 1))
        errors = [
            one.position[2] - self.position[2] - np.polyval(line, level)
            for one, level in zip(self.supports, self.level_numbers, strict=True)
            if level >= 0
        ]
        return float(np.sqrt(np.mean(np.square(errors))))

    def hand_distances(self) -> Array:
        """Return the distances (N), m, from the skin of N holding palms to the nearest rung or rail."""
        palms = np.array([one.position for one in self.supports if one.limb.startswith("hand")]).reshape(-1, 3)
        distances = self.structure.collider().distances(self.local(palms))
        return np.maximum(distances - PALM_FLESH_M, 0.0)

    def limbs_on(self, count: int) -> NDArray[np.intp]:
        """Return the number (F) of limbs that hold or stand on the structure in each frame of a clip of that length."""
        on = np.zeros((count, len(LIMBS)), dtype=bool)
        for one in self.supports:
            on[one.start : one.stop, LIMBS.index(one.limb)] = True
        return on.sum(axis=1)

    def held_share(self, count: int) -> float:
        """Return the share of the frames on the structure, 0 to 1, in which at least three limbs hold or stand on it.

        ``count`` is the number of frames of the clip.
        """
        return float((self.limbs_on(count)[slice(*self.frames)] >= LIMBS_ON).mean())

    def penetration(self, clip: Clip) -> float:
        """Return the depth, m, of shins, thighs, trunk and head in the structure: the 95th percentile over frames."""
        capsules = BodyCapsules.from_skeleton(clip.skeleton)
        chosen = capsules.sphere_indices(("shin", "thigh", "hips", "spine", "chest", "head"))
        inside = capsules.sphere_penetrations(clip.cut(*self.frames), self.posed(self.structure.collider()), chosen)
        return float(np.percentile(inside.max(axis=1), 95))


def floor_height(clip: Clip) -> float:
    """Return the height of the floor under a climb, m, world: the 5th percentile of the lower sole's height."""
    return float(np.percentile(soles(clip)[..., 2].min(axis=1), FLOOR_PERCENTILE))


def find_supports(clip: Clip) -> list[Support]:
    """Return the supports of resting palms, and of resting balls of the feet above the floor, in order of time."""
    scale, floor = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M, floor_height(clip)
    tracks = dict(zip(LIMBS, (*palm_positions(clip), *np.moveaxis(soles(clip), 1, 0)), strict=True))
    found = []
    for limb, track in tracks.items():
        smooth = gaussian_filter1d(track, SPEED_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
        speed = np.linalg.norm(np.gradient(smooth, axis=0), axis=1) * clip.rate
        for start, stop in runs_of(speed < scale * STILL_SPEED_M_S[limb[:4]]):
            place = np.median(track[start:stop], axis=0)
            is_floor = limb.startswith("foot") and place[2] < floor + scale * FLOOR_MARGIN_M
            if stop - start >= MIN_SUPPORT_S * clip.rate and not is_floor:
                spread = float(np.linalg.norm(track[start:stop] - place, axis=1).max())
                found.append(Support(limb, int(start), int(stop), place, spread))
    return sorted(found, key=lambda one: one.start)


def fit_climbs(clip: Clip) -> list[ClimbFit]:
    """Return the ladder or steps that fit under the hands and feet of a clip, for each climb in it.

    Args:
        clip: motion with climbs that begin or end on the floor.

    Raises:
        FootfallError: no foot stands above the floor.
    """
    supports = find_supports(clip)
    fits = [_fit_visit(clip, supports, feet) for feet in _visits(clip, supports)]
    if not fits:
        raise FootfallError(
            "'{name}' shows no climbing, since no foot rests above the floor: choose another clip", name=clip.name
        )
    return fits


def _visits(clip: Clip, supports: Sequence[Support]) -> list[list[Support]]:
    """Return the supports of feet in groups, one for each climb: between groups, both feet are on the floor."""
    margin = floor_height(clip) + FLOOR_MARGIN_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    on_floor = np.all(soles(clip)[..., 2] < margin, axis=1)
    visits: list[list[Support]] = []
    for one in supports:
        if one.limb.startswith("hand"):
            continue
        if not visits or on_floor[max(before.stop for before in visits[-1]) : one.start].any():
            visits.append([])
        visits[-1].append(one)
    return visits


def _fit_visit(clip: Clip, supports: Sequence[Support], feet: list[Support]) -> ClimbFit:
    """Return the structure under one climb; ``feet`` are those of its supports that belong to feet."""
    scale, floor = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M, floor_height(clip)
    heights, numbers = _cluster_levels([float(one.position[2]) - floor for one in feet], scale * LEVEL_GAP_M)
    top = next(number for number, level in enumerate(numbers) if level == max(numbers))
    yaw = _facing(clip, feet[0].start, feet[top].start + 1)
    depths, across = _level_places(feet, numbers, yaw)
    first, last = feet[0].start, max(one.stop for one in feet)
    ahead, aside = facing_direction(np.array(yaw)), facing_direction(np.array(yaw - np.pi / 2))
    position = np.append(depths[0] * ahead + across * aside, floor)
    structure = ClimbStructure("steps", heights, depths - depths[0], scale * MIN_HALF_WIDTH_M["steps"], heights[-1])
    fit = ClimbFit(structure, position, yaw, tuple(feet), tuple(numbers), (first, last))
    if structure.inclination < MIN_LADDER_RAD:
        return fit
    return _as_ladder(fit, _holding_hands(fit, supports, scale), scale)


def soles(clip: Clip) -> Array:
    """Return points of the soles (F, 2, 3), m, world, under the balls, or under ankles without toe joints.

    The left foot is first.
    """
    toes = has_toes(clip.skeleton)
    joints = [clip.skeleton.joint(f"{'toe' if toes else 'foot'}.{side}") for side in "LR"]
    drop = (TOE_JOINT_HEIGHT_M if toes else ANKLE_JOINT_HEIGHT_M) * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    return clip.positions[:, joints] - np.array([0.0, 0.0, drop])


def _cluster_levels(heights: Sequence[float], gap: float) -> tuple[Array, list[int]]:
    """Cluster heights over the floor into levels (L) more than ``gap`` apart; return these and each height's level."""
    order = np.argsort(heights)
    numbers = np.zeros(len(heights), dtype=np.intp)
    numbers[order] = np.cumsum(np.diff(np.asarray(heights)[order], prepend=heights[order[0]]) > gap)
    levels = [float(np.mean(np.asarray(heights)[numbers == number])) for number in range(int(numbers.max()) + 1)]
    return np.array(levels), [int(number) for number in numbers]


def _facing(clip: Clip, start: int, stop: int) -> float:
    """Return the root's mean yaw, rad, over the frames [start, stop)."""
    yaws = root_track(clip).yaws[start:stop]
    return float(np.arctan2(np.sin(yaws).mean(), np.cos(yaws).mean()))


def _level_places(feet: Sequence[Support], numbers: Sequence[int], yaw: float) -> tuple[Array, float]:
    """Return, m, each level's distance ahead along a yaw (L), and the feet's mean position to the right of it.

    On the highest level the character may walk around and turn, so only the first supports on it are used.
    """
    places = into_frame(np.array([one.position for one in feet]), np.full(len(feet), yaw))
    levels, highest = np.asarray(numbers), max(numbers)
    depths = [float(np.mean(places[levels == level, 1])) for level in range(highest)]
    arrival = int(np.flatnonzero(levels == highest)[0])
    below = places[levels < highest] if highest else places
    return np.array([*depths, float(places[arrival, 1])]), float(below[:, 0].mean())


def _holding_hands(fit: ClimbFit, supports: Sequence[Support], scale: float) -> list[Support]:
    """Return the hands' supports that are near the plane of the levels while the feet are on the levels."""
    start, stop = fit.frames
    hands = [one for one in supports if one.limb.startswith("hand") and one.stop > start and one.start < stop]
    if not hands:
        return []
    places = fit.local(np.array([one.position for one in hands]))
    away = np.abs(-places[:, 1] - fit.structure.depths_at(places[:, 2]))
    return [one for one, distance in zip(hands, away, strict=True) if distance < scale * PLANE_REACH_M]


def _as_ladder(fit: ClimbFit, hands: Sequence[Support], scale: float) -> ClimbFit:
    """Convert a fit to a ladder; its rails are as far apart as the hands, and end above the highest hand.

    Rungs are in the plane of the hands, under the arches and behind the balls of the feet.
    """
    own, half = fit.structure, scale * MIN_HALF_WIDTH_M["ladder"]
    top = float(own.levels[-1]) + own.spacing
    middle = reach = 0.0
    if hands:
        places = fit.local(np.array([one.position for one in hands]))
        # The front is toward the climber, so that left hands are at +X.
        sides = [places[[one.limb == limb for one in hands], 0] for limb in ("hand.L", "hand.R")]
        if all(len(side) for side in sides):
            left, right = (float(np.median(side)) for side in sides)
            middle, half = (left + right) / 2, max(abs(left - right) / 2, half)
        before = float(np.median(places[:, 1] + own.depths_at(places[:, 2])))
        reach = float(np.clip(before, 0.0, scale * MAX_FOOT_REACH_M))
        top = max(top, float(places[:, 2].max()) + scale * RAIL_MARGIN_M)
    offset = out_of_frame(np.array([middle, reach]), np.array(fit.yaw + np.pi))
    both = [*zip(fit.supports, fit.level_numbers, strict=True), *((one, -1) for one in hands)]
    both.sort(key=lambda pair: pair[0].start)
    return ClimbFit(
        ClimbStructure("ladder", own.levels, own.depths, half, top),
        fit.position + np.append(offset, 0.0),
        fit.yaw,
        tuple(one for one, _ in both),
        tuple(number for _, number in both),
        fit.frames,
    )
