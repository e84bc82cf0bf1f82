"""Validation of a rig map: finds bones on the wrong side, out of order, or of implausible length.

Calibration aligns bone directions and so cannot detect a wrong bone; joint positions can.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from ..message import Message
from ..motion import Skeleton
from ..motion.rotations import Array, normalize
from ..retarget.rest_pose import rest_position
from .rig_map import roles as rig_roles

COINCIDENT_DISTANCE_RATIO: Final = 0.03
"""Distance, relative to the body's longest bone, within which joints count as coincident, or as on neither side."""
MAX_SIDE_LENGTH_RATIO: Final = 1.35
"""Largest ratio between a bone's lengths on the two sides."""
MAX_BODY_LENGTH_RATIO: Final = 3.5
"""Largest ratio between a bone's lengths in two bodies of the same size."""
FOLDED_COSINE: Final = -0.5
"""Cosine of the angle between a limb's two bones at rest below which the limb folds back on itself."""
STRETCHED_COSINE: Final = -0.7
"""Cosine of the angle at the hips between head and feet below which a rest pose is a stretched body."""
_LIMB_CHAINS: Final = (rig_roles.ARM_PARTS, rig_roles.LEG_PARTS, rig_roles.FRONT_LEG_PARTS)


def find_problems(body: Skeleton, reference: Skeleton) -> dict[str, str]:
    """Return the bones that a rig map probably names wrongly, by role, with the reason.

    Args:
        body: skeleton of the mapped bones, in any unit, standing or lying.
        reference: a correct body, for its proportions.

    Returns:
        The fault of each suspected bone, by role: a few words that continue ``The left shin``.
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
    """Return the positions of the joints by role."""
    return {
        role: rest_position(body, joint)
        for role, joint in body.roles.items()
        if rig_roles.is_role(role) and role != "root"
    }


def _limb_segments(places: RolePositions) -> Iterator[tuple[str, str]]:
    """Yield each bone of the limbs as the pair of roles of its first and last joint."""
    for limb in _LIMB_CHAINS:
        for side in rig_roles.SIDES:
            chain = [f"{part}.{side}" for part in limb if f"{part}.{side}" in places]
            yield from pairwise(chain)


def _check_coincident(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of limb joints that coincide with the previous joint."""
    for one, other in _limb_segments(places):
        if np.linalg.norm(places[other] - places[one]) < tolerance / 4:
            yield other, Message("the bone is in the same place as {body_part}", body_part=rig_roles.role_phrase(one))


def _check_sides(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of joints on the wrong side, by the majority of pairs, and of feet that point backward."""
    up = _up_direction(places)
    if up is None:
        return
    pairs = [(role, f"{role[:-1]}R") for role in places if role.endswith(".L") and f"{role[:-1]}R" in places]
    if not pairs:
        return
    apart = np.array([places[left] - places[right] for left, right in pairs])
    left = normalize(normalize(apart).sum(axis=0))
    sides = apart @ left
    if np.mean(sides > -tolerance) > 0.6:
        for (one, other), side in zip(pairs, sides, strict=True):
            if side < -tolerance:
                yield one, Message("the bone is on the right side of the body")
                yield other, Message("the bone is on the left side of the body")
    ahead = np.cross(left, up)
    feet = [(f"foot.{side}", f"toe.{side}") for side in rig_roles.SIDES]
    toes = [(toe, places[toe] - places[foot]) for foot, toe in feet if foot in places and toe in places]
    if toes and all(toe @ ahead < -tolerance for _, toe in toes):
        for role, _ in toes:
            yield role, Message("the bone points backward, as if left and right were swapped")
    else:
        for role, toe in toes:
            if toe @ ahead < -tolerance:
                yield role, Message("the bone points backward")


def _up_direction(places: RolePositions) -> Array | None:
    """Return the direction (3) from the feet upward; ``None`` if a body cannot be in this rest pose."""
    hips, feet = places["hips"], _feet_center(places)
    if feet is None:
        return None
    if _is_animal(places):
        return normalize(hips - feet)
    top = next((places[role] for role in ("head", "neck", "spine") if role in places), hips)
    up, down = normalize(top - hips), normalize(feet - hips)
    return normalize(top - feet) if top is hips or up @ down < STRETCHED_COSINE else None


def _feet_center(places: RolePositions) -> Array | None:
    """Return the midpoint (3) of the lowest joints that both legs have."""
    both = [(f"{part}.L", f"{part}.R") for part in ("foot", "shin", "thigh")]
    pair = next((pair for pair in both if all(role in places for role in pair)), None)
    return None if pair is None else (places[pair[0]] + places[pair[1]]) / 2


def _is_animal(places: RolePositions) -> bool:
    """Return whether the body has front legs."""
    return any(role.startswith("front_") for role in places)


def _check_folded(_body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of limbs that fold back on themselves."""
    steps = [(one, other, places[other] - places[one]) for one, other in _limb_segments(places)]
    for (_, joint, before), (following, _, after) in pairwise(steps):
        if joint != following or min(np.linalg.norm(before), np.linalg.norm(after)) < tolerance:
            continue
        if not joint.startswith("foot.") and normalize(before) @ normalize(after) < FOLDED_COSINE:
            yield joint, Message("the limb folds back on itself at this bone")


def _check_spine_order(body: Skeleton, _like: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of spine and neck joints that are below the previous joint."""
    up = _up_direction(places)
    if up is None or _is_animal(places):
        return
    trunk = [
        role for role in rig_roles.sort_roles(places) if rig_roles.split_role(role)[0] in ("spine", "neck", "head")
    ]
    for lower, upper in pairwise(trunk):
        if (places[upper] - places[lower]) @ up < -tolerance:
            yield upper, Message("the bone is below {body_part}", body_part=rig_roles.role_phrase(lower))


def _check_symmetry(_body: Skeleton, reference: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of joints whose distance from the previous joint differs between the two sides.

    The fault is reported for the end of the bone whose other bones differ as well, on the side that is less similar to
    the reference.
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
            yield f"{role[:-1]}R", Message("the bone does not mirror the one on the left")
        else:
            yield role, Message("the bone does not mirror the one on the right")


def _attached_segments(places: RolePositions) -> Iterator[tuple[str, str]]:
    """Yield the limbs' bones, and the segments between trunk and limbs, as pairs of roles."""
    yield from _limb_segments(places)
    spine = rig_roles.chain_roles("spine", places)
    for side in rig_roles.SIDES:
        arm = [f"{part}.{side}" for part in ("shoulder", "upper_arm") if f"{part}.{side}" in places]
        if f"thigh.{side}" in places and "hips" in places:
            yield "hips", f"thigh.{side}"
        if arm and spine:
            yield spine[-1], arm[0]


def _check_lengths(_body: Skeleton, reference: Skeleton, places: RolePositions, tolerance: float) -> Problems:
    """Yield the faults of limb bones that are much longer or shorter than the reference's."""
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
                yield one, Message("the bone is unusually long")
            elif length < expected / MAX_BODY_LENGTH_RATIO:
                yield one, Message("the bone is unusually short")


def _relative_scale(places: RolePositions, theirs: RolePositions) -> float:
    """Return the median ratio of a body's limb bone lengths to those of another body, ``theirs``."""
    both = [(a, b) for a, b in _limb_segments(places) if a in theirs and b in theirs]
    lengths = [(np.linalg.norm(places[b] - places[a]), np.linalg.norm(theirs[b] - theirs[a])) for a, b in both]
    return float(np.median([mine / max(other, 1e-9) for mine, other in lengths])) if lengths else 1.0
