"""The style sheet of the interface: labels in Title Case, short descriptions, the words of the field."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.ui.registry import own_properties, registered_classes, rna_type_of
from footfall.tests.support.style_sheet import FORBIDDEN_WORDS, LONGEST_DESCRIPTION, OLD_LABELS, SMALL_WORDS
from footfall.tools import translation_template

MANUAL = sorted((Path(__file__).resolve().parents[3] / "docs" / "manual").glob("*.md"))

Text = tuple[str, str]
"""The class, and property, that a text belongs to; and the text."""


def property_texts(owner: str, item: bpy.types.Property) -> Iterator[tuple[Text, Text]]:
    """Yield label and description of a property and of the choices that it has."""
    where = f"{owner}.{item.identifier}"
    yield (where, item.name), (where, item.description)
    for choice in item.enum_items_static if item.type == "ENUM" else ():
        yield (where, choice.name), (where, choice.description)


@cache
def texts() -> tuple[list[Text], list[Text]]:
    """Return all labels and all descriptions of the interface."""
    pairs: list[tuple[Text, Text]] = []
    for cls in registered_classes(bpy.types.Operator):
        known = rna_type_of(cls)
        pairs.append(((cls.__name__, known.name), (cls.__name__, known.description)))
    for base in (bpy.types.Panel, bpy.types.Menu):
        pairs += (((cls.__name__, cls.bl_label), (cls.__name__, "")) for cls in registered_classes(base))
    for base in (bpy.types.Operator, bpy.types.PropertyGroup, bpy.types.AddonPreferences):
        for cls in registered_classes(base):
            for item in own_properties(cls):
                if not item.is_hidden and item.identifier != "name" and item.name != item.identifier:
                    pairs += property_texts(cls.__name__, item)
    return [label for label, _ in pairs if label[1]], [description for _, description in pairs if description[1]]


def is_title_case(label: str) -> bool:
    words = re.findall(r"[^\s/]+", label)
    return all(
        not word[0].islower() or (word in SMALL_WORDS and 0 < place < len(words) - 1)
        for place, word in enumerate(words)
    )


def test_labels_are_in_title_case() -> None:
    assert sorted({label for label in texts()[0] if not is_title_case(label[1])}) == []


def test_labels_and_descriptions_have_no_final_period() -> None:
    labels, descriptions = texts()
    assert [text for text in labels + descriptions if text[1].endswith(".")] == []


def test_descriptions_are_short() -> None:
    assert sorted({text for text in texts()[1] if len(text[1]) > LONGEST_DESCRIPTION}) == []


def test_a_label_is_not_the_old_one_of_its_concept() -> None:
    assert sorted({label for label in texts()[0] if label[1] in OLD_LABELS}) == []


def test_no_message_has_a_final_period() -> None:
    found = {text: where for (_, text), where in translation_template.collect_messages().items()}
    assert {text: where for text, where in found.items() if text.endswith(".") and not text.endswith("...")} == {}


def test_what_is_said_has_the_words_of_the_field() -> None:
    found = {text: where for (_, text), where in translation_template.collect_messages().items()}
    assert {text: where for text, where in found.items() if FORBIDDEN_WORDS.search(text)} == {}


@pytest.mark.parametrize("page", MANUAL, ids=lambda page: page.stem)
def test_the_manual_names_no_old_label(page: Path) -> None:
    named = set(re.findall(r"(?<!\*)\*{1,2}([^*\n]+)\*{1,2}", page.read_text(encoding="utf-8")))
    assert sorted(named & OLD_LABELS) == []
