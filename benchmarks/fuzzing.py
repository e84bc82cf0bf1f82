"""Damaged and hostile files against every reader, as ``python build.py fuzz`` tries them."""

from typing import Final

from ..core.errors import FootfallError
from ..tests.fuzz.campaign import problems, run_campaign, table
from ..tests.fuzz.readers import all_readers
from .setup import Setup

TITLE = "Damaged and hostile files"
MINUTES: Final = 24.0
NOTES: Final = """\
Each input is a file: valid ones, pipes, devices, folders and links, crafted ones (deep nesting, huge declared sizes,
archives that unpack without end, numbers that are not finite, text that is not UTF-8, endless lines, keys twice), then
mutations of valid ones until the reader's share of the time is over. *Read*: the reader returns, and takes what it can
not use for missing where that is its rule. *Refused*: one sentence, without control characters. *Escapes*: any other
exception, more than 15 s of processor time or 1.5 GB, a process that ends. Seconds are processor time, peak is the
growth of the process. FBX, runs in the panel and texts of `.blend` files are read inside Blender."""


def measure(_setup: Setup) -> str:
    """Return the section's table and what escaped."""
    summaries = run_campaign([*all_readers()], MINUTES * 60)
    missing = [one.reader for one in summaries if one.why_not]
    if missing:
        raise FootfallError("{names} cannot be tried here: run build.py dev", names=", ".join(missing))
    return "\n\n".join([table(summaries), NOTES, *problems(summaries)])
