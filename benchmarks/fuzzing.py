"""Damaged and hostile files for every reader, as in ``python build.py fuzz``."""

from typing import Final

from ..core.errors import FootfallError
from ..tests.fuzz.campaign import problems, run_campaign, summary_table
from ..tests.fuzz.readers import all_readers
from .setup import Setup
from .tables import Part

TITLE = "Damaged and hostile files"
MINUTES: Final = 24.0
NOTES: Final = """\
*Refused*: one sentence, without control characters. *Escapes*: any other exception, more than 15 s of processor time
or 1.5 GB, a process that ends."""


def measure(_setup: Setup) -> list[Part]:
    """Return the section's table and the unexpected errors."""
    summaries = run_campaign([*all_readers()], MINUTES * 60)
    missing = [one.reader for one in summaries if one.why_not]
    if missing:
        raise FootfallError("{names} cannot be tried here: run build.py dev", names=", ".join(missing))
    return [summary_table(summaries), NOTES, *problems(summaries)]
