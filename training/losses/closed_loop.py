"""Closed-loop windows of interactions: a network is trained on the inputs that result from its own outputs.

In a roll-out the network sees its own pose, trajectory, actions and phase, at the place that its own steps have
reached. Here the same update (NSM section 4.2) is differentiable: windows start on the data or at a deviation from it,
and targets lead back to the data with the time constant :data:`RETURN_TIME_S`. Noise on states with correcting targets
is that of DART (Laskey et al. 2017), back-propagation through time that of Werbos 1990.
"""

from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from ...core.control.runtime.batch_state import TUNING as BATCH_STATE_TUNING
from ...core.features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    GATING_GROUPS,
    SAMPLE_OFFSETS_FRAMES,
)
from ...core.features.locomotion import FEATURE_RATE_HZ
from ..data.dataset import Dataset
from ..data.samples import GroundPlacement, WindowBatch
from ..networks.network import TrainedNetwork
from .deviation import Deviation, RootHistory, rotated, wrapped, wrapped_angle, yaw_of
from .group_tensors import GroupTensors
from .input_corruption import InputCorruption
from .stages import InputNoise, PoseFeedback

RETURN_TIME_S: Final = 0.5
"""Time constant of the desired decay of deviations from the data."""
CURRENT: Final = SAMPLE_OFFSETS_FRAMES.index(0)
"""Index of the current frame among the trajectory samples."""
HIPS: Final = CONTACT_JOINTS.index("hips")
"""Index of the hips among the contacts."""
TRAJECTORY: Final = ("trajectory.position", "trajectory.direction", "trajectory.action")
"""Groups of the trajectory's samples."""
GROUP_WEIGHTS: Final = {
    "root.velocity": 8.0,
    "root.angular_velocity": 8.0,
    "phase.rate": 8.0,
    "contact": 2.0,
    "goal.position": 0.2,
    "goal.direction": 0.2,
    "goal.action": 0.2,
    "future_pose.position": 0.5,
}
"""Weights of output groups in the loss, 1 by default; largest for groups that a roll-out integrates."""
CONTACT_WEIGHT: Final = 4.0
"""Additional weight of hips and hands in contact with an object."""


class InteractionFeedback(PoseFeedback):
    """The update that a roll-out makes, on normalized tensors, and targets for characters off the data's motion."""

    def __init__(self, dataset: Dataset, device: torch.device) -> None:
        super().__init__(dataset, device)
        self._sample_seconds = torch.tensor(SAMPLE_OFFSETS_FRAMES, device=device) / FEATURE_RATE_HZ
        self._seconds = self._sample_seconds[CURRENT + 1 :]
        ahead = torch.arange(1, len(self._seconds) + 1, device=device)
        self._goal_bases = ahead / (len(ahead) + 1)
        weights = torch.ones(dataset.output_layout.size, device=device)
        for name, weight in GROUP_WEIGHTS.items():
            weights[dataset.output_layout.slices[name]] = weight
        self._weights = weights / weights.mean()
        self._touching = _columns_of_touching_joints(dataset, device)
        self.corruption = InputCorruption(dataset, self._inputs, device)

    def read_goals(self, x: Tensor) -> Tensor:
        """Return the goal positions (B, 13, 3), m, in the root's frame, contained in normalized inputs x (B, n)."""
        return self._inputs.split(x).read("goal.position")

    def read_actions(self, x: Tensor) -> Tensor:
        """Return the current action weights (B, A) contained in normalized inputs x (B, n)."""
        return self._inputs.split(x).read("trajectory.action")[:, CURRENT]

    def begin_history(self, x: Tensor, deviation: Deviation, drift: Tensor, stood: Tensor | None = None) -> RootHistory:
        """Return the root history of characters that deviate from the data at a window's first frame.

        Args:
            x: (B, n) inputs of the data, without the deviation.
            deviation: the characters' deviation at the first frame.
            drift: (B, 2) velocity, m/s, with which the characters left the data before, in their root frames.
            stood: (B) whether a character has stood in place for long; false by default.
        """
        return RootHistory.begin(deviation, self.read_actions(x), drift, stood)

    def displaced(self, x: Tensor, phase: Tensor, deviation: Deviation, drift: Tensor) -> Tensor:
        """Return the data's normalized inputs x (B, n) as seen by characters that deviate from the data.

        The trajectory ahead leads back to the data, except for a random share of the drift (B, 2), m/s, that led away
        from it; otherwise the network would learn to continue its own drift. The environment sensor's occupancy stays
        the data's.
        """
        groups = self._inputs.split(x)
        self._displace(groups, deviation)
        positions = groups.read("trajectory.position")
        share = torch.where(self._sample_seconds > 0.0, torch.rand(len(x), 1, device=x.device), 1.0)
        drifted = (share * self._sample_seconds)[..., None] * drift[:, None]
        groups.replace("trajectory.position", positions + drifted)
        _write_gating(groups, phase)
        return groups.joined()

    def asked_for(self, y: Tensor, deviation: Deviation) -> Tensor:
        """Return targets (B, m) that lead deviating characters back to the data, given its outputs y (B, m)."""
        groups = self._outputs.split(y)
        read, decay = groups.read, torch.exp(-self._seconds / RETURN_TIME_S)
        # A sitting character stays in place.
        returning = (1.0 - read("contact")[:, HIPS, None].clamp(0.0, 1.0)) / RETURN_TIME_S
        velocity = read("root.velocity") - deviation.offset * returning
        spin = read("root.angular_velocity") - deviation.turn[:, None] * returning
        after = _advanced(deviation, groups, rotated(velocity, -deviation.turn), spin)
        residue, left = after.offset[:, None] * decay[:, None], after.turn[:, None] * decay
        goal_positions, goal_directions = read("goal.position"), read("goal.direction")
        goal_yaws = yaw_of(goal_directions[:, -len(decay) :])
        changed = {
            "root.velocity": rotated(velocity, -deviation.turn),
            "root.angular_velocity": spin,
            "phase.rate": read("phase.rate") - deviation.phase[:, None] / RETURN_TIME_S,
            "trajectory.position": after.into_own_frame(read("trajectory.position") + residue),
            "trajectory.direction": rotated(read("trajectory.direction"), left - after.turn[:, None]),
            "goal_trajectory.position": read("goal_trajectory.position") + rotated(residue, -goal_yaws),
            "goal_trajectory.direction": rotated(read("goal_trajectory.direction"), left),
            "goal.position": after.into_own_frame(goal_positions),
            "goal.direction": rotated(goal_directions, -after.turn),
        }
        for name, values in changed.items():
            groups.replace(name, values)
        return groups.joined()

    def next_inputs(
        self,
        following: Tensor,
        phases: tuple[Tensor, Tensor],
        data: Tensor,
        answer: Tensor,
        deviation: Deviation,
        history: RootHistory,
    ) -> tuple[Tensor, Tensor, Deviation]:
        """Return the inputs (B, n) of the next frame, their phases (B), and the characters' deviation at it.

        Args:
            following: (B, n) normalized inputs of the data at the next frame.
            phases: (B) phases of the data at this frame, and at the next, cycles.
            data: (B, m) normalized outputs of the data at this frame.
            answer: (B, m) normalized outputs of the network at this frame.
            deviation: deviation at this frame.
            history: the characters' history up to this frame; its data root is advanced to the next.
        """
        said, inputs, moved = self._outputs.split(answer), self._inputs.split(following), self._outputs.split(data)
        idle, seated = said.read("trajectory.action")[:, 0, ACTIONS.index("idle")], said.read("contact")[:, HIPS]
        resting = torch.maximum(idle, seated)[:, None].detach().clamp(0.0, 1.0)
        damping = (1.0 - resting) ** BATCH_STATE_TUNING.standing_damping
        velocity, spin = (said.read(name) * damping for name in ("root.velocity", "root.angular_velocity"))
        after = _advanced(deviation, moved, velocity, spin)
        rate = said.read("phase.rate")[:, 0].clamp(min=0.0)
        phase = (phases[0] + deviation.phase + rate / FEATURE_RATE_HZ) % 1.0
        after = Deviation(after.offset, after.turn, wrapped(phase - phases[1]))
        for name, values in self.pose_inputs(said.normalized).items():
            inputs.replace_normalized(name, values)
        dt = 1.0 / FEATURE_RATE_HZ
        history.advance(moved.read("root.velocity") * dt, moved.read("root.angular_velocity")[:, 0] * dt)
        past = [inputs.read(name)[:, :CURRENT] for name in TRAJECTORY]
        past = history.replace_past(SAMPLE_OFFSETS_FRAMES[:CURRENT], after, (past[0], past[1], past[2]))
        self._displace(inputs, after)
        for name, values in zip(TRAJECTORY, past, strict=True):
            inputs.replace(name, torch.cat([values, inputs.read(name)[:, CURRENT:]], dim=1))
        self._insert_trajectory(inputs, said)
        _write_gating(inputs, phase)
        return inputs.joined(), phase, after

    def loss(self, answer: Tensor, target: Tensor) -> Tensor:
        """Return the weighted mean squared error () of normalized outputs ``answer`` (B, m) from ``target`` (B, m).

        Hips and hands that touch an object weigh more.
        """
        contacts = self._outputs.split(target).read("contact")[:, :3].clamp(0.0, 1.0)
        weights = self._weights + CONTACT_WEIGHT * (contacts @ self._touching)
        return (weights * (answer - target) ** 2).mean()

    def _displace(self, inputs: GroupTensors, deviation: Deviation) -> None:
        """Change inputs of the data, in place, into those of deviating characters; gating features are not changed."""
        read, count = inputs.read, len(self._seconds)
        decay = torch.exp(-self._seconds / RETURN_TIME_S)
        positions, directions = read("trajectory.position"), read("trajectory.direction")
        ahead = deviation.into_own_frame(positions[:, -count:] + deviation.offset[:, None] * decay[:, None])
        turned = rotated(directions[:, -count:], deviation.turn[:, None] * (decay - 1.0))
        inputs.replace("trajectory.position", torch.cat([positions[:, :-count], ahead], dim=1))
        inputs.replace("trajectory.direction", torch.cat([directions[:, :-count], turned], dim=1))
        inputs.replace("goal.position", deviation.into_own_frame(read("goal.position")))
        # No gradient flows through the sensor's 512 cells: the goal carries the same deviation at far lower cost.
        inputs.replace("interaction.voxel", deviation.detached().into_own_frame(read("interaction.voxel")))
        inputs.replace("goal.direction", rotated(read("goal.direction"), -deviation.turn))

    def _insert_trajectory(self, inputs: GroupTensors, said: GroupTensors) -> None:
        """Write an output's trajectory, blended with that to a nearby goal, and its actions into the next inputs."""
        read, count = said.read, len(self._seconds)
        goals = inputs.read("goal.position")[:, -count:, :2]
        goal_yaws = yaw_of(inputs.read("goal.direction")[:, -count:])
        positions, directions = read("trajectory.position"), read("trajectory.direction")
        to_goal = goals + rotated(read("goal_trajectory.position"), goal_yaws)
        toward = rotated(read("goal_trajectory.direction"), goal_yaws)
        share = (self._goal_bases ** (goals - positions).square().sum(dim=-1))[..., None]
        directions = directions + share * (toward - directions)
        for name, first, values in (
            ("trajectory.position", CURRENT + 1, positions + share * (to_goal - positions)),
            ("trajectory.direction", CURRENT + 1, torch.nn.functional.normalize(directions, dim=-1)),
            ("trajectory.action", CURRENT, read("trajectory.action").clamp(0.0, 1.0)),
        ):
            inputs.replace(name, torch.cat([inputs.read(name)[:, :first], values], dim=1))


def closed_loop_loss(
    network: TrainedNetwork,
    feedback: PoseFeedback,
    ground_placement: GroundPlacement,
    windows: WindowBatch,
    teacher_forcing: float = 0.0,
    noise: InputNoise | None = None,
) -> Tensor:
    """Return the mean loss () over windows of interactions in which the network's outputs are fed back as inputs.

    Args:
        network: the network in training.
        feedback: conversion of outputs into the next inputs.
        ground_placement: not used, since interactions take place on level ground.
        windows: B windows of T frames.
        teacher_forcing: probability that a frame's input is the data's instead of the network's own.
        noise: noise on the inputs and on the deviation from the data; none by default.
    """
    assert isinstance(feedback, InteractionFeedback)
    first, stood = windows.x[:, 0], None
    if noise is not None:
        windows = replace(windows, x=feedback.corruption.with_old_goals(windows.x))
        planned = feedback.corruption.with_straight_plans(feedback.corruption.with_wrong_plans(windows.x[:, 0]))
        first, stood = feedback.corruption.as_standing(planned)
        first = feedback.corruption.with_stray_actions(first)
    count, steps, noise = *windows.x.shape[:2], noise or InputNoise()
    deviation, memory = Deviation.draw(count, noise, windows.x.device), network.begin(count)
    phase = (windows.phase[:, 0] + deviation.phase) % 1.0
    x = feedback.add_trajectory_noise(first, noise.trajectory)
    drift = deviation.draw_drift(noise)
    if stood is not None:
        drift = drift * ~stood[:, None]
    given = feedback.displaced(feedback.add_pose_noise(x, noise.pose), phase, deviation, drift)
    history = feedback.begin_history(first, deviation, drift, stood)
    losses: list[Tensor] = []
    for frame in range(steps):
        answer, memory = network.step(given, phase, memory)
        answer, data = answer.float(), windows.y[:, frame]
        losses.append(feedback.loss(answer, feedback.asked_for(data, deviation)))
        if frame + 1 < steps:
            phases = windows.phase[:, frame], windows.phase[:, frame + 1]
            following = windows.x[:, frame + 1]
            given, phase, deviation = feedback.next_inputs(following, phases, data, answer, deviation, history)
            if teacher_forcing > 0.0:
                forced = torch.rand(count, device=x.device) < teacher_forcing
                given = torch.where(forced[:, None], following, given)
                phase = torch.where(forced, phases[1], phase)
                kept = (~forced).float()
                deviation = Deviation(deviation.offset * kept[:, None], deviation.turn * kept, deviation.phase * kept)
            history.record(deviation, feedback.read_actions(given))
    return torch.stack(losses).mean()


def _advanced(deviation: Deviation, data: GroupTensors, velocity: Tensor, spin: Tensor) -> Deviation:
    """Return the deviation one frame later, given the characters' own velocity (B, 2) and spin (B, 1).

    Args:
        deviation: deviation at this frame.
        data: the data's outputs of this frame.
        velocity: (B, 2) velocity, m/s, in the characters' root frames.
        spin: (B, 1) turning rate, rad/s.
    """
    dt = 1.0 / FEATURE_RATE_HZ
    step, turned = data.read("root.velocity") * dt, data.read("root.angular_velocity")[:, 0] * dt
    moved = deviation.offset + rotated(velocity * dt, deviation.turn) - step
    return Deviation(rotated(moved, -turned), deviation.turn + spin[:, 0] * dt - turned, deviation.phase)


def _write_gating(inputs: GroupTensors, phase: Tensor) -> None:
    """Write the gating features at phases (B) into inputs, see ``interaction.gating_features``."""
    read = inputs.read
    goals, directions = read("goal.position")[..., :2], read("goal.direction")
    distance = (goals - read("trajectory.position")).norm(dim=-1)[..., None]
    angle = wrapped_angle(yaw_of(directions) - yaw_of(read("trajectory.direction"))).abs()[..., None]
    cycle = 2 * torch.pi * phase
    sine_cosine = torch.stack([cycle.sin(), cycle.cos()], dim=-1)[:, :, None, None]
    actions = read("goal.action")
    factors = read("trajectory.action"), actions, distance * actions, angle * actions
    for name, factor in zip(GATING_GROUPS, factors, strict=True):
        inputs.replace(name, sine_cosine * factor[:, None])


def _columns_of_touching_joints(dataset: Dataset, device: torch.device) -> Tensor:
    """Return masks (3, m), 0 or 1, of the outputs that belong to hips, left hand and right hand."""
    layout, rows = dataset.output_layout, torch.zeros(3, dataset.output_layout.size)
    for row, role in enumerate(CONTACT_JOINTS[:3]):
        joint = dataset.joints.index(dataset.skeleton.names[dataset.skeleton.joint(role)])
        for name in ("pose.position", "pose.velocity", "pose.rotation"):
            start = layout.slices[name].start + 3 * joint
            rows[row, start : start + 3] = 1.0
    return rows.to(device)
