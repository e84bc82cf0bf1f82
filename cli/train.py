"""``train``: train a controller from clips or a data set."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import options as option_types

if TYPE_CHECKING:
    from .progress import ProgressBar

HELP = "Train a controller in a run folder; resume it, or watch it in Blender"
EXAMPLES = """\
examples:
  python -m footfall train --clips clips/ --run run/ --preset quick
  python -m footfall train --dataset dataset/ --run run/ --preset standard --set hidden=256 --set seed=7
  python -m footfall train --base controller.safetensors --clips sneaking/ --style sneak --run run/
  python -m footfall train --resume run/
  python -m footfall train --resume run/ --set device=cpu

The controller is written to run/model.safetensors. After Ctrl+C, --resume continues from the last checkpoint."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    source.add_argument("--dataset", type=Path, metavar="DIR", help="finished data set, see make-dataset")
    source.add_argument("--resume", type=Path, metavar="RUN", help="folder of a stopped or interrupted run to continue")
    parser.set_defaults(wrong_usage=parser.error)
    option_types.add_controller_options(parser, "--base", "fine-tune this controller instead of training a new one")
    parser.add_argument("--replay", type=Path, metavar="DIR", help="data set of the old clips, with --base")
    parser.add_argument("--run", type=Path, metavar="RUN", help="folder of the new run, with --clips or --dataset")
    option_types.add_preset_options(parser, alternative_default="fine_tune with --base")
    option_types.add_jobs_option(parser)


def run(options: argparse.Namespace) -> int:
    """Start a training run, or resume one; return the exit code."""
    from ..core.jobs.run_folder import RunFolder
    from ..training.config.config import TrainingConfig
    from .clips import find_clips, find_tags
    from .output import print_result
    from .progress import ProgressBar

    if (options.resume is None) == (options.run is None):
        options.wrong_usage("give --run with --clips or --dataset, or --resume alone")
    folder = RunFolder(options.resume or options.run)
    if options.controller is None and (options.style or options.replay):
        options.wrong_usage("--style and --replay need --base: name the controller to fine-tune")
    if options.controller and options.resume:
        options.wrong_usage("a resumed run already has its base controller: leave out --base")
    if options.preset and options.resume:
        options.wrong_usage("a resumed run already has its settings: leave out --preset")
    preset = options.preset or ("fine_tune" if options.controller else option_types.DEFAULT_PRESET)
    config = TrainingConfig.from_preset(preset).with_overrides(() if options.resume else options.set)
    clips = [clip for clip, _ in find_clips(options.clips or ())]

    from ..training.config.origin import FineTuningOrigin
    from ..training.loop.session import resume, train

    origin = FineTuningOrigin(options.controller, options.style, options.replay) if options.controller else None
    with ProgressBar() as progress:
        report = _report_callback(progress)
        if options.resume:
            resume(folder, changes=options.set, workers=options.jobs, report=report)
        else:
            data = {
                "clips": clips,
                "dataset": options.dataset,
                "origin": origin,
                "tags": find_tags(options.clips or ()),
            }
            train(folder, config, **data, workers=options.jobs, report=report)
    if int(os.environ.get("RANK", "0")) > 0:  # under torchrun the first process prints
        return 0
    last = next((line for line in reversed(folder.read_progress()[0]) if "loss" in line), {})
    document = {
        "run": str(folder.path),
        "status": folder.status(),
        "controller": str(folder.model_path) if folder.model_path.exists() else None,
        **{name: last.get(name) for name in ("step", "loss", "validation_loss")},
    }
    print_result(document, options.json)
    return 0


def _report_callback(progress: "ProgressBar") -> Callable[[dict[str, Any]], None]:
    """Return a callback that shows a run's progress: clips while the data set is built, then training in percent."""

    def tell(report: dict[str, Any]) -> None:
        if "loss" not in report:
            progress.stage(report["stage"], "steps")
            progress(report["step"], report["total"], report["clip"])
            return
        progress.stage(f"train {report['stage']}", "%")
        held_out = report["validation_loss"]
        against = "" if held_out is None else f", held out {held_out:.4f}"
        left = "" if report["eta"] is None else f", {report['eta']:.0f} s left"
        done = min(round(100 * report["fraction"]), 100)
        progress(done, 100, f"loss {report['loss']:.4f}{against}{left}")
        if "rollout" in report:
            progress.note("walk: " + ", ".join(f"{name} {value}" for name, value in report["rollout"].items()))
        if "note" in report:
            progress.note(report["note"])

    return tell
