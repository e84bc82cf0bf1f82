"""Takes of ball play: captured motion of picking a ball up, passing, catching and shooting, and their file."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_arrays
from ..motion import Clip, Skeleton
from ..motion.root_frame import root_track
from ..motion.rotations import Array, rotation_about_up

TAKE_NAMES: Final = ("pick_up", "pass", "catch", "shoot")
"""The actions of a file of takes, one take each."""
SHIPPED_TAKES: Final = Path(__file__).parents[2] / "presets" / "ball" / "takes.npz"
"""The shipped takes, captured from a player of the data set BallPlay-M."""
ARRAYS: Final = (
    "rate",
    "joints",
    "parents",
    "offsets",
    "tips",
    "role_names",
    "role_joints",
    "clips",
    "lengths",
    "contacts",
    "roots",
    "rotations",
)
"""Arrays of a file of takes."""


@dataclass(frozen=True, slots=True, eq=False)
class BallTake:
    """A captured action with a ball.

    Attributes:
        clip: the motion on the ground z = 0. At the frame ``contact``, the midpoint of the ankles is over the origin,
            and the body faces +Y.
        contact: first frame in which both hands hold the ball, or the last before they release it.
    """

    clip: Clip
    contact: int

    def centered(self) -> "BallTake":
        """Return the take moved so that, at frame ``contact``, the ankles are over the origin and the body faces +Y."""
        yaw = float(root_track(self.clip).yaws[self.contact])
        turned = self.clip.transformed(rotation_about_up(-yaw), np.zeros(3))
        middle = ankle_middle(turned)[self.contact]
        return replace(self, clip=replace(turned, root_positions=turned.root_positions - [*middle, 0.0]))

    def reversed(self) -> "BallTake":
        """Return the take played backward, so that picking up a ball becomes putting it down."""
        last = len(self.clip) - 1
        roots, rotations = self.clip.root_positions[::-1].copy(), self.clip.rotations[::-1].copy()
        return BallTake(replace(self.clip, root_positions=roots, rotations=rotations), last - self.contact)


@dataclass(frozen=True, slots=True, eq=False)
class BallTakes:
    """Ball takes of one body by action, and the pose in which it holds a ball.

    Attributes:
        takes: the takes, by their names in :data:`TAKE_NAMES`.
    """

    takes: Mapping[str, BallTake]

    def of(self, action: str) -> BallTake:
        """Return the take of an action: one of :data:`TAKE_NAMES`, or ``put_down``."""
        return self.takes["pick_up"].reversed() if action == "put_down" else self.takes[action]

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of all takes."""
        return self.takes[TAKE_NAMES[0]].clip.skeleton

    @property
    def holding(self) -> Array:
        """Rotations (J, 4), relative to the parents, of a body that holds the ball at its chest before a pass."""
        return self.takes["pass"].clip.rotations[0]

    def resampled(self, rate: float) -> "BallTakes":
        """Return the takes resampled to another frame rate, Hz."""
        if rate == self.takes[TAKE_NAMES[0]].clip.rate:
            return self
        return BallTakes(
            {
                name: BallTake(take.clip.resampled(rate), round(take.contact * rate / take.clip.rate))
                for name, take in self.takes.items()
            }
        )

    def save(self, path: Path) -> None:
        """Write all takes to an ``.npz`` file, atomically; raise ``OSError`` if it cannot be written."""
        takes, skeleton = [self.takes[name] for name in TAKE_NAMES], self.skeleton
        values: dict[str, Any] = {
            "rate": np.array(takes[0].clip.rate),
            "joints": np.array(skeleton.names, dtype=np.str_),
            "parents": np.array(skeleton.parents),
            "offsets": skeleton.offsets,
            "tips": skeleton.tips,
            "role_names": np.array(list(skeleton.roles), dtype=np.str_),
            "role_joints": np.array(list(skeleton.roles.values())),
            "clips": np.array([take.clip.name for take in takes], dtype=np.str_),
            "lengths": np.array([len(take.clip) for take in takes]),
            "contacts": np.array([take.contact for take in takes]),
            "roots": np.concatenate([take.clip.root_positions for take in takes]).astype(np.float32),
            "rotations": np.concatenate([take.clip.rotations for take in takes]).astype(np.float32),
        }
        file = io.BytesIO()
        np.savez_compressed(file, **values)
        write_atomically(path, file.getvalue())

    @staticmethod
    def load(path: Path) -> "BallTakes":
        """Read ball takes from an ``.npz`` file written by :meth:`save`.

        Raises:
            FootfallError: the file is missing, damaged, or not a file of takes.
        """
        try:
            arrays = read_arrays(path, ARRAYS)
            roles = dict(zip(map(str, arrays["role_names"]), map(int, arrays["role_joints"]), strict=True))
            skeleton = Skeleton(
                tuple(map(str, arrays["joints"])),
                tuple(map(int, arrays["parents"])),
                arrays["offsets"].astype(float),
                arrays["tips"].astype(float),
                roles,
            )
            lengths = list(map(int, arrays["lengths"]))
            if min(lengths) < 1 or sum(lengths) != len(arrays["roots"]):
                raise ValueError("the lengths of the takes in the file do not add up to the number of frames")
            stops = np.cumsum(lengths)[:-1]
            parts = (np.split(arrays[name].astype(float), stops) for name in ("roots", "rotations"))
            rows = zip(TAKE_NAMES, arrays["clips"], arrays["contacts"], *parts, strict=True)
            return BallTakes(
                {
                    name: BallTake(Clip(skeleton, float(arrays["rate"]), root, turns, str(clip)), int(contact))
                    for name, clip, contact, root, turns in rows
                }
            )
        except (OSError, ContentError, ValueError, LookupError, TypeError, OverflowError) as error:
            raise FootfallError(
                "'{path}' contains no ball play ({error}): install the add-on again", path=path, error=error
            ) from error


@cache
def shipped_takes() -> BallTakes:
    """Return the takes of ball play that Footfall ships; raise :class:`FootfallError` if their file is missing."""
    return BallTakes.load(SHIPPED_TAKES)


def ankle_middle(clip: Clip) -> Array:
    """Return the midpoint (F, 2) of the ankles on the ground, meters, world."""
    feet = [clip.skeleton.joint(f"foot.{side}") for side in "LR"]
    return clip.positions[:, feet, :2].mean(axis=1)
