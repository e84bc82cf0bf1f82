"""``strike``: generate attacks that hit given targets at given frames."""

import argparse
from pathlib import Path
from typing import Final

from . import options as option_types

HELP = "Make a character walk to targets and strike each at its frame, and write the motion as BVH"
EXAMPLES = """\
examples:
  python -m footfall strike --targets targets.csv --out fight.bvh
  python -m footfall strike --targets targets.csv --start 0 -3 --end 0 -4 --out fight.bvh --json
  python -m footfall strike --targets targets.csv --controller run/model.safetensors --network-alone --out alone.bvh

targets.csv has frame, x, y, z, effector on each line: the frame, at 60 Hz, at which the end effector (hand.L,
hand.R, foot.L or foot.R) is at the point, in meters. The character stands at --start, walks to the targets, strikes,
and walks to --end. A strike that is impossible is reported, with the missing distance or time, before anything is
written."""

SHIPPED_CONTROLLER: Final = Path(__file__).parent.parent / "presets" / "strikes" / "strikes.safetensors"
"""The shipped controller of attacks."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--targets", required=True, type=Path, metavar="CSV", help="targets: frame, x, y, z, effector on each line"
    )
    parser.add_argument("--out", required=True, type=option_types.output_file, metavar="BVH", help="BVH file to write")
    parser.add_argument(
        "--start",
        type=option_types.finite_float,
        nargs=2,
        default=(0.0, 0.0),
        metavar=("X", "Y"),
        help="position at which the character starts, meters (default: 0 0)",
    )
    parser.add_argument(
        "--end",
        type=option_types.finite_float,
        nargs=2,
        metavar=("X", "Y"),
        help="position to which the character walks at the end, meters (default: stay in guard)",
    )
    parser.add_argument(
        "--controller", type=Path, default=SHIPPED_CONTROLLER, metavar="FILE", help="controller file (default: strikes)"
    )
    parser.add_argument(
        "--network-alone", action="store_true", help="keep the place and time that the network gives each strike"
    )


def run(options: argparse.Namespace) -> int:
    """Generate walk and attacks, write the motion and return the exit code."""
    import numpy as np

    from ..core.control.strike.fight import Fighter
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from .output import print_result
    from .targets import read_targets
    from .walk import shipped_controller

    fighter = Fighter(load_model(shipped_controller(options.controller)), load_model(shipped_controller()))
    orders = read_targets(options.targets)
    end = np.array(options.end) if options.end else None
    fight = fighter.fight(orders, np.array(options.start), end, exact=not options.network_alone)
    write_bvh(options.out, fight.clip)
    print_result(
        {
            "out": str(options.out),
            "controller": str(options.controller),
            "frames": len(fight.clip),
            "frame_rate": fight.clip.rate,
            "seconds": fight.clip.duration,
            "strikes": len(fight.strikes),
            "walks": fight.walks,
            "largest_miss_mm": round(1000 * max(one.miss for one in fight.strikes), 2),
            "network_distance_cm": [round(100 * one.attack.unaimed, 1) for one in fight.strikes],
            "aimed_distance_cm": [round(100 * one.attack.distance, 1) for one in fight.strikes],
        },
        options.json,
    )
    return 0
