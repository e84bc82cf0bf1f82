"""``train``: a controller from the clips on the training list, in the trainer's own Python."""

import argparse
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import bpy

from ....core.errors import FootfallError
from ....core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from ...rig.clips import file_actions
from ...train import runs, training_choice
from ...train.environment import require_training_python
from ...train.operators import start_run
from .controller_choice import CONTROLLER_HELP, resolve_controller
from .interruption import Interrupted
from .job import Job
from .options import add_json
from .progress import print_status

HELP = "Train a controller on actions in the file and on folders of clips."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall train --preset quick --json
  blender -b takes.blend --command footfall train --all --preset standard --run runs/hero --set time_limit=60
  blender -b --command footfall train --clips clips/ --name hero --python /opt/torch/bin/python
  blender -b takes.blend --command footfall train --clips sitting/ --preset nsm
  blender -b takes.blend --command footfall train --action sneak_1 sneak_2 --base locomotion --style sneak
  blender -b --command footfall train --resume runs/hero

Without --action, --all and --clips, the training uses the list of training clips in the scene. After Ctrl+C or SIGTERM
the run saves its work; --resume continues it. With --detach the command returns at once; the panel Train and
RUN/state.json show the state of the run. python -m footfall train does the same without Blender, for BVH files."""

POLL_INTERVAL_S: Final = 0.5
"""Seconds between two polls of the run."""
SHUTDOWN_GRACE_S: Final = 60.0
"""Seconds for a run to save its work after a request to end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--action", nargs="+", action="extend", default=[], metavar="NAME", help="names of actions in the file"
    )
    parser.add_argument("--all", action="store_true", help="all actions that move an armature")
    parser.add_argument(
        "--clips",
        nargs="+",
        action="extend",
        default=[],
        metavar="DIR",
        help="folders whose BVH and FBX files, also in subfolders, are training clips",
    )
    parser.add_argument("--resume", type=Path, metavar="RUN", help="folder of a stopped or interrupted run to resume")
    parser.add_argument("--preset", metavar="NAME", help="training preset (default: the one chosen in the scene)")
    parser.add_argument("--base", metavar="NAME_OR_FILE", help=f"controller to fine-tune: {CONTROLLER_HELP}")
    parser.add_argument("--style", metavar="NAME", help="name of a new style to teach the controller, with --base")
    parser.add_argument("--fit-terrain", action="store_true", help="fit terrain patches under the clips")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a setting of the preset; can be repeated",
    )
    parser.add_argument("--name", metavar="NAME", help="name of the controller")
    parser.add_argument(
        "--run", type=Path, metavar="DIR", help="folder of the run (default: a new one in the runs folder)"
    )
    parser.add_argument(
        "--python", type=Path, metavar="FILE", help="Python for training (default: the one in the preferences)"
    )
    wait = parser.add_mutually_exclusive_group()
    wait.add_argument("--wait", action="store_true", help="return when the training has ended (the default)")
    wait.add_argument("--detach", action="store_true", help="return as soon as the training has started")
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Start or resume a training run and wait until it ends."""
    _validate_options(options)
    python = options.python.absolute() if options.python else require_training_python()
    if not python.is_file():
        raise FootfallError(
            "The Python for training, '{python}', does not exist: give another one with --python", python=python
        )
    folder = options.resume or options.run
    with job.item(name=options.name or (folder.name if folder else "training")) as entry:
        if options.resume:
            one = RunFolder(options.resume.absolute())
            _require_resumable(one)
            runs.resume(python, one, _setting_arguments(options))
        else:
            _apply_options(options)
            place = options.run.absolute() if options.run else None
            beginning = start_run(bpy.context.scene, python, place, _setting_arguments(options))
            one = job.run(beginning, options.name or "the training clips")
        entry |= {"run": str(one.path), "log": str(one.log_path)}
        print_status(f"the folder of the run is '{one.path}'")
        if options.detach:
            entry |= {"message": "started", "run_status": "starting"}
            return
        try:
            _wait_for_run(one, job)
        except Interrupted:
            _stop_run(one)
            raise
        finally:
            entry |= _run_entry(one)
        if entry["run_status"] != "finished":
            raise FootfallError(_failure_reason(one))


def _validate_options(options: argparse.Namespace) -> None:
    """Exit with a usage error if options contradict each other."""
    if options.resume:
        named = ("action", "all", "clips", "preset", "base", "style", "fit_terrain", "name", "run")
        if given := [name for name in named if getattr(options, name)]:
            option = {"fit_terrain": "fit-terrain"}.get(given[0], given[0])
            options.wrong_usage(f"a resumed run already has its clips and settings: leave out --{option}")
    if options.style and not options.base:
        options.wrong_usage("--style needs --base: name the controller to fine-tune")
    if options.preset and options.base:
        options.wrong_usage("fine-tuning always uses its own preset: leave out --preset")


def _require_resumable(run_folder: RunFolder) -> None:
    if not run_folder.path.is_dir():
        raise FootfallError("The run folder to resume does not exist: check the path after --resume")
    if run_folder.is_alive() and run_folder.status() in ACTIVE_STATUSES:
        raise FootfallError("The run to resume is already active: stop it first")
    if run_folder.status() == "finished":
        raise FootfallError("The run is finished, so there is nothing to resume: start a new run")


def _setting_arguments(options: argparse.Namespace) -> list[str]:
    return [part for setting in options.set for part in ("--set", setting)]


def _apply_options(options: argparse.Namespace) -> None:
    """Apply the options to the scene's training list and settings; the file is not saved."""
    settings = bpy.context.scene.footfall
    if options.action or options.all or options.clips:
        _fill_clip_list(options, settings)
    if not settings.clips and not settings.clip_folders:
        raise FootfallError("The list of training clips in the scene is empty: give --all, --action or --clips")
    if options.preset:
        training_choice.refresh()
        known = training_choice.identifiers()
        found = next(
            (one for one in known if options.preset in (one, one.removeprefix(training_choice.USER_PREFIX))), None
        )
        if found is None:
            raise FootfallError(
                "There is no training preset '{preset}': give one of {names}",
                preset=options.preset,
                names=", ".join(known),
            )
        settings.training_preset, settings.fine_tune = found, False
    if options.base:
        settings.fine_tune, settings.new_style = True, options.style or ""
        settings.base_controller, settings.base_controller_file = resolve_controller(options.base)
    if options.fit_terrain:
        settings.fit_terrain = True
    if options.name:
        settings.run_name = options.name


def _fill_clip_list(options: argparse.Namespace, settings: bpy.types.PropertyGroup) -> None:
    """Replace the training list with the clips that the options name."""
    takes = {action.name_full: (armature, action) for armature, action in file_actions()}
    wanted = sorted(takes) if options.all else options.action
    if options.all and not wanted:
        raise FootfallError("No action in this file moves an armature: check that it is the right file")
    settings.clips.clear()
    settings.clip_folders.clear()
    for name in wanted:
        if name not in takes:
            raise FootfallError("No action '{name}' moves an armature in the file: check the name", name=name)
        item = settings.clips.add()
        item.armature, item.action = takes[name]
    for folder in options.clips:
        settings.clip_folders.add().path = str(Path(folder).absolute())


def _wait_for_run(run_folder: RunFolder, job: Job) -> None:
    """Wait until the run ends, showing its reports as progress."""
    offset, last = 0, {}
    while True:
        status, _ = runs.run_status(run_folder)
        reports, offset = run_folder.read_progress(offset)
        for report in reports:
            last.update(report)
            for words in _report_notes(report):
                print_status(words)
        if status not in ACTIVE_STATUSES:
            return
        job.report_progress(runs.fraction_done(status, last), run_folder.path.name, _progress_text(status, last))
        time.sleep(POLL_INTERVAL_S)


def _report_notes(report: dict[str, Any]) -> Iterator[str]:
    """Yield the notes in a report, without its progress."""
    if "note" in report:
        yield str(report["note"])
    if "rollout" in report:
        yield "walk: " + ", ".join(f"{name} {value}" for name, value in report["rollout"].items())


def _progress_text(status: str, report: dict[str, Any]) -> str:
    if status == "building" and "clip" in report:
        if report.get("stage") == "takes":
            return f"Making take {report['step']} of {report['total']}"
        return f"Reading clip {report['step']} of {report['total']}"
    if status != "running" or report.get("loss") is None:
        return status.capitalize()
    held_out = report.get("validation_loss")
    return f"Training, loss {report['loss']:.4f}" + ("" if held_out is None else f", validation {held_out:.4f}")


def _stop_run(run_folder: RunFolder) -> None:
    """Ask a run to save its work and end; terminate it after a grace period."""
    print_status(f"The run '{run_folder.path.name}' saves its work: continue it with --resume")
    until = time.monotonic() + SHUTDOWN_GRACE_S
    with suppress(Interrupted):  # a second interruption: do not wait
        while runs.run_status(run_folder)[0] in ACTIVE_STATUSES and time.monotonic() < until:
            run_folder.request_stop()  # repeatedly, as a run drops earlier requests when it begins
            time.sleep(POLL_INTERVAL_S)
    runs.terminate(run_folder)


def _run_entry(run_folder: RunFolder) -> dict[str, Any]:
    """Return the report entry of a run that has ended."""
    reports, _ = run_folder.read_progress()
    last = next((report for report in reversed(reports) if "loss" in report), {})
    status, _ = runs.run_status(run_folder)
    return {
        "message": status,
        "run_status": status,
        "controller": str(run_folder.model_path) if run_folder.model_path.is_file() else None,
        **{name: last.get(name) for name in ("step", "loss", "validation_loss")},
    }


def _failure_reason(run_folder: RunFolder) -> str:
    """Return the reason why a run did not finish."""
    status, sentence = runs.run_status(run_folder)
    if status == "stopped":
        return "The run was stopped: give --resume to continue it."
    return sentence or f"The run ended with the status '{status}': see the log '{run_folder.log_path}'."
