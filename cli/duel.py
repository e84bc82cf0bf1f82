"""``duel``: generate the motions of two characters that fight each other."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import options as option_types
from .strike import SHIPPED_CONTROLLER

if TYPE_CHECKING:
    from ..core.motion import Clip

HELP = "Make characters strike each other at chosen frames, and write the motion of each as BVH"
EXAMPLES = """\
examples:
  python -m footfall duel --beats beats.json --out a.bvh b.bvh
  python -m footfall duel --beats beats.json --out a.bvh b.bvh --json

beats.json has characters with their positions, and beats with their frames at 60 Hz:

  {"characters": [{"name": "A", "start": [0, -3], "end": [2, -4]}, {"name": "B", "start": [0, 0]}],
   "beats": [{"frame": 300, "striker": "A", "receiver": "B", "part": "head", "effector": "hand.R", "answer": "hit"},
             {"frame": 400, "striker": "B", "receiver": "A", "effector": "hand.L", "side": "left", "answer": "parry"}]}

A beat that is impossible is reported, with the missing distance or time, before anything is written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beats", required=True, type=Path, metavar="JSON", help="the characters and their beats")
    parser.add_argument(
        "--out",
        required=True,
        type=option_types.output_file,
        nargs="+",
        metavar="BVH",
        help="BVH files to write, one per character",
    )
    parser.add_argument(
        "--controller", type=Path, default=SHIPPED_CONTROLLER, metavar="FILE", help="controller file (default: strikes)"
    )


def run(options: argparse.Namespace) -> int:
    """Generate the duel, write each character's motion and return the exit code."""
    from ..core.control.duel.duel import stage_duel
    from ..core.control.strike.fight import Fighter
    from ..core.errors import FootfallError
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from .beats import read_beats
    from .output import print_result
    from .walk import shipped_controller

    duelists, beats = read_beats(options.beats)
    if len(options.out) != len(duelists):
        raise FootfallError(
            "There are {files} output files for {count} characters: give one for each character, in the same order",
            files=len(options.out),
            count=len(duelists),
        )
    fighter = Fighter(load_model(shipped_controller(options.controller)), load_model(shipped_controller()))
    duel = stage_duel(fighter, duelists, beats)
    clips = list(duel.clips.values())
    for file, clip in zip(options.out, clips, strict=True):
        write_bvh(file, clip)
    print_result(
        {
            "out": {name: str(file) for name, file in zip(duel.clips, options.out, strict=True)},
            "controller": str(options.controller),
            "frames": len(clips[0]),
            "frame_rate": clips[0].rate,
            "seconds": clips[0].duration,
            "beats": len(duel.meetings),
            "deepest_cm": round(100 * _deepest(clips), 2),
            "distances_cm": [round(100 * meeting.distance, 2) for meeting in duel.meetings],
        },
        options.json,
    )
    return 0


def _deepest(clips: "Sequence[Clip]") -> float:
    """Return how deep, meters, two bodies penetrate each other at most."""
    from itertools import combinations

    from ..core.scene.body_overlap import deepest_overlap

    return max((float(deepest_overlap(*pair).max()) for pair in combinations(clips, 2)), default=0.0)
