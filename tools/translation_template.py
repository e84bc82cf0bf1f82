"""All messages of Footfall, as a catalog for translators, in gettext's format.

New messages are added to ``locale/de.po``, and obsolete ones removed, by

    .venvs/blender-5.2/bin/python -m footfall.tools.translation_template de

and a language that has no catalog yet gets an empty one.
"""

import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import bpy

from ..blender_addon.ui.registry import own_properties, registered_classes, rna_type_of
from ..blender_addon.ui.translations import ANY_CONTEXT, CONTEXT, LOCALE_FOLDER, Catalogue, read_catalogue
from ..core.jobs.training_preset import shipped_presets as training_presets
from ..core.labelling.presets import load_preset
from ..core.labelling.presets import shipped_presets as labelling_presets
from ..core.rig.rig_map.roles import PARTS, part_name

SOURCE_FOLDERS: Final = ("blender_addon", "core")
COMMAND_LINE_FOLDER: Final = "blender_addon/app/command_line/"
"""Command-line messages stay English, like all of Blender's."""
SOURCE_ROOT: Final = Path(__file__).parent.parent
OPERATOR_CONTEXT: Final = "Operator"
"""Blender's context of texts on buttons."""
DRAW_CALL_CONTEXTS: Final = {
    "operator": OPERATOR_CONTEXT,
    "label": ANY_CONTEXT,
    "prop": ANY_CONTEXT,
    "menu": ANY_CONTEXT,
    "row": ANY_CONTEXT,
    "operator_menu_enum": OPERATOR_CONTEXT,
}
"""Drawing functions, and the context in which Blender looks up their ``text`` or ``heading``."""
SENTENCE_PATTERN: Final = re.compile(r"[^\W\d_]{2,}.*\s|\s.*[^\W\d_]{2,}", re.DOTALL)
NON_SENTENCE_PATTERN: Final = re.compile(r"^[-.#/*]|\\|\n| = |^\s|\s$|^[a-z]+ [a-z]+$|^\W*$| \| None$")
MESSAGE_CALL_PATTERN: Final = re.compile(r"Message|\w*[Ee]rror|__init__")
"""Names of functions called with a template."""
CATALOGUE_HEADER: Final = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: {language}\\n"\n'
)

Entry = tuple[str, str]
"""A message's context and its English text, or template."""


def collect_messages() -> dict[Entry, str]:
    """Return the origin of each message of Footfall, by context and text; its classes must be registered."""
    result: dict[Entry, str] = {}
    for where, message in _class_messages():
        if message[1]:
            result.setdefault(message, where)
    known = {text for _, text in result}
    for where, message in _source_messages():
        if message[1] and message[1] not in known:
            result.setdefault(message, where)
    return result


def write_catalogue(file: str | Path, translations: Catalogue | None = None, language: str = "") -> None:
    """Write a gettext catalog of all messages, with the given translations; without any, an empty one."""
    known = translations or {}
    blocks = [CATALOGUE_HEADER.format(language=language)]
    for (context, text), where in collect_messages().items():
        lines = [f"#: {where}", *([f"msgctxt {_quote(context)}"] if context != ANY_CONTEXT else [])]
        lines += [f"msgid {_quote(text)}", f"msgstr {_quote(known.get((context, text), ''))}", ""]
        blocks.append("\n".join(lines))
    Path(file).write_text("\n".join(blocks), encoding="utf-8")


def update_catalogue(language: str) -> tuple[int, int]:
    """Update a language's catalog; return the number of translated messages and of all messages."""
    file = LOCALE_FOLDER / f"{language}.po"
    known = read_catalogue(file) if file.is_file() else {}
    write_catalogue(file, known, language)
    there = collect_messages()
    return len(known.keys() & there.keys()), len(there)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# Messages known to Blender

INHERITED_NAME_PROPERTY: Final = bpy.types.PropertyGroup.bl_rna.properties["name"]


def _class_messages() -> Iterator[tuple[str, Entry]]:
    for cls in registered_classes(bpy.types.Operator):
        known = rna_type_of(cls)
        yield cls.__name__, (known.translation_context, known.name)
        yield cls.__name__, (ANY_CONTEXT, known.description)
        yield from _fields(cls)
    for base in (bpy.types.Panel, bpy.types.Menu):
        for cls in registered_classes(base):
            yield cls.__name__, (getattr(cls, "bl_translation_context", ANY_CONTEXT), cls.bl_label)
    for base in (bpy.types.PropertyGroup, bpy.types.AddonPreferences):
        for cls in registered_classes(base):
            yield from _fields(cls)
    for owner in (bpy.types.Object, bpy.types.Scene):
        for item in owner.bl_rna.properties:
            if item.identifier.startswith("footfall_"):
                yield from _field(f"{owner.__name__}.{item.identifier}", item)
    shipped = [load_preset(file) for file in labelling_presets().values()]
    for text in (text for preset in shipped for text in (preset.name, preset.description)):
        yield "presets/labelling", (ANY_CONTEXT, text)
    yield from (("core/rig", (ANY_CONTEXT, part_name(part))) for part in PARTS)
    for preset in training_presets():
        yield from (
            ("presets/training", message) for message in ((CONTEXT, preset.title), (ANY_CONTEXT, preset.description))
        )


def _fields(cls: type) -> Iterator[tuple[str, Entry]]:
    for item in own_properties(cls):
        yield from _field(f"{cls.__name__}.{item.identifier}", item)


def _field(where: str, item: bpy.types.Property) -> Iterator[tuple[str, Entry]]:
    if item.is_hidden or item.name == item.identifier:
        return
    yield where, (item.translation_context, item.name)
    if item.identifier != "name" or item.description != INHERITED_NAME_PROPERTY.description:
        yield where, (ANY_CONTEXT, item.description)
    for choice in item.enum_items_static if item.type == "ENUM" else ():
        yield where, (item.translation_context, choice.name)
        yield where, (ANY_CONTEXT, choice.description)


# Messages in the source


def _source_messages() -> Iterator[tuple[str, Entry]]:
    for folder in SOURCE_FOLDERS:
        for file in sorted((SOURCE_ROOT / folder).rglob("*.py")):
            where = file.relative_to(SOURCE_ROOT).as_posix()
            if where.startswith(COMMAND_LINE_FOLDER):
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            titles = () if folder == "core" else tuple(_titles(tree))
            short = {text for _, text in titles}
            yield from ((where, title) for title in titles)
            for text in _sentences(tree, templates_alone=folder == "core"):
                if text not in short:
                    yield where, (ANY_CONTEXT, text)


def _titles(tree: ast.AST) -> Iterator[Entry]:
    """Return short texts on buttons and beside them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAW_CALL_CONTEXTS:
            for keyword in node.keywords:
                if keyword.arg in ("text", "heading"):
                    yield from ((DRAW_CALL_CONTEXTS[node.func.attr], text) for text in _texts(keyword.value))


def _sentences(node: ast.AST, templates_alone: bool) -> Iterator[str]:
    """Yield the templates of messages and errors, and all string literals of more than one word except docstrings.

    Args:
        node: a syntax tree.
        templates_alone: whether to omit string literals that are not templates.
    """
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.Constant):
        for text in () if templates_alone else _texts(node):
            if SENTENCE_PATTERN.search(text) and not NON_SENTENCE_PATTERN.search(text):
                yield text
        return
    templates: list[str] = []
    if isinstance(node, ast.Call) and MESSAGE_CALL_PATTERN.fullmatch(ast.unparse(node.func).rpartition(".")[2]):
        templates = [text for argument in node.args for text in _texts(argument)]
        yield from (text for text in templates if re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text)))
    for child in ast.iter_child_nodes(node):
        yield from (text for text in _sentences(child, templates_alone) if text not in templates)


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from (*_texts(value.body), *_texts(value.orelse))
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value


def main(languages: Sequence[str]) -> None:
    """Update the catalogs of the given languages, in a Blender without windows."""
    from .. import register

    register()
    for language in languages:
        print("{}: {} of {} messages are translated".format(language, *update_catalogue(language)), flush=True)
    os._exit(0)  # Blender 4.5's module hangs where classes are registered


if __name__ == "__main__":
    main(sys.argv[1:])
