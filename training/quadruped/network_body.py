"""The network body of quadrupeds: the joints of an animal with roles, from the pelvis to the four paws."""

from dataclasses import replace

import numpy as np

from ...core.motion import Clip, Skeleton
from ...core.motion.clip import lateral_axis
from ...core.motion.limb_ik import with_world_rotations
from ...core.motion.paws import ancestors, leg_chains, require_four_legs
from ...core.motion.roles import PAW_CONTACTS
from ...core.motion.rotations import Array


def network_body(clip: Clip) -> Clip:
    """Return the clip reduced to the network body: joints with roles, and those between them and the hips.

    Ears, jaws and fingers are dropped; bones above the hips are merged into the hips' motion. A leg that ends in a
    bone's tip gets a joint there.

    Raises:
        FootfallError: one of the four legs is unknown.
    """
    skeleton = clip.skeleton
    require_four_legs(skeleton)
    hips = skeleton.joint("hips")
    kept = {hips}
    for joint in skeleton.roles.values():
        above = ancestors(skeleton, joint)
        if hips in above:
            kept |= {joint, *above[: above.index(hips)]}
    order = sorted(kept)
    parents = [-1 if joint == hips else order.index(skeleton.parents[joint]) for joint in order]
    offsets = skeleton.offsets[order].copy()
    offsets[0] = 0.0
    roles = {role: order.index(joint) for role, joint in skeleton.roles.items() if joint in kept}
    positions, rotations = clip.world
    names, world = [skeleton.names[joint] for joint in order], rotations[:, order]
    for contact, chain in zip(PAW_CONTACTS, leg_chains(skeleton), strict=True):
        if chain.paw is None:
            part = "toe" if contact in skeleton.roles else "foot"
            last = order.index(chain.joints[-1])
            roles[contact.replace("foot", part)] = len(names)
            side = contact[-1]
            names.append(f"{'front_' if contact.startswith('front') else ''}paw.{side}")
            parents.append(last)
            offsets = np.concatenate([offsets, chain.tip[None]])
            world = np.concatenate([world, world[:, last : last + 1]], axis=1)
    tips = np.zeros((len(names), 3))
    reduced = Skeleton(tuple(names), tuple(parents), offsets, tips, roles)
    roots = positions[:, hips]
    return with_world_rotations(Clip(reduced, clip.rate, roots, world, clip.name), roots, world)


def symmetric(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton whose left and right bones are equal: the mean of each pair at rest."""
    flip, pairs = np.ones(3), list(skeleton.mirror_pairs)
    flip[lateral_axis(skeleton)] = -1.0
    mean: Array = (skeleton.offsets + skeleton.offsets[pairs] * flip) / 2
    return replace(skeleton, offsets=mean)
