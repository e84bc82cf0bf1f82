"""One frame of every family, alone and in a crowd, beside what the memory's speed allows."""

import numpy as np

from .document import table
from .inference import reading_milliseconds
from .laboratory import Trained, trained
from .setup import Setup
from .stopwatch import median_seconds

TITLE = "Families of networks: run time"
CROWD = 64
FRAMES = 400

NOTES = """\
The network alone, one thread, phases running through the cycle, inputs changing. *Bound*: the time in which one
thread reads as many bytes as the network has. Mixtures leave out experts that hardly count and may be under it;
matching reads its tree and not its frames. *In a crowd of 64*: time for each of them; multiplication is the bound
there, not memory. Reach: 1.5 times the bound. *Paper*: PFNN's Table 1, of its own machine and size."""


def measure(setup: Setup) -> str:
    """The section's table."""
    rows = [_row(one) for one in trained(setup)]
    head = ["network", "MB", "ms alone", "bound ms", "times the bound", f"ms in a crowd of {CROWD}", "paper ms"]
    return f"{table(head, rows)}\n\n{NOTES}"


def _row(one: Trained) -> list[object]:
    size = sum(tensor.nbytes for tensor in one.model.tensors.values()) / 1e6
    bound = reading_milliseconds(size, size)
    alone, crowd = frame_milliseconds(one, 1), frame_milliseconds(one, CROWD) / CROWD
    paper = one.entrant.paper[1] if one.entrant.paper else None
    return [one.entrant.title, size, alone, bound, alone / bound, crowd, paper]


def frame_milliseconds(one: Trained, count: int) -> float:
    """Median time of a frame of so many characters."""
    network = one.model.network()
    rng = np.random.default_rng(0)
    x = rng.standard_normal((16, count, one.model.input_layout.size), np.float32)
    state = {"memory": network.begin(count), "frame": 0}

    def step() -> None:
        frame = state["frame"]
        phase = np.full(count, frame / 61)
        _, state["memory"] = network.step(x[frame % len(x)], phase, state["memory"])
        state["frame"] = frame + 1

    return 1000 * median_seconds(step, max(FRAMES // count, 40))
