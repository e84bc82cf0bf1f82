"""Feet that stay where they are put: contact locks over a whole clip, met by two-joint leg IK (PFNN section 6).

A bake knows its future, so a lock is not chased frame by frame: every contact is held at one place from its first frame
to its last, and the way into it and out of it is spread over the frames around.
"""

from itertools import takewhile
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.limb_ik import Leg, reach, with_world_rotations
from ...motion.proportions import ADULT_LEG
from ...motion.roles import JOINTS
from ...motion.rotations import Array, length, multiply
from ...motion.signals import drop_short, runs_of
from ...retarget.contacts import Soles, hips_drop
from ...terrain.ground import Plane, Scene
from .foot_solver import (
    CONTACT_BLEND_S,
    GROUND_PROBE_HEIGHT_M,
    SoleContacts,
    carry_to_middle_frame,
    rest_position,
    solve_foot,
)

CONTACT_THRESHOLD: Final = 0.5
MIN_CONTACT_S: Final = 0.08
# Metres, of an adult, that a point may be carried back to where it is held.
MAX_LOCK_DRIFT_M: Final = 0.12
# Metres a second, of an adult, at which a point that has left its place is on its way to another.
SHUFFLE_SPEED_M_S: Final = 0.4
# How far beyond a straight leg's length a heel may be held: the hips sink by so much and no more.
OVERREACH_RATIO: Final = 1.005
# Metres, of an adult, by which a heel rises when it peels off.
HEEL_PEEL_HEIGHT_M: Final = 0.015
# Seconds by which a point is held longer than its contact, before and after.
CONTACT_MARGIN_S: Final = 1 / 60


def locked_contacts(
    clip: Clip, probabilities: Array, scene: Scene | None = None, standing: Clip | None = None
) -> NDArray[np.bool_]:
    """The contacts (F, 4) that are held, from their probabilities (F, 4): likely ones that last, small gaps closed.

    Where a heel or ball strays more than :data:`MAX_LOCK_DRIFT_M` from the place it would be held at, it is walking, whatever
    the probability says: the contact ends there. So does a heel's where it peels off, and where the leg is too short
    for it: heels rise, hips do not sink for them. Where a foot comes down on its heel and its ball rests elsewhere, or
    the other way round, neither is held while it shuffles. On ground that moves all that is seen from the ground.

    Args:
        clip: the motion.
        probabilities: probabilities in the order of ``labelling.contacts.JOINTS``.
        scene: what is stood on; the plane z = 0 where not given.
        standing: the same body on level ground, where the clip is not: see :func:`lock_feet`.
    """
    scene = scene or Plane()
    held = drop_short(probabilities > CONTACT_THRESHOLD, max(round(MIN_CONTACT_S * clip.rate), 2))
    skeleton = clip.skeleton
    scale = skeleton.leg_length / ADULT_LEG
    legs = {side: Leg.of(skeleton, side) for side in "LR"}
    soles_of = {side: Soles.of(clip, leg, standing) for side, leg in legs.items()}
    longest = {side: leg.length(skeleton) * OVERREACH_RATIO for side, leg in legs.items()}
    for number, (column, role) in enumerate(zip(held.T, JOINTS, strict=True)):
        leg, soles = legs[role[-1]], soles_of[role[-1]]
        heel = leg.toe is None or number % 2 == 0
        track = soles.heel if heel else soles.ball
        for start, stop in runs_of(column):
            run = carry_to_middle_frame(scene, track, start, stop, GROUND_PROBE_HEIGHT_M * scale)
            away = run - rest_position(run, 0, len(run))
            strays = length(away[:, :2]) > MAX_LOCK_DRIFT_M * scale
            if heel:
                ankles = clip.positions[start:stop, leg.foot] - away
                strays |= length(clip.positions[start:stop, leg.thigh] - ankles) > longest[role[-1]]
                strays |= away[:, 2] > HEEL_PEEL_HEIGHT_M * scale
            middle = (stop - start) // 2
            before, after = np.flatnonzero(strays[:middle]), np.flatnonzero(strays[middle:])
            if len(before):
                column[start : start + before[-1] + 1] = False
            if len(after):
                column[start + middle + after[0] : stop] = False
    for index, side in enumerate("LR"):
        if legs[side].toe is not None:
            _release_shuffling_feet(held[:, 2 * index : 2 * index + 2], soles_of[side], scene, scale, clip.rate)
    return held


def _release_shuffling_feet(
    foot_contacts: NDArray[np.bool_], soles: Soles, scene: Scene, scale: float, rate: float
) -> None:
    """Ends a foot's contacts (F, 2), of heel and ball, where the one rests elsewhere than the other and it is moved."""
    contacts = sorted(
        (int(start), int(stop), column) for column in (0, 1) for start, stop in runs_of(foot_contacts[:, column])
    )
    moves = length(np.diff(soles.ball[:, :2], axis=0, append=soles.ball[-1:, :2])) * rate > SHUFFLE_SPEED_M_S * scale
    for number, (start, stop, column) in enumerate(contacts):
        beside = takewhile(lambda one, stop=stop: one[0] <= stop + CONTACT_BLEND_S * rate, contacts[number + 1 :])
        for begin, end, other in beside:
            if column != other and _rests_apart(scene, soles.ball, (start, stop), (begin, end), scale):
                foot_contacts[stop - _leading_true_count(moves[start:stop][::-1]) : stop, column] = False
                foot_contacts[begin : begin + _leading_true_count(moves[begin:end]), other] = False


def _rests_apart(
    scene: Scene, track: Array, first_run: tuple[int, int], second_run: tuple[int, int], scale: float
) -> bool:
    """Whether a point (F, 3) rests elsewhere in one run than in another."""
    was, rests = (
        rest_position(at := carry_to_middle_frame(scene, track, *run, GROUND_PROBE_HEIGHT_M * scale), 0, len(at))
        for run in (first_run, second_run)
    )
    if not scene.steady:
        was = scene.carried(was[None], (sum(first_run) - 1) // 2, (sum(second_run) - 1) // 2)[0]
    return float(length((was - rests)[:2])) > MAX_LOCK_DRIFT_M * scale


def _leading_true_count(mask: NDArray[np.bool_]) -> int:
    """How many of the first ones move."""
    return len(mask) if mask.all() else int(np.argmin(mask))


def lock_feet(
    clip: Clip, foot_contacts: NDArray[np.bool_], scene: Scene | None = None, standing: Clip | None = None
) -> Clip:
    """The clip with heels and balls held still while they are in contact, and never under the ground.

    Args:
        foot_contacts: (F, 4) contacts in the order of ``labelling.contacts.JOINTS``: see :func:`locked_contacts`.
        scene: what is stood on; the plane z = 0 where not given.
        standing: the same body standing on level ground, whose flat feet say where heels and soles are; the clip itself
            where not given.
    """
    scene = scene or Plane()
    skeleton = clip.skeleton
    positions, rotations = (array.copy() for array in clip.world)
    foot_contacts = _dilate_contacts(foot_contacts, clip.rate)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    ankles: list[Array] = []
    for index, leg in enumerate(legs):
        placed = solve_foot(
            clip,
            leg,
            SoleContacts(foot_contacts[:, 2 * index], foot_contacts[:, 2 * index + 1]),
            scene,
            standing or clip,
        )
        rotations[:, leg.foot] = multiply(placed.foot_rotation, rotations[:, leg.foot])
        if leg.toe is not None:
            rotations[:, leg.toe] = multiply(placed.toe_rotation, rotations[:, leg.toe])
        ankles.append(placed.ankle)
    roots = clip.root_positions.copy()
    drop = hips_drop(clip, legs, ankles)
    roots[:, 2] -= drop
    positions[..., 2] -= drop[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        reach(skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(clip, roots, rotations)


def _dilate_contacts(foot_contacts: NDArray[np.bool_], rate: float) -> NDArray[np.bool_]:
    """Contacts (F, 4) with a moment more at both ends: a point then has no speed left at any frame of its contact,
    and none at those in which somebody else would see it touch."""
    wider = np.ones((2 * max(round(CONTACT_MARGIN_S * rate), 1) + 1, 1), dtype=bool)
    return np.asarray(scipy.ndimage.binary_dilation(foot_contacts, wider), dtype=bool)
