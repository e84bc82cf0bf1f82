"""Bakes that pass through key poses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import bpy

from ....core.control.edit.body_response import BodyResponse
from ....core.control.edit.ground_root import GroundRoot
from ....core.control.edit.key_pose import KeyPose
from ....core.control.edit.pose_warping import impossible_poses, warp_through_poses
from ....core.message import Message
from ....core.motion import Clip
from ....core.motion.contacts import FootContacts
from ....core.terrain.ground import Scene
from ...animation.fcurve_io.curves import curves_of
from ...animation.fcurve_io.slots import slot_for
from ...ui.translations import translate_interface
from ..clock import BakeClock
from .store import read_key_poses, store_root

KEY_TYPE = "EXTREME"
"""Type of the keys at a key pose, shown by the timeline."""


@cache
def _shipped_response() -> BodyResponse:
    """Return the body response model that ships with Footfall."""
    return BodyResponse.load()


@dataclass(frozen=True, eq=False)
class PosedBake:
    """A bake that passes through key poses.

    Attributes:
        clip: the motion.
        root: its root without the poses, the reference of the poses.
        clock: start and rates of the bake.
        keys: the used poses, by index in the list.
        issues: sentences about impossible poses, by index in the list.
    """

    clip: Clip
    root: GroundRoot
    clock: BakeClock
    keys: Mapping[int, KeyPose]
    issues: Mapping[int, Sequence[Message]]

    @property
    def warnings(self) -> list[Message]:
        """All warnings, including those about single poses."""
        return [issue for issues in self.issues.values() for issue in issues]


def through_key_poses(
    armature: bpy.types.Object, clip: Clip, contacts: FootContacts, ground: Scene, clock: BakeClock
) -> PosedBake:
    """Warp the motion of a bake so that it passes through the character's key poses; return the result.

    Args:
        armature: the character.
        clip: the motion, at the scene's rate or its own.
        contacts: contacts of the character's feet.
        ground: the ground.
        clock: start and rates of the bake.

    Raises:
        FootfallError: a pose is damaged, or is outside the bake.
    """
    root = GroundRoot.of_motion(clip, ground, clock.rate)
    keys = read_key_poses(armature, clip, root, clock.start_frame, clock.scene_rate)
    if not keys:
        return PosedBake(clip, root, clock, {}, {})
    posed = warp_through_poses(clip, contacts, list(keys.values()), root, _shipped_response())
    issues = {index: tuple(impossible_poses(clip, posed, [key], root)) for index, key in keys.items()}
    return PosedBake(posed, root, clock, keys, issues)


def store_posed_bake(armature: bpy.types.Object, action: bpy.types.Action, posed: PosedBake) -> None:
    """Store the root motion of a bake with its action, and update the key poses in the list and the timeline."""
    store_root(action, posed.root, posed.clock.start_frame)
    rate = posed.clip.rate
    for index, key in posed.keys.items():
        item, issues = armature.footfall.key_poses[index], posed.issues[index]
        item.issue = translate_interface(issues[0]) if issues else ""
        item.frame, item.distance = key.frame + posed.clock.start_frame, float(posed.root.distances[key.frame])
        item.blend_in, item.blend_out = (max(round(time * rate), 1) for time in (key.blend_in, key.blend_out))
    slot = slot_for(armature, action)
    if posed.keys and slot is not None:
        frames = [key.frame + posed.clock.start_frame for key in posed.keys.values()]
        for curve in curves_of(action, slot).values():
            for key in curve.keyframe_points:
                if round(key.co.x) in frames:
                    key.type = KEY_TYPE
