"""The walk of a character that responds to another one: a roll-out that follows a track in time."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...features.locomotion import ROOT_SMOOTHING_S, future_offsets
from ...features.phase_system import system_parts
from ...features.rest import turning_share
from ...features.terrain import CENTER_SAMPLE_INDEX
from ...jobs.steps import finished
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.roles import is_quadruped
from ...motion.root_frame import RootTrack, root_track
from ...motion.rotations import Array, wrap_angle
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..path.running import run_shares
from ..path.velocity_profile import CROUCH
from ..runtime.body_state import BodyState
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from ..runtime.response_bias import ResponseBias
from ..walk.finished_frames import finish_frames
from ..walk.finished_walk import Walk
from ..walk.frame_history import FrameHistory, FrameRecord
from ..walk.gait_commands import GaitCommands
from .relation import AnswerTrack, Relation, answer_motion, require_possible


@dataclass(frozen=True, slots=True)
class AnswerWalkTuning(Tuning):
    responsiveness: float = tuned(0.75, "1", 0.0, 1.0)
    """Responsiveness of the roll-out to the track, high since the track already respects a body's limits."""
    rise_weight: float = tuned(0.3, "1", 0.0, 1.0)
    """Magnitude of the negative crouch weight that raises a body that is too low.

    In training clips, bodies that move sideways or backward crouch, as in ball games.
    """
    position_correction: float = tuned(0.5, "s", 0.05, 5.0)
    """Time constant of the correction that draws the root to the track."""
    max_correction_share: float = tuned(0.4, "1", 0.0, 2.0)
    """Largest speed of the correction of position, as a share of the track's own speed."""
    yaw_correction: float = tuned(0.25, "s", 0.05, 5.0)
    """Time constant of the correction that turns the root to the track."""
    max_yaw_correction: float = tuned(1.5, "rad/s", 0.0, 10.0)
    """Largest turning speed of the correction of yaw."""
    still_speed: float = tuned(0.1, "m/s", 0.0, 0.2)
    """Speed of the track up to which the character is commanded to stand."""
    going_speed: float = tuned(0.3, "m/s", 0.21, 2.0)
    """Speed of the track from which the character is commanded to move with full gait weight."""


TUNING: Final = AnswerWalkTuning()


def begin_answer(
    model: ControllerModel,
    relation: Relation,
    other: Clip,
    scale: float = 1.0,
    seed: int = 0,
    scene: WalkScene | None = None,
    level: float = 0.0,
    begin: BodyState | None = None,
) -> "AnswerWalk":
    """Return the walk, without frames yet, of a character that responds to another character's motion.

    Args:
        model: a controller that walks.
        relation: relation that the character keeps to the other one, in world meters.
        other: motion of the other character, at the controller's frame rate, world.
        scale: world meters per meter at the controller's scale.
        seed: seed of the character's initial idle motion and phase.
        scene: ground and walls, in world meters; by default level ground at `level`.
        level: height of the ground below the other character's start, meters, world.
        begin: state of a moving body to continue from; by default a body that stands where the relation requires.

    Raises:
        FootfallError: the relation cannot be kept, there is no room for the character, or the controller does not walk.
    """
    require_possible(relation)
    seen = root_track(other, ROOT_SMOOTHING_S)
    own = RootTrack(seen.positions / scale, seen.yaws)
    around = (scene or WalkScene(Plane(level))).scaled(1 / scale)
    size = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    track = answer_motion(relation.scaled(1 / scale), own, model.rate, around, level / scale, size, begin)
    return AnswerWalk(model, track, around, seed, begin)


class AnswerWalk:
    """A walk in progress that follows a track: a target position and yaw at each frame.

    Args:
        model: a controller that walks.
        track: target position and yaw at each frame, in the controller's meters and at the controller's rate.
        scene: ground and ceilings, in the controller's meters.
        seed: seed of the character's initial idle motion and phase.
        begin: state of a moving body to continue from; by default a standing body.

    Raises:
        FootfallError: the controller does not walk, needs more input than a path, or moves a quadruped.
    """

    def __init__(
        self,
        model: ControllerModel,
        track: AnswerTrack,
        scene: WalkScene,
        seed: int = 0,
        begin: BodyState | None = None,
    ) -> None:
        if model.is_interaction_controller or system_parts(model.input_layout) or is_quadruped(model.skeleton.roles):
            raise FootfallError("This controller does not walk along paths on two legs: choose a walking controller")
        self.model, self.track, self.ground, self._levels = model, track.roots, scene.ground, track.levels
        bias = ResponseBias.of_responsiveness(TUNING.responsiveness)
        self._runtime = LocomotionRuntime(
            model, self.track.positions[:1], self.track.yaws[:1], self._levels[:1], [self.ground], bias
        )
        if seed:
            self._runtime.vary(0, seed)
        if begin is not None:
            begin.enter_walk(self._runtime)
        self._speeds = np.linalg.norm(np.gradient(self.track.positions, axis=0), axis=-1) * model.rate
        self._gaits, self._moving = self._commanded_gaits()
        self._gait_commands = GaitCommands(model)
        self._offsets = np.array([0, *future_offsets(model.input_layout)])
        self._shares = np.arange(1, len(self._offsets)) / (len(self._offsets) - 1)
        self._history = FrameHistory()
        self._rows = np.zeros(1, dtype=int)

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return len(self._history)

    @property
    def total_frames(self) -> int:
        """Number of frames of the whole walk."""
        return len(self.track.positions)

    def advance(self, frames: int) -> bool:
        """Make up to `frames` more frames, and return whether any frames remain."""
        for _ in range(min(frames, self.total_frames - self.frames_done)):
            self._advance_frame()
        return self.frames_done < self.total_frames

    def body_state(self) -> BodyState:
        """Return the body's state after the last frame, for hand-over; the walk must have at least two frames."""
        last = self._history.trace(0, self.frames_done - 2, self.frames_done).frames.output[::-1]
        runtime = self._runtime.copy()
        level = float(runtime.past_heights[0, -1, CENTER_SAMPLE_INDEX])
        return BodyState(runtime, tuple(one[None] for one in last), level)

    def finish(self) -> Walk:
        """Return the walk so far, with locked feet."""
        return finished(self.finish_in_steps())

    def finish_in_steps(self) -> Generator[None, None, Walk]:
        """Do the work of :meth:`finish`, and yield after each piece of it."""
        frames = self._history.trace(0, 0, self.frames_done).frames
        return finish_frames.steps(self.model, frames, self._gaits[: self.frames_done], self.ground)

    def _commanded_gaits(self) -> tuple[Array, Array]:
        """Return the gait weights (T, G) of all frames, and the weights (T) of moving, including turns on the spot."""
        names, rate = self.model.gaits, self.model.rate
        going = np.clip((self._speeds - TUNING.still_speed) / (TUNING.going_speed - TUNING.still_speed), 0.0, 1.0)
        moving = np.maximum(going, turning_share(self.track.yaws, rate))
        running = run_shares(self._speeds, rate, self.model.skeleton.leg_length)
        gaits = np.zeros((len(moving), len(names)))
        for name, weight in (("stand", 1 - moving), ("walk", moving * (1 - running)), ("run", moving * running)):
            gaits[:, names.index(name)] = weight
        return gaits, moving

    def _advance_frame(self) -> None:
        runtime, track, now = self._runtime, self.track, self.frames_done
        frames = np.minimum(now + self._offsets, self.total_frames - 1)
        fading = (1 - self._shares) ** 2
        ahead = track.positions[frames[1:]] + (runtime.position[0] - track.positions[now]) * fading[:, None]
        looking = track.yaws[frames[1:]] + float(wrap_angle(runtime.yaw[0] - track.yaws[now])) * fading
        gaits = self._gaits[frames] + self._rising() * self._moving[frames, None]
        command = LocomotionCommand(ahead[None], looking[None], gaits[None, 1:], self._levels[None, frames])
        made = runtime.step(command, gaits[:1], self._moving[now : now + 1])
        self._history.append(FrameRecord(self._rows, made, gaits[:1], np.zeros(1)))
        self._correct(min(now + 1, self.total_frames - 1))

    def _rising(self) -> Array:
        """Return the gait weights (G) that raise a body that is too low, in proportion to how low it is."""
        names = self.model.gaits
        weights = np.array([-TUNING.rise_weight * (name == CROUCH) for name in names])
        return self._gait_commands.raised(weights[None, None], self._runtime.state.pose)[0, 0]

    def _correct(self, frame: int) -> None:
        """Move and turn the root toward the track at a frame, at limited speeds; a standing root is not moved."""
        runtime, dt = self._runtime, 1 / self.model.rate
        shifts = (self.track.positions[frame] - runtime.position) * dt / TUNING.position_correction
        limit = TUNING.max_correction_share * self._speeds[frame] * dt
        size = max(float(np.linalg.norm(shifts)), 1e-12)
        runtime.shift_roots(shifts * min(1.0, limit / size))
        turns = wrap_angle(self.track.yaws[frame] - runtime.yaw) * dt / TUNING.yaw_correction
        fastest = TUNING.max_yaw_correction * self._moving[frame] * dt
        runtime.state.yaw = runtime.yaw + np.clip(turns, -fastest, fastest)
