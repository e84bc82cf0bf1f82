"""The points of a person, the source of joints for every human rig type: meters, Z up, facing -Y, left at +X."""

from collections.abc import Mapping

import numpy as np

from ...core.motion.rotations import Array
from .variety import Variety

FINGERS = {"thumb": -0.032, "index": -0.022, "middle": 0.0, "ring": 0.018, "pinky": 0.036}
"""Fingers and their distances behind the middle one, meters."""


def person(variety: Variety) -> Mapping[str, Array]:
    """Return the points of a person by name: trunk and head, and both sides with ``.L`` and ``.R``."""
    points: dict[str, Array] = {"ground": np.zeros(3)}
    left = _side(variety)
    pelvis = np.array([0.0, 0.01, left["hip"][2] + 0.06])
    trunk, tall = 0.5 * variety.trunk, 0.5 * variety.trunk + 0.5
    points["pelvis"] = pelvis
    for share in range(11):
        curve = 0.035 * np.sin(2 * np.pi * share / 10)
        points[f"trunk.{share}"] = pelvis + np.array([0.0, curve, trunk * share / 10])
        points[f"neck.{share}"] = pelvis + np.array([0.0, -0.03 * share / 10, trunk + 0.1 * tall * share / 10])
    points["head"] = points["neck.10"]
    for name, offset in {"crown": (0, 0.0, 0.19), "jaw": (0, -0.02, 0.0), "chin": (0, -0.1, -0.03)}.items():
        points[name] = points["head"] + np.array(offset) * variety.head
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name, place in left.items():
            points[f"{name}.{side}"] = place * np.array([sign, 1.0, 1.0])
        for name, offset in {"eye": (0.03, -0.08, 0.07), "ear": (0.08, 0.0, 0.06)}.items():
            points[f"{name}.{side}"] = points["head"] + np.array(offset) * variety.head * np.array([sign, 1.0, 1.0])
        for joint in range(1, 5):  # long hair, tied on both sides
            hair = np.array([sign * (0.05 + 0.02 * joint), 0.05 * joint, -0.16 * joint])
            points[f"hair.{joint}.{side}"] = points[f"ear.{side}"] + hair
    return points


def _side(variety: Variety) -> dict[str, Array]:
    """Return the points of the left side."""
    spread, bend = np.radians(variety.spread), np.radians(variety.bend)
    down = np.array([np.sin(spread), 0.0, -np.cos(spread)])
    ahead = np.array([0.0, -1.0, 0.0])
    thigh, shin, foot = 0.42 * variety.legs, 0.41 * variety.legs, variety.feet
    knee = thigh * (np.cos(bend / 2) * down + np.sin(bend / 2) * ahead)
    ankle = knee + shin * (np.cos(bend / 2) * down - np.sin(bend / 2) * ahead)
    height = 0.08 * foot - ankle[2]
    hip = np.array([0.09 * variety.width, 0.0, height])
    points = {"hip": hip, "knee": hip + knee, "ankle": hip + ankle}
    for name, offset in {
        "ball": (0.01, -0.125, -0.06),
        "toe": (0.01, -0.2, -0.065),
        "heel": (0.0, 0.05, -0.08),
        "skirt.1": (0.02, -0.09, -0.05),
        "skirt.2": (0.03, -0.12, -0.17),
        "skirt.3": (0.04, -0.14, -0.3),
        "heel.in": (-0.04, 0.05, -0.08),
        "heel.out": (0.04, 0.05, -0.08),
    }.items():
        start = hip if name.startswith("skirt") else points["ankle"]
        points[name] = start + np.array(offset) * foot
    top = height + 0.06 + 0.5 * variety.trunk
    points["collar"] = np.array([0.02 * variety.width, -0.02, top - 0.06])
    points["shoulder"] = np.array([0.18 * variety.width, 0.02, top - 0.05])
    points["breast"] = np.array([0.1 * variety.width, -0.1, top - 0.2 * variety.trunk])
    points["breast.tip"] = points["breast"] + np.array([0.0, -0.1, 0.0])
    points["pelvis.side"] = hip + np.array([0.03, -0.04, 0.12])
    points |= _arm(points["shoulder"], variety)
    return points


def _arm(shoulder: Array, variety: Variety) -> dict[str, Array]:
    """Return the points of the left arm and hand."""
    hang, bend, size = np.radians(variety.arms), np.radians(variety.bend), variety.arm_length
    ahead = np.radians(variety.ahead)
    along = np.array([np.cos(hang) * np.cos(ahead), -np.cos(hang) * np.sin(ahead), -np.sin(hang)])
    back = np.array([np.sin(ahead), np.cos(ahead), 0.0])
    upper = np.cos(bend / 2) * along + np.sin(bend / 2) * back
    lower = np.cos(bend / 2) * along - np.sin(bend / 2) * back
    elbow = shoulder + 0.28 * size * upper
    wrist = elbow + 0.25 * size * lower
    points = {"elbow": elbow, "wrist": wrist, "hand": wrist + 0.09 * size * lower}
    for finger, behind in FINGERS.items():
        thumb = finger == "thumb"
        way = lower if not thumb else 0.75 * lower - 0.66 * back
        for joint, distance in enumerate(
            (0.02, 0.09, 0.13, 0.155, 0.175) if not thumb else (0.02, 0.035, 0.07, 0.1, 0.12)
        ):
            points[f"{finger}.{joint}"] = wrist + size * (distance * way + behind * back * (1.0 if joint else 0.6))
    return points
