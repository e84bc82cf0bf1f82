"""One frame of the network: constant, linear and cubic, compared with the memory's speed."""

import sys
from dataclasses import fields
from itertools import cycle

import numpy as np

from ..core.errors import FootfallError
from ..core.models.pfnn import PRECOMPUTED_PHASE_COUNTS, Pfnn, PfnnWeights, Variant
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, table

TITLE = "Inference"
PAPER_SIZE = (342, 512, 311)
PAPER_MILLISECONDS: dict[Variant, float] = {"constant": 0.8, "linear": 1.4, "cubic": 1.8}
READ = {"constant": 1, "linear": 2, "cubic": 4}
"""Number of slices of the weights read by one frame."""
KEPT = {"constant": PRECOMPUTED_PHASE_COUNTS["constant"], "linear": PRECOMPUTED_PHASE_COUNTS["linear"] + 1, "cubic": 4}
"""Number of slices in memory."""
FRAMES = 600

NOTES = """\
Median of one frame, one character, phases running through the cycle. *Bound* is the time in which one thread reads as
many bytes (a dot product of one half with the other), going through as much memory as the variant keeps: what fits
the processor's cache comes quicker."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    networks = [("paper's size", random_weights(*PAPER_SIZE))]
    try:
        networks.insert(0, ("shipped controller", PfnnWeights(**setup.model().tensors)))
    except FootfallError as error:
        print(f"inference: the paper's size only: {error}", file=sys.stderr)
    rows: list[list[object]] = []
    for name, weights in networks:
        size = f"{name} ({weights.inputs}, {weights.hidden}, {weights.outputs})"
        for variant, paper in PAPER_MILLISECONDS.items():
            read, kept = (slices[variant] * slice_bytes(weights) / 1e6 for slices in (READ, KEPT))
            bound = reading_milliseconds(read, kept)
            rows.append([size, variant, frame_milliseconds(weights, variant), bound, read, kept, paper])
    return [table(["network", "variant", "ms a frame", "bound ms", "MB read", "of MB", "paper ms"], rows), NOTES]


def random_weights(inputs: int, hidden: int, outputs: int) -> PfnnWeights:
    """Return random weights of the given size."""
    rng = np.random.default_rng(0)
    shapes = PfnnWeights.shapes(inputs, hidden, outputs)
    return PfnnWeights(**{name: 0.05 * rng.standard_normal(shape, np.float32) for name, shape in shapes.items()})


def slice_bytes(weights: PfnnWeights) -> int:
    """Return the bytes of one control point."""
    return sum(getattr(weights, field.name).nbytes for field in fields(weights)) // weights.control_points


def frame_milliseconds(weights: PfnnWeights, variant: Variant) -> float:
    """Return the median time of one frame, milliseconds."""
    network = Pfnn(weights, variant)
    x = np.random.default_rng(1).standard_normal(weights.inputs, np.float32)
    phases = iter(np.arange(2 * FRAMES) / 61)
    return 1000 * median_seconds(lambda: network(x, next(phases)), FRAMES)


def reading_milliseconds(read: float, kept: float) -> float:
    """Return the median time of reading ``read`` megabytes, milliseconds, by turns from ``kept`` megabytes."""
    length = int(read * 1e6 / 4)
    memory = np.ones(max(int(kept * 1e6 / 4), length), dtype=np.float32)
    starts = cycle(range(0, len(memory) - length + 1, length))

    def read_stretch() -> object:
        start = next(starts)
        half = start + length // 2
        return np.dot(memory[start:half], memory[half : start + length // 2 * 2])

    return 1000 * median_seconds(read_stretch, 200)
