"""Feet put to where they are wanted on a body that was moved: hips give way, legs are solved, toes go with feet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...motion import Clip
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.rotations import UP, Array, multiply
from ...retarget.contacts import hips_drop


def place_feet(moved: Clip, legs: Sequence[Leg], ankles: Sequence[Array], feet: Sequence[Array], share: Array) -> Clip:
    """Return a motion with its feet where they are wanted, as far as its legs reach.

    Args:
        moved: the motion, F frames.
        legs: joints of its legs.
        ankles: (F, 3) wanted positions of each leg's ankle, meters, world.
        feet: (F, 4) wanted rotations of each leg's foot, world.
        share: (F) share, 0 to 1, of what the hips come down by where a leg is too short.
    """
    skeleton = moved.skeleton
    positions, rotations = (array.copy() for array in moved.world)
    for leg, foot in zip(legs, feet, strict=True):
        rotations[:, leg.foot] = foot
        for joint in _below(skeleton.parents, leg.foot):
            rotations[:, joint] = multiply(rotations[:, skeleton.parents[joint]], moved.rotations[:, joint])
    drop = hips_drop(replace(moved, root_positions=positions[:, 0]), list(legs), list(ankles)) * share
    roots = moved.root_positions - drop[:, None] * UP
    positions -= drop[:, None, None] * UP
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(moved, roots, rotations)


def _below(parents: Sequence[int], top: int) -> Iterator[int]:
    """Yield the joints below a joint, parents first."""
    below = {top}
    for joint in range(top + 1, len(parents)):
        if parents[joint] in below:
            below.add(joint)
            yield joint
