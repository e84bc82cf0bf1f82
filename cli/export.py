"""``export``: write a run's best network as a controller file."""

import argparse
from pathlib import Path

from . import options as option_types

HELP = "Write the best network of a run, also one in progress, as a controller file"
EXAMPLES = """\
examples:
  python -m footfall export run/ --out walker.safetensors
  python -m footfall walk --path points.csv --controller walker.safetensors --out walk.bvh"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="RUN", help="folder of the run")
    parser.add_argument(
        "--out", required=True, type=option_types.output_file, metavar="FILE", help="the .safetensors file to write"
    )


def run(options: argparse.Namespace) -> int:
    """Export the run's best network as a controller file; return the exit code."""
    from ..core.jobs.run_folder import RunFolder
    from ..training.loop.export import export_model
    from .output import print_result

    out = export_model(RunFolder(options.folder), options.out)
    print_result({"run": str(options.folder), "out": str(out), "bytes": out.stat().st_size}, options.json)
    return 0
