"""``make-interactions``: build an interaction data set from captured sitting, carrying and rests on the ground."""

import argparse
from pathlib import Path

from . import options as option_types

HELP = "Build a data set of interaction takes: sit, carry, open doors, push, lie, sit on the ground, climb, lean"
EXAMPLES = """\
examples:
  python -m footfall make-interactions sit/*.bvh --carry carry/*.bvh --out dataset/ --count 300
  python -m footfall train --dataset dataset/ --run run/ --preset nsm

Takes are composed from the clips, adapted to other seats and tables, and from walks by the shipped controller. Doors,
crates and --lean need no clips: IK moves the hands to the objects.

Labels beside a clip (CLIP.labels.npz) give its actions, the contacts of hips and hands, and the phase of movements;
without labels these are detected. Objects beside a clip (CLIP.objects.npz), exported by Blender, are used where they
were placed. For FBX files use Blender: `blender --command footfall train --preset nsm --clips FOLDER`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "clips",
        nargs="*",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH clips of sitting, or of other activities named in the labels beside them",
    )
    parser.add_argument(
        "--carry",
        nargs="+",
        type=Path,
        default=[],
        metavar="CLIP",
        help="BVH clips of picking up an object, putting it down, or walking with it",
    )
    parser.add_argument(
        "--lie",
        nargs="+",
        type=Path,
        default=[],
        metavar="CLIP",
        help="BVH clips of lying down, getting up, and crouching in between (default: none)",
    )
    parser.add_argument(
        "--sit-ground",
        nargs="+",
        type=Path,
        default=[],
        metavar="CLIP",
        help="BVH clips of sitting down on the ground, getting up, and crouching in between (default: none)",
    )
    parser.add_argument(
        "--climb",
        nargs="+",
        type=Path,
        default=[],
        metavar="CLIP",
        help="BVH clips of climbing up a ladder or steps and down again (default: none)",
    )
    parser.add_argument(
        "--lean", action="store_true", help="also make takes of leaning on tables, counters, rails and walls"
    )
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder of the data set: new, empty, or an interaction data set, which is replaced",
    )
    parser.add_argument(
        "--controller",
        type=Path,
        metavar="FILE",
        help="controller that provides skeleton and walks (default: the shipped one)",
    )
    parser.add_argument(
        "--count",
        type=option_types.positive_int,
        default=300,
        metavar="N",
        help="number of takes (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, metavar="N", help="random seed (default: %(default)s)"
    )
    option_types.add_jobs_option(parser)


def run(options: argparse.Namespace) -> int:
    """Compose takes from the clips and build their data set; return the exit code."""
    from ..core.errors import FootfallError
    from ..core.models.model_file import load_model
    from ..training.data.network_skeleton import NetworkSkeleton
    from ..training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
    from ..training.interactions.take_distribution import in_per_cent
    from ..training.interactions.take_generator import TakeGenerator, load_motion_library
    from ..training.interactions.walk_library import walk_count_for
    from .clips import find_clips
    from .output import print_result
    from .progress import ProgressBar
    from .walk import shipped_controller

    if not (options.clips or options.carry or options.lie or options.sit_ground or options.climb or options.lean):
        raise FootfallError(
            "There are no clips: name clips of sitting, or other clips with --carry, --lie, --sit-ground or "
            "--climb, or use --lean"
        )
    controller = options.controller or shipped_controller()
    sitting, carrying, lying, climbing, ground_sitting = (
        tuple(clip.absolute() for clip, _ in find_clips(paths)) if paths else ()
        for paths in (options.clips, options.carry, options.lie, options.climb, options.sit_ground)
    )
    body = NetworkSkeleton.of(load_model(controller))
    generator = TakeGenerator(
        controller.absolute(),
        sitting,
        carrying,
        options.seed,
        lying=lying,
        climbing=climbing,
        ground_sitting=ground_sitting,
        leaning=options.lean,
        walk_count=walk_count_for(options.count),
    )
    with ProgressBar("interactions", "takes") as progress:
        readings = load_motion_library(generator).readings
        for reading in readings:
            progress.note(reading.sentence())
        dataset = build_interaction_dataset(
            generator,
            body,
            options.out,
            InteractionDatasetSettings(takes=options.count, seed=options.seed),
            options.jobs,
            progress,
        )
    print_result(
        {
            "out": str(options.out),
            "count": len(dataset.clips),
            "samples": sum(clip.samples for clip in dataset.clips),
            "minutes": round(sum(clip.minutes for clip in dataset.clips), 3),
            **{name: in_per_cent(frames) for name, frames in dataset.manifest["distribution"].items()},
            **({"clips": [reading.to_json() for reading in readings]} if options.json else {}),
        },
        options.json,
    )
    return 0
