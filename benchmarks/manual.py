"""The manual: how much there is to read, and how large it makes the extension."""

from typing import Final

from ..build import ROOT, SIZE_LIMIT
from ..core.errors import FootfallError
from ..manual.words import words_by_page
from .document import table
from .setup import Setup

TITLE = "The manual and the zip"
REACH_WORDS: Final = 20_000

NOTES = """\
*Words* of all pages that come with the extension, without commands, the bars of tables and the addresses of links;
pages for developers stand in the source alone. The zip is the largest that `build.py package` has left in `dist`."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    zips = sorted((ROOT / "dist").glob("footfall-*.zip"), key=lambda file: file.stat().st_size)
    if not zips:
        raise FootfallError("There is no zip in dist: run python build.py package")
    pages = words_by_page()
    longest = max(pages, key=pages.__getitem__)
    rows = [
        [len(pages), sum(pages.values()), f"{longest}: {pages[longest]}", zips[-1].stat().st_size / 1e6],
        ["reach", REACH_WORDS, None, SIZE_LIMIT],
    ]
    return f"{table(['pages', 'words', 'longest page', 'zip MB'], rows)}\n\n{NOTES}"
