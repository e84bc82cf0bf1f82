"""``learn-response``: learn, from captured motion, how a body responds to joints that an animator poses."""

import argparse

from . import options as option_types

HELP = "Learn from clips how the body responds to joints that an animator poses, for key poses"
EXAMPLES = """\
examples:
  python -m footfall learn-response presets/poses/response_clips.txt --out presets/poses/body_response.npz

The model is the covariance of the rotations of trunk, head and arms, without steps. Clips that lack one of these joints
cannot be used."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument(
        "--out", required=True, type=option_types.output_file, metavar="NPZ", help="model file to write"
    )


def run(options: argparse.Namespace) -> int:
    """Learn the response model from the clips, write it and return the exit code."""
    from ..core.control.edit.body_response import TUNING as BODY_RESPONSE_TUNING
    from ..core.control.edit.body_response import learn_response
    from ..core.rig.clip_file import read_clip
    from .clips import find_clips
    from .output import print_result
    from .progress import track_progress

    files = [path for path, _ in find_clips(options.clips)]
    clips = [
        read_clip(path).resampled(BODY_RESPONSE_TUNING.sample_rate)
        for path in track_progress(iter(files), len(files), "read", "clips")
    ]
    response = learn_response(clips)
    response.save(options.out)
    minutes = sum(clip.duration for clip in clips) / 60
    print_result({"out": str(options.out), "clips": len(clips), "minutes": round(minutes, 1)}, options.json)
    return 0
