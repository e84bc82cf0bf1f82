"""The manual as web pages: every link leads somewhere, and question marks find their page without a network."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from footfall.tools.site.render import MANUAL, ROOT, heading_name


class Page(HTMLParser):
    """What a page links to, shows, and calls its headings."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.names: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(values.get("href", ""))
        if tag == "img":
            self.pictures.append(values["src"])
        if "id" in values:
            self.names.add(values["id"])


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, made as a package makes them."""
    out = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, str(ROOT / "tools/site/render.py"), str(out)], check=True, timeout=120)
    return out / "manual"


def test_every_page_is_there_with_its_pictures(manual: Path) -> None:
    assert {file.stem for file in manual.glob("*.html")} == {file.stem for file in MANUAL.glob("*.md")}
    for file in manual.glob("*.html"):
        for picture in Page(file).pictures:
            assert (manual / picture).is_file(), f"{file.name}: {picture}"


def test_every_link_between_pages_leads_to_a_heading(manual: Path) -> None:
    pages = {file.name: Page(file) for file in manual.glob("*.html")}
    broken = []
    for name, page in pages.items():
        for link in page.links:
            target, _, heading = link.partition("#")
            if not re.match(r"[a-z]+:", link) and (
                (target or name) not in pages or (heading and heading not in pages[target or name].names)
            ):
                broken.append(f"{name}: {link}")
    assert not broken


def test_every_heading_has_a_file_that_leads_on_to_it(manual: Path) -> None:
    for file in manual.glob("*.html"):
        for heading in Page(file).names:
            lead = manual / "at" / f"{file.stem}-{heading}.html"
            assert f"../{file.name}#{heading}" in lead.read_text(encoding="utf-8")


def test_headings_are_called_as_links_in_the_source_call_them() -> None:
    assert heading_name("The trainer's Python") == "the-trainers-python"
    assert heading_name("From clips to a controller") == "from-clips-to-a-controller"


def test_of_films_only_stills_travel_along(manual: Path) -> None:
    names = [file.name for file in (manual.parent / "films").iterdir()]
    assert names and all(name.endswith(".still.webp") for name in names)
    assert "../films/curve.still.webp" in Page(manual / "scenes.html").pictures
    assert not [link for link in Page(manual / "scenes.html").links if link.startswith("../")]


def test_it_is_small_enough_to_travel_along(manual: Path) -> None:
    assert sum(file.stat().st_size for file in manual.parent.rglob("*") if file.is_file()) < 5e6


def test_pages_for_developers_are_named_as_such(manual: Path) -> None:
    page = (manual / "README.html").read_text(encoding="utf-8")
    for title in ("Benchmarks", "Design", "Developing"):
        assert f"<span>{title} (in the source)</span>" in page
    assert "developing/" not in page
