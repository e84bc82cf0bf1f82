"""Clearance before and after a beat: a striking limb is kept out of the struck body, and arms out of other limbs."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, normalize
from ...motion.signals import runs_of
from ...motion.weapons import weapon_role
from ...scene.body_capsules import BodyCapsules
from ...tuning import Tuning, tuned
from ..strike.strike_takes import with_part
from . import body_contact
from .answers import STRIKING_ROLES
from .duel_staging import StagedStrike
from .sweep import Sweep, is_armed


@dataclass(frozen=True, slots=True)
class LimbClearanceTuning(Tuning):
    span: tuple[float, float] = tuned((0.25, 0.4), "s", 0.0, 2.0)
    """Times before and after a beat during which a striking limb is kept out of the body."""
    weapon_span: tuple[float, float] = tuned((0.5, 1.0), "s", 0.0, 3.0)
    """The same times for a weapon, which follows through after a cut and then returns."""
    smoothing: float = tuned(2.0, "frames", 0.1, 20.0)
    """Standard deviation of the Gaussian that smooths a striking limb's displacement, after a maximum filter."""
    arms_span: tuple[float, float] = tuned((0.5, 0.5), "s", 0.0, 2.0)
    """Times before and after a beat during which arms are kept out of the other body's limbs."""
    arms_weapon_span: tuple[float, float] = tuned((0.5, 1.0), "s", 0.0, 3.0)
    """The same times if either body has a weapon."""
    arms_smoothing: float = tuned(1.5, "frames", 0.1, 20.0)
    """Standard deviation of the Gaussian that smooths the arms' displacement."""
    arms_share: float = tuned(0.6, "1", 0.0, 1.0)
    """Share of an overlap that each body's arms resolve in one round."""
    arms_freed: float = tuned(0.7, "1", 0.0, 1.0)
    """Growth per frame, before and after the beat, of the share of a push that a held end effector follows; 0 at the
    beat.
    """
    arms_direction_smoothing: float = tuned(4.0, "frames", 0.1, 20.0)
    """Standard deviation of the Gaussian that smooths the direction of the arms' displacement."""


TUNING: Final = LimbClearanceTuning()

TRUNK_ROLES: Final = ("hips", "spine", "chest", "neck", "head", "thigh", "upper_arm")
"""Bones of a struck body that a striking limb must not penetrate."""
OTHER_ROLES: Final = ("forearm", "hand", "shin", "foot")
"""Further bones of a struck body that a weapon must not penetrate."""
ARM_ROLES: Final = ("hand", "forearm", "weapon")
"""Bones of a body that are pushed out of the other body's limbs."""
DIRECTIONS: Final = normalize(np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)]))
"""Unit directions (26, 3), world, in which arms may be pushed."""


def keep_limb_out(striker: Clip, strike: StagedStrike, receiver: Clip) -> Clip:
    """Return the striker's motion with its limb or weapon pulled back while it is inside the receiver's body."""
    effector = strike.beat.effector
    span = TUNING.span if weapon_role(striker.skeleton, effector) == effector else TUNING.weapon_span
    frame, (before, after) = strike.beat.frame, (round(seconds * striker.rate) for seconds in span)
    first, stop = max(frame - before, 0), min(frame + after, len(striker))
    part = striker.cut(first, stop)
    depths = _ways_out(part, receiver.cut(first, stop), strike, frame - first)
    if not depths.any():
        return striker
    wide = scipy.ndimage.maximum_filter1d(depths, 2 * round(TUNING.smoothing) + 1)
    smooth = scipy.ndimage.gaussian_filter1d(wide, TUNING.smoothing, mode="nearest")
    frames = np.arange(first, stop)
    smooth[frame - first] = 0.0  # On the beat the end effector is on the surface and stops there.
    edges = np.minimum(frames - first, stop - 1 - frames) / (2 * TUNING.smoothing)
    back = np.outer(-smooth * np.clip(edges, 0.0, 1.0), strike.way)
    return with_part(striker, first, _drawn(part, effector, back))


def keep_arms_out(clip: Clip, other: Clip, frame: int, others: Iterable[str], held: Iterable[str]) -> Clip:
    """Return a motion with hands and forearms pushed out of another body's limbs around a beat.

    Args:
        clip: the motion.
        other: motion of the other body.
        frame: frame of the beat.
        others: bones of the other body, as roles, or as body parts without a side for both sides.
        held: roles of end effectors that must stay in place at the beat's frame.
    """
    span = TUNING.arms_weapon_span if is_armed(clip) or is_armed(other) else TUNING.arms_span
    before, after = (round(seconds * clip.rate) for seconds in span)
    first, stop = max(frame - before, 0), min(frame + after, len(clip))
    part, beside, frames = clip.cut(first, stop), other.cut(first, stop), np.arange(first, stop)
    body, other_body = (BodyCapsules.from_skeleton(one.skeleton) for one in (clip, other))
    theirs = other_body.sphere_indices(others)
    edges = np.clip(np.minimum(frames - first, stop - 1 - frames) / (4 * TUNING.arms_smoothing), 0.0, 1.0)
    for side in "LR":
        own = body.sphere_indices([f"{role}.{side}" for role in ARM_ROLES])
        sweep = Sweep.of(part, beside, own, theirs, body_contact.TUNING.flesh)
        pushes = sweep.longest_over_frames(_pushes(sweep))
        if pushes.any():
            free = np.clip(TUNING.arms_freed * np.abs(frames - frame), 0.0, 1.0) if f"hand.{side}" in held else 1.0
            part = _drawn(part, f"hand.{side}", (TUNING.arms_share * edges * free)[:, None] * _steady(pushes))
    return with_part(clip, first, part)


def _pushes(sweep: Sweep) -> Array:
    """Return the displacement (M, 3) at each moment of a sweep, meters, that turns its overlaps into contacts.

    Each overlap has a single direction, the one whose largest push is smallest. The way out of the nearest sphere would
    flip where arms pass each other, and pushes would cancel.
    """
    away, reach, moments = (
        sweep.away.reshape(len(sweep.moments), sweep.reach.size, 3),
        sweep.reach.ravel(),
        sweep.moments,
    )
    room = reach**2 - np.sum(away**2, axis=-1)
    pushes, touching = np.zeros((len(away), 3)), np.zeros(sweep.count, dtype=bool)
    touching[moments] = (room > 0.0).any(axis=1)
    near = scipy.ndimage.maximum_filter1d(touching, 2 * round(TUNING.arms_direction_smoothing * sweep.steps) + 1)
    for start, stop in runs_of(near):
        rows = slice(*np.searchsorted(moments, (start, stop)))
        inside, between = room[rows] > 0.0, away[rows]
        mean = normalize(between[inside].sum(axis=0))
        ways = np.vstack([DIRECTIONS, mean])
        along = between @ ways.T
        out = np.sqrt(np.maximum(room[rows, :, None] + along**2, 0.0)) - along
        travel = np.where(inside[..., None], out, 0.0).max(axis=1)
        best = int(travel.max(axis=0).argmin())
        pushes[rows] = travel[:, best, None] * ways[best]
    return pushes


def _steady(pushes: Array) -> Array:
    """Return displacements (F, 3), meters, smoothed so that those lasting only a few frames keep their size."""
    ways = scipy.ndimage.gaussian_filter1d(pushes, TUNING.arms_direction_smoothing, axis=0)
    amounts = scipy.ndimage.maximum_filter1d(np.linalg.norm(pushes, axis=-1), 2 * round(TUNING.arms_smoothing) + 1)
    return scipy.ndimage.gaussian_filter1d(amounts, TUNING.arms_smoothing)[:, None] * normalize(ways)


def _drawn(clip: Clip, effector: str, shift: Array) -> Clip:
    """Return a motion whose end effector is displaced by (F, 3), meters, using IK of its limb."""
    skeleton, side = clip.skeleton, effector[-1]
    positions, rotations = (values.copy() for values in clip.world)
    goal = positions[:, skeleton.joint(effector)] + shift
    if effector.startswith("hand"):
        solve_arm_ik(skeleton, positions, rotations, side, goal)
    else:
        solve_leg_ik(skeleton, positions, rotations, Leg.of(skeleton, side), goal)
    return with_world_rotations(clip, clip.root_positions, rotations)


def _ways_out(striker: Clip, receiver: Clip, strike: StagedStrike, beat: int) -> Array:
    """Return how far (F), meters, a limb or weapon is pulled back against the strike to leave the body.

    At the beat nothing moves, so the frames beside it are pulled back farther for penetrations in between.

    Args:
        striker: motion of the striker around the beat.
        receiver: motion of the receiver, with the same frames.
        strike: the strike.
        beat: the beat's frame in these motions.
    """
    part, _, side = strike.beat.effector.partition(".")
    own, other = (BodyCapsules.from_skeleton(clip.skeleton) for clip in (striker, receiver))
    limb = own.sphere_indices([f"{role}.{side}" for role in STRIKING_ROLES[part]])
    limb = limb[(own.bone_fractions[limb] > 0.5) | (own.sphere_capsules[limb] == own.sphere_capsules[limb[-1]])]
    armed = weapon_role(striker.skeleton, strike.beat.effector) != strike.beat.effector
    trunk = other.sphere_indices({*TRUNK_ROLES, *OTHER_ROLES} if armed else TRUNK_ROLES)
    sweep = Sweep.of(striker, receiver, limb, trunk, body_contact.TUNING.flesh)
    along = -sweep.away @ strike.way
    squared = np.sum(sweep.away**2, axis=-1)
    inside = squared < sweep.reach**2
    out = np.sqrt(np.maximum(sweep.reach**2 - squared + along**2, 0.0)) - along
    off = np.abs(sweep.moments / sweep.steps - beat)
    return sweep.over_frames(np.where(inside, out, 0.0).max(axis=(1, 2)) / np.clip(off, 1.0 / sweep.steps, 1.0))
