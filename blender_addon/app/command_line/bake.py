"""``bake``: characters walk their paths or perform their interaction tasks, with the settings of the file."""

import argparse
from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

import bpy

from ....core.errors import FootfallError
from ....core.evaluation.quality import FAILING_VERDICTS, require_verdicts
from ...activities.interaction.shot_bake import ShotBake
from ...activities.walk.bake import BakeResult, WalkBake
from ...activities.walk.crowd_operators import bake_crowd
from ...ui.operator_base import require_editable
from ..settings import FOOTFALL_PG_character
from .bake_entry import describe_bake, unmet_goals
from .controller_choice import CONTROLLER_HELP
from .job import Job
from .options import add_json, add_name_selection, number_in_range, whole_number_from
from .overrides import WALK_ONLY_OPTIONS, applied_changes, setting_changes
from .saving import add_saving, output_path, save

HELP = "Bake characters by their stored settings."
EXAMPLES = """\
examples:
  blender -b shot.blend --command footfall bake --all --save
  blender -b shot.blend --command footfall bake --object Hero Extra --out baked.blend --json baked.json
  blender -b shot.blend --command footfall bake --object Hero --path Stairs --speed 1.5 --seed 7 --start 101 --save
  blender -b shot.blend --command footfall bake --object Hero --controller ours.safetensors --out hero.blend
  blender -b shot.blend --command footfall bake --all --crowd --save
  blender -b shot.blend --command footfall bake --all --interactions --save
  blender -b shot.blend --command footfall bake --all --fail-on bad --save

Options replace the stored settings of each character and are stored with it, so that Update Bake gives the same. A
character that cannot be baked stays as it was, and the others are baked; one that skips a task or misses a waypoint is
baked, too. Both are failures (exit code 1). --crowd bakes all of them or none."""

SLICE_FRAMES: Final = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    speed = FOOTFALL_PG_character.bl_rna.properties["speed"]
    everyone = "every armature with a path, waypoints or beats; with --interactions, with beats"
    add_name_selection(parser, "--object", "armatures of the scene", everyone)
    parser.add_argument("--interactions", action="store_true", help="bake beats, and only characters with some")
    parser.add_argument("--crowd", action="store_true", help="bake all characters at once; they avoid each other")
    parser.add_argument("--path", metavar="NAME", help="the object to walk along")
    parser.add_argument(
        "--speed",
        type=number_in_range(round(speed.hard_min, 3), speed.hard_max),
        metavar="M/S",
        help="meters per second",
    )
    parser.add_argument("--seed", type=whole_number_from(0), metavar="N", help="random seed")
    share = number_in_range(0.0, 1.0)
    parser.add_argument(
        "--performer-share", type=share, metavar="SHARE", help="share of the performer that the seed draws, from 0 to 1"
    )
    parser.add_argument(
        "--variation",
        dest="control_variation",
        type=share,
        metavar="AMOUNT",
        help="variation of the control, from 0 to 1",
    )
    parser.add_argument(
        "--responsiveness",
        type=share,
        metavar="SHARE",
        help="how closely path and speed are followed: 0 is smooth, 1 is prompt",
    )
    parser.add_argument("--performer", metavar="NAME", help="performer of the training data, by name")
    parser.add_argument("--style", metavar="NAME", help="style that the controller was trained with, such as crouch")
    parser.add_argument("--controller", metavar="NAME_OR_FILE", help=f"{CONTROLLER_HELP}; a file for interaction tasks")
    parser.add_argument("--start", type=int, metavar="FRAME", help="the scene's frame at which the motion starts")
    parser.add_argument(
        "--fail-on",
        choices=tuple(FAILING_VERDICTS),
        help="exit code 1 if a measure of quality has this verdict or a worse one; the character is still baked",
    )
    add_saving(parser)
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Bake the characters and save the file."""
    given = [
        option
        for option, name in WALK_ONLY_OPTIONS.items()
        if not any(getattr(options, name) is unsaid for unsaid in (None, False))
    ]
    if options.interactions and given:
        options.wrong_usage(f"--{given[0]} is for walks along paths: leave out --interactions")
    scene, goal = bpy.context.scene, output_path(options)
    names = sorted(_all_names(options, scene)) if options.all else list(dict.fromkeys(options.object))
    if options.start is not None:
        scene.frame_set(options.start)
    if options.crowd:
        _bake_crowd(names, options, job)
    else:
        _bake_each(names, options, job)
    save(goal, job)


def _bake_each(names: Sequence[str], options: argparse.Namespace, job: Job) -> None:
    """Bake the characters one after the other, independently of each other."""
    context, job.total = bpy.context, len(names)
    for name in names:
        with job.item(object=name) as entry:
            armature = _find_armature(name, context.scene)
            with applied_changes(setting_changes(options, armature.footfall)):
                bake = _bake_of(armature, context, options)
                result = job.run(_run_bake(bake), armature.name_full)
            job.changed = True
            entry |= describe_bake(armature, bake, result)
            _require_goals(entry, options.fail_on)


def _bake_of(
    armature: bpy.types.Object, context: bpy.types.Context, options: argparse.Namespace
) -> WalkBake | ShotBake:
    """Return the bake of a character's beats; without any, or with a path or speed of the options, of its walk."""
    walks = options.path is not None or options.speed is not None
    if options.interactions or (armature.footfall.interaction_tasks and not walks):
        return ShotBake(armature, context)
    return WalkBake(armature, context)


def _bake_crowd(names: Sequence[str], options: argparse.Namespace, job: Job) -> None:
    """Bake all characters together; if one fails, none is baked."""
    context = bpy.context
    armatures = [_find_armature(name, context.scene) for name in names]
    with applied_changes([change for one in armatures for change in setting_changes(options, one.footfall)]):
        made = job.run(bake_crowd(armatures, context), "everybody")
    job.changed = True
    for armature, one in zip(armatures, made, strict=True):
        with job.item(object=armature.name_full) as entry:
            entry |= describe_bake(armature, one.bake, one.result)
            entry["warnings"] += one.notes
            _require_goals(entry, options.fail_on)


def _require_goals(entry: Mapping[str, Any], fail_on: str | None) -> None:
    """Raise :class:`FootfallError` if a character missed a waypoint or task, or fails the quality of ``--fail-on``."""
    if left := list(unmet_goals(entry)):
        raise FootfallError("{join}. The rest is baked", join="; ".join(left))
    require_verdicts({measure: row["verdict"] for measure, row in entry["quality"].items()}, fail_on)


def _all_names(options: argparse.Namespace, scene: bpy.types.Scene) -> list[str]:
    armatures = [one for one in scene.objects if one.type == "ARMATURE"]
    names = [one.name_full for one in armatures if _has_work(one.footfall, options)]
    if not names:
        what = "beats" if options.interactions else "a path, waypoints or beats"
        raise FootfallError(
            "No armature of scene '{name}' has {what}: {missing_hint}",
            name=scene.name,
            what=what,
            missing_hint=_missing_hint(),
        )
    return names


def _has_work(settings: bpy.types.PropertyGroup, options: argparse.Namespace) -> bool:
    walks, acts = bool(settings.path or settings.waypoints), bool(settings.interaction_tasks)
    if options.interactions or options.crowd:
        return acts if options.interactions else walks
    return walks or acts


def _find_armature(name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    armature = next((one for one in scene.objects if name in (one.name_full, one.name)), None)
    if armature is None or armature.type != "ARMATURE":
        known = [one.name_full for one in scene.objects if one.type == "ARMATURE"]
        raise FootfallError(
            "There is no armature '{name}' in scene '{name_2}'; there is {join}: {missing_hint}",
            name=name,
            name_2=scene.name,
            join=", ".join(sorted(known)) or "none",
            missing_hint=_missing_hint(),
        )
    if armature.mode == "EDIT":
        raise FootfallError("The armature is in Edit Mode: leave Edit Mode in Blender, and save the file")
    require_editable(armature, "Armature")
    return armature


def _missing_hint() -> str:
    """Return advice for errors about a missing item: Blender continues without a file that it could not read."""
    if bpy.data.filepath:
        return f"look whether '{bpy.data.filepath}' and its scene are the right ones (blender -S chooses a scene)"
    return "no file is open, so look whether Blender could read the one that is named before --command"


def _run_bake(bake: WalkBake | ShotBake) -> Generator[tuple[float, str], None, BakeResult]:
    while bake.advance(SLICE_FRAMES):
        yield bake.fraction, "is baked"
    return bake.finish(bpy.context.scene)
