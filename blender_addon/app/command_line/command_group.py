"""Commands of two words: ``terrain fit``, ``prop fit``."""

import argparse
from collections.abc import Sequence
from types import ModuleType

from .job import Job


def add_commands(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add a command for each module, named by the last word of its name."""
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    for module in modules:
        command = commands.add_parser(
            module.__name__.rpartition("_")[2],
            help=module.HELP,
            description=module.HELP,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(run_command=module.run)
        module.add_arguments(command)


def run_command(options: argparse.Namespace, job: Job) -> None:
    """Run the selected command."""
    options.run_command(options, job)
