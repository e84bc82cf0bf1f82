"""Clips with labels of the hands, for trainings that use them: walking, dribbling and boxing."""

import csv
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.labelling import Labels, label_clip
from ..core.motion import Clip
from ..core.motion.rotations import Array
from ..core.rig.clip_file import read_clip
from .setup import Setup

HANDS: Final = ("hand.L", "hand.R")
"""Sensors of the hands, named as their joints' roles."""
PALM_DISTANCE_M: Final = 0.3
"""Largest distance of a ball's center from a wrist for a contact of that hand."""
STRAIGHT_RATIO: Final = 0.88
"""Distance from shoulder to wrist, relative to the arm's length, above which a fist is at its target."""


@dataclass(frozen=True, slots=True)
class LabeledSet:
    """Clips of one kind of motion.

    Attributes:
        name: its name in tables.
        source: folder of the mocap.
        categories: categories of its clips.
    """

    name: str
    source: str
    categories: tuple[str, ...]

    def files(self, setup: Setup, split: str) -> Iterator[Path]:
        """Yield the clips of one split; raise :class:`FootfallError` without data."""
        listing = setup.data / "SPLIT.csv"
        if not listing.is_file():
            raise FootfallError(f"The real clips are not in '{setup.data}': name their folder with --data.")
        with listing.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["source"] == self.source and row["category"] in self.categories and row["split"] == split:
                    yield setup.data / row["file"]

    def write(self, setup: Setup, folder: Path) -> Path:
        """Copy the training clips into a folder, with their labels beside them, and return it."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in self.files(setup, "train"):
            shutil.copy(path, folder)
            with_hands(read_clip(path), ball_contacts(path)).save(folder / f"{path.stem}.labels.npz")
        return folder


SETS: Final = (
    LabeledSet("walking", "cmu_asfamc", ("walk", "run", "turn", "idle")),
    LabeledSet("dribbling", "skillmimic_ballplay", ("basketball", "run")),
    LabeledSet("boxing", "cmu_asfamc", ("boxing",)),
)


def with_hands(clip: Clip, ball: tuple[Array, Array] | None) -> Labels:
    """Return a clip's labels with contacts of its hands: with the ball, or at the end of a blow.

    Args:
        clip: the motion.
        ball: positions of the ball (F, 3), meters, and whether a hand touches it (F); ``None`` without a ball.
    """
    labels = label_clip(clip)
    touching = np.stack([_touches(clip, hand, ball) for hand in HANDS], axis=1).astype(float)
    return replace(
        labels,
        contact_joints=(*labels.contact_joints, *HANDS),
        contacts=np.column_stack([labels.contacts, touching]),
        confidence=np.column_stack([labels.confidence, np.full_like(touching, 0.9)]),
    )


def _touches(clip: Clip, hand: str, ball: tuple[Array, Array] | None) -> Array:
    """Return whether a hand touches something at each frame (F)."""
    wrist, side = clip.positions[:, clip.skeleton.joint(hand)], hand[-1]
    if ball is not None:
        positions, touched = ball
        return (np.linalg.norm(wrist - positions, axis=-1) < PALM_DISTANCE_M) & (touched > 0)
    shoulder, elbow = (clip.positions[:, clip.skeleton.joint(f"{part}.{side}")] for part in ("upper_arm", "forearm"))
    lengths = np.linalg.norm(elbow - shoulder, axis=-1) + np.linalg.norm(wrist - elbow, axis=-1)
    level = wrist[:, 2] > elbow[:, 2].mean()  # hanging arms are straight, too
    return (np.linalg.norm(wrist - shoulder, axis=-1) > STRAIGHT_RATIO * lengths) & level


def ball_contacts(path: Path) -> tuple[Array, Array] | None:
    """Return positions (F, 3), meters, and contacts (F) of the ball captured with a clip, if any."""
    beside = path.with_suffix(".ball.csv")
    if not beside.is_file():
        return None
    _, x, y, z, touched = np.loadtxt(beside, delimiter=",", skiprows=1, ndmin=2).T
    return np.stack([x, -z, y], axis=-1) / 100.0, touched
