"""Realism: separation of bakes from captured walks of the same bodies, courses and speeds, by single features."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array
from ..core.motion.signals import Mask
from .measures.realism import FeatureSpace, RealismReport, actor_floor, measure_realism, one_actor_gap
from .setup import Setup
from .strips import OUT, TOPICS, write_strips
from .tables import IMAGES, Part, Picture, table
from .walk_pairs import Captured, bake_pairs, captured_walks

TITLE = "Realism"
SPEEDS_M_S: Final = (0.5, 2.2)
WORST: Final = 5

NOTES = """\
*Gap* is the mean over {features} features of the distance of their AUC from 0.5: 0 cannot be told apart, 0.5 is told
by each of them."""


@dataclass(frozen=True, eq=False)
class Windows:
    """Features of captured walks and their bakes.

    Attributes:
        names: names of the features (N).
        captured: (W, N) features of the captured windows.
        actors: actor of each captured window (W).
        made: (V, N) features of the bakes.
        tested: (V) whether the captured walk of a bake was held out of every training.
    """

    names: tuple[str, ...]
    captured: Array
    actors: tuple[str, ...]
    made: Array
    tested: Mask


def measure(setup: Setup) -> list[Part]:
    """Return the section's table and the film strips."""
    model = setup.model()
    walks = captured_walks(setup, SPEEDS_M_S, straight_share=0.0)
    windows = pair_windows(setup, model, walks)
    tested = measure_realism(windows.captured, windows.made[windows.tested], windows.names, WORST)
    count = len(windows.captured)
    rows = [
        _row("Footfall", len(windows.made), realism_of(windows)),
        _row("Footfall, on bodies and courses of test clips", int(windows.tested.sum()), tested),
        ["mocap: half of the actors against the other half", count, actor_floor(windows.captured, windows.actors)],
        ["mocap: one actor against the others", count, one_actor_gap(windows.captured, windows.actors)],
    ]
    notes = NOTES.format(features=len(windows.names))
    strips = write_strips(model, setup.data, OUT)
    titles = {topic.name: topic.title for topic in TOPICS}
    pictures = [
        Picture(f"{titles[file.stem]}, people above Footfall", file.relative_to(IMAGES).as_posix()) for file in strips
    ]
    head = ["windows of", "windows", "gap", "features beyond 0.1 / 0.9", "worst"]
    rows = [[*row, *[None] * (len(head) - len(row))] for row in rows]
    return [table(head, rows), notes, *pictures]


def pair_windows(setup: Setup, model: ControllerModel, walks: list[Captured]) -> Windows:
    """Return the windows of captured walks and of their bakes.

    Args:
        setup: source of the clips.
        model: the controller.
        walks: captured walks.
    """
    space = FeatureSpace.of([walk.clip for walk in walks])
    unseen = {file.stem for file in setup.clips("walk", "turn", split="test")}
    captured = [space.features(walk.clip) for walk in walks]
    made = [space.features(clip) for clip in bake_pairs(model, walks)]
    return Windows(
        space.names,
        np.concatenate(captured),
        tuple(walk.actor for walk, rows in zip(walks, captured, strict=True) for _ in rows),
        np.concatenate(made),
        np.array([walk.name in unseen for walk, rows in zip(walks, made, strict=True) for _ in rows]),
    )


def realism_of(windows: Windows) -> RealismReport:
    """Return the gap between all captured windows and all bakes."""
    return measure_realism(windows.captured, windows.made, windows.names, WORST)


def _row(title: str, count: int, report: RealismReport) -> list[object]:
    """Return a row of the table."""
    worst = "; ".join(f"{name} {chance:.2f}" for name, chance in report.worst)
    return [title, count, report.gap, report.extreme_count, worst]
