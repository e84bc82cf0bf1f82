"""Gait at every speed, and compared with captured walks of the same body, course and speed."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ..core.evaluation.gait_analysis import GAIT_MEASURES, GaitReport, analyze_gait, mean_gait
from ..core.evaluation.usual_cadence import usual_cadence
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.rig.clip_file import read_clip
from .baking import WalkTask, bake_all, off_path_cm, straight
from .setup import Setup
from .tables import Part, Table, figure, table
from .walk_pairs import ACTED, bake_pairs, captured_walks, spread_out

TITLE = "Gait"
SPEEDS: Final = (0.4, 0.8, 1.2, 1.4, 1.6, 1.8, 1.9, 2.0, 2.1, 2.3, 2.6, 3.0, 4.0)
LENGTH_M: Final = 40.0
PAIRS: Final = 16
PIECE_S: Final = 4.0
"""Length of the pieces of long captured takes, to get a steady speed in each."""
TAKES: Final = ("o3de_rin/walk", "o3de_rin/run")
SHORT_CLIPS: Final = ("cmu_asfamc/walk", "cmu_asfamc/run", "accad_male1/run")
SINGLE_CLIPS: Final = ("accad_male1/walk/Male1_B3_Walk.bvh",)
SPEED_BAND: Final = 0.08
"""Largest relative difference of a captured stride's speed from that of its column."""
MIN_SPEED_BAND_M_S: Final = 0.1
"""The same for slow speeds, m/s."""
SPREAD: Final = (5, 95)
"""Percentiles of captured walks in the table of pairs."""

COLUMNS: Final = tuple(key for key in GAIT_MEASURES if key not in ("strides", "speed_m_s"))

NOTES = f"Straight on for {LENGTH_M:.0f} m; Footfall / people."
PAIR_NOTES = """\
{pairs} captured walks of {actors} CMU actors at 1.0 to 1.4 m/s, and bakes of the same bodies along the same courses
at the same speeds."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = setup.model()
    people = captured_gaits(setup)
    walks = walk_speeds(model, [straight(LENGTH_M)] * len(SPEEDS))
    captured = spread_out(captured_walks(setup), PAIRS)
    real = [analyze_gait(walk.clip) for walk in captured]
    made = [analyze_gait(clip) for clip in bake_pairs(model, captured)]
    notes = PAIR_NOTES.format(pairs=len(captured), actors=len({walk.actor for walk in captured}))
    return [speed_table(walks, people), NOTES, pair_table(real, made), notes]


def walk_speeds(
    model: ControllerModel, paths: Sequence[np.ndarray], speeds: Sequence[float] = SPEEDS, seed: int = 0
) -> dict[float, tuple[GaitReport, float]]:
    """Return the gait, and the mean distance from the path in cm, by speed.

    Args:
        model: the controller.
        paths: the straight path (2, 2) of each speed, meters.
        speeds: commanded speeds, m/s.
        seed: seed of the walks.
    """
    clips = bake_all(model, [WalkTask(path, speed, seed) for path, speed in zip(paths, speeds, strict=True)])
    return {
        speed: (analyze_gait(clip), float(off_path_cm(clip, path).mean()))
        for speed, clip, path in zip(speeds, clips, paths, strict=True)
    }


def captured_gaits(setup: Setup, speeds: Sequence[float] = SPEEDS) -> dict[float, GaitReport]:
    """Return the mean gait of captured people at each speed, on their own skeletons.

    Args:
        setup: source of the clips.
        speeds: m/s.
    """
    found: dict[float, list[GaitReport]] = {speed: [] for speed in speeds}
    for clip in captured_clips(setup):
        for speed, reports in found.items():
            band = max(SPEED_BAND * speed, MIN_SPEED_BAND_M_S)
            report = analyze_gait(clip, (speed - band, speed + band))
            if report["strides"]:
                reports.append(report)
    return {speed: mean_gait(reports) for speed, reports in found.items()}


def captured_clips(setup: Setup) -> list[Clip]:
    """Return captured walks and runs, with long takes in pieces."""
    next(setup.clips("walk"))  # raises an error without data
    clips = []
    for folder in SHORT_CLIPS:
        clips += [read_clip(file) for file in sorted((setup.data / folder).glob("*.bvh")) if file.stem not in ACTED]
    clips += [read_clip(setup.data / file) for file in SINGLE_CLIPS]
    clips = [clip.resampled(60.0) for clip in clips]
    for folder in TAKES:
        for file in sorted((setup.data / folder).glob("*.bvh")):
            take = read_clip(file).resampled(60.0)
            size = round(PIECE_S * take.rate)
            clips += [take.cut(start, start + size) for start in range(0, len(take) - size, size)]
    return clips


def speed_table(walks: Mapping[float, tuple[GaitReport, float]], people: Mapping[float, GaitReport]) -> Table:
    """Return the table of gait with a column for each speed; cells are Footfall / people."""
    rows: list[list[object]] = [
        ["speed m/s", *(gait["speed_m_s"] for gait, _ in walks.values())],
        ["cross-track mean cm", *(off for _, off in walks.values())],
        ["cadence of people", *("{:.0f} to {:.0f}".format(*usual_cadence(speed)) for speed in walks)],
    ]
    for key in COLUMNS:
        cells = (f"{short(gait[key])} / {short(people[speed][key])}" for speed, (gait, _) in walks.items())
        rows.append([GAIT_MEASURES[key], *cells])
    rows.append(["strides", *(f"{_count(gait)} / {_count(people[speed])}" for speed, (gait, _) in walks.items())])
    return table(["commanded m/s", *(f"{speed:g}" for speed in walks)], rows)


def pair_table(real: Sequence[GaitReport], made: Sequence[GaitReport]) -> Table:
    """Return the table of captured walks and their bakes."""
    rows: list[list[object]] = []
    means = mean_gait(real), mean_gait(made)
    for key in COLUMNS:
        known = np.array([value for report in real if (value := report[key]) is not None])
        first, second = means[0][key], means[1][key]
        spread = " to ".join(short(float(value)) for value in np.percentile(known, SPREAD)) if len(known) else None
        deviation = float(known.std(ddof=1)) if len(known) > 1 else 0.0
        off = (second - first) / deviation if first is not None and second is not None and deviation else None
        rows.append([GAIT_MEASURES[key], first, spread, second, off])
    return table(["measure", "people", "5 to 95 %", "Footfall", "off"], rows)


def short(value: float | None) -> str:
    """Return a number with the digits useful for gait; a dash if missing."""
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 30 else figure(round(value, 2 if abs(value) < 2 else 1))


def _count(gait: GaitReport) -> int:
    """Return the number of strides of a report."""
    return int(gait["strides"] or 0)
