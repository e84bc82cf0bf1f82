"""A character steered live: a locomotion controller that follows the user's commands.

As in PFNN (section 6) and Local Motion Phases (section 7), the user steers the character: the trajectory ahead blends
the network's prediction with the user's command, by the response biases.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.locomotion import future_offsets, pose_rotations
from ...features.terrain import CENTER_SAMPLE_INDEX
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..navigation.clearance import clear_velocity
from ..path.running import GRAVITY_M_S2
from ..path.running import TUNING as RUNNING_TUNING
from ..runtime.ground_motion import ground_motion
from ..runtime.handover import hand_to_interaction, hand_to_locomotion
from ..runtime.interaction_runtime import InteractionRuntime
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from ..runtime.pose_decoder import decode_poses
from ..runtime.response_bias import ResponseBias
from ..walk.gait_commands import GaitCommands
from ..walk.path_following import SLOW_SPEED_M_S
from ..walk.path_tables import PlanSamples
from .driven_ball import DrivenBall
from .live_feet import LiveFeet
from .pose_inertia import PoseInertia
from .wish import CommandedMotion, DriveWish


@dataclass(frozen=True, slots=True)
class DriverTuning(Tuning):
    """Tuned numbers of a character steered live."""

    gait_change: float = tuned(0.4, "s", 0.02, 3.0)
    """Time in which walking changes into running, and back."""
    style_change: float = tuned(0.3, "s", 0.02, 3.0)
    """Time in which a style fades in or out."""
    jump_lead: float = tuned(0.25, "s", 0.0, 2.0)
    """Time from the user's command to jump until the network is commanded to jump."""
    jump: float = tuned(0.45, "s", 0.1, 3.0)
    """Time for which the network is commanded to jump."""
    handed_speed: float = tuned(0.2, "s", 0.02, 2.0)
    """Time over which the body's speed is averaged at the hand-over after a task."""


TUNING: Final = DriverTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DriveMoment:
    """Place, facing and command of a driven character at a frame, in meters at the controller's scale.

    Attributes:
        root: (3) root on the ground below the hips, meters, world.
        yaw: facing of the root, radians.
        speed: commanded speed, which changes smoothly, m/s.
        style: the requested style.
        jumps: whether the user commands a jump at this frame.
        hip_height: height of the hips above the ground, meters; 0 during a task.
        hand: hand that dribbles, ``"left"`` or ``"right"``; empty without a ball.
        wished: requested speed, which the commanded speed approaches, m/s; 0 during a task.
    """

    root: Array
    yaw: float
    speed: float
    style: str
    jumps: bool = False
    hip_height: float = 0.0
    hand: str = ""
    wished: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class DrivenFrame:
    """A frame of a driving session, in meters at the controller's scale.

    Attributes:
        moment: place, facing and command of the character.
        pose: the pose, one frame, world, with held feet.
        contacts: (4) probabilities of heels and balls, or paws.
        ball: (3) center of the dribbled ball, meters, world; ``None`` without a ball.
    """

    moment: DriveMoment
    pose: Clip
    contacts: Array
    ball: Array | None = None


@dataclass(slots=True, eq=False)
class _GaitState:
    """Share of running, weights of the styles (G), and seconds since the command to jump."""

    styles: Array
    running: float = 0.0
    wants_run: bool = False
    since_jump: float = field(default=np.inf)


class Driver:
    """A character steered live, in meters at its controller's scale.

    Args:
        model: the controller.
        place: (3) root on the ground at the start, meters, world.
        yaw: facing at the start, radians.
        scene: ground and obstacles.
        responsiveness: response to commands, from 0, smooth, to 1, prompt.
        performer: shares of the controller's performers, summing to 1; empty for the first performer.
        ball: the character's ball; ``None`` without one.
    """

    def __init__(
        self,
        model: ControllerModel,
        place: Array,
        yaw: float,
        scene: WalkScene | None = None,
        responsiveness: float = 0.5,
        performer: Sequence[float] = (),
        ball: DrivenBall | None = None,
    ) -> None:
        self.model, self.scene, self.ball = model, scene or WalkScene(), ball
        self._bias, self._performer = ResponseBias.of_responsiveness(responsiveness), performer
        self.runtime = self._standing_at(place, yaw)
        self._outputs: tuple[NDArray[np.float32], ...] = ()
        self._motion = CommandedMotion(np.zeros(2), yaw)
        self._gaits = GaitCommands(model)
        self._times = np.array([0, *future_offsets(model.input_layout)]) / model.rate
        self._state = _GaitState(np.zeros(len(model.gaits)))
        self._turning = np.zeros(1)
        self._feet, self._inertia = LiveFeet(model.rate), PoseInertia(model.rate)
        self._size = model.skeleton.leg_length / ADULT_LEG_LENGTH_M

    @property
    def place(self) -> Array:
        """Current root (3) on the ground, meters, world."""
        return np.append(self.runtime.position[0], self.runtime.past_heights[0, -1, CENTER_SAMPLE_INDEX])

    def step(self, wish: DriveWish) -> DrivenFrame:
        """Advance by one frame toward the user's command, and return the frame that is displayed.

        Raises:
            FootfallError: the controller does not have the requested style.
        """
        if wish.style and wish.style not in self.model.gaits:
            raise FootfallError("The controller has no style '{style}': choose another style", style=wish.style)
        self._follow_ground()
        dt, place = 1 / self.model.rate, self.place
        clear = clear_velocity(self.scene, place, wish.velocity, self.runtime.frame, self._size)
        wish = replace(wish, velocity=clear)
        offsets, velocities, yaws = self._motion.ahead(wish, self._times)
        speeds = np.linalg.norm(velocities, axis=1)
        plans, jumping = self._plan(wish, speeds, dt)
        self._turning = self._gaits.turning(self._turning, yaws[None])
        slow = np.array([SLOW_SPEED_M_S * self._size])
        gaits, moving = self._gaits.weights(plans, self._turning, jumping, slow, self.runtime.state.pose)
        positions = self.runtime.position[0] + offsets
        levels = np.full((1, len(self._times)), place[2])
        if self.ball is not None and wish.changes_hand:
            self.ball.change_hand()
        told = {} if self.ball is None else self.ball.command(self.runtime)
        command = LocomotionCommand(positions[None, 1:], yaws[None, 1:], gaits[:, 1:], levels, conditions=told)
        made = self.runtime.step(command, gaits[:, 0], moving[:, 0])
        self._motion.advance(wish, dt)
        self._outputs = made.output, *self._outputs[:1]
        root, yaw = np.append(made.position[0], made.height[0]), float(made.yaw[0])
        pose = decoded(self.model, made.output, root, yaw)
        jumps, height = self._state.since_jump == 0.0, float(pose.root_positions[0, 2] - root[2])
        hand = "" if self.ball is None else self.ball.hand
        wished = float(np.linalg.norm(wish.velocity))
        moment = DriveMoment(root, yaw, float(speeds[0]), wish.style, jumps, height, hand, wished)
        shown = self.show(moment, pose, made.contacts[0])
        return shown if self.ball is None else replace(shown, ball=self.ball.place(shown.pose, made.output, root, yaw))

    def show(self, moment: DriveMoment, pose: Clip, contacts: Array) -> DrivenFrame:
        """Return the frame to display for a pose of either controller, joined smoothly to the last one, feet held.

        Args:
            moment: place, facing and command of the character.
            pose: the controller's pose, one frame, meters, world.
            contacts: (4) probabilities of heels and balls, or paws.
        """
        return DrivenFrame(moment, self._feet.hold(self._inertia.follow(pose), contacts), contacts)

    def lend(self, acts: InteractionRuntime) -> None:
        """Hand the body over to an interaction controller that has not made a frame yet.

        Args:
            acts: the interaction controller's runtime.
        """
        if len(self._outputs) == 2:
            hand_to_interaction(self.runtime, self._outputs, acts)
        self._inertia.begin()

    def take_back(self, acts: InteractionRuntime, frames: int) -> None:
        """Take the body back, in its present state, from an interaction controller.

        Args:
            acts: the interaction controller's runtime.
            frames: number of frames for which the interaction controller has had the body.
        """
        state, level, frame = acts.state, float(self.place[2]), self.runtime.frame + frames
        yaw = float(state.yaw[0])
        self.runtime = self._standing_at(np.append(state.position[0], level), yaw)
        self.runtime.frame, self._outputs = frame, ()
        hand_to_locomotion(acts, self.runtime)
        way, count = state.past_samples.positions[0], round(TUNING.handed_speed * self.model.rate)
        velocity = (way[-1] - way[-1 - count]) / TUNING.handed_speed
        self._motion, self._turning = CommandedMotion(velocity, yaw), np.zeros(1)
        self._state = _GaitState(np.zeros(len(self.model.gaits)))
        self._inertia.begin()
        if self.ball is not None:
            self.ball.pick_up()

    def _follow_ground(self) -> None:
        """Move the character along with the ground below it."""
        ground = self.scene.ground
        if ground.is_static or self.runtime.frame == 0:
            return
        here = self.place
        moved = ground_motion(ground, here, float(self.runtime.yaw[0]), self.runtime.frame)
        if moved is not None:
            turn, shift = moved
            self.runtime.move_with_ground(0, turn, here[:2], shift[:2], float(shift[2]))
            self._motion.yaw += turn
            self._feet.shift(shift[:2])

    def _plan(self, wish: DriveWish, speeds: Array, dt: float) -> tuple[PlanSamples, Array]:
        """Return the plan (1, S) and the weights of jumping (1, S) at the samples of the next second."""
        state, wished = self._state, float(np.linalg.norm(wish.velocity))
        froude = wished**2 / (GRAVITY_M_S2 * self.model.skeleton.leg_length)
        # Between both Froude numbers, the gait does not change.
        state.wants_run = froude > (RUNNING_TUNING.walk_froude if state.wants_run else RUNNING_TUNING.run_froude)
        running = np.clip(state.running + (1 if state.wants_run else -1) * self._times / TUNING.gait_change, 0.0, 1.0)
        target = np.array([float(name == wish.style) for name in self.model.gaits])
        change = np.clip(self._times / TUNING.style_change, 0.0, 1.0)[:, None]
        styles = state.styles + change * (target - state.styles)
        state.since_jump = (
            0.0 if wish.jumps and state.since_jump > TUNING.jump_lead + TUNING.jump else state.since_jump + dt
        )
        since = state.since_jump + self._times
        jumps = ((since > TUNING.jump_lead) & (since < TUNING.jump_lead + TUNING.jump)).astype(float)
        state.running = float(
            np.clip(state.running + (1 if state.wants_run else -1) * dt / TUNING.gait_change, 0.0, 1.0)
        )
        state.styles = state.styles + min(dt / TUNING.style_change, 1.0) * (target - state.styles)
        nothing = np.zeros_like(speeds)
        plans = PlanSamples(*(values[None] for values in (nothing, speeds, nothing, nothing, running, styles)))
        return plans, jumps[None]

    def _standing_at(self, place: Array, yaw: float) -> LocomotionRuntime:
        """Return a runtime of the character standing at a position (3), meters, world, with a yaw, radians."""
        grounds = [self.scene.ground]
        made = LocomotionRuntime(self.model, place[None, :2], [yaw], [float(place[2])], grounds, self._bias)
        if self._performer:
            made.perform_as(0, self._performer)
        return made


def decoded(model: ControllerModel, output: NDArray[np.float32], root: Array, yaw: float) -> Clip:
    """Decode a network output into a one-frame clip: the pose in the world, in meters at the controller's scale.

    Args:
        model: the controller.
        output: (1, m) output of the controller's network.
        root: (3) position of the root on the ground, world, in meters at the controller's scale.
        yaw: yaw of the root, radians.
    """
    rotations = pose_rotations(output.astype(float), model.output_layout, model.reference_rotations)
    positions = model.output_layout.view(output.astype(float), "pose.position")
    return decode_poses(model, rotations, positions, root[None], np.array([yaw]))
