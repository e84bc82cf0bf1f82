"""Training samples a second: outputs blended, as here, against every sample's own weights, as in the paper."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from ..training.device import choose_device
from ..training.networks.pfnn import PhaseFunctionedNetwork
from .document import table
from .inference import PAPER_SIZE
from .per_sample_blending import per_sample_blending_forward
from .setup import Setup
from .stopwatch import median_seconds

TITLE = "Training throughput"
BATCHES = (32, 128, 512)
STEPS = 10

NOTES = """\
Whole steps (forward with dropout, backward, Adam) of the paper's network (342, 512, 311) on random samples, both ways
in one process; the median of {steps} steps. Reach: 10 times."""

Forward = Callable[[PhaseFunctionedNetwork, Tensor, Tensor], Tensor]


def measure(setup: Setup) -> str:
    """The section's table."""
    device = choose_device("auto")
    rows: list[list[object]] = []
    for batch in BATCHES:
        here = samples_per_second(lambda network, x, phase: network(x, phase), batch, device)
        paper = samples_per_second(per_sample_blending_forward, batch, device)
        rows.append([batch, here, paper, here / paper])
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{torch.get_num_threads()} CPU threads"
    head = [f"batch ({name})", "outputs blended, samples/s", "weights blended, samples/s", "times"]
    return table(head, rows) + f"\n\n{NOTES.format(steps=STEPS)}"


def samples_per_second(forward: Forward, batch: int, device: torch.device) -> float:
    """The rate of whole training steps."""
    torch.manual_seed(0)
    inputs, hidden, outputs = PAPER_SIZE
    network = PhaseFunctionedNetwork(inputs, hidden, outputs).to(device)
    adam = torch.optim.Adam(network.parameters(), lr=1e-4, fused=True)  # as the trainer's
    x, phase = torch.randn(batch, inputs, device=device), torch.rand(batch, device=device)
    y = torch.randn(batch, outputs, device=device)

    def step() -> None:
        adam.zero_grad(set_to_none=True)
        mse_loss(forward(network, x, phase), y).backward()
        adam.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return batch / median_seconds(step, STEPS)
