"""Layers of long short-term memory as Starke et al. 2019 (NSM, section 7.1) compare with: four, after Lee et al. 2018,
with a layer that encodes before them and one that decodes after them. *Auto-LSTM* is the same network, trained in
another way.
"""

from dataclasses import dataclass
from typing import ClassVar

from .network import MAX_UNITS, Architecture, Shapes, Task, Tensors, architecture_setting
from .recurrent import EncoderRecurrentDecoder, recurrent_shapes


@dataclass(frozen=True, slots=True)
class LstmArchitecture(Architecture):
    """A network that is recurrent above all.

    Attributes:
        hidden: units of the layer before and of the layer after.
        recurrent: units of a recurrent layer.
        layers: recurrent ones; 4 in the paper.
    """

    family: ClassVar[str] = "lstm"

    hidden: int = architecture_setting(256, 1, MAX_UNITS)
    recurrent: int = architecture_setting(224, 1, MAX_UNITS)
    layers: int = architecture_setting(4, 1, 16)

    def shapes(self, task: Task) -> Shapes:
        """See :func:`recurrent_shapes`."""
        encoder, decoder = (task.inputs.size, self.hidden), (self.hidden, task.outputs.size)
        return recurrent_shapes(encoder, self.recurrent, self.layers, decoder)

    def network(self, tensors: Tensors, task: Task) -> EncoderRecurrentDecoder:
        """Return the network, ready to run."""
        return EncoderRecurrentDecoder(tensors)
