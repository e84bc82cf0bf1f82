"""The labels of a clip, and the file they are kept in."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..atomic import write_atomically
from ..errors import FootfallError
from ..motion import Clip
from ..motion import roles as role_names
from ..motion.rotations import Array
from .contacts import JOINTS, find_contacts
from .gaits import NAMES, find_gaits
from .phase import find_phase, find_strikes


@dataclass(frozen=True, eq=False)
class Labels:
    """What a clip is doing at each of its frames.

    Attributes:
        frame_rate: frames a second, the clip's own.
        contact_joints: the roles whose contacts are given.
        contacts: (F, C) probabilities; above 0.5 is a contact.
        phase: (F) in cycles [0, 1); right strike 0, left strike 0.5.
        gait_names: the gaits' names.
        gaits: (F, G), rows summing to 1.
        left_strikes, right_strikes: frames at which the feet come down.
        ground: the level of the balls of the standing feet, metres: a few centimetres over the ground itself.
    """

    frame_rate: float
    contact_joints: tuple[str, ...]
    contacts: Array
    phase: Array
    gait_names: tuple[str, ...]
    gaits: Array
    left_strikes: NDArray[np.intp]
    right_strikes: NDArray[np.intp]
    ground: float

    def __len__(self) -> int:
        return len(self.phase)

    def save(self, path: Path) -> None:
        """Writes a ``.labels.npz`` file, whole or not at all; raises ``OSError`` where it cannot."""
        file = io.BytesIO()
        np.savez_compressed(
            file,
            frame_rate=self.frame_rate,
            contact_joints=np.array(self.contact_joints),
            contacts=self.contacts.astype(np.float32),
            phase=self.phase.astype(np.float32),
            gait_names=np.array(self.gait_names),
            gaits=self.gaits.astype(np.float32),
            left_strikes=self.left_strikes,
            right_strikes=self.right_strikes,
            ground=self.ground,
        )
        write_atomically(path, file.getvalue())

    @staticmethod
    def load(path: Path) -> "Labels":
        """Reads a ``.labels.npz`` file; raises :class:`FootfallError` where it is damaged or not a label file."""
        try:
            with np.load(path, allow_pickle=False) as data:
                labels = Labels(
                    float(data["frame_rate"]),
                    tuple(map(str, data["contact_joints"])),
                    data["contacts"].astype(float),
                    data["phase"].astype(float),
                    tuple(map(str, data["gait_names"])),
                    data["gaits"].astype(float),
                    data["left_strikes"].astype(np.intp).ravel(),
                    data["right_strikes"].astype(np.intp).ravel(),
                    float(data["ground"]),
                )
        except Exception as error:  # a damaged archive can fail in zipfile, zlib, struct or numpy alike
            raise FootfallError(f"{path} is not a label file of Footfall ({error}): label the clip again.") from error
        frames = labels.phase.size
        numbers = (labels.phase, labels.contacts, labels.gaits, np.array([labels.frame_rate, labels.ground]))
        shapes = [(frames,), (frames, len(labels.contact_joints)), (frames, len(labels.gait_names)), (2,)]
        strikes = np.concatenate([labels.left_strikes, labels.right_strikes])
        if [a.shape for a in numbers] != shapes or not all(np.isfinite(a).all() for a in numbers):
            raise FootfallError(
                f"{path} holds labels of unequal lengths or that are not numbers: label the clip again."
            )
        if labels.frame_rate <= 0 or np.any((strikes < 0) | (strikes >= frames)):
            raise FootfallError(f"{path} has strikes outside its {frames} frames, or no frame rate: label again.")
        return labels

    def resampled(self, rate: float, frames: int) -> "Labels":
        """The labels at another rate, for a clip resampled to ``frames`` frames; phase goes round the circle."""
        if rate == self.frame_rate and frames == len(self):
            return self
        at = np.minimum(np.arange(frames) / rate * self.frame_rate, len(self) - 1)
        own = np.arange(len(self))

        def columns(values: Array) -> Array:
            return np.stack([np.interp(at, own, column) for column in values.T], axis=1)

        def nearest(strikes: NDArray[np.intp]) -> NDArray[np.intp]:
            moved = np.rint(strikes * rate / self.frame_rate).astype(np.intp)
            return moved[moved < frames]

        return Labels(
            rate,
            self.contact_joints,
            columns(self.contacts),
            np.interp(at, own, np.unwrap(self.phase, period=1.0)) % 1.0,
            self.gait_names,
            columns(self.gaits),
            nearest(self.left_strikes),
            nearest(self.right_strikes),
            self.ground,
        )

    def mirrored(self) -> "Labels":
        """The labels of the mirrored clip: sides change places and the phase moves on by half a cycle."""
        other = [self.contact_joints.index(_other_side(name)) for name in self.contact_joints]
        return Labels(
            self.frame_rate,
            self.contact_joints,
            self.contacts[:, other],
            (self.phase + 0.5) % 1.0,
            self.gait_names,
            self.gaits,
            self.right_strikes,
            self.left_strikes,
            self.ground,
        )


def _other_side(role: str) -> str:
    return role[:-1] + {"L": "R", "R": "L"}[role[-1]]


def label_clip(clip: Clip) -> Labels:
    """Finds contacts, phase and gaits of a bipedal clip.

    Raises:
        FootfallError: the clip has fewer than two frames, or its skeleton has no hips, thighs, shins or feet.
    """
    clip.skeleton.require(role_names.LOCOMOTION)
    if len(clip) < 2:
        raise FootfallError(f"{clip.name} has {len(clip)} frame: labels need motion of at least two frames.")
    contacts, ground = find_contacts(clip)
    gaits = find_gaits(clip, contacts, ground)
    left, right = find_strikes(contacts, clip.rate)
    phase = find_phase(left, right, gaits[:, 0] > 0.5, clip.rate)
    return Labels(clip.rate, JOINTS, contacts, phase, NAMES, gaits, left, right, ground)
