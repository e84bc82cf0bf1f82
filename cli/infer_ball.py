"""``infer-ball``: infer the ball in clips from the motion of the hands."""

import argparse
from pathlib import Path
from typing import Any

from . import options as option_types

HELP = "Infer the ball in BVH clips from the motion of the hands, and write <clip>.ball.csv for each"
EXAMPLES = """\
examples:
  python -m footfall infer-ball dribble.bvh --out balls/
  python -m footfall infer-ball court/ --out balls/ --radius 0.105 --json

The table has one row per frame: the center of the ball in centimeters, Y up, whether the left and the right hand touch
it, and its rotation. Sub-folders are kept below --out. A clip without ball play is reported at the end (exit code 1)
and not written; all others are. For the columns see docs/manual/ball.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder in which to write the tables")
    parser.add_argument(
        "--radius",
        type=option_types.positive_float,
        metavar="M",
        help="radius of the ball, meters (default: a basketball of size 7)",
    )
    parser.add_argument(
        "--model", type=Path, metavar="NPZ", help="model file of learn-ball (default: the shipped one, for basketball)"
    )


def run(options: argparse.Namespace) -> int:
    """Infer the ball of each clip and write its track; raise :class:`FootfallError` at the end if some failed."""
    from ..core.errors import FootfallError
    from .clips import find_clips
    from .output import print_result
    from .progress import track_progress

    clips = find_clips(options.clips)
    outcomes = (_infer(clip, options.out / below, options) for clip, below in clips)
    entries = list(track_progress(outcomes, len(clips), "infer", "clips"))
    done = [entry for entry in entries if "error" not in entry]
    failed = [entry for entry in entries if "error" in entry]
    if options.json:
        print_result({"balls": done, "failed": failed}, options.json)
    else:
        print_result({entry["clip"]: _summarize(entry) for entry in done}, None)
    if failed:
        raise FootfallError("{error}", error=failed[0]["error"])
    return 0


def _infer(clip_file: Path, below: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Infer the ball of a clip and write its table; return a summary, or an entry with the ``error``."""
    from ..core.ball.ball_fitting import infer_ball
    from ..core.ball.ball_track import BASKETBALL_RADIUS_M, ball_file, write_ball
    from ..core.ball.cue_model import SHIPPED_MODEL
    from ..core.errors import FootfallError
    from ..core.motion.floor import estimate_floor_height
    from ..core.motion.signals import runs_of
    from ..core.rig.clip_file import read_clip

    try:
        clip = read_clip(clip_file)
        radius = options.radius or BASKETBALL_RADIUS_M
        fit = infer_ball(clip, radius, estimate_floor_height(clip), options.model or SHIPPED_MODEL)
    except FootfallError as error:
        return {"clip": str(clip_file), "error": str(error)}
    target = ball_file(below)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_ball(target, fit.track)
    contacts = {name: len(runs_of(hand)) for name, hand in zip(("left", "right"), fit.track.contacts.T, strict=True)}
    return {
        "clip": str(clip_file),
        "ball": str(target),
        "contacts": contacts,
        "bounces": len(fit.bounces),
        "restitution": round(fit.restitution, 3),
    }


def _summarize(entry: dict[str, Any]) -> str:
    """Return the result for a clip as one line of text."""
    left, right = entry["contacts"]["left"], entry["contacts"]["right"]
    return f"{entry['ball']}, contacts {left} left, {right} right, {entry['bounces']} bounces"
