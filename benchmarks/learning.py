"""Learning of the detector from corrected clips: contacts of uncorrected clips, before and after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.labelling import Labels
from ..core.labelling.contacts.detection import find_contacts
from ..core.labelling.labeller import prepare_clip
from ..core.labelling.learning import CorrectedClip, refit_preset
from ..core.labelling.presets import BIPED_PRESET, LabellingPreset
from ..core.motion import Clip
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.rotations import Array
from .hand_labels import HandLabels, read_hand_clip, read_hand_labels
from .label_error import contact_f1
from .procedural import Scene, scenes
from .setup import Setup
from .tables import Part, table

TITLE = "Learning from corrections"
RATE: Final = 60.0
NOISE: Final = 0.005
CORRECTED: Final = (1, 2, 4, 6)
DRAWS: Final = 4
STARTS: Final = (("as shipped", 1.0), ("twice", 2.0), ("half", 0.5), ("four times", 4.0), ("a quarter", 0.25))
REAL_STARTS: Final = STARTS[:3]

NOTE: Final = """\
Contacts of heels and toes in the clips that were *not* corrected, mean of 4 draws. 17 clips are procedural, with
exact contacts; 12 are real, checked by eye."""


@dataclass(frozen=True, eq=False)
class Taught:
    """A clip with known contacts: a user's corrections of its labels.

    Attributes:
        example: the corrected clip; its unknown frames are not compared.
        truth: its contacts (F, C).
    """

    example: CorrectedClip
    truth: NDArray[np.bool_]

    @staticmethod
    def of(clip: Clip, truth: NDArray[np.bool_], known: NDArray[np.bool_], phase: Array) -> "Taught":
        """Return a clip of F frames with contacts (F, C) corrected in all known frames (F, C)."""
        standing, nowhere = np.ones((len(clip), 1)), np.zeros(0, dtype=np.intp)
        contacts = truth.astype(float)
        labels = Labels(
            clip.rate, BIPED_PRESET.sensor_names, contacts, phase, ("stand",), standing, nowhere, nowhere, 0.0
        )
        return Taught(CorrectedClip(clip, labels, known.astype(float)), truth)

    def scores(self, preset: LabellingPreset) -> tuple[float, float]:
        """Return the mean F1 of a preset's detected contacts, and the log loss (nats) of its probabilities."""
        ready = prepare_clip(self.example.clip, preset)
        found = find_contacts(ready.clip, preset, {}, ready.skate_speed)
        known = self.example.mark_weights > 0
        odds = np.clip(np.where(self.truth, found.probability, 1 - found.probability), 1e-3, 1.0)
        # Unknown contacts are off in both, which does not affect the F1.
        f1 = contact_f1((found.state & known).astype(float), (self.truth & known).astype(float))
        return float(f1.mean()), float(-np.log(odds[known]).mean())


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    exact = [taught(one) for one in scenes(RATE, NOISE, np.random.default_rng(0)) if one.legs == "biped"]
    real = [checked(hand, read_hand_clip(hand, setup.data)) for hand in read_hand_labels()]
    head = ["clips", "thresholds to begin with", "corrected", "F1 before", "F1 after", "log loss before", "after"]
    rows = [["procedural", *row] for row in _rows(exact, STARTS)]
    rows += [["real", *row] for row in _rows(real, REAL_STARTS)]
    return [table(head, rows), NOTE]


def taught(scene: Scene) -> Taught:
    """Return a procedural scene, completely corrected."""
    truth = (
        scene.contacts[:, [scene.contact_joints.index(name) for name in BIPED_PRESET.sensor_names]] > CONTACT_THRESHOLD
    )
    return Taught.of(scene.clip, truth, np.ones(truth.shape, dtype=bool), scene.phase)


def checked(hand: HandLabels, clip: Clip) -> Taught:
    """Return a real clip, corrected in the frames that were checked and are certain."""
    columns, ranged = [hand.joints.index(name) for name in BIPED_PRESET.sensor_names], slice(hand.first, hand.last + 1)
    truth, known = np.zeros((2, len(clip), len(columns)), dtype=bool)
    truth[ranged], known[ranged] = hand.contacts[:, columns], ~hand.unsure[:, columns]
    return Taught.of(clip, truth, known, np.zeros(len(clip)))


def _rows(clips: Sequence[Taught], starts: Sequence[tuple[str, float]]) -> Iterator[list[object]]:
    for name, factor in starts:
        sensors = (replace(one, speed=one.speed * factor, height=one.height * factor) for one in BIPED_PRESET.sensors)
        start = replace(BIPED_PRESET, sensors=tuple(sensors))
        before = np.array([clip.scores(start) for clip in clips])
        for count in CORRECTED:
            f1, loss = np.mean([_drawn(clips, start, before, count, draw) for draw in range(DRAWS)], axis=0).T
            yield [name, count, *map(float, f1), *map(float, loss)]


def _drawn(
    clips: Sequence[Taught], start: LabellingPreset, before: NDArray[np.float64], count: int, draw: int
) -> NDArray[np.float64]:
    """Return the scores before and after (F1 and log loss) of the clips outside one draw of corrected clips."""
    order = np.random.default_rng(draw).permutation(len(clips))
    learned = refit_preset(start, [clips[index].example for index in order[:count]])
    others = order[count:]
    after = np.array([clips[index].scores(learned) for index in others])
    return np.stack([before[others].mean(axis=0), after.mean(axis=0)])
