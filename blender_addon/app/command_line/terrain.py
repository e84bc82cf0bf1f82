"""``terrain``: ground under captured motion."""

import argparse

from . import terrain_fit
from .command_group import add_commands, run_command

HELP = "Fit ground to the motion of the actions in the file."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall terrain fit --all --out terrain/

The command has --help of its own."""

run = run_command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    add_commands(parser, (terrain_fit,))
