"""What looks wrong about the body that a rig map finds: bones on the other side, out of order, or of odd lengths.

Calibration turns bones until they point alike, so it cannot see that a bone is the wrong one; where joints lie tells.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import Array, normalize
from ..retarget.rest_pose import rest_position
from .rig_map import roles as rig_roles

# Of the leg's length: joints that are nearer to one another are at one place, or on no side.
COINCIDENT_DISTANCE_RATIO: Final = 0.03
# Both sides' bones differ by no more than this factor, and those of two bodies, size aside, by no more than that.
MAX_SIDE_LENGTH_RATIO: Final = 1.35
MAX_BODY_LENGTH_RATIO: Final = 3.5
# Cosine: a limb at rest that bends by more than this folds back on itself.
FOLDED_COSINE: Final = -0.5
# Cosine: between the ways from the hips to the head and to the feet, of a rest pose that is a body standing or lying.
STRETCHED_COSINE: Final = -0.7
_LIMB_CHAINS: Final = (rig_roles.ARM_PARTS, rig_roles.LEG_PARTS, rig_roles.FRONT_LEG_PARTS)


def find_problems(body: Skeleton, reference: Skeleton) -> dict[str, str]:
    """What looks wrong about a body at rest.

    Args:
        body: the skeleton of a map's bones, in any units, standing or lying.
        reference: a body that is right, for its proportions.

    Returns:
        role to what looks wrong about its bone, a few words that follow on ``The left shin``.
    """
    places = _role_positions(body)
    scale = float(np.linalg.norm(body.offsets, axis=1).max())
    found: dict[str, str] = {}
    for check in (_check_coincident, _check_sides, _check_folded, _check_spine_order, _check_symmetry, _check_lengths):
        for role, what in check(body, reference, places, COINCIDENT_DISTANCE_RATIO * scale):
            found.setdefault(role, what)
    return {role: found[role] for role in rig_roles.sort_roles(found)}


RolePositions = Mapping[str, Array]
Problems = Iterator[tuple[str, str]]


def _role_positions(body: Skeleton) -> dict[str, Array]:
    return {
        role: rest_position(body, joint)
        for role, joint in body.roles.items()
        if rig_roles.is_role(role) and role != "root"
    }


def _left_right_pairs(places: RolePositions) -> list[tuple[str, str]]:
    return [(role, f"{role[:-1]}R") for role in places if role.endswith(".L") and f"{role[:-1]}R" in places]


def _limb_segments(places: RolePositions) -> Iterator[tuple[str, str]]:
    """Return the limbs' bones: the role that begins one, and the one that ends it."""
    for limb in _LIMB_CHAINS:
        for side in rig_roles.SIDES:
            chain = [f"{part}.{side}" for part in limb if f"{part}.{side}" in places]
            yield from pairwise(chain)


def _check_coincident(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    for one, other in _limb_segments(places):
        if np.linalg.norm(places[other] - places[one]) < tolerance / 4:
            yield other, f"is where {_role_phrase(one)} is"


def _check_sides(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Pairs whose left one lies to the right, by what most pairs say is left; and bodies that walk backwards."""
    up = _up_direction(places)
    if up is None:
        return
    pairs = _left_right_pairs(places)
    if not pairs:
        return
    apart = np.array([places[left] - places[right] for left, right in pairs])
    left = normalize(normalize(apart).sum(axis=0))
    sides = apart @ left
    if np.mean(sides > -tolerance) > 0.6:
        for (one, other), side in zip(pairs, sides, strict=True):
            if side < -tolerance:
                yield one, "is on the right"
                yield other, "is on the left"
    ahead = np.cross(left, up)
    feet = [(f"foot.{side}", f"toe.{side}") for side in rig_roles.SIDES]
    toes = [(toe, places[toe] - places[foot]) for foot, toe in feet if foot in places and toe in places]
    if toes and all(toe @ ahead < -tolerance for _, toe in toes):
        for role, _ in toes:
            yield role, "points backwards, as if left and right were swapped"
    else:
        for role, toe in toes:
            if toe @ ahead < -tolerance:
                yield role, "points backwards"


def _up_direction(places: RolePositions) -> Array | None:
    """From the feet upwards (3); ``None`` where the rest pose is none that anybody can take, so that nothing can be
    told from where joints lie in it."""
    hips, feet = places["hips"], _feet_centre(places)
    if feet is None:
        return None
    if _is_animal(places):
        return normalize(hips - feet)
    top = next((places[role] for role in ("head", "neck", "spine") if role in places), hips)
    up, down = normalize(top - hips), normalize(feet - hips)
    return normalize(top - feet) if top is hips or up @ down < STRETCHED_COSINE else None


def _feet_centre(places: RolePositions) -> Array | None:
    """Between the lowest joints that both legs have (3)."""
    both = [(f"{part}.L", f"{part}.R") for part in ("foot", "shin", "thigh")]
    pair = next((pair for pair in both if all(role in places for role in pair)), None)
    return None if pair is None else (places[pair[0]] + places[pair[1]]) / 2


def _is_animal(places: RolePositions) -> bool:
    return any(role.startswith("front_") for role in places)


def _check_folded(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    steps = [(one, other, places[other] - places[one]) for one, other in _limb_segments(places)]
    for (_, joint, before), (following, _, after) in pairwise(steps):
        if joint != following or min(np.linalg.norm(before), np.linalg.norm(after)) < tolerance:
            continue
        if not joint.startswith("foot.") and normalize(before) @ normalize(after) < FOLDED_COSINE:
            yield joint, "folds back on itself"


def _check_spine_order(body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Return a spine that goes down on its way to the head."""
    up = _up_direction(places)
    if up is None or _is_animal(places):
        return
    trunk = [
        role for role in rig_roles.sort_roles(places) if rig_roles.split_role(role)[0] in ("spine", "neck", "head")
    ]
    for lower, upper in pairwise(trunk):
        if (places[upper] - places[lower]) @ up < -tolerance:
            yield upper, f"is below {_role_phrase(lower)}"


def _check_symmetry(_body: Skeleton, reference: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Joints that are nearer to their neighbours on one side than on the other.

    Of a bone that differs the end is named whose other bones differ, too; and the side on which it is less like
    another body's.
    """
    theirs = _role_positions(reference)
    scale = _relative_scale(places, theirs)
    differing: list[tuple[str, str, Array]] = []
    counted: Counter[str] = Counter()
    for one, other in _attached_segments(places):
        mirror = tuple(role.replace(".L", ".R") for role in (one, other))
        if not other.endswith(".L") or any(role not in places for role in mirror):
            continue
        lengths = np.array([np.linalg.norm(places[b] - places[a]) for a, b in ((one, other), mirror)])
        differs = np.ptp(lengths) > tolerance and lengths.max() > MAX_SIDE_LENGTH_RATIO * lengths.min()
        counted.update(dict.fromkeys((one, other), 1 if differs else -1))
        if differs:
            differing.append((one, other, lengths))
    for one, other, lengths in differing:
        role = one if one.endswith(".L") and counted[one] > counted[other] else other
        expected = scale * np.linalg.norm(theirs[other] - theirs[one]) if one in theirs and other in theirs else 0.0
        odd = np.abs(np.log(np.maximum(lengths, 1e-9) / max(expected, 1e-9)))
        if odd[1] > odd[0]:
            yield f"{role[:-1]}R", "is not where the left one is"
        else:
            yield role, "is not where the right one is"


def _attached_segments(places: RolePositions) -> Iterator[tuple[str, str]]:
    """Return the limbs' bones, and what lies between the trunk and the limbs."""
    yield from _limb_segments(places)
    spine = rig_roles.chain_roles("spine", places)
    for side in rig_roles.SIDES:
        arm = [f"{part}.{side}" for part in ("shoulder", "upper_arm") if f"{part}.{side}" in places]
        if f"thigh.{side}" in places and "hips" in places:
            yield "hips", f"thigh.{side}"
        if arm and spine:
            yield spine[-1], arm[0]


def _check_lengths(_body: Skeleton, reference: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    theirs = _role_positions(reference)
    scale = _relative_scale(places, theirs)
    for one, other in _limb_segments(places):
        if (
            one in theirs
            and other in theirs
            and (expected := scale * np.linalg.norm(theirs[other] - theirs[one])) > tolerance
        ):
            length = np.linalg.norm(places[other] - places[one])
            if length > MAX_BODY_LENGTH_RATIO * expected:
                yield one, "is very long"
            elif length < expected / MAX_BODY_LENGTH_RATIO:
                yield one, "is very short"


def _relative_scale(places: RolePositions, theirs: RolePositions) -> float:
    """How much larger the body is than the other one: of the limbs' bones, the median."""
    both = [(a, b) for a, b in _limb_segments(places) if a in theirs and b in theirs]
    lengths = [(np.linalg.norm(places[b] - places[a]), np.linalg.norm(theirs[b] - theirs[a])) for a, b in both]
    return float(np.median([mine / max(other, 1e-9) for mine, other in lengths])) if lengths else 1.0


def _role_phrase(role: str) -> str:
    part, number, side = rig_roles.split_role(role)
    words = [{"L": "left", "R": "right"}.get(side, ""), part.replace("_", " "), str(number) if number > 1 else ""]
    return " ".join(["the", *(word for word in words if word)])
