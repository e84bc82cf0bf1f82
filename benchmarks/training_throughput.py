"""Training samples per second: blended outputs, as here, against per-sample blending of weights, as in the paper."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from ..training.config.config import TrainingConfig
from ..training.distributed.device import half_precision
from ..training.loop.learner import add_l1_gradient
from ..training.networks.pfnn import PhaseFunctionedNetwork
from .inference import PAPER_SIZE
from .per_sample_blending import per_sample_blending_forward
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, Table, table

TITLE = "Training throughput"
PAPER_BATCH = 32
PAPER_SAMPLES, PAPER_HOURS = 4_000_000 * 20, 30.0
BATCHES = {"cpu": (32, 128, 512, 2048), "cuda": (32, 512, 4096, 32768)}
REACH = {"cpu": 15, "cuda": 100}
STEPS = 12
SIDE = {"cpu": 2048, "cuda": 8192}

NOTES = """\
Whole steps of the trainer of the paper's network (342, 512, 311) on random samples; the median of some steps."""

Forward = Callable[[PhaseFunctionedNetwork, Tensor, Tensor], Tensor]


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables, one for each device."""
    devices = [torch.device("cpu")] + [torch.device("cuda")] * torch.cuda.is_available()
    parts: list[Part] = [_table(device) for device in devices]
    if len(devices) == 1:
        parts.append(f"GPU: no GPU at hand; reach {REACH['cuda']} times.")
    return [*parts, NOTES]


def _table(device: torch.device) -> Table:
    precisions: list[torch.dtype | None] = [None]
    if (half := half_precision(device, TrainingConfig())) is not None:
        precisions.append(half)
    theirs = [samples_per_second(per_sample_blending_forward, PAPER_BATCH, device, one) for one in precisions]
    paper = theirs[0]
    rows: list[list[object]] = [
        ["every sample's own weights", PAPER_BATCH, _name(one), rate, rate / paper, None]
        for one, rate in zip(precisions, theirs, strict=True)
    ]
    for precision in precisions:
        bound = product_rate(device, precision) / products_per_sample()
        for batch in BATCHES[device.type]:
            here = samples_per_second(lambda network, x, phase: network(x, phase), batch, device, precision)
            rows.append(["outputs blended", batch, _name(precision), here, here / paper, bound])
    best = max(float(row[3]) for row in rows if isinstance(row[3], float))
    rows.append(["the quickest", None, None, best, best / paper, None])
    rows.append(["reach", None, None, None, REACH[device.type], None])
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{torch.get_num_threads()} CPU threads"
    return table([name, "batch", "precision", "samples/s", "times", "bound samples/s"], rows)


def _name(precision: torch.dtype | None) -> str:
    return "float32" if precision is None else str(precision).removeprefix("torch.")


def samples_per_second(
    forward: Forward, batch: int, device: torch.device, precision: torch.dtype | None = None
) -> float:
    """Return the rate of whole training steps, samples per second."""
    torch.manual_seed(0)
    inputs, hidden, outputs = PAPER_SIZE
    network = PhaseFunctionedNetwork(inputs, hidden, outputs).to(device)
    adam = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)  # like the trainer's
    x, phase = torch.randn(batch, inputs, device=device), torch.rand(batch, device=device)
    y = torch.randn(batch, outputs, device=device)

    def step() -> None:
        adam.zero_grad(set_to_none=True)
        with torch.autocast(device.type, dtype=precision, enabled=precision is not None):
            loss = mse_loss(forward(network, x, phase).float(), y)
        loss.backward()
        add_l1_gradient(network, 0.01)
        adam.step()
        _wait_for(device)

    return batch / median_seconds(step, STEPS)


def products_per_sample() -> float:
    """Return the multiply-adds per sample: one forward pass and two backward, without the input's gradient."""
    inputs, hidden, outputs = PAPER_SIZE
    layers: Iterable[tuple[int, int, int]] = ((inputs, hidden, 2), (hidden, hidden, 3), (hidden, outputs, 3))
    return float(sum(4 * before * after * times for before, after, times in layers))


def product_rate(device: torch.device, precision: torch.dtype | None) -> float:
    """Return the multiply-adds per second of a large matrix product."""
    side = SIDE[device.type]
    matrix = torch.randn(side, side, device=device, dtype=precision or torch.float32)

    def multiply() -> None:
        torch.mm(matrix, matrix)
        _wait_for(device)

    return side**3 / median_seconds(multiply, STEPS)


def _wait_for(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
