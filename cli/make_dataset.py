"""``make-dataset``: build a data set from clips, without training."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.message import printable
from . import options as option_types

if TYPE_CHECKING:
    from ..training.data.dataset import Dataset

HELP = "Build a training data set from BVH clips and their label files"
EXAMPLES = """\
examples:
  python -m footfall make-dataset clips/ --out dataset/
  python -m footfall train --dataset dataset/ --run run/ --preset standard

An interrupted build continues where it stopped. Clips that cannot be used are left out; the exit code is then 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder of the data set")
    option_types.add_controller_options(
        parser, "--base", "base controller of a later fine-tuning: clips are fitted to its skeleton"
    )
    parser.set_defaults(wrong_usage=parser.error)
    option_types.add_preset_options(parser)
    option_types.add_jobs_option(parser)


def run(options: argparse.Namespace) -> int:
    """Build the data set; raise :class:`FootfallError` at the end if some clips were left out."""
    from dataclasses import fields

    from ..core.errors import FootfallError
    from ..training.config.config import TrainingConfig
    from ..training.data.build import build_dataset
    from ..training.data.manifest import DatasetSettings
    from .clips import find_clips, find_tags
    from .output import print_result, require_no_failures
    from .progress import ProgressBar

    config = TrainingConfig.from_preset(options.preset).with_overrides(options.set)
    if config.takes:
        raise FootfallError(
            "The preset '{preset}' trains on interaction takes: build them with `footfall make-interactions`",
            preset=options.preset,
        )
    settings = DatasetSettings(**{field.name: getattr(config, field.name) for field in fields(DatasetSettings)})
    clips = [clip for clip, _ in find_clips(options.clips)]
    body = None
    if options.style and not options.controller:
        options.wrong_usage("--style needs --base: name the controller that will learn the style")
    if options.controller:
        from ..core.models.model_file import load_model
        from ..training.data.network_skeleton import NetworkSkeleton
        from ..training.data.styles import check_style

        model = load_model(options.controller)
        if options.style:
            check_style(options.style, model.gaits)
        body = NetworkSkeleton.of(model, options.style)
    with ProgressBar("dataset", "steps") as progress:
        tags = find_tags(options.clips)
        dataset = build_dataset(clips, options.out, settings, options.jobs, progress, body, tags)
    document: dict[str, Any] = {
        "out": str(options.out),
        "clips": len(dataset.clips),
        "samples": sum(clip.samples for clip in dataset.clips),
        "minutes": round(sum(clip.minutes for clip in dataset.clips), 3),
        "performers": list(dataset.performers),
        "legs": _leg_corrections(dataset),
        "posture": _posture_corrections(dataset),
        "skipped": dataset.manifest["skipped"],
        "questions": dataset.manifest["questions"],
    }
    for question in dataset.manifest["questions"]:
        print(f"question: '{printable(question['file'])}': {question['text']}", file=sys.stderr)
    if not options.json:
        document["performers"] = ", ".join(document["performers"]) or "one"
        document["legs"] = (
            ", ".join(f"{name} {_range_text(found)}" for name, found in document["legs"].items()) or "as captured"
        )
        document["posture"] = ", ".join(_posture_text(*one) for one in document["posture"].items()) or "as captured"
        document |= {name: len(document[name]) for name in ("skipped", "questions")}
    print_result(document, options.json)
    require_no_failures(_failures(dataset), len(clips))
    return 0


def _failures(dataset: "Dataset") -> list[dict[str, str]]:
    """Return an entry with the ``error`` for each clip that was left out of the data set."""
    skipped = [(str(one["file"]), str(one["reason"])) for one in dataset.manifest["skipped"]]
    return [{"error": reason if Path(file).name in reason else f"'{file}': {reason}"} for file, reason in skipped]


def _leg_corrections(dataset: "Dataset") -> dict[str, list[float]]:
    """Return the factors by which captured legs were shortened, by performer (without performers, by source)."""
    scales: dict[str, set[float]] = {}
    for clip in dataset.clips:
        if clip.leg_scale != 1.0:
            scales.setdefault(clip.performer or clip.source, set()).add(clip.leg_scale)
    return {name: sorted(found) for name, found in sorted(scales.items())}


def _posture_corrections(dataset: "Dataset") -> dict[str, list[float]]:
    """Return the corrections of trunk, arms and elbows, degrees, by performer (without performers, by source)."""
    found = {clip.performer or clip.source: list(clip.posture) for clip in dataset.clips if any(clip.posture)}
    return dict(sorted(found.items()))


def _posture_text(name: str, angles: list[float]) -> str:
    """Return the posture corrections of an actor as text."""
    trunk, arms, elbows = angles
    return f"{name} trunk {trunk:+.0f}, arms {arms:+.0f}, elbows {elbows:+.0f} degrees"


def _range_text(values: list[float]) -> str:
    """Return the range of sorted values as text: smallest to largest, or the only value."""
    return f"{values[0]:g}" if len(values) == 1 else f"{values[0]:g} to {values[-1]:g}"
