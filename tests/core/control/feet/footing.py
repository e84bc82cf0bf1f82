"""Heels and balls relative to the ground, for tests of feet on rough ground."""

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.heel import BALL_HEIGHT_M
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M
from footfall.core.motion.rotations import UP, Array
from footfall.core.retarget.contacts import SolePoints
from footfall.core.terrain.ground import Scene

SOLE = np.array([TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M, TOE_JOINT_HEIGHT_M] * 2)
"""Heights of an adult's left heel and ball and right heel and ball above their soles, meters."""
ABOVE = 0.4
"""Height above an adult's foot from which the ground under it is looked for, meters."""


def size(clip: Clip) -> float:
    """Return the body's size as a share of an adult's."""
    return clip.skeleton.leg_length / ADULT_LEG_LENGTH_M


def soles(clip: Clip, standing: Clip | None) -> Array:
    """Return left heel and ball, right heel and ball (F, 4, 3), meters; the standing body defines the heels."""
    pair = [SolePoints.from_clip(clip, Leg.of(clip.skeleton, side), standing) for side in "LR"]
    return np.stack([point for one in pair for point in (one.heel, one.ball)], axis=1)


def gaps(clip: Clip, standing: Clip | None, scene: Scene) -> Array:
    """Return the heights (F, 4) of soles above the ground, meters; negative in it, infinite over none."""
    points = soles(clip, standing)
    heights = np.array([scene.heights(at + UP * ABOVE * size(clip), frame) for frame, at in enumerate(points)])
    return np.where(np.isnan(heights), np.inf, points[..., 2] - SOLE * size(clip) - heights)


def creep(clip: Clip, standing: Clip | None, contacts: Array, scene: Scene) -> Array:
    """Return the speeds (N), m/s, of points in contact relative to the ground, from frame to frame."""
    points, up = soles(clip, standing), UP * ABOVE * size(clip)
    ridden = np.array([scene.move_with_ground(at + up, frame, frame + 1) - up for frame, at in enumerate(points[:-1])])
    held = (contacts[1:] > 0.5) & (contacts[:-1] > 0.5)
    return np.linalg.norm(points[1:] - ridden, axis=-1)[held] * clip.rate
