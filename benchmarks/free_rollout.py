"""Free roll-outs of steered characters, to measure the behavior of a network alone.

Here there is no correction toward a path, and no foot lock (:mod:`.followers` adds both).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.path.path import Path
from ..core.control.path.terrain_profile import TerrainProfile
from ..core.control.path.velocity_profile import plan_timing
from ..core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime, RuntimeFrames
from ..core.control.runtime.response_bias import ResponseBias
from ..core.control.walk.path_tables import PathTables
from ..core.features.locomotion import future_offsets
from ..core.models.model_file import ControllerModel
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array
from ..core.terrain.ground import Plane
from ..core.terrain.walk_scene import WalkScene

STAND_SPEED_M_S: Final = 0.15
"""Speed, m/s, below which a character does not walk."""
RUN_SPEED_RANGE_M_S: Final = (1.9, 2.4)
"""Speeds, m/s, at which running begins, and is complete."""
ARRIVAL_DISTANCE_M: Final = 0.3
"""Largest distance from the end of a walked path, meters."""
COLLAPSE_DISTANCE_M: Final = 1.2
"""Deviation of a joint from the standing pose above which a pose has collapsed, meters: arms are shorter."""
STALL_SPEED_SHARE: Final = 0.25
"""Share of the feet's usual speed below which a walk has stalled, over ``STALL_S`` seconds."""
STALL_S: Final = 2.0
"""Time after which a stalled walk counts as died out, seconds."""


@dataclass(frozen=True, eq=False)
class FreeRollout:
    """The motion of B steered characters.

    Root positions (F, B, 2), yaws (F, B), contacts (F, B, 4), joint positions and velocities (F, B, P, 3) in the
    root's frame.
    """

    positions: Array
    yaws: Array
    contacts: Array
    joint_positions: Array
    joint_velocities: Array

    @staticmethod
    def from_frames(model: ControllerModel, frames: Sequence[RuntimeFrames]) -> "FreeRollout":
        """Return the roll-out from a runtime's steps."""
        outputs, layout = np.array([one.output for one in frames]), model.output_layout
        return FreeRollout(
            np.array([one.position for one in frames]),
            np.array([one.yaw for one in frames]),
            np.array([one.contacts for one in frames]),
            layout.view(outputs, "pose.position"),
            layout.view(outputs, "pose.velocity"),
        )

    def character(self, index: int, frame_count: int | None = None) -> "FreeRollout":
        """Return the roll-out of one character, cut to ``frame_count`` frames."""
        names = ("positions", "yaws", "contacts", "joint_positions", "joint_velocities")
        return FreeRollout(*(getattr(self, name)[:frame_count, [index]] for name in names))

    def foot_skate(self, feet: Sequence[int]) -> float:
        """Return the mean horizontal speed, m/s, of feet and toes (four joints) in the network's own contacts."""
        speeds = np.linalg.norm(self.joint_velocities[:, :, list(feet), :2], axis=-1)
        touching = self.contacts[..., : len(feet)] > CONTACT_THRESHOLD
        return float(speeds[touching].mean()) if touching.any() else float("inf")

    def joint_speed(self) -> float:
        """Return the mean speed, m/s, of joints relative to the hips."""
        return float(np.linalg.norm(self.joint_velocities - self.joint_velocities[:, :, :1], axis=-1).mean())

    def survival_times(
        self, standing_pose: Array, feet: Sequence[int], rate: float, walking: NDArray[np.bool_]
    ) -> Array:
        """Return the seconds (B) until a pose collapses or motion stalls; the whole time if neither happens.

        Args:
            standing_pose: (P, 3) the standing pose.
            feet: the indices of the feet among its joints.
            rate: frames a second.
            walking: (F, B) whether a character has the command to walk.
        """
        off = np.linalg.norm(np.nan_to_num(self.joint_positions, nan=np.inf) - standing_pose, axis=-1).max(axis=-1)
        speeds = np.nan_to_num(np.linalg.norm(self.joint_velocities[:, :, list(feet)], axis=-1).mean(axis=-1))
        frames = round(STALL_S * rate)
        told = _trailing_mean(walking.astype(float), frames) > 0.999
        usual = np.median(speeds[walking]) if walking.any() else 0.0
        broken = (off > COLLAPSE_DISTANCE_M) | (told & (_trailing_mean(speeds, frames) < STALL_SPEED_SHARE * usual))
        return np.where(broken.any(axis=0), broken.argmax(axis=0), len(broken)) / rate


def _trailing_mean(values: Array, frames: int) -> Array:
    """Return the means (F, B) over the last ``frames`` frames; values before the first frame count as zero."""
    sums = np.cumsum(np.pad(values, ((frames, 0), (0, 0))), axis=0)
    return (sums[frames:] - sums[:-frames]) / frames


def future_times(model: ControllerModel) -> Array:
    """Return the times (S), seconds, of the future samples commanded to a controller."""
    return np.array(future_offsets(model.input_layout)) / model.rate


def gait_weights(gait_names: Sequence[str], speeds: Array) -> Array:
    """Return the gait weights (..., G) of people at speeds (...), m/s."""
    standing = np.clip(1 - (speeds - STAND_SPEED_M_S) / STAND_SPEED_M_S, 0, 1)
    running = np.clip((speeds - RUN_SPEED_RANGE_M_S[0]) / (RUN_SPEED_RANGE_M_S[1] - RUN_SPEED_RANGE_M_S[0]), 0, 1)
    gaits = np.zeros((*np.shape(speeds), len(gait_names)))
    for name, value in (("stand", standing), ("walk", (1 - standing) * (1 - running)), ("run", running)):
        gaits[..., gait_names.index(name)] = value
    return gaits


def roll_out_paths(
    model: ControllerModel, paths: Sequence[Array], speed: float, bias: ResponseBias | None = None
) -> list[FreeRollout]:
    """Roll out characters along paths (N, 2) at a speed, m/s, from standing at the beginning.

    Each sees the path one second ahead, from its nearest point (PFNN section 8, Table 2).

    Returns:
        The track of each until its arrival, or for three times the expected duration.
    """
    ways = [Path(points) for points in paths]
    profiles = [TerrainProfile.from_path(way, WalkScene(Plane()), 0.0) for way in ways]
    timings = [plan_timing(way, speed, model.rate, profile) for way, profile in zip(ways, profiles, strict=True)]
    routes, ends = PathTables(ways, profiles, timings), np.array([way.length for way in ways]) - ARRIVAL_DISTANCE_M
    starts = routes.path_at(np.zeros(len(ways)))
    crowd = LocomotionRuntime(model, starts.points, starts.yaws, np.zeros(len(ways)), [Plane()] * len(ways), bias)
    reached, arrived = np.zeros(len(ways)), np.zeros(len(ways), dtype=int)
    steps: list[RuntimeFrames] = []
    times = future_times(model)
    gaits = gait_weights(model.gaits, np.full((len(ways), 1 + len(times)), speed))
    limit = round(3 * ends.max() / speed * model.rate)
    while (arrived == 0).any() and len(steps) < limit:
        reached = np.maximum(reached, routes.project(np.nan_to_num(crowd.position), reached))
        places = routes.path_at(reached[:, None] + speed * times)
        levels = np.zeros((len(ways), 1 + len(times)))
        steps.append(crowd.step(LocomotionCommand(places.points, places.yaws, gaits[:, 1:], levels), gaits[:, 0]))
        arrived[(arrived == 0) & (reached >= ends)] = len(steps)
    track = FreeRollout.from_frames(model, steps)
    return [track.character(number, frames or None) for number, frames in enumerate(arrived)]


@dataclass(frozen=True, eq=False)
class RolloutCommands:
    """Commands of B characters at each frame: speeds (F, B), m/s, and turn rates (F, B), rad/s."""

    speeds: Array
    turn_rates: Array

    @staticmethod
    def sample(count: int, seconds: float, rate: float, seed: int = 0) -> "RolloutCommands":
        """Return random commands that change every one to four seconds: standing, walking, running, turning."""
        frames, rng = round(seconds * rate), np.random.default_rng(seed)
        speeds, turns = np.zeros((frames, count)), np.zeros((frames, count))
        for one in range(count):
            frame = 0
            while frame < frames:
                stop = frame + int(rng.uniform(1.0, 4.0) * rate)
                speed = rng.choice([0.0, rng.uniform(0.7, 1.6), rng.uniform(2.5, 3.8)], p=[0.15, 0.6, 0.25])
                speeds[frame:stop, one] = speed
                turns[frame:stop, one] = rng.choice([0.0, rng.uniform(-1.5, 1.5)]) * (speed > 0)
                frame = stop
        return RolloutCommands(speeds, turns)


def standing_runtime(model: ControllerModel, count: int) -> LocomotionRuntime:
    """Return a runtime of standing characters with individual phases."""
    crowd = LocomotionRuntime(model, np.zeros((count, 2)), np.zeros(count), np.zeros(count), [Plane()] * count)
    crowd.phase = np.random.default_rng(1).random(count)
    return crowd


def roll_out_commands(
    model: ControllerModel, commands: RolloutCommands, runtime: LocomotionRuntime | None = None
) -> FreeRollout:
    """Roll out characters that follow commands, from standing or from the state of a runtime."""
    count, times = commands.speeds.shape[1], future_times(model)
    runtime = runtime or standing_runtime(model, count)
    steps: list[RuntimeFrames] = []
    for speeds, turns in zip(commands.speeds, commands.turn_rates, strict=True):
        yaws = runtime.yaw[:, None] + turns[:, None] * times
        middle = runtime.yaw[:, None] + turns[:, None] * times / 2
        ahead = runtime.position[:, None] + facing_direction(middle) * (speeds[:, None] * times)[..., None]
        gaits = gait_weights(model.gaits, np.repeat(speeds[:, None], 1 + len(times), axis=1))
        command = LocomotionCommand(ahead, yaws, gaits[:, 1:], np.zeros((count, 1 + len(times))))
        steps.append(runtime.step(command, gaits[:, 0]))
    return FreeRollout.from_frames(model, steps)
