"""Web pages of the manual: `python tools/site/render.py FOLDER`, with the Python of `.venvs/dev`.

========================== =========================================================================================
``manual/PAGE.html``       one for each ``docs/manual/PAGE.md``
``manual/at/PAGE-X.html``  leads on to the heading ``X`` of a page: Windows opens files, not places in files
``images/``                the pictures, PNG as WebP, which is a tenth of the size
``films/``                 a still picture of each film; what moves stands in the source alone
========================== =========================================================================================
"""

import html
import re
import sys
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions.toc import TocExtension
from markdown.treeprocessors import Treeprocessor
from PIL import Image

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
MANUAL: Final = DOCS / "manual"
"""Pages for users; those for developers are beside it, only in the source."""
IN_SOURCE: Final = ("../developing/", "../films/")
"""Prefixes of links to files that are only in the source."""
STYLE: Final = Path(__file__).with_name("style.css")
QUALITY: Final = 82
"""Quality of pictures, 0 to 100."""
MOVING: Final = re.compile(r"films/(\w+)\.webp")
"""Address of an animated picture."""
WIDEST: Final = 1600
"""Largest width of a picture, pixels; screenshots may have more."""
PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title} - Footfall</title>
<link rel="stylesheet" href="style.css"></head>
<body>
<nav>{links}</nav>
{body}
</body>
</html>
"""
LEADS_ON: Final = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=../{page}.html#{heading}"></head>
<body><a href="../{page}.html#{heading}">{title}</a></body></html>
"""


def heading_name(title: str, separator: str = "-") -> str:
    """Return the part of a page's address, after `#`, that leads to a heading, as source code hosts form it."""
    return re.sub(r"[^\w\- ]", "", title).lower().replace(" ", separator)


class _Links(Treeprocessor):
    """Converter of links between pages, and pictures, into those of the web pages; other links are removed."""

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            address = link.get("href", "")
            if address.startswith("../"):
                link.tag = "span"
                del link.attrib["href"]
                link.text = f"{link.text} (in the source)" if address.startswith(IN_SOURCE) else link.text
            else:
                link.set("href", re.sub(r"^([\w-]+)\.md(?=#|$)", r"\1.html", address))
        for picture in root.iter("img"):
            source = re.sub(r"\.png$", ".webp", picture.get("src", ""))
            picture.set("src", MOVING.sub(r"films/\1.still.webp", source))
            picture.set("loading", "lazy")


def render(out: Path, docs: Path = DOCS) -> None:
    """Write all web pages and pictures of the manual into a folder, created if missing."""
    folder = out / "manual"
    (folder / "at").mkdir(parents=True, exist_ok=True)
    pages = sorted((docs / "manual").glob("*.md"))
    titles = {page.stem: _title(page) for page in pages}
    for page in pages:
        _render_page(page, titles, folder)
    (folder / "style.css").write_bytes(STYLE.read_bytes())
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    _copy_pictures(docs / "images", out / "images", text)
    _copy_stills(docs / "films", out / "films", text)


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def _render_page(page: Path, titles: dict[str, str], out: Path) -> None:
    contents = TocExtension(slugify=heading_name)
    writer = Markdown(extensions=["tables", "fenced_code", "sane_lists", contents])
    writer.treeprocessors.register(_Links(writer), "links", 0)
    body = writer.convert(page.read_text(encoding="utf-8"))
    links = "".join(_link(name, title, name == page.stem) for name, title in titles.items())
    text = PAGE.format(title=html.escape(titles[page.stem]), links=links, body=body)
    (out / f"{page.stem}.html").write_text(text, encoding="utf-8")
    for heading in re.findall(r'<h\d id="([^"]+)"', body):
        lead = LEADS_ON.format(page=page.stem, heading=heading, title=html.escape(titles[page.stem]))
        (out / "at" / f"{page.stem}-{heading}.html").write_text(lead, encoding="utf-8")


def _link(name: str, title: str, is_this: bool) -> str:
    current = ' aria-current="page"' if is_this else ""
    return f'<a href="{name}.html"{current}>{html.escape(title)}</a>'


def _copy_pictures(pictures: Path, out: Path, text: str) -> None:
    """Copy the pictures shown in the text of all pages."""
    shown = (file for file in pictures.rglob("*") if f"images/{file.relative_to(pictures).as_posix()}" in text)
    for picture in sorted(file for file in shown if file.is_file()):
        target = out / picture.relative_to(pictures)
        target.parent.mkdir(parents=True, exist_ok=True)
        if picture.suffix != ".png":
            target.write_bytes(picture.read_bytes())
            continue
        with Image.open(picture) as image:
            image.thumbnail((WIDEST, WIDEST))
            image.convert("RGB").save(target.with_suffix(".webp"), quality=QUALITY, method=6)


def _copy_stills(films: Path, out: Path, text: str) -> None:
    """Copy the still pictures of the films shown in the text of all pages."""
    out.mkdir(exist_ok=True)
    for name in sorted(set(MOVING.findall(text))):
        (out / f"{name}.still.webp").write_bytes((films / f"{name}.still.webp").read_bytes())


if __name__ == "__main__":
    render(Path(sys.argv[1]))
