"""*Online Manual*, and the question marks of panels."""

import re
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

import footfall
from footfall.blender_addon.ui import manual_links
from footfall.blender_addon.ui.registry import own_properties, registered_classes
from footfall.tests.addon.support.panel_layout import Layout

HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def headings(page: str) -> set[str]:
    """The names of a page's headings as they stand in an address: GitHub's, and the manual's in the extension."""
    found = HEADING.findall((manual_links.MANUAL_FOLDER / f"{page}.md").read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", text).lower().replace(" ", "-") for text in found}


def names() -> list[str]:
    """What Blender calls all that somebody may ask about: buttons, fields and panels."""
    operators = [f"bpy.ops.{cls.bl_idname}" for cls in registered_classes(bpy.types.Operator)]
    panels = [f"bpy.types.{cls.__name__}" for cls in registered_classes(bpy.types.Panel)]
    groups = (*registered_classes(bpy.types.PropertyGroup), *registered_classes(bpy.types.AddonPreferences))
    fields = [f"bpy.types.{cls.__name__}.{item.identifier}" for cls in groups for item in own_properties(cls)]
    added = [
        f"bpy.types.{owner.__name__}.{item.identifier}"
        for owner in (bpy.types.Scene, bpy.types.Object)
        for item in owner.bl_rna.properties
        if item.identifier.startswith("footfall_") and item.type != "POINTER" and not item.is_hidden
    ]
    return [*operators, *panels, *fields, *added]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What the browser, a script, was told to open since it was last asked."""
    told, browser = tmp_path / "opened.txt", tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{told}"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setattr(webbrowser, "_tryorder", None)  # Python looks for browsers once

    def addresses() -> list[str]:
        until = time.monotonic() + 20
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.05)
        lines = told.read_text().split()
        told.unlink()
        return lines

    return addresses


def test_everything_leads_to_a_heading_that_is_there() -> None:
    assert len(names()) > 250
    for name in names():
        topic = manual_links.topic_of(name)
        assert topic is not None, f"{name}: no page"
        page, _, heading = topic.partition("#")
        assert not heading or heading in headings(page), f"{name}: docs/manual/{page}.md has no heading #{heading}"


def test_every_topic_is_of_use() -> None:
    used = {
        next(pattern for pattern, _ in manual_links.TOPICS if manual_links.fnmatchcase(name.lower(), pattern))
        for name in names()
    }
    assert {pattern for pattern, _ in manual_links.TOPICS} == used, "a pattern that fits nothing, or never first"


@pytest.mark.parametrize(
    ("asked", "page"),
    (
        ("footfall.bake_shot", "directing"),
        ("FOOTFALL_PG_character.speed", "directing"),
        ("FOOTFALL_OT_guess_rig.name", "rig"),
    ),
)
def test_online_manual_opens_our_page(opened: Callable[[], list[str]], asked: str, page: str) -> None:
    assert bpy.ops.wm.doc_view_manual(doc_id=asked) == {"FINISHED"}
    assert opened() == [(manual_links.MANUAL_FOLDER / f"{page}.md").as_uri()], asked


def test_blenders_own_are_blenders() -> None:
    assert manual_links.topic_of("bpy.types.Object.location") is None


def test_a_question_mark_opens_the_panels_page(opened: Callable[[], list[str]]) -> None:
    for panel in registered_classes(bpy.types.Panel):
        if hasattr(panel, "draw_header_preset"):
            layout = Layout()
            manual_links.draw_help_button(layout, panel.__name__)
            assert layout.seen == ["[]"]
    assert bpy.ops.footfall.open_manual(topic="rig#roles") == {"FINISHED"}
    assert opened() == [(manual_links.MANUAL_FOLDER / "rig.md").as_uri()]


def test_links_are_gone_when_footfall_is() -> None:
    footfall.unregister()
    before = len(list(bpy.utils.manual_map()))
    footfall.register()
    assert len(list(bpy.utils.manual_map())) == before + 1


def test_panels_of_the_tab_have_one() -> None:
    tab = [cls for cls in registered_classes(bpy.types.Panel) if getattr(cls, "bl_category", "") == "Footfall"]
    without = {cls.__name__ for cls in tab if not hasattr(cls, "draw_header_preset")}
    assert not without, without
