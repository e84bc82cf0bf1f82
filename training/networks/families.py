"""The network families trained by gradients."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from ...core.models.families import FAMILIES
from ...core.models.network import Architecture, Task
from .erd import erd_network
from .experts import MixtureOfExperts
from .lstm import lstm_network
from .network import TrainedNetwork
from .pfnn import PhaseFunctionedNetwork
from .plain import PlainNetwork

NETWORK_FACTORIES: Final[Mapping[str, Callable[[Any, Task, float], TrainedNetwork]]] = {
    "pfnn": PhaseFunctionedNetwork.of,
    "plain": PlainNetwork.of,
    "erd": erd_network,
    "lstm": lstm_network,
    "experts": MixtureOfExperts,
}
"""Functions from an architecture, a task and a dropout rate to the network, by family."""


def architecture_of(settings: Any) -> Architecture:
    """Return the architecture of a training configuration; its fields are the settings of the same names."""
    kind = FAMILIES[settings.family]
    return kind(**{one.name: getattr(settings, one.name) for one in fields(kind)})
