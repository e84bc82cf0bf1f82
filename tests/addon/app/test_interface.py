"""All buttons, fields and menus read like Blender's own. Walks everything that is registered."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

import footfall
from footfall.blender_addon.app import menus
from footfall.blender_addon.ui.registry import own_properties, registered_classes, rna_type_of
from footfall.tests.addon.support.panel_layout import Layout

pytestmark = pytest.mark.every_blender

SOURCE = Path(footfall.__file__).parent / "blender_addon"
DRAWERS = {"prop", "prop_search", "prop_menu_enum", "props_enum"}
WITHOUT_UNIT = {"sharpness", "ik_value", "fk_value", "value", "direction", "shares"}
"""Floating-point fields that are plain numbers: an exponent, values of rigs, a direction, shares."""
JARGON = re.compile(
    r"\b(boolean|callback|checkpoint|dict|enum|epoch|kwargs|modal|npz|numpy|poll|RNA|roll-?outs?|tensors?|traceback)\b",
    re.IGNORECASE,
)
ROOT_MENUS = {"VIEW3D_MT_object", "VIEW3D_MT_pose", "VIEW3D_MT_edit_curve", "DOPESHEET_MT_key"}


def operators() -> list[type]:
    return registered_classes(bpy.types.Operator)


@cache
def drawn_names() -> set[str]:
    """The names of all properties that a panel draws, as they stand in its source."""
    names: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr in DRAWERS:
                names.update(_values(call, loops))
    return names


def _values(call: ast.Call, loops: list[ast.For]) -> Iterator[str]:
    """What the second argument is: a name, or all words of the loop around it whose variable it is."""
    name = call.args[1]
    if isinstance(name, ast.Constant):
        yield str(name.value)
    elif isinstance(name, ast.Name):
        for loop in (loop for loop in loops if call in ast.walk(loop)):
            if name.id in {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}:
                yield from (str(node.value) for node in ast.walk(loop.iter) if isinstance(node, ast.Constant))


def shown_properties() -> Iterator[tuple[str, bpy.types.Property]]:
    """Every property that a user may see: drawn in a panel, asked for by an operator, or given a name at all."""
    drawn = drawn_names()
    for base in (bpy.types.Operator, bpy.types.PropertyGroup, bpy.types.AddonPreferences):
        for cls in registered_classes(base):
            items = own_properties(cls)
            is_seen = any(item.name != item.identifier != "name" for item in items)  # else it keeps books
            for item in items:
                named = item.name != item.identifier
                asked = base is bpy.types.Operator and not item.is_hidden
                if asked or named or (is_seen and item.identifier in drawn and not item.is_hidden):
                    yield f"{cls.__name__}.{item.identifier}", item


def is_phrase(text: str) -> bool:
    return bool(text) and text == text.strip() and "\n" not in text and text[-1] not in ".!" and not text[0].islower()


def test_every_button_says_what_it_does() -> None:
    assert len(operators()) > 60
    wrong = {
        cls.__name__: rna_type_of(cls).description for cls in operators() if not is_phrase(rna_type_of(cls).description)
    }
    assert not wrong, wrong
    short = [cls.__name__ for cls in operators() if len(rna_type_of(cls).description.split()) < 3]
    assert not short, short
    labels = [cls.bl_label for cls in operators() if "INTERNAL" not in getattr(cls, "bl_options", ())]
    assert len(set(labels)) == len(labels), "F3 would show the same words for two things"


def test_every_field_has_a_name_and_a_tooltip() -> None:
    drawn = drawn_names()
    assert {"speed", "blend_in", "runs_folder", "feet_height"} <= drawn, "names are read from the source"
    seen = [(where, item) for where, item in shown_properties() if not _is_row(item)]
    nameless = [where for where, item in seen if item.name == item.identifier]
    assert not nameless, nameless
    wrong = {where: item.description for where, item in seen if not is_phrase(item.description)}
    assert not wrong, wrong


def _is_row(item: bpy.types.Property) -> bool:
    """Whether a property is one that lists show by themselves, such as the name of a row."""
    return item.type in ("POINTER", "COLLECTION") or item.identifier in ("name", "note", "text")


def test_every_length_and_speed_has_its_unit() -> None:
    plain = {
        where
        for where, item in shown_properties()
        if item.type == "FLOAT" and item.unit == "NONE" and item.subtype not in ("FACTOR", "PERCENTAGE")
    }
    assert {where.rpartition(".")[2] for where in plain} <= WITHOUT_UNIT, plain


def test_nothing_is_said_in_programmers_words() -> None:
    said = {cls.__name__: f"{rna_type_of(cls).name}. {rna_type_of(cls).description}" for cls in operators()}
    said |= {where: f"{item.name}. {item.description}" for where, item in shown_properties()}
    wrong = {where: text for where, text in said.items() if JARGON.search(text)}
    assert not wrong, wrong


def test_every_button_that_is_grey_says_why() -> None:
    for cls in operators():
        module, _, name = cls.bl_idname.partition(".")
        if not getattr(getattr(bpy.ops, module), name).poll() and hasattr(cls, "why_not"):
            reason = cls.why_not(bpy.context)
            assert reason and is_phrase(reason), (cls.bl_idname, reason)


def in_menu(menu: type) -> list[str]:
    """The titles in a menu of Footfall's, those of menus in curly brackets."""
    layout = Layout()
    if issubclass(menu, menus.OperatorMenu):
        menus.OperatorMenu.draw(SimpleNamespace(layout=layout, group=menu.group), bpy.context)
    else:
        menu.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout.seen


def test_the_search_finds_every_button() -> None:
    found = {title for menu in menus.SUBMENUS for title in in_menu(menu)}
    wanted = {f"[{cls.bl_label}]" for cls in operators() if "INTERNAL" not in getattr(cls, "bl_options", ())}
    assert wanted - found == {"[Footfall Manual]"}, wanted - found
    titles = [f"{{{menu.bl_label}}}" for menu in menus.SUBMENUS]
    assert in_menu(menus.FOOTFALL_MT_main) == [*titles, "[Footfall Manual]"]
    for host in ROOT_MENUS:
        assert any(draw.__module__ == menus.__name__ for draw in getattr(bpy.types, host)._dyn_ui_initialize()), host


def test_our_menus_leave_blenders() -> None:
    footfall.unregister()
    for host in ROOT_MENUS:
        assert not any(draw.__module__ == menus.__name__ for draw in getattr(bpy.types, host)._dyn_ui_initialize())
    footfall.register()
