"""``train-generator``: train a generative control model from clips."""

import argparse
from pathlib import Path

from . import options as option_types

HELP = "Train a generator, which varies walks, from clips"
EXAMPLES = """\
examples:
  python -m footfall train-generator --clips presets/training/standard_clips.txt --out generator.safetensors
  python -m footfall train-generator --clips clips/ --kind adversarial --out paper.safetensors
  python -m footfall walk --path points.csv --variation 0.5 --generator paper.safetensors --seed 3 --out walk.bvh

Training takes two to five minutes on one core. Kinds: variational (an autoencoder with a latent distribution),
adversarial (trained against a discriminator, after Starke et al. 2020) and denoiser (removes noise step by step, like a
diffusion model)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..core.models.generator_kinds import DEFAULT_KIND, KINDS

    parser.add_argument(
        "--clips",
        nargs="+",
        required=True,
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )
    parser.add_argument(
        "--out", required=True, type=option_types.output_file, metavar="FILE", help="generator file to write"
    )
    parser.add_argument("--kind", choices=KINDS, default=DEFAULT_KIND, help="default: %(default)s")
    parser.add_argument(
        "--steps", type=option_types.positive_int, default=20000, metavar="N", help="default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, help="random seed (default: %(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """Train the generator, write it and return the exit code."""
    from ..core.models.generator_file import save_generator
    from ..training.generator.train import GeneratorSettings, train_generator
    from .clips import find_clips
    from .output import print_result
    from .progress import ProgressBar

    clips = [clip for clip, _ in find_clips(options.clips)]
    settings = GeneratorSettings(options.kind, options.steps, options.seed)
    with ProgressBar("clips", "clips") as progress:

        def report(step: int, steps: int, losses: dict[str, float]) -> None:
            progress.stage("train", "steps")
            progress(step, steps, ", ".join(f"{name} {value:.4f}" for name, value in losses.items()))

        generator = train_generator(clips, settings, progress, report)
    save_generator(options.out, generator)
    document = {
        "out": str(options.out),
        "kind": generator.kind,
        "samples": generator.provenance["samples"],
        "steps": options.steps,
        **generator.provenance["metrics"],
    }
    print_result(document, options.json)
    return 0
