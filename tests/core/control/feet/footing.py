"""Heels and balls over the ground: what tests of feet on rough ground measure."""

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.heel import BALL_HEIGHT
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.proportions import ADULT_LEG, TOE_HEIGHT
from footfall.core.motion.rotations import UP, Array
from footfall.core.retarget.contacts import Soles
from footfall.core.terrain.ground import Scene

SOLE = np.array([TOE_HEIGHT - BALL_HEIGHT, TOE_HEIGHT] * 2)
"""How far an adult's left heel and ball and right heel and ball are above their soles, metres."""
ABOVE = 0.4
"""Metres above an adult's foot from which the ground under it is looked for."""


def size(clip: Clip) -> float:
    """The body's size as a share of an adult's."""
    return clip.skeleton.leg_length / ADULT_LEG


def soles(clip: Clip, standing: Clip | None) -> Array:
    """Left heel and ball, right heel and ball (F, 4, 3), metres; where heels are, says the standing body."""
    pair = [Soles.of(clip, Leg.of(clip.skeleton, side), standing) for side in "LR"]
    return np.stack([point for one in pair for point in (one.heel, one.ball)], axis=1)


def gaps(clip: Clip, standing: Clip | None, scene: Scene) -> Array:
    """How far (F, 4) soles are over the ground of their frames, metres; below zero in it; infinite over none."""
    points = soles(clip, standing)
    heights = np.array([scene.heights(at + UP * ABOVE * size(clip), frame) for frame, at in enumerate(points)])
    return np.where(np.isnan(heights), np.inf, points[..., 2] - SOLE * size(clip) - heights)


def creep(clip: Clip, standing: Clip | None, contacts: Array, scene: Scene) -> Array:
    """Speeds (N), m/s, of points in contact against the ground that carries them, from frame to frame."""
    points, up = soles(clip, standing), UP * ABOVE * size(clip)
    ridden = np.array([scene.carried(at + up, frame, frame + 1) - up for frame, at in enumerate(points[:-1])])
    held = (contacts[1:] > 0.5) & (contacts[:-1] > 0.5)
    return np.linalg.norm(points[1:] - ridden, axis=-1)[held] * clip.rate
