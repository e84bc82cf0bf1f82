"""The encoder-recurrent-decoder network for training (Freda 2018, sections 4.3 and 4.4)."""

from ...core.models.dense import PHASE_INPUT_COUNT
from ...core.models.erd import ErdArchitecture
from ...core.models.network import Task
from .recurrent import RecurrentNetwork


def erd_network(architecture: ErdArchitecture, task: Task, dropout: float) -> RecurrentNetwork:
    """Return a new network in torch, with random weights, of the sizes that an architecture gives.

    Args:
        architecture: sizes and choices of the network.
        task: input and output layouts.
        dropout: share of each layer's inputs dropped in training.
    """
    dense = [architecture.hidden] * architecture.layers
    return RecurrentNetwork(
        (task.inputs.size + PHASE_INPUT_COUNT * architecture.phase_input, *dense),
        architecture.recurrent,
        architecture.layers,
        (*dense, task.outputs.size),
        architecture.phase_input,
        dropout,
    )
