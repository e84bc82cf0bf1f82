"""``make-patches``: build a patch database."""

import argparse
from pathlib import Path
from typing import Final

from . import options as option_types

HELP = "Make terrain patches from heightmaps and procedural terrain"
EXAMPLES = """\
examples:
  python -m footfall make-patches --out patches/
  python -m footfall make-patches --out patches/ --heightmap hills.png --cell 0.05 --height 8
  python -m footfall train --clips clips/ --run run/ --set terrain=fitted --set patches=patches/

Patches are squares of 5 m. Each heightmap and each kind of procedural ground (rocks, stairs, ramps, ledges, beams,
dunes, rubble, kerbs) supplies the same number. The same seed gives the same patches. 20000 patches take 635 MB."""


MAX_PATCHES: Final = 1_000_000


def _patch_count(text: str) -> int:
    """Parse a number of patches; reject numbers too large for a disk."""
    count = option_types.positive_int(text)
    if count > MAX_PATCHES:
        raise argparse.ArgumentTypeError(f"'{text}' is too many: at most {MAX_PATCHES} patches are possible")
    return count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder for the patches: new, empty, or with patches, which are replaced",
    )
    parser.add_argument(
        "--count",
        type=_patch_count,
        default=20_000,
        metavar="N",
        help="number of patches to make (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=option_types.non_negative_int, default=0, help="random seed (default: %(default)s)"
    )
    parser.add_argument(
        "--heightmap",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="heightmap to cut patches from: an image (8 or 16 bit, or EXR) or a text grid; can be repeated",
    )
    parser.add_argument(
        "--cell",
        type=option_types.positive_float,
        default=0.05,
        metavar="M",
        help="spacing of a heightmap's pixels, meters (default: %(default)s)",
    )
    parser.add_argument(
        "--height",
        type=option_types.finite_float,
        default=1.0,
        metavar="M",
        help="height that white stands for in a heightmap, meters (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Build the patch database and return the exit code."""
    from ..core.terrain.image import read_heightfield
    from ..core.terrain.patches import build_patches
    from .output import print_result
    from .progress import ProgressBar

    maps = {path.name: read_heightfield(path, options.cell, options.height) for path in options.heightmap}
    with ProgressBar("patches", "patches") as progress:
        database = build_patches(
            options.out, options.count, options.seed, maps, lambda done, total: progress(done, total, "")
        )
    print_result(
        {"out": str(options.out), "patches": database.count, "kinds": len(database.header["kinds"])}, options.json
    )
    return 0
