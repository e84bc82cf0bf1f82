"""One step of the walk."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Deed:
    """One step of the walk.

    Attributes:
        kind: operator, setting, selection or change.
        told: as it would be typed.
        do: does it; raises what Blender raises.
    """

    kind: str
    told: str
    do: Callable[[], object]
