"""What several commands are told."""

import argparse
from collections.abc import Callable
from typing import Final

STANDARD_OUTPUT: Final = "-"


def number(least: float, most: float = float("inf")) -> Callable[[str], float]:
    """A kind of argument: a number in a range."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number {_range(least, most)}")
        return value

    return read


def whole(least: int) -> Callable[[str], int]:
    """A kind of argument: a whole number from another one on."""

    def read(text: str) -> int:
        if not (text.isdecimal() and int(text) >= least):
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least}")
        return int(text)

    return read


def _range(least: float, most: float) -> str:
    return f"from {least:g}" if most == float("inf") else f"from {least:g} to {most:g}"


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds ``--json``."""
    parser.add_argument(
        "--json",
        nargs="?",
        const=STANDARD_OUTPUT,
        metavar="FILE",
        help="tell the result as one JSON object: in a file, or on the standard output and nothing else there",
    )


def add_names(parser: argparse.ArgumentParser, option: str, what: str, all_of_them: str) -> None:
    """Adds an option that names some, and ``--all``; one of them has to be given."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(option, nargs="+", action="extend", metavar="NAME", help=what)
    which.add_argument("--all", action="store_true", help=all_of_them)
