"""``prop``: seats, boxes and doors of captured motion."""

import argparse

from . import prop_fit
from .command_group import add_commands, run_command

HELP = "Fit an object to a motion, or a motion to an object."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall prop fit --prop Chair --armature Actor --interaction sit --save

The command has --help of its own."""

run = run_command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    add_commands(parser, (prop_fit,))
