"""Animals on four legs."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from ...core.motion.rotations import Array
from .rig_type import RigType, bones
from .variety import Variety


def dog(variety: Variety) -> Mapping[str, Array]:
    """Return the points of a dog by name: meters, Z up, facing -Y, left at +X."""
    legs, trunk, head = variety.legs, variety.trunk, variety.head
    high = 0.55 * legs
    points: dict[str, Array] = {"ground": np.zeros(3)}
    rump, withers = np.array([0.0, 0.35 * trunk, high + 0.02]), np.array([0.0, -0.25 * trunk, high + 0.05])
    for share in range(11):
        sag = -0.02 * np.sin(np.pi * share / 10)
        points[f"trunk.{share}"] = rump + (withers - rump) * share / 10 + np.array([0.0, 0.0, sag])
    skull = withers + np.array([0.0, -0.18, 0.22]) * variety.arm_length
    for share in range(11):
        points[f"neck.{share}"] = withers + (skull - withers) * share / 10
    points["head"] = skull
    points["nose"] = skull + np.array([0.0, -0.18, -0.04]) * head
    start = rump + np.array([0.0, 0.06, 0.0])
    end = start + np.array([0.0, 0.25, 0.12 - 0.004 * variety.arms]) * variety.feet
    for share in range(11):
        points[f"tail.{share}"] = start + (end - start) * share / 10
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name, place in _legs(variety, high, rump[1], withers[1]).items():
            points[f"{name}.{side}"] = place * np.array([sign, 1.0, 1.0])
        points[f"ear.{side}"] = skull + np.array([sign * 0.04, 0.0, 0.07]) * head
    return points


def _legs(variety: Variety, high: float, rump: float, withers: float) -> dict[str, Array]:
    """Return the points of the left legs: hock and wrist off the ground, paws flat on it."""
    legs, across = variety.legs, 0.07 * variety.width
    hind = {
        "hip": (0.0, -0.03),
        "knee": (-0.1, 0.30 / 0.55 * high - high + 0.02),
        "hock": (0.06, 0.14 / 0.55 * high - high),
        "paw": (0.02, 0.03 - high),
        "paw.tip": (-0.06, 0.005 - high),
    }
    front = {
        "scapula": (0.02, 0.02),
        "shoulder": (-0.08, -0.13),
        "elbow": (0.02, -0.25 * legs - 0.02),
        "wrist": (0.0, 0.12 - high),
        "front.paw": (-0.02, 0.03 - high),
        "front.tip": (-0.1, 0.005 - high),
    }
    points = {name: np.array([across, rump + y * legs, high + z]) for name, (y, z) in hind.items()}
    points |= {name: np.array([across, withers + y * legs, high + z]) for name, (y, z) in front.items()}
    points["scapula"] = points["scapula"] * np.array([0.6, 1.0, 1.0])
    return points


MANN: Final = """
Hips - trunk.0 trunk.4
Spine Hips trunk.4
Spine1 Spine trunk.7
Neck Spine1 neck.0
Head Neck head nose
{S}Shoulder Spine1 scapula.S
{S}Arm {S}Shoulder shoulder.S
{S}ForeArm {S}Arm elbow.S
{S}Hand {S}ForeArm wrist.S front.tip.S
{S}UpLeg Hips hip.S
{S}Leg {S}UpLeg knee.S
{S}Foot {S}Leg hock.S paw.tip.S
Tail Hips tail.0 tail.5
Tail1 Tail tail.5 tail.10
"""

QUADRUPED: Final = """
spine.004 - trunk.0 trunk.1
spine.003 spine.004 trunk.0 tail.1
spine.002 spine.003 tail.1
spine.001 spine.002 tail.4
spine spine.001 tail.7 tail.10
spine.005 spine.004 trunk.1
spine.006 spine.005 trunk.3
spine.007 spine.006 trunk.5
spine.008 spine.007 trunk.7
spine.009 spine.008 neck.0
spine.010 spine.009 neck.5
spine.011 spine.010 head nose
shoulder.{S} spine.008 scapula.S shoulder.S
front_thigh.{S} shoulder.{S} shoulder.S
front_shin.{S} front_thigh.{S} elbow.S
front_foot.{S} front_shin.{S} wrist.S
front_toe.{S} front_foot.{S} front.paw.S front.tip.S
breast.{S} spine.008 trunk.8~shoulder.S~0.6 trunk.9~shoulder.S~0.9
pelvis.{S} spine.005 trunk.1~hip.S~0.5 trunk.1~hip.S~1.3
thigh.{S} spine.005 hip.S
shin.{S} thigh.{S} knee.S
foot.{S} shin.{S} hock.S
toe.{S} foot.{S} paw.S paw.tip.S
"""

ANIMALS: Final = (
    RigType("Dog of MANN", "mann_dog", bones(MANN, ("Left", "Right")), dog),
    RigType("Rigify metarig, four legs", "rigify_quadruped_metarig", bones(QUADRUPED), dog),
)
