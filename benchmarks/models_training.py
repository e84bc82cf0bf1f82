"""Every family of networks, trained on the same clips in the same time."""

import numpy as np

from ..training.data.dataset import Dataset
from .document import table
from .held_out import HeldOut
from .laboratory import FOLDER, MINUTES, Trained, trained
from .setup import Setup

TITLE = "Families of networks: training"

NOTES = """\
{clips} clips of the CMU database on level ground, {minutes:.1f} minutes and their mirror images, {samples} samples, a
tenth of them held out; {limit:g} minutes for each, with its own preset and as many weights as make about 1.5 million
(Gaussian processes and matching are made of samples). *Held out*: mean distance of joints from where they were, a
frame ahead from the clip's own pose; it does not say which network walks best. *Loss* is the mean squared error of
the held-out samples, on the data's own poses (frames) or on the network's (windows); those with phases predict more
numbers. *Paper*: the training time in PFNN's Table 1."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    rows = [_row(one) for one in trained(setup)]
    clips = Dataset.open(FOLDER / "dataset")
    head = ["network", "weights, millions", "MB", "training minutes", "samples/s", "held out cm", "loss", "paper"]
    notes = NOTES.format(
        clips=len(clips.clips),
        minutes=sum(clip.minutes for clip in clips.clips),
        samples=sum(clip.samples for clip in clips.clips),
        limit=MINUTES,
    )
    return f"{table(head, rows)}\n\n{notes}"


def _row(one: Trained) -> list[object]:
    steps = [line for line in one.progress if "samples_per_second" in line]
    rate = float(np.median([line["samples_per_second"] for line in steps])) if steps else None
    loss = one.model.provenance["metrics"].get("validation_loss")
    said = f"{loss:.3f} {steps[-1]['stage']}" if loss is not None and steps else None
    size = one.run.model_path.stat().st_size / 1e6
    paper = one.entrant.paper[0] if one.entrant.paper else None
    error = 100 * HeldOut.of(one).pose_error(one.model)
    return [one.entrant.title, one.weights / 1e6, size, one.seconds / 60, rate, error, said, paper]
