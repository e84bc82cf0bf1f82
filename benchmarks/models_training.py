"""Every family of networks, trained on the same clips in the same time."""

import numpy as np

from .held_out import HeldOut
from .laboratory import Trained, trained
from .setup import Setup
from .tables import Part, table

TITLE = "Families of networks: training"

NOTES = """\
135 CMU clips on level ground and their mirror images; 2.5 minutes for each network, with its own preset and about 1.5
million weights."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows = [_row(one) for one in trained(setup)]
    head = ["network", "weights, millions", "MB", "training minutes", "samples/s", "held out cm", "loss", "paper"]
    return [table(head, rows), NOTES]


def _row(one: Trained) -> list[object]:
    steps = [line for line in one.progress if "samples_per_second" in line]
    rate = float(np.median([line["samples_per_second"] for line in steps])) if steps else None
    loss = one.model.provenance["metrics"].get("validation_loss")
    said = f"{loss:.3f} {steps[-1]['stage']}" if loss is not None and steps else None
    size = one.run.model_path.stat().st_size / 1e6
    paper = one.entrant.paper[0] if one.entrant.paper else None
    error = 100 * HeldOut.of(one).pose_error(one.model)
    return [one.entrant.title, one.weights / 1e6, size, one.seconds / 60, rate, error, said, paper]
