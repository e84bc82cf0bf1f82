"""Detectors of actions at their limits: at a limit the evidence is a half, a width inside it is that of the logistic.

Every case is a pose in which all conditions of an action hold but one, which is moved by some widths into its limit.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from footfall.core.labelling.semantics.action_detectors import (
    ActionEvidence,
    detect_carry,
    detect_climb,
    detect_lean,
    detect_lie,
    detect_open,
    detect_push,
    detect_sit,
    detect_sit_ground,
)
from footfall.core.labelling.semantics.body_measures import BodyMeasures
from footfall.core.motion.rotations import Array

from .statues import (
    FRAMES,
    HOLD,
    PUSH,
    STANDING,
    TOUCH,
    Joints,
    Point,
    hands,
    lean,
    leaning,
    low_seat,
    measured,
    shoulders,
    with_mass,
)

Detector = Callable[[BodyMeasures], ActionEvidence]
Case = Callable[[float, float], BodyMeasures]
"""Measures of a body by how many widths a condition is inside its limit, and by the body's scale."""

ALWAYS = np.ones(FRAMES, dtype=bool)


def knees(left: float, right: float) -> dict[str, Point]:
    """Legs straight down from knees at some heights."""
    return {
        f"{part}.{side}": (x, 0.0, height + above)
        for side, x, height in (("L", 0.1, left), ("R", -0.1, right))
        for part, above in (("thigh", 0.42), ("shin", 0.0), ("foot", -0.42))
    }


LEANS: Mapping[str, Case] = {
    "mass over the toes": lambda x, scale: measured(lean({}, 0.14 + 0.01 * x), scale=scale),
    "left hand ahead": lambda x, scale: measured(lean({"hand.L": (0.2, -0.4 - 0.04 * x, 1.0)}), scale=scale),
    "right hand ahead": lambda x, scale: measured(lean({"hand.R": (-0.2, -0.4 - 0.04 * x, 1.0)}), scale=scale),
    "left hand up": lambda x, scale: measured(lean({"hand.L": (0.2, -0.6, 0.4 + 0.05 * x)}), scale=scale),
    "hands at rest": lambda x, scale: measured(lean({}), velocity=(0.0, 0.0, 0.12 - 0.02 * x), scale=scale),
    "hips at rest": lambda x, scale: measured(lean({}), speed=0.3 - 0.05 * x, scale=scale),
}


def push(joints: Joints, ahead: float = 0.5, scale: float = 1.0) -> BodyMeasures:
    return measured({**PUSH, **joints}, velocity=(0.0, -ahead, 0.0), scale=scale)


def pushing_hand_that_shakes(side: int) -> Case:
    """One hand goes to and fro from frame to frame: the deviation is that of 49 frames of a mean of a 49th."""

    def case(x: float, scale: float) -> BodyMeasures:
        body = push({}, scale=scale)
        place = body.clip.positions[:, [body.clip.skeleton.joint(f"hand.{side}") for side in "LR"]].copy()
        place[:, side, 1] += shaking(0.06 - 0.012 * x, body) * scale
        vars(body)["hands"] = place
        return body

    return case


def shaking(deviation: float, body: BodyMeasures) -> Array:
    """Return a shake (F) that has a deviation in a window of an adult's 0.4 s to both sides."""
    size = 2 * body.frames(0.4) + 1
    return deviation / np.sqrt(1 - 1 / size**2) * (-1.0) ** np.arange(FRAMES)


PUSHES: Mapping[str, Case] = {
    "left hand ahead": lambda x, scale: push(
        {"hand.L": (0.2, -0.8 - 0.04 * x, 1.4), "upper_arm.L": (0.2, 0.15 - 0.04 * x, 1.4)}, scale=scale
    ),
    "left arm stretched": lambda x, scale: push({"upper_arm.L": (0.2, -0.15 + 0.04 * x, 1.4)}, scale=scale),
    "left hand not over the shoulder": lambda x, scale: push({"hand.L": (0.2, -0.95, 1.55 - 0.05 * x)}, scale=scale),
    "trunk leans": lambda x, scale: push(leaning(1 - 0.03 - 0.01 * x), scale=scale),
    "left hand still": pushing_hand_that_shakes(0),
    "right hand still": pushing_hand_that_shakes(1),
    "walks": lambda x, scale: push({}, 0.1 + 0.03 * x, scale=scale),
}

CLIMBS: Mapping[str, Case] = {
    "rises": lambda x, scale: measured({}, velocity=(0.0, 0.0, 0.14 + 0.02 * x), scale=scale),
    "sinks": lambda x, scale: measured({}, velocity=(0.0, 0.0, -0.14 - 0.02 * x), scale=scale),
    "steeper than a slope": lambda x, scale: measured(
        {}, velocity=(0.6 * (0.5 - 0.03 * x) / 0.3, 0.8 * (0.5 - 0.03 * x) / 0.3, 0.5), scale=scale
    ),
}


def seated(left: float = 1.0, right: float = 1.0) -> dict[str, Point]:
    """Legs whose thighs are raised: 0 hanging, 1 level."""
    result: dict[str, Point] = {}
    for side, x, level in (("L", 0.1, left), ("R", -0.1, right)):
        ahead = 0.42 * float(np.sqrt(1 - (level - 1) ** 2))
        knee = 0.94 + 0.42 * (level - 1)
        result |= {f"shin.{side}": (x, -ahead, knee), f"foot.{side}": (x, -ahead, knee - 0.42)}
    return result


SITS: Mapping[str, Case] = {
    "thighs raised": lambda x, scale: measured(with_mass(seated(*[0.27 + 0.04 * x] * 2), 0.0), scale=scale),
    "left thigh raised": lambda x, scale: measured(seated(0.1 + 0.03 * x, 1.0), scale=scale),
    "right thigh raised": lambda x, scale: measured(seated(1.0, 0.1 + 0.03 * x), scale=scale),
    "trunk upright": lambda x, scale: measured({**seated(), **leaning(0.6 + 0.08 * x)}, scale=scale),
    "hips still": lambda x, scale: measured(
        seated(), velocity=(0.6 * (0.25 - 0.05 * x), 0.0, 0.8 * (0.25 - 0.05 * x)), scale=scale
    ),
    "mass behind the ankles": lambda x, scale: measured(with_mass(seated(), 0.42 - 0.06 - 0.02 * x), scale=scale),
    "trunk upright over hips on something": lambda x, scale: measured(
        leaning(0.6 + 0.08 * x), contacts={"hips": ALWAYS}, scale=scale
    ),
    "hips on something still": lambda x, scale: measured(
        {}, contacts={"hips": ALWAYS}, velocity=(0.25 - 0.05 * x, 0.0, 0.0), scale=scale
    ),
}

LIES: Mapping[str, Case] = {
    "hips low": lambda x, scale: measured({"hips": (0, 0, 0.35 - 0.03 * x), "head": (0, 1, 0.2)}, scale=scale),
    "head low": lambda x, scale: measured({"hips": (0, 0, 0.1), "head": (0, 1, 0.45 - 0.03 * x)}, scale=scale),
}


GROUND_SITS: Mapping[str, Case] = {
    "hips low": lambda x, scale: measured(low_seat(0.24 - 0.02 * x), scale=scale),
    "trunk upright": lambda x, scale: measured(low_seat(0.1, 0.6 + 0.08 * x), scale=scale),
    "hips still": lambda x, scale: measured(
        low_seat(0.1), velocity=(0.6 * (0.25 - 0.05 * x), 0.8 * (0.25 - 0.05 * x), 0.0), scale=scale
    ),
}


def held_hands_that_shake(axis: int) -> Case:
    """One hand shakes across the body or ahead of it."""

    def case(x: float, scale: float) -> BodyMeasures:
        body = measured(HOLD, scale=scale)
        place = body.clip.positions[:, [body.clip.skeleton.joint(f"hand.{side}") for side in "LR"]].copy()
        place[:, 0, axis] += shaking(0.065 - 0.012 * x, body) * scale
        vars(body)["hands"] = place
        return body

    return case


FLOOR: Joints = {
    **low_seat(0.6, 0.5),
    **knees(0.5, 0.5),
    **hands((0.2, 0.2, 0.1), (-0.2, 0.2, 0.7)),
    **shoulders((0.2, 0.0, 0.8), (-0.2, 0.0, 0.8)),
}
SHELF: Joints = hands((0.2, 0.2, 1.7), (-0.2, 0.2, 0.8))

CARRIES: Mapping[str, Case] = {
    "left hand ahead": lambda x, scale: measured({**HOLD, "hand.L": (0.2, -0.05 - 0.05 * x, 1.2)}, scale=scale),
    "left arm bent": lambda x, scale: measured(
        {**HOLD, "upper_arm.L": (0.2, -0.4 + 0.93 - 0.015 * x, 1.2)}, scale=scale
    ),
    "left hand not low": lambda x, scale: measured({**HOLD, "hand.L": (0.2, -0.4, 0.8 + 0.05 * x)}, scale=scale),
    "left hand not high": lambda x, scale: measured({**HOLD, "hand.L": (0.2, -0.4, 2.0 - 0.05 * x)}, scale=scale),
    "hands not far apart": lambda x, scale: measured(
        hands((0.6 - 0.05 * x, -0.4, 1.2), (-0.6 + 0.05 * x, -0.4, 1.2)), scale=scale
    ),
    "trunk upright": lambda x, scale: measured({**HOLD, **leaning(0.7 + 0.05 * x)}, scale=scale),
    "hands keep their distance": held_hands_that_shake(0),
    "hands do not swing": held_hands_that_shake(1),
    "runs with hands on something that is not low": lambda x, scale: measured(
        {
            **low_seat(0.3),
            **shoulders((0.2, 0.0, 0.6), (-0.2, 0.0, 0.6)),
            **hands((0.2, -0.4, 0.4 + 0.05 * x), (-0.2, -0.4, 0.3)),
        },
        contacts={"hand.R": ALWAYS},
        gaits={"run": 1.0},
        scale=scale,
    ),
    "hand near the floor": lambda x, scale: measured({**FLOOR, "hand.L": (0.2, 0.2, 0.36 - 0.03 * x)}, scale=scale),
    "left knee off the floor": lambda x, scale: measured({**FLOOR, **knees(0.22 + 0.03 * x, 0.5)}, scale=scale),
    "right knee off the floor": lambda x, scale: measured({**FLOOR, **knees(0.5, 0.22 + 0.03 * x)}, scale=scale),
    "hips off the floor": lambda x, scale: measured({**FLOOR, **low_seat(0.3 + 0.03 * x, 0.5)}, scale=scale),
    "slow over the floor": lambda x, scale: measured(FLOOR, velocity=(0.6 - 0.08 * x, 0.0, 0.0), scale=scale),
    "bends to the floor": lambda x, scale: measured({**FLOOR, **low_seat(0.6, 0.88 - 0.03 * x)}, scale=scale),
    "hand at the shelf": lambda x, scale: measured({**SHELF, "hand.L": (0.2, 0.2, 1.52 + 0.03 * x)}, scale=scale),
    "other hand hangs": lambda x, scale: measured({**SHELF, "hand.R": (-0.2, 0.2, 1.0 - 0.05 * x)}, scale=scale),
    "slow before the shelf": lambda x, scale: measured(SHELF, velocity=(0.0, 0.6 - 0.08 * x, 0.0), scale=scale),
}

OPEN: Joints = {
    **hands((0.2, -0.9, 1.2), (-0.2, 0.0, 0.8)),
    **shoulders((0.2, -0.2, 1.4), (-0.2, -0.2, 1.4)),
}
OPENS: Mapping[str, Case] = {
    "hand held out": lambda x, scale: measured({**OPEN, "hand.L": (0.2, -0.7 - 0.05 * x, 1.2)}, scale=scale),
    "other hand not": lambda x, scale: measured({**OPEN, "hand.R": (-0.2, -0.45 + 0.05 * x, 0.8)}, scale=scale),
    "hand over the hips": lambda x, scale: measured({**OPEN, "hand.L": (0.2, -0.8, 0.9 + 0.05 * x)}, scale=scale),
    "hand not over the shoulders": lambda x, scale: measured(
        {**OPEN, "hand.L": (0.2, -0.9, 1.5 - 0.05 * x)}, scale=scale
    ),
    "hand rests": lambda x, scale: measured(OPEN, velocity=(0.4 - 0.04 * x, 0.0, 0.0), scale=scale),
    "left foot not lifted": lambda x, scale: measured({**OPEN, **knees(0.77 - 0.03 * x, 0.52)}, scale=scale),
    "right foot not lifted": lambda x, scale: measured({**OPEN, **knees(0.52, 0.77 - 0.03 * x)}, scale=scale),
    "slow": lambda x, scale: measured(OPEN, speed=0.8 - 0.1 * x, scale=scale),
    "trunk upright": lambda x, scale: measured({**OPEN, **leaning(0.85 + 0.03 * x)}, scale=scale),
    "touching hand over the hips": lambda x, scale: measured(
        {**TOUCH, "hand.L": (0.2, -0.1, 0.9 + 0.05 * x)}, contacts={"hand.L": ALWAYS}, scale=scale
    ),
    "touching hand not over the shoulders": lambda x, scale: measured(
        {**TOUCH, "hand.L": (0.2, -0.1, 1.5 - 0.05 * x)}, contacts={"hand.L": ALWAYS}, scale=scale
    ),
    "touching hand over the ground": lambda x, scale: measured(
        {
            **low_seat(0.3),
            **hands((0.2, -0.1, 0.4 + 0.05 * x), (-0.2, 0.0, 0.2)),
            **shoulders((0.2, 0, 0.7), (-0.2, 0, 0.7)),
        },
        contacts={"hand.R": ALWAYS},
        scale=scale,
    ),
}

CASES = {
    f"{action}: {name}": (detector, case)
    for action, detector, cases in (
        ("lean", detect_lean, LEANS),
        ("push", detect_push, PUSHES),
        ("climb", detect_climb, CLIMBS),
        ("sit", detect_sit, SITS),
        ("lie", detect_lie, LIES),
        ("sit_ground", detect_sit_ground, GROUND_SITS),
        ("carry", detect_carry, CARRIES),
        ("open", detect_open, OPENS),
    )
    for name, case in cases.items()
}


@pytest.mark.parametrize("scale", [1.0, 0.25], ids=["adult", "quarter"])
@pytest.mark.parametrize("detector, case", CASES.values(), ids=CASES.keys())
def test_at_a_limit_the_evidence_is_a_half(detector: Detector, case: Case, scale: float) -> None:
    middle = slice(40, 81)
    for widths in (-1.0, 0.0, 1.0):
        evidence = detector(case(widths, scale)).evidence[middle]
        np.testing.assert_allclose(evidence, expit(widths), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "detector, joints, ahead",
    [
        (detect_push, PUSH, 0.5),
        (detect_carry, HOLD, 0.0),
        (detect_open, OPEN, 0.0),
        (detect_lean, lean({}), 0.0),
    ],
    ids=["push", "carry", "open", "lean"],
)
def test_a_jog_and_a_run_together_take_from_the_evidence(detector: Detector, joints: Joints, ahead: float) -> None:
    body = measured(joints, velocity=(0.0, -ahead, 0.0), gaits={"jog": 0.25, "run": 0.35})
    np.testing.assert_allclose(detector(body).evidence, 0.4, rtol=0, atol=1e-9)


def test_a_crouch_takes_from_the_evidence_of_climbing_and_leaning() -> None:
    rising = measured({}, velocity=(0.0, 0.0, 0.5), gaits={"crouch": 0.4})
    np.testing.assert_allclose(detect_climb(rising).evidence, 0.6, rtol=0, atol=1e-9)
    np.testing.assert_allclose(detect_lean(measured(lean({}), gaits={"crouch": 0.4})).evidence, 0.6, rtol=0, atol=1e-9)


def test_half_a_second_about_a_jump_is_no_climb() -> None:
    body = measured({}, velocity=(0.0, 0.0, 0.5), gaits={"jump": np.arange(FRAMES) == 60})
    evidence = detect_climb(body).evidence
    assert evidence[30:91].max() == 0.0
    assert evidence[[29, 91]].min() > 0.9


def test_hips_that_sink_while_feet_rise_do_not_climb() -> None:
    body = measured({}, velocity=(0.0, 0.0, 0.5))
    vars(body)["hips"] = body.hips * [1.0, 1.0, -1.0]
    np.testing.assert_allclose(detect_climb(body).evidence, expit(-0.14 / 0.02), rtol=0, atol=1e-9)


def without_arms(joints: Joints) -> BodyMeasures:
    body = measured(joints)
    vars(body)["hands"] = None
    return body


@pytest.mark.parametrize("detector", [detect_push, detect_lean, detect_carry, detect_open])
def test_bodies_without_arms_do_nothing_with_their_hands(detector: Detector) -> None:
    found = detector(without_arms({}))
    assert not found.evidence.any() and not found.state.any()


def test_a_body_without_head_and_neck_does_not_lie() -> None:
    body = measured({"hips": (0.0, 0.0, 0.1), "head": (0.0, 1.0, 0.1)})
    assert detect_lie(body).state.all()
    roles = {role: joint for role, joint in body.clip.skeleton.roles.items() if role not in ("head", "neck")}
    headless = replace(body.clip, skeleton=replace(body.clip.skeleton, roles=roles))
    assert not detect_lie(BodyMeasures(headless, body.gaits, np.zeros((FRAMES, 2)), {})).evidence.any()


def test_a_statue_stands_as_it_is_told() -> None:
    body = measured({**HOLD, **leaning(0.6)})
    assert body.arm_length == pytest.approx(1.0) and body.leg_length == pytest.approx(0.84)
    np.testing.assert_allclose(body.joint("hand.L"), np.tile(HOLD["hand.L"], (FRAMES, 1)), atol=1e-12)
    np.testing.assert_allclose(body.joint("foot.R"), np.tile(STANDING["foot.R"], (FRAMES, 1)), atol=1e-12)
    np.testing.assert_allclose(body.trunk_cosine, 0.6)
