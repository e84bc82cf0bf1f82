"""The ball of a previewed walk as a sphere: dribbled by the network, or played."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .....core.ball.dribbled_ball import DribbledBall
from .....core.control.ball.accompaniment import ball_of
from .....core.control.ball.ball_channels import BallRules
from .....core.control.ball.ball_play import play_ball
from .....core.control.ball.told_ball import told_ball
from .....core.control.walk.path_walk import WalkRollout
from .....core.control.walk.rollout_trace import RolloutTrace
from .....core.motion import Clip
from .....core.motion.root_frame import out_of_frame
from .....core.motion.rotations import Array

COLOR: Final = (0.85, 0.4, 0.15, 1.0)
DARKEST: Final = 0.45
"""Brightness of the lowest point of the sphere, relative to the highest."""
MERIDIANS, PARALLELS = 16, 10
SHOWN_WEIGHT: Final = 0.5
"""Control weight above which the network has a ball."""


def ball_place(walk: WalkRollout, trace: RolloutTrace, frame: int) -> Array | None:
    """Return the ball's center (3) at a frame, meters at the controller's scale; `None` if the network has no ball."""
    ball = ball_of(walk.plan)
    if ball is None or ball.dribble is None:
        return None
    steps = trace.from_frame(frame).before_frame(1).frames
    output = steps.output.astype(float)
    if float(walk.model.output_layout.view(output, "ball.weight").max()) < SHOWN_WEIGHT:
        return None
    place = BallRules.of(walk.model).answer(walk.model, output)[0]
    root = np.array([*steps.position[0], float(steps.height[0])])
    return root + out_of_frame(place, np.asarray(steps.yaw[0]))


def played_walk(walk: WalkRollout) -> tuple[Clip, DribbledBall] | None:
    """Return a whole walk and its ball play, in controller meters; `None` if it has no ball play.

    Feet are not locked, and the body is the controller's.

    Args:
        walk: the walk, with all its frames.

    Raises:
        FootfallError: a target is out of reach.
    """
    ball, trace = ball_of(walk.plan), walk.trace
    if ball is None or ball.play is None:
        return None
    told = ball.dribble and told_ball(walk.model, ball.dribble, walk.plan.timing, trace, 1.0)
    kit = replace(ball.play.kit, radius=ball.play.kit.radius / walk.scale)
    floor = float(walk.profile.heights.mean())
    play = replace(ball.play, kit=kit)
    return play_ball(walk.decode_walk(), play, trace.planned_lengths, told, walk.model.skeleton, 1.0, floor)


def ball_radius(walk: WalkRollout) -> float:
    """Return the radius of a walk's ball, world meters; 0 without a ball."""
    ball = ball_of(walk.plan)
    return 0.0 if ball is None else ball.radius


def sphere(center: Array, radius: float) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
    """Return the vertices (N, 3), colors (N, 4) and triangles (T, 3) of a ball.

    Args:
        center: (3) center, meters.
        radius: meters.
    """
    around, down = np.meshgrid(np.linspace(0, 2 * np.pi, MERIDIANS + 1), np.linspace(0, np.pi, PARALLELS + 1))
    unit = np.stack([np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)], axis=-1).reshape(
        -1, 3
    )
    light = DARKEST + (1.0 - DARKEST) * 0.5 * (1.0 + unit[:, 2:])
    colors = np.column_stack([light * COLOR[:3], np.ones(len(unit))])
    rows, columns = (index.ravel() for index in np.mgrid[:PARALLELS, :MERIDIANS])
    first = rows * (MERIDIANS + 1) + columns
    below = first + MERIDIANS + 1
    triangles = np.concatenate([np.stack([first, below, below + 1], -1), np.stack([first, below + 1, first + 1], -1)])
    return (center + radius * unit).astype(np.float32), colors.astype(np.float32), triangles.astype(np.int32)
