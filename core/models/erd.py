"""The encoder-recurrent-decoder network (Fragkiadaki et al. 2015).

As in Freda 2018 (section 4.3) and in the comparison of Holden, Komura and Saito 2017 (section 8, Fig. 10 c and d). Its
memory encodes the position within a stride; the initial memory is learned.
"""

from dataclasses import dataclass
from typing import ClassVar

from .dense import PHASE_INPUT_COUNT
from .network import MAX_UNITS, Architecture, Shapes, Task, Tensors, architecture_setting
from .recurrent import EncoderRecurrentDecoder, recurrent_shapes


@dataclass(frozen=True, slots=True)
class ErdArchitecture(Architecture):
    """Architecture of an encoder-recurrent-decoder network.

    Attributes:
        hidden: units of every layer of encoder and decoder, except the output; 512 in Freda 2018.
        recurrent: units of a recurrent layer; 256 in Freda 2018.
        layers: number of layers of each of the three parts; 2 in Freda 2018.
        phase_input: whether sine and cosine of the phase are additional inputs (PFNN Fig. 10 d).
    """

    family: ClassVar[str] = "erd"

    hidden: int = architecture_setting(512, 1, MAX_UNITS)
    recurrent: int = architecture_setting(256, 1, MAX_UNITS)
    layers: int = architecture_setting(2, 1, 16)
    phase_input: bool = architecture_setting(False)

    def shapes(self, task: Task) -> Shapes:
        """Return the shape of every weight, bias and initial memory of the network, by tensor name."""
        inputs, dense = task.inputs.size + PHASE_INPUT_COUNT * self.phase_input, [self.hidden] * self.layers
        return recurrent_shapes((inputs, *dense), self.recurrent, self.layers, (*dense, task.outputs.size))

    def network(self, tensors: Tensors, task: Task) -> EncoderRecurrentDecoder:
        """Return the runnable network with the given weights."""
        return EncoderRecurrentDecoder(tensors, self.phase_input)
