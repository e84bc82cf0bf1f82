"""What may be in what: hands in the box that they hold, who sits in their seat."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.interaction import ACTIONS
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ..interaction.sequencer import Play
from .held_object import carried
from .limb_depenetration import ARM

HANDLING: Final = ("hand", "forearm")
"""Parts of the body that are about what they hold, even where a palm is pressed to it."""
SHOULDER: Final = 0.35
"""Share of an upper arm that goes where its shoulder goes."""
SITS: Final = 0.1
"""Share of sitting from which who sits stays where they sit."""
SEATED: Final = ("hips", "thigh")
"""Parts that are on what one sits on."""
HELD: Final = 0.5
"""Share of being carried from which something goes along with the body, and is not in its way."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Spared:
    """The spheres (F, S) of :class:`BodyCapsules` that may be in each thing.

    Attributes:
        whole: as far as the whole body would be moved for it: never for arms but for their shoulders.
        limbs: as far as limbs would be, but for hands.
        handling: the same for hands, while they hold something or are about to.
        sat_on: numbers of the things that somebody sits on.
    """

    whole: list[Mask]
    limbs: list[Mask]
    handling: list[Mask]
    sat_on: set[int]

    def limbs_while(self, busy: NDArray[np.bool_]) -> list[Mask]:
        """What limbs may be in where hands are busy at some frames (F)."""
        return [limb | (hand & busy[:, None]) for limb, hand in zip(self.limbs, self.handling, strict=True)]


def spared_of(play: Play, body: BodyCapsules, actions: Array) -> Spared:
    """What may be in what in a play.

    Args:
        actions: (F, 7) what is done.
    """
    count, numbers = len(body.radii), range(len(play.things))
    arms, handling, seated = (np.isin(np.arange(count), body.spheres_of(part)) for part in (ARM, HANDLING, SEATED))
    arms &= body.along > SHOULDER
    sits = (actions[:, ACTIONS.index("sit")] > SITS)[:, None]
    sat_on = {errand.thing for errand in play.errands if errand.action == "sit"}
    handled = {errand.thing for errand in play.errands if errand.action in ("carry", "open")}
    whole = [arms | ((seated | sits) & (number in sat_on)) for number in numbers]
    for number, errand in enumerate(play.errands):
        if errand.thing >= 0:
            whole[errand.thing] = whole[errand.thing] | (carried(play, number) > HELD)[:, None]
    shape = (len(actions), count)
    return Spared(
        [np.broadcast_to(mask, shape) for mask in whole],
        [np.broadcast_to(seated & (number in sat_on), shape) for number in numbers],
        [np.broadcast_to(handling & (number in handled), shape) for number in numbers],
        sat_on,
    )
