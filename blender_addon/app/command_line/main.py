"""One call of the command: its arguments, its work and its exit code."""

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TextIO

from ....core.errors import FootfallError
from ....core.jobs.atomic import write_atomically
from ....core.jobs.version import footfall_version
from ...controllers import library
from . import bake, fit_prop, fit_terrain, label, train
from .interruption import Interrupted, Interruption
from .job import Job, error_message
from .options import STANDARD_OUTPUT
from .progress import print_status

COMMANDS: Final = (bake, label, fit_terrain, fit_prop, train)

DESCRIPTION = """\
Footfall in Blender without a window, for pipelines and render farms.

  blender -b shot.blend --command footfall bake --all --save
  blender -b shot.blend --command footfall bake --object Hero --seed 7 --out hero_7.blend --json
  blender -b takes.blend --command footfall label --all --labels-out labels/ --save
  blender -b takes.blend --command footfall train --all --preset quick"""
EPILOG = """\
Every command has --help with examples. Progress and errors go to standard error. Exit codes: 0 done, 1 a part failed (a
sentence tells which part and why), 2 wrong usage, 130 interrupted by Ctrl+C, 143 by SIGTERM. The manual is
docs/manual/pipelines.md."""


def main(arguments: Sequence[str], open_results: Callable[[], TextIO] = lambda: sys.stdout) -> int:
    """Run the command that the arguments name; return the exit code.

    Args:
        arguments: the arguments after ``--command footfall``.
        open_results: function that opens the standard output for JSON without a file.
    """
    try:
        options = _parser().parse_args(arguments)
        _require_writable(options)
    except SystemExit as told:  # argparse has reported the error, or its help
        return told.code if isinstance(told.code, int) else 2
    on_output = open_results() if options.json == STANDARD_OUTPUT else None
    job = Job(options.command_name, _print if on_output is None else print_status, Interruption())
    code = _run(options, job)
    if options.json is not None:
        try:
            _write_json(job, code, on_output, options.json)
        except OSError as error:
            print_status(f"The JSON document could not be written. {error_message(error)}")
            return code or 1
    return code


def _run(options: argparse.Namespace, job: Job) -> int:
    try:
        with job.interruption.listen():
            library.refresh()  # no timer has looked for newly trained or kept controllers
            options.command(options, job)
    except (FootfallError, OSError) as error:
        job.add_error(error_message(error))
    except Interrupted as interrupted:
        job.add_error(str(interrupted))
        return interrupted.code
    except SystemExit as told:
        return told.code if isinstance(told.code, int) else 2
    except Exception as error:
        traceback.print_exc()
        job.add_error(f"Footfall has an internal error ({type(error).__name__}: {error}): report it with the log above")
    return int(bool(job.errors))


def _print(line: str) -> None:
    print(line, flush=True)


def _write_json(job: Job, code: int, stream: TextIO | None, file: str) -> None:
    text = json.dumps(job.to_document(footfall_version(), code), allow_nan=False)
    if stream is None:
        write_atomically(Path(file).absolute(), f"{text}\n".encode())
    else:
        print(text, file=stream, flush=True)


def _require_writable(options: argparse.Namespace) -> None:
    """Exit with a usage error if the folder of the JSON document does not exist."""
    if options.json not in (None, STANDARD_OUTPUT) and not Path(options.json).absolute().parent.is_dir():
        options.wrong_usage(f"--json {options.json}: the folder of this file does not exist")


def _parser() -> argparse.ArgumentParser:
    as_written = argparse.RawDescriptionHelpFormatter
    # Pipelines live for years: an unambiguous abbreviation of today may become ambiguous later.
    parser = argparse.ArgumentParser(
        "footfall", None, DESCRIPTION, EPILOG, formatter_class=as_written, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"Footfall {footfall_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command_name")
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog=module.EXAMPLES,
            formatter_class=as_written,
            allow_abbrev=False,
        )
        command.set_defaults(command=module.run, wrong_usage=command.error)
        module.add_arguments(command)
    return parser
