"""Twist bones: each takes its share of a limb's turn about itself, and joints stay where they are."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY, Array, exp, from_axis_angle, inverse, log, multiply
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.retarget import retarget
from footfall.core.retarget.twist import distribute_twist, twist_component
from footfall.tests.support.walker import Walker, person

X = np.eye(3)[0]
PLACES = (0.0, 0.25, 0.5, 1.0)
LIMBS = {"upper_arm": "forearm", "forearm": "hand", "thigh": "shin", "shin": "foot"}
# Both of a limb that twist bones lie in: whose turn they share, and how much of it at these places.
SHARED = {"upper_arm": "upper_arm", "forearm": "hand", "thigh": "thigh", "shin": "foot"}


def twisting(places: tuple[float, ...] = PLACES) -> Skeleton:
    """The person with twist bones at these shares of every limb; they come last."""
    body = person()
    names, parents, roles = list(body.names), list(body.parents), dict(body.roles)
    offsets = list(body.offsets)
    for side in "LR":
        for limb, end in LIMBS.items():
            for number, share in enumerate(places, start=1):
                name = f"{limb}_twist{f'_{number}' if number > 1 else ''}.{side}"
                roles[name] = len(names)
                names.append(name)
                parents.append(body.roles[f"{limb}.{side}"])
                offsets.append(body.offsets[body.roles[f"{end}.{side}"]] * share)
    return Skeleton(tuple(names), tuple(parents), np.array(offsets), np.zeros((len(names), 3)), roles)


def twists(skeleton: Skeleton, limb: str, side: str = "L") -> list[int]:
    """A limb's twist bones, from the body outwards."""
    return [joint for role, joint in skeleton.roles.items() if role.startswith(f"{limb}_twist") and role[-1] == side]


def spread(skeleton: Skeleton, joint: int, turn: Array, whole: Array = IDENTITY) -> Array:
    """World rotations (J, 4) of a body at rest, with one joint turned, and then all of the body."""
    rotations = np.tile(IDENTITY, (1, len(skeleton), 1))
    rotations[:, joint] = turn
    rotations[:, 0] = whole
    world = Clip(skeleton, 60.0, np.zeros((1, 3)), rotations).world[1].copy()
    distribute_twist(skeleton, world)
    return world[0]


def turned(skeleton: Skeleton, world: Array, joints: list[int]) -> Array:
    """How far joints are turned from their parents, exponential maps (K, 3)."""
    above = world[[skeleton.parents[joint] for joint in joints]]
    return log(multiply(inverse(above), world[joints]))


angles = st.floats(-3.0, 3.0)
vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3).map(np.array)
axes = st.tuples(st.sampled_from([0, 1, 2]), vectors).map(lambda drawn: 2 * np.eye(3)[drawn[0]] + drawn[1])


@given(axes, vectors, angles, st.floats(-2.5, 2.5))
def test_a_rotation_is_a_swing_after_a_twist(axis: Array, other: Array, twist: float, swing: float) -> None:
    unit = axis / np.linalg.norm(axis)
    aside = np.cross(unit, other)
    length = np.linalg.norm(aside)
    swung = from_axis_angle(aside / length, swing) if length > 1e-3 else IDENTITY
    found = twist_component(multiply(swung, from_axis_angle(unit, twist))[None], axis)[0]
    np.testing.assert_allclose(log(found), unit * twist, atol=1e-7)


@given(st.sampled_from(list(LIMBS)), st.sampled_from("LR"), angles, vectors)
@example("forearm", "L", 1.0, np.zeros(3))
@example("upper_arm", "R", 1.0, np.zeros(3))
def test_twist_is_shared_by_place(limb: str, side: str, angle: float, whole: Array) -> None:
    """At the shoulder none of the arm's turn, at the elbow all of it; from the elbow on as much of the hand's."""
    skeleton = twisting()
    along = skeleton.offsets[skeleton.roles[f"{LIMBS[limb]}.{side}"]]
    along = along / np.linalg.norm(along)
    whole = exp(2 * whole)
    world = spread(skeleton, skeleton.roles[f"{SHARED[limb]}.{side}"], from_axis_angle(along, angle), whole)
    joints = twists(skeleton, limb, side)
    unturned = multiply(inverse(whole), world[joints])
    np.testing.assert_allclose(log(unturned), np.outer(PLACES, along * angle), atol=1e-7)


@pytest.mark.parametrize("limb", LIMBS)
def test_a_swing_leaves_twist_bones_in_their_limb(limb: str) -> None:
    skeleton = twisting()
    along = skeleton.offsets[skeleton.roles[f"{LIMBS[limb]}.L"]]
    swing = from_axis_angle(np.cross(along, [0.0, 1.0, 0.0]) / np.linalg.norm(along), 0.8)
    world = spread(skeleton, skeleton.roles[f"{SHARED[limb]}.L"], swing)
    np.testing.assert_allclose(turned(skeleton, world, twists(skeleton, limb)), 0.0, atol=1e-9)


def test_a_clip_on_a_body_with_twist_bones_moves_its_joints_alike() -> None:
    clip, target = Walker(seconds=0.5, turn=0.4).clip(), twisting()
    hand = person().roles["hand.L"]
    clip.rotations[:, hand] = from_axis_angle(X, np.linspace(0, 1.5, len(clip)))
    there = retarget(clip, calibrate(clip.skeleton, target))
    np.testing.assert_allclose(there.positions[:, : len(clip.skeleton)], clip.positions, atol=1e-6)
    forearm = twists(target, "forearm")
    np.testing.assert_allclose(
        log(there.rotations[:, forearm])[..., 0], np.outer(np.linspace(0, 1.5, len(clip)), PLACES), atol=1e-6
    )
