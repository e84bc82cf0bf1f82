"""``learn-ball``: learn the cue model of ball inference from clips with captured balls."""

import argparse

from . import options as option_types

HELP = "Train the model for infer-ball on clips with captured balls"
EXAMPLES = """\
examples:
  python -m footfall learn-ball presets/ball/basketball_clips.txt --radius 0.105 --out presets/ball/basketball.npz
  python -m footfall learn-ball court/ walks/ --out ours.npz

Clips with a table <clip>.ball.csv beside them show when hands touch the ball, its place in the hands, and its speed
when it arrives and leaves. In clips without a table no hand may touch a ball. See docs/manual/ball.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument(
        "--out", required=True, type=option_types.output_file, metavar="NPZ", help="model file to write"
    )
    parser.add_argument(
        "--radius",
        type=option_types.positive_float,
        metavar="M",
        help="radius of the captured balls, meters (default: a basketball of size 7)",
    )


def run(options: argparse.Namespace) -> int:
    """Learn the cue model from the clips, write it and return the exit code."""
    from ..core.ball.ball_track import BASKETBALL_RADIUS_M, ball_file, read_ball
    from ..core.ball.hands import CUE_RATE_HZ
    from ..core.ball.learning import captured_ball, learn_cue_model
    from ..core.errors import FootfallError
    from ..core.retarget.fit import fit_clip
    from ..core.rig.clip_file import read_clip
    from .clips import find_clips
    from .output import print_result
    from .progress import track_progress

    clips = [clip for clip, _ in find_clips(options.clips)]
    played, others, radius = [], [], options.radius or BASKETBALL_RADIUS_M
    for path in track_progress(iter(clips), len(clips), "read", "clips"):
        clip, table = read_clip(path), ball_file(path)
        if table.is_file():
            played.append((clip, read_ball(table, clip, radius)))
        else:
            others.append(clip.resampled(CUE_RATE_HZ))
    if not played:
        raise FootfallError("None of the clips has a ball file CLIP.ball.csv beside it: name clips that have one")
    examples = [captured_ball(*pair) for pair in played]
    # Retargeted to the body of the other clips, so that the model does not depend on the actor's bones.
    body = played[0][0].skeleton
    bare = track_progress((fit_clip(clip, body) for clip in others), len(others), "retarget", "clips")
    examples += [captured_ball(clip, None) for clip in bare]
    sources = "; ".join(sorted({f"{path.parent.parent.name}/{path.name}" for path in clips}))
    learn_cue_model(examples, sources).save(options.out)
    print_result(
        {"clips with a ball": len(played), "clips without": len(others), "model": str(options.out)}, options.json
    )
    return 0
