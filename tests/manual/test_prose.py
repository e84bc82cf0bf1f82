"""The manual is in American English, and has none of the words that the style sheet forbids in prose."""

import re
from pathlib import Path

import pytest

from footfall.manual.render import DOCS, LEFT_OUT
from footfall.manual.words import count_words, words_by_page

CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
FORBIDDEN = re.compile(
    r"\b(labell(?:ing|ed|er)|metres?|colour\w*|centre\w*|kerbs?|learnt|practis\w+|backwards|forwards|cancelled|towards"
    r"|anew|besides|thereby|even so|somebody|someone|nobody|anybody|whoever|shall|is told)\b",
    re.IGNORECASE,
)
PAGES = [file for file in sorted(DOCS.glob("*.md")) if file.stem not in LEFT_OUT]


@pytest.mark.parametrize("page", [*PAGES, DOCS.parent / "README.md"], ids=lambda page: page.stem)
def test_a_page_has_the_words_of_the_style_sheet(page: Path) -> None:
    lines = CODE.sub("", page.read_text(encoding="utf-8")).splitlines()
    assert [line for line in lines if FORBIDDEN.search(line) and not line.startswith("    ")] == []


def test_commands_bars_and_addresses_are_not_read() -> None:
    page = "Press [Bake](a.md#bake), then:\n\n    python build.py demo\n\n| key | effect |\n| --- | --- |\n| W | goes |"
    assert count_words(page) == 7


def test_the_manual_is_read_in_an_afternoon() -> None:
    assert sum(words_by_page().values()) <= 20_000
