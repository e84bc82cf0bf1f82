"""The LSTM network used for comparison in NSM (Starke et al. 2019, section 7.1).

Four recurrent layers, after Lee et al. 2018, between an encoding and a decoding layer. *Auto-LSTM* is the same network
with another training.
"""

from dataclasses import dataclass
from typing import ClassVar

from .network import MAX_UNITS, Architecture, Shapes, Task, Tensors, architecture_setting
from .recurrent import EncoderRecurrentDecoder, recurrent_shapes


@dataclass(frozen=True, slots=True)
class LstmArchitecture(Architecture):
    """Architecture of a network of LSTM layers between an encoding and a decoding layer.

    Attributes:
        hidden: units of the encoding and of the decoding layer.
        recurrent: units of a recurrent layer.
        layers: number of recurrent layers; 4 in the paper.
    """

    family: ClassVar[str] = "lstm"

    hidden: int = architecture_setting(256, 1, MAX_UNITS)
    recurrent: int = architecture_setting(224, 1, MAX_UNITS)
    layers: int = architecture_setting(4, 1, 16)

    def shapes(self, task: Task) -> Shapes:
        """Return the shape of every weight, bias and initial memory of the network, by tensor name."""
        encoder, decoder = (task.inputs.size, self.hidden), (self.hidden, task.outputs.size)
        return recurrent_shapes(encoder, self.recurrent, self.layers, decoder)

    def network(self, tensors: Tensors, task: Task) -> EncoderRecurrentDecoder:
        """Return the runnable network with the given weights."""
        return EncoderRecurrentDecoder(tensors)
