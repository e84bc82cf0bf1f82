"""Kinds of values that several commands take."""

import argparse
import os
from math import isfinite


def positive(text: str) -> float:
    """A finite number above zero."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above zero")
    return value


def count(text: str) -> int:
    """A whole number from 1."""
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


def seed(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0")
    return int(text)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Adds ``--jobs``."""
    parser.add_argument(
        "--jobs",
        type=count,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes at a time (default: %(default)s)",
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Adds ``--preset`` and ``--set``."""
    parser.add_argument(
        "--preset",
        default="standard",
        metavar="NAME_OR_TOML",
        help="one of presets/training, such as quick, or a TOML file of your own (default: %(default)s)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="one setting of the preset changed; can be repeated",
    )
