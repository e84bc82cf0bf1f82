"""``terrain``: ground that is not level: patches of it, and fitting them to clips."""

import argparse

from . import terrain_fit, terrain_patches

COMMANDS = (terrain_patches, terrain_fit)

HELP = "Ground that is not level: make patches of it, and fit them to clips."
EXAMPLES = """\
examples:
  python -m footfall terrain patches patches/
  python -m footfall terrain fit stairs.bvh --patches patches/

Each has --help of its own."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a command for each of :data:`COMMANDS`."""
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    for module in COMMANDS:
        name = module.__name__.rpartition("_")[2]
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        # What was said before the command stays.
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
        command.set_defaults(terrain=module.run)


def run(options: argparse.Namespace) -> int:
    """Run one of the commands."""
    return options.terrain(options)
