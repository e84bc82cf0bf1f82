"""Actions: one module for each, with all that the sequencer and the refinement know of it."""

from typing import Final

from .base import ActionSpec
from .carry import Carry
from .locomote import Locomote
from .open_door import OpenDoor
from .sit import Sit

ACTION_SPECS: Final[dict[str, ActionSpec]] = {
    spec.name: spec for spec in (Locomote("idle"), Locomote("walk"), Locomote("run"), Sit(), Carry(), OpenDoor())
}
"""The specification of each action by its name."""
