"""One module per action, with its rules for the sequencer and for refinement."""

from typing import Final

from .base import ActionSpec
from .carry import Carry
from .lean import Lean
from .lie import Lie
from .locomote import Locomote
from .mount import Mount
from .open_door import OpenDoor
from .pick_up import PickUp
from .push import Push
from .sit import Sit
from .sit_ground import SitGround

ACTION_SPECS: Final[dict[str, ActionSpec]] = {
    spec.name: spec
    for spec in (
        *map(Locomote, ("idle", "walk", "run")),
        Sit(),
        Carry(),
        PickUp(),
        OpenDoor(),
        Lie(),
        Push(),
        Mount(),
        SitGround(),
        Lean(),
    )
}
"""The rules of each action, by the action's name."""
