"""The networks with recurrent layers between an encoder and a decoder, for training."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from .dense import Dense, append_phase
from .network import Memory, TrainedNetwork

FORGET_GATE_BIAS: Final = 1.0
"""Where the forget gates' biases start, so that cells keep what they hold (Jozefowicz et al. 2015)."""


class InitialState(nn.Module):
    """What the recurrent layers give and what their cells hold before the first frame: learnt like any weight, so that
    the first frames are right, too (Freda 2018, section 4.4)."""

    def __init__(self, layers: int, units: int) -> None:
        super().__init__()
        self.hidden = nn.Parameter(torch.zeros(layers, units))
        self.cell = nn.Parameter(torch.zeros(layers, units))


class RecurrentNetwork(TrainedNetwork):
    """An encoder, layers of long short-term memory and a decoder, with dropout before every layer (Freda 2018, 4.3).

    Args:
        encoder: widths from x, the phase among it, to what the first recurrent layer is given.
        recurrent, layers: units of each recurrent layer, and how many there are.
        decoder: widths after the last recurrent layer, to y.
        phase_input: whether sine and cosine of the phase are inputs, too.
        dropout: share of a layer's inputs left out while training.
    """

    def __init__(
        self,
        encoder: Sequence[int],
        recurrent: int,
        layers: int,
        decoder: Sequence[int],
        phase_input: bool = False,
        dropout: float = 0.3,
    ) -> None:
        super().__init__()
        self.phase_input, self.dropout = phase_input, dropout
        self.encoder = Dense(encoder, dropout, linear_output=False)
        between = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(encoder[-1], recurrent, layers, batch_first=True, dropout=between)
        self.initial = InitialState(layers, recurrent)
        self.decoder = Dense((recurrent, *decoder), dropout, linear_output=True)
        with torch.no_grad():
            for layer in range(layers):
                getattr(self.lstm, f"bias_ih_l{layer}")[recurrent : 2 * recurrent] += FORGET_GATE_BIAS

    def begin(self, count: int) -> Memory:
        """Of every layer what its units give and what their cells hold, (B, R) each."""
        states = zip(self.initial.hidden, self.initial.cell, strict=True)
        return tuple(one.expand(count, -1) for state in states for one in state)

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """See :meth:`TrainedNetwork.step`."""
        given, after = self._encode(x, phase), ()
        # By single cells: ``nn.LSTM`` takes up to half as long again for one frame.
        for layer, state in enumerate(zip(memory[::2], memory[1::2], strict=True)):
            given = functional.dropout(given, self.dropout if layer else 0.0, self.training)
            state = torch.lstm_cell(given, state, *self.lstm.all_weights[layer])
            given, after = state[0], (*after, *state)
        return self.decoder(given), after

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """See :meth:`TrainedNetwork.follow`: every layer runs through all frames before the next does."""
        hidden, cell = (one[:, None].expand(-1, len(x), -1) for one in (self.initial.hidden, self.initial.cell))
        return self.decoder(self.lstm(self._encode(x, phase), (hidden.contiguous(), cell.contiguous()))[0])

    def _encode(self, x: Tensor, phase: Tensor) -> Tensor:
        """What the recurrent layers are given (..., n) for inputs (..., n) at phases (...)."""
        given = self.encoder(append_phase(x, phase) if self.phase_input else x)
        return functional.dropout(given, self.dropout, self.training)
