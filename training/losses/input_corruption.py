"""Corruption of the inputs of windows: what a network shall not go by is not as in the data.

A network that sees its own past and its own plans learns first of all to go on with them: the *copycat problem* of
imitation (Wen et al. 2020). In a roll-out these are its own, and it stands for good. In a share of the windows they are
others than the data's, with the data's targets, so that it learns to go by where its goal is; what shall not be copied
is dropped (ChauffeurNet, Bansal et al. 2018).
"""

from typing import Final

import torch
from torch import Tensor

from ...core.actions import actions_that
from ...core.control.runtime.seated_state import RESTING_ACTIONS
from ...core.features.interaction import (
    ACTIONS,
    FUTURE_OFFSETS_FRAMES,
    GOAL_ACTIONS,
    SAMPLE_OFFSETS_FRAMES,
    goal_actions_of,
)
from ...core.features.locomotion import FEATURE_RATE_HZ
from ..data.dataset import Dataset
from .group_tensors import GroupScaling

OLD_GOAL_SHARE: Final = 0.5
"""Share of windows in which a goal that stands has always been known."""
STOOD_SHARE: Final = 0.6
"""Share of the windows of a standing character in which it has stood for long, and has to set off by its goal alone."""
WAITED_SHARE: Final = 0.3
"""The same of a character that begins to sit, to lie, to push, to take or to put down within a second."""
WRONG_PLAN_SHARE: Final = 0.3
"""Share of windows that begin with other actions ahead than the data's: the present ones, or the goal's."""
STRAIGHT_PLAN_SHARE: Final = 0.3
"""Share of windows of walks to a place that begin with the straight way to it ahead, whatever stands there."""
STRAY_SHARE: Final = 0.3
"""Share of windows that begin with an action that has begun a little, and that neither the data nor the goal has."""
STRAY_WEIGHT: Final = 0.5
"""Largest weight of such an action."""
STRAY_ACTIONS: Final = slice(ACTIONS.index("run"), None)
"""Columns of the actions that only a command may start: all but idling and walking."""
STANDING_M: Final = 0.02
"""Largest distance of the root, a sixth of a second ago, of a standing character."""
STANDING_GOAL_M: Final = 0.01
"""Largest distance by which a goal that stands moves within the second ahead."""
BEGINNING: Final = 0.5
"""Change of such an action within a second from which it begins or ends."""
CURRENT: Final = SAMPLE_OFFSETS_FRAMES.index(0)
"""Index of the current frame among the samples."""


class InputCorruption:
    """Corruption of normalized inputs.

    Args:
        dataset: a data set of interactions.
        scaling: of its inputs.
        device: the device of its windows.
    """

    def __init__(self, dataset: Dataset, scaling: GroupScaling, device: torch.device) -> None:
        self._scaling = scaling
        self._seconds = torch.tensor(FUTURE_OFFSETS_FRAMES, device=device) / FEATURE_RATE_HZ
        size = next(group.shape[-1] for group in dataset.input_layout if group.name == "trajectory.action")
        actions = ACTIONS[:size]
        self._goal_columns = [actions.index(name) for name in goal_actions_of(actions)]
        self._resting_columns = [actions.index(name) for name in RESTING_ACTIONS if name in actions]
        self._place_columns = [actions.index(name) for name in actions_that(lambda one: one.waits) if name in actions]

    def with_old_goals(self, x: Tensor) -> Tensor:
        """Return the data's inputs x (B, T, n) of windows, in a share of which goals that stand have always been known.

        In the data a character sets off soon after its goal was commanded. In a roll-out it may have stood for longer.
        """
        count, steps = x.shape[:2]
        groups = self._scaling.split(x.flatten(0, 1))
        positions = groups.read("goal.position")
        stands = (positions[:, CURRENT] - positions[:, -1]).norm(dim=1) < STANDING_GOAL_M
        chosen = (torch.rand(count, device=x.device) < OLD_GOAL_SHARE).repeat_interleave(steps) & stands
        for name in ("goal.position", "goal.direction", "goal.action"):
            values = groups.read(name)
            known = values[:, CURRENT, None].expand_as(values[:, :CURRENT])
            past = torch.where(chosen[:, None, None], known, values[:, :CURRENT])
            groups.replace(name, torch.cat([past, values[:, CURRENT:]], dim=1))
        return groups.joined().unflatten(0, (count, steps))

    def as_standing(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return inputs x (B, n) in which a share of the characters see that they have stood there for long, and which.

        In the data a character that is about to set off has its own future before it, and one that is about to sit
        down, or to bend for a box, has just come. In a roll-out they have what they answered themselves, which may be
        to stand, and would go on with that for good.
        """
        groups = self._scaling.split(x)
        positions, actions = (groups.read(f"trajectory.{name}") for name in ("position", "action"))
        now, ahead = actions[:, CURRENT], actions[:, CURRENT + 1 :, self._place_columns]
        stands = (now[:, ACTIONS.index("idle")] > 0.5) & (positions[:, CURRENT - 1].norm(dim=-1) < STANDING_M)
        changes = (ahead - now[:, None, self._place_columns]).abs().amax(dim=(1, 2)) > BEGINNING
        draw = torch.rand(len(x), device=x.device)
        stood = (stands & (draw < STOOD_SHARE)) | (changes & (draw < WAITED_SHARE))
        seen = torch.zeros_like(now)
        seen[:, self._place_columns] = now[:, self._place_columns]
        seen[:, ACTIONS.index("idle")] = 1.0 - now[:, self._resting_columns].amax(dim=1).clamp(0.0, 1.0)
        standing = {
            "position": torch.zeros_like(positions),
            "direction": torch.tensor([0.0, 1.0], device=x.device).expand_as(positions),
            "action": seen[:, None].expand_as(actions),
        }
        for name, values in standing.items():
            group = f"trajectory.{name}"
            groups.replace(group, torch.where(stood[:, None, None], values, groups.read(group)))
        return groups.joined(), stood

    def with_straight_plans(self, x: Tensor) -> Tensor:
        """Return inputs x (B, n) in which a share of the characters that walk to a place plan to go straight to it.

        In the data the trajectory ahead is the way around an obstacle, and a network that goes on with it needs no
        environment sensor. In a roll-out the way is its own, and begins straight.
        """
        groups = self._scaling.split(x)
        positions, directions = (groups.read(f"trajectory.{name}") for name in ("position", "direction"))
        place = groups.read("goal.position")[:, CURRENT, :2]
        walks = groups.read("goal.action")[:, CURRENT, GOAL_ACTIONS.index("walk")] > 0.5
        chosen = (walks & (torch.rand(len(x), device=x.device) < STRAIGHT_PLAN_SHARE))[:, None, None]
        now, ahead = positions[:, CURRENT], positions[:, CURRENT + 1 :]
        lengths = torch.cat([now[:, None], ahead], dim=1).diff(dim=1).norm(dim=-1).cumsum(dim=1)
        far = place.norm(dim=1, keepdim=True)
        way = place / far.clamp(min=1e-6)
        straight = torch.minimum(lengths, far)[..., None] * way[:, None]
        reached = (self._seconds / self._seconds[-1]).view(1, -1, 1)
        facing = directions[:, CURRENT, None] * (1.0 - reached) + way[:, None] * reached
        plans = {"position": straight, "direction": torch.nn.functional.normalize(facing, dim=-1)}
        for name, values in (("position", positions), ("direction", directions)):
            kept = torch.where(chosen, plans[name], values[:, CURRENT + 1 :])
            groups.replace(f"trajectory.{name}", torch.cat([values[:, : CURRENT + 1], kept], dim=1))
        return groups.joined()

    def with_wrong_plans(self, x: Tensor) -> Tensor:
        """Return inputs x (B, n) in which a share of the characters have other actions ahead than in the data.

        In a roll-out a character sees the actions that it planned itself. What it is taught here is to go by where its
        goal is instead: one that plans to sit down on the way goes on, one that walks into its seat sits down. Half of
        these plans are to go on with the present actions, half to do what the goal is, fully within the time ahead.
        """
        groups = self._scaling.split(x)
        actions, wanted = (groups.read(name) for name in ("trajectory.action", "goal.action"))
        now, goal = actions[:, CURRENT], torch.zeros_like(actions[:, CURRENT])
        goal[:, self._goal_columns] = wanted[:, CURRENT]
        draw = torch.rand(len(x), device=x.device) / WRONG_PLAN_SHARE
        plan = torch.where((draw < 0.5)[:, None], now, goal)
        reached = (self._seconds / self._seconds[-1]).view(1, -1, 1)
        ahead = now[:, None] + reached * (plan - now)[:, None]
        ahead = torch.where((draw < 1.0)[:, None, None], ahead, actions[:, CURRENT + 1 :])
        groups.replace("trajectory.action", torch.cat([actions[:, : CURRENT + 1], ahead], dim=1))
        return groups.joined()

    def with_stray_actions(self, x: Tensor) -> Tensor:
        """Return inputs x (B, n) in which a share of the characters see an action begin that nothing has commanded.

        In the data an action begins after its command and then goes on to its end. In a roll-out small weights of
        others are answered by chance, are fed back, and grow: the body bends before a table as if to climb it.
        """
        groups = self._scaling.split(x)
        actions, wanted = (groups.read(name) for name in ("trajectory.action", "goal.action"))
        known = actions.amax(dim=1)
        known[:, self._goal_columns] = torch.maximum(known[:, self._goal_columns], wanted.amax(dim=1))
        free = (1.0 - known.clamp(0.0, 1.0))[:, STRAY_ACTIONS]
        draw = torch.rand(len(x), 2, device=x.device)
        weight = STRAY_WEIGHT * draw[:, 0] * (draw[:, 1] < STRAY_SHARE)
        chosen = torch.nn.functional.one_hot(torch.rand_like(free).argmax(dim=1), free.shape[1])
        stray = actions[..., STRAY_ACTIONS] + (weight[:, None] * free * chosen)[:, None]
        groups.replace("trajectory.action", torch.cat([actions[..., : STRAY_ACTIONS.start], stray], dim=-1))
        return groups.joined()
