"""Feedback in windows of a local phase system: poses, phases and contacts are the network's own.

The update is that of the roll-out (LMP section 4): if it saw only the data's phases, a network would not learn to keep
its own in step.
"""

from typing import Final

import torch
from torch import Tensor

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.features.opponent import GROUPS
from ...core.features.phase_system import DELTA_GROUP, PAST_OFFSETS_FRAMES
from ...core.features.phase_vectors import PREDICTED_PHASE_WEIGHT
from ..data.dataset import Dataset
from .deviation import rotated
from .group_tensors import GroupTensors
from .stages import PoseFeedback

NOISY_GROUPS: Final = tuple(name for name in GROUPS if name != "opponent.weight")
"""Opponent features that get the pose's noise."""
CURRENT: Final = len(PAST_OFFSETS_FRAMES) - 1
"""Index of the current frame among the past samples."""


class SystemFeedback(PoseFeedback):
    """The update that a roll-out of a local phase system makes, on normalized tensors."""

    def __init__(self, dataset: Dataset, device: torch.device) -> None:
        super().__init__(dataset, device)
        slices = dataset.input_layout.slices
        self._opponent_slices = [slices[name] for name in NOISY_GROUPS if name in slices]

    def next_input(self, before: Tensor, following: Tensor, answer: Tensor) -> Tensor:
        """Return the normalized inputs (B, n) of the next frame, with pose, phases and contacts of the network's own.

        Phases advance by LMP equation 2; the last state of a ball is the network's own too. Past samples stay the
        data's, since windows are hardly longer than the time between samples. Arguments are as in the base class.
        """
        inputs, said = self._inputs.split(following), self._outputs.split(answer)
        for name, values in self.pose_inputs(said.normalized).items():
            inputs.replace_normalized(name, values)
        weight, last = PREDICTED_PHASE_WEIGHT, self._inputs.split(before).read("phase.vector")[:, CURRENT:]
        updated = weight * said.read("phase.vector") + (1 - weight) * (last + said.read(DELTA_GROUP))
        inputs.replace("phase.vector", torch.cat([inputs.read("phase.vector")[:, :CURRENT], updated], dim=1))
        names = [name for name in ("contact", "contact.other") if name in self._outputs.shapes]
        touching = torch.cat([said.read(name) for name in names], dim=1).clamp(0.0, 1.0)
        past = inputs.read("contact.past")[:, :CURRENT]
        inputs.replace("contact.past", torch.cat([past, touching[:, None]], dim=1))
        if "ball.position" in self._inputs.shapes:
            self._replace_ball(inputs, said)
        return inputs.joined()

    def add_pose_noise(self, x: Tensor, deviation: float) -> Tensor:
        """Return inputs x (..., n) with Gaussian noise, in normalized units, on the pose and the opponent features."""
        noisy = super().add_pose_noise(x, deviation)
        if deviation > 0.0:
            for part in self._opponent_slices:
                noisy[..., part] += deviation * torch.randn_like(noisy[..., part])
        return noisy

    def _replace_ball(self, inputs: GroupTensors, said: GroupTensors) -> None:
        """Replace the last ball state in the inputs, in the next root's frame, with the network's prediction."""
        step = said.read("root.velocity") / FEATURE_RATE_HZ
        turn = said.read("root.angular_velocity")[:, 0] / FEATURE_RATE_HZ
        weight, place, moving = (said.read(f"ball.{name}") for name in ("weight", "position", "velocity"))
        weight = weight.clamp(0.0, 1.0)
        level = rotated(torch.stack([place[:, :2] - weight * step, moving[:, :2]], dim=1), -turn)
        place, moving = (
            torch.cat([each, up[:, 2:]], dim=1) for each, up in zip(level.unbind(1), (place, moving), strict=True)
        )
        for name, values in (("position", place), ("velocity", moving), ("weight", weight[:, 0])):
            known = inputs.read(f"ball.{name}")
            inputs.replace(f"ball.{name}", torch.cat([known[:, :-1], values[:, None]], dim=1))
