"""From a clip on an armature's body to what is keyed on its controls."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np
from bpy.utils import escape_identifier

from ....core.errors import FootfallError
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ....core.rig.rig_map import RigMap, Setting
from ...ui.operator_base import require_editable
from ..fcurve_io import Rig, read_rig
from ..fcurve_io.tracks import Track
from ..layers.animation import Channel
from ..layers.root_motion import RootMotion
from .channels import Keyed, can_move
from .conflicts import left_alone, settle, still_locations
from .constraint_conflicts import fight_warnings, named
from .control import Control, Limbs, Plan, plan
from .control_response import Found, probe
from .goals import Goals
from .poles import Bend, angle_of, bend_of, pole_heads
from .rig_sandbox import Stage
from .solving import Bones, carriers_first, motions_of, solve, step
from .test_poses import Trial, sample_frames, try_out

LOOSE: Final = 1e-4
"""Metres: a bone that its carrier does not bring nearer to its joint is moved itself, where it can be."""
OFF: Final = 0.01
"""Metres: a joint that lies farther from where the clip has it is told of."""
REACHES: Final = 7
"""Frames in which limbs are bent more and less, to see on which side of its pole a knee comes to lie."""
BENT: Final = (0.02, 0.45)
"""How far knees lie off the line from hip to ankle then, at least and at most, as shares of the limb's length."""


@dataclass(frozen=True, eq=False)
class ControlTracks:
    """What a bake of a clip keys.

    Attributes:
        tracks: the channels of the controls, whose rows are the clip's frames, and the switches.
        warnings: what the user should know, each a sentence without its full stop.
        updates: how often Blender had to evaluate the rig.
    """

    tracks: tuple[Track, ...]
    warnings: tuple[str, ...]
    updates: int


def control_tracks(
    armature: bpy.types.Object,
    rig_map: RigMap,
    clip: Clip,
    limbs: Limbs,
    root: RootMotion,
    spared: Collection[Channel] = (),
) -> ControlTracks:
    """What to key on an armature so that its body moves as a clip does. Nothing in the file changes.

    Args:
        armature: an armature object.
        rig_map: which bone plays which role; its bones are called as the armature's.
        clip: motion on the map's body, at the scene's rate, in the world, for the object as it stands now.
        limbs: ``"FK"``, or ``"IK"`` for those that the map says how to pose by it.
        root: what carries the body; its own keys are not among the tracks.
        spared: channels whose keys stay as they are on bones that are not the map's, even if they move the body.

    Raises:
        FootfallError: a bone or property of the map is missing, or the armature cannot be keyed.
    """
    require_editable(armature, "Armature")
    rig = read_rig(armature)
    what = plan(rig_map, clip.skeleton.roles.keys(), limbs)
    _require(armature, rig_map, what)
    goals = Goals(rig, clip)
    with Stage(armature) as stage:
        for setting in what.settings:
            stage.set_property(setting.bone, setting.property, setting.value)
        settings = [_setting_track(setting) for setting in what.settings]
        others = settle(
            stage,
            armature,
            [control.bone for control in what.keyed],
            clip.skeleton.names,
            [bone for bone in (root.bone, rig_map.bones.get("root")) if bone],
            [track.path for track in settings],
            _size(rig),
        )
        made, warnings = _rehearse(stage, {bone.name: bone for bone in armature.pose.bones}, goals, what, root)
        updates = stage.updates
    moved = {bone: channels for bone, channels in made.items() if bone != root.bone}
    tracks = [track for channels in moved.values() for track in channels.tracks]
    still = still_locations(armature, moved)
    held, told = left_alone(others, spared)
    warnings = (*warnings, *_unled_warning(rig_map, what), *told)
    return ControlTracks((*settings, *tracks, *still, *held), warnings, updates)


def _rehearse(
    stage: Stage, bones: Bones, goals: Goals, what: Plan, root: RootMotion
) -> tuple[dict[str, Keyed], list[str]]:
    """The channels of all keyed bones, and what there is to warn of."""
    size, count = _size(goals.rig), len(goals.clip)
    bends = [bend_of(goals, pole) for pole in what.poles]
    wanted = {control.bone: goals.pose(control) for control in what.controls}
    wanted |= _poles(goals, what, bends, [np.zeros(count)] * len(bends))
    controls = list(what.keyed)
    if root.target == "ROOT_BONE" and root.bone is not None:
        wanted[root.bone] = root.poses(goals.rig)
        controls.insert(0, Control(root.bone, "root", "root", moves=True))
    found = probe(stage, [control.bone for control in controls], size)
    controls, warnings = _moved(bones, found, controls, wanted, goals.rig.scale)

    if what.poles:
        frames = np.linspace(0, count - 1, min(REACHES, count)).round().astype(int).tolist()
        stretched = wanted | _stretched(goals, what, bends, frames)
        made = solve(bones, found, controls, stretched)
        trial = try_out(stage, found, controls, made, frames, _limbs(goals, what), size)
        wanted |= _poles(goals, what, bends, _angles(goals, what, bends, trial))

    made = solve(bones, found, controls, wanted)
    trial = try_out(stage, found, controls, made, sample_frames(count, bends), list(goals.clip.skeleton.names), size)
    odd = [control for control in controls if control.bone in trial.unlike or control.bone not in made]
    if odd:
        rest = {bone: channels for bone, channels in made.items() if bone not in trial.unlike}
        made = rest | step(stage, bones, found, rest, carriers_first(found, odd), wanted, range(count))
    if trial.fights:
        warnings += fight_warnings(trial.fights)
    elif not odd and not warnings:
        warnings += _off_warning(goals, what, trial)
    return made, warnings


def _poles(goals: Goals, what: Plan, bends: Sequence[Bend], angles: Sequence[Array]) -> dict[str, Array]:
    """Where the poles shall be (F, 4, 4), where the rig turns knees by some angles (F) from them."""
    return {
        pole.bone: goals.head(pole_heads(goals, pole, bend, turned))
        for pole, bend, turned in zip(what.poles, bends, angles, strict=True)
    }


def _stretched(goals: Goals, what: Plan, bends: Sequence[Bend], frames: Sequence[int]) -> dict[str, Array]:
    """The poses (F, 4, 4) of the feet and hands that have poles, in some frames as near and as far as they ever are."""
    result: dict[str, Array] = {}
    for pole, bend in zip(what.poles, bends, strict=True):
        end = next(control for control in what.controls if control.role == pole.end)
        pose = goals.pose(end)
        for frame, reach in zip(frames, _reaches(bend, len(frames)), strict=True):
            head = goals.rig.to_world(pose[frame, :3, 3]) + (reach - bend.reach[frame]) * bend.along[frame]
            pose[frame, :3, 3] = goals.rig.to_armature(head)
        result[end.bone] = pose
    return result


def _reaches(bend: Bend, count: int) -> Array:
    """Distances from a limb's first joint to its last, metres, rising: those of the clip, but never quite straight.

    They are closer together the straighter the limb is: there its plane depends on them most.
    """
    amounts = np.clip([bend.amount.max(), bend.amount.min()], *BENT)
    return bend.length * np.sqrt(1 - 4 * np.linspace(amounts[0], amounts[1], count) ** 2)


def _limbs(goals: Goals, what: Plan) -> list[str]:
    return [goals.bone(role) for pole in what.poles for role in (pole.upper, pole.middle)]


def _angles(goals: Goals, what: Plan, bends: Sequence[Bend], trial: Trial) -> list[Array]:
    """By how much the rig turns each limb's knee from where its pole is (F), radians.

    A hinge turns out of the pole's plane by more the more it is bent, unless it lies squarely to its limb.
    """
    result: list[Array] = []
    for pole, bend in zip(what.poles, bends, strict=True):
        first, knee = (goals.rig.to_world(trial.heads[goals.bone(role)]) for role in (pole.upper, pole.middle))
        seen = np.unwrap(angle_of(bend, trial.frames, first, knee))
        result.append(np.interp(bend.reach, _reaches(bend, len(trial.frames)), seen))
    return result


def _moved(
    bones: Bones, found: Found, controls: Sequence[Control], wanted: Mapping[str, Array], scale: float
) -> tuple[list[Control], list[str]]:
    """The controls, those moved that hang elsewhere than the body's joints do; and warnings about those that cannot."""
    ideal = motions_of(found, wanted, next(iter(wanted.values())))
    result: list[Control] = []
    stuck: list[Control] = []
    for control in controls:
        carried = found.carried[control.bone]
        if carried is not None and not control.moves and carried.carriers <= ideal.keys():
            origin = carried.origin(ideal)
            if origin is not None:
                away = np.linalg.norm(origin - wanted[control.bone][:, :3, 3], axis=-1).max() * scale
                control = replace(control, moves=bool(away > LOOSE))
        if control.moves and not can_move(bones[control.bone]):
            stuck.append(control)
        result.append(control)
    still = [control.bone for control in stuck if control.role == "hips"]
    others = [control.bone for control in stuck if control.role != "hips"]
    warnings = [f"{named(still)} is connected or locked, so the body does not travel"] if still else []
    if others:
        warnings.append(
            f"{named(others)} cannot be moved, being connected or locked, to where the motion has its joints"
        )
    return result, warnings


def _off_warning(goals: Goals, what: Plan, trial: Trial) -> list[str]:
    """A warning where the body is not where the clip has it, though every control is: its worst joint is named.

    A bone that is scaled does that. Knees and elbows that IK bends are left out: its solver decides on them.
    """
    worst, place = "", OFF
    for role in goals.clip.skeleton.roles:
        if role not in what.bent:
            seen = goals.rig.to_world(trial.heads[goals.bone(role)])
            off = float(np.linalg.norm(seen - goals.joint(role)[0][list(trial.frames)], axis=-1).max())
            worst, place = (role, off) if off > place else (worst, place)
    if not worst:
        return []
    return [f"bone '{goals.bone(worst)}' comes to lie up to {100 * place:.1f} cm from where the motion has it"]


def _unled_warning(rig_map: RigMap, what: Plan) -> list[str]:
    if not what.unled:
        return []
    which = named([rig_map.ik[role].control for role in what.unled])
    return [f"the rig map has no poles for {which}, so the rig decides in which plane these limbs bend"]


def _require(armature: bpy.types.Object, rig_map: RigMap, what: Plan) -> None:
    """Raises a :class:`FootfallError` where the armature lacks what is to be keyed."""
    bones = armature.pose.bones
    for name in (*(control.bone for control in what.keyed), *(setting.bone for setting in what.settings)):
        if name not in bones:
            raise FootfallError(
                f"The rig map '{rig_map.name}' speaks of the control '{name}', which armature '{armature.name}' "
                "does not have: map it anew."
            )
    for setting in what.settings:
        if setting.property not in bones[setting.bone]:
            raise FootfallError(
                f"Bone '{setting.bone}' of armature '{armature.name}' has no property '{setting.property}', which the "
                f"rig map '{rig_map.name}' sets: map it anew."
            )


def _size(rig: Rig) -> float:
    ends = np.concatenate([rig.rest[:, :3, 3], rig.tails])
    return float(np.ptp(ends, axis=0).max())


def _setting_track(setting: Setting) -> Track:
    path = f'pose.bones["{escape_identifier(setting.bone)}"]["{escape_identifier(setting.property)}"]'
    return Track(path, setting.bone, np.array([[setting.value]]), "CONSTANT")
