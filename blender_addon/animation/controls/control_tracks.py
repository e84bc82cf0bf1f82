"""From a clip on an armature's body to the tracks of its controls."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np
import scipy
from bpy.utils import escape_identifier

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ....core.rig.rig_map import ControlSetting, RigMap
from ...ui.operator_base import require_editable
from ..fcurve_io import Rig, read_rig
from ..fcurve_io.tracks import PropertyTrack
from ..layers.animation import Channel
from ..layers.root_motion import RootMotion
from .channels import ControlChannels, has_free_location
from .conflicts import reset_conflicting_animation, rest_location_tracks, select_hold_tracks
from .constraint_conflicts import constraint_conflict_warnings, list_bones
from .control import Control, ControlPlan, LimbMode, plan_controls
from .control_response import ControlHierarchy, probe_hierarchy
from .goals import ControlTargets
from .own_ik import switch_off_own_ik
from .poles import LimbBend, measure_bend, pole_heads, twist_angle
from .rig_sandbox import RigSandbox
from .solving import PoseBones, carrier_motions, solve_channels, solve_frame_by_frame, sort_carriers_first
from .test_poses import PoseTrial, run_pose_trial, sample_frames

MAX_PIVOT_DRIFT_M: Final = 1e-4
"""Drift from its joint above which a bone is moved itself, if possible, meters."""
MAX_JOINT_ERROR_M: Final = 0.01
"""Distance of a joint from the clip above which there is a warning, meters."""
REACH_SAMPLE_COUNT: Final = 7
"""Number of frames with more and less bent limbs, which show the side of the pole on which a knee bends."""
BEND_RATIO_RANGE: Final = (0.008, 0.45)
"""Least and greatest distance of a knee from the line from hip to ankle, as shares of the limb's length."""
MIN_BEND_SPAN: Final = 1.01
"""Ratio of the greatest bend of a clip to its least below which one angle serves all frames."""


@dataclass(frozen=True, eq=False)
class ControlTracks:
    """The tracks of a clip's bake.

    Attributes:
        tracks: channels of the controls, with a row for each frame of the clip, and switches and held channels with one
            row.
        warnings: sentences for the user, without full stops.
        evaluation_count: number of times that Blender evaluated the rig.
    """

    tracks: tuple[PropertyTrack, ...]
    warnings: tuple[str, ...]
    evaluation_count: int


def solve_control_tracks(
    armature: bpy.types.Object,
    rig_map: RigMap,
    clip: Clip,
    limb_mode: LimbMode,
    root_motion: RootMotion,
    preserved_channels: Collection[Channel] = (),
) -> ControlTracks:
    """Return the tracks that make an armature's body follow a clip; the file is not changed.

    Args:
        armature: an armature object.
        rig_map: bone names of the armature by role.
        clip: world motion of the mapped body at the scene's rate, for the object's current transform.
        limb_mode: ``"FK"``, or ``"IK"`` for limbs with IK controls in the map.
        root_motion: the bone or object that carries the body; its keys are not included.
        preserved_channels: channels that keep their keys on bones outside the map, even if they move the body.

    Raises:
        FootfallError: a bone or property of the map is missing, or the armature cannot be keyed.
    """
    require_editable(armature, "Armature")
    rig = read_rig(armature)
    what = plan_controls(rig_map, clip.skeleton.roles.keys(), limb_mode)
    _require_controls(armature, rig_map, what)
    goals = ControlTargets(rig, clip)
    with RigSandbox(armature) as stage:
        for setting in what.ik_settings:
            stage.set_property(setting.bone, setting.property, setting.value)
        keyed = [control.bone for control in what.all_controls]
        freed, said = switch_off_own_ik(stage, armature, keyed)
        settings = [*(_setting_track(setting) for setting in what.ik_settings), *freed]
        others = reset_conflicting_animation(
            stage,
            armature,
            keyed,
            clip.skeleton.names,
            [bone for bone in (root_motion.bone, rig_map.bones.get("root")) if bone],
            [track.path for track in settings],
            _rig_size(rig),
        )
        made, warnings = _solve_controls(
            stage, {bone.name: bone for bone in armature.pose.bones}, goals, what, root_motion
        )
        updates = stage.evaluation_count
    moved = {bone: channels for bone, channels in made.items() if bone != root_motion.bone}
    tracks = [track for channels in moved.values() for track in channels.tracks]
    still = rest_location_tracks(armature, moved)
    held, told = select_hold_tracks(others, preserved_channels)
    warnings = (*said, *warnings, *_missing_pole_warning(rig_map, what), *told)
    return ControlTracks((*settings, *tracks, *still, *held), warnings, updates)


def _solve_controls(
    stage: RigSandbox,
    pose_bones: PoseBones,
    targets: ControlTargets,
    control_plan: ControlPlan,
    root_motion: RootMotion,
) -> tuple[dict[str, ControlChannels], list[str]]:
    """Return the channels of all keyed bones by name, and warnings."""
    size, count = _rig_size(targets.rig), len(targets.clip)
    bends = [measure_bend(targets, pole) for pole in control_plan.poles]
    wanted = {control.bone: targets.pose(control) for control in control_plan.controls}
    wanted |= _pole_targets(targets, control_plan, bends, [np.zeros(count)] * len(bends))
    controls = list(control_plan.all_controls)
    if root_motion.target == "ROOT_BONE" and root_motion.bone is not None:
        wanted[root_motion.bone] = root_motion.poses(targets.rig)
        controls.insert(0, Control(root_motion.bone, "root", "root", keys_location=True))
    found = probe_hierarchy(stage, [control.bone for control in controls], size)
    controls, warnings = _key_drifting_locations(pose_bones, found, controls, wanted, targets.rig.scale)

    if control_plan.poles:
        frames = np.linspace(0, count - 1, min(REACH_SAMPLE_COUNT, count)).round().astype(int).tolist()
        stretched = wanted | _reach_test_poses(targets, control_plan, bends, frames)
        made = solve_channels(pose_bones, found, controls, stretched)
        trial = run_pose_trial(stage, found, controls, made, frames, _limb_bones(targets, control_plan), size)
        wanted |= _pole_targets(targets, control_plan, bends, _knee_twist_angles(targets, control_plan, bends, trial))

    made = solve_channels(pose_bones, found, controls, wanted)
    trial = run_pose_trial(
        stage, found, controls, made, sample_frames(count, bends), list(targets.clip.skeleton.names), size
    )
    odd = [control for control in controls if control.bone in trial.mispredicted_bones or control.bone not in made]
    if odd:
        rest = {bone: channels for bone, channels in made.items() if bone not in trial.mispredicted_bones}
        made = rest | solve_frame_by_frame(
            stage, pose_bones, found, rest, sort_carriers_first(found, odd), wanted, range(count)
        )
    if trial.constraint_conflicts:
        warnings += constraint_conflict_warnings(trial.constraint_conflicts)
    elif not odd and not warnings:
        warnings += _joint_error_warning(targets, control_plan, trial)
    return made, warnings


def _pole_targets(
    targets: ControlTargets, control_plan: ControlPlan, bends: Sequence[LimbBend], angles: Sequence[Array]
) -> dict[str, Array]:
    """Return the poles' target poses (F, 4, 4), corrected for the angles (F) by which the rig twists the knees."""
    return {
        pole.bone: targets.pose_at_head(pole_heads(targets, pole, bend, turned))
        for pole, bend, turned in zip(control_plan.poles, bends, angles, strict=True)
    }


def _reach_test_poses(
    targets: ControlTargets, control_plan: ControlPlan, bends: Sequence[LimbBend], frames: Sequence[int]
) -> dict[str, Array]:
    """Return test poses (F, 4, 4) of the feet and hands of limbs with poles, over the whole range of reach."""
    result: dict[str, Array] = {}
    for pole, bend in zip(control_plan.poles, bends, strict=True):
        end = next(control for control in control_plan.controls if control.role == pole.end)
        pose = targets.pose(end)
        for frame, reach in zip(frames, _reach_distances(bend, len(frames)), strict=True):
            head = targets.rig.to_world(pose[frame, :3, 3]) + (reach - bend.reach[frame]) * bend.limb_axis[frame]
            pose[frame, :3, 3] = targets.rig.to_armature(head)
        result[end.bone] = pose
    return result


def _reach_distances(bend: LimbBend, count: int) -> Array:
    """Return ascending distances, meters, between a limb's first and last joint, over the range in the clip.

    The limb is never completely straight.
    """
    return bend.length * np.sqrt(1 - 4 * _sampled_bend_ratios(bend, count) ** 2)


def _sampled_bend_ratios(bend: LimbBend, count: int) -> Array:
    """Return descending bend ratios over the clip's range; denser near a straight limb, where its plane turns."""
    ratios = np.clip([bend.bend_ratio.max(), bend.bend_ratio.min()], *BEND_RATIO_RANGE)
    return np.geomspace(ratios[0], ratios[1], count)


def _limb_bones(targets: ControlTargets, control_plan: ControlPlan) -> list[str]:
    return [targets.bone(role) for pole in control_plan.poles for role in (pole.upper, pole.middle)]


def _knee_twist_angles(
    targets: ControlTargets, control_plan: ControlPlan, bends: Sequence[LimbBend], trial: PoseTrial
) -> list[Array]:
    """Return for each limb the angle (F), radians, from its pole to the direction in which the rig bends its knee.

    If the hinge's axis is not perpendicular to the limb, the knee leaves the pole's plane the more it bends. The angle
    is a smooth function of the bend, but not of the reach, which hardly changes for nearly straight limbs.
    """
    result: list[Array] = []
    for pole, bend in zip(control_plan.poles, bends, strict=True):
        first, knee = (targets.rig.to_world(trial.heads[targets.bone(role)]) for role in (pole.upper, pole.middle))
        seen = np.unwrap(twist_angle(bend, trial.frames, first, knee))
        sampled = _sampled_bend_ratios(bend, len(trial.frames))
        if sampled[0] < MIN_BEND_SPAN * sampled[-1]:
            result.append(np.full(len(bend.reach), seen.mean()))
            continue
        ratios = np.sqrt(np.maximum(1 - (bend.reach / bend.length) ** 2, 0.0)) / 2
        straightness = np.log(sampled[0] / np.clip(ratios, sampled[-1], sampled[0]))
        result.append(scipy.interpolate.CubicSpline(np.log(sampled[0] / sampled), seen)(straightness))
    return result


def _key_drifting_locations(
    pose_bones: PoseBones,
    hierarchy: ControlHierarchy,
    controls: Sequence[Control],
    target_poses: Mapping[str, Array],
    scale: float,
) -> tuple[list[Control], list[str]]:
    """Add location keys to controls that drift from their joints; return all controls, and warnings.

    The warnings name drifting controls with a locked location.
    """
    ideal = carrier_motions(hierarchy, target_poses, next(iter(target_poses.values())))
    result: list[Control] = []
    stuck: list[Control] = []
    for control in controls:
        carried = hierarchy.dependencies[control.bone]
        if carried is not None and not control.keys_location and carried.carriers <= ideal.keys():
            origin = carried.origin(ideal)
            if origin is not None:
                away = np.linalg.norm(origin - target_poses[control.bone][:, :3, 3], axis=-1).max() * scale
                control = replace(control, keys_location=bool(away > MAX_PIVOT_DRIFT_M))
        if control.keys_location and not has_free_location(pose_bones[control.bone]):
            stuck.append(control)
        result.append(control)
    still = [control.bone for control in stuck if control.role == "hips"]
    others = [control.bone for control in stuck if control.role != "hips"]
    warnings: list[str] = (
        [
            Message(
                "The hips cannot move, so the character stays in place: disconnect {bones} from the parent, or "
                "map another bone as Hips",
                bones=list_bones(still),
            )
        ]
        if still
        else []
    )
    if others:
        warnings.append(
            Message(
                "These bones are connected or locked, so they cannot follow the motion: {bones}",
                bones=list_bones(others),
            )
        )
    return result, warnings


def _joint_error_warning(targets: ControlTargets, control_plan: ControlPlan, trial: PoseTrial) -> list[str]:
    """Return a warning about the worst joint if the body misses the clip although every control meets its target.

    Scaled bones can cause this. Knees and elbows bent by IK are left out, since the IK solver determines them.
    """
    worst, place = "", MAX_JOINT_ERROR_M
    for role in targets.clip.skeleton.roles:
        if role not in control_plan.ik_middle_roles:
            seen = targets.rig.to_world(trial.heads[targets.bone(role)])
            off = float(np.linalg.norm(seen - targets.joint(role)[0][list(trial.frames)], axis=-1).max())
            worst, place = (role, off) if off > place else (worst, place)
    if not worst:
        return []
    return [
        Message(
            "The rig puts bone '{bone}' up to {distance} cm away from its position in the motion",
            bone=targets.bone(worst),
            distance=f"{100 * place:.1f}",
        )
    ]


def _missing_pole_warning(rig_map: RigMap, control_plan: ControlPlan) -> list[str]:
    if not control_plan.poleless_limbs:
        return []
    return [
        Message(
            "These IK controls have no pole in the bone map, so the rig decides in which plane the limbs bend: {bones}",
            bones=list_bones([rig_map.ik[role].control for role in control_plan.poleless_limbs]),
        )
    ]


def _require_controls(armature: bpy.types.Object, rig_map: RigMap, control_plan: ControlPlan) -> None:
    """Raise :class:`FootfallError` if the armature lacks a bone that is to be keyed."""
    bones = armature.pose.bones
    for name in (
        *(control.bone for control in control_plan.all_controls),
        *(setting.bone for setting in control_plan.ik_settings),
    ):
        if name not in bones:
            raise FootfallError(
                "The bone map '{bone_map}' refers to the control '{control}', which does not exist in armature "
                "'{armature}': map it again",
                bone_map=rig_map.name,
                control=name,
                armature=armature.name,
            )
    for setting in control_plan.ik_settings:
        if setting.property not in bones[setting.bone]:
            raise FootfallError(
                "Bone '{bone}' of armature '{armature}' has no property '{property}', which the bone map "
                "'{bone_map}' sets: map it again",
                bone=setting.bone,
                armature=armature.name,
                property=setting.property,
                bone_map=rig_map.name,
            )


def _rig_size(rig: Rig) -> float:
    ends = np.concatenate([rig.rest_matrices[:, :3, 3], rig.tails])
    return float(np.ptp(ends, axis=0).max())


def _setting_track(setting: ControlSetting) -> PropertyTrack:
    path = f'pose.bones["{escape_identifier(setting.bone)}"]["{escape_identifier(setting.property)}"]'
    return PropertyTrack(path, setting.bone, np.array([[setting.value]]), "CONSTANT")
