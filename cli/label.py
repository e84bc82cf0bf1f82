"""``label``: find contacts, phases, gaits and actions of clips, and frames to review."""

import argparse
from collections.abc import Iterator, Mapping
from concurrent.futures import as_completed
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..core.jobs.pool import start_pool
from . import options as option_types
from .reading import add_reading_options, reading_of, summarize_notes

if TYPE_CHECKING:
    from ..core.labelling.presets import LabellingPreset

HELP = "Label BVH clips: contacts, phases, gaits and actions, with a report of doubtful labels"
EXAMPLES = """\
examples:
  python -m footfall label walk.bvh --out labels/
  python -m footfall label clips/ --out labels/ --jobs 4 --json
  python -m footfall label animals/ --out labels/ --preset quadruped
  python -m footfall label clips/ --out labels/ --learn corrected/ --save-preset ours.toml
  python -m footfall label more/ --out labels/ --preset ours.toml

Contacts of the preset's sensors, phase, gaits, actions, goals and local phases are written to <out>/<clip>.labels.npz.
<out>/report.md lists the frames at which labels are most likely wrong, the worst clip first; <out>/report.json is the
same for programs. Sub-folders are kept below --out. A clip that cannot be read is reported at the end (exit code 1);
the others are labeled. Label files with corrections are kept, unless --overwrite is given. The report also lists
repairs and doubts from reading a clip, such as a doubtful up axis; give --up and --unit to resolve them.

--learn fits the thresholds of the preset to corrected label files; their clips must be beside them or among the named
clips. For the arrays of a label file see docs/manual/label.md."""


NO_READING: Mapping[str, Any] = MappingProxyType({})
"""Arguments of :func:`read_clip` with which unit and up axis are estimated."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for label files and report")
    parser.add_argument(
        "--preset",
        default="biped",
        metavar="NAME_OR_TOML",
        help="labeling preset: a name or a TOML file (default: %(default)s)",
    )
    parser.add_argument(
        "--learn", type=Path, metavar="DIR", help="folder of corrected label files to which the preset is fitted first"
    )
    parser.add_argument("--save-preset", type=Path, metavar="TOML", help="TOML file for the preset fitted by --learn")
    parser.add_argument(
        "--issues",
        type=option_types.positive_int,
        default=12,
        metavar="N",
        help="largest number of doubtful frames reported per clip (default: %(default)s)",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace corrected labels as well")
    add_reading_options(parser)
    parser.set_defaults(wrong_usage=parser.error)
    option_types.add_jobs_option(parser)


def run(options: argparse.Namespace) -> int:
    """Label all clips in parallel; raise :class:`FootfallError` at the end if some failed."""
    from ..core.labelling.presets import find_preset
    from ..core.labelling.report import write_report
    from .clips import find_clips, find_targets
    from .label_learning import learn_preset
    from .output import print_result, require_no_failures
    from .progress import track_progress

    if options.save_preset and not options.learn:
        options.wrong_usage("--save-preset saves what --learn has learned: give both")
    preset = find_preset(options.preset)
    clips = find_clips(options.clips)
    targets = find_targets(clips, options.out, ".labels.npz")
    document: dict[str, Any] = {"preset": preset.name}
    if options.learn:
        preset, document["learned"] = learn_preset(preset, options.learn, clips, options.save_preset)
    outcomes = _label_clips(targets, preset, options.overwrite, reading_of(options), options.jobs)
    entries = list(track_progress(outcomes, len(targets), "label", "clips"))
    done = sorted((entry for entry in entries if "error" not in entry), key=lambda entry: entry["clip"])
    failed = sorted((entry for entry in entries if "error" in entry), key=lambda entry: entry["clip"])
    for entry in done:
        entry["issues"] = entry["issues"][: options.issues]
    document |= {"labeled": done, "failed": failed}
    report = write_report(document, options.out)
    if options.json:
        print_result(document, options.json)
    else:
        changes = {f"learned {name}": change for name, change in document.get("learned", {}).get("changes", {}).items()}
        print_result({**changes, **{entry["clip"]: _summarize(entry) for entry in done}, "report": report}, None)
    require_no_failures(failed, len(targets))
    return 0


def _summarize(entry: Mapping[str, Any]) -> str:
    """Return the result for a clip as one line of text."""
    kept = ", corrections were kept" if entry["is_corrected"] else ""
    places = len(entry["issues"])
    said = summarize_notes(entry["reading"])
    return f"{entry['labels']}{kept}, {places} place{'s' * (places != 1)} to look at{'; ' if said else ''}{said}"


def _label_clips(
    targets: Mapping[Path, Path], preset: "LabellingPreset", overwrite: bool, reading: Mapping[str, Any], jobs: int
) -> Iterator[dict[str, Any]]:
    """Label clips and yield the result for each, in order of completion."""
    jobs = min(jobs, len(targets))
    if jobs == 1:
        yield from (label_file(clip, target, preset, overwrite, reading) for clip, target in targets.items())
        return
    pool = start_pool(jobs)
    try:
        waiting = [
            pool.submit(label_file, clip, target, preset, overwrite, reading) for clip, target in targets.items()
        ]
        yield from (future.result() for future in as_completed(waiting))
    finally:
        pool.shutdown(cancel_futures=True)


def label_file(
    clip: Path, target: Path, preset: "LabellingPreset", overwrite: bool, reading: Mapping[str, Any] = NO_READING
) -> dict[str, Any]:
    """Label a clip and write the label file; return its entry of the result, with the ``error`` if it failed.

    A label file with corrections is kept and summarized in the same way, unless ``overwrite`` is true.

    Args:
        clip: the BVH file.
        target: the label file.
        preset: the labeling preset.
        overwrite: whether to replace corrected labels.
        reading: keyword arguments of :func:`read_clip`: unit and up axis.
    """
    from ..core.labelling import Labels, add_local_phases, label_clip
    from ..core.labelling.report import report_entry
    from ..core.labelling.review.ranking import find_review_spots
    from ..core.rig.clip_file import read_clip
    from .failures import failed_entry

    try:
        motion = read_clip(clip, **reading)
        kept = not overwrite and target.exists() and Labels.load(target).has_corrections
        labels = Labels.load(target) if kept else add_local_phases(motion, label_clip(motion, preset), preset)
        spots = find_review_spots(motion, labels, preset)
        if not kept:
            target.parent.mkdir(parents=True, exist_ok=True)
            labels.save(target)
    except Exception as error:  # A faulty clip must not end the work on all others.
        return failed_entry(clip, error)
    return report_entry(clip, target, labels, spots, kept, motion.notes)
