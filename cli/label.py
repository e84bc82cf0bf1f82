"""``label``: contacts, phase and gaits of clips."""

import argparse
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from . import options as kinds

HELP = "Find contacts, phase and gaits of BVH clips and write <clip>.labels.npz for each."
EXAMPLES = """\
examples:
  python -m footfall label walk.bvh --out labels/
  python -m footfall label clips/ --out labels/ --jobs 4 --json

The arrays in <clip>.labels.npz: frame_rate, contact_joints (C), contacts (F, C; probabilities), phase (F; cycles from
the right foot's strike), gait_names (G), gaits (F, G; shares). A folder's sub-folders are kept below --out. A clip that
cannot be read is named at the end (exit code 1); the others are labelled all the same."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="where the label files go")
    kinds.add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Labels all clips in parallel; raises :class:`FootfallError` at the end where some could not be."""
    from ..core.errors import FootfallError
    from .clips import find_clips
    from .output import show
    from .progress import watched

    targets = _targets(find_clips(options.clips), options.out)
    done: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for entry in watched(_outcomes(targets, options.jobs), len(targets), "label", "clips"):
        (failed if "error" in entry else done).append(entry)
    done.sort(key=lambda entry: entry["clip"])
    failed.sort(key=lambda entry: entry["clip"])
    if options.json:
        show({"labelled": done, "failed": failed}, as_json=True)
    else:
        show({entry["clip"]: entry["labels"] for entry in done}, as_json=False)
    if failed:
        also = f" ({len(failed) - 1} more of {len(targets)} clips failed, too)" if len(failed) > 1 else ""
        raise FootfallError(f"{failed[0]['error']}{also}")
    return 0


def _outcomes(targets: Mapping[Path, Path], jobs: int) -> Iterator[dict[str, Any]]:
    """What became of every clip, as they are finished."""
    jobs = min(jobs, len(targets))
    if jobs == 1:
        yield from (label_file(clip, target) for clip, target in targets.items())
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts_to_the_parent)
    try:
        waiting = [pool.submit(label_file, clip, target) for clip, target in targets.items()]
        yield from (future.result() for future in as_completed(waiting))
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def label_file(clip: Path, target: Path) -> dict[str, Any]:
    """Labels one clip and writes the label file; tells in short what was found, or the ``error``."""
    from ..core.errors import FootfallError
    from ..core.labelling import label_clip
    from ..core.motion.bvh import read_bvh

    try:
        motion = read_bvh(clip)
        labels = label_clip(motion)
    except FootfallError as error:
        return {"clip": str(clip), "error": str(error)}
    target.parent.mkdir(parents=True, exist_ok=True)
    labels.save(target)
    shares = dict(zip(labels.gait_names, labels.gaits.mean(axis=0).round(4).tolist(), strict=True))
    return {"clip": str(clip), "labels": str(target), "frames": len(motion), "frame_rate": motion.rate, "gaits": shares}


def _targets(clips: list[tuple[Path, Path]], out: Path) -> dict[Path, Path]:
    from ..core.errors import FootfallError

    targets: dict[Path, Path] = {}
    taken: dict[Path, Path] = {}
    for clip, below in clips:
        target = out / below.with_suffix(".labels.npz")
        if target in taken:
            raise FootfallError(f"'{taken[target]}' and '{clip}' would both be labelled in '{target}': rename one.")
        taken[target] = clip
        targets[clip] = target
    return targets
