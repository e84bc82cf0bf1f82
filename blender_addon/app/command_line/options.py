"""Options that several commands share."""

import argparse
from collections.abc import Callable
from typing import Final

STANDARD_OUTPUT: Final = "-"


def number_in_range(minimum: float, maximum: float = float("inf")) -> Callable[[str], float]:
    """Return an argument type that accepts a number in a range."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number {_range_text(minimum, maximum)}")
        return value

    return read


def whole_number_from(minimum: int) -> Callable[[str], int]:
    """Return an argument type that accepts a whole number of at least ``minimum``."""

    def read(text: str) -> int:
        if not (text.isdecimal() and int(text) >= minimum):
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least {minimum}")
        return int(text)

    return read


def _range_text(minimum: float, maximum: float) -> str:
    return f"of at least {minimum:g}" if maximum == float("inf") else f"from {minimum:g} to {maximum:g}"


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json``."""
    parser.add_argument(
        "--json",
        nargs="?",
        const=STANDARD_OUTPUT,
        metavar="FILE",
        help=(
            "write the result as one JSON document, to a file or to standard output, which then contains nothing else"
        ),
    )


def add_name_selection(parser: argparse.ArgumentParser, option: str, help_text: str, all_help: str) -> None:
    """Add an option that names items, and ``--all``; the user must give one of them."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(option, nargs="+", action="extend", metavar="NAME", help=help_text)
    which.add_argument("--all", action="store_true", help=all_help)
