"""Collision masks: contacts that depenetration ignores, such as a box held in the hands or a body on its seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.interaction import ACTIONS
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording
from ..passes.limb_depenetration import ARM_ROLES
from .held_object import carry_weights

HANDLING_ROLES: Final = ("hand", "forearm")
"""Body parts that may penetrate an object that the hands hold or use."""


@dataclass(frozen=True, slots=True)
class CollisionMasking(Tuning):
    """Tuned numbers of collision masks."""

    shoulder_share: float = tuned(0.35, "1", 0.0, 1.0)
    """Share of the upper arm, from the shoulder, that counts as part of the trunk."""
    min_sit_weight: float = tuned(0.1, "1", 0.0, 1.0)
    """Weight of the action *sit* above which the body stays on its seat."""
    carry_threshold: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of the action *carry* above which an object moves with the body and is no obstacle to it."""


TUNING: Final = CollisionMasking()
SEAT_CONTACT_ROLES: Final = ("hips", "thigh")
"""Body parts that rest on a seat."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CollisionMask:
    """For each object, masks (F, S) of the body's collision spheres that depenetration ignores, at F frames.

    Attributes:
        root: masks for displacements of the whole body; they always include the arms beyond the shoulders.
        limbs: masks for displacements of limbs, without ``hands``.
        hands: additional masks for limbs, by hand ``"L"`` or ``"R"``, for frames in which it holds or reaches for an
            object.
        seat_indices: indices of the objects used as seats.
        handled_indices: indices of the objects that hands touch.
    """

    root: list[Mask]
    limbs: list[Mask]
    hands: dict[str, list[Mask]]
    seat_indices: set[int]
    handled_indices: set[int]

    def limbs_with_hands(self, hands_busy: Mapping[str, Mask]) -> list[Mask]:
        """Return the masks for displacements of limbs, with the masks of each hand added in its busy frames.

        Args:
            hands_busy: by hand ``"L"`` or ``"R"``, mask (F) of frames in which it holds or reaches for an object.
        """
        masks = self.limbs
        for side, busy in hands_busy.items():
            masks = [limb | (hand & busy[:, None]) for limb, hand in zip(masks, self.hands[side], strict=True)]
        return masks


def build_collision_mask(recording: InteractionRecording, body: BodyCapsules, actions: Array) -> CollisionMask:
    """Return the collision masks of an interaction.

    Args:
        recording: the recorded interaction.
        body: collision spheres of the body.
        actions: (F, A) weights of the actions, 0 to 1.
    """
    count, indices = len(body.radii), range(len(recording.objects))
    arms, seated, *handling = (
        np.isin(np.arange(count), body.sphere_indices(part))
        for part in (ARM_ROLES, SEAT_CONTACT_ROLES, *([f"{role}.{side}" for role in HANDLING_ROLES] for side in "LR"))
    )
    arms &= body.bone_fractions > TUNING.shoulder_share
    sits = (actions[:, ACTIONS.index("sit")] > TUNING.min_sit_weight)[:, None]
    seats = {task.object_index for task in recording.tasks if ACTION_SPECS[task.action].is_seated}
    handled = {task.object_index for task in recording.tasks if ACTION_SPECS[task.action].uses_hands}
    root = [arms | ((seated | sits) & (index in seats)) for index in indices]
    for task_index, task in enumerate(recording.tasks):
        if task.object_index >= 0:
            is_carried = carry_weights(recording, task_index) > TUNING.carry_threshold
            root[task.object_index] = root[task.object_index] | is_carried[:, None]
    shape = (len(actions), count)
    return CollisionMask(
        [np.broadcast_to(mask, shape) for mask in root],
        [np.broadcast_to(seated & (index in seats), shape) for index in indices],
        {
            side: [np.broadcast_to(hand & (index in handled), shape) for index in indices]
            for side, hand in zip("LR", handling, strict=True)
        },
        seats,
        handled,
    )
