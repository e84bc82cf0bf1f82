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

HELP = "Bake characters with their stored settings."
EXAMPLES = """\
examples:
  blender -b shot.blend --command footfall bake --all --save
  blender -b shot.blend --command footfall bake --object Hero Extra --out baked.blend --json baked.json
  blender -b shot.blend --command footfall bake --object Hero --path Stairs --speed 1.5 --seed 7 --start 101 --save
  blender -b shot.blend --command footfall bake --object Hero --controller ours.safetensors --out hero.blend
  blender -b shot.blend --command footfall bake --all --crowd --save
  blender -b shot.blend --command footfall bake --all --interactions --save
  blender -b shot.blend --command footfall bake --all --fail-on bad --save

Options replace the stored settings of each character and are stored with the character, so that Update Bake gives the
same result. If a character cannot be baked, it stays unchanged and the others are baked. A character that skips a beat
or misses a waypoint is baked as well. The exit code is 1 in both cases. With --crowd, all characters are baked or
none."""

SLICE_FRAMES: Final = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    speed = FOOTFALL_PG_character.bl_rna.properties["speed"]
    everyone = "all armatures that have a path, waypoints or beats; with --interactions, those that have beats"
    add_name_selection(parser, "--object", "names of armatures in the scene", everyone)
    parser.add_argument(
        "--interactions", action="store_true", help="bake only beats, and only characters that have beats"
    )
    parser.add_argument(
        "--crowd", action="store_true", help="bake all characters together, so that they avoid each other"
    )
    parser.add_argument("--path", metavar="NAME", help="name of the curve to walk along")
    parser.add_argument(
        "--speed",
        type=number_in_range(round(speed.hard_min, 3), speed.hard_max),
        metavar="M/S",
        help="walking speed, meters per second",
    )
    parser.add_argument("--seed", type=whole_number_from(0), metavar="N", help="number that selects a random variation")
    share = number_in_range(0.0, 1.0)
    parser.add_argument(
        "--performer-share",
        type=share,
        metavar="SHARE",
        help="share of a second performer, selected by the seed, from 0 to 1",
    )
    parser.add_argument(
        "--variation",
        dest="control_variation",
        type=share,
        metavar="AMOUNT",
        help="strength of the variation between seeds, from 0 to 1",
    )
    parser.add_argument(
        "--responsiveness",
        type=share,
        metavar="SHARE",
        help="how closely path and speed are followed: 0 is smooth, 1 is prompt",
    )
    parser.add_argument("--performer", metavar="NAME", help="name of a performer in the training data")
    parser.add_argument("--style", metavar="NAME", help="name of a style of the controller, such as crouch")
    parser.add_argument("--controller", metavar="NAME_OR_FILE", help=f"{CONTROLLER_HELP}; for beats, a file")
    parser.add_argument("--start", type=int, metavar="FRAME", help="scene frame at which the motion starts")
    parser.add_argument(
        "--fail-on",
        choices=tuple(FAILING_VERDICTS),
        help="exit with code 1 if a quality measure has this verdict or a worse one; the character is still baked",
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
        options.wrong_usage(f"--{given[0]} is only for walks along paths: leave out --interactions")
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
        made = job.run(bake_crowd(armatures, context), "the crowd")
    job.changed = True
    for armature, one in zip(armatures, made, strict=True):
        with job.item(object=armature.name_full) as entry:
            entry |= describe_bake(armature, one.bake, one.result)
            entry["warnings"] += one.notes
            _require_goals(entry, options.fail_on)


def _require_goals(entry: Mapping[str, Any], fail_on: str | None) -> None:
    """Raise :class:`FootfallError` if a character missed a waypoint or task, or fails the quality of ``--fail-on``."""
    if left := list(unmet_goals(entry)):
        raise FootfallError("{failures}. The rest of the character was baked", failures="; ".join(left))
    require_verdicts({measure: row["verdict"] for measure, row in entry["quality"].items()}, fail_on)


def _all_names(options: argparse.Namespace, scene: bpy.types.Scene) -> list[str]:
    armatures = [one for one in scene.objects if one.type == "ARMATURE"]
    names = [one.name_full for one in armatures if _has_work(one.footfall, options)]
    if not names:
        what = "beats" if options.interactions else "a path, waypoints or beats"
        raise FootfallError(
            "No armature in the scene '{scene}' has {needed}: {hint}",
            scene=scene.name,
            needed=what,
            hint=_missing_hint(),
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
            "There is no armature '{name}' in the scene '{scene}', which contains {armatures}: {hint}",
            name=name,
            scene=scene.name,
            armatures=", ".join(sorted(known)) or "none",
            hint=_missing_hint(),
        )
    if armature.mode == "EDIT":
        raise FootfallError("The armature is in Edit Mode: leave Edit Mode in Blender, save the file, and bake again")
    require_editable(armature, "Armature")
    return armature


def _missing_hint() -> str:
    """Return advice for errors about a missing item: Blender continues without a file that it could not read."""
    if bpy.data.filepath:
        return f"check that '{bpy.data.filepath}' and its scene are the right ones (blender -S chooses a scene)"
    return "no file is open, so check that the file named before --command exists and can be read"


def _run_bake(bake: WalkBake | ShotBake) -> Generator[tuple[float, str], None, BakeResult]:
    while bake.advance(SLICE_FRAMES):
        yield bake.fraction, "Baking"
    return bake.finish(bpy.context.scene)
