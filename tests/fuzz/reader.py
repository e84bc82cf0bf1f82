"""A reader under test: its valid files, the call that reads one, and its bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SECONDS: Final = 15.0
"""Processor time that an input may take: megabytes of text are parsed in some seconds."""
HANG_SECONDS: Final = 120.0
"""Time after which an input hangs, such as one that waits for a pipe."""
MEGABYTES: Final = 1500
"""Largest growth of the process by one input: an archive may unpack to 512 MB, and is converted once."""
DEV: Final = "dev"
BLENDER: Final = "blender"


@dataclass(frozen=True)
class Reader:
    """A reader of one file, in a folder that may hold others which belong to it.

    Attributes:
        name: unique.
        file: the path of the mutated file in the folder.
        syntax: how inputs are changed, and which bombs there are: one of ``mutation.STRUCTURAL``, or ``"bytes"``.
        prepare: writes what lies beside the file into a folder, and returns valid contents of the file.
        read: reads the file at a path.
        python: environment that it runs in.
        refusals: further exceptions that its callers expect.
        seconds, megabytes: bounds of one input, of processor time and of the growth of the process.
    """

    name: str
    file: str
    syntax: str
    prepare: Callable[[Path], Sequence[bytes]]
    read: Callable[[Path], object]
    python: str = DEV
    refusals: tuple[type[Exception], ...] = field(default=())
    seconds: float = SECONDS
    megabytes: int = MEGABYTES
