"""``train``: a controller from what is on the training list, in the trainer's own Python."""

import argparse
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import bpy

from ....core.errors import FootfallError
from ....core.jobs.run_folder import ACTIVE, RunFolder
from ...rig.clips import takes_of_file
from ...train import runs, training_choice
from ...train.environment import trainer_python
from ...train.operators import begin_run
from .controller_choice import NAMES, chosen
from .interruption import Interrupted
from .job import Job
from .options import add_json
from .progress import say

HELP = "Train a controller from the file's actions and from folders, and wait for it."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall train --preset quick --json
  blender -b takes.blend --command footfall train --all --preset standard --run runs/hero --set time_limit=60
  blender -b --command footfall train --folder clips/ --name hero --python /opt/torch/bin/python
  blender -b takes.blend --command footfall train --action sneak_1 sneak_2 --from locomotion --style sneak
  blender -b --command footfall train --resume runs/hero

Without --action, --all and --folder it trains on what is on the scene's list. Ctrl+C and SIGTERM have the run save
its work; --resume goes on with it. --detach leaves it to itself: the panel Train, and RUN/state.json, say how it is.
python -m footfall train does the same without Blender for BVH files."""

LOOK: Final = 0.5
"""Seconds from one look at the run to the next."""
GRACE: Final = 60.0
"""Seconds that a run that is to end has to save its work."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("--action", nargs="+", action="extend", default=[], metavar="NAME", help="actions of the file")
    parser.add_argument("--all", action="store_true", help="every action that moves an armature")
    parser.add_argument(
        "--folder", nargs="+", action="extend", default=[], metavar="DIR", help="BVH and FBX files in it and below"
    )
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with a run that was stopped or broke off")
    parser.add_argument("--preset", metavar="NAME", help="default: what is chosen in the scene")
    parser.add_argument("--from", dest="origin", metavar="NAME_OR_FILE", help=f"what to fine-tune: {NAMES}")
    parser.add_argument("--style", metavar="NAME", help="what to call a way of moving that is new to it, with --from")
    parser.add_argument("--fit-terrain", action="store_true", help="put fitted patches of ground under the clips")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="one setting of the preset changed"
    )
    parser.add_argument("--name", metavar="NAME", help="what to call the controller")
    parser.add_argument("--run", type=Path, metavar="DIR", help="the run's folder (default: one in the runs folder)")
    parser.add_argument("--python", type=Path, metavar="FILE", help="the trainer's Python (default: the preferences')")
    wait = parser.add_mutually_exclusive_group()
    wait.add_argument("--wait", action="store_true", help="until the run has ended (the default)")
    wait.add_argument("--detach", action="store_true", help="leave when it has been started")
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Starts a run, or goes on with one, and waits for its end."""
    _require_sense(options)
    python = options.python.absolute() if options.python else trainer_python()
    if not python.is_file():
        raise FootfallError(f"The Python for training, '{python}', does not exist: choose another with --python.")
    folder = options.resume or options.run
    with job.item(name=options.name or (folder.name if folder else "training")) as entry:
        if options.resume:
            one = RunFolder(options.resume.absolute())
            _require_resumable(one)
            runs.resume(python, one, _settings(options))
        else:
            _choose(options)
            place = options.run.absolute() if options.run else None
            beginning = begin_run(bpy.context.scene, python, place, _settings(options))
            one = job.drive(beginning, options.name or "the list")
        entry |= {"run": str(one.path), "log": str(one.log_path)}
        say(f"the run is '{one.path}'")
        if options.detach:
            entry |= {"message": "started", "run_status": "starting"}
            return
        try:
            _wait(one, job)
        except Interrupted:
            _end(one)
            raise
        finally:
            entry |= _told(one)
        if entry["run_status"] != "finished":
            raise FootfallError(_why(one))


def _require_sense(options: argparse.Namespace) -> None:
    """Ends with wrong usage where options do not go together."""
    if options.resume:
        named = ("action", "all", "folder", "preset", "origin", "style", "fit_terrain", "name", "run")
        if given := [name for name in named if getattr(options, name)]:
            option = {"origin": "from", "fit_terrain": "fit-terrain"}.get(given[0], given[0])
            options.wrong_usage(f"a run that is gone on with knows what it does: leave out --{option}")
    if options.style and not options.origin:
        options.wrong_usage("--style goes with --from: name the controller to fine-tune")
    if options.preset and options.origin:
        options.wrong_usage("fine-tuning has a preset of its own: leave out --preset")


def _require_resumable(one: RunFolder) -> None:
    if not one.path.is_dir():
        raise FootfallError("There is no such run.")
    if one.is_alive() and one.status() in ACTIVE:
        raise FootfallError("This run is at work: stop it first.")
    if one.status() == "finished":
        raise FootfallError("This run is finished: there is nothing to go on with.")


def _settings(options: argparse.Namespace) -> list[str]:
    return [part for setting in options.set for part in ("--set", setting)]


def _choose(options: argparse.Namespace) -> None:
    """Puts what the options name on the scene's list and into its settings; the file is not saved."""
    settings = bpy.context.scene.footfall
    if options.action or options.all or options.folder:
        _list(options, settings)
    if not settings.clips and not settings.folders:
        raise FootfallError("The scene's list is empty: give --all, --action or --folder.")
    if options.preset:
        training_choice.refresh()
        known = [item[0] for item in training_choice.enum_items(None, None)]
        found = next((one for one in known if options.preset in (one, one.removeprefix(training_choice.OWN))), None)
        if found is None:
            raise FootfallError(f"There is no training preset '{options.preset}': give one of {', '.join(known)}.")
        settings.preset, settings.fine_tune = found, False
    if options.origin:
        settings.fine_tune, settings.style = True, options.style or ""
        settings.origin, settings.origin_file = chosen(options.origin)
    if options.fit_terrain:
        settings.fit_terrain = True
    if options.name:
        settings.run_name = options.name


def _list(options: argparse.Namespace, settings: bpy.types.PropertyGroup) -> None:
    """Makes the list what the options name."""
    takes = {action.name_full: (armature, action) for armature, action in takes_of_file()}
    wanted = sorted(takes) if options.all else options.action
    if options.all and not wanted:
        raise FootfallError("No action in this file moves an armature: look whether it is the right file.")
    settings.clips.clear()
    settings.folders.clear()
    for name in wanted:
        if name not in takes:
            raise FootfallError(f"There is no action '{name}' that moves an armature of this file.")
        item = settings.clips.add()
        item.armature, item.action = takes[name]
    for folder in options.folder:
        settings.folders.add().path = str(Path(folder).absolute())


def _wait(one: RunFolder, job: Job) -> None:
    """Until the run has ended; what it reports goes to the progress."""
    offset, last = 0, {}
    while True:
        status, _ = runs.status_of(one)
        reports, offset = one.read_progress(offset)
        for report in reports:
            last.update(report)
            for words in _notes(report):
                say(words)
        if status not in ACTIVE:
            return
        job.show(runs.fraction_done(status, last), one.path.name, _doing(status, last))
        time.sleep(LOOK)


def _notes(report: dict[str, Any]) -> Iterator[str]:
    """What is said of a report beside how far it is."""
    if "note" in report:
        yield str(report["note"])
    if "rollout" in report:
        yield "walk: " + ", ".join(f"{name} {value}" for name, value in report["rollout"].items())


def _doing(status: str, report: dict[str, Any]) -> str:
    if status == "building" and "clip" in report:
        return f"reads clip {report['step']} of {report['total']}"
    if status != "running" or report.get("loss") is None:
        return f"is {status}"
    held_out = report.get("validation_loss")
    return f"trains, loss {report['loss']:.4f}" + ("" if held_out is None else f", held out {held_out:.4f}")


def _end(one: RunFolder) -> None:
    """Has a run save its work and end; one that does not is ended."""
    say(f"'{one.path.name}' saves its work; --resume goes on with it")
    until = time.monotonic() + GRACE
    with suppress(Interrupted):  # raised once more: who asks twice does not want to wait
        while runs.status_of(one)[0] in ACTIVE and time.monotonic() < until:
            one.request_stop()  # again and again: what begins forgets what was asked of the run before
            time.sleep(LOOK)
    runs.end(one)


def _told(one: RunFolder) -> dict[str, Any]:
    """What there is to tell of a run that has ended."""
    reports, _ = one.read_progress()
    last = next((report for report in reversed(reports) if "loss" in report), {})
    status, _ = runs.status_of(one)
    return {
        "message": status,
        "run_status": status,
        "controller": str(one.model_path) if one.model_path.is_file() else None,
        **{name: last.get(name) for name in ("step", "loss", "validation_loss")},
    }


def _why(one: RunFolder) -> str:
    """Why a run did not finish."""
    status, sentence = runs.status_of(one)
    if status == "stopped":
        return "The run was stopped: --resume goes on with it."
    return sentence or f"The run ended as '{status}': see '{one.log_path}'."
