"""``analyze``: report minutes by gait, speed, turn, direction and ground before a training."""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from . import options as option_types

if TYPE_CHECKING:
    from ..core.evaluation.coverage import Coverage

HELP = "Report minutes of clips by gait, speed, turn, direction and ground, and what is missing"
EXAMPLES = """\
examples:
  python -m footfall analyze clips/
  python -m footfall analyze presets/training/standard_clips.txt --json

Labels are read from <clip>.labels.npz beside a clip; without that file they are detected and not saved. Speeds and
directions are counted while the character travels. Ground steeper than 35 percent counts as stairs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    option_types.add_jobs_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the coverage of all clips together, and the unusable clips; return the exit code."""
    from ..core.evaluation.coverage import COVERAGE_SECTIONS, Coverage, find_missing, sum_coverages
    from .clips import find_clips
    from .output import print_result
    from .progress import track_progress

    clips = [clip for clip, _ in find_clips(options.clips)]
    found = list(track_progress(_iter_coverages(clips, options.jobs), len(clips), "count", "clips"))
    whole = sum_coverages(one for one in found if isinstance(one, Coverage))
    failed = [one for one in found if isinstance(one, str)]
    if options.json:
        counted = {
            "clips": whole.clip_count,
            "labeled": whole.labelled_count,
            "starts": whole.start_count,
            "stops": whole.stop_count,
        }
        sections = {section: dict(whole.rows(section)) for section in COVERAGE_SECTIONS}
        document = {**counted, "minutes": whole.minutes, **sections, "missing": find_missing(whole), "failed": failed}
        print_result(document, options.json)
        return 0
    head = {"clips": f"{whole.clip_count}, {whole.labelled_count} of them labeled", "minutes": whole.minutes}
    lines = {
        f"{section}: {kind}": value for section in COVERAGE_SECTIONS for kind, value in whole.rows(section) if value
    }
    print_result({**head, "starts, stops": f"{whole.start_count}, {whole.stop_count}", **lines}, None)
    print(*(f"missing: {text}" for text in find_missing(whole)), *(f"not read: {text}" for text in failed), sep="\n")
    return 0


def _iter_coverages(clips: list[Path], jobs: int) -> "Iterator[Coverage | str]":
    """Yield the coverage of each clip, or the reason why it cannot be measured."""
    jobs = min(jobs, len(clips))
    if jobs == 1:
        yield from map(_coverage_or_error, clips)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(_coverage_or_error, clips)


def _coverage_or_error(path: Path) -> "Coverage | str":
    """Return the coverage of a clip, or the reason why it cannot be measured."""
    from ..core.errors import FootfallError
    from ..core.evaluation.coverage import measure_file_coverage
    from ..core.rig.clip_file import read_clip

    try:
        return measure_file_coverage(path, read_clip)
    except FootfallError as error:
        return f"{path}: {error}"
