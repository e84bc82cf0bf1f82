"""A posed person that punches with a hand that closes to a fist on the way, by known angles of its fingers."""

from dataclasses import replace

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.fingers import with_finger
from footfall.core.motion.roles import FINGER_ROLES
from footfall.core.motion.rotations import Array, from_axis_angle
from footfall.tests.support.poses import APEX_S, eased, puncher

FIST_RAD = 1.2
"""Angle of each of a closed finger's bones against the one before it."""
BONES_M = (0.045, 0.028, 0.02)
KNUCKLES_M = {"thumb": (0.03, -0.035), "index": (0.09, -0.03), "middle": (0.095, -0.01), "pinky": (0.08, 0.03)}
"""Distance of a finger's first joint from the wrist along the hand, and to the body's back; palms look down at rest."""
ROLES = tuple(role for role in FINGER_ROLES if role.partition(".")[0].partition("_")[0] in KNUCKLES_M)


def fist_angles(time: Array) -> Array:
    """Angles of the right hand's finger joints: they close before the apex, and open after it."""
    return FIST_RAD * (eased(time, APEX_S - 0.15, APEX_S - 0.03) - eased(time, APEX_S + 0.5, APEX_S + 1.0))


def bend_axis(role: str) -> Array:
    """Axis, in its own frame, about which a finger's joint closes to the palm."""
    return np.array([0.0, 1.0 if role.endswith("L") else -1.0, 0.0])


def boxer(takes: float = 0.18, roles: tuple[str, ...] = ROLES, rate: float = 60.0) -> Clip:
    """The punch of :func:`.puncher` by a body whose right hand closes, and whose left one is open."""
    clip = puncher(takes, rate)
    skeleton = clip.skeleton
    for role in roles:
        sign, (finger, _, number) = 1.0 if role.endswith("L") else -1.0, role.partition(".")[0].partition("_")
        (along, back), place = KNUCKLES_M[finger], int(number or 1) - 1
        way = np.array([sign * (along + sum(BONES_M[:place])), back, 0.0])
        skeleton = with_finger(skeleton, role, way, np.array([sign * BONES_M[place], 0.0, 0.0]))
    angles = fist_angles(np.arange(len(clip)) / rate)
    turns = [from_axis_angle(bend_axis(role), angles if role.endswith("R") else 0 * angles) for role in roles]
    return replace(clip, skeleton=skeleton, rotations=np.concatenate([clip.rotations, np.stack(turns, axis=1)], axis=1))
