"""Training runs as seen from Blender: detached processes that are monitored through their folders."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, open_regular
from ...core.jobs.child import Child, ChildError
from ...core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from ...core.message import Message, printable
from ..controllers import library
from ..ui.durations import format_duration
from ..ui.preferences import runs_folder, thread_arguments
from ..ui.redraw import tag_redraw_all
from ..ui.translations import translate_interface
from . import training_choice
from .environment import environment
from .run_curves import RunCurves
from .run_export import footfall_command, start_footfall
from .run_request import REQUEST_FILE, RunRequest
from .run_sources import update_source_table

MAX_LOG_BYTES = 1 << 16
BUSY_POLL_S = 1.0
IDLE_POLL_S = 5.0
NUMBER_FIELDS = ("step", "total", "fraction", "eta", "time", "loss", "validation_loss")
TEXT_FIELDS = ("stage", "clip", "note")
DISPLAYED_FIELDS = ("status", "fraction", "progress", "losses", "test_walk", "note", "has_network", "message")


@dataclass
class RunWatch:
    """The last read progress of a run, and its process if it was started from this Blender."""

    offset: int = 0
    last_report: dict[str, Any] = field(default_factory=dict)
    curves: RunCurves = field(default_factory=RunCurves)
    process: Child | None = None


watches: dict[str, RunWatch] = {}


def launch(python: Path, run: RunFolder, arguments: Sequence[str]) -> None:
    """Start ``footfall train`` in a process that outlives Blender; its output goes to ``log.txt``.

    Raises:
        FootfallError: the Python cannot be started, or the run's folder cannot be written to.
    """
    asked = RunRequest(list(arguments))
    try:
        asked.write(run)
    except OSError as error:
        raise FootfallError(
            "The file '{path}' cannot be written ({error}): free disk space and try again",
            path=run.path,
            error=error.strerror,
        ) from error
    command = footfall_command(python, "train", *thread_arguments(), *arguments)
    try:
        process = start_footfall(command, run.log_path)
    except ChildError as error:
        raise FootfallError("{problem}: choose another Python for training", problem=str(error).rstrip(".")) from error
    watches[run.path.name] = RunWatch(process=process)
    with suppress(OSError):  # this Blender knows the process; only the next one does not
        replace(asked, pid=process.pid, process=process.start_stamp).write(run)


def resume(python: Path, run: RunFolder, more: Sequence[str] = ()) -> None:
    """Resume a run, or start it anew if it ended before writing its configuration; raise errors like :func:`launch`."""
    asked = None if run.config_path.exists() else RunRequest.read(run)
    launch(python, run, [*(asked.arguments if asked else ["--resume", str(run.path)]), *more])


def terminate(run: RunFolder) -> None:
    """Terminate the process of a run if it is still running and was started from this Blender."""
    process = watches.setdefault(run.path.name, RunWatch()).process
    if process is not None:
        process.terminate()


def run_status(run: RunFolder) -> tuple[str, str]:
    """Return the status of a run (``"starting"`` before its first report), and a sentence if it has failed."""
    process = watches.setdefault(run.path.name, RunWatch()).process
    state = run.read_state()
    if process is not None and (state is None or state.pid != process.pid):
        code = process.poll()
        if code is None:
            return "starting", ""
        if code != 0 or state is None or run.status() == "interrupted":
            return "failed", Message(
                "The training failed (exit code {code}): {reason}",
                code=code,
                reason=_last_log_line(run),
            )
    elif process is not None:
        process.poll()  # prevents a zombie process
    elif (asked := RunRequest.read(run)) is not None and asked.is_starting(state):
        return "starting", ""
    status = run.status()
    if status in ("interrupted", "none"):
        return "interrupted", "Training was interrupted: press Resume to continue"
    return status, state.error if state else ""


def _last_log_line(run: RunFolder) -> str:
    try:
        with open_regular(run.log_path) as file:
            file.seek(max(file.seek(0, os.SEEK_END) - MAX_LOG_BYTES, 0))
            lines = file.read(MAX_LOG_BYTES).decode(errors="replace").strip().splitlines()
    except (OSError, ContentError):
        lines = []
    return lines[-1] if lines else Message("the program printed nothing")


def list_runs() -> list[RunFolder]:
    """Return the runs in the runs folder, most recently started first."""
    found = [RunFolder(path) for path in runs_folder().iterdir() if path.is_dir()]
    return sorted((run for run in found if _is_run(run)), key=_started, reverse=True)


def _is_run(run: RunFolder) -> bool:
    return run.config_path.is_file() or (run.path / REQUEST_FILE).is_file() or run.path.name in watches


def _started(run: RunFolder) -> float:
    state = run.read_state()
    try:
        return state.started if state else run.path.stat().st_mtime
    except OSError:  # removed in the meantime
        return 0.0


def poll_runs(now: float) -> float:
    """Read the folders of all runs and update the panel; return the seconds until the next poll.

    Args:
        now: current time in seconds since 1970, from which the age of the last report is computed.
    """
    session = bpy.context.window_manager.footfall
    session.environment_status = environment().state()
    training_choice.refresh()
    try:
        found, unnamed = _split_by_name(list_runs())
        session.runs_error = translate_interface(_unreadable_name_message(unnamed)) if unnamed else ""
    except FootfallError as error:
        session.runs_error = translate_interface(str(error))
        return IDLE_POLL_S
    shown = {item.name: {key: getattr(item, key) for key in DISPLAYED_FIELDS} for item in session.training_runs}
    fresh = {run.path.name: _describe_any(run, now) for run in found}
    if list(fresh) != list(shown):
        active = (
            session.training_runs[session.active_training_run].name
            if session.active_training_run < len(session.training_runs)
            else ""
        )
        added = [name for name in fresh if name not in shown]
        session.training_runs.clear()
        for name in fresh:
            session.training_runs.add().name = name
        wanted = added[0] if added and shown else active
        session.active_training_run = list(fresh).index(wanted) if wanted in fresh else 0
    for item in session.training_runs:
        for key, value in fresh[item.name].items():
            setattr(item, key, value)
    update_source_table(session)
    if {name: values["status"] for name, values in fresh.items()} != {
        name: values["status"] for name, values in shown.items()
    }:
        library.refresh()
    if fresh != shown:
        tag_redraw_all()
    return BUSY_POLL_S if any(values["status"] in ACTIVE_STATUSES for values in fresh.values()) else IDLE_POLL_S


def _split_by_name(runs: Sequence[RunFolder]) -> tuple[list[RunFolder], list[RunFolder]]:
    """Return the runs whose folder names are valid text, as Blender requires, and the other runs."""
    named = [run for run in runs if run.path.name.isprintable()]
    return named, [run for run in runs if run not in named]


def _unreadable_name_message(runs: Sequence[RunFolder]) -> Message:
    return Message(
        "The name of the run folder '{name}' has unreadable characters: rename the folder to see the run",
        name=printable(runs[0].path.name),
    )


def _describe_any(run: RunFolder, now: float) -> dict[str, Any]:
    """Return the panel's texts about a run, even if its files are damaged."""
    try:
        return describe_run(run, now)
    except Exception as error:  # A damaged run must not hide all others.
        message = Message(
            "The files of the training run are damaged ({kind}: {error}): train again",
            kind=type(error).__name__,
            error=error,
        )
        values = {"status": "interrupted", "fraction": 0.0, "has_network": False, "message": message}
        return {key: values.get(key, "") for key in DISPLAYED_FIELDS} | {"message": translate_interface(message)}


def describe_run(run: RunFolder, now: float) -> dict[str, Any]:
    """Return the panel's texts about a run."""
    status, message = run_status(run)
    watch = watches[run.path.name]
    reports, offset = run.read_progress(watch.offset)
    if offset < watch.offset:  # a new run in the same folder
        watch.last_report, watch.curves = {}, RunCurves()
    watch.offset = offset
    for report in filter(_is_sound, reports):
        watch.last_report.update(report)
        watch.curves.add(report)
    last = watch.last_report
    if not message and status == "finished" and watch.curves.ended == "exploded":
        message = Message("The character collapses in the test walks: train on more clips, or for longer")
    return {
        "status": status,
        "fraction": fraction_done(status, last),
        "progress": translate_interface(_progress_text(status, last, now)),
        "losses": _losses_text(last),
        "test_walk": watch.curves.rollout_summary(),
        "note": str(last.get("note", "")),
        "has_network": run.model_path.is_file() or run.best_checkpoint.is_file(),
        "message": translate_interface(message),
    }


def _is_sound(report: Mapping[str, Any]) -> bool:
    """Return whether all fields of a report have the right types."""
    numbers = (report.get(name) for name in NUMBER_FIELDS)
    texts = (report.get(name) for name in TEXT_FIELDS)
    return all(value is None or type(value) in (int, float) for value in numbers) and all(
        value is None or isinstance(value, str) for value in texts
    )


def fraction_done(status: str, report: Mapping[str, Any]) -> float:
    """Return the share of a run that is done, 0 to 1: of the clips during the build, then of the training."""
    if status == "finished":
        return 1.0
    if status == "running" and "clip" in report and "eta" not in report:
        return 0.0  # the last report of the build: there is none from training yet
    share = report.get("fraction")
    if share is None:
        share = (report.get("step") or 0) / max(report.get("total") or 0, 1)
    return float(min(max(share, 0.0), 1.0))


def _progress_text(status: str, report: Mapping[str, Any], now: float) -> str:
    if status == "building" and "clip" in report:
        if report.get("stage") == "takes":
            return Message("Making take {step} of {total} from the clips", step=report["step"], total=report["total"])
        return Message("Reading clip {step} of {total}", step=report["step"], total=report["total"])
    left = report.get("eta")
    if status != "running" or left is None:
        return status
    left -= now - report.get("time", now)
    if left <= 0:
        return Message("Finishing the training")
    return Message("{time} left", time=format_duration(left))


def _losses_text(report: Mapping[str, Any]) -> str:
    named = (("loss", report.get("loss")), ("validation", report.get("validation_loss")))
    return ", ".join(f"{name} {value:.4f}" for name, value in named if value is not None)


def curves_of(name: str) -> RunCurves:
    """Return the curves of a run as last read."""
    watch = watches.get(name)
    return watch.curves if watch else RunCurves()


def clear() -> None:
    """Forget everything about the runs, as after a restart of Blender; the runs themselves continue."""
    watches.clear()
