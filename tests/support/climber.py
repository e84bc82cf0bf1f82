"""A climber whose feet and hands hold exactly where they are put: up from the floor, and down again."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.proportions import TOE_JOINT_HEIGHT_M
from footfall.core.motion.rotations import Array
from footfall.core.scene.climb_structure import ClimbStructure
from footfall.core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from footfall.core.scene.object_fitting import palm_positions
from footfall.tests.support.walker import person

RATE: Final = 60.0
HOLD_FRAMES, MOVE_FRAMES = 54, 30
STANCES: Final = ((-1, -1), (0, -1), (0, 1), (2, 1), (2, 2), (2, 1), (0, 1), (0, -1), (-1, -1))
"""Levels of left and right foot, one after the other; -1 is the floor."""
BEFORE_M: Final = 0.45
"""Distance of the balls before the lowest level, on the floor."""
REACH_M: Final = 0.08
"""Distance of the balls on rungs beyond them."""
HIPS_HEIGHT_M, HIPS_BACK_M = 0.78, 0.2
PALM_ROUNDS: Final = 6
HAND_HEIGHT_M: Final = 1.25
"""Height of the hands over the higher foot."""


@dataclass(frozen=True, slots=True)
class Climber:
    """A climb up a structure of three levels at the origin, whose front is toward +Y, and down again.

    Attributes:
        structure: what is climbed.
        holds_rails: whether hands are kept where rails are; else they go along.
    """

    structure: ClimbStructure
    holds_rails: bool = True

    def clip(self) -> Clip:
        """Return the motion."""
        balls = [self._ball([one[side] for one in STANCES], across) for side, across in ((0, 0.09), (1, -0.09))]
        standing = _standing(len(balls[0]))
        toes = [standing.positions[:, standing.skeleton.joint(f"toe.{side}")] for side in "LR"]
        goals = [_goal(standing, f"foot.{side}", ball - toe) for side, ball, toe in zip("LR", balls, toes, strict=True)]
        heights = np.array([ball[:, 2] for ball in balls])
        hips = (balls[0] + balls[1]) / 2 + [0.0, HIPS_BACK_M, 0.0]
        hips[:, 2] = 0.65 * heights.min(axis=0) + 0.35 * heights.max(axis=0) + HIPS_HEIGHT_M
        goals.append(EffectorGoal("hips", hips, np.ones(len(hips))))
        return self._with_hands(standing, goals) if self.holds_rails else solve_full_body_ik(standing, goals)

    def _with_hands(self, standing: Clip, goals: list[EffectorGoal]) -> Clip:
        """Return the solved body with its palms on the rails: palms lie in line with forearms, which follow."""
        wanted = np.stack([self._palm(1.0), self._palm(-1.0)])
        shifts, made = wanted - palm_positions(standing), standing
        for _ in range(PALM_ROUNDS):
            hands = [_goal(standing, f"hand.{side}", shift) for side, shift in zip("LR", shifts, strict=True)]
            made = solve_full_body_ik(standing, [*goals, *hands])
            shifts = shifts + wanted - palm_positions(made)
        return made

    def _ball(self, levels: list[int], across: float) -> Array:
        """Return the ball (F, 3) of a foot that stands on levels one after the other."""
        own, reach = self.structure, REACH_M if self.structure.kind == "ladder" else 0.0
        places = [
            [across, -own.depths[level] - reach, own.levels[level]] if level >= 0 else [across, BEFORE_M, 0.0]
            for level in levels
        ]
        return _between(np.array(places) + np.array([0.0, 0.0, TOE_JOINT_HEIGHT_M]))

    def _palm(self, sign: float) -> Array:
        """Return the palm (F, 3) of a hand that holds a rail."""
        under = [self.structure.levels[max(one)] if max(one) >= 0 else 0.0 for one in STANCES]
        heights = HAND_HEIGHT_M + np.array(under)
        across = np.full(len(heights), sign * self.structure.half_width)
        return _between(np.column_stack([across, -self.structure.depths_at(heights), heights]))


def _goal(standing: Clip, role: str, shift: Array) -> EffectorGoal:
    """Return the goal of a joint that is moved by a shift (F, 3), and not turned."""
    joint = standing.skeleton.joint(role)
    return EffectorGoal(role, standing.positions[:, joint] + shift, np.ones(len(standing)), standing.world[1][:, joint])


def _between(places: Array) -> Array:
    """Return a track (F, 3) that holds each of some places (N, 3) and moves between them."""
    share = np.linspace(0.0, 1.0, MOVE_FRAMES + 2)[1:-1, None]
    smooth = share**3 * (10 - 15 * share + 6 * share**2)
    parts = [np.tile(places[0], (HOLD_FRAMES, 1))]
    for start, end in pairwise(places):
        parts += [start + smooth * (end - start), np.tile(end, (HOLD_FRAMES, 1))]
    return np.concatenate(parts)


def _standing(frames: int) -> Clip:
    """Return a body that stands still at the origin and faces -Y."""
    body = person()
    rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (frames, len(body), 1))
    return Clip(body, RATE, np.tile([0.0, 0.0, 0.94 + TOE_JOINT_HEIGHT_M], (frames, 1)), rotations)
