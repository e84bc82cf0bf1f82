"""A whole body brought to where its key joints shall be (NSM section 5.2, step 5), vectorised over frames.

From the root down: the hips first, then the spine and collar bones lean towards what arms cannot reach, in sweeps of
cyclic coordinate descent, each bone about its own joint; at last arms and legs, two joints each, in closed form. So
bones keep their lengths, knees and elbows their planes, and feet that nobody moves stay where they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.limb_ik import Leg, reach, reach_hand, with_world_rotations
from ..motion.rotations import Array, between, exp, log, multiply, rotate, slerp

SWEEPS: Final = 12
BENDING: Final = {"spine": 0.3, "chest": 0.4, "shoulder": 0.5}
"""Which share of what is missing each of these bones makes up for in a sweep."""
FARTHEST: Final = {"spine": 0.7, "chest": 0.6, "shoulder": 0.35}
"""Radians by which each is bent at most."""
SINKING: Final = 0.5
"""Share of what limbs are too short for by which hips that are free come along in a sweep."""
ALMOST: Final = 0.995
"""A limb is stretched to this share of its length before anything else moves for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """Where a key joint shall be.

    Attributes:
        role: ``"hips"``, ``"hand.L"``, ``"foot.R"``, ...
        positions: (F, 3) metres, world.
        weights: (F) from 0, it stays where it is, to 1.
        rotations: (F, 4) world rotations of the joint, where they matter.
    """

    role: str
    positions: Array
    weights: Array
    rotations: Array | None = None


def reach_goals(clip: Clip, goals: Sequence[Goal]) -> Clip:
    """The clip with its key joints at their goals, as far as its bones go; feet without a goal stay.

    Raises:
        FootfallError: the skeleton has no arms or legs for them.
    """
    body = _Body(clip)
    wanted = {goal.role: goal for goal in goals}
    feet = {f"foot.{side}": body.at(f"foot.{side}").copy() for side in "LR" if f"foot.{side}" in body.roles}
    targets = feet | {role: body.blended(goal) for role, goal in wanted.items() if role.startswith("foot")}
    hips = body.blended(wanted["hips"]) if "hips" in wanted else None
    if hips is not None:
        body.shift(hips - body.at("hips"))
    # Hands go with the body as far as nobody asks for them.
    targets |= {role: body.blended(goal) for role, goal in wanted.items() if role.startswith("hand")}
    for _ in range(SWEEPS):
        missing = {role: body.missing(role, target) for role, target in targets.items()}
        if max((float(np.abs(each).max()) for each in missing.values()), default=0.0) < 1e-4:
            break
        free = 1.0 if hips is None else 1.0 - wanted["hips"].weights[:, None]
        body.shift(SINKING * free * np.mean(list(missing.values()), axis=0))
        body.lean({role: body.missing(role, target) for role, target in targets.items() if role.startswith("hand")})
    for role, target in targets.items():
        body.stretch(role, target, wanted.get(role))
    return with_world_rotations(clip, body.roots, body.rotations)


class _Body:
    """Positions (F, J, 3) and rotations (F, J, 4) of a body that is being bent."""

    def __init__(self, clip: Clip) -> None:
        self.skeleton, self.roles = clip.skeleton, clip.skeleton.roles
        positions, rotations = clip.world
        self.positions, self.rotations = positions.copy(), rotations.copy()
        self.roots = clip.root_positions.copy()
        self._spans: dict[str, Array] = {}
        self._bent = {bone: np.zeros((len(clip), 3)) for bone in self._bones()}

    def at(self, role: str) -> Array:
        """Where a joint is (F, 3)."""
        return self.positions[:, self.skeleton.role(role)]

    def blended(self, goal: Goal) -> Array:
        """Where a joint shall be (F, 3): on the way to its goal by its weight."""
        now = self.at(goal.role)
        return now + goal.weights[:, None] * (goal.positions - now)

    def shift(self, by: Array) -> None:
        """Moves everything (F, 3)."""
        self.roots += by
        self.positions += by[:, None]

    def missing(self, role: str, target: Array) -> Array:
        """What a limb is too short for (F, 3): from as far as it gets, or got in the clip, to its target."""
        first, middle, last = _limb(self.skeleton, role)
        if role not in self._spans:
            own = np.linalg.norm(self.positions[:, last] - self.positions[:, first], axis=-1, keepdims=True)
            offsets = self.skeleton.offsets[[middle, last]]
            self._spans[role] = np.maximum(own, ALMOST * float(np.linalg.norm(offsets, axis=-1).sum()))
        length, line = self._spans[role], target - self.positions[:, first]
        distance = np.linalg.norm(line, axis=-1, keepdims=True)
        return line * np.maximum(1.0 - length / np.maximum(distance, 1e-9), 0.0)

    def lean(self, missing: dict[str, Array]) -> None:
        """Bends spine, chest and collar bones so that shoulders come (F, 3) closer to what hands cannot reach."""
        for bone in self._bones():
            part, _, side = bone.partition(".")
            turns = []
            joint = self.skeleton.role(bone)
            for role, need in missing.items():
                if side and not role.endswith(side):
                    continue
                shoulder = self.positions[:, _limb(self.skeleton, role)[0]] - self.positions[:, joint]
                turns.append(log(between(shoulder, shoulder + need)))
            if not turns:
                continue
            before = self._bent[bone]
            after = before + BENDING[part] * np.mean(turns, axis=0)
            size = np.linalg.norm(after, axis=-1, keepdims=True)
            after *= np.minimum(1.0, FARTHEST[part] / np.maximum(size, 1e-9))
            self._bent[bone] = after
            self._turn(joint, exp(after - before))

    def stretch(self, role: str, target: Array, goal: Goal | None) -> None:
        """Brings a limb's end to a target (F, 3), turned as its goal says."""
        side = role[-1]
        if role.startswith("hand"):
            reach_hand(self.skeleton, self.positions, self.rotations, side, target)
        else:
            reach(self.skeleton, self.positions, self.rotations, Leg.of(self.skeleton, side), target)
        if goal is not None and goal.rotations is not None:
            joint = self.skeleton.role(role)
            turned = slerp(self.rotations[:, joint], goal.rotations, goal.weights)
            self._turn(joint, multiply(turned, self.rotations[:, joint] * [1, -1, -1, -1]))

    def _bones(self) -> list[str]:
        return [bone for bone in ("spine", "chest", "shoulder.L", "shoulder.R") if bone in self.roles]

    def _turn(self, joint: int, turn: Array) -> None:
        """Turns a joint and all that hangs on it (F, 4) about the joint."""
        below = list(_below(self.skeleton, joint))
        pivot = self.positions[:, [joint]]
        self.positions[:, below] = pivot + rotate(turn[:, None], self.positions[:, below] - pivot)
        self.rotations[:, below] = multiply(turn[:, None], self.rotations[:, below])


def _limb(skeleton: Skeleton, role: str) -> tuple[int, int, int]:
    part, _, side = role.partition(".")
    names = ("upper_arm", "forearm", "hand") if part == "hand" else ("thigh", "shin", "foot")
    first, middle, last = (skeleton.role(f"{name}.{side}") for name in names)
    return first, middle, last


@cache
def _below_of(parents: tuple[int, ...], joint: int) -> tuple[int, ...]:
    found = [joint]
    for number in range(joint + 1, len(parents)):
        if parents[number] in found:
            found.append(number)
    return tuple(found)


def _below(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """A joint and all that hang on it."""
    return _below_of(tuple(skeleton.parents), joint)
