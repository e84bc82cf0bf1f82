"""The families of networks that this Footfall knows, by name."""

from typing import Final

from .network import Architecture
from .pfnn import PfnnArchitecture

FAMILIES: Final[dict[str, type[Architecture]]] = {one.family: one for one in (PfnnArchitecture,)}
