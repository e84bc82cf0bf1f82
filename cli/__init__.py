"""The command line, without Blender.

Only ``train``, ``train-generator``, ``tune`` and ``export`` import torch, and only when they need it.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from ..core.errors import FootfallError
from ..core.jobs.own_environment import import_from_no_working_folder, use_one_blas_thread
from ..core.jobs.version import footfall_version
from ..core.message import printable
from . import (
    add_root_motion,
    analyze,
    answer,
    dance,
    doctor,
    duel,
    evaluate,
    export,
    fit_terrain,
    infer_ball,
    interact,
    label,
    learn_ball,
    learn_response,
    list_presets,
    make_dance_figures,
    make_dataset,
    make_interactions,
    make_patches,
    retarget,
    shot,
    strike,
    train,
    train_generator,
    tune,
    walk,
)
from .options import add_json_option
from .termination import TERMINATED_EXIT_CODE, Terminated, end_on_termination

COMMANDS = (
    *(label, infer_ball, learn_ball, learn_response, analyze, retarget, add_root_motion, make_patches, fit_terrain),
    *(make_dataset, make_interactions, make_dance_figures, tune, train, train_generator, export),
    *(shot, walk, interact, dance, answer, strike, duel, evaluate, list_presets, doctor),
)

DESCRIPTION = """\
Footfall without Blender: from motion capture to a controller, and from a path to a walk.

  python -m footfall label clips/ --out labels/
  python -m footfall train --clips clips/ --run run/ --preset quick
  python -m footfall walk --path points.csv --out walk.bvh
  python -m footfall interact --scene scene.json --out take.bvh
  python -m footfall evaluate walk.bvh --path points.csv"""
EPILOG = """\
Every command has --help with examples, and --json, which prints one JSON document to standard output or writes it to a
file. Progress and errors go to standard error; --quiet hides the progress. Options cannot be abbreviated. Exit codes: 0
done, 1 wrong input (one sentence says what), 2 wrong usage, 130 interrupted by Ctrl+C, 143 by SIGTERM."""
NO_PROGRESS_VARIABLE = "TQDM_DISABLE"
"""Environment variable that turns off progress bars, also in worker processes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: arguments of the command line; by default those in ``sys.argv``.
    """
    use_one_blas_thread()
    import_from_no_working_folder()
    options = build_parser().parse_args(arguments)
    if options.quiet:
        os.environ[NO_PROGRESS_VARIABLE] = "1"
    try:
        with end_on_termination():
            return options.command(options)
    except FootfallError as error:
        return _print_error(str(error))
    except MemoryError:
        return _print_error("There is not enough memory: close other programs, or split the work.")
    except OSError as error:
        return _print_error(_os_error_message(error))
    except ModuleNotFoundError as error:
        return _print_error(_missing_package_message(error))
    except Terminated:
        return TERMINATED_EXIT_CODE
    except KeyboardInterrupt:
        return 130


def build_parser() -> argparse.ArgumentParser:
    """Return the argument parser of all commands."""
    # Pipelines live for years: an unambiguous abbreviation of today may become ambiguous later.
    form = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = argparse.ArgumentParser("python -m footfall", None, DESCRIPTION, EPILOG, **form)
    parser.add_argument("--version", action="version", version=f"Footfall {footfall_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        command = commands.add_parser(name, help=module.HELP, description=module.HELP, epilog=module.EXAMPLES, **form)
        module.add_arguments(command)
        add_json_option(command)
        command.add_argument("--quiet", action="store_true", help="show no progress on standard error")
        command.set_defaults(command=module.run)
    return parser


def _print_error(sentence: str) -> int:
    """Print an error sentence; return the exit code 1."""
    print(f"footfall: {sentence}".encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
    return 1


def _os_error_message(error: OSError) -> str:
    """Return a sentence that describes an ``OSError``."""
    reason = error.strerror or str(error)
    return f"'{printable(os.fsdecode(error.filename))}': {reason}." if error.filename else f"{reason}."


def _missing_package_message(error: ModuleNotFoundError) -> str:
    """Return a sentence about a missing package; re-raise the error if the missing module is part of Footfall."""
    package = (error.name or "").partition(".")[0]
    if package in ("", __name__.partition(".")[0]):
        raise error
    return (
        f"The Python '{sys.executable}' lacks the package '{package}': install it with "
        f"`{sys.executable} -m pip install {package}`, or use the Python of .venvs/dev, which `python build.py dev` "
        "sets up."
    )
