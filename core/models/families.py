"""The families of networks, by name."""

from typing import Final

from .erd import ErdArchitecture
from .experts import ExpertsArchitecture
from .gaussian_process import GaussianProcessArchitecture
from .lstm import LstmArchitecture
from .matching import MatchingArchitecture
from .network import Architecture
from .pfnn import PfnnArchitecture
from .plain import PlainArchitecture

FAMILIES: Final[dict[str, type[Architecture]]] = {
    one.family: one
    for one in (
        PfnnArchitecture,
        PlainArchitecture,
        ErdArchitecture,
        LstmArchitecture,
        ExpertsArchitecture,
        GaussianProcessArchitecture,
        MatchingArchitecture,
    )
}
