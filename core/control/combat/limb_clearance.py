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
from ...motion.weapons import weapon_role
from ...scene.body_capsules import BodyCapsules
from .answers import STRIKING_ROLES
from .body_contact import FLESH_M
from .duel_staging import StagedStrike
from .strike_takes import with_part
from .sweep import Sweep, is_armed

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
ARMS_SPAN_S: Final = (0.5, 0.5)
"""Time before and after the beat in which they are."""
ARMS_WEAPON_SPAN_S: Final = (0.5, 1.0)
"""The same beside weapons."""
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
    depths = _ways_out(part, receiver.cut(first, stop), strike, frame - first)
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
    span = ARMS_WEAPON_SPAN_S if is_armed(clip) or is_armed(other) else ARMS_SPAN_S
    before, after = (round(seconds * clip.rate) for seconds in span)
    first, stop = max(frame - before, 0), min(frame + after, len(clip))
    part, beside, frames = clip.cut(first, stop), other.cut(first, stop), np.arange(first, stop)
    body, other_body = (BodyCapsules.from_skeleton(one.skeleton) for one in (clip, other))
    theirs = other_body.sphere_indices(others)
    edges = np.clip(np.minimum(frames - first, stop - 1 - frames) / (4 * ARMS_SMOOTHING_FRAMES), 0.0, 1.0)
    for side in "LR":
        own = body.sphere_indices([f"{role}.{side}" for role in ARM_ROLES])
        sweep = Sweep.of(part, beside, own, theirs, FLESH_M)
        pushes = sweep.longest_over_frames(_pushes(sweep))
        if pushes.any():
            free = np.clip(ARMS_FREED * np.abs(frames - frame), 0.0, 1.0) if f"hand.{side}" in held else 1.0
            part = _drawn(part, f"hand.{side}", (ARMS_SHARE * edges * free)[:, None] * _steady(pushes))
    return with_part(clip, first, part)


def _pushes(sweep: Sweep) -> Array:
    """Return displacements (M, 3), meters, after which the spheres of a sweep only touch, at each of its moments.

    Each time that they overlap they are pushed in one direction, that in which the farthest push is the shortest: the
    way out of the nearest sphere turns over where arms pass each other, and pushes in it would be none on the mean.
    """
    away, reach, moments = (
        sweep.away.reshape(len(sweep.moments), sweep.reach.size, 3),
        sweep.reach.ravel(),
        sweep.moments,
    )
    room = reach**2 - np.sum(away**2, axis=-1)
    pushes, touching = np.zeros((len(away), 3)), np.zeros(sweep.count, dtype=bool)
    touching[moments] = (room > 0.0).any(axis=1)
    near = scipy.ndimage.maximum_filter1d(touching, 2 * round(ARMS_DIRECTION_FRAMES * sweep.steps) + 1)
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


def _ways_out(striker: Clip, receiver: Clip, strike: StagedStrike, beat: int) -> Array:
    """Return the distances (F) against the strike after which the limb, or the weapon, is out of the body, meters.

    On the beat nothing moves, so that the frame beside it has to go farther for what is deep in between.

    Args:
        striker: its motion around the beat.
        receiver: motion of the other one, frame by frame.
        strike: the strike.
        beat: frame of the beat.
    """
    part, _, side = strike.beat.effector.partition(".")
    own, other = (BodyCapsules.from_skeleton(clip.skeleton) for clip in (striker, receiver))
    limb = own.sphere_indices([f"{role}.{side}" for role in STRIKING_ROLES[part]])
    limb = limb[(own.bone_fractions[limb] > 0.5) | (own.sphere_capsules[limb] == own.sphere_capsules[limb[-1]])]
    armed = weapon_role(striker.skeleton, strike.beat.effector) != strike.beat.effector
    trunk = other.sphere_indices({*TRUNK_ROLES, *OTHER_ROLES} if armed else TRUNK_ROLES)
    sweep = Sweep.of(striker, receiver, limb, trunk, FLESH_M)
    along = -sweep.away @ strike.way
    squared = np.sum(sweep.away**2, axis=-1)
    inside = squared < sweep.reach**2
    out = np.sqrt(np.maximum(sweep.reach**2 - squared + along**2, 0.0)) - along
    off = np.abs(sweep.moments / sweep.steps - beat)
    return sweep.over_frames(np.where(inside, out, 0.0).max(axis=(1, 2)) / np.clip(off, 1.0 / sweep.steps, 1.0))
