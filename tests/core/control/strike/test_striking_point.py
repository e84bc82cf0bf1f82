"""The point that strikes in a network's pose: a joint as the output has it, or the tip of the weapon that it holds."""

from dataclasses import replace

import numpy as np

from footfall.core.control.strike.striking_point import striking_point
from footfall.core.features.locomotion import output_layout
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array, log, rotation_about_up
from footfall.core.motion.weapons import with_weapon
from footfall.tests.core.control.conftest import answering

BLADE = np.array([0.0, 0.6, 0.0])


def armed() -> ControllerModel:
    """A controller whose right hand holds a blade that points ahead where nothing is turned."""
    model = answering()
    skeleton = with_weapon(model.skeleton, "hand.R", np.zeros(3), BLADE)
    joints = (*model.joints, skeleton.names[-1])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(joints), 1)).astype(np.float32)
    return replace(
        model, skeleton=skeleton, joints=joints, output_layout=output_layout(joints), reference_rotations=still
    )


def outputs(model: ControllerModel, turns: Array) -> np.ndarray:
    """Outputs (N, m) whose joint n is at (n, 0, 1), and whose weapon is turned to the left by angles (N)."""
    y = np.zeros((len(turns), model.output_layout.size), dtype=np.float32)
    places = model.output_layout.view(y, "pose.position")
    places[..., 0], places[..., 2] = np.arange(len(model.joints)), 1.0
    model.output_layout.view(y, "pose.rotation")[:, -1] = log(rotation_about_up(turns))
    return y


def test_a_bare_hand_strikes_at_its_joint() -> None:
    model = armed()
    number = model.joints.index(model.skeleton.names[model.skeleton.joint("hand.L")])
    places = striking_point(model, outputs(model, np.array([0.0, 0.5])), "hand.L")
    np.testing.assert_array_equal(places, [[number, 0.0, 1.0]] * 2)


def test_a_hand_that_holds_a_blade_strikes_at_its_tip_which_turns_with_it() -> None:
    model = armed()
    places = striking_point(model, outputs(model, np.array([0.0, np.pi / 2])), "hand.R")
    number = len(model.joints) - 1
    np.testing.assert_allclose(places, [[number, 0.6, 1.0], [number - 0.6, 0.0, 1.0]], atol=1e-6)
