"""In Blender: *Online Manual*, and the question marks of panels. Arguments: the file into which the browser, the
program in the variable BROWSER, writes what it is told to open; the manual as web pages, as the extension has it."""

import re
import sys
import time
from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.ui import manual_links
from footfall.blender_addon.ui.registry import own_properties, registered_classes

sys.path.insert(0, str(Path(__file__).parent))
from harness import run_checks
from panel_layout import Layout

OPENED, PAGES = Path(sys.argv[1]), Path(sys.argv[2])
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


def opened() -> list[str]:
    """What the browser was told, as soon as it was."""
    until = time.monotonic() + 20
    while not OPENED.exists() and time.monotonic() < until:
        time.sleep(0.05)
    lines = OPENED.read_text().split()
    OPENED.unlink()
    return lines


def check_everything_leads_to_a_heading_that_is_there() -> None:
    assert len(names()) > 250
    for name in names():
        topic = manual_links.topic_of(name)
        assert topic is not None, f"{name}: no page"
        page, _, heading = topic.partition("#")
        assert not heading or heading in headings(page), f"{name}: docs/{page}.md has no heading #{heading}"


def check_the_extension_opens_its_own_pages() -> None:
    for _, topic in manual_links.TOPICS:
        file = manual_links.manual_file(topic, PAGES)
        assert file is not None and file.suffix == ".html", topic
    marks = manual_links.manual_file("directing#marks", PAGES)
    assert marks == PAGES / "at/directing-marks.html" and "../directing.html#marks" in marks.read_text()
    assert manual_links.manual_file("directing#marks", PAGES / "nowhere") is None


def check_every_topic_is_of_use() -> None:
    used = {
        next(pattern for pattern, _ in manual_links.TOPICS if manual_links.fnmatchcase(name.lower(), pattern))
        for name in names()
    }
    assert {pattern for pattern, _ in manual_links.TOPICS} == used, "a pattern that fits nothing, or never first"


def check_online_manual_opens_our_page() -> None:
    for asked, page in (
        ("footfall.bake_walk", "directing"),
        ("FOOTFALL_PG_character.speed", "directing"),
        ("FOOTFALL_OT_guess_rig.name", "rig"),
    ):
        assert bpy.ops.wm.doc_view_manual(doc_id=asked) == {"FINISHED"}
        assert opened() == [(manual_links.MANUAL_FOLDER / f"{page}.md").as_uri()], asked
    assert manual_links.topic_of("bpy.types.Object.location") is None, "Blender's own are Blender's"


def check_a_question_mark_opens_the_panels_page() -> None:
    for panel in registered_classes(bpy.types.Panel):
        if hasattr(panel, "draw_header_preset"):
            layout = Layout()
            manual_links.draw_help_button(layout, panel.__name__)
            assert layout.seen == ["[]"]
    assert bpy.ops.footfall.open_manual(topic="rig-maps#roles") == {"FINISHED"}
    assert opened() == [(manual_links.MANUAL_FOLDER / "rig-maps.md").as_uri()]


def check_links_are_gone_when_footfall_is() -> None:
    footfall.unregister()
    before = len(list(bpy.utils.manual_map()))
    footfall.register()
    assert len(list(bpy.utils.manual_map())) == before + 1


def check_panels_of_the_tab_have_one() -> None:
    tab = [cls for cls in registered_classes(bpy.types.Panel) if getattr(cls, "bl_category", "") == "Footfall"]
    without = {cls.__name__ for cls in tab if not hasattr(cls, "draw_header_preset")}
    assert not without, without


footfall.register()
run_checks(globals())
