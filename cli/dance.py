"""``dance``: make two characters dance along a path."""

import argparse
from pathlib import Path
from typing import Final

from . import options as option_types

HELP = "Make two characters dance together along a path, and write both motions as BVH"
EXAMPLES = """\
examples:
  python -m footfall dance --path points.csv --out leader.bvh follower.bvh
  python -m footfall dance --path points.csv --speed 0.1 --seed 4 --out leader.bvh follower.bvh
  python -m footfall dance --path points.csv --controller run/model.safetensors --figures tango.npz --out a.bvh b.bvh

points.csv has x, y in meters on each line: the path of the pair's middle. Captured pairs hardly travel, so speeds are
low. Figures are made with `make-dance-figures`, controllers with `train --preset presets/dances/salsa.toml`; both ship
for salsa."""

DANCES_FOLDER: Final = Path(__file__).parent.parent / "presets" / "dances"
SHIPPED_CONTROLLER: Final = DANCES_FOLDER / "salsa.safetensors"
"""The shipped controller of dancing pairs."""
SHIPPED_FIGURES: Final = DANCES_FOLDER / "salsa.npz"
"""The shipped dance figures."""
DEFAULT_SPEED_M_S: Final = 0.15
PROGRESS_INTERVAL_FRAMES: Final = 30
"""Frames between two progress updates."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        required=True,
        type=Path,
        metavar="CSV",
        help="path of the center of the pair: x, y in meters on each line",
    )
    parser.add_argument(
        "--out",
        required=True,
        type=option_types.output_file,
        nargs=2,
        metavar=("LEADER", "FOLLOWER"),
        help="the two BVH files to write",
    )
    parser.add_argument(
        "--speed",
        type=option_types.positive_float,
        default=DEFAULT_SPEED_M_S,
        metavar="M/S",
        help="speed along the path, m/s (default: %(default)s)",
    )
    parser.add_argument(
        "--controller", type=Path, default=SHIPPED_CONTROLLER, metavar="FILE", help="controller file (default: salsa)"
    )
    parser.add_argument(
        "--figures", type=Path, default=SHIPPED_FIGURES, metavar="NPZ", help="dance figures (default: salsa)"
    )
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, help="random seed (default: %(default)s)"
    )
    parser.add_argument(
        "--network-alone",
        action="store_true",
        help="keep the motion as the network generates it, without joining hands and separating bodies",
    )


def run(options: argparse.Namespace) -> int:
    """Generate the dance, write both partners' motions and return the exit code."""
    from ..core.control.pair.choreography import compose_dance
    from ..core.control.pair.dance_figures import DanceFigures
    from ..core.control.pair.dance_refinement import refine_dance
    from ..core.control.pair.partner_dance import PartnerDance
    from ..core.control.path.path import Path as DancePath
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from .output import print_result
    from .points import read_points
    from .progress import ProgressBar

    model, path = load_model(options.controller), DancePath(read_points(options.path))
    choreography = compose_dance(DanceFigures.load(options.figures), path, options.speed, options.seed, model.rate)
    rollout = PartnerDance(model, choreography, options.seed)
    with ProgressBar("dance", "frames") as progress:
        while rollout.advance(PROGRESS_INTERVAL_FRAMES):
            progress(rollout.frames_done, rollout.total_frames)
        progress(rollout.frames_done, rollout.total_frames)
    dance = rollout.finish() if options.network_alone else refine_dance(rollout.finish())
    for file, dancer in zip(options.out, (dance.leader, dance.follower), strict=True):
        write_bvh(file, dancer.clip)
    print_result(
        {
            "leader": str(options.out[0]),
            "follower": str(options.out[1]),
            "controller": str(options.controller),
            "figures": str(options.figures),
            "frames": len(dance.leader.clip),
            "frame_rate": dance.leader.clip.rate,
            "seconds": dance.leader.clip.duration,
            "path_length_m": path.length,
        },
        options.json,
    )
    return 0
