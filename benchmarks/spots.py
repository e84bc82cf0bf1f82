"""Review spots: the share of added faults indicated by the first spots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..core.labelling import Labels, label_clip
from ..core.labelling.presets import BIPED_PRESET
from ..core.labelling.review.ranking import ReviewSpot, find_review_spots
from ..core.motion.contacts import CONTACT_THRESHOLD
from .faults import Fault, marked, spoilt
from .procedural import Scene, scenes
from .setup import Setup
from .tables import Part, table

TITLE = "Places to look at"
RATE: Final = 60.0
FAULTS: Final = 2
DRAWS: Final = 6
PLACES: Final = 4 / 3
NOTE: Final = """\
Two faults were put into the labels of each of {clips} procedural clips of people (nine seconds, 60 Hz): contacts
lost, doubled, invented, begun 0.12 s early or late, or ended 0.15 s late."""


@dataclass(frozen=True, eq=False)
class Spoilt:
    """A clip with faults in its labels, and its found review spots."""

    faults: Sequence[Fault]
    spots: Sequence[ReviewSpot]

    @staticmethod
    def of(scene: Scene, labels: Labels, generator: np.random.Generator) -> "Spoilt":
        """Return the scene with faults added to its labels."""
        bad, faults = spoilt(labels, FAULTS, generator)
        return Spoilt(faults, find_review_spots(scene.clip, bad, BIPED_PRESET))


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    head = ["noise, cm", "labels", "faults", "found in the first places", "right among the first places"]
    rows: list[list[object]] = []
    count = 0
    for noise in (0.0, 0.005, 0.01):
        people = [one for one in scenes(RATE, noise, np.random.default_rng(0)) if one.legs == "biped"]
        count = len(people)
        for kind, clips in (("exact", _exact(people)), ("found", [(one, label_clip(one.clip)) for one in people])):
            draws = np.array([_draw(clips, draw) for draw in range(DRAWS)])
            rows.append([100 * noise, kind, FAULTS * count, *map(float, draws.mean(axis=0))])
    return [table(head, rows), NOTE.format(clips=count)]


def _exact(people: Sequence[Scene]) -> list[tuple[Scene, Labels]]:
    """Return the scenes with their true contacts, all with the same confidence."""
    return [(one, _unsaid(marked(label_clip(one.clip), _truth(one)))) for one in people]


def _truth(scene: Scene) -> np.ndarray:
    return (
        scene.contacts[:, [scene.contact_joints.index(name) for name in BIPED_PRESET.sensor_names]] > CONTACT_THRESHOLD
    )


def _unsaid(labels: Labels) -> Labels:
    return replace(labels, confidence=np.full_like(labels.confidence, 0.9))


def _draw(clips: Sequence[tuple[Scene, Labels]], draw: int) -> tuple[float, float]:
    """Return the recall and precision of one draw of faults."""
    generator = np.random.default_rng(draw)
    bad = [Spoilt.of(scene, labels, generator) for scene, labels in clips]
    ranked = sorted(_ranked(bad), key=lambda place: -place[0])
    count = sum(len(one.faults) for one in bad)
    reached = set().union(*(faults for _, faults in ranked[: round(PLACES * count)]))
    right = [bool(faults) for _, faults in ranked[:count]]
    return len(reached) / count, float(np.mean(right))


def _ranked(bad: Sequence[Spoilt]) -> Iterator[tuple[float, set[tuple[int, int]]]]:
    """Yield the doubt of each spot, and the faults (clip, number) that it indicates."""
    for clip, one in enumerate(bad):
        for spot in one.spots:
            led = {(clip, number) for number, fault in enumerate(one.faults) if fault.is_told_by(spot, RATE)}
            yield spot.doubt, led
