"""What may be in what: hands in the box that they hold, who sits in their seat."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.interaction import ACTIONS
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ..interaction.sequencer import InteractionSequencer
from .held_object import carry_weights
from .limb_depenetration import ARM_ROLES

HANDLING_ROLES: Final = ("hand", "forearm")
"""Parts of the body that are about what they hold, even where a palm is pressed to it."""
SHOULDER_SHARE: Final = 0.35
"""Share of an upper arm that goes where its shoulder goes."""
MIN_SIT_WEIGHT: Final = 0.1
"""Share of sitting from which who sits stays where they sit."""
SEAT_CONTACT_ROLES: Final = ("hips", "thigh")
"""Parts that are on what one sits on."""
CARRY_THRESHOLD: Final = 0.5
"""Share of being carried from which something goes along with the body, and is not in its way."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CollisionMask:
    """The spheres (F, S) of :class:`BodyCapsules` that may be in each thing.

    Attributes:
        whole: as far as the whole body would be moved for it: never for arms but for their shoulders.
        limbs: as far as limbs would be, but for hands.
        hands: the same for hands, while they hold something or are about to.
        seat_indices: numbers of the things that somebody sits on.
    """

    root: list[Mask]
    limbs: list[Mask]
    hands: list[Mask]
    seat_indices: set[int]

    def limbs_with_hands(self, hands_busy: NDArray[np.bool_]) -> list[Mask]:
        """What limbs may be in where hands are busy at some frames (F)."""
        return [limb | (hand & hands_busy[:, None]) for limb, hand in zip(self.limbs, self.hands, strict=True)]


def build_collision_mask(interaction: InteractionSequencer, body: BodyCapsules, actions: Array) -> CollisionMask:
    """What may be in what in a play.

    Args:
        actions: (F, 7) what is done.
    """
    count, numbers = len(body.radii), range(len(interaction.objects))
    arms, handling, seated = (
        np.isin(np.arange(count), body.sphere_indices(part)) for part in (ARM_ROLES, HANDLING_ROLES, SEAT_CONTACT_ROLES)
    )
    arms &= body.bone_fractions > SHOULDER_SHARE
    sits = (actions[:, ACTIONS.index("sit")] > MIN_SIT_WEIGHT)[:, None]
    sat_on = {errand.object_index for errand in interaction.tasks if errand.action == "sit"}
    handled = {errand.object_index for errand in interaction.tasks if errand.action in ("carry", "open")}
    whole = [arms | ((seated | sits) & (number in sat_on)) for number in numbers]
    for number, errand in enumerate(interaction.tasks):
        if errand.object_index >= 0:
            whole[errand.object_index] = (
                whole[errand.object_index] | (carry_weights(interaction, number) > CARRY_THRESHOLD)[:, None]
            )
    shape = (len(actions), count)
    return CollisionMask(
        [np.broadcast_to(mask, shape) for mask in whole],
        [np.broadcast_to(seated & (number in sat_on), shape) for number in numbers],
        [np.broadcast_to(handling & (number in handled), shape) for number in numbers],
        sat_on,
    )
