"""A posed person that cuts once with a blade of its own bone, whose angles against the hand are known."""

from dataclasses import replace

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, from_axis_angle
from footfall.core.motion.weapons import with_weapon
from footfall.tests.support.poses import APEX_S, UPRIGHT, eased, hips_at, posed

BLADE_M = 0.8
SNAP_RAD = 1.2
SWING_S = 0.3
SNAP_AXIS = [0.0, 0.0, -1.0]
"""Axis of the wrist's snap in the hand's frame, across the right arm, which points to the side at rest."""


def snap_angles(time: Array, late: float) -> Array:
    """Angles of the blade against the hand: back before the cut, forward with it, ``late`` seconds after the arm."""
    snap = eased(time, APEX_S - SWING_S / 2 + late, APEX_S + SWING_S / 2 + late)
    back = eased(time, APEX_S - 1.2, APEX_S - 0.6) * (1 - eased(time, APEX_S + 1.5, APEX_S + 2.2))
    return SNAP_RAD * back * (2 * snap - 1) / 2


def swordsman(late: float = 0.05, rate: float = 60.0) -> Clip:
    """Stands for six seconds and cuts down at 3 s with the right arm, whose wrist snaps ``late`` seconds after it."""
    time = np.arange(round(6 * rate)) / rate
    up = eased(time, APEX_S - 1.2, APEX_S - 0.5)
    down = eased(time, APEX_S - SWING_S / 2, APEX_S + SWING_S / 2)
    back = eased(time, APEX_S + 1.5, APEX_S + 2.2)
    raised = 0.5 + 2.1 * up - 1.8 * down - 0.3 * back
    arms = np.stack([np.full_like(time, 0.5), raised], axis=1)
    bends = np.stack([np.full_like(time, 2.2), np.full_like(time, 0.1)], axis=1)
    return holding_blade(posed(hips_at(0 * time + UPRIGHT), arms, bends, rate=rate), snap_angles(time, late))


def holding_blade(clip: Clip, angles: Array) -> Clip:
    """The clip with a blade in the right hand that is turned against it by angles (F) about the snap's axis."""
    skeleton = with_weapon(clip.skeleton, "hand.R", np.array([-0.08, 0.0, 0.0]), np.array([-0.3, -0.74, 0.0]))
    turns = from_axis_angle(SNAP_AXIS, angles)
    return replace(clip, skeleton=skeleton, rotations=np.concatenate([clip.rotations, turns[:, None]], axis=1))
