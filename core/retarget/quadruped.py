"""Retargeting of quadrupeds: bones follow the source's rotations, and IK moves the four paws to their positions.

The standing poses of two animals correspond, whatever the height, slope and length of their trunks, and motion is
transferred as a deviation from this pose. Displacements of the trunk, and of the paws from their places below hips and
shoulders, scale with leg length, so that strides keep their proportions. Soles stay on the ground.
"""

from typing import Final, NamedTuple

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.chain_ik import solve_chain_ik
from ..motion.limb_ik import with_world_rotations
from ..motion.paws import LegChain, ancestors, leg_chains, paw_tracks, stands_on_four
from ..motion.proportions import scale_between
from ..motion.rotations import (
    IDENTITY,
    UP,
    Array,
    cross,
    from_axis_angle,
    multiply,
    normalize,
    rotate,
    rotation_about_up,
    slerp,
)
from .rest_pose import rest_position

FLAT_PAW_RATIO: Final = 0.03
"""Largest height of a flat paw above the ground, relative to leg length."""
LIFTED_PAW_RATIO: Final = 0.15
"""Height of a paw above the ground, relative to leg length, above which it turns with its leg."""
STANDING_PERCENTILE: Final = 10.0
"""Percentile of a paw's height in a motion that defines its standing height."""
MAX_SOLE_RATIO: Final = 0.1
"""Largest difference of the standing height from that in the rest pose, relative to leg length."""
LEVEL: Final = np.array([1.0, 1.0, 0.0])


class Stand(NamedTuple):
    """The standing pose of an animal that faces +Y; all lengths in meters.

    Attributes:
        height: height of the hips' midpoint over the ground.
        rise: height of the shoulders' midpoint over the hips' midpoint.
        places: (4, 3) positions of the paws relative to the tops of their legs.
        soles: (4) heights of the paws' joints over the ground while standing.
    """

    height: float
    rise: float
    places: Array
    soles: Array

    @staticmethod
    def of(clip: Clip, soles: Array) -> "Stand":
        """Return the standing pose of a clip's animal: its rest pose if it stands in it, otherwise the median pose.

        The ground of the clip is z = 0; ``soles`` (4) are heights of the paws' joints while standing, meters.
        """
        skeleton = clip.skeleton
        if stands_on_four(skeleton):
            clip = Clip(skeleton, clip.rate, np.zeros((1, 3)), np.tile(IDENTITY, (1, len(skeleton), 1)))
            ground = float((paw_tracks(clip)[..., 2] - soles).mean())
        else:
            ground = 0.0
        hips, shoulders = _middles(clip)
        places = rotate(rotation_about_up(-_headings(clip))[:, None], paw_tracks(clip) - _tops(clip))
        height, rise = hips[:, 2] - ground, (shoulders - hips)[:, 2]
        return Stand(float(np.median(height)), float(np.median(rise)), np.median(places, axis=0), soles)

    def scaled(self, scale: float, soles: Array) -> "Stand":
        """Return the standing pose of a larger or smaller body, with heights ``soles`` (4) of the paws' joints, m."""
        return Stand(scale * self.height, scale * self.rise, scale * self.places, soles)


def reach_for_paws(clip: Clip, target: Skeleton, roots: Array, world: Array, example: Clip) -> Clip:
    """Return the target's motion with hips at the source's scaled height and paws at the source's scaled positions.

    Args:
        clip: the source's motion, over level ground at z = 0.
        target: a quadruped's skeleton, of J joints.
        roots: (F, 3) root positions of the target, meters, before the correction.
        world: (F, J, 4) world rotations of the target's joints, before the correction.
        example: motion of the source from which the height of its soles is measured.
    """
    scale = scale_between(clip.skeleton, target)
    moved = with_world_rotations(Clip(target, clip.rate, roots, world, clip.name), roots, world)
    theirs = Stand.of(clip, _observed_soles(example))
    mine = Stand.of(moved, _soles(target))
    if not stands_on_four(target):
        mine = theirs.scaled(scale, mine.soles)
    moved = _at_height(clip, moved, theirs, mine, scale)
    headings = rotation_about_up(_headings(clip))
    paws = paw_tracks(clip)
    departures = paws - _tops(clip) - rotate(headings[:, None], theirs.places)
    goals = _tops(moved) + rotate(headings[:, None], mine.places) + scale * departures
    lifted = paws[..., 2] - theirs.soles
    goals[..., 2] = scale * lifted + mine.soles
    positions, rotations = (array.copy() for array in moved.world)
    facing = multiply(headings, rotation_about_up(-_headings(_at_rest(moved))))
    for number, leg in enumerate(leg_chains(target)):
        solve_chain_ik(positions, rotations, leg, goals[:, number])
        if leg.paw is not None:
            _lay_flat(rotations, target, leg.paw, facing, lifted[:, number] / clip.skeleton.leg_length)
    return with_world_rotations(moved, moved.root_positions, rotations)


def _at_height(clip: Clip, moved: Clip, theirs: Stand, mine: Stand, scale: float) -> Clip:
    """Return the target's motion with the source's height changes of hips and shoulders relative to the stance, scaled.

    The trunk is pitched about the hips; neck and tail keep their directions.
    """
    hips, shoulders = _middles(clip)
    wanted_rise = mine.rise + scale * ((shoulders - hips)[:, 2] - theirs.rise)
    own_hips, own_shoulders = _middles(moved)
    trunk = own_shoulders - own_hips
    ahead = np.linalg.norm(trunk[:, :2], axis=-1)
    reach = np.linalg.norm(trunk, axis=-1)
    pitch = np.arcsin(np.clip(wanted_rise / reach, -1.0, 1.0)) - np.arctan2(trunk[:, 2], ahead)
    turn = from_axis_angle(cross(normalize(trunk * LEVEL), UP), pitch)
    world = moved.world[1].copy()
    for joint in _trunk_and_legs(moved.skeleton):
        world[:, joint] = multiply(turn, world[:, joint])
    turned = with_world_rotations(moved, moved.root_positions, world)
    wanted = scale * hips
    wanted[:, 2] = mine.height + scale * (hips[:, 2] - theirs.height)
    roots = moved.root_positions + wanted - _middles(turned)[0]
    return with_world_rotations(turned, roots, world)


def _trunk_and_legs(skeleton: Skeleton) -> list[int]:
    """Return the joints of trunk and legs: all joints except neck, head, tail and their descendants."""
    apart = {skeleton.roles[role] for role in ("neck", "head", "tail") if role in skeleton.roles}
    return [joint for joint in range(len(skeleton)) if not apart.intersection((joint, *ancestors(skeleton, joint)))]


def _lay_flat(rotations: Array, skeleton: Skeleton, paw: int, facing: Array, lifted: Array) -> None:
    """Turn a paw flat in frames in which it is near the ground, changing ``rotations`` in place.

    A paw that is lifted turns with its leg.

    Args:
        rotations: world rotations (F, J, 4).
        skeleton: the animal's skeleton.
        paw: index of the paw's joint.
        facing: (F, 4) rotation of the standing body, world.
        lifted: (F) height of the paw above the ground, relative to leg length.
    """
    share = np.clip((lifted - FLAT_PAW_RATIO) / (LIFTED_PAW_RATIO - FLAT_PAW_RATIO), 0.0, 1.0)
    turned = slerp(facing, rotations[:, skeleton.parents[paw]], share * share * (3 - 2 * share))
    below = [joint for joint in range(len(skeleton)) if joint == paw or paw in ancestors(skeleton, joint)]
    for joint in below:
        rotations[:, joint] = turned


def _at_rest(clip: Clip) -> Clip:
    """Return a clip of one frame with the skeleton at rest."""
    return Clip(clip.skeleton, clip.rate, np.zeros((1, 3)), np.tile(IDENTITY, (1, len(clip.skeleton), 1)))


def _tops(clip: Clip) -> Array:
    """Return the positions (F, 4, 3) of the tops of the legs, meters."""
    return clip.positions[:, [leg.joints[0] for leg in leg_chains(clip.skeleton)]]


def _middles(clip: Clip) -> tuple[Array, Array]:
    """Return the midpoints of the hips (F, 3) and of the shoulders (F, 3), meters."""
    tops = _tops(clip)
    return (tops[:, 0] + tops[:, 2]) / 2, (tops[:, 1] + tops[:, 3]) / 2


def _headings(clip: Clip) -> Array:
    """Return yaws (F), radians, of the mean of two directions: from hips to shoulders, and the hips' forward one."""
    tops, (hips, shoulders) = _tops(clip), _middles(clip)
    way = normalize((shoulders - hips) * LEVEL) + normalize(cross(tops[:, 0] - tops[:, 2], UP) * LEVEL)
    return np.arctan2(-way[:, 0], way[:, 1])


def _soles(skeleton: Skeleton) -> Array:
    """Return the heights (4) of the paws' joints above the ground when the animal stands at rest, meters."""
    return np.array([sole_depth(skeleton, leg) for leg in leg_chains(skeleton)])


def _observed_soles(clip: Clip) -> Array:
    """Return the heights (4), meters, of the paws' joints in stance, in a motion over the ground z = 0.

    A height far from the rest pose's is replaced with that one.
    """
    own, seen = _soles(clip.skeleton), np.percentile(paw_tracks(clip)[..., 2], STANDING_PERCENTILE, axis=0)
    return np.where(np.abs(seen - own) < MAX_SOLE_RATIO * clip.skeleton.leg_length, seen, own)


def sole_depth(skeleton: Skeleton, leg: LegChain) -> float:
    """Return the height of a leg's paw joint above the lowest point of the paw at rest, m; 0 without a paw joint."""
    if leg.paw is None:
        return 0.0
    below = [joint for joint in range(len(skeleton)) if joint == leg.paw or leg.paw in ancestors(skeleton, joint)]
    lowest = [rest_position(skeleton, joint)[2] + min(float(skeleton.tips[joint, 2]), 0.0) for joint in below]
    return max(float(rest_position(skeleton, leg.paw)[2]) - min(lowest), 0.0)
