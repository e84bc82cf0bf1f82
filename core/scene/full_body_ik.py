"""Full-body inverse kinematics of key joints (NSM section 5.2, step 5), vectorized over frames.

Solved from the root outward: first the hips move; then spine and collar bones bend toward goals that the arms cannot
reach, in sweeps of cyclic coordinate descent (Wang and Chen 1991) with a limit for each bone; finally arms and legs are
solved in closed form as two-bone chains. Bones keep their lengths, knees and elbows their planes of bending, and feet
without a goal their positions.
"""

from collections.abc import Generator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jobs.steps import Stepwise
from ..motion import Clip, Skeleton
from ..motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ..motion.rotations import Array, exp, inverse, log, multiply, rotate, rotation_between, unroll
from ..motion.signals import runs_of

CCD_SWEEPS: Final = 12
"""Number of sweeps over the trunk."""
BEND_SHARES: Final = {"spine": 0.3, "chest": 0.4, "shoulder": 0.5}
"""Share of the reach deficit, from limb to goal, that each bone makes up for in one sweep."""
MAX_BEND_RAD: Final = {"spine": 0.7, "chest": 0.6, "shoulder": 0.35}
"""Largest bend of each bone."""
HIPS_SHIFT_SHARE: Final = 0.5
"""Displacement of hips without a goal in one sweep, as a share of the reach deficit."""
MAX_EXTENSION_RATIO: Final = 0.995
"""Extension of a limb, relative to its length, beyond which the trunk has to move."""
REACH_TOLERANCE_M: Final = 1e-4
"""Largest reach deficit of a limb at which the trunk no longer has to move."""


@dataclass(frozen=True, slots=True, eq=False)
class EffectorGoal:
    """The target position, and optionally rotation, of a key joint in each frame.

    Attributes:
        role: role of the joint, such as ``"hips"`` or ``"hand.L"``.
        positions: (F, 3) target positions of the joint, world, meters.
        weights: (F) weights, from 0, where the joint keeps its position, to 1, where it reaches the goal.
        rotations: (F, 4) target rotations of the joint, world; ``None`` leaves them free.
    """

    role: str
    positions: Array
    weights: Array
    rotations: Array | None = None


@Stepwise
def solve_full_body_ik(
    clip: Clip, goals: Sequence[EffectorGoal], consecutive: bool = True
) -> Generator[None, None, Clip]:
    """Return a clip with its hips, hands and feet moved to their goals, as far as its limbs reach.

    Args:
        clip: the motion.
        goals: goals of hips, hands and feet; feet without a goal keep their positions.
        consecutive: whether the frames follow each other in time; if not, each frame is solved on its own.

    Raises:
        FootfallError: the skeleton has no arms or legs for the goals.
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
    # A hand follows the body as far as the weight of its goal is below 1.
    targets |= {role: body.goal_positions(goal) for role, goal in wanted.items() if role.startswith("hand")}
    free = np.ones(len(clip)) if hips is None else 1.0 - wanted["hips"].weights
    for _ in range(CCD_SWEEPS if targets else 0):
        missing = np.max(
            [np.abs(body.reach_deficit(*each)).max(axis=1) for each in targets.items()], axis=0, initial=0.0
        )
        far = missing > REACH_TOLERANCE_M
        if not far.any():
            break
        yield
        if consecutive:  # All frames are swept together, so that the solution is as smooth as the goals.
            _sweep(body, targets, free)
            continue
        part = body.at_frames(far)
        _sweep(part, {role: target[far] for role, target in targets.items()}, free[far])
        body.replace_frames(far, part)
    for role, target in targets.items():
        body.solve_limb(role, target, wanted.get(role), consecutive)
        yield
    return with_world_rotations(clip, body.root_positions, body.rotations)


def _sweep(body: "_IkBody", targets: Mapping[str, Array], free: Array) -> None:
    """Bend and move a body's trunk once, in place, toward the targets that its limbs do not reach.

    Args:
        body: F frames.
        targets: targets (F, 3) of hands and feet by role, m.
        free: (F) share by which the hips may move.
    """
    missing = [body.reach_deficit(role, target) for role, target in targets.items()]
    body.translate(HIPS_SHIFT_SHARE * free[:, None] * np.mean(missing, axis=0))
    body.bend_trunk(
        {role: body.reach_deficit(role, target) for role, target in targets.items() if role.startswith("hand")}
    )


class _IkBody:
    """Positions (F, J, 3) and rotations (F, J, 4) of a body during the solution."""

    def __init__(self, clip: Clip) -> None:
        self.skeleton, self.roles = clip.skeleton, clip.skeleton.roles
        positions, rotations = clip.world
        self.positions, self.rotations = positions.copy(), rotations.copy()
        self.root_positions = clip.root_positions.copy()
        self._max_reaches: dict[str, Array] = {}
        self._bends = {bone: np.zeros((len(clip), 3)) for bone in self._trunk_bones()}

    def at_frames(self, chosen: NDArray[np.bool_]) -> "_IkBody":
        """Return a copy with only the frames in which ``chosen`` (F) is true."""
        part = copy(self)
        part.positions, part.rotations = self.positions[chosen], self.rotations[chosen]
        part.root_positions = self.root_positions[chosen]
        part._max_reaches = {role: values[chosen] for role, values in self._max_reaches.items()}
        part._bends = {bone: values[chosen] for bone, values in self._bends.items()}
        return part

    def replace_frames(self, chosen: NDArray[np.bool_], part: "_IkBody") -> None:
        """Write a part's frames back to the frames in which ``chosen`` (F) is true."""
        self.positions[chosen], self.rotations[chosen] = part.positions, part.rotations
        self.root_positions[chosen] = part.root_positions
        for bone, bends in self._bends.items():
            bends[chosen] = part._bends[bone]

    def joint_positions(self, role: str) -> Array:
        """Return the positions (F, 3) of the joint with a role."""
        return self.positions[:, self.skeleton.joint(role)]

    def goal_positions(self, goal: EffectorGoal) -> Array:
        """Return the goal's positions (F, 3), blended with the joint's own positions by the goal's weights."""
        now = self.joint_positions(goal.role)
        return now + goal.weights[:, None] * (goal.positions - now)

    def translate(self, offset: Array) -> None:
        """Move the whole body by ``offset`` (F, 3)."""
        self.root_positions += offset
        self.positions += offset[:, None]

    def reach_deficit(self, role: str, target: Array) -> Array:
        """Return the vector (F, 3), m, from a limb's end at its maximum extension to the target; 0 if it is reachable.

        The maximum extension is at least the limb's extension in the clip.
        """
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
        """Bend spine, chest and collar bones so that the shoulders follow the reach deficits (F, 3) of the hands."""
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

    def solve_limb(self, role: str, target: Array, goal: EffectorGoal | None, consecutive: bool) -> None:
        """Move the end of a limb to a target (F, 3), with the goal's rotation if it has one."""
        side = role[-1]
        if role.startswith("hand"):
            solve_arm_ik(self.skeleton, self.positions, self.rotations, side, target, consecutive)
        else:
            solve_leg_ik(self.skeleton, self.positions, self.rotations, Leg.of(self.skeleton, side), target)
        if goal is not None and goal.rotations is not None:
            joint = self.skeleton.joint(role)
            turn = multiply(goal.rotations, inverse(self.rotations[:, joint]))
            self._rotate_subtree(joint, exp(goal.weights[:, None] * _turn_vectors(turn, goal.weights, consecutive)))

    def _trunk_bones(self) -> list[str]:
        """Return the roles of the trunk bones that the skeleton has."""
        return [bone for bone in ("spine", "chest", "shoulder.L", "shoulder.R") if bone in self.roles]

    def _rotate_subtree(self, joint: int, rotation: Array) -> None:
        """Rotate a joint and all its descendants about the joint by rotations (F, 4)."""
        below = list(_subtree_of_parents(tuple(self.skeleton.parents), joint))
        pivot = self.positions[:, [joint]]
        self.positions[:, below] = pivot + rotate(rotation[:, None], self.positions[:, below] - pivot)
        self.rotations[:, below] = multiply(rotation[:, None], self.rotations[:, below])


def _turn_vectors(turns: Array, weights: Array, consecutive: bool) -> Array:
    """Convert rotations (F, 4) to rotation vectors (F, 3), radians.

    Vectors of consecutive frames turn in one sense while their weight (F) is above zero: the shorter way where it is
    largest. Converted one by one, rotations of about half a turn would change their sense from one frame to the next.
    """
    if not consecutive:
        return log(turns)
    result = np.zeros((len(turns), 3))
    for start, stop in runs_of(weights > 0.0):
        ways = unroll(turns[start:stop])
        ways = ways if ways[int(weights[start:stop].argmax()), 0] >= 0.0 else -ways
        sine = np.linalg.norm(ways[:, 1:], axis=1, keepdims=True)
        result[start:stop] = ways[:, 1:] * (2 * np.arctan2(sine, ways[:, :1]) / np.maximum(sine, 1e-12))
    return result


def _limb_joints(skeleton: Skeleton, role: str) -> tuple[int, int, int]:
    """Return the three joints of the limb that ends at a role."""
    part, _, side = role.partition(".")
    names = ("upper_arm", "forearm", "hand") if part == "hand" else ("thigh", "shin", "foot")
    first, middle, last = (skeleton.joint(f"{name}.{side}") for name in names)
    return first, middle, last


@cache
def _subtree_of_parents(parents: tuple[int, ...], joint: int) -> tuple[int, ...]:
    """Return a joint and all its descendants, given the parents of all joints."""
    found = [joint]
    for number in range(joint + 1, len(parents)):
        if parents[number] in found:
            found.append(number)
    return tuple(found)
