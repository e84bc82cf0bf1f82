"""``contents``: what clips contain, before a controller is trained on them."""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from . import options as kinds

if TYPE_CHECKING:
    from ..core.evaluation.coverage import Coverage

HELP = "Count what clips contain: minutes per gait, speed, turn, way and ground; and say what is missing."
EXAMPLES = """\
examples:
  python -m footfall contents clips/
  python -m footfall contents presets/training/standard_clips.txt --json

Labels are those of <clip>.labels.npz beside a clip, where there are some; else they are found for this and not kept.
Speeds and ways are counted while somebody goes somewhere. Stairs are ground that rises by more than 35 in 100."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    kinds.add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Prints what all clips contain together; clips that cannot be used are named."""
    from ..core.evaluation.coverage import SECTIONS, Coverage, missing, together
    from .clips import find_clips
    from .output import show
    from .progress import watched

    clips = [clip for clip, _ in find_clips(options.clips)]
    found = list(watched(_found(clips, options.jobs), len(clips), "count", "clips"))
    whole = together(one for one in found if isinstance(one, Coverage))
    failed = [one for one in found if isinstance(one, str)]
    if options.json:
        counted = {"clips": whole.clips, "labelled": whole.labelled, "starts": whole.starts, "stops": whole.stops}
        sections = {section: dict(whole.rows(section)) for section in SECTIONS}
        document = {**counted, "minutes": whole.minutes, **sections, "missing": missing(whole), "failed": failed}
        show(document, as_json=True)
        return 0
    head = {"clips": f"{whole.clips}, {whole.labelled} of them labelled", "minutes": whole.minutes}
    lines = {f"{section}: {kind}": value for section in SECTIONS for kind, value in whole.rows(section) if value}
    show({**head, "starts, stops": f"{whole.starts}, {whole.stops}", **lines}, as_json=False)
    print(*(f"missing: {text}" for text in missing(whole)), *(f"not read: {text}" for text in failed), sep="\n")
    return 0


def _found(clips: list[Path], jobs: int) -> "Iterator[Coverage | str]":
    """What each clip contains, or why it cannot be told."""
    jobs = min(jobs, len(clips))
    if jobs == 1:
        yield from map(_counted, clips)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(_counted, clips)


def _counted(path: Path) -> "Coverage | str":
    from ..core.errors import FootfallError
    from ..core.evaluation.coverage import coverage_of_file
    from ..core.rig.clip_file import read_clip

    try:
        return coverage_of_file(path, read_clip)
    except FootfallError as error:
        return f"{path}: {error}"
