"""The plain network for training (Holden, Komura, Saito 2017, section 8, Fig. 10 a and b)."""

from torch import Tensor

from ...core.models.dense import PHASE_INPUT_COUNT
from ...core.models.network import Task
from ...core.models.plain import PlainArchitecture
from .dense import Dense, append_phase
from .network import MemorylessNetwork


class PlainNetwork(MemorylessNetwork):
    """Dense layers with ELU between them and dropout before each.

    Args:
        inputs, hidden, outputs: widths n, h and m.
        hidden_layers: number of hidden layers.
        phase_input: whether sine and cosine of the phase are additional inputs.
        dropout: share of inputs and hidden units dropped in training.
    """

    def __init__(
        self, inputs: int, hidden: int, outputs: int, hidden_layers: int, phase_input: bool, dropout: float
    ) -> None:
        super().__init__()
        self.phase_input = phase_input
        inputs += PHASE_INPUT_COUNT * phase_input
        self.layers = Dense((inputs, *[hidden] * hidden_layers, outputs), dropout, linear_output=True)

    @staticmethod
    def of(architecture: PlainArchitecture, task: Task, dropout: float) -> "PlainNetwork":
        """Return a new network in torch, with random weights, of the sizes that an architecture gives.

        Args:
            architecture: sizes and choices of the network.
            task: input and output layouts.
            dropout: share of inputs and hidden units dropped in training.
        """
        widths = (task.inputs.size, architecture.hidden, task.outputs.size)
        return PlainNetwork(*widths, architecture.layers, architecture.phase_input, dropout)

    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return normalized outputs (B, m) for normalized inputs (B, n) at phases (B), in cycles."""
        return self.layers(append_phase(x, phase) if self.phase_input else x)
