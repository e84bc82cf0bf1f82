"""``python -m footfall.benchmarks.quadruped_strips [FILE] --out FILE``: a film strip of a controller of four legs."""

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.walk.path_walk import walk_path
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array
from .figure_painter import Pixels, View, paint_figure
from .quadruped import SHIPPED
from .setup import ROOT
from .strips import write_strip

OUT: Final = ROOT / "docs" / "images" / "animals.png"
FRAMES: Final = 7
STEP_S: Final = 0.09
"""Time between two pictures."""
PICTURE: Final = (110, 170)
"""Height and width of a picture, pixels."""
WAY_M: Final = 9.0
BODY_HEIGHT_RATIO: Final = 2.1
"""Height of a picture in lengths of the legs."""


def strip_rows(model: ControllerModel) -> dict[str, tuple[Array, float]]:
    """Return the paths (N, 2), meters, and speeds, m/s, of the rows by name."""
    line, angle = np.array([[0.0, 0.0], [WAY_M, 0.0]]), np.linspace(0.0, 1.5 * np.pi, 60)
    circle = np.column_stack([np.sin(angle), 1 - np.cos(angle)]) * 1.2
    unit = float(np.sqrt(model.skeleton.leg_length / 0.4))
    return {
        "walk": (line, 0.8 * unit),
        "trot": (line, 1.5 * unit),
        "gallop": (line, 2.2 * unit),
        "turn": (circle, 0.8 * unit),
    }


def paint_rows(model: ControllerModel) -> Pixels:
    """Return the pictures of all rows."""
    rows = []
    for points, speed in strip_rows(model).values():
        clip = walk_path(model, WalkPath(points), speed).clip
        rows.append(_paint_row(clip))
    return np.concatenate(rows, axis=0)


def _paint_row(clip: Clip) -> Pixels:
    """Return the pictures of the middle of a walk, from its right side."""
    start, track = len(clip) // 2, root_track(clip)
    size = BODY_HEIGHT_RATIO * clip.skeleton.leg_length
    pictures = []
    for number in range(FRAMES):
        frame = start + round(number * STEP_S * clip.rate)
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
    write_strip(paint_rows(model), "Four legs, 0.09 s apart", options.out, tuple(strip_rows(model)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
