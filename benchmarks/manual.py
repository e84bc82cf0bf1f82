"""The manual: its number of words, and its size in the extension."""

from typing import Final

from ..core.errors import FootfallError
from ..tools.build.folders import ROOT
from ..tools.build.zips import SIZE_LIMIT
from ..tools.site.words import words_by_page
from .setup import Setup
from .tables import Part, table

TITLE = "The manual and the zip"
REACH_WORDS: Final = 20_000

NOTES = """\
*Words* of all pages that come with the extension, without commands, the bars of tables and the addresses of links;
pages for developers stand in the source alone. The zip is the largest that `build.py package` has left in `dist`."""


def measure(setup: Setup) -> list[Part]:
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
    return [table(["pages", "words", "longest page", "zip MB"], rows), NOTES]
