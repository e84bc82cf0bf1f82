"""Biovision hierarchy (BVH) files: read from any of the common dialects, written as the CMU clips are.

Ambiguities of the format are resolved here:

- Unit and up axis: see :mod:`.conventions`. - Position channels, absolute or relative to OFFSET: see
:mod:`.bvh_places`. - If the body's root is not the file's root, it becomes the clip's root: the motion of the joints
above is folded into it, and other branches (helpers) are dropped. The body's root is the joint that all known joints
descend from: the hips, or, where spine and pelvis are siblings, the joint that carries both.

Repairs and doubts are in the clip's notes.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from ..message import Message
from .axes import UpAxis, rotations_to_world, to_world, up_vector
from .bvh_parser import AXES, BvhJoint, BvhParser, MotionFileError, read_file
from .bvh_places import BodyRoot, Places, body_root
from .bvh_target import BvhTarget
from .bvh_writer import write_bvh
from .clip import Clip
from .conventions import MIN_SAMPLED_FRAMES, find_unit, find_up_axis
from .kinematics import forward_kinematics
from .reading_note import QUESTION_DOUBT, ReadingNote
from .rotations import Array, from_euler
from .skeleton import Skeleton

__all__ = ["MotionFileError", "read_bvh", "read_target", "write_bvh"]

TRAVEL_RATIO: Final = 0.01
"""Span of a joint's position channels, relative to the bones' length, above which the joint counts as traveling."""
STRETCH_RATIO: Final = 0.1
"""Span of a joint's position channels, relative to the clip's height, above which a note reports it."""

LIMB_PARTS: Final = ("thigh", "front_thigh", "upper_arm", "head")
"""Body parts that must descend from the body's root."""

RoleFinder = Callable[[Clip], Mapping[str, int]]
"""Function that finds the joint of each role from the first frame of a file, in the file's own unit and axes."""


def read_bvh(
    path: str | os.PathLike[str],
    *,
    unit: float | None = None,
    up: UpAxis | None = None,
) -> Clip:
    """Read a BVH file as a clip in meters and Blender's world, with each joint's rotation relative to its parent.

    Args:
        path: the file.
        unit: meters per unit of the file; estimated from the body's size by default.
        up: the file's up axis; estimated from the body's motion by default.

    Raises:
        MotionFileError: the file is missing, unreadable, damaged or unreasonably large.
    """
    return read_target(path, unit=unit, up=up).clip


def read_target(
    path: str | os.PathLike[str],
    *,
    unit: float | None = None,
    up: UpAxis | None = None,
    find_roles: RoleFinder | None = None,
) -> BvhTarget:
    """Read a clip as :func:`read_bvh` does, with the data needed to write other motion onto the file's own skeleton.

    The joint of each role is found by ``find_roles``, or guessed from the joints' names if that is ``None``.
    """
    path = Path(path)
    parser = BvhParser(path, read_file(path))
    joints = parser.hierarchy()
    rate, table = parser.motion(joints)
    rotations = _rotations(joints, table)
    places = Places(joints, table)
    whole = _skeleton(joints, places.constant_offsets())
    named_hips = whole.roles.get("hips")
    if find_roles is not None:
        first = Clip(whole, rate, places.track(0)[:1], rotations[:1], path.stem)
        whole = replace(whole, roles=dict(find_roles(first)) or whole.roles)
    top = _top_joint(whole, places, named_hips)
    chain = _chain_to(whole, top)
    kept = _joints_below(whole, top)
    root = body_root(places, whole.offsets, rotations, chain)
    skeleton, own = (whole, rotations) if top == 0 else _rerooted(whole, rotations, root, kept)
    frames = slice(None, None, max(len(table) // MIN_SAMPLED_FRAMES, 1))
    sample = forward_kinematics(skeleton, root.positions[frames], own[frames])[0]
    notes = list(parser.notes)
    if up is None:
        up, question = find_up_axis(skeleton, sample, root.missing[:, frames])
        notes += [question] if question else []
    lowest = ((sample - root.positions[frames, None]) @ up_vector(up)).min(axis=1)
    missing = root.is_missing(up_vector(up), lowest, frames)
    roots = root.positions + root.missing[missing].sum(axis=0) if any(missing) else root.positions
    if unit is None:
        unit, question = find_unit(skeleton)
        notes += [question] if question else []
    height = float(np.median(np.ptp(sample @ up_vector(up), axis=1)))
    notes += _stretch_notes(whole, places, chain, STRETCH_RATIO * height, unit)
    offsets = skeleton.offsets.copy()
    offsets[0] = 0.0
    skeleton = Skeleton(
        skeleton.names,
        skeleton.parents,
        to_world(offsets, up) * unit,
        to_world(skeleton.tips, up) * unit,
        skeleton.roles,
    )
    clip = Clip(skeleton, rate, to_world(roots, up) * unit, rotations_to_world(own, up), path.stem, tuple(notes))
    still = whole.offsets.copy()
    for joint in chain:
        still[joint] = places.track(joint)[0]
    for joint, is_missing in zip(root.lacking, missing, strict=True):
        still[joint] += is_missing * places.missing_offset(joint)
    return BvhTarget(clip, tuple(joints), still, rotations[0], tuple(chain), tuple(kept), unit, up)


def _top_joint(skeleton: Skeleton, places: Places, named_hips: int | None) -> int:
    """Return the joint that becomes the clip's root.

    It is the last traveling joint of those above all limbs, or, without roles, above all ends of chains. If no joint
    below the file's root travels, it is the hips, if their name says so and all joints with roles descend from them.
    """
    roles = skeleton.roles
    limbs = (
        {joint for role, joint in roles.items() if role.partition(".")[0] in LIMB_PARTS} if "hips" in roles else set()
    )
    paths = [_chain_to(skeleton, joint) for joint in limbs]
    if not paths:
        paths = [_chain_to(skeleton, joint) for joint in range(len(skeleton)) if not skeleton.children[joint]]
    common = 0
    for joints in zip(*paths, strict=False):
        if len(set(joints)) > 1:
            break
        common = joints[0]
    size = float(np.linalg.norm(skeleton.offsets[1:], axis=-1).sum())
    chain = _chain_to(skeleton, common)
    travelling = [joint for joint in chain[1:] if places.span(joint) > TRAVEL_RATIO * size]
    is_hips = bool(limbs) and roles["hips"] == named_hips and named_hips in chain
    return max([0, *travelling, *([roles["hips"]] if is_hips else [])], key=chain.index)


def _stretch_notes(
    skeleton: Skeleton, places: Places, chain: Collection[int], largest: float, unit: float
) -> list[ReadingNote]:
    """Return a note on the body's joint that moves most relative to its parent, if by more than ``largest``."""
    body = {above for joint in skeleton.roles.values() for above in _chain_to(skeleton, joint)} - set(chain)
    spans = {joint: places.span(joint) for joint in sorted(body)}
    if max(spans.values(), default=0.0) <= largest:
        return []
    joint = max(spans, key=spans.__getitem__)
    text = Message(
        "Joint '{name}' moves by {distance} m relative to its parent: it was kept at its median position, "
        "since bones do not stretch",
        name=skeleton.names[joint],
        distance=f"{spans[joint] * unit:.2f}",
    )
    return [ReadingNote(text, QUESTION_DOUBT)]


def _chain_to(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the joints from the root down to a joint."""
    chain = [joint]
    while chain[0]:
        chain.insert(0, skeleton.parents[chain[0]])
    return chain


def _joints_below(skeleton: Skeleton, top: int) -> list[int]:
    """Return a joint and all those below it, in order."""
    kept = {top: None}
    for joint, parent in enumerate(skeleton.parents):
        if parent in kept:
            kept[joint] = None
    return list(kept)


def _rerooted(skeleton: Skeleton, rotations: Array, root: BodyRoot, kept: Sequence[int]) -> tuple[Skeleton, Array]:
    """Return a skeleton of the `kept` joints, with the body's root as its root, and their rotations."""
    rotations = rotations[:, list(kept)]
    rotations[:, 0] = root.rotations
    place = {joint: number for number, joint in enumerate(kept)}
    parents = tuple(-1 if joint == kept[0] else place[skeleton.parents[joint]] for joint in kept)
    names = tuple(skeleton.names[joint] for joint in kept)
    roles = {role: place[joint] for role, joint in skeleton.roles.items() if joint in place}
    if "hips" in skeleton.roles and "hips" not in roles:
        roles = {role: joint for role, joint in roles.items() if joint} | {"hips": 0}
    return Skeleton(names, parents, skeleton.offsets[list(kept)], skeleton.tips[list(kept)], roles), rotations


def _skeleton(joints: list[BvhJoint], offsets: Array) -> Skeleton:
    """Return the skeleton of the file's joints with their constant offsets (J, 3), in the file's unit and axes."""
    return Skeleton(
        tuple(_unique_names([joint.name for joint in joints])),
        tuple(joint.parent for joint in joints),
        offsets,
        np.array([joint.tip or [0.0, 0.0, 0.0] for joint in joints]),
    )


def _unique_names(names: list[str]) -> list[str]:
    """Return the names, with repeated ones numbered as Blender does."""
    taken = set(names)
    seen: dict[str, int] = {}
    result: list[str] = []
    for name in names:
        unique = name
        while name in seen and (unique == name or unique in taken):
            unique = f"{name}.{seen[name]:03d}"
            seen[name] += 1
        seen.setdefault(name, 1)
        result.append(unique)
    return result


def _rotations(joints: list[BvhJoint], table: Array) -> Array:
    """Return the joints' rotations (F, J, 4) in the file's axes; axes without a channel contribute no rotation."""
    result = np.empty((len(table), len(joints), 4))
    groups: dict[str, list[int]] = {}
    for index, joint in enumerate(joints):
        groups.setdefault("".join(joint.columns("rotation")), []).append(index)
    for order, members in groups.items():
        full = order + "".join(axis for axis in AXES if axis not in order)
        angles = np.zeros((3, len(table), len(members)))
        for place, axis in enumerate(order):
            angles[place] = table[:, [joints[index].columns("rotation")[axis] for index in members]]
        result[:, members] = from_euler(np.moveaxis(np.deg2rad(angles), 0, -1), full)
    return result
