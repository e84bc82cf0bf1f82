"""The manual: pages for the zip, and a website."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from .environments import DEV, set_up
from .folders import ROOT
from .processes import run_step


@functools.cache
def manual_pages() -> dict[str, bytes]:
    """Return the manual as web pages, for Blender's help links: path in the zip -> bytes."""
    set_up(DEV)
    with tempfile.TemporaryDirectory() as folder:
        command = [DEV.python, "-P", ROOT / "tools" / "site" / "render.py", folder]
        run_step("package", "writing the manual's pages", command)
        pages = [page for page in Path(folder).rglob("*") if page.is_file()]
        return {f"docs/{page.relative_to(folder).as_posix()}": page.read_bytes() for page in pages}


def write_site(folder: Path, python: str | Path) -> None:
    """Build the manual as a website that opens from the folder, with Sphinx of a given Python."""
    with tempfile.TemporaryDirectory() as doctrees:
        command = [python, "-P", "-m", "sphinx", "-q", "-W", "-b", "html", "-d", doctrees]
        run_step("docs", "writing the website", [*command, "-c", ROOT / "tools" / "site", ROOT / "docs", folder])
    start = '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=manual/README.html">\n'
    (folder / "index.html").write_text(start, encoding="utf-8")
