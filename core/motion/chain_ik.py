"""IK of chains of any number of bones: the legs of animals, with hocks and wrists between knee or elbow and paw.

A leg is shortened by bending all its hinges further, and lengthened by straightening all its joints, so that each joint
keeps its bend direction. A joint bent in the wrong direction is brought back. If a joint would be below the floor,
FABRIK (Aristidou and Lasenby 2011) pulls the leg above it.
"""

from typing import Final

import numpy as np

from .limb_ik import POSITION_TOLERANCE_M
from .paws import LegChain
from .rotations import (
    Array,
    cross,
    exp,
    from_axis_angle,
    inverse,
    length,
    log,
    multiply,
    normalize,
    rotate,
    rotation_between,
)

MAX_REACH_RATIO: Final = 0.999
"""Largest extension of a leg, as a share of its length."""
FLOOR_PASSES: Final = 12
"""Number of backward and forward passes that pull a leg above the floor."""
SOLVER_STEPS: Final = 16
"""Steps of the root search (Illinois method) for the share by which a leg bends or straightens."""
FOLDED_RAD: Final = 2.9
"""Bend of each hinge in a completely folded leg."""
MAX_ASIDE_RAD: Final = 0.8
"""Largest sideways angle of a leg's bend, out of the body's sagittal plane, that is left unchanged."""
MIN_BENT_RAD: Final = 0.35
"""Median bend in a motion above which a joint counts as a hinge, if the leg's rest pose shows none."""


def solve_chain_ik(
    positions: Array, rotations: Array, chain: LegChain, target: Array, floor: Array | None = None
) -> None:
    """Move a paw to ``target`` by bending its leg; ``positions`` and ``rotations`` are changed in place.

    If a target is out of reach, the leg extends toward it. The paw's joint keeps its world rotation. A leg whose paw is
    at its target, with no joint below the floor and no hinge bent in the wrong direction, is left unchanged.

    Args:
        positions: world positions (F, J, 3), meters; those of the chain and of its paw are changed.
        rotations: world rotations (F, J, 4); those of the chain are changed.
        chain: the leg.
        target: world position of the paw (F, 3), meters.
        floor: (F) height above which knees, hocks, elbows and wrists are kept, meters; no limit by default.
    """
    joints = list(chain.joints)
    floor = np.full(len(target), -np.inf) if floor is None else floor
    before = np.concatenate([positions[:, joints], chain.paw_positions(positions, rotations)[:, None]], axis=1)
    across, bends = _across(before, rotations, chain), _bends(before)
    sides = _sides(bends, across, chain)
    turned = _with_knee_ahead(before, bends, across, sides)
    bends = _bends(turned)
    axes = _axes(turned, bends, across, sides)
    sided = _to_their_sides(bends, axes)
    away = length(target - before[:, -1]) > POSITION_TOLERANCE_M
    away |= (before[:, 1:-1, 2] < floor[:, None] - POSITION_TOLERANCE_M).any(axis=1)
    away |= (turned != before).any(axis=(1, 2)) | (sided != bends).any(axis=(1, 2))
    if not away.any():
        return
    before, floor = before[away], floor[away]
    end = _within_reach(before, target[away])
    after = _bent_to(turned[away], end, bends[away], sided[away], axes[away])
    low = (after[:, 1:-1, 2] < floor[:, None] - POSITION_TOLERANCE_M).any(axis=1)
    if low.any():
        after[low] = _above_floor(after[low], end[low], floor[low])
    after = _closed(after, end)
    for index, joint in enumerate(joints):
        turn = rotation_between(before[:, index + 1] - before[:, index], after[:, index + 1] - after[:, index])
        rotations[away, joint] = multiply(turn, rotations[away, joint])
        positions[away, joint] = after[:, index]
    if chain.paw is not None:
        positions[away, chain.paw] = after[:, -1]


def _within_reach(chain: Array, target: Array) -> Array:
    """Return the reachable goals (F, 3) for the paws of legs (F, N, 3): the targets, or points toward them."""
    line = target - chain[:, 0]
    reach = MAX_REACH_RATIO * length(np.diff(chain, axis=1)).sum(axis=1, keepdims=True)
    return chain[:, 0] + line * np.minimum(1.0, reach / np.maximum(length(line)[:, None], 1e-9))


# --- Hinges


def _bends(chain: Array) -> Array:
    """Return the bends (F, N - 2, 3) of a leg's joints (F, N, 3): axes times angles, world."""
    bones = np.diff(chain, axis=1)
    return log(rotation_between(bones[:, :-1], bones[:, 1:]))


def _across(chain: Array, rotations: Array, leg: LegChain) -> Array:
    """Return the unit vectors (F, 3) across legs (F, N, 3) toward the left of the body that carries them."""
    left = rotate(rotations[:, leg.carrier], np.broadcast_to(leg.left, chain[:, 0].shape))
    ahead = normalize(chain[:, -1] - chain[:, 0])
    return normalize(left - np.sum(left * ahead, axis=-1, keepdims=True) * ahead)


def _sides(bends: Array, across: Array, leg: LegChain) -> Array:
    """Return the sign (N - 2) of each joint's bend in the rest pose, or else in most of the motion."""
    if any(leg.sides):
        return np.array(leg.sides)
    usual = np.median(np.sum(bends * across[:, None], axis=-1), axis=0)
    return np.where(np.abs(usual) > MIN_BENT_RAD, np.sign(usual), 0.0)


def _with_knee_ahead(chain: Array, bends: Array, across: Array, sides: Array) -> Array:
    """Turn a leg about the line from hip to paw to bend near the sagittal plane, and return its joints (F, N, 3).

    A leg that bends in the wrong direction is turned over; a leg that bends sideways is turned by less, so that legs do
    not jump as they pass from one side to the other.
    """
    line = chain[:, -1] - chain[:, 0]
    ahead = normalize(line)
    normal = np.sum(sides[:, None] * bends, axis=1)
    angle = np.arctan2(np.sum(cross(across, normal) * ahead, axis=-1), np.sum(across * normal, axis=-1))
    aside = np.abs(angle)
    kept = np.sign(angle) * MAX_ASIDE_RAD * (np.pi - aside) / (np.pi - MAX_ASIDE_RAD)
    turn = from_axis_angle(ahead, np.where(aside > MAX_ASIDE_RAD, kept - angle, 0.0))
    turned = chain[:, :1] + rotate(turn[:, None], chain - chain[:, :1])
    return np.where((aside > MAX_ASIDE_RAD)[:, None, None], turned, chain)


def _axes(chain: Array, bends: Array, across: Array, sides: Array) -> Array:
    """Return unit axes (F, N - 2, 3) about which a leg's joints bend; zero for joints without a bend direction."""
    normal = normalize(np.sum(sides[:, None] * bends, axis=1))
    normal = np.where(np.sum(normal * across, axis=-1, keepdims=True) > 0, normal, across)[:, None]
    bones = normalize(np.diff(chain, axis=1)[:, :-1])
    return sides[:, None] * normalize(normal - np.sum(normal * bones, axis=-1, keepdims=True) * bones)


def _to_their_sides(bends: Array, axes: Array) -> Array:
    """Return the bends (F, K, 3), with the sign changed for those opposite to their hinge axes (F, K, 3)."""
    along = np.sum(bends * axes, axis=-1, keepdims=True)
    return np.where(along < 0, bends - 2 * along * axes, bends)


# --- Bending


def _bent_to(chain: Array, end: Array, bends: Array, sided: Array, axes: Array) -> Array:
    """Bend or straighten all hinges of a leg by one share so that its paw is at `end`; return its joints (F, N, 3).

    Args:
        chain: (F, N, 3) the joints, and the paw.
        end: (F, 3) position for the paw, within reach, meters.
        bends: (F, N - 2, 3) bends of the joints.
        sided: the same bends, with wrong signs corrected, from which the leg is bent.
        axes: axes of the hinges.
    """
    bones = np.diff(chain, axis=1)
    away = length(end - chain[:, 0])
    hinged = axes if axes.any() else normalize(sided)
    folded = np.where(hinged.any(axis=-1, keepdims=True), FOLDED_RAD * hinged, sided)
    nearer = away < length(_shaped(bones, bends, sided)[:, -1])
    extreme = np.where(nearer[:, None, None], folded, 0.0)
    low, high = np.zeros(len(chain)), np.ones(len(chain))

    def excess(share: Array) -> Array:
        shape = _shaped(bones, bends, sided + share[:, None, None] * (extreme - sided))
        return length(shape[:, -1]) - away

    at_low, at_high = excess(low), excess(high)
    share = low
    for _ in range(SOLVER_STEPS):
        span = at_high - at_low
        share = np.where(np.abs(span) > 1e-12, low - at_low * (high - low) / np.where(span == 0, 1.0, span), low)
        share = np.clip(share, 0.0, 1.0)
        found = excess(share)
        beyond = found * at_high < 0
        low, at_low = np.where(beyond, high, low), np.where(beyond, at_high, at_low / 2)
        high, at_high = share, found
    shape = _shaped(bones, bends, sided + share[:, None, None] * (extreme - sided))
    return chain[:, :1] + rotate(rotation_between(shape[:, -1], end - chain[:, 0])[:, None], shape)


def _shaped(bones: Array, bends: Array, wanted: Array) -> Array:
    """Return the joints (F, N, 3), from the first one, of a leg whose bends are changed to `wanted` (F, N - 2, 3)."""
    places, turn = [np.zeros_like(bones[:, 0]), bones[:, 0]], None
    for joint in range(bends.shape[1]):
        other = multiply(exp(wanted[:, joint]), inverse(exp(bends[:, joint])))
        turn = other if turn is None else multiply(turn, other)
        places.append(places[-1] + rotate(turn, bones[:, joint + 1]))
    return np.stack(places, axis=1)


# --- The floor


def _above_floor(chain: Array, end: Array, floor: Array) -> Array:
    """Pull a leg's joints above the floor (F), with the paw near `end` (F, 3), and return the joints (F, N, 3)."""
    lengths, first = length(np.diff(chain, axis=1)), chain[:, 0]
    after, count = chain.copy(), chain.shape[1]
    for _ in range(FLOOR_PASSES):
        after[:, -1] = end
        after[:, 1:-1, 2] = np.maximum(after[:, 1:-1, 2], floor[:, None])
        for index in range(count - 2, -1, -1):
            after[:, index] = _at_length(after[:, index + 1], after[:, index], lengths[:, index])
        after[:, 0] = first
        for index in range(1, count):
            after[:, index] = _at_length(after[:, index - 1], after[:, index], lengths[:, index - 1])
    return after


def _closed(chain: Array, end: Array) -> Array:
    """Move the paw to `end` if the passes of :func:`_above_floor` have not; return the leg's joints (F, N, 3).

    The passes hardly bend a leg whose bones lie on the line to a nearer end, as front legs do. The leg's parts above
    and below the joint that bends most turn like two bones (law of cosines).

    Args:
        chain: (F, N, 3) the joints, and the paw.
        end: (F, 3) position for the paw, within reach, meters.
    """
    frames = np.arange(len(chain))
    first, line = chain[:, 0], chain[:, -1] - chain[:, 0]
    ahead = normalize(line)[:, None]
    aside = chain - first[:, None]
    aside = aside - np.sum(aside * ahead, axis=-1, keepdims=True) * ahead
    knee = np.linalg.norm(aside, axis=-1).argmax(axis=1)
    turn = rotation_between(line, end - first)
    bend = normalize(rotate(turn, aside[frames, knee]))
    upper = np.linalg.norm(chain[frames, knee] - first, axis=-1)
    lower = np.linalg.norm(chain[:, -1] - chain[frames, knee], axis=-1)
    reach = np.clip(np.linalg.norm(end - first, axis=-1), np.abs(upper - lower) + 1e-9, upper + lower)
    along = (reach**2 + upper**2 - lower**2) / (2 * reach)
    height = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    middle = first + normalize(end - first) * along[:, None] + bend * height[:, None]
    above = rotation_between(chain[frames, knee] - first, middle - first)[:, None]
    below = rotation_between(chain[:, -1] - chain[frames, knee], end - middle)[:, None]
    upper_part = first[:, None] + rotate(above, chain - first[:, None])
    lower_part = middle[:, None] + rotate(below, chain - chain[frames, knee][:, None])
    return np.where((np.arange(chain.shape[1]) <= knee[:, None])[..., None], upper_part, lower_part)


def _at_length(anchor: Array, point: Array, bone_lengths: Array) -> Array:
    """Return points (F, 3) moved along the lines from their anchors (F, 3) to given distances (F) from these."""
    return anchor + normalize(point - anchor) * bone_lengths[:, None]
