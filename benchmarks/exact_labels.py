"""Labels of procedural motion compared with its true labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..core.labelling import label_clip
from ..core.labelling.presets import BIPED_PRESET, find_preset
from ..core.motion.rotations import Array
from .label_error import TIME_TOLERANCE_S, contact_f1, phase_error, strike_time_errors
from .procedural import Scene, dropped, scenes
from .tables import Part, figure, table

RATES: Final = (30.0, 60.0, 120.0, 240.0)
NOISES: Final = (0.0, 0.005, 0.01)
USUAL: Final = 60.0
LOST: Final = 0.05
WITHIN: Final = 1 / 60
"""Largest time difference of a correct strike, seconds."""
SHORTEST: Final = max(sensor.shortest for sensor in BIPED_PRESET.sensors)
"""Shortest time of a contact before the end; a later touchdown is not a contact yet."""
REACH: Final = (0.97, 1.0, None, 0.01)

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "walk": ("slow walk", "walk", "brisk walk"),
    "jog, run": ("jog", "run"),
    "turns": ("circle left", "circle right", "sharp turns"),
    "stairs, slopes": ("stairs up", "stairs down", "slope up", "slope down"),
    "limp": ("limp",),
    "side steps": ("side steps",),
    "stand, walk, stand": ("stand, walk, stand",),
    "child, giant": ("child's walk", "giant's walk"),
    "dog": ("dog's walk", "dog's trot"),
}
SCORES: Final = ("contact F1", "strikes within a frame at 60 Hz", "their median error, frames at 60 Hz", "phase error")

NOTES: Final = """\
{scenes} scenes of nine seconds whose feet are put where they are, so that contacts, strikes and phase are known
between frames, too. Noise is white, in each axis of each foot's joints, at every frame."""


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy of one scene's labels: mean F1 of contacts, strikes' gaps (N) in seconds, phase error in cycles."""

    f1: float
    gaps: Array
    phase: float

    @staticmethod
    def of(scene: Scene) -> "Score":
        """Label the scene and return its score."""
        found = label_clip(scene.clip, BIPED_PRESET if scene.legs == "biped" else find_preset(scene.legs))
        strikes = {"L": found.left_strikes, "R": found.right_strikes}
        asked = {side: times[times <= scene.clip.duration - SHORTEST] for side, times in scene.strikes.items()}
        gaps = [strike_time_errors((frames - 0.5) / scene.clip.rate, asked[side]) for side, frames in strikes.items()]
        f1 = contact_f1(found.contacts_of(scene.contact_joints), scene.contacts).mean()
        return Score(float(f1), np.concatenate(gaps), phase_error(found.phase, scene.phase, scene.standing))


def measure() -> list[Part]:
    """Return the tables by rate and noise, and by families."""
    scored = {(rate, noise): _scored(scenes(rate, noise, _generator())) for rate in RATES for noise in NOISES}
    rows = [[rate, 100 * noise, *_with_worst(scores)] for (rate, noise), scores in scored.items()]
    for noise in NOISES:
        generator = _generator()
        holed = _scored(dropped(one, LOST, generator) for one in scenes(USUAL, noise, generator))
        rows.append([f"{USUAL:g}, 1 frame in {1 / LOST:.0f} lost", 100 * noise, *_with_worst(holed)])
    rows.append(
        ["reach", None, *(cell for reach in REACH for cell in ((reach, None) if reach != REACH[2] else (None,)))]
    )
    head = ["Hz", "noise, cm", SCORES[0], "worst", SCORES[1], "worst", SCORES[2], SCORES[3], "worst"]
    by_rate = table(head, rows, "Procedural motion, whose labels are known exactly")
    by_family = [
        [family, 100 * noise, *_mean([scored[USUAL, noise][name] for name in names])]
        for family, names in FAMILIES.items()
        for noise in NOISES
    ]
    families = table([f"family, {USUAL:g} Hz", "noise, cm", *SCORES], [*by_family, ["reach", None, *REACH]])
    return [by_rate, families, NOTES.format(scenes=len(scored[USUAL, 0.0]))]


def _generator() -> np.random.Generator:
    return np.random.default_rng(0)


def _scored(made: Iterable[Scene]) -> dict[str, Score]:
    return {one.name: Score.of(one) for one in made}


def _mean(scores: Sequence[Score]) -> list[float | None]:
    """Return mean F1, share of correct strikes, their median timing error in frames at 60 Hz, and mean phase error."""
    gaps = np.abs(np.concatenate([score.gaps for score in scores]))
    right = gaps <= WITHIN + TIME_TOLERANCE_S
    timing = float(np.median(gaps[right])) / WITHIN if right.any() else None
    f1, phase = (float(np.mean(values)) for values in zip(*((one.f1, one.phase) for one in scores), strict=True))
    return [f1, float(right.mean()), timing, phase]


def _with_worst(scores: Mapping[str, Score]) -> list[object]:
    """Return the means over all scenes, each except the timing with its worst family."""
    means = {family: _mean([scores[name] for name in names]) for family, names in FAMILIES.items()}

    def worst(column: int, sign: float) -> str:
        family = min(means, key=lambda name: sign * (means[name][column] or 0.0))
        return f"{figure(means[family][column])} {family}"

    f1, right, timing, phase = _mean(list(scores.values()))
    return [f1, worst(0, 1.0), right, worst(1, 1.0), timing, phase, worst(3, -1.0)]
