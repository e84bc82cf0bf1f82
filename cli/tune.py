"""``tune``: find a good batch size and learning rate for a training."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from . import options as option_types

if TYPE_CHECKING:
    from ..training.loop.range_test import RangeTestResult

HELP = "Find a batch size and a learning rate for a data set, in about a minute"
EXAMPLES = """\
examples:
  python -m footfall tune dataset/ --preset standard
  python -m footfall tune dataset/ --preset paper --set device=cuda --json

The suggested batch is the smallest with nearly the highest throughput; the suggested rate is a tenth of the one with
the lowest loss while the rate rises from step to step. Run this on the computer of the training, with no other load."""
MAX_SHOWN_RATES = 12
"""Approximate number of learning rates in the output."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="finished data set, see make-dataset")
    option_types.add_preset_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print all trials and the suggested batch size and learning rate; return the exit code."""
    from tempfile import TemporaryDirectory

    from ..core.jobs.run_folder import RunFolder
    from ..training.config.config import TrainingConfig
    from ..training.data.dataset import Dataset
    from ..training.distributed.device import set_up_device
    from ..training.loop.range_test import run_range_test
    from ..training.phases.phase_conditioning import condition_on_phases
    from .output import print_result
    from .progress import ProgressBar

    settings = TrainingConfig.from_preset(options.preset).with_overrides(options.set)
    device = set_up_device(settings)
    with TemporaryDirectory() as folder, ProgressBar("tune", "trials") as progress:
        # Only this command computes phase vectors.
        dataset = condition_on_phases(RunFolder(Path(folder)), Dataset.open(options.dataset), settings, device)
        assert dataset is not None
        found = run_range_test(dataset, settings, device, progress)
    if options.json:
        print_result(found.to_json(), options.json)
        return 0
    for line in _result_lines(found):
        print(line)
    return 0


def _result_lines(found: "RangeTestResult") -> list[str]:
    """Return the range test's result as lines of text."""
    chosen = found.batch
    lines = [f"{'batch':>8}  {'samples/s':>10}  {'ms/step':>8}"]
    for trial in found.batches:
        marker = "  <" if trial.batch == chosen else ""
        lines.append(f"{trial.batch:8}  {trial.samples_per_second:10.0f}  {trial.milliseconds:8.1f}{marker}")
    lines += ["", f"{'rate':>8}  {'loss':>10}"]
    shown = found.rates[:: max(1, len(found.rates) // MAX_SHOWN_RATES)]
    lines += [f"{trial.learning_rate:8.1e}  {trial.loss:10.4f}" for trial in shown]
    rate = found.learning_rate
    return [*lines, "", f"--set batch={chosen} --set rate_batch={chosen} --set learning_rate={rate:g}"]
