"""The LSTM network for training (Starke et al. 2019, section 7.1)."""

from ...core.models.lstm import LstmArchitecture
from ...core.models.network import Task
from .recurrent import RecurrentNetwork


def lstm_network(architecture: LstmArchitecture, task: Task, dropout: float) -> RecurrentNetwork:
    """Return a new network in torch, with random weights, of the sizes that an architecture gives.

    Args:
        architecture: sizes and choices of the network.
        task: input and output layouts.
        dropout: share of each layer's inputs dropped in training.
    """
    encoder, decoder = (task.inputs.size, architecture.hidden), (architecture.hidden, task.outputs.size)
    return RecurrentNetwork(encoder, architecture.recurrent, architecture.layers, decoder, dropout=dropout)
