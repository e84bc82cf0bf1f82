"""Detectors of actions at their limits: at a limit the evidence is a half, a width inside it is that of the logistic.

Every case is a pose in which all conditions of an action hold but one, which is moved by some widths into its limit.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.labelling.semantics.action_detectors import (
    ActionEvidence,
    detect_carry,
    detect_lean,
    detect_lie,
    detect_open,
    detect_push,
)
from footfall.core.labelling.semantics.body_measures import BodyMeasures

from .statues import (
    FRAMES,
    HOLD,
    PUSH,
    Joints,
    hands,
    lean,
    measured,
    shoulders,
)

Detector = Callable[[BodyMeasures], ActionEvidence]


def push(joints: Joints, ahead: float = 0.5, scale: float = 1.0) -> BodyMeasures:
    return measured({**PUSH, **joints}, velocity=(0.0, -ahead, 0.0), scale=scale)


OPEN: Joints = {
    **hands((0.2, -0.9, 1.2), (-0.2, 0.0, 0.8)),
    **shoulders((0.2, -0.2, 1.4), (-0.2, -0.2, 1.4)),
}


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


def test_a_body_without_head_and_neck_does_not_lie() -> None:
    body = measured({"hips": (0.0, 0.0, 0.1), "head": (0.0, 1.0, 0.1)})
    assert detect_lie(body).state.all()
    roles = {role: joint for role, joint in body.clip.skeleton.roles.items() if role not in ("head", "neck")}
    headless = replace(body.clip, skeleton=replace(body.clip.skeleton, roles=roles))
    assert not detect_lie(BodyMeasures(headless, body.gaits, np.zeros((FRAMES, 2)), {})).evidence.any()
