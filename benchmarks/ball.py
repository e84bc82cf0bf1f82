"""The ball inferred from the motion of hands, compared with the captured one.

Held-out clips are those of ``SPLIT.csv``, by the shipped model. All others are inferred by models learned without them,
since too few held-out clips have a dribble, a pass or a layup.
"""

import csv
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from ..core.ball.ball_fitting import infer_ball
from ..core.ball.ball_track import BallTrack, ball_file, read_ball
from ..core.ball.cue_model import SHIPPED_MODEL
from ..core.ball.free_motion import BallPhysics, bounce_velocities, released_arcs, sample_arcs
from ..core.ball.hands import GRAVITY_M_S2
from ..core.ball.learning import CapturedBall, captured_ball, learn_cue_model
from ..core.errors import FootfallError
from ..core.motion import Clip
from ..core.motion.floor import estimate_floor_height
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from ..core.rig.clip_file import read_clip
from .setup import Setup
from .tables import Part, Table, table

TITLE = "The ball of a clip"
SOURCE: Final = "skillmimic_ballplay"
RADIUS_M: Final = 0.105
"""Radius of the captured balls: 10 to 11 cm."""
FOLDS: Final = 5
DUPLICATE: Final = "016pickle_chestpass"
"""A clip with the same ball as ``016pickle_pass_014``: both are held out together."""
KINDS: Final = {
    "dribble": ("lleg", "lrun", "run", "run2", "rturnover", "pick2back", "pick2run"),
    "catch": ("catch",),
    "rebound": ("rebound",),
    "pass": ("pass", "chestpass"),
    "shot": ("shot",),
    "layup": ("layup",),
    "pick up": ("pick",),
}
"""Kinds of clips by the words in their names."""
OTHER_SOURCES: Final = ("cmu_ccbase", "cmu_asfamc", "hdm05_asfamc")
"""Sources with basketball but no captured ball, and with other motion."""
EMPTY_HANDED: Final = ("walk", "run", "turn", "jump")
"""Categories without anything held in a hand."""
NEAR_HAND_S: Final = 0.1
"""Time after a release, or before a catch, during which an open flight is near the hand."""
LYING_HEIGHT_M: Final = 0.2
"""Height of a center below which a ball lies or rolls throughout an open end."""
MIN_GRAVITY_FRAMES: Final = 10
"""Smallest number of frames of a flight for a fit of gravity."""


NOTE: Final = """\
Held-out clips with a captured ball; medians over frames, cm."""


@dataclass(slots=True)
class Tally:
    """Distances in meters, and counts, of one row."""

    clips: int = 0
    unseen: int = 0
    right: int = 0
    wrong: int = 0
    distances: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, values: Array | Sequence[float]) -> None:
        """Add distances or other values to a column."""
        self.distances.setdefault(name, []).extend(float(value) for value in values)

    def median(self, name: str, factor: float = 100.0) -> float | None:
        """Return the median of a column; ``None`` without values."""
        values = self.distances.get(name)
        return float(np.median(values)) * factor if values else None


def measure(setup: Setup) -> list[Part]:
    """Return the section."""
    examples = list(read_examples(setup.data))
    held_out, cross, empty_found, empty, seconds, duration = {}, {}, 0, 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for fold in range(FOLDS):
            trained = [one for one in examples if not one.is_test and one.fold != fold]
            model = Path(folder) / f"{fold}.npz"
            learn_cue_model([one.captured for one in trained], "cross-validation").save(model)
            for one in examples:
                if one.is_test or one.fold != fold or one.track is None:
                    continue
                judge(one, model, cross)
        for one in examples:
            if not one.is_test:
                continue
            if one.track is None:
                empty += 1
                empty_found += not raises(one)
                continue
            start = perf_counter()
            judge(one, SHIPPED_MODEL, held_out)
            seconds, duration = seconds + perf_counter() - start, duration + one.clip.duration
    return [
        rows(held_out, "Held-out clips, by the model that ships"),
        rows(cross, f"The other clips, each by a model learned from clips outside its fold, one of {FOLDS}"),
        without_captured_ball(setup.data, empty, empty_found),
        NOTE,
        f"A second of motion takes {seconds / duration:.2f} s.",
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A clip with its captured ball, if it has one."""

    clip: Clip
    track: BallTrack | None
    captured: CapturedBall
    is_test: bool
    fold: int


def read_examples(data: Path) -> Iterator[Example]:
    """Yield all clips of the source; raise :class:`FootfallError` without data."""
    listing = data / "SPLIT.csv"
    if not listing.is_file():
        raise FootfallError(f"The real clips are not in '{data}': name their folder with --data.")
    with listing.open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if row["source"] == SOURCE]
    for number, row in enumerate(found):
        path = data / row["file"]
        if path.stem == DUPLICATE:
            continue
        clip, captured_file = read_clip(path), ball_file(path)
        track = read_ball(captured_file, clip, RADIUS_M) if captured_file.is_file() else None
        yield Example(clip, track, captured_ball(clip, track), row["split"] == "test", number % FOLDS)


def without_captured_ball(data: Path, empty: int, empty_found: int) -> Table:
    """Return the numbers of clips with a found ball: of other bodies, playing or not, and empty ones of the source.

    Args:
        data: folder of the mocap.
        empty: number of held-out clips of the source without a ball.
        empty_found: number of these with a found ball.
    """
    with (data / "SPLIT.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["source"] in OTHER_SOURCES]
    played = [row["file"] for row in rows if row["category"] == "basketball"]
    others = [row["file"] for row in rows if row["category"] in EMPTY_HANDED and row["split"] == "test"]
    lines: list[list[object]] = []
    for name, files in ((f"basketball of {', '.join(OTHER_SOURCES)}", played), (", ".join(EMPTY_HANDED), others)):
        shares = [held_share(read_clip(data / file)) for file in files]
        lines.append([name, len(files), sum(share > 0 for share in shares), round(100 * float(np.median(shares)))])
    lines.append([f"{SOURCE} without a ball", empty, empty_found, None])
    return table(["clips", "number", "ball found", "held in frames of the median one, %"], lines, "No captured ball")


def held_share(clip: Clip) -> float:
    """Return the share of a clip's frames with an inferred ball in a hand; 0 if none is found."""
    try:
        contacts = infer_ball(clip, floor=estimate_floor_height(clip)).track.contacts
    except FootfallError:
        return 0.0
    return float(contacts.any(axis=1).mean())


def kind_of(name: str) -> str:
    """Return the kind of a clip by its name, such as ``018pickle_run_3``."""
    word = name.split("_")[1]
    return next(kind for kind, words in KINDS.items() if word in words)


def raises(example: Example) -> bool:
    """Return whether no ball is found in a clip."""
    try:
        infer_ball(example.clip, RADIUS_M)
    except FootfallError:
        return True
    return False


def judge(example: Example, model: Path, tallies: dict[str, Tally]) -> None:
    """Infer a clip's ball and add its distances from the captured one to the rows of its kind and of all."""
    assert example.track is not None
    own = [tallies.setdefault(name, Tally()) for name in (kind_of(example.clip.name), "all")]
    captured = example.track
    try:
        inferred = infer_ball(example.clip, RADIUS_M, model_file=model).track
    except FootfallError:
        for tally in own:
            tally.clips, tally.unseen = tally.clips + 1, tally.unseen + 1
            tally.wrong += int(captured.contacts.sum())
        return
    distance = np.linalg.norm(inferred.positions - captured.positions, axis=1)
    for tally in own:
        tally.clips += 1
        tally.right += int((inferred.contacts & captured.contacts).sum())
        tally.wrong += int((inferred.contacts ^ captured.contacts).sum())
        hands = captured.contacts.sum(axis=1)
        tally.add("held", distance[hands > 0])
        tally.add("one", distance[hands == 1])
        tally.add("both", distance[hands == 2])
        for start, stop in runs_of(hands == 0):
            add_free(tally, captured, inferred, distance, int(start), int(stop))


def add_free(tally: Tally, captured: BallTrack, inferred: BallTrack, distance: Array, start: int, stop: int) -> None:
    """Add the distances of frames between contacts, and the gravity in them."""
    frames, part = len(captured), slice(start, stop)
    near = round(NEAR_HAND_S * captured.rate)
    if start > 0 and stop < frames:
        tally.add("between", distance[part])
        tally.add("exact ends", exact_end_distances(captured, start, stop))
    elif start == 0 and captured.positions[part, 2].max() < LYING_HEIGHT_M:
        tally.add("lying", distance[part])
        return
    else:
        tally.add("open", distance[part])
        if start > 0:
            tally.add("near", distance[start : min(start + near, stop)])
        if stop < frames:
            tally.add("near", distance[max(stop - near, start) : stop])
    if captured.positions[part, 2].min() > LYING_HEIGHT_M and stop - start >= MIN_GRAVITY_FRAMES:
        tally.add("captured gravity", [fitted_gravity(captured, start, stop)])
        if not inferred.contacts[part].any() and inferred.positions[part, 2].min() > LYING_HEIGHT_M:
            tally.add("gravity", [fitted_gravity(inferred, start, stop)])


def exact_end_distances(captured: BallTrack, start: int, stop: int) -> Array:
    """Return the distance of a bounce between the captured ends of a free segment from the captured ball, by frame."""
    physics = BallPhysics(GRAVITY_M_S2, captured.radius)
    times = np.arange(start - 1, stop + 1) / captured.rate
    first, last = captured.positions[start - 1], captured.positions[stop]
    velocity = bounce_velocities(first, last, np.asarray(times[-1] - times[0]), physics)[0]
    arcs = released_arcs(float(times[0]), first, velocity, float(times[-1]), physics)
    return np.linalg.norm(sample_arcs(arcs, times, physics)[1:-1] - captured.positions[start:stop], axis=1)


def fitted_gravity(track: BallTrack, start: int, stop: int) -> float:
    """Return the downward acceleration of a parabola through the heights of some frames, m/s^2."""
    times = np.arange(stop - start) / track.rate
    return -2.0 * float(np.polyfit(times, track.positions[start:stop, 2], 2)[0])


def rows(tallies: dict[str, Tally], title: str) -> Table:
    """Return the table of some tallies, by kind."""
    head = ["kind", "clips", "not found", "contacts F1", "at contacts", "one hand", "both", "between hands"]
    head += ["exact ends", "open", "near", "lying", "gravity, inferred", "captured"]
    lines = []
    for kind in (*KINDS, "all"):
        if kind not in tallies:
            continue
        tally = tallies[kind]
        columns = ("held", "one", "both", "between", "exact ends", "open", "near", "lying")
        cells = [tally.median(name) for name in columns]
        gravity = [tally.median(name, 1.0) for name in ("gravity", "captured gravity")]
        score = 2 * tally.right / max(2 * tally.right + tally.wrong, 1)
        lines.append([kind, tally.clips, tally.unseen, score, *cells, *gravity])
    return table(head, lines, title)
