"""Ball tracks: the motion of a ball beside a clip, with the hands that touch it, and their file.

A file is a table beside its clip, ``walk.ball.csv`` beside ``walk.bvh``: one row a frame, with the columns ``frame``,
``x_cm``, ``y_cm`` and ``z_cm`` of the center (Y up, as in the BVH file) and ``hand_contact``. Files written by Footfall
also have ``left``, ``right`` and the rotation ``qw``, ``qx``, ``qy``, ``qz`` (in Blender's world).
"""

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_bytes
from ..motion import Clip
from ..motion.rotations import IDENTITY, Array
from ..motion.signals import Mask, runs_of

FILE_SUFFIX: Final = ".ball.csv"
"""Suffix of a ball file, which replaces the ``.bvh`` of its clip."""
BASKETBALL_RADIUS_M: Final = 0.12
"""Radius of a basketball of size 7 (FIBA Official Basketball Rules 2024, Equipment)."""
TOUCH_DISTANCE_M: Final = 0.175
"""Largest distance from a captured ball's center to the nearest joint of a hand that touches the ball."""
_CENTER_COLUMNS: Final = ("x_cm", "y_cm", "z_cm", "hand_contact")
_OWN_COLUMNS: Final = ("left", "right", "qw", "qx", "qy", "qz")


@dataclass(frozen=True, slots=True, eq=False)
class BallTrack:
    """Motion of a ball at each frame, with the hands that touch it.

    Attributes:
        rate: frames per second.
        radius: radius of the ball, meters.
        positions: (F, 3) positions of the center, meters, world.
        rotations: (F, 4) rotations, world; the identity if unknown.
        contacts: (F, 2) whether left and right hand touch the ball.
        is_inferred: whether the ball was inferred from the hands, and not captured.
    """

    rate: float
    radius: float
    positions: Array
    rotations: Array
    contacts: Mask
    is_inferred: bool = False

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.positions)

    def resampled(self, rate: float, frames: int) -> "BallTrack":
        """Resample the ball's motion to another rate.

        Args:
            rate: frames per second.
            frames: number of frames at that rate.
        """
        at = np.minimum(np.arange(frames) / rate * self.rate, len(self) - 1)
        nearest = np.rint(at).astype(int)
        positions = np.column_stack([np.interp(at, np.arange(len(self)), axis) for axis in self.positions.T])
        return replace(
            self, rate=rate, positions=positions, rotations=self.rotations[nearest], contacts=self.contacts[nearest]
        )

    def mirrored(self, axis: int = 0) -> "BallTrack":
        """Return the mirror image of the ball's motion, with the contacts of left and right hand exchanged.

        Args:
            axis: world axis to negate, 0 for X or 1 for Y, as in the mirrored clip.
        """
        flip = np.ones(3)
        flip[axis] = -1.0
        rotations = self.rotations * np.array([1.0, *-flip])
        return replace(self, positions=self.positions * flip, rotations=rotations, contacts=self.contacts[:, ::-1])

    def known_runs(self, longest_flight_s: float) -> NDArray[np.intp]:
        """Return the frame ranges (N, 2), first frame and frame after the last, in which the ball's position is known.

        A captured ball is known in all frames. An inferred ball is known from one contact to the next if the time
        between them is short enough for a flight, but not before the first contact or after the last.

        Args:
            longest_flight_s: longest time between two contacts in which an inferred ball is known, seconds.
        """
        if not self.is_inferred:
            return np.array([[0, len(self)]], dtype=np.intp)
        held = runs_of(np.any(self.contacts, axis=1))
        apart = held[1:, 0] - held[:-1, 1] > longest_flight_s * self.rate
        parts = np.split(held, np.flatnonzero(apart) + 1)
        return np.array([[part[0, 0], part[-1, 1]] for part in parts if len(part)], dtype=np.intp).reshape(-1, 2)


def ball_file(clip_file: Path) -> Path:
    """Return the path of the ball file that belongs to a clip's file: the same name, ending in ``.ball.csv``."""
    return clip_file.with_suffix(FILE_SUFFIX)


def read_ball(path: Path, clip: Clip, radius: float = BASKETBALL_RADIUS_M) -> BallTrack:
    """Read a ball's motion from its file.

    If the file has only one column of contacts for both hands, each hand's contacts follow from its distance to the
    ball.

    Args:
        path: the file.
        clip: the clip to which the ball belongs.
        radius: radius of the ball, meters.

    Raises:
        FootfallError: the file cannot be read, is not a ball's file, or belongs to another clip.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(read_bytes(path).decode("utf-8-sig"))))
        centers = np.array([[float(row[name]) for name in _CENTER_COLUMNS] for row in rows])
        own = np.array([[float(row.get(name) or "nan") for name in _OWN_COLUMNS] for row in rows])
        if not len(rows) or not np.isfinite(centers).all():
            raise ValueError(path)
    except OSError as error:
        raise FootfallError(
            "The ball file '{path}' cannot be read: {error}", path=path, error=error.strerror
        ) from error
    except (ContentError, UnicodeDecodeError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise FootfallError(
            "'{path}' is not a ball file: it needs the columns frame, x_cm, y_cm, z_cm and hand_contact",
            path=path,
        ) from error
    if len(centers) != len(clip):
        raise FootfallError(
            "The ball file '{path}' has {rows} frames, but its clip '{name}' has {frames}: use the ball file "
            "that belongs to the clip",
            path=path,
            rows=len(centers),
            name=clip.name,
            frames=len(clip),
        )
    positions = np.column_stack([centers[:, 0], -centers[:, 2], centers[:, 1]]) / 100.0
    if np.isfinite(own).all():
        return BallTrack(clip.rate, radius, positions, own[:, 2:], own[:, :2] > 0.5, is_inferred=True)
    contacts = touching_hands(clip, positions, centers[:, 3] > 0.5)
    return BallTrack(clip.rate, radius, positions, np.tile(IDENTITY, (len(clip), 1)), contacts)


def write_ball(path: Path, track: BallTrack) -> None:
    """Write a ball's motion to a file.

    Raises:
        OSError: the folder is missing or not writable.
    """
    x, y, z = 100.0 * track.positions.T
    touched = np.any(track.contacts, axis=1)
    lines = [",".join(("frame", *_CENTER_COLUMNS, *_OWN_COLUMNS))]
    for frame, center in enumerate(zip(x, z, -y, strict=True)):
        cells = [f"{value:.3f}" for value in center] + [str(int(touched[frame]))]
        cells += [str(int(hand)) for hand in track.contacts[frame]] + [f"{part:.6f}" for part in track.rotations[frame]]
        lines.append(",".join((str(frame), *cells)))
    write_atomically(path, ("\n".join(lines) + "\n").encode("utf-8"))


def touching_hands(clip: Clip, positions: Array, touched: Mask) -> Mask:
    """Return a mask (F, 2), true while the left or the right hand touches a ball.

    The nearer hand touches a touched ball; the other one does within :data:`TOUCH_DISTANCE_M` of the center.

    Args:
        clip: the motion.
        positions: (F, 3) positions of the ball's center, meters, world.
        touched: (F) whether any hand touches the ball.
    """
    distances = []
    for side in "LR":
        joints = _hand_joints(clip, clip.skeleton.joint(f"hand.{side}"))
        distances.append(np.linalg.norm(clip.positions[:, joints] - positions[:, None], axis=-1).min(axis=1))
    both = np.column_stack(distances)
    is_near = np.logical_or(both < TOUCH_DISTANCE_M, both <= both.min(axis=1, keepdims=True))
    return np.column_stack([touched, touched]) & is_near


def _hand_joints(clip: Clip, hand: int) -> list[int]:
    """Return a hand's joint and all its descendants."""
    joints = [hand]
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent in joints:
            joints.append(joint)
    return joints
