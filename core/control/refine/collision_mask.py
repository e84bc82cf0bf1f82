"""Collision masks: contacts that depenetration leaves alone, such as a held box in the hands or a body on its seat."""

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
"""Body parts that may penetrate a handled object."""
SHOULDER_SHARE: Final = 0.35
"""Share of the upper arm that moves with the trunk."""
MIN_SIT_WEIGHT: Final = 0.1
"""Weight of the action *sit* from which the body stays on its seat."""
SEAT_CONTACT_ROLES: Final = ("hips", "thigh")
"""Body parts that rest on the seat."""
CARRY_THRESHOLD: Final = 0.5
"""Carry weight from which an object moves with the body and is no obstacle to it."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CollisionMask:
    """Body spheres (F, S) of :class:`BodyCapsules` that collision handling ignores, for each object.

    Attributes:
        root: masks for whole-body displacements; arms beyond the shoulders never cause one.
        limbs: masks for limb displacements, hands apart.
        hands: the same for hands, while they hold or reach for an object.
        seat_indices: indices of the objects that are sat on.
    """

    root: list[Mask]
    limbs: list[Mask]
    hands: list[Mask]
    seat_indices: set[int]

    def limbs_with_hands(self, hands_busy: NDArray[np.bool_]) -> list[Mask]:
        """Return the masks of limbs with those of hands at the frames (F) in which hands are busy."""
        return [limb | (hand & hands_busy[:, None]) for limb, hand in zip(self.limbs, self.hands, strict=True)]


def build_collision_mask(interaction: InteractionSequencer, body: BodyCapsules, actions: Array) -> CollisionMask:
    """Build the collision masks of an interaction.

    Args:
        interaction: the recorded interaction.
        body: spheres of the body.
        actions: (F, 7) action weights.
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
