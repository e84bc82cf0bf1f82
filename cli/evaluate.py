"""``evaluate``: measure the quality of a clip."""

import argparse
from pathlib import Path

from . import options as option_types

HELP = "Measure a BVH clip: path error, foot sliding, penetration, detail, response, likeness to people"
EXAMPLES = """\
examples:
  python -m footfall evaluate walk.bvh --path points.csv --json
  python -m footfall evaluate walk.bvh --speed 1.2 --mocap real_walks/

The root is the hips joint projected on the ground, or the middle of a quadruped's trunk. A rig.toml beside the clip
gives the role of each bone. Contacts are detected in the clip, or taken from --labels. Ratios (joint rotation, toe
lift, hip sway, jerk) need captured clips of the same kind: --mocap. Standing, steps and turns are compared with
captured people; each finding is one sentence."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clip", type=Path, metavar="CLIP.bvh")
    parser.add_argument("--path", type=Path, metavar="CSV", help="path to follow: x, y in meters on each line")
    parser.add_argument(
        "--speed",
        type=option_types.positive_float,
        metavar="M/S",
        help="commanded speed of a walk that starts standing, m/s",
    )
    parser.add_argument(
        "--labels", type=Path, metavar="NPZ", help="label file of the clip (default: contacts are detected)"
    )
    parser.add_argument(
        "--mocap", type=Path, nargs="+", metavar="CLIP_OR_FOLDER", help="captured clips to measure for comparison"
    )


def run(options: argparse.Namespace) -> int:
    """Measure the clip, print its metrics and return the exit code."""
    from ..core.evaluation import evaluate, find_faults, measure_likeness, mocap_row
    from ..core.labelling import Labels
    from ..core.rig.clip_file import read_clip
    from .clips import find_clips
    from .output import print_result
    from .points import read_points
    from .progress import track_progress

    path = read_points(options.path) if options.path else None
    labels = Labels.load(options.labels) if options.labels else None
    clip = read_clip(options.clip)
    row = None
    if options.mocap:
        files = find_clips(options.mocap)
        bar = track_progress(files, len(files), "mocap", "clips")
        row = mocap_row([read_clip(file).resampled(clip.rate) for file, _ in bar])
    report = evaluate(clip, path, labels, speed=options.speed, mocap=row)
    findings = [str(finding) for finding in find_faults(measure_likeness(clip))]
    if options.json:
        beside = {"mocap": row} if row else {}
        print_result({"clip": str(options.clip), **report, "findings": findings, **beside}, options.json)
    else:
        print_result(report, None)
        for finding in findings:
            print(f"{finding}.")
    return 0
