"""What the detector learns from corrected clips: contacts of clips that nobody corrected, before and after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.evaluation.label_error import contact_f1
from ..core.labelling import Labels
from ..core.labelling.contacts import find_contacts
from ..core.labelling.labeller import prepare
from ..core.labelling.learning import Example, learn
from ..core.labelling.presets import BIPED, LabellingPreset
from .document import table
from .procedural import Scene, scenes
from .setup import Setup

TITLE = "Learning from corrections"
RATE: Final = 60.0
NOISE: Final = 0.005
CORRECTED: Final = (1, 2, 4, 6)
DRAWS: Final = 4
STARTS: Final = (("as shipped", 1.0), ("twice", 2.0), ("half", 0.5), ("four times", 4.0), ("a quarter", 0.25))

NOTE: Final = (
    "Contacts of heels and toes in the clips that were *not* corrected, mean of {draws} draws of the corrected ones "
    "from {clips} procedural clips of people (60 Hz, noise of 5 mm) whose contacts are known exactly. Speed and height "
    "of the shipped preset *biped* were multiplied by the factor. Log loss is that of the probabilities, in nats."
)


@dataclass(frozen=True, eq=False)
class Taught:
    """A clip whose contacts are known: what a user would make of its labels."""

    example: Example
    truth: NDArray[np.bool_]

    def scores(self, preset: LabellingPreset) -> tuple[float, float]:
        """Mean F1 of the contacts that a preset finds, and the log loss (nats) of its probabilities."""
        ready = prepare(self.example.clip, preset)
        found = find_contacts(ready.clip, preset, {}, ready.swimming)
        odds = np.clip(np.where(self.truth, found.probability, 1 - found.probability), 1e-3, 1.0)
        return float(contact_f1(found.state.astype(float), self.truth.astype(float)).mean()), float(
            -np.log(odds).mean()
        )


def measure(setup: Setup) -> str:
    """The section's table."""
    generator = np.random.default_rng(0)
    clips = [taught(one) for one in scenes(RATE, NOISE, generator) if one.legs == "biped"]
    head = ["thresholds to begin with", "clips corrected", "F1 before", "F1 after", "log loss before", "log loss after"]
    return f"{table(head, _rows(clips))}\n\n{NOTE.format(draws=DRAWS, clips=len(clips))}"


def taught(scene: Scene) -> Taught:
    """A procedural scene, all of it corrected."""
    order = [scene.contact_joints.index(name) for name in BIPED.sensor_names]
    truth, frames, nowhere = scene.contacts[:, order], len(scene.clip), np.zeros(0, dtype=np.intp)
    standing = np.ones((frames, 1))
    labels = Labels(RATE, BIPED.sensor_names, truth, scene.phase, ("stand",), standing, nowhere, nowhere, 0.0)
    return Taught(Example(scene.clip, labels, np.ones(truth.shape)), truth > 0.5)


def _rows(clips: Sequence[Taught]) -> Iterator[list[object]]:
    for name, factor in STARTS:
        sensors = (replace(one, speed=one.speed * factor, height=one.height * factor) for one in BIPED.sensors)
        start = replace(BIPED, sensors=tuple(sensors))
        before = np.array([clip.scores(start) for clip in clips])
        for count in CORRECTED:
            f1, loss = np.mean([_drawn(clips, start, before, count, draw) for draw in range(DRAWS)], axis=0).T
            yield [name, count, *map(float, f1), *map(float, loss)]


def _drawn(
    clips: Sequence[Taught], start: LabellingPreset, before: NDArray[np.float64], count: int, draw: int
) -> NDArray[np.float64]:
    """Scores (before and after; F1 and log loss) on the clips that one draw of corrected clips leaves."""
    order = np.random.default_rng(draw).permutation(len(clips))
    learned = learn(start, [clips[index].example for index in order[:count]])
    others = order[count:]
    after = np.array([clips[index].scores(learned) for index in others])
    return np.stack([before[others].mean(axis=0), after.mean(axis=0)])
