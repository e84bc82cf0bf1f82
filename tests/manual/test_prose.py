"""The manual is in American English, and has none of the words that the style sheet forbids in prose."""

import re
from pathlib import Path

import pytest

from footfall.tools.site.render import DOCS, MANUAL, ROOT
from footfall.tools.site.words import words_by_page

CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
FORBIDDEN = re.compile(
    r"\b(labell(?:ing|ed|er)|metres?|colour\w*|centre\w*|kerbs?|learnt|practis\w+|backwards|forwards|cancelled|towards"
    r"|anew|besides|thereby|even so|somebody|someone|nobody|anybody|whoever|shall|is told)\b",
    re.IGNORECASE,
)
DEVELOPING = DOCS / "developing"
PAGES = [*sorted(MANUAL.glob("*.md")), ROOT / "README.md"]
PAGES += [DEVELOPING / "design.md", *sorted(DEVELOPING.glob("decisions/*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_words_of_the_style_sheet(page: Path) -> None:
    lines = CODE.sub("", page.read_text(encoding="utf-8")).splitlines()
    assert [line for line in lines if FORBIDDEN.search(line) and not line.startswith("    ")] == []


def test_the_manual_is_read_in_an_afternoon() -> None:
    assert sum(words_by_page().values()) <= 20_000
