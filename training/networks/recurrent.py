"""Networks with LSTM layers between an encoder and a decoder, for training."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from .dense import Dense, append_phase
from .network import Memory, TrainedNetwork

FORGET_GATE_BIAS: Final = 1.0
"""Initial bias of the forget gates, so that cells keep their state at first (Jozefowicz et al. 2015)."""


class InitialState(nn.Module):
    """The recurrent layers' state before the first frame, which is trained (Freda 2018, section 4.4)."""

    def __init__(self, layers: int, units: int) -> None:
        super().__init__()
        self.hidden = nn.Parameter(torch.zeros(layers, units))
        self.cell = nn.Parameter(torch.zeros(layers, units))


class RecurrentNetwork(TrainedNetwork):
    """An encoder, LSTM layers and a decoder, with dropout before every layer (Freda 2018, section 4.3).

    Args:
        encoder: widths of the encoder, from the inputs (with the phase) to the first recurrent layer.
        recurrent, layers: units per recurrent layer, and number of recurrent layers.
        decoder: widths of the decoder's layers, from after the last recurrent layer to the outputs.
        phase_input: whether sine and cosine of the phase are additional inputs.
        dropout: share of a layer's inputs dropped in training.
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
        """Return the learned initial output and cell state of every layer, each (B, R), for ``count`` sequences (B)."""
        states = zip(self.initial.hidden, self.initial.cell, strict=True)
        return tuple(one.expand(count, -1) for state in states for one in state)

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        output, after = self._encode(x, phase), ()
        # Single cells: ``nn.LSTM`` takes up to 1.5 times as long for one frame.
        for layer, state in enumerate(zip(memory[::2], memory[1::2], strict=True)):
            output = functional.dropout(output, self.dropout if layer else 0.0, self.training)
            state = torch.lstm_cell(output, state, *self.lstm.all_weights[layer])
            output, after = state[0], (*after, *state)
        return self.decoder(output), after

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return the outputs (B, T, m) for inputs (B, T, n) and phases (B, T), cycles, layer by layer."""
        hidden, cell = (one[:, None].expand(-1, len(x), -1) for one in (self.initial.hidden, self.initial.cell))
        return self.decoder(self.lstm(self._encode(x, phase), (hidden.contiguous(), cell.contiguous()))[0])

    def _encode(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return the input of the recurrent layers (..., h) for inputs (..., n) at phases (...)."""
        encoded = self.encoder(append_phase(x, phase) if self.phase_input else x)
        return functional.dropout(encoded, self.dropout, self.training)
