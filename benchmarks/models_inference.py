"""One frame of every family, alone and in a crowd, compared with the memory's speed."""

from typing import Final

import numpy as np

from ..core.features import interaction, locomotion
from ..core.models.erd import ErdArchitecture
from ..core.models.experts import ExpertsArchitecture
from ..core.models.lstm import LstmArchitecture
from ..core.models.network import Architecture, Network, Task
from ..core.models.pfnn import PfnnArchitecture
from ..core.models.plain import PlainArchitecture
from .inference import reading_milliseconds
from .laboratory import Trained, trained
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, table

TITLE = "Families of networks: run time"
CROWD = 64
FRAMES = 400
PHASES: Final = 5
"""Channels of phase vectors in networks of the papers' sizes that have them."""
PAPERS: Final[tuple[tuple[str, Architecture], ...]] = (
    ("PFNN, 512 units", PfnnArchitecture()),
    ("plain network, 1024 units", PlainArchitecture()),
    ("ERD, 512 and 256 units", ErdArchitecture()),
    ("LSTM, 4 layers of 512 units", LstmArchitecture(hidden=512, recurrent=512)),
    ("MANN, 8 experts of 512 units", ExpertsArchitecture()),
    ("local motion phases, 8 experts of 512 units", ExpertsArchitecture(gating="phase_vectors")),
    ("NSM, 10 experts of 512 units, goals, sensors", ExpertsArchitecture(10, 512, "goals", 128, 512)),
)
"""Networks of the papers' sizes."""

NOTES = """\
The network alone, one thread, phases running through the cycle, inputs changing. *Bound*: the time in which one
thread reads as many bytes as the network has."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows = [_row(one) for one in trained(setup)]
    head = ["network", "MB", "ms alone", "bound ms", "times the bound", f"ms in a crowd of {CROWD}", "paper ms"]
    own = locomotion.pose_joints(setup.model().skeleton)
    sizes = [_sized(title, architecture, own) for title, architecture in PAPERS]
    head_of_sizes = ["network", "MB", "ms alone", "bound ms", "times the bound"]
    return [table(head, rows), NOTES, table(head_of_sizes, sizes)]


def _sized(title: str, architecture: Architecture, joints: tuple[str, ...]) -> list[object]:
    gating = getattr(architecture, "gating", "")
    if gating == "goals":
        layouts = interaction.input_layout(joints), interaction.output_layout(joints)
    else:
        channels, gaits = PHASES if gating == "phase_vectors" else 0, ("stand", "walk", "run", "crouch", "jump")
        layouts = locomotion.input_layout(joints, gaits, channels), locomotion.output_layout(joints, channels)
    task = Task(*layouts, foot_joints=(0, 1, 2, 3), rate=locomotion.FEATURE_RATE_HZ)
    rng = np.random.default_rng(0)
    shapes = architecture.shapes(task)
    tensors = {name: 0.03 * rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    size = sum(tensor.nbytes for tensor in tensors.values()) / 1e6
    bound = reading_milliseconds(size, size)
    alone = network_milliseconds(architecture.network(tensors, task), layouts[0].size, 1)
    return [title, size, alone, bound, alone / bound]


def _row(one: Trained) -> list[object]:
    size = sum(tensor.nbytes for tensor in one.model.tensors.values()) / 1e6
    bound = reading_milliseconds(size, size)
    alone, crowd = frame_milliseconds(one, 1), frame_milliseconds(one, CROWD) / CROWD
    paper = one.entrant.paper[1] if one.entrant.paper else None
    return [one.entrant.title, size, alone, bound, alone / bound, crowd, paper]


def frame_milliseconds(one: Trained, count: int) -> float:
    """Return the median time of one frame of ``count`` characters, milliseconds."""
    return network_milliseconds(one.model.network(), one.model.input_layout.size, count)


def network_milliseconds(network: Network, inputs: int, count: int) -> float:
    """Return the median time of one step of a network for ``count`` characters, milliseconds."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((16, count, inputs), np.float32)
    state = {"memory": network.begin(count), "frame": 0}

    def step() -> None:
        frame = state["frame"]
        phase = np.full(count, frame / 61)
        _, state["memory"] = network.step(x[frame % len(x)], phase, state["memory"])
        state["frame"] = frame + 1

    return 1000 * median_seconds(step, max(FRAMES // count, 40))
