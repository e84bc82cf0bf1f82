"""``fit``: what was under captured motion: ground, seats, boxes, doors."""

import argparse

from . import fit_object, fit_terrain
from .job import Job

COMMANDS = (fit_terrain, fit_object)

HELP = "Fit ground or an object to the motion of the file's actions."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall fit terrain --all --out terrain/
  blender -b takes.blend --command footfall fit object --thing Chair --armature Actor --does sit --save

Each has --help of its own."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a command for each of :data:`COMMANDS`."""
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    for module in COMMANDS:
        command = commands.add_parser(
            module.__name__.rpartition("_")[2],
            help=module.HELP,
            description=module.HELP,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(fit=module.run)
        module.add_arguments(command)


def run(options: argparse.Namespace, job: Job) -> None:
    """Run one of the commands."""
    options.fit(options, job)
