"""Guesses of a motion file's unit and up axis, which the file itself does not state.

Both follow from the body. A person measures about 1.5 m along the bones from ankle to head joint in any pose, and
common units differ by more than people do.

The up axis follows from the motion: the head is above the feet for most of a clip (for an animal, the tops of its four
legs are above its paws), the lowest joint is on the ground plane, and the hips travel more along the ground than up.
The rest pose counts less, since some rigs lie at rest or stand along another axis; it decides if a body lies throughout
the clip.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from ..message import Message
from .axes import UP_AXES, UpAxis, up_vector
from .bvh_places import MAX_FREE_JOINTS
from .clip import Clip
from .reading_note import QUESTION_DOUBT, ReadingNote
from .roles import is_quadruped
from .rotations import Array, normalize
from .skeleton import Skeleton

CENTIMETER_M: Final = 0.01
CMU_UNIT_M: Final = 0.0254 / 0.45
UNIT_LENGTHS_M: Final = (CENTIMETER_M, 1.0, 0.001, CMU_UNIT_M, 0.0254, 0.1)
"""Meters per unit, the likeliest first: centimeter, meter, millimeter, CMU (inch / 0.45), inch, decimeter."""
UNIT_PENALTIES: Final = {CENTIMETER_M: 0.0, 1.0: 0.1, 0.001: 0.5, CMU_UNIT_M: 1.0, 0.0254: 2.5, 0.1: 1.0, 0.3048: 2.0}
"""Negative log-likelihood of each unit in files of people's motion, up to a constant; the last unit is a foot."""
UNIT_NAMES: Final = {
    CENTIMETER_M: "1 cm",
    1.0: "1 m",
    0.001: "1 mm",
    CMU_UNIT_M: "5.64 cm",
    0.0254: "1 inch",
    0.1: "10 cm",
    0.3048: "1 foot",
}
"""Units as messages show them."""
ANKLE_TO_HEAD_RANGE_M: Final = (0.9, 1.9)
"""Plausible lengths along the bones from ankle over hips to head, from a child to a tall man."""
USUAL_ANKLE_TO_HEAD_M: Final = 1.5
"""Usual length of this kind of an adult."""
ANKLE_TO_HEAD_LOG_DEVIATION: Final = 0.35
"""Standard deviation of the logarithm of this length over animated people and characters."""
POSSIBLE_ANKLE_TO_HEAD_RANGE_M: Final = (0.3, 6.0)
"""Range of this length, from a doll to a giant, outside which centimeters are assumed."""
DOUBTFUL_UNIT_LEAD: Final = 1.5
"""Lead in log-likelihood over another plausible unit below which the user is asked for the unit."""
LONGEST_CHAIN_RANGE_M: Final = (0.2, 5.0)
"""Plausible lengths of the longest chain of bones of a body other than a known biped."""

REST_WEIGHT: Final = 0.5
FLOOR_WEIGHT: Final = 0.6
LEVEL_WEIGHT: Final = 0.5
LYING_WEIGHT: Final = 0.8
"""Weights in the score of an up axis: rest pose, closeness to the floor, level travel, and lying flat instead of
standing; the standing posture has weight 1."""
ODD_AXIS_PENALTY: Final = 0.3
"""Extra score that an axis other than +Y or +Z needs to win."""
FAR_FLOOR_RATIO: Final = 0.3
"""Height of the lowest joint over the ground plane, relative to body length, above which no floor is assumed."""
BELOW_FLOOR_FACTOR: Final = 3.0
"""Factor on the lowest joint's depth below the plane, which counts against a floor there."""
LYING_THICKNESS_RATIOS: Final = (0.2, 0.3)
"""Thickness of a body along an axis, relative to its length: flat below the first value, not flat above the second."""
LYING_HIPS_RATIOS: Final = (0.01, 0.04, 0.15, 0.2)
"""Height of the hips of a body that lies flat, relative to its length: likely from the second to the third value,
impossible outside the first and the last."""
ORIGIN_RATIO: Final = 0.01
"""Distance of the root from the origin, relative to body length, within which its height is no sign of a floor."""
MIN_SAMPLED_FRAMES: Final = 30
"""Least number of frames from which up axis and ground are estimated."""
DOUBTFUL_UP_LEAD: Final = 0.25
"""Lead in score over another axis below which the user is asked for the axis."""
LYING_COSINE: Final = 0.5
STANDING_COSINE: Final = 0.8
"""Mean cosine of the body's angle to the vertical: below the first value it lies, above the second it stands."""

_UPPER_ROLES: Final = ("head", "neck", "chest", "spine")
_LOWER_ROLES: Final = ("foot.L", "foot.R", "toe.L", "toe.R")
_LEGS: Final = tuple(
    tuple(f"{end}{part}.{side}" for part in ("thigh", "shin", "foot")) for end in ("", "front_") for side in "LR"
)


def find_unit(skeleton: Skeleton) -> tuple[float, ReadingNote | None]:
    """Return the meters per unit of a skeleton's offsets, and a question for the user, ``None`` if the unit is clear.

    If no known unit makes a plausible body, centimeters are assumed.
    """
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    lengths[0] = 0.0
    reach = np.zeros(len(skeleton))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        reach[joint] = reach[parent] + lengths[joint]
    ends = [skeleton.roles[role] for role in ("foot.L", "foot.R", "head") if role in skeleton.roles]
    if len(ends) == 3 and "hips" in skeleton.roles and not is_quadruped(skeleton.roles):
        return _person_unit(float(reach[ends[:2]].mean() + reach[ends[2]] - 2 * reach[skeleton.roles["hips"]]))
    size, (low, high) = float(reach.max()), LONGEST_CHAIN_RANGE_M
    return next((unit for unit in UNIT_LENGTHS_M if low <= size * unit <= high), CENTIMETER_M), None


def _person_unit(size: float) -> tuple[float, ReadingNote | None]:
    """Return the meters per unit, given a person's length from ankle to head in units, and a question if in doubt."""
    scores = {
        unit: -((np.log(max(size * unit, 1e-9) / USUAL_ANKLE_TO_HEAD_M) / ANKLE_TO_HEAD_LOG_DEVIATION) ** 2) / 2 - cost
        for unit, cost in UNIT_PENALTIES.items()
    }
    plausible = [unit for unit in scores if _is_within(size * unit, ANKLE_TO_HEAD_RANGE_M)]
    possible = [unit for unit in scores if _is_within(size * unit, POSSIBLE_ANKLE_TO_HEAD_RANGE_M)]
    best = max(plausible or possible or [CENTIMETER_M], key=scores.__getitem__)
    others = [unit for unit in plausible if unit != best and scores[best] - scores[unit] < DOUBTFUL_UNIT_LEAD]
    height = f"{size * best:.2g}"
    if others:
        text = Message(
            "From ankle to head, the body is {height} m tall if the unit of the file is {unit}, and {other_height} m "
            "if it is {other}: is the unit {unit}?",
            height=height,
            unit=UNIT_NAMES[best],
            other_height=f"{size * others[0]:.2g}",
            other=UNIT_NAMES[others[0]],
        )
        return best, ReadingNote(text, float(1 / (1 + np.exp(scores[best] - scores[others[0]]))), unit=others[0])
    if not plausible:
        text = Message(
            "From ankle to head, the body is {height} m tall if the unit of the file is {unit}: is that right?",
            height=height,
            unit=UNIT_NAMES[best],
        )
        return best, ReadingNote(text, 0.5)
    return best, None


def _is_within(value: float, bounds: tuple[float, float]) -> bool:
    """Return whether a value lies in a range."""
    return bounds[0] <= value <= bounds[1]


def find_up_axis(
    skeleton: Skeleton, positions: Array, missing: Array | None = None
) -> tuple[UpAxis, ReadingNote | None]:
    """Return the file's up axis, and a question for the user, ``None`` if the axis is clear.

    In doubt the axis is Y. It is not recognized if the body lies still and its rest pose is not upright either: the
    caller has to give it.

    Args:
        skeleton: the file's skeleton; its rest pose may show the head above the hips.
        positions: (F, J, 3) world positions of the joints, in any unit.
        missing: (C, F, 3) offsets that may be missing from ``positions``; those that bring the lowest joint to the
            ground are added.
    """
    roles = skeleton.roles
    if is_quadruped(roles):
        legs = [joints for leg in _LEGS if (joints := _present(skeleton, leg))]
        upper, lower = [leg[0] for leg in legs], [leg[-1] for leg in legs]
        above = -sum((_rest_vector(skeleton, paw, upper) for paw in lower), start=np.zeros(3))
    else:
        upper, lower = _present(skeleton, _UPPER_ROLES)[:1], _present(skeleton, _LOWER_ROLES)
        above = sum((_rest_vector(skeleton, top, [roles.get("hips", 0)]) for top in upper), start=np.zeros(3))
    if not upper or not lower:
        return "Y", None
    direction = normalize(positions[:, upper].mean(axis=1) - positions[:, lower].mean(axis=1))
    size = max(float(np.median(np.linalg.norm(np.ptp(positions, axis=1), axis=-1))), 1e-9)
    hips = positions[:, roles.get("hips", 0)]
    spans = np.ptp(hips, axis=0)
    is_placed = float(np.linalg.norm(positions[:, 0], axis=-1).max()) > ORIGIN_RATIO * size
    postures: dict[UpAxis, float] = {}
    scores: dict[UpAxis, float] = {}
    for axis in UP_AXES:
        up = up_vector(axis)
        heights = positions @ up / size
        floor = _floor_score(heights, None if missing is None else missing @ up / size) if is_placed else 0.0
        postures[axis] = float(np.maximum(direction @ up, 0.0).mean())
        scores[axis] = (
            max(postures[axis], LYING_WEIGHT * _flatness(heights, hips @ up / size) * max(floor, 0.0) ** 2)
            + REST_WEIGHT * max(float(normalize(above) @ up), 0.0)
            + FLOOR_WEIGHT * floor
            + LEVEL_WEIGHT * (1.0 - float(np.abs(up) @ spans) / max(float(spans.max()), size))
            - ODD_AXIS_PENALTY * (axis not in ("Y", "Z"))
        )
    best = max(UP_AXES, key=lambda axis: scores[axis])
    return best, _up_question(best, postures, scores)


def question_upright(clip: Clip) -> ReadingNote | None:
    """Return a question for the user if a clip's body lies or stands along X or Y of the world; ``None`` if upright."""
    sample = clip.positions[:: max(len(clip) // MIN_SAMPLED_FRAMES, 1)]
    axis, question = find_up_axis(clip.skeleton, sample)
    if axis == "Z":
        return question
    text = Message(
        "With {best} as the up axis, the body in this clip lies on its side: is {other} the up axis?",
        best="Z",
        other=axis,
    )
    return ReadingNote(text, 1.0 if question is None else 0.5, up=axis)


def _floor_score(heights: Array, missing: Array | None) -> float:
    """Return a score, -1 to 1, of how close the lowest joint stays to the ground plane, for the best choice of offsets.

    Args:
        heights: heights of the joints (F, J), relative to the body's length.
        missing: heights (C, F) of the offsets that the joints may lack.
    """
    ground = float(heights.min(axis=1).mean())
    options = [0.0]
    for rise in [] if missing is None else missing.mean(axis=1)[:MAX_FREE_JOINTS]:
        options += [option + float(rise) for option in options]
    height = min((ground + option for option in options), key=abs)
    score = 1.0 - (height if height > 0 else -BELOW_FLOOR_FACTOR * height) / FAR_FLOOR_RATIO
    return max(score, 0.0 if height > 0 else -1.0)


def _flatness(heights: Array, hips: Array) -> float:
    """Return the degree to which a body lies flat, 0 to 1.

    Args:
        heights: (F, J) heights of its joints, relative to its length.
        hips: (F) heights of its hips, relative to its length.
    """
    thin, thick = LYING_THICKNESS_RATIOS
    flat = np.clip((thick - np.median(np.ptp(heights, axis=1))) / (thick - thin), 0.0, 1.0)
    return float(flat * np.interp(np.median(hips), LYING_HIPS_RATIOS, (0.0, 1.0, 1.0, 0.0)))


def _up_question(best: UpAxis, postures: Mapping[UpAxis, float], scores: Mapping[UpAxis, float]) -> ReadingNote | None:
    """Return a question whether another axis is up, if the body lies down or another axis scores about as well."""
    others: list[UpAxis] = [axis for axis in UP_AXES if axis != best]
    other = max(others, key=lambda axis: scores[axis])
    lead = scores[best] - scores[other]
    standing = max(UP_AXES, key=lambda axis: postures[axis])
    if postures[best] < LYING_COSINE and postures[standing] > STANDING_COSINE:
        text = Message(
            "With {best} as the up axis, the body in this clip lies on its side: is {other} the up axis?",
            best=best,
            other=standing,
        )
        lead = scores[best] - scores[standing]
        return ReadingNote(text, float(max(0.5 - lead / 2, QUESTION_DOUBT)), up=standing)
    if lead < DOUBTFUL_UP_LEAD:
        text = Message(
            "It is not clear which axis points up in the clip. It was read with {best}: is {other} the up axis?",
            best=best,
            other=other,
        )
        return ReadingNote(text, float(0.5 - lead / 2), up=other)
    return None


def _present(skeleton: Skeleton, roles: Sequence[str]) -> list[int]:
    """Return the joints of those roles that a skeleton has."""
    return [skeleton.roles[role] for role in roles if role in skeleton.roles]


def _rest_vector(skeleton: Skeleton, joint: int, ancestors: Collection[int]) -> Array:
    """Return a joint's position at rest (3) relative to its nearest ancestor in `ancestors`, or to the root."""
    vector = np.zeros(3)
    while joint != 0 and joint not in ancestors:
        vector += skeleton.offsets[joint]
        joint = skeleton.parents[joint]
    return vector
