"""Runtime of interaction controllers (Starke et al. 2019, NSM, section 4): B characters that pursue goals.

A :class:`GoalCommand` is the next goal of a character. It replaces the current goals gradually, within
``TUNING.goal_blend``, so it may change at any frame. The future trajectory blends the egocentric prediction with the
goal-centric one (bidirectional control, NSM section 4.2), which brings the character exactly to the goal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    FUTURE_OFFSETS_FRAMES,
    NsmState,
    TimeSeries,
    goal_object_pose,
)
from ...features.interaction_mirror import InteractionMirror
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, into_frame, yaw_of
from ...motion.rotations import Array, inverse, log, multiply
from ...scene.collider_pose import PosedCollider
from ...scene.environment_sensor import sense_environment
from ...scene.interaction_sensor import CELL_COUNT
from ...tuning import Tuning, tuned
from .assistance import FULL_ASSISTANCE, Assistance
from .batch_state import PAST_FRAMES, BatchState
from .bidirectional import blend_trajectories, goal_centric_samples, goal_shares, led_velocities, predicted_samples
from .body_pace import BodyPace
from .goal_command import GoalCommand
from .goal_on_the_way import goal_positions
from .goal_steering import steer_trajectory
from .root_correction import push_out
from .seated_state import are_to_rest, begins_to_sit, kept_shares, mobility, run_out_phase
from .steering_limit import WALK_RUN_INDICES, limit_steering
from .time_series import (
    mix_series,
    one_hot_action,
    push_sample,
    standing_series,
    turn_toward,
    window_series,
)


@dataclass(frozen=True, slots=True)
class InteractionRuntimeTuning(Tuning):
    goal_blend: float = tuned(0.35, "s", 0.02, 3.0)
    """Time in which the goals at the future samples blend to a new command, by nine tenths."""
    occupancy_retention: float = tuned(0.9, "1", 0.0, 0.999)
    """Share of the interaction sensor's occupancy kept from frame to frame, so that a change of objects is smooth."""
    striding: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of walking and running above which the phase is that of a stride."""


TUNING: Final = InteractionRuntimeTuning()


@dataclass(frozen=True, slots=True, eq=False)
class InteractionFrame:
    """One frame of B characters.

    Attributes:
        position: (B, 2) roots before the step, meters, world.
        yaw: (B) yaws of the roots, radians.
        phase: (B) phases of the motion, cycles.
        actions: (B, A) weights of the controller's actions, the first of ``interaction.ACTIONS``.
        contacts: (B, 7) contact probabilities of ``interaction.CONTACT_JOINTS``.
        output: (B, m) output of the network; the pose is in the root's frame.
        goal_weight: (B) weight of the goal-centric against the egocentric trajectory, 0 to 1.
    """

    position: Array
    yaw: Array
    phase: Array
    actions: Array
    contacts: Array
    output: NDArray[np.float32]
    goal_weight: Array


@dataclass(eq=False)
class InteractionState(BatchState):
    """The state of B characters with goals, in addition to that of :class:`BatchState`.

    Attributes:
        rotation: (B, P, 3) joint rotations of the last frame, as rotation vectors from the reference rotations.
        past_samples: trajectory of the remembered frames (B, PAST_FRAMES + 1).
        future_samples: predicted trajectory at the future samples (B, 6).
        past_goal_samples: goals in the remembered frames (B, PAST_FRAMES + 1).
        future_goal_samples: goals at the future samples (B, 6).
        occupancy: (B, 512) occupancy of the interaction sensor's voxels, smoothed over time; ``None`` before the first
            frame.
        seated: (B) whether a character that is commanded to sit or lie has touched its seat or the ground.
        steering: (B) largest weight, 0 to 1, of the steering toward far goals.
        outputs: last two outputs (B, m), limited by :class:`BodyPace`, the newer one first; ``None`` before the first
            frame.
        mirrored: (B) whether the network moves the character's mirror image; the phase is that of the image.
    """

    rotation: Array
    past_samples: TimeSeries
    future_samples: TimeSeries
    past_goal_samples: TimeSeries
    future_goal_samples: TimeSeries
    occupancy: Array | None
    seated: NDArray[np.bool_]
    steering: Array
    outputs: tuple[NDArray[np.float32], NDArray[np.float32]] | None
    mirrored: NDArray[np.bool_]

    def strides(self) -> NDArray[np.bool_]:
        """Return a mask (B) of characters that walk or run, so that their phase is that of a stride."""
        return self.past_samples.actions[:, -1, WALK_RUN_INDICES].sum(axis=1) > TUNING.striding

    def own_phase(self) -> Array:
        """Return the phases (B), cycles, of the characters themselves; mirror images stride half a cycle off."""
        return (self.phase + 0.5 * (self.mirrored & self.strides())) % 1.0


class InteractionRuntime:
    """A batch of B characters of one interaction controller; each stands idle until its first command.

    Args:
        model: an interaction controller.
        positions: (B, 2) roots, meters, world.
        yaws: (B) yaws, radians; zero faces +Y.
        assistance: the rules that help the network.

    Attributes:
        network_input: normalized input of the last step; ``None`` before the first step.
    """

    def __init__(
        self, model: ControllerModel, positions: Array, yaws: ArrayLike, assistance: Assistance = FULL_ASSISTANCE
    ) -> None:
        self.model, self.assistance = model, assistance
        self.network = model.network()
        self.pace = BodyPace.of(model)
        start = BatchState.standing(model, self.network, positions, yaws)
        count = len(start)
        idle, goal_actions = (
            np.tile(one_hot_action("idle", names), (count, 1)) for names in (model.actions, model.goal_actions)
        )
        goal_positions = np.column_stack([start.position, np.zeros(count)])
        future_count = len(FUTURE_OFFSETS_FRAMES)
        standing = log(multiply(inverse(model.reference_rotations), np.asarray(model.start["rotation"], dtype=float)))
        self.state = InteractionState(
            **vars(start),
            rotation=np.repeat(standing[None], count, axis=0),
            past_samples=standing_series(start.position, start.yaw, idle, PAST_FRAMES + 1),
            future_samples=standing_series(start.position, start.yaw, idle, future_count),
            past_goal_samples=standing_series(goal_positions, start.yaw, goal_actions, PAST_FRAMES + 1),
            future_goal_samples=standing_series(goal_positions, start.yaw, goal_actions, future_count),
            occupancy=None,
            seated=np.zeros(count, dtype=bool),
            steering=np.ones(count),
            outputs=None,
            mirrored=np.zeros(count, dtype=bool),
        )
        self._last_commands: tuple[GoalCommand, ...] = ()
        self.network_input: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.state)

    @property
    def position(self) -> Array:
        """Root positions (B, 2), meters, world."""
        return self.state.position

    @property
    def yaw(self) -> Array:
        """Yaws (B) of the roots, radians."""
        return self.state.yaw

    @property
    def phase(self) -> Array:
        """Phases (B) of the motion, cycles."""
        return self.state.own_phase()

    def step(
        self,
        commands: Sequence[GoalCommand],
        sensed_colliders: Sequence[PosedCollider],
        solid_colliders: Sequence[PosedCollider] = (),
    ) -> InteractionFrame:
        """Advance all characters by one frame, and return the frame.

        Args:
            commands: (B) command of each character.
            sensed_colliders: colliders for the environment sensor.
            solid_colliders: colliders that the roots cannot enter.
        """
        model, layout = self.model, self.model.output_layout
        self.state.steering = limit_steering(
            self.state.steering, self.state.past_samples.actions[:, -1], commands, self._last_commands, model.rate
        )
        self._last_commands = tuple(commands)
        self._blend_goals(commands)
        x, mirrored = self._observe(commands, sensed_colliders).to_inputs(model.input_layout), self.state.mirrored
        if mirrored.any():
            x[mirrored] = self._mirror.inputs(x[mirrored])
        self.network_input = (x - model.x_mean) / model.x_std
        answer, self.state.memory = self.network.step(self.network_input, self.state.phase, self.state.memory)
        y = answer * model.y_std + model.y_mean
        if mirrored.any():
            y[mirrored] = self._mirror.outputs(y[mirrored])
        y, shares = self._follow(y)
        actions = self.state.past_samples.actions[:, -1].copy()  # A view would keep all the past of each frame.
        return InteractionFrame(
            self.state.position,
            self.state.yaw,
            self.phase,
            actions,
            np.minimum(np.maximum(layout.view(y, "contact").astype(float), 0.0), 1.0),
            y,
            self._integrate(y, shares, commands, solid_colliders),
        )

    def mirror(self, row: int, mirrored: bool) -> None:
        """Choose whether the network moves a character's mirror image or the character itself from now on."""
        own = self.phase
        self.state.mirrored[row] = mirrored
        self.state.phase[row] = own[row]
        self.state.phase[row] = self.phase[row]  # a phase is mirrored twice to itself

    @cached_property
    def _mirror(self) -> InteractionMirror:
        """The mirror of the controller's inputs and outputs."""
        model, names = self.model, self.model.skeleton.names
        other = model.skeleton.mirror_pairs
        pairs = [model.joints.index(names[other[names.index(name)]]) for name in model.joints]
        return InteractionMirror(model.input_layout, model.output_layout, pairs, model.reference_rotations)

    def _blend_goals(self, commands: Sequence[GoalCommand]) -> None:
        """Blend the goals ahead toward the commands."""
        anew = np.array([command.is_new for command in commands])[:, None, None]
        share = np.where(anew, 1.0, 1 - 0.1 ** (1 / (TUNING.goal_blend * self.model.rate)))
        positions = goal_positions(commands, self.state.position, self.assistance.steers)[:, None]
        directions = np.stack([command.direction for command in commands])[:, None]
        actions = np.stack([one_hot_action(command.action, self.model.goal_actions) for command in commands])[:, None]
        state, goals = self.state, self.state.future_goal_samples
        if anew.any():
            past, walks = state.past_goal_samples, one_hot_action("walk", self.model.goal_actions)
            state.past_goal_samples = replace(past, actions=np.where(anew, walks, past.actions))
        goals = TimeSeries(
            goals.positions + share * (positions - goals.positions),
            turn_toward(goals.directions, directions, share[..., 0]),
            goals.actions + share * (actions - goals.actions),
        )
        now = TimeSeries(goals.positions[:, 0], goals.directions[:, 0], goals.actions[:, 0])
        state.future_goal_samples, state.past_goal_samples = goals, push_sample(state.past_goal_samples, now)

    def _observe(self, commands: Sequence[GoalCommand], sensed_colliders: Sequence[PosedCollider]) -> NsmState:
        """Return the observation that is converted to the network's inputs."""
        state = self.state
        goals = window_series(state.past_goal_samples, state.future_goal_samples)
        origin = np.column_stack([state.position, np.zeros(len(self))])
        positions, rotations = goal_object_pose(goals)
        cells = np.zeros((len(self), CELL_COUNT, 4))
        for row, command in enumerate(commands):
            if command.volume is None:
                cells[row, :, :3] = into_frame(positions[row] - origin[row], state.yaw[row])
            else:
                cells[row] = command.volume.sense(
                    positions[row], rotations[row], origin[row : row + 1], state.yaw[row : row + 1]
                )[0]
        if state.occupancy is not None:
            cells[..., 3] += TUNING.occupancy_retention * (state.occupancy - cells[..., 3])
        state.occupancy = cells[..., 3]
        return NsmState(
            positions=state.position,
            yaws=state.yaw,
            trajectory=window_series(state.past_samples, state.future_samples),
            goals=goals,
            pose=state.pose,
            velocity=state.velocity,
            rotation=state.rotation,
            environment=sense_environment(origin, state.yaw, sensed_colliders),
            interaction=cells,
            phase=state.phase,
        )

    def _follow(self, y: NDArray[np.float32]) -> tuple[NDArray[np.float32], Array]:
        """Return outputs (B, m) that the bodies can follow, and the share (B) of the network's step that they take."""
        state = self.state
        if not self.assistance.paces_body:
            return y, np.ones(len(self))
        # At the first frame only the standing pose precedes, and refinement blends out of it.
        if state.outputs is None:
            state.outputs = y, y
        y, shares = self.pace.follow(self.model.output_layout, y, *state.outputs, 1 / self.model.rate)
        state.outputs = y, state.outputs[0]
        return y, shares

    def _integrate(
        self,
        y: NDArray[np.float32],
        shares: Array,
        commands: Sequence[GoalCommand],
        solid_colliders: Sequence[PosedCollider],
    ) -> Array:
        """Update the state from outputs, advancing by shares (B) of a step, and return the goal-centric weights (B)."""
        layout, state, assistance = self.model.output_layout, self.state, self.assistance
        actions = np.minimum(np.maximum(layout.view(y, "trajectory.action").astype(float), 0.0), 1.0)
        for row, command in enumerate(commands):
            if command.barred:
                actions[row, :, self.model.actions.index(command.barred)] = 0.0
        before = replace(state)
        hip_contacts = layout.view(y, "contact")[:, CONTACT_JOINTS.index("hips")]
        moving = mobility(actions[:, 0, ACTIONS.index("idle")], hip_contacts)
        state.advance(layout, y, moving, 1 / self.model.rate)
        state.rotation = layout.view(y, "pose.rotation").astype(float)
        state.phase = (before.phase + shares * ((state.phase - before.phase) % 1.0)) % 1.0
        self._settle_seated(y, before)
        if assistance.pushes_out:
            for row, (place, last) in enumerate(zip(state.position, before.position, strict=True)):
                state.position[row] = push_out(place, last, solid_colliders, self.model.rate)
        yaws = state.yaw[:, None]
        offsets, directions = predicted_samples(layout, y, "trajectory", yaws)
        egocentric = TimeSeries(state.position[:, None] + offsets, directions, actions[:, 1:])
        blended, goal_weights = self._blend_trajectories(egocentric, y)
        ahead = blended.positions[:, -1], yaw_of(blended.directions[:, -1])
        future_pose = layout.view(y, "future_pose.position").astype(float)
        state.velocity = led_velocities(
            state.velocity, state.pose, future_pose, (before.position, before.yaw), ahead, self.model.rate
        )
        steered = blended
        if assistance.steers:
            bodies = (state.position, state.yaw), state.steering, state.future_goal_samples.actions[:, 0]
            steered = steer_trajectory(blended, commands, *bodies, self.model.actions, self.model.rate)
        if state.seated.any():
            stands = standing_series(state.position, state.yaw, steered.actions[:, 0], len(FUTURE_OFFSETS_FRAMES))
            seated = state.seated[:, None, None].astype(float)
            steered = mix_series(steered, replace(stands, actions=steered.actions), seated)
            steered = mix_series(steered, state.future_samples, kept_shares(state.seated, self.model.rate))
        state.future_samples = steered
        state.past_samples = push_sample(
            state.past_samples, TimeSeries(state.position, facing_direction(state.yaw), actions[:, 0])
        )
        return goal_weights

    def _settle_seated(self, y: NDArray[np.float32], before: InteractionState) -> None:
        """Let characters that touch their seat or the ground come to rest; `before` is the state before the step."""
        layout, state, rate = self.model.output_layout, self.state, self.model.rate
        sits = are_to_rest(state.future_goal_samples.actions[:, 0], self.model.goal_actions)
        if not sits.any():
            state.seated = sits
            return
        hip_contacts = layout.view(y, "contact")[:, CONTACT_JOINTS.index("hips")]
        begins = sits & begins_to_sit(before.phase, state.phase, hip_contacts) & ~state.seated
        # An interrupted contact must not restart the end of the phase.
        state.seated = sits & (state.seated | begins)
        if not self.assistance.rests_seated:
            return
        state.phase = np.where(state.seated, run_out_phase(before.phase, state.phase, begins, rate), state.phase)
        kept = kept_shares(state.seated & (state.phase == 0.0), rate)
        state.pose += kept * (before.pose - state.pose)
        state.velocity += kept * (before.velocity - state.velocity)
        state.rotation += kept * (before.rotation - state.rotation)

    def _blend_trajectories(self, egocentric: TimeSeries, y: NDArray[np.float32]) -> tuple[TimeSeries, Array]:
        """Blend egocentric and goal-centric trajectory (NSM section 4.2); return the weights of the latter (B)."""
        goals = self.state.future_goal_samples
        positions, directions = goal_centric_samples(self.model.output_layout, y, goals)
        shares = goal_shares(egocentric.positions, goals.positions[..., :2])
        return blend_trajectories(egocentric, positions, directions, shares), shares[:, -1]
