"""Phase dials: for each joint with contacts, its local phase, and the amplitude of its cycle."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.labelling.phase.local_phases import find_local_phases
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ..strip.shown import StripLabels, spans_in_row

DIAL_SEGMENTS: Final = 32
STEADY_AMPLITUDE: Final = 2**0.5
"""The amplitude of a sinusoid of deviation 1, to which the contacts of a steady gait are normalized."""


@dataclass(frozen=True, eq=False)
class PhaseDials:
    """The local phases of K joints.

    Attributes:
        first_frame: scene frame of the first phase.
        joints: (K) the joints, by the names of their contacts.
        bones: (K) names of the joints' bones.
        is_foot: (K) whether the joint represents a foot.
        phase_vectors: (F, K, 2) hands of the dials, to the right and up. A hand points up at phase 0 and turns
            clockwise; its length is the amplitude, at most 1: about 1 in a steady gait and 0 without changes.
    """

    first_frame: int
    joints: tuple[str, ...]
    bones: tuple[str, ...]
    is_foot: tuple[bool, ...]
    phase_vectors: Array

    def vectors_at(self, frame: int) -> Array:
        """Return the phase vectors (K, 2) at a scene frame, or at the labeled frame nearest to it."""
        return self.phase_vectors[min(max(frame - self.first_frame, 0), len(self.phase_vectors) - 1)]

    def visible_joints(self, selected: set[str]) -> list[int]:
        """Return the joints whose dials are shown: those of the selected bones, or both feet without a selection."""
        mine = [number for number, bone in enumerate(self.bones) if bone in selected]
        return mine or [number for number, is_foot in enumerate(self.is_foot) if is_foot]


def compute_phase_dials(clip: Clip, strip_labels: StripLabels) -> PhaseDials | None:
    """Compute the local phases of a labeled clip's contact joints; return ``None`` if its skeleton has none of them.

    Raises:
        FootfallError: the frame rate is too low.
    """
    roles = clip.skeleton.roles
    joints = [joint for joint in strip_labels.contact_feet if joint in roles]
    if not joints:
        return None
    contacts = np.stack([_contact_signal(strip_labels, joint, len(clip)) for joint in joints], axis=1)
    places = clip.positions[:, [roles[joint] for joint in joints]]
    speeds = np.linalg.norm(np.gradient(places, 1.0 / clip.rate, axis=0), axis=2)
    found = find_local_phases(contacts, speeds, clip.rate)
    length = np.minimum(found.amplitude / STEADY_AMPLITUDE, 1.0)
    angle = 2 * np.pi * found.phase
    hands = length[..., None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    bones = tuple(clip.skeleton.names[roles[joint]] for joint in joints)
    feet = tuple(joint for joint in joints if strip_labels.contact_feet[joint])
    return PhaseDials(
        strip_labels.first_frame,
        tuple(joints),
        bones,
        tuple(_represents_foot(strip_labels, joint, feet) for joint in joints),
        hands,
    )


def _represents_foot(strip_labels: StripLabels, joint: str, feet: tuple[str, ...]) -> bool:
    """Return whether a joint stands for its foot: the heel, or the toe if there is no heel."""
    foot = strip_labels.contact_feet[joint]
    return bool(foot) and joint == next(other for other in feet if strip_labels.contact_feet[other] == foot)


def _contact_signal(strip_labels: StripLabels, joint: str, frames: int) -> NDArray[np.bool_]:
    state = np.zeros(frames, dtype=bool)
    for span in spans_in_row(strip_labels.spans, "CONTACT", (joint,)):
        state[max(span.start - strip_labels.first_frame, 0) : max(span.end - strip_labels.first_frame + 1, 0)] = True
    return state


def circle(center: Array, radius: float) -> Array:
    """Return points (N, 2) on a circle around a center (2)."""
    angles = np.linspace(0.0, 2 * np.pi, DIAL_SEGMENTS, endpoint=False)
    return center + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
