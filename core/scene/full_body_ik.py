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
from ..motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ..motion.rotations import Array, exp, log, multiply, rotate, rotation_between, slerp

CCD_SWEEPS: Final = 12
BEND_SHARES: Final = {"spine": 0.3, "chest": 0.4, "shoulder": 0.5}
"""Which share of what is missing each of these bones makes up for in a sweep."""
MAX_BEND_RAD: Final = {"spine": 0.7, "chest": 0.6, "shoulder": 0.35}
"""Radians by which each is bent at most."""
HIPS_SHIFT_SHARE: Final = 0.5
"""Share of what limbs are too short for by which hips that are free come along in a sweep."""
MAX_EXTENSION_RATIO: Final = 0.995
"""A limb is stretched to this share of its length before anything else moves for it."""


@dataclass(frozen=True, slots=True, eq=False)
class EffectorGoal:
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


def solve_full_body_ik(clip: Clip, goals: Sequence[EffectorGoal]) -> Clip:
    """Return the clip with its key joints at their goals, as far as its bones go; feet without a goal stay.

    Raises:
        FootfallError: the skeleton has no arms or legs for them.
    """
    body = _IkBody(clip)
    wanted = {goal.role: goal for goal in goals}
    feet = {
        f"foot.{side}": body.joint_positions(f"foot.{side}").copy() for side in "LR" if f"foot.{side}" in body.roles
    }
    targets = feet | {role: body.goal_positions(goal) for role, goal in wanted.items() if role.startswith("foot")}
    hips = body.goal_positions(wanted["hips"]) if "hips" in wanted else None
    if hips is not None:
        body.translate(hips - body.joint_positions("hips"))
    # Hands go with the body as far as nobody asks for them.
    targets |= {role: body.goal_positions(goal) for role, goal in wanted.items() if role.startswith("hand")}
    for _ in range(CCD_SWEEPS):
        missing = {role: body.reach_deficit(role, target) for role, target in targets.items()}
        if max((float(np.abs(each).max()) for each in missing.values()), default=0.0) < 1e-4:
            break
        free = 1.0 if hips is None else 1.0 - wanted["hips"].weights[:, None]
        body.translate(HIPS_SHIFT_SHARE * free * np.mean(list(missing.values()), axis=0))
        body.bend_trunk(
            {role: body.reach_deficit(role, target) for role, target in targets.items() if role.startswith("hand")}
        )
    for role, target in targets.items():
        body.solve_limb(role, target, wanted.get(role))
    return with_world_rotations(clip, body.root_positions, body.rotations)


class _IkBody:
    """Positions (F, J, 3) and rotations (F, J, 4) of a body that is being bent."""

    def __init__(self, clip: Clip) -> None:
        self.skeleton, self.roles = clip.skeleton, clip.skeleton.roles
        positions, rotations = clip.world
        self.positions, self.rotations = positions.copy(), rotations.copy()
        self.root_positions = clip.root_positions.copy()
        self._max_reaches: dict[str, Array] = {}
        self._bends = {bone: np.zeros((len(clip), 3)) for bone in self._trunk_bones()}

    def joint_positions(self, role: str) -> Array:
        """Where a joint is (F, 3)."""
        return self.positions[:, self.skeleton.joint(role)]

    def goal_positions(self, goal: EffectorGoal) -> Array:
        """Where a joint shall be (F, 3): on the way to its goal by its weight."""
        now = self.joint_positions(goal.role)
        return now + goal.weights[:, None] * (goal.positions - now)

    def translate(self, offset: Array) -> None:
        """Move everything (F, 3)."""
        self.root_positions += offset
        self.positions += offset[:, None]

    def reach_deficit(self, role: str, target: Array) -> Array:
        """What a limb is too short for (F, 3): from as far as it gets, or got in the clip, to its target."""
        first, middle, last = _limb_joints(self.skeleton, role)
        if role not in self._max_reaches:
            own = np.linalg.norm(self.positions[:, last] - self.positions[:, first], axis=-1, keepdims=True)
            offsets = self.skeleton.offsets[[middle, last]]
            self._max_reaches[role] = np.maximum(
                own, MAX_EXTENSION_RATIO * float(np.linalg.norm(offsets, axis=-1).sum())
            )
        length, line = self._max_reaches[role], target - self.positions[:, first]
        distance = np.linalg.norm(line, axis=-1, keepdims=True)
        return line * np.maximum(1.0 - length / np.maximum(distance, 1e-9), 0.0)

    def bend_trunk(self, deficits: dict[str, Array]) -> None:
        """Bends spine, chest and collar bones so that shoulders come (F, 3) closer to what hands cannot reach."""
        for bone in self._trunk_bones():
            part, _, side = bone.partition(".")
            turns = []
            joint = self.skeleton.joint(bone)
            for role, need in deficits.items():
                if side and not role.endswith(side):
                    continue
                shoulder = self.positions[:, _limb_joints(self.skeleton, role)[0]] - self.positions[:, joint]
                turns.append(log(rotation_between(shoulder, shoulder + need)))
            if not turns:
                continue
            before = self._bends[bone]
            after = before + BEND_SHARES[part] * np.mean(turns, axis=0)
            size = np.linalg.norm(after, axis=-1, keepdims=True)
            after *= np.minimum(1.0, MAX_BEND_RAD[part] / np.maximum(size, 1e-9))
            self._bends[bone] = after
            self._rotate_subtree(joint, exp(after - before))

    def solve_limb(self, role: str, target: Array, goal: EffectorGoal | None) -> None:
        """Brings a limb's end to a target (F, 3), turned as its goal says."""
        side = role[-1]
        if role.startswith("hand"):
            solve_arm_ik(self.skeleton, self.positions, self.rotations, side, target)
        else:
            solve_leg_ik(self.skeleton, self.positions, self.rotations, Leg.of(self.skeleton, side), target)
        if goal is not None and goal.rotations is not None:
            joint = self.skeleton.joint(role)
            turned = slerp(self.rotations[:, joint], goal.rotations, goal.weights)
            self._rotate_subtree(joint, multiply(turned, self.rotations[:, joint] * [1, -1, -1, -1]))

    def _trunk_bones(self) -> list[str]:
        return [bone for bone in ("spine", "chest", "shoulder.L", "shoulder.R") if bone in self.roles]

    def _rotate_subtree(self, joint: int, rotation: Array) -> None:
        """Turn a joint and all that hangs on it (F, 4) about the joint."""
        below = list(_subtree(self.skeleton, joint))
        pivot = self.positions[:, [joint]]
        self.positions[:, below] = pivot + rotate(rotation[:, None], self.positions[:, below] - pivot)
        self.rotations[:, below] = multiply(rotation[:, None], self.rotations[:, below])


def _limb_joints(skeleton: Skeleton, role: str) -> tuple[int, int, int]:
    part, _, side = role.partition(".")
    names = ("upper_arm", "forearm", "hand") if part == "hand" else ("thigh", "shin", "foot")
    first, middle, last = (skeleton.joint(f"{name}.{side}") for name in names)
    return first, middle, last


@cache
def _subtree_of_parents(parents: tuple[int, ...], joint: int) -> tuple[int, ...]:
    found = [joint]
    for number in range(joint + 1, len(parents)):
        if parents[number] in found:
            found.append(number)
    return tuple(found)


def _subtree(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """Return a joint and all that hang on it."""
    return _subtree_of_parents(tuple(skeleton.parents), joint)
