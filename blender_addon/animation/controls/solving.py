"""The channels of all keyed bones: in numpy where it is known what carries them, else frame by frame on the stage."""

from collections.abc import Mapping, Sequence
from typing import Final

import bpy
import numpy as np

from ....core.motion.rotations import IDENTITY, Array
from .channels import Keyed, keyed
from .control import Control
from .control_response import Found
from .control_spaces import FIXED, Space, apart
from .rig_sandbox import Stage

ROUNDS: Final = 8
"""How often at most a frame is posed until bones that hang on each other are all where they shall be."""
SETTLED: Final = 1e-5

Bones = Mapping[str, bpy.types.PoseBone]


def solve(bones: Bones, found: Found, controls: Sequence[Control], wanted: Mapping[str, Array]) -> dict[str, Keyed]:
    """The channels over all frames, by bone, of the controls whose carriers are known.

    Args:
        bones: the armature's pose bones, whose locks and modes count.
        found: what carries what.
        controls: what is keyed.
        wanted: pose matrices (F, 4, 4) by bone.
    """
    made: dict[str, Keyed] = {}
    motions = motions_of(found, {}, next(iter(wanted.values())))
    for control in carriers_first(found, controls):
        carried = found.carried[control.bone]
        if carried is None or not carried.carriers <= motions.keys() or (control.moves and carried.place is None):
            continue
        goal = wanted[control.bone]
        space = carried.space(motions, goal[:, :3, 3])
        done = keyed(bones[control.bone], space, goal, control.moves, control.turns)
        made[control.bone] = done
        motions[found.number(control.bone)] = found.motion(control.bone, done.pose)
    return made


def motions_of(found: Found, poses: Mapping[str, Array], like: Array) -> dict[int, Array]:
    """How far the carriers with given poses have moved, by their numbers, and what is fixed, which has not."""
    still = np.broadcast_to(np.eye(4), like.shape)
    return {FIXED: still} | {found.number(bone): found.motion(bone, pose) for bone, pose in poses.items()}


def carriers_first(found: Found, controls: Sequence[Control]) -> list[Control]:
    """The controls in an order in which each comes after those that carry it."""
    by_bone = {control.bone: control for control in controls}
    result: dict[str, Control] = {}

    def add(bone: str, below: frozenset[str]) -> None:
        if bone in by_bone and bone not in below and bone not in result:
            for carrier in found.carriers(bone):
                add(carrier, below | {bone})
            result[bone] = by_bone[bone]

    for control in controls:
        add(control.bone, frozenset())
    return list(result.values())


def pose_frame(stage: Stage, made: Mapping[str, Keyed], frame: int) -> None:
    """Poses the bones on the stage as in a frame, without an update."""
    for bone, channels in made.items():
        stage.pose(bone, channels.location[frame], channels.rotation[frame])


def step(
    stage: Stage,
    bones: Bones,
    found: Found,
    made: Mapping[str, Keyed],
    controls: Sequence[Control],
    wanted: Mapping[str, Array],
    frames: Sequence[int],
) -> dict[str, Keyed]:
    """The channels over some frames, by bone, of controls of which only Blender can tell what they are measured from.

    Args:
        stage: where each frame is posed.
        bones: the armature's pose bones.
        found: how the controls are built.
        made: the channels of the other controls over all frames.
        controls: what is wanted, those that carry others first.
        wanted: pose matrices (F, 4, 4) by bone, over all frames.
        frames: which ones.
    """
    ways = {control.bone: found.ways[control.bone] for control in controls}
    seen: dict[str, list[Space]] = {bone: [] for bone in ways}
    at_rest = np.zeros(3), IDENTITY
    for frame in frames:
        pose_frame(stage, made, frame)
        channels = dict.fromkeys(ways, at_rest)
        for bone in ways:
            stage.pose(bone, *at_rest)
        spaces: dict[str, Space] = {}
        for _ in range(ROUNDS):
            stage.update()
            plain, poses = stage.spaces(ways), stage.matrices(ways)
            change = 0.0
            for control in controls:
                bone = control.bone
                spaces[bone] = found.space(bone, plain[bone], *channels[bone], poses[bone])
                goal = wanted[bone][frame][None]
                one = keyed(bones[bone], spaces[bone], goal, control.moves, control.turns)
                before = spaces[bone].posed(*channels[bone])
                channels[bone] = one.location[0], one.rotation[0]
                change = max(change, *apart(before, one.pose[0]))
                stage.pose(bone, *channels[bone])
            if change < SETTLED:
                break
        for bone, space in spaces.items():
            seen[bone].append(space)
    return {
        control.bone: keyed(
            bones[control.bone],
            _stacked(seen[control.bone]),
            wanted[control.bone][list(frames)],
            control.moves,
            control.turns,
        )
        for control in controls
    }


def _stacked(spaces: Sequence[Space]) -> Space:
    """Spaces of single frames as one (F)."""
    return Space(
        np.array([space.origin for space in spaces]),
        np.array([space.turn for space in spaces]),
        np.array([space.axes for space in spaces]),
    )
