"""Clips inserted into walks: quality of motion through both seams."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Final

import numpy as np

from ..core.control.edit.clip_insertion import Insertion, insert_clip
from ..core.control.path.path import Path
from ..core.control.performance import Performance
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.control.walk.walk_performance import walk_performance
from ..core.errors import FootfallError
from ..core.labelling import label_clip
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.contacts import FootContacts
from ..core.motion.rotations import length
from ..core.terrain.ground import Plane
from .captured import captured_clip
from .measures.extremes import joint_accelerations
from .setup import Setup
from .tables import Part, table

TITLE = "Inserted clips"
CLIPS: Final = 100
SOURCES: Final = ("cmu_asfamc", "cmu_asfamc_more", "accad_male1", "o3de_rin")
LONGEST_S: Final = 8.0
SHORTEST_S: Final = 1.5
WALKS: Final = 5
WALK_M: Final = 12.0
WALK_M_S: Final = 1.2
SEAM_S: Final = 0.4
"""Time before and after a seam that belongs to it."""

NOTES: Final = """\
100 captured clips of CMU, ACCAD and O3DE, inserted at random frames into 5 walks by the network."""


@dataclass(frozen=True, slots=True)
class Inserted:
    """The figures of an insert: moves, cm, in the seams and elsewhere, rad/s^2 in both, cm/s, m."""

    move: float
    move_elsewhere: float
    change: float
    change_elsewhere: float
    slide: float
    end: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    random, model = np.random.default_rng(0), setup.model()
    names = random.permutation(_names(setup))
    walks = [_walk(model, seed) for seed in range(WALKS)]
    found, refused = list[Inserted](), 0
    for number, name in enumerate(names):
        if len(found) + refused == CLIPS:
            break
        clip = captured_clip(setup.data, str(name), model.skeleton, model.rate)
        clip = clip.cut(0, round(LONGEST_S * clip.rate))
        if clip.duration < SHORTEST_S:
            continue
        walk = walks[number % WALKS]
        frame = int(random.integers(round(model.rate), len(walk.clip) - round(2 * model.rate)))
        contacts = FootContacts(label_clip(clip).contacts[:, :4])
        try:
            made, seams = insert_clip(walk, Insertion(frame, clip, contacts), Plane())
        except FootfallError:
            refused += 1
            continue
        found.append(_figures(walk, clip, made, (seams.leaves, seams.leaves + seams.ends - seams.begins)))
    rows = [
        ["median", *_column(found, 50)],
        ["90 of 100", *_column(found, 90)],
        ["largest", *_column(found, 100)],
    ]
    larger = np.mean([one.move > one.move_elsewhere for one in found])
    head = ["inserts", "move in seams cm", "elsewhere cm", "acceleration in seams rad/s2", "elsewhere", "slide cm/s"]
    said = (
        f"{len(found)} inserted, {refused} refused; share with the larger move in a seam {100 * larger:.0f} %; "
        f"slide {np.mean([one.slide for one in found]):.2g} cm/s on the mean; "
        f"end {1000 * max(one.end for one in found):.2g} mm."
    )
    return [table(head, rows), said, NOTES]


def _column(found: list[Inserted], percentile: float) -> list[float]:
    """Return a percentile of all figures except the last."""
    names = ("move", "move_elsewhere", "change", "change_elsewhere", "slide")
    return [float(np.percentile([getattr(one, name) for one in found], percentile)) for name in names]


@cache
def _rows(listing: FilePath) -> list[dict[str, str]]:
    """Return the rows of the table of clips."""
    with listing.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _names(setup: Setup) -> list[str]:
    """Return the names of the clips, except walks."""
    return [
        row["file"].removesuffix(".bvh")
        for row in _rows(setup.data / "SPLIT.csv")
        if row["source"] in SOURCES and row["category"] not in ("walk", "terrain", "stairs", "climb", "sit")
    ]


def _walk(model: ControllerModel, seed: int) -> Performance:
    """Return a walk along a curve."""
    along = np.linspace(0.0, WALK_M, 80)
    bend = np.random.default_rng(seed).uniform(-0.8, 0.8) * np.sin(0.7 * along)
    walk = make_walk(model, WalkRequest(Path(np.column_stack([along, bend])), WALK_M_S, seed=seed))
    return walk_performance(walk, model.gaits, 0.0)


def _figures(walk: Performance, clip: Clip, made: Performance, seams: tuple[int, int]) -> Inserted:
    """Return the figures of an insert."""
    rate = made.clip.rate
    reach = round(SEAM_S * rate)
    inside = np.zeros(len(made.clip), dtype=bool)
    for seam in seams:
        inside[max(seam - reach, 0) : seam + reach] = True
    moves, changes = _moves(made.clip), joint_accelerations(made.clip)
    elsewhere = max(_moves(walk.clip).max(), _moves(clip).max())
    held, slides = made.contacts.held, list[float]()
    for side, column in (("L", 1), ("R", 3)):
        steps = 100 * rate * length(np.diff(made.clip.positions[:, made.clip.skeleton.joint(f"toe.{side}")], axis=0))
        slides += list(steps[held[1:, column] & held[:-1, column] & inside[1:]])
    return Inserted(
        float(moves[inside[1:]].max()),
        float(elsewhere),
        float(np.percentile(changes[inside[2:]], 99)),
        float(np.percentile(np.concatenate([joint_accelerations(walk.clip), joint_accelerations(clip)]), 99)),
        float(np.mean(slides)) if slides else 0.0,
        float(length(made.clip.root_positions[-1] - walk.clip.root_positions[-1])),
    )


def _moves(clip: Clip) -> np.ndarray:
    """Return the largest move of a joint between frames (F - 1), cm in 1/60 s."""
    return 100 * length(np.diff(clip.positions, axis=0)).max(axis=1) * clip.rate / 60.0
