"""Act beats: actions of this or another armature, read as clips on the character's body."""

from dataclasses import replace

import bpy

from ....core.control.shot.act_clip import ActClip, fit_act_clip, require_playable
from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.labelling import label_clip
from ....core.motion import Skeleton
from ....core.motion.fingers import with_joints_of
from ....core.retarget.rest_pose_from_motion import Stance
from ...animation.fcurve_io.body_reader import read_body
from ...label.labels import read_labels
from ...rig.store import calibrate_armature, rig_map_of
from ...ui.operator_base import require_in_scene


def action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Return the action that an armature plays; ``None`` without one."""
    return None if armature.animation_data is None else armature.animation_data.action


def offers_action(armature: bpy.types.Object) -> bool:
    """Return whether an armature plays an action of its own, not one that was baked, and has no beats."""
    settings = armature.footfall
    return action_of(armature) is not None and settings.baked_action is None and not settings.interaction_tasks


def read_act(
    item: bpy.types.PropertyGroup,
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    body: Skeleton,
    rate: float | None,
) -> ActClip:
    """Return the clip of an act beat on the character's body.

    Args:
        item: the beat.
        armature: the character.
        scene: the scene.
        body: skeleton of the body that moves.
        rate: frames per second of the controllers; ``None`` for the scene's.

    Raises:
        FootfallError: the action or its armature is missing, or the action cannot be played.
    """
    action = item.action
    if action is None:
        raise FootfallError("A beat of the shot has no action: choose one")
    actor = item.actor or armature
    require_in_scene(actor, scene)
    if action == armature.footfall.baked_action:
        raise FootfallError("Action '{name}' is the bake of this character: choose another one", name=action.name)
    clip, first = finished(read_body(actor, action, scene, rig_map_of(actor)))
    labels = read_labels(actor, action, clip, first) if action.footfall.segments else label_clip(clip)
    stance = Stance.of(clip).pose if actor != armature else None
    span = slice(0, len(clip))
    if item.has_range:
        span = slice(max(item.range_start - first, 0), min(item.range_end + 1 - first, len(clip)))
    if span.stop - span.start < 2:
        raise FootfallError(
            "Action '{name}' has no frames from {first} to {last}: change the range of its beat",
            name=action.name,
            first=item.range_start,
            last=item.range_end,
        )
    part = clip.cut(span.start, span.stop)
    require_playable(part)
    fit = calibrate_armature(armature, clip.skeleton, stance)
    made = fit_act_clip(part, fit, rate or clip.rate, labels.cut(span.start, span.stop))
    return replace(made, motion=with_joints_of(made.motion, body))
