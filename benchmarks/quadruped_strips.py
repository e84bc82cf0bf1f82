"""``python -m footfall.benchmarks.quadruped_strips [FILE] --out FILE``: a film strip of a quadruped controller."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.path.path_events import Cues, CueSpan, Wait
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest, model_styles
from ..core.features.rest import REST_GAITS
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from ..training.quadruped.gait_table import PACE
from .figure_painter import Pixels, View, paint_figure
from .quadruped import SHIPPED
from .setup import ROOT
from .strips import write_strip

OUT: Final = ROOT / "docs" / "images" / "animals.png"
FRAMES: Final = 7
STEP_S: Final = 0.09
"""Time between two pictures."""
REST_STEP_S: Final = 0.25
"""The same for sitting or lying down."""
WAIT_S: Final = 5.0
"""Time of rest."""
STILL_M_S: Final = 0.05
"""Speed below which it stands."""
PICTURE: Final = (110, 170)
"""Height and width of a picture, pixels."""
WAY_M: Final = 9.0
BODY_HEIGHT_RATIO: Final = 2.1
"""Height of a picture in leg lengths."""


@dataclass(frozen=True)
class Row:
    """A row of the strip.

    Attributes:
        points: (N, 2) the path, meters.
        speed: m/s.
        style: style of the controller; a resting style applies to a wait in the middle.
        step_s: time between two pictures.
    """

    points: Array
    speed: float
    style: str = ""
    step_s: float = STEP_S


def strip_rows(model: ControllerModel) -> dict[str, Row]:
    """Return the rows by name."""
    line, angle = np.array([[0.0, 0.0], [WAY_M, 0.0]]), np.linspace(0.0, 1.5 * np.pi, 60)
    circle = np.column_stack([np.sin(angle), 1 - np.cos(angle)]) * 1.2
    unit = float(np.sqrt(model.skeleton.leg_length / 0.4))
    rows = {
        "walk": Row(line, 0.8 * unit),
        "trot": Row(line, 1.5 * unit),
        "gallop": Row(line, 2.2 * unit),
        "turn": Row(circle, 0.8 * unit),
    }
    styles = model_styles(model)
    if PACE in styles:
        rows["pace"] = Row(line, unit, PACE)
    rows |= {name: Row(line / 3, 0.8 * unit, name, REST_STEP_S) for name in REST_GAITS if name in styles}
    return rows


def paint_rows(model: ControllerModel) -> Pixels:
    """Return the pictures of all rows."""
    return np.concatenate([_paint_row(row, _walk(model, row)) for row in strip_rows(model).values()], axis=0)


def _walk(model: ControllerModel, row: Row) -> Clip:
    """Return the walk of a row."""
    path = WalkPath(row.points)
    if row.style not in REST_GAITS:
        return make_walk(model, WalkRequest(path, row.speed, style=row.style)).clip
    middle = path.length / 2
    cues = Cues((CueSpan(middle - 0.2, middle + 0.2, style=row.style),), (Wait(middle, WAIT_S),))
    return make_walk(model, WalkRequest(path, row.speed, cues=cues)).clip


def _paint_row(row: Row, clip: Clip) -> Pixels:
    """Return the pictures of the middle of a walk, or of an animal coming to rest, from its right side."""
    track = root_track(clip)
    slow = np.linalg.norm(np.gradient(track.positions, 1 / clip.rate, axis=0), axis=-1) < STILL_M_S
    longest = max(runs_of(slow), key=lambda run: run[1] - run[0], default=(0, 0))
    start = int(longest[0]) if row.style in REST_GAITS else len(clip) // 2
    size = BODY_HEIGHT_RATIO * clip.skeleton.leg_length
    pictures = []
    for number in range(FRAMES):
        frame = start + round(number * row.step_s * clip.rate)
        x, y = map(float, track.positions[frame])
        facing_x, facing_y = map(float, facing_direction(np.array(track.yaws[frame])))
        view = View((x, y, 0.45 * size), (facing_x, facing_y), 0.12, PICTURE[0], PICTURE[1], size)
        pictures.append(paint_figure(clip, frame, view))
    return np.concatenate(pictures, axis=1)


def main(arguments: list[str] | None = None) -> int:
    """Write the strip."""
    parser = argparse.ArgumentParser("python -m footfall.benchmarks.quadruped_strips", description=__doc__)
    parser.add_argument("controller", nargs="?", type=Path, default=SHIPPED, metavar="FILE")
    parser.add_argument("--out", type=Path, default=OUT, metavar="FILE")
    options = parser.parse_args(arguments)
    model = load_model(options.controller)
    write_strip(paint_rows(model), "Four legs, 0.09 s apart; sit and lie 0.25 s", options.out, tuple(strip_rows(model)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
