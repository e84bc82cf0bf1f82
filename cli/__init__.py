"""The command line, without Blender.

Only ``train``, ``train-generator``, ``tune`` and ``export`` import torch, and nothing before it is needed.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from ..core.errors import FootfallError
from ..core.message import printable
from . import (
    add_root_motion,
    analyze,
    answer,
    ball,
    dance,
    dance_figures,
    dataset,
    doctor,
    duel,
    evaluate,
    export,
    interact,
    label,
    learn_ball,
    learn_response,
    make_interactions,
    retarget,
    strike,
    terrain,
    train,
    train_generator,
    tune,
    walk,
)

COMMANDS = (
    *(label, ball, learn_ball, learn_response, analyze, retarget, add_root_motion, terrain, dataset, make_interactions),
    *(dance_figures, tune, train, train_generator, export, walk, interact, dance, answer, strike, duel, evaluate, doctor),
)

DESCRIPTION = """\
Footfall without Blender: from motion capture to a controller, and from a path to a walk.

  python -m footfall label clips/ --out labels/
  python -m footfall train --clips clips/ --run run/ --preset quick
  python -m footfall walk --path points.csv --out walk.bvh
  python -m footfall evaluate walk.bvh --path points.csv"""
EPILOG = """\
Every command has --help with examples, and --json, which prints one JSON document on the standard output. Progress and
errors go to the standard error. Exit codes: 0 done, 1 something is wrong with the input (one sentence says what),
2 wrong usage, 130 interrupted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: those of the command line; ``sys.argv`` if not given.
    """
    options = _build_parser().parse_args(arguments)
    try:
        return options.command(options)
    except FootfallError as error:
        return _print_error(str(error))
    except OSError as error:
        return _print_error(_os_error_message(error))
    except KeyboardInterrupt:
        return 130


def _build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m footfall", None, DESCRIPTION, EPILOG, formatter_class=as_written)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        command = commands.add_parser(
            name, help=module.HELP, description=module.HELP, epilog=module.EXAMPLES, formatter_class=as_written
        )
        module.add_arguments(command)
        command.add_argument("--json", action="store_true", help="print one JSON document on the standard output")
        command.set_defaults(command=module.run)
    return parser


def _print_error(sentence: str) -> int:
    """Print an error sentence; return the exit code 1."""
    print(f"footfall: {sentence}".encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
    return 1


def _os_error_message(error: OSError) -> str:
    """Return an ``OSError`` as a sentence."""
    reason = error.strerror or str(error)
    return f"'{printable(os.fsdecode(error.filename))}': {reason}." if error.filename else f"{reason}."
