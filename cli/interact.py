"""``interact``: generate a character's motion for tasks with the objects of a scene."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import options as option_types
from .quality import add_fail_on_option
from .reading import add_reading_options, describe_target, reading_of, summarize_target
from .shot import SHIPPED_CONTROLLER

if TYPE_CHECKING:
    from ..core.control.shot.outcome import Shot
    from ..core.models.model_file import ControllerModel
    from .scene_file import SceneTask
    from .shot_file import WalkEntry

HELP = "Perform interaction tasks (sit, lean, carry, open, lie, push) in a scene and write the motion as BVH"
EXAMPLES = """\
examples:
  python -m footfall interact --scene scene.json --out take.bvh
  python -m footfall interact --scene scene.json --out take.bvh --onto hero.bvh --json report.json
  python -m footfall interact --scene scene.json --out take.bvh --fail-on bad

scene.json has the character's start, objects and tasks, in meters and degrees, Z up:

  {"character": {"position": [0, -3], "direction": 0},
   "objects": [{"name": "Chair", "file": "chair.glb", "position": [0, 1], "rotation": 0},
               {"name": "Crate", "size": [0.3, 0.3, 0.3], "position": [2, 0]}],
   "tasks": [{"action": "sit", "object": "Chair", "duration": 3},
             {"action": "carry", "object": "Crate", "target": [-2, 0]}]}

Actions: walk, run, idle, sit, lie, carry, push, open, and sit_ground and lean for controllers that know them. Objects
that no task names are obstacles. The motion of moved objects is written to take.objects.csv. A task that takes too long
is skipped; the others are performed (exit code 1). docs/manual/pipelines.md describes all fields."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scene", required=True, type=Path, metavar="JSON", help="the character's start, objects and tasks"
    )
    parser.add_argument("--out", required=True, type=option_types.output_file, metavar="BVH", help="BVH file to write")
    parser.add_argument("--controller", type=Path, metavar="FILE", help="controller file (default: the shipped one)")
    parser.add_argument("--onto", type=Path, metavar="BVH", help="BVH file with the target skeleton")
    add_reading_options(parser, "onto-", "the target's")
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, metavar="N", help="random seed (default: %(default)s)"
    )
    add_fail_on_option(parser)


def run(options: argparse.Namespace) -> int:
    """Bake the tasks as a shot of one character, write the motion and return the exit code."""
    import numpy as np

    from ..core.control.runtime.controller_body import calibrate_controller
    from ..core.control.runtime.handover import is_same_body
    from ..core.control.shot.cast import CastMember
    from ..core.evaluation.quality import measure_traces
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from ..core.motion.proportions import scale_between
    from ..core.rig.clip_file import read_target
    from ..core.terrain.ground import Plane
    from .output import print_result
    from .quality import quality_lines, quality_report, require_quality
    from .scene_file import read_scene
    from .scene_interaction import OBJECTS_SUFFIX, write_tracks
    from .shot import bake, make_request, moved_objects
    from .shot_file import WALK_SPEEDS_M_S, CharacterEntry, ShotDescription
    from .walk import shipped_controller

    scene = read_scene(options.scene)
    actions = {task.action for task in scene.tasks}
    file, model = (options.controller, load_model(options.controller)) if options.controller else _shipped_for(actions)
    onto = read_target(options.onto, **reading_of(options, "onto_")) if options.onto else None
    calibration = calibrate_controller(model, onto.skeleton) if onto else None
    scale = scale_between(model.skeleton, calibration.target) if calibration else 1.0
    walks = load_model(shipped_controller())
    walks = walks if is_same_body(walks, model) else model
    # A controller that walks by itself has walks among its tasks.
    beats = [_walk_of(one) if one.action in WALK_SPEEDS_M_S and walks is not model else one for one in scene.tasks]
    start, frames = np.append(scene.position, 0.0), ((None, None),) * len(beats)
    entry = CharacterEntry("the character", start, scene.yaw, options.seed, tuple(beats), frames)
    placed, request = make_request(ShotDescription((), scene.objects, (entry,)), entry, scale, calibration, model)
    shots, _ = bake({entry.name: CastMember(walks, model, request)})
    shot = shots[entry.name]
    clip = shot.performance.clip
    quality = quality_report(measure_traces(clip, shot.performance.contacts, Plane(0.0)))
    tracks = list(moved_objects(placed, shot, scale))
    if onto is None:
        write_bvh(options.out, clip)
    else:
        onto.write(options.out, clip)
    moved = options.out.with_suffix(OBJECTS_SUFFIX)
    if tracks:
        write_tracks(moved, tracks)
    results = task_results(scene.tasks, shot)
    made = {
        "out": str(options.out),
        "controller": str(file),
        "frames": len(clip),
        "frame_rate": clip.rate,
        "seconds": clip.duration,
        "objects": str(moved) if tracks else None,
        **({} if onto is None else {"onto": describe_target(onto) if options.json else summarize_target(onto)}),
    }
    if options.json:
        details = {
            "moved_objects": [name for name, _, _ in tracks],
            "corrections_cm": {role: 100 * far for role, far in sorted(shot.corrections.items())},
            "passes": [[one.to_json() for one in act.refined.passes] for act in shot.acts],
            "tasks": results,
            "quality": quality,
        }
    else:
        lines = {f"task {number}": _task_line(one) for number, one in enumerate(results, start=1)}
        details = lines | quality_lines(quality)
    print_result(made | details, options.json)
    require_all_done(results)
    require_quality(quality, options.fail_on)
    return 0


def _shipped_for(actions: set[str]) -> tuple[Path, "ControllerModel"]:
    """Return the first shipped controller that knows all given actions, and its file.

    If none knows them all, return the controller that knows the most.

    Raises:
        FootfallError: no controller is shipped.
    """
    from ..core.models.model_file import load_model
    from .walk import shipped_controller

    most = shipped_controller(SHIPPED_CONTROLLER)
    loaded: dict[Path, ControllerModel] = {}
    for file in (most, *sorted(set(most.parent.glob("*.safetensors")) - {most})):
        loaded[file] = load_model(file)
        if actions <= set(loaded[file].taught_goals):
            return file, loaded[file]
    return most, loaded[most]


def _walk_of(task: "SceneTask") -> "WalkEntry":
    """Return a walking task as an entry of a shot."""
    import numpy as np

    from .shot_file import WALK_SPEEDS_M_S, WalkEntry

    place = np.asarray(task.target, dtype=float)[None, :2]
    return WalkEntry(place, WALK_SPEEDS_M_S[task.action], "", yaw=task.yaw, wait=task.duration)


def task_results(tasks: "Sequence[SceneTask]", shot: "Shot") -> list[dict[str, Any]]:
    """Return an entry for each task of a finished shot: action, time in seconds, and the reason if skipped."""
    rate = shot.performance.clip.rate
    return [
        {
            "action": task.action,
            "object": task.object_name or None,
            "status": "done" if one.status == "done" else "skipped",
            "reason": str(one.reason) or None,
            "start_s": None if one.status == "left out" else one.first / rate,
            "end_s": None if one.status == "left out" else (one.last + 1) / rate,
        }
        for task, one in zip(tasks, shot.beats, strict=True)
    ]


def _task_line(result: dict[str, Any]) -> str:
    """Return the result of a task as a line of text."""
    what = result["action"] if result["object"] is None else f"{result['action']} '{result['object']}'"
    if result["start_s"] is None:
        return f"{what}: {result['status']}"
    return f"{what}: {result['status']}, {result['start_s']:.1f} to {result['end_s']:.1f} s"


def require_all_done(results: list[dict[str, Any]]) -> None:
    """Raise :class:`FootfallError` if an entry of :func:`task_results` tells of a skipped task."""
    from ..core.errors import FootfallError

    skipped = {number: one for number, one in enumerate(results, start=1) if one["status"] == "skipped"}
    if skipped:
        late = "it could not be finished in time: move the objects or the targets farther apart"
        raise FootfallError(
            "Task {numbers} was skipped, and the motion of the others was written: {reason}",
            numbers=", ".join(map(str, skipped)),
            reason=next(iter(skipped.values())).get("reason") or late,
        )
