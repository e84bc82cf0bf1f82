"""The active run's sources, for the panel Train: how well each fits the skeleton, and skipped clips."""

from collections.abc import Sequence
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ...core.jobs.source_table import TABLE_FILE_NAME, SkippedClip, read_table
from ...core.message import Message
from ..ui.preferences import runs_folder
from ..ui.translations import translate_interface

MAX_LISTED_REASONS: Final = 3


def update_source_table(session: bpy.types.PropertyGroup) -> None:
    """Update the session's table of sources if the active run's files have changed."""
    run = (
        session.training_runs[session.active_training_run].name
        if session.active_training_run < len(session.training_runs)
        else ""
    )
    folder = RunFolder(runs_folder() / run).dataset_path if run else None
    try:
        stamp = f"{run} {(folder / TABLE_FILE_NAME).stat().st_mtime_ns}" if folder else ""
    except OSError:
        stamp, folder = run, None
    if stamp == session.training_sources_key:
        return
    session.training_sources.clear()
    session.training_sources_key = stamp
    try:
        rows = read_table(folder) if folder else ()
    except FootfallError as error:
        session.runs_error = translate_interface(str(error))
        return
    for row in rows:
        item = session.training_sources.add()
        item.name, item.clips, item.alignment_error, item.role = row.folder, row.clips, row.residual, row.role
        item.skipped, item.reasons = len(row.left_out), summarize_reasons(row.left_out)


def summarize_reasons(left_out: Sequence[SkippedClip]) -> str:
    """Return why clips were skipped: each reason once with its first few clips, most frequent first."""
    files: dict[str, list[str]] = {}
    for clip in left_out:
        files.setdefault(clip.reason, []).append(clip.file)
    often = sorted(files.items(), key=lambda entry: -len(entry[1]))
    lines = [
        Message("{list_files}: {reason}", list_files=_list_files(clips), reason=reason)
        for reason, clips in often[:MAX_LISTED_REASONS]
    ]
    if len(often) > MAX_LISTED_REASONS:
        lines.append(
            Message(
                "There are {count} more reasons: see the log of the training run", count=len(often) - MAX_LISTED_REASONS
            )
        )
    return "\n".join(map(translate_interface, lines))


def _list_files(files: Sequence[str]) -> str:
    first = files[0].rpartition("/")[2]
    return first if len(files) == 1 else Message("{name} and {count} more", name=first, count=len(files) - 1)
