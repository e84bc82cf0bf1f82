"""Controllers that answer with constants: their motion is a closed form."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.features.locomotion import input_layout, output_layout, pose_joints
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.pfnn import PfnnArchitecture, PfnnWeights
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.walker import BALL, person

GAITS = ("stand", "walk", "run", "crouch")
HIPS = 0.1 + 0.84 + 0.045 + BALL
"""Height of the hips over straight legs, meters."""


def answering(
    velocity: tuple[float, float] = (0.0, 0.0),
    turn: float = 0.0,
    phase_rate: float = 1.0,
    contacts: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    noise: float = 0.0,
    gaits: tuple[str, ...] = GAITS,
) -> ControllerModel:
    """A controller of the walker's skeleton that stands stiffly and moves its root in one way, whatever it is asked.

    Args:
        velocity: to the right and forwards, m/s.
        turn: to the left, rad/s.
        phase_rate: cycles a second.
        contacts: left heel, left toe, right heel, right toe.
        noise: how strongly made-up weights disturb the answer; it depends on the input and the phase then.
        gaits: that it knows.
    """
    skeleton = person()
    joints = pose_joints(skeleton)
    x_layout, y_layout = input_layout(joints, gaits), output_layout(joints)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(joints), 1))
    half_turn = rotation_about_up(np.array(np.pi))
    rest = np.zeros((len(joints), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        rest[joint] = rest[parent] + skeleton.offsets[joint]
    # At rest the person looks along -Y; the root's frame has forwards along +Y.
    pose = rest * [-1.0, -1.0, 1.0] + [0.0, 0.0, HIPS]
    answer = np.zeros(y_layout.size, dtype=np.float32)
    y_layout.view(answer, "root.velocity")[:] = velocity
    y_layout.view(answer, "root.angular_velocity")[:] = turn
    y_layout.view(answer, "phase.rate")[:] = phase_rate
    y_layout.view(answer, "contact")[:] = contacts
    y_layout.view(answer, "trajectory.direction")[:] = facing_direction(np.zeros(5))
    y_layout.view(answer, "pose.position")[:] = pose
    rng = np.random.default_rng(7)
    shapes = PfnnWeights.shapes(x_layout.size, 16, y_layout.size)
    tensors = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    return ControllerModel(
        architecture=PfnnArchitecture(hidden=16),
        tensors=tensors,
        input_layout=x_layout,
        output_layout=y_layout,
        x_mean=np.zeros(x_layout.size, np.float32),
        x_std=np.ones(x_layout.size, np.float32),
        y_mean=answer,
        y_std=np.full(y_layout.size, noise, np.float32),
        skeleton=skeleton,
        joints=joints,
        reference_rotations=np.tile(half_turn, (len(joints), 1)).astype(np.float32),
        gaits=gaits,
        rate=60.0,
        start={
            "position": pose.astype(np.float32),
            "velocity": np.zeros_like(pose, dtype=np.float32),
            "rotation": rotations.astype(np.float32),
            "phase": np.float32(0.25),
        },
    )


@pytest.fixture(scope="session")
def controller() -> Callable[..., ControllerModel]:
    return answering
