"""Input corruption: inputs of windows on which a network must not rely are replaced at random.

A network that sees past and planned motion first learns to continue it: the *copycat problem* of imitation (Wen et al.
2020). In a roll-out that is its own motion, so it stands forever. In a share of the windows these inputs are replaced,
with unchanged targets, so that the network learns to rely on its goal (cf. the past-motion dropout of ChauffeurNet,
Bansal et al. 2018).
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
"""Share of windows in which a goal that stays in place has been known all along."""
STOOD_SHARE: Final = 0.6
"""Share of a standing character's windows in which it seems to have stood for long, with only its goal to start it."""
WAITED_SHARE: Final = 0.3
"""Share as :data:`STOOD_SHARE`, for a character about to sit, lie, push, take or put down within a second."""
WRONG_PLAN_SHARE: Final = 0.3
"""Share of windows whose planned actions at the start are replaced by the present ones or the goal's."""
STRAIGHT_PLAN_SHARE: Final = 0.3
"""Share of windows of walks to a place whose trajectory at the start is replaced by a straight one."""
STRAY_SHARE: Final = 0.3
"""Share of windows that begin with a small weight of an action that is neither the data's nor the goal's."""
STRAY_WEIGHT: Final = 0.5
"""Largest weight of such a stray action."""
STRAY_ACTIONS: Final = slice(ACTIONS.index("run"), None)
"""Columns of the actions that start only on command: all except idling and walking."""
STANDING_M: Final = 0.02
"""Largest travel of the root in the last sixth of a second that counts as standing."""
STANDING_GOAL_M: Final = 0.01
"""Largest travel of a goal within the next second that counts as staying in place."""
BEGINNING: Final = 0.5
"""Least change of an action within a second that counts as its beginning or end."""
CURRENT: Final = SAMPLE_OFFSETS_FRAMES.index(0)
"""Index of the current frame among the samples."""


class InputCorruption:
    """Random replacement of parts of normalized inputs on which a network must not rely."""

    def __init__(self, dataset: Dataset, scaling: GroupScaling, device: torch.device) -> None:
        self._scaling = scaling
        self._seconds = torch.tensor(FUTURE_OFFSETS_FRAMES, device=device) / FEATURE_RATE_HZ
        size = next(group.shape[-1] for group in dataset.input_layout if group.name == "trajectory.action")
        actions = ACTIONS[:size]
        self._goal_columns = [actions.index(name) for name in goal_actions_of(actions)]
        self._resting_columns = [actions.index(name) for name in RESTING_ACTIONS if name in actions]
        self._place_columns = [actions.index(name) for name in actions_that(lambda one: one.waits) if name in actions]

    def with_old_goals(self, x: Tensor) -> Tensor:
        """Return inputs x (B, T, n) in which, in a share of the windows, a goal that stays has always been known.

        In the data a character sets off soon after its goal is commanded. In a roll-out it may have stood for longer.
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
        """Return inputs x (B, n), some of a character that has stood for long, and the mask (B) of these.

        In the data, a character about to set off already sees its future motion, and one about to sit down or bend for
        a box has just arrived. In a roll-out it sees its own outputs; if these say to stand, it would stand forever.
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
        """Return inputs x (B, n) in which a share of the characters that walk to a place plan a straight path to it.

        In the data the trajectory ahead leads around an obstacle, so a network that continues it can ignore the
        environment sensor. In a roll-out the trajectory is the network's own, and starts straight.
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
        """Return inputs x (B, n) in which a share of the characters have other planned actions than in the data.

        In a roll-out a network sees its own planned actions. Here it learns to rely on its goal instead: a character
        that plans to sit down on the way continues to walk, and one that plans to walk into its seat sits down. Half of
        these plans continue the present actions; half reach the goal's action within the time ahead.
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
        """Return inputs x (B, n) in which a share of the characters seem to begin an uncommanded action.

        In the data every action that begins was commanded and is completed. In a roll-out, small weights of other
        actions appear by chance, are fed back and grow: the body bends in front of a table as if to climb it.
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
