"""Words of the manual for readers, without commands, tables' bars and the addresses of links."""

import re
from typing import Final

from .render import MANUAL

UNREAD: Final = re.compile(r"(?s:```.*?```)|^    .*$|\]\([^)]*\)|\|", re.MULTILINE)
"""Blocks of commands, addresses of links and bars of tables."""
WORD: Final = re.compile(r"\S*\w\S*")


def count_words(text: str) -> int:
    """Return the number of words for readers in a page's Markdown.

    >>> count_words("Press **Bake Shot**, see [Paths](directing.md#paths).")
    5
    """
    return len(WORD.findall(UNREAD.sub(" ", text)))


def words_by_page() -> dict[str, int]:
    """Return the number of words for readers in each page of the extension's manual, by the page's name."""
    return {page.stem: count_words(page.read_text(encoding="utf-8")) for page in sorted(MANUAL.glob("*.md"))}
