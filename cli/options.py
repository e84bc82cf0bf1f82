"""Options and value types shared by several commands."""

import argparse
import os
from math import isfinite
from pathlib import Path


def positive_float(text: str) -> float:
    """Parse a finite number above zero, as the ``type`` of an option."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above zero")
    return value


def finite_float(text: str) -> float:
    """Parse a finite number, as the ``type`` of an option."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return value


def fraction(text: str) -> float:
    """Parse a number from 0 to 1, as the ``type`` of an option."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def positive_int(text: str) -> int:
    """Parse a whole number of at least 1, as the ``type`` of an option."""
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def non_negative_int(text: str) -> int:
    """Parse a whole number of at least 0, as the ``type`` of an option."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")
    return int(text)


def output_file(text: str) -> Path:
    """Parse the path of a file to write: its folder must exist, and it must not be a folder itself."""
    path = Path(text)
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder for '{text}': create it first")
    if path.is_dir() or not path.name:
        raise argparse.ArgumentTypeError(f"'{text}' is a folder: name a file")
    if not os.access(path.absolute().parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"the folder of '{text}' cannot be written to")
    return path


STANDARD_OUTPUT = "-"
"""Value of ``--json`` if no file is given."""


def json_file(text: str) -> str:
    """Parse the file name given to ``--json``; its extension is checked so that no clip is overwritten."""
    if text == STANDARD_OUTPUT:
        return text
    if not text.endswith(".json"):
        raise argparse.ArgumentTypeError(f"'{text}' does not end in .json: name such a file, or put --json last")
    if not Path(text).absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder for '{text}'")
    return text


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json``, by which a command prints or writes its result as JSON."""
    parser.add_argument(
        "--json",
        nargs="?",
        const=STANDARD_OUTPUT,
        type=json_file,
        metavar="FILE",
        help="write the result as one JSON document, to a .json file or to standard output",
    )


def add_clips_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the clips that a command reads."""
    parser.add_argument(
        "clips",
        nargs="+",
        type=Path,
        metavar="CLIP_OR_FOLDER",
        help="BVH files, folders of them, or .txt lists of both",
    )


def add_jobs_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--jobs``, the number of parallel processes."""
    parser.add_argument(
        "--jobs",
        type=positive_int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of parallel processes (default: %(default)s)",
    )


DEFAULT_PRESET = "standard"
"""Preset that is used if ``--preset`` is not given."""


def add_preset_options(parser: argparse.ArgumentParser, alternative_default: str = "") -> None:
    """Add the options ``--preset``, the name of a training preset, and ``--set``, which changes single settings.

    Args:
        parser: the command's parser.
        alternative_default: description, for the help text, of the default if that is not the usual preset; if given,
            ``--preset`` is ``None`` by default.
    """
    default = f"{DEFAULT_PRESET}; {alternative_default}" if alternative_default else DEFAULT_PRESET
    parser.add_argument(
        "--preset",
        default=None if alternative_default else DEFAULT_PRESET,
        metavar="NAME_OR_TOML",
        help=f"training preset: a name (see list-presets) or a TOML file (default: {default})",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a setting of the preset; can be repeated",
    )


def add_controller_options(parser: argparse.ArgumentParser, option: str, purpose: str) -> None:
    """Add an option that names a controller to fine-tune, stored as ``controller``, and the option ``--style``."""
    parser.add_argument(option, dest="controller", type=Path, metavar="CONTROLLER", help=purpose)
    parser.add_argument("--style", default="", metavar="NAME", help=f"name of the new style, with {option}")
