"""Data augmentation that changes the steps of a walk: they become shorter or longer by a factor, or go aside.

At lower speed people take both fewer and shorter steps. A take that is only slowed down has steps too long for its
speed and seems to float.
"""

from dataclasses import replace
from typing import Final

import numpy as np
import scipy

from ...core.features.locomotion import ROOT_SMOOTHING_S
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...core.motion.root_frame import facing_direction, root_track
from ...core.motion.rotations import Array, mean_rotation, slerp

MIN_DIRECTED_SPEED_M_S: Final = 0.2
"""Speed above which steps are scaled along the direction of travel; below it, along the facing direction."""
RISE_SMOOTHING_S: Final = 0.06
"""Standard deviation, s, of the Gaussian that smooths the rise of the hips over shorter steps."""
MAX_RISE_M: Final = 0.08
"""Largest rise or sink of the hips."""
SWINGING_LEG_WEIGHT: Final = 0.02
"""Weight of a swinging leg, relative to a standing one, in the height of the hips."""
STRAIGHTER_LEG_M: Final = 0.02
"""Difference in required hip height that changes a leg's weight e-fold: the straighter leg dominates."""
ARM_PARTS: Final = ("upper_arm", "forearm")


def scale_steps(clip: Clip, contacts: FootContacts, factor: float, slant: float = 0.0) -> Clip:
    """Return a clip with the length of its steps scaled along the direction of travel, and slanted to the right.

    Standing feet stay in place as long as the direction is constant. Steps keep their width and height. The hips rise
    or sink to keep standing legs about equally straight, and the arm swing is scaled by the same factor.

    Args:
        clip: the motion.
        contacts: foot contacts to keep.
        factor: length of the new steps as a ratio of the captured ones.
        slant: way to the right for each meter of the new steps; the body faces as it did, and feet may cross.
    """
    track = root_track(clip, ROOT_SMOOTHING_S)
    path, ahead = track.positions, _travel_directions(track.positions, track.yaws, clip.rate)
    scaled_path = path[0] + factor * (path - path[0] + slant * _to_the_right(path - path[0]))

    def placed(points: Array) -> Array:
        """Return points (F, 3), m, moved with the root to the scaled path, with their distance ahead of it scaled."""
        away = points[:, :2] - path
        along = np.sum(away * ahead, axis=-1, keepdims=True) * ahead
        stretched = away + (factor - 1) * along + factor * slant * _to_the_right(along)
        return np.concatenate([scaled_path + stretched, points[:, 2:]], axis=1)

    skeleton = clip.skeleton
    legs = [Leg.of(skeleton, side) for side in "LR"]
    positions, world = (array.copy() for array in clip.world)
    ankles = [placed(positions[:, leg.foot]) for leg in legs]
    shift = placed(positions[:, 0]) - positions[:, 0]
    moved = positions + shift[:, None]
    shift[:, 2] = _rise(positions, moved, legs, ankles, contacts, clip.rate)
    moved[..., 2] += shift[:, None, 2]
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, moved, world, leg, ankle)
    walked = with_world_rotations(clip, clip.root_positions + shift, world)
    return _scale_arm_swing(walked, factor)


def _to_the_right(vectors: Array) -> Array:
    """Return vectors (F, 2) turned to the right by a quarter turn."""
    return np.stack([vectors[:, 1], -vectors[:, 0]], axis=-1)


def _travel_directions(path: Array, yaws: Array, rate: float) -> Array:
    """Return the unit directions of travel (F, 2) along a path; while standing, the facing direction."""
    velocity = np.gradient(path, axis=0) * rate if len(path) > 1 else np.zeros_like(path)
    speeds = np.linalg.norm(velocity, axis=-1, keepdims=True)
    moving = np.clip(speeds / MIN_DIRECTED_SPEED_M_S - 1.0, 0.0, 1.0)
    directions = moving * velocity / np.maximum(speeds, 1e-6) + (1 - moving) * facing_direction(yaws)
    return directions / np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-6)


def _rise(
    positions: Array, moved: Array, legs: list[Leg], ankles: list[Array], contacts: FootContacts, rate: float
) -> Array:
    """Return the height (F), meters, by which to raise the hips so that standing legs keep their extension."""
    heights, weights = [], []
    for number, (leg, ankle) in enumerate(zip(legs, ankles, strict=True)):
        length = np.linalg.norm(positions[:, leg.thigh] - positions[:, leg.foot], axis=-1)
        aside = np.linalg.norm(moved[:, leg.thigh, :2] - ankle[:, :2], axis=-1)
        upright = np.sqrt(np.maximum(length**2 - aside**2, 1e-6))
        heights.append(ankle[:, 2] + upright - moved[:, leg.thigh, 2])
        stands = SWINGING_LEG_WEIGHT + contacts.probabilities[:, 2 * number : 2 * number + 2].max(axis=1)
        weights.append(stands * np.exp(heights[-1] / STRAIGHTER_LEG_M))
    sigma = RISE_SMOOTHING_S * rate
    smooth = [
        scipy.ndimage.gaussian_filter1d(values, sigma, mode="nearest")
        for values in (np.sum(np.multiply(heights, weights), axis=0), np.sum(weights, axis=0))
    ]
    return np.clip(smooth[0] / smooth[1], -MAX_RISE_M, MAX_RISE_M)


def _scale_arm_swing(clip: Clip, factor: float) -> Clip:
    """Return the clip with the arms' distance from their mean pose scaled by a factor."""
    roles = clip.skeleton.roles
    rotations = clip.rotations.copy()
    for role in (f"{part}.{side}" for part in ARM_PARTS for side in "LR"):
        if role in roles:
            own = rotations[:, roles[role]]
            mean = np.broadcast_to(mean_rotation(own), own.shape)
            rotations[:, roles[role]] = slerp(mean, own, np.full(len(own), factor))
    return replace(clip, rotations=rotations)
