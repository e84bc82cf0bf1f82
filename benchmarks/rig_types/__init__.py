"""The rig types with shipped maps, as data: real names and hierarchies, on bodies of many proportions."""

from functools import cache

from .animals import ANIMALS
from .control_rigs import CONTROL_RIGS
from .games import GAMES
from .mocap import MOCAP
from .rig_type import RigType
from .variety import Variety

__all__ = ["RigType", "Variety", "rig_types"]


@cache
def rig_types() -> tuple[RigType, ...]:
    """Return every shipped rig type with its reference map."""
    return (*MOCAP, *GAMES, *CONTROL_RIGS, *ANIMALS)
