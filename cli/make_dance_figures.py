"""``make-dance-figures``: find the figures of a dance in captured pairs."""

import argparse
from pathlib import Path

from . import options as option_types

HELP = "Make the figures of a dance from clips of two dancers captured together"
EXAMPLES = """\
examples:
  python -m footfall make-dance-figures pairs/ --controller run/model.safetensors --out salsa.npz

A table PAIRS.csv in the clips' folder or the one above gives the pairs: columns file_a (leader) and file_b (follower).
Only pairs with both clips named are used. Figures have roots, gaits and hand holds, but no poses."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option_types.add_clips_argument(parser)
    parser.add_argument("--controller", required=True, type=Path, metavar="FILE", help="controller of the dancing pair")
    parser.add_argument(
        "--out", required=True, type=option_types.output_file, metavar="NPZ", help="figures file to write"
    )


def run(options: argparse.Namespace) -> int:
    """Find the dance figures of all pairs, write them and return the exit code."""
    from ..core.control.pair.dance_figures import DanceFigures, figure_gaits, figure_of, fit_pair
    from ..core.errors import FootfallError
    from ..core.features.locomotion import FEATURE_RATE_HZ
    from ..core.labelling import label_clip
    from ..core.labelling.presets import preset_of_body
    from ..core.models.model_file import load_model
    from ..core.rig.clip_pair import find_pair
    from .clips import find_clips
    from .output import print_result
    from .progress import track_progress

    model = load_model(options.controller)
    files = {clip.absolute() for clip, _ in find_clips(options.clips)}
    pairs = {pair.leader: pair for pair in map(find_pair, sorted(files)) if pair is not None}
    whole = [pair for pair in pairs.values() if {pair.leader.absolute(), pair.follower.absolute()} <= files]
    if not whole:
        raise FootfallError(
            "No two of the clips form a pair: list both clips of each pair in a table PAIRS.csv, in their "
            "folder or the one above"
        )
    figures, gaits = [], model.gaits
    for pair in track_progress(whole, len(whole), "figures", "pairs"):
        leader, follower = (clip.resampled(FEATURE_RATE_HZ) for clip in pair.read())
        both = fit_pair(leader, follower, model.skeleton)
        labels = [label_clip(clip, preset_of_body(clip.skeleton.roles)) for clip in both]
        if figure_gaits(labels[0]) != gaits:
            raise FootfallError(
                "The gaits of the controller differ from those in the labels: name a controller that dances"
            )
        figures.append(figure_of(*both, labels))
    dance = DanceFigures(gaits, tuple(figures))
    dance.save(options.out)
    print_result({"out": str(options.out), "figures": len(figures), "seconds": round(dance.seconds, 1)}, options.json)
    return 0
