"""``answer``: generate the motion of a character that reacts to another character."""

import argparse
from pathlib import Path
from typing import Final

from ..core.control.pair.relation_kinds import RELATIONS
from . import options as option_types
from .walk import PROGRESS_INTERVAL_FRAMES, SHIPPED_CONTROLLER

HELP = "Generate the motion of a character that follows, faces, circles or defends against another one, as BVH"
EXAMPLES = """\
examples:
  python -m footfall answer leader.bvh --relation follow --distance 1.2 --out answer.bvh
  python -m footfall answer leader.bvh --relation circle --speed 0.8 --out answer.bvh
  python -m footfall answer leader.bvh --relation defend --goal 2 3 --out answer.bvh

leader.bvh is any motion, such as one from `walk`. The generated motion has the same number of frames, and reacts after
0.25 s. The relation is a rule on top of a learned walk, not captured motion. Both files share one space, in meters."""

DEFAULT_DISTANCE_M: Final = 1.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("leader", type=Path, metavar="BVH", help="motion of the other character")
    parser.add_argument(
        "--relation", required=True, choices=RELATIONS, help="relation of the character to the other one"
    )
    parser.add_argument("--out", required=True, type=option_types.output_file, metavar="BVH", help="BVH file to write")
    parser.add_argument(
        "--distance",
        type=option_types.positive_float,
        default=DEFAULT_DISTANCE_M,
        metavar="M",
        help="distance to the other character, meters (default: %(default)s)",
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=0.6,
        metavar="M/S",
        help="circling speed, m/s, positive for counterclockwise from above",
    )
    parser.add_argument("--goal", type=float, nargs=2, metavar=("X", "Y"), help="place to defend, x and y in meters")
    parser.add_argument(
        "--controller",
        type=Path,
        default=SHIPPED_CONTROLLER,
        metavar="FILE",
        help="controller file (default: the shipped one)",
    )
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, help="random seed (default: %(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """Generate the answering motion, write it and return the exit code."""
    import numpy as np

    from ..core.control.pair.answer_walk import begin_answer
    from ..core.control.pair.relation import Relation
    from ..core.control.passes.gaze import face_of, look_at
    from ..core.models.model_file import load_model
    from ..core.motion.bvh import write_bvh
    from ..core.motion.rotations import IDENTITY
    from ..core.retarget.retarget import ground_height
    from ..core.rig.clip_file import read_clip
    from .output import print_result
    from .progress import ProgressBar

    model = load_model(options.controller)
    other = read_clip(options.leader).resampled(model.rate)
    goal = None if options.goal is None else np.array(options.goal)
    relation = Relation(options.relation, options.distance, options.speed, goal)
    answer = begin_answer(model, relation, other, seed=options.seed)
    with ProgressBar("answer", "frames") as progress:
        while answer.advance(PROGRESS_INTERVAL_FRAMES):
            progress(answer.frames_done, answer.total_frames)
        progress(answer.frames_done, answer.total_frames)
    level = np.array([0.0, 0.0, ground_height(other)])
    clip = look_at(answer.finish().clip.transformed(IDENTITY, level), face_of(other))
    write_bvh(options.out, clip)
    print_result(
        {
            "out": str(options.out),
            "controller": str(options.controller),
            "frames": len(clip),
            "frame_rate": clip.rate,
            "seconds": clip.duration,
        },
        options.json,
    )
    return 0
