"""Bidirectional control (Starke et al. 2019, NSM, section 4.2): predictions from the goal and from the future root.

A prediction relative to the goal, or to the future root, does not accumulate errors of the root. Blended with the
prediction relative to the current root, it leads the character to the goal.
"""

import numpy as np
from numpy.typing import NDArray

from ...features.interaction import FUTURE_OFFSETS_FRAMES, PREDICTION_HORIZON_FRAMES, TimeSeries
from ...features.layout import Layout
from ...motion.root_frame import into_frame, out_of_frame, yaw_of
from ...motion.rotations import Array
from .time_series import normalize_directions


def goal_shares(positions: Array, goal_positions: Array) -> Array:
    """Return the weights lambda (B, 6) of the goal-centric prediction, from each sample's distance to its goal.

    Lambda is the linear weight w of a sample, which grows along the future, to the power of the squared distance d: 1
    near the goal, 0 far from it. The paper's released code implements ``lambda = w d^2`` in this way.

    Args:
        positions: (B, 6, 2) positions of the egocentric samples ahead, meters, world.
        goal_positions: (B, 6, 2) positions of the samples' goals, meters, world.
    """
    count = len(FUTURE_OFFSETS_FRAMES)
    weights = (np.arange(count) + 1) / (count + 1)
    return weights ** np.sum(np.square(goal_positions - positions), axis=-1)


def goal_centric_samples(layout: Layout, y: NDArray[np.float32], goals: TimeSeries) -> tuple[Array, Array]:
    """Return the future positions (B, 6, 2), meters, and directions (B, 6, 2), world, predicted from the goals.

    Args:
        layout: layout of the output.
        y: (B, m) output of the network.
        goals: (B, 6) goals ahead, in the world.
    """
    offsets, directions = predicted_samples(layout, y, "goal_trajectory", yaw_of(goals.directions))
    return goals.positions[..., :2] + offsets, directions


def predicted_samples(layout: Layout, y: NDArray[np.float32], groups: str, yaws: Array) -> tuple[Array, Array]:
    """Return predicted positions (B, 6, 2), meters, and directions (B, 6, 2), along the world's axes.

    Args:
        layout: layout of the output.
        y: (B, m) output of the network.
        groups: prefix of the names of both groups.
        yaws: (B, 1 or 6) yaws of the frames in which they are predicted, radians.
    """
    parts = [layout.view(y, f"{groups}.{part}") for part in ("position", "direction")]
    both = np.concatenate(parts, axis=1, dtype=float).reshape(len(y), 2, -1, 2)
    turned = out_of_frame(both, yaws[:, None])
    return turned[:, 0], turned[:, 1]


def blend_trajectories(egocentric: TimeSeries, positions: Array, directions: Array, shares: Array) -> TimeSeries:
    """Return the egocentric trajectory (B, 6) blended with a goal-centric one.

    Args:
        egocentric: samples ahead, in the world.
        positions: (B, 6, 2) goal-centric positions, meters, world.
        directions: (B, 6, 2) goal-centric directions, world.
        shares: (B, 6) shares of the goal-centric prediction, 0 to 1.
    """
    share = shares[..., None]
    return normalize_directions(
        TimeSeries(
            egocentric.positions + share * (positions - egocentric.positions),
            egocentric.directions + share * (directions - egocentric.directions),
            egocentric.actions,
        )
    )


def led_velocities(
    velocity: Array,
    pose: Array,
    future_pose: Array,
    root: tuple[Array, Array],
    future_root: tuple[Array, Array],
    rate: float,
) -> Array:
    """Return joint velocities (B, P, 3), m/s, corrected toward the pose predicted in the future root's frame.

    The result is ``(1 - lambda) j_v + lambda (R' j~ - j_p)``, where lambda is the duration of a frame in seconds. The
    offset to the pose at the horizon of the prediction is divided by the horizon, so that both terms are velocities.

    Args:
        velocity: (B, P, 3) velocities j_v, m/s, in the root's frame.
        pose: (B, P, 3) positions j_p, meters, in the root's frame.
        future_pose: (B, P, 3) positions j~, meters, in the future root's frame.
        root: positions (B, 2), meters, world, and yaws (B), radians, of the pose.
        future_root: positions (B, 2) and yaws (B) of the last sample ahead.
        rate: frames per second.
    """
    (position, yaw), (future_position, future_yaw) = root, future_root
    offset = np.zeros((len(yaw), 1, 3))
    offset[:, 0, :2] = future_position - position
    wanted = into_frame(out_of_frame(future_pose, future_yaw[:, None]) + offset, yaw[:, None])
    share = 1.0 / rate
    # The pose ahead belongs to the frame one horizon after the next root's.
    seconds = (PREDICTION_HORIZON_FRAMES + 1) / rate
    return (1.0 - share) * velocity + share * (wanted - pose) / seconds
