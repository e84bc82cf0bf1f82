"""The dribbled ball as the controller predicts it, read from the frames of a roll-out."""

import numpy as np

from ...ball.dribbled_ball import ToldBall
from ...features.phase_system import sensor_contacts
from ...models.model_file import ControllerModel
from ...motion.root_frame import out_of_frame
from ..path.velocity_profile import Timing
from ..walk.rollout_trace import RolloutTrace
from .ball_channels import BallRules
from .dribble import DribblePlan


def told_ball(
    model: ControllerModel, dribble: DribblePlan, timing: Timing, trace: RolloutTrace, scale: float
) -> ToldBall:
    """Return the ball as the controller predicts it at each frame of a walk: its touching hands and its centers.

    Args:
        model: the controller.
        dribble: the dribble by frames of the timing.
        timing: the timing of the walk.
        trace: the recorded frames of the walk's roll-out.
        scale: world meters per meter at the controller's scale.
    """
    rules, outputs = BallRules.of(model), trace.frames.output.astype(float)
    offsets = rules.answer(model, outputs)[:, None] - rules.places(model, outputs)
    frames = np.searchsorted(timing.distances, trace.planned_lengths)
    sides = dribble.sides[np.minimum(frames, len(dribble.sides) - 1)]
    touching = sensor_contacts(model.output_layout, outputs)[:, list(rules.sensors)]
    return ToldBall(touching, scale * out_of_frame(offsets, trace.frames.yaw[:, None]), sides)
