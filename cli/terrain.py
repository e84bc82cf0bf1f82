"""``terrain``: commands for ground that is not level."""

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
    """Add a subcommand for each of :data:`COMMANDS`."""
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
        # A --json before the subcommand stays.
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
        command.set_defaults(subcommand=module.run)


def run(options: argparse.Namespace) -> int:
    """Run a subcommand."""
    return options.subcommand(options)
