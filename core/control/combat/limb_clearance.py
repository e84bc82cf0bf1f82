"""Limbs of a striker kept out of the body that it strikes, and of its arms, before and after the beat."""

from collections.abc import Iterable
from itertools import product
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, normalize
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from .answers import STRIKING_ROLES
from .body_contact import FLESH_M
from .duel_staging import StagedStrike
from .strike_takes import with_part
from .weapon import weapon_role

SPAN_S: Final = (0.25, 0.4)
"""Time before and after the beat in which the limb is kept out."""
WEAPON_SPAN_S: Final = (0.5, 1.0)
"""The same of a weapon, which goes on through a cut and comes back."""
SMOOTHING_FRAMES: Final = 2.0
"""Standard deviation of the Gaussian that smooths the limb's displacement, after a maximum over twice as many."""
TRUNK_ROLES: Final = ("hips", "spine", "chest", "neck", "head", "thigh", "upper_arm")
"""Bones out of which it is kept."""
OTHER_ROLES: Final = ("forearm", "hand", "shin", "foot")
"""Bones out of which a weapon is kept, too."""
ARM_ROLES: Final = ("hand", "forearm", "weapon")
"""Bones that are pushed out of other limbs."""
ARMS_SPAN_S: Final = 0.5
"""Time before and after the beat in which they are."""
ARMS_SMOOTHING_FRAMES: Final = 1.5
"""Standard deviation of the Gaussian that smooths their displacement."""
DIRECTIONS: Final = normalize(np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)]))
"""Directions in which they may be, one at a time."""
ARMS_SHARE: Final = 0.6
"""Share of an overlap by which the arms of each body are pushed in a round."""
ARMS_FREED: Final = 0.7
"""Share by which an end effector may be pushed a frame beside the beat on which it stays."""
ARMS_DIRECTION_FRAMES: Final = 4.0
"""The same of its direction."""


def keep_limb_out(striker: Clip, strike: StagedStrike, receiver: Clip) -> Clip:
    """Return the striker's motion with its limb, or its weapon, drawn back out of the receiver's body."""
    effector = strike.beat.effector
    span = SPAN_S if weapon_role(striker.skeleton, effector) == effector else WEAPON_SPAN_S
    frame, (before, after) = strike.beat.frame, (round(seconds * striker.rate) for seconds in span)
    first, stop = max(frame - before, 0), min(frame + after, len(striker))
    part = striker.cut(first, stop)
    depths = _ways_out(part, receiver.cut(first, stop), strike)
    if not depths.any():
        return striker
    wide = scipy.ndimage.maximum_filter1d(depths, 2 * round(SMOOTHING_FRAMES) + 1)
    smooth = scipy.ndimage.gaussian_filter1d(wide, SMOOTHING_FRAMES, mode="nearest")
    frames = np.arange(first, stop)
    smooth[frame - first] = 0.0  # the end effector is on the surface then, and stops there
    edges = np.minimum(frames - first, stop - 1 - frames) / (2 * SMOOTHING_FRAMES)
    back = np.outer(-smooth * np.clip(edges, 0.0, 1.0), strike.way)
    return with_part(striker, first, _drawn(part, effector, back))


def keep_arms_out(clip: Clip, other: Clip, frame: int, others: Iterable[str], held: Iterable[str]) -> Clip:
    """Return a motion with hands and forearms pushed out of limbs of another body around a beat.

    Args:
        clip: the motion.
        other: that of the other body.
        frame: of the beat.
        others: roles of the other body's bones, or body parts of both sides.
        held: roles of end effectors that stay at their places on the beat.
    """
    span = round(ARMS_SPAN_S * clip.rate)
    first, stop = max(frame - span, 0), min(frame + span, len(clip))
    part, frames = clip.cut(first, stop), np.arange(first, stop)
    body, other_body = (BodyCapsules.from_skeleton(one.skeleton) for one in (clip, other))
    theirs = other_body.sphere_indices(others)
    places = other_body.sphere_centres(other.cut(first, stop))[:, theirs]
    edges = np.clip(np.minimum(frames - first, stop - 1 - frames) / (4 * ARMS_SMOOTHING_FRAMES), 0.0, 1.0)
    for side in "LR":
        own = body.sphere_indices([f"{role}.{side}" for role in ARM_ROLES])
        away = body.sphere_centres(part)[:, own, None] - places[:, None]
        reach = body.radii[own][:, None] + other_body.radii[theirs] - FLESH_M
        pushes = _pushes(away.reshape(len(part), -1, 3), reach.ravel())
        if pushes.any():
            free = np.clip(ARMS_FREED * np.abs(frames - frame), 0.0, 1.0) if f"hand.{side}" in held else 1.0
            part = _drawn(part, f"hand.{side}", (ARMS_SHARE * edges * free)[:, None] * _steady(pushes))
    return with_part(clip, first, part)


def _pushes(away: Array, reach: Array) -> Array:
    """Return displacements (F, 3), meters, after which pairs of spheres only touch.

    Each time that they overlap they are pushed in one direction, that in which the farthest push is the shortest: the
    way out of the nearest sphere turns over where arms pass each other, and pushes in it would be none on the mean.

    Args:
        away: (F, P, 3) from the other body's sphere of each pair to its own, meters.
        reach: (P) distances at which they touch, meters.
    """
    room = reach**2 - np.sum(away**2, axis=-1)
    pushes = np.zeros((len(away), 3))
    near = scipy.ndimage.maximum_filter1d((room > 0.0).any(axis=1), 2 * round(ARMS_DIRECTION_FRAMES) + 1)
    for start, stop in runs_of(near):
        inside, between = room[start:stop] > 0.0, away[start:stop]
        mean = normalize(between[inside].sum(axis=0))
        ways = np.vstack([DIRECTIONS, mean])
        along = between @ ways.T
        out = np.sqrt(np.maximum(room[start:stop, :, None] + along**2, 0.0)) - along
        travel = np.where(inside[..., None], out, 0.0).max(axis=1)
        best = int(travel.max(axis=0).argmin())
        pushes[start:stop] = travel[:, best, None] * ways[best]
    return pushes


def _steady(pushes: Array) -> Array:
    """Return displacements (F, 3) as large as some that last for few frames, but smooth."""
    ways = scipy.ndimage.gaussian_filter1d(pushes, ARMS_DIRECTION_FRAMES, axis=0)
    amounts = scipy.ndimage.maximum_filter1d(np.linalg.norm(pushes, axis=-1), 2 * round(ARMS_SMOOTHING_FRAMES) + 1)
    return scipy.ndimage.gaussian_filter1d(amounts, ARMS_SMOOTHING_FRAMES)[:, None] * normalize(ways)


def _drawn(clip: Clip, effector: str, shift: Array) -> Clip:
    """Return a motion whose end effector is displaced (F, 3), meters."""
    skeleton, side = clip.skeleton, effector[-1]
    positions, rotations = (values.copy() for values in clip.world)
    goal = positions[:, skeleton.joint(effector)] + shift
    if effector.startswith("hand"):
        solve_arm_ik(skeleton, positions, rotations, side, goal)
    else:
        solve_leg_ik(skeleton, positions, rotations, Leg.of(skeleton, side), goal)
    return with_world_rotations(clip, clip.root_positions, rotations)


def _ways_out(striker: Clip, receiver: Clip, strike: StagedStrike) -> Array:
    """Return the distances (F) against the strike after which the limb, or the weapon, is out of the body, meters."""
    part, _, side = strike.beat.effector.partition(".")
    own, other = (BodyCapsules.from_skeleton(clip.skeleton) for clip in (striker, receiver))
    limb = own.sphere_indices([f"{role}.{side}" for role in STRIKING_ROLES[part]])
    limb = limb[(own.bone_fractions[limb] > 0.5) | (own.sphere_capsules[limb] == own.sphere_capsules[limb[-1]])]
    armed = weapon_role(striker.skeleton, strike.beat.effector) != strike.beat.effector
    trunk = other.sphere_indices({*TRUNK_ROLES, *OTHER_ROLES} if armed else TRUNK_ROLES)
    between = other.sphere_centres(receiver)[:, None, trunk] - own.sphere_centres(striker)[:, limb, None]
    reach = own.radii[limb][:, None] + other.radii[trunk] - FLESH_M
    along = between @ strike.way
    squared = np.sum(between**2, axis=-1)
    inside = squared < reach**2
    out = np.sqrt(np.maximum(reach**2 - squared + along**2, 0.0)) - along
    return np.where(inside, out, 0.0).max(axis=(1, 2))
