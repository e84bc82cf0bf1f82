"""The first page of the repository: links and pictures are there, and figures are those of the last measurement."""

import re

from footfall.tools.site.render import MANUAL, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def figures(text: str) -> set[str]:
    """The numbers of a text."""
    return set(NUMBER.findall(text))


def test_every_link_and_picture_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README)
    assert len(links) > 30
    assert [link for link in links if ":" not in link and not (ROOT / link).is_file()] == []


def test_its_figures_are_measured() -> None:
    section = README[README.index("## How good is it") : README.index("All of it, with what")]
    quality = (MANUAL / "quality.md").read_text(encoding="utf-8")
    assert len(figures(section)) > 10
    assert figures(section) <= figures(quality)
