"""The manual as a website: every page, every link and every picture is there, and a search that needs no network."""

import posixpath
import re
import sys
from pathlib import Path

import pytest

from footfall.tests.manual.test_render import Page
from footfall.tools.build.manual import write_site
from footfall.tools.site.render import DOCS


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The website, as `build.py docs` makes it."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, sys.executable)
    return folder


def test_every_chapter_is_a_page(site: Path) -> None:
    chapters = {file.relative_to(DOCS).with_suffix(".html") for file in DOCS.rglob("*.md")}
    assert chapters <= {file.relative_to(site) for file in site.rglob("*.html")}
    assert "manual/README.html" in (site / "index.html").read_text(encoding="utf-8")


def test_every_link_and_picture_leads_somewhere(site: Path) -> None:
    pages = {file.relative_to(site).as_posix(): Page(file) for file in site.rglob("*.html")}
    broken = []
    for name, page in pages.items():
        folder = posixpath.dirname(name)
        for link in page.links:
            address, _, heading = link.partition("#")
            target = posixpath.normpath(posixpath.join(folder, address)) if address else name
            if re.match(r"[a-z]+:", link) or target.startswith(".."):  # another place, or the source
                continue
            if not (site / target).is_file() or (heading and heading not in pages[target].names):
                broken.append(f"{name}: {link}")
        broken += [f"{name}: {picture}" for picture in page.pictures if not (site / folder / picture).is_file()]
    assert len(pages) > 50 and not broken


def test_the_search_knows_the_words_and_asks_no_network(site: Path) -> None:
    assert "waypoint" in (site / "searchindex.js").read_text(encoding="utf-8")
    for page in (site / "search.html", site / "manual" / "first-walk.html"):
        loaded = re.findall(r'(?:src|href)="(https?://[^"]*)"', page.read_text(encoding="utf-8"))
        assert loaded == [], page.name
