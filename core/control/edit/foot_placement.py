"""Placement of a moved body's feet: the trunk sinks if a leg is too short, leg IK is solved, and toes follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...motion import Clip
from ...motion.chain_ik import solve_chain_ik
from ...motion.contacts import FootContacts
from ...motion.limb_ik import POSITION_TOLERANCE_M, Leg, solve_leg_ik, with_world_rotations
from ...motion.paws import leg_chains, paw_tracks
from ...motion.roles import is_quadruped
from ...motion.rotations import UP, Array, length, multiply
from ...motion.shoulder_swing import swing_shoulder
from ...retarget.contacts import hips_drop
from ..feet.paw_lock import trunk_drop


def place_feet(
    moved: Clip, places: Sequence[Array], turns: Sequence[Array], contacts: FootContacts, share: Array
) -> Clip:
    """Return a motion with its feet at target positions, as far as its legs reach.

    Args:
        moved: the motion, F frames.
        places: (F, 3) target positions of each foot of :func:`feet_of`, meters, world.
        turns: (F, 4) target rotation of each foot, world, ignored for a paw that is the tip of a bone.
        contacts: contacts of the feet.
        share: (F) share, 0 to 1, of the missing leg length by which the trunk is lowered.
    """
    if is_quadruped(moved.skeleton.roles):
        return _place_paws(moved, np.stack(places, axis=1), turns, contacts, share)
    legs = [Leg.of(moved.skeleton, side) for side in "LR"]
    return _place_ankles(moved, legs, places, turns, share)


def _place_ankles(moved: Clip, legs: list[Leg], ankles: Sequence[Array], feet: Sequence[Array], share: Array) -> Clip:
    """Return a biped's motion with its ankles at target positions (F, 3) and its feet at target rotations (F, 4)."""
    skeleton = moved.skeleton
    positions, rotations = (array.copy() for array in moved.world)
    for leg, foot in zip(legs, feet, strict=True):
        rotations[:, leg.foot] = foot
        for joint in _below(skeleton.parents, leg.foot):
            rotations[:, joint] = multiply(rotations[:, skeleton.parents[joint]], moved.rotations[:, joint])
    drop = hips_drop(replace(moved, root_positions=positions[:, 0]), legs, list(ankles)) * share
    roots = moved.root_positions - drop[:, None] * UP
    positions -= drop[:, None, None] * UP
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(moved, roots, rotations)


def _place_paws(moved: Clip, paws: Array, turns: Sequence[Array], contacts: FootContacts, share: Array) -> Clip:
    """Return a quadruped's motion with its paws at target positions (F, 4, 3) and rotations (F, 4)."""
    skeleton = moved.skeleton
    positions, rotations = (array.copy() for array in moved.world)
    away = length(paws - paw_tracks(moved)) > POSITION_TOLERANCE_M
    drop = trunk_drop(positions, paws, contacts.held & away, moved) * share
    roots = moved.root_positions - drop[:, None] * UP
    positions -= drop[:, None, None] * UP
    for chain, paw, turn in zip(leg_chains(skeleton), np.moveaxis(paws, 1, 0), turns, strict=True):
        # The leg and shoulder blade of a paw that is already at its place keep their pose.
        off = length(paw - chain.paw_positions(positions, rotations)) > POSITION_TOLERANCE_M
        some, turned = positions[off], rotations[off]
        swing_shoulder(some, turned, skeleton, chain, paw[off])
        solve_chain_ik(some, turned, chain, paw[off])
        positions[off], rotations[off] = some, turned
        if chain.paw is not None:
            rotations[:, chain.paw] = turn
        for joint in _below(skeleton.parents, chain.joints[-1]):
            if joint != chain.paw:
                rotations[:, joint] = multiply(rotations[:, skeleton.parents[joint]], moved.rotations[:, joint])
    return with_world_rotations(moved, roots, rotations)


def _below(parents: Sequence[int], top: int) -> Iterator[int]:
    """Yield the joints below a joint, parents before children."""
    below = {top}
    for joint in range(top + 1, len(parents)):
        if parents[joint] in below:
            below.add(joint)
            yield joint
