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
from typing import Final, TypeGuard

import bpy

from ..blender_addon.ui.registry import own_properties, registered_classes, rna_type_of
from ..blender_addon.ui.translations import ANY_CONTEXT, CONTEXT, LOCALE_FOLDER, Catalogue, is_too_short, read_catalogue
from ..core.jobs.training_preset import SHIPPED_PRESETS_FOLDER as TRAINING_PRESETS
from ..core.jobs.training_preset import presets_in
from ..core.labelling.presets import load_preset
from ..core.labelling.presets import shipped_presets as labelling_presets

SOURCE_FOLDERS: Final = ("blender_addon", "core")
COMMAND_LINE_FOLDER: Final = "blender_addon/app/command_line/"
"""Command-line messages stay English, as all of Blender's do."""
SOURCE_ROOT: Final = Path(__file__).parent.parent
OPERATOR_CONTEXT: Final = "Operator"
"""Blender's context of what stands on buttons."""
DRAW_CALL_CONTEXTS: Final = {
    "operator": OPERATOR_CONTEXT,
    "label": ANY_CONTEXT,
    "prop": ANY_CONTEXT,
    "menu": ANY_CONTEXT,
    "row": ANY_CONTEXT,
    "operator_menu_enum": OPERATOR_CONTEXT,
}
"""What draws, and the context in which Blender looks up its ``text`` or ``heading``."""
SENTENCE_PATTERN: Final = re.compile(r"[^\W\d_]{2,}.*\s|\s.*[^\W\d_]{2,}", re.DOTALL)
NON_SENTENCE_PATTERN: Final = re.compile(r"^[-.#/*]|\\|\n| = |^\s|\s$|^[a-z]+ [a-z]+$|^\W*$| \| None$")
FORMAT_FIELD_PATTERN: Final = re.compile(r"\{\w*(?:[:!][^{}]*)?\}")
CATALOGUE_HEADER: Final = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: {language}\\n"\n'
)

Message = tuple[str, str]
"""Its context and its English text."""


def collect_messages() -> dict[Message, str]:
    """Return all messages with their sources; the classes must be registered."""
    result: dict[Message, str] = {}
    for where, message in _class_messages():
        if message[1]:
            result.setdefault(message, where)
    known = {text for _, text in result}
    for where, message in _source_messages():
        if message[1] and message[1] not in known:
            result.setdefault(message, where)
    return result


def write_catalogue(file: str | Path, translations: Catalogue | None = None, language: str = "") -> None:
    """Write a catalog of all messages, with the existing translations."""
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


# What Blender knows

INHERITED_NAME_PROPERTY: Final = bpy.types.PropertyGroup.bl_rna.properties["name"]


def _class_messages() -> Iterator[tuple[str, Message]]:
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
    for preset in presets_in(TRAINING_PRESETS):
        yield from (
            ("presets/training", message) for message in ((CONTEXT, preset.title), (ANY_CONTEXT, preset.description))
        )


def _fields(cls: type) -> Iterator[tuple[str, Message]]:
    for item in own_properties(cls):
        yield from _field(f"{cls.__name__}.{item.identifier}", item)


def _field(where: str, item: bpy.types.Property) -> Iterator[tuple[str, Message]]:
    if item.is_hidden or item.name == item.identifier:
        return
    yield where, (item.translation_context, item.name)
    if item.identifier != "name" or item.description != INHERITED_NAME_PROPERTY.description:
        yield where, (ANY_CONTEXT, item.description)
    for choice in item.enum_items_static if item.type == "ENUM" else ():
        yield where, (item.translation_context, choice.name)
        yield where, (ANY_CONTEXT, choice.description)


# What stands in the source


def _source_messages() -> Iterator[tuple[str, Message]]:
    for folder in SOURCE_FOLDERS:
        for file in sorted((SOURCE_ROOT / folder).rglob("*.py")):
            where = file.relative_to(SOURCE_ROOT).as_posix()
            if where.startswith(COMMAND_LINE_FOLDER):
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            titles = () if folder == "core" else tuple(_titles(tree))
            others = _error_sentences(tree) if folder == "core" else _sentences(tree)
            short = {text for _, text in titles}
            yield from ((where, title) for title in titles)
            yield from ((where, sentence) for sentence in others if sentence[1] not in short)


def _error_sentences(tree: ast.AST) -> Iterator[Message]:
    """Yield the sentences of errors that a user may see."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            yield from _sentences(node.exc.args[0])


def _titles(tree: ast.AST) -> Iterator[Message]:
    """Yield the short texts on buttons and beside them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAW_CALL_CONTEXTS:
            for keyword in node.keywords:
                if keyword.arg in ("text", "heading"):
                    yield from ((DRAW_CALL_CONTEXTS[node.func.attr], text) for text in _texts(keyword.value))


def _sentences(tree: ast.AST) -> Iterator[Message]:
    """Yield all string literals of more than one word, except docstrings."""
    documents = {id(document) for document in _docstrings(tree)}
    for node in _outermost_texts(tree):
        if id(node) not in documents:
            text = _text(node)
            plain = re.sub(r"\{\w+\}", "", text)
            if SENTENCE_PATTERN.search(plain) and not NON_SENTENCE_PATTERN.search(text) and not is_too_short(text):
                yield ANY_CONTEXT, text


def _outermost_texts(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the text expressions of a tree, without the expressions inside them."""
    for node in ast.iter_child_nodes(tree) if not _is_text(tree) else (tree,):
        if _is_text(node):
            yield node
        else:
            yield from _outermost_texts(node)


def _is_text(node: ast.AST) -> TypeGuard[ast.expr]:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    """Return the texts that are statements of their own, such as docstrings."""
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and _is_text(node.value))


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from (*_texts(value.body), *_texts(value.orelse))
    elif _is_text(value):
        yield _text(value)


def _text(node: ast.expr) -> str:
    """Return a text, with a named placeholder in curly brackets for each of its values."""
    if isinstance(node, ast.Constant):
        pieces, names = (
            FORMAT_FIELD_PATTERN.split(str(node.value)),
            ["value"] * len(FORMAT_FIELD_PATTERN.findall(str(node.value))),
        )
        return "".join(piece + blank for piece, blank in zip(pieces, [*_number_placeholders(names), ""], strict=True))
    assert isinstance(node, ast.JoinedStr)
    blanks = iter(
        _number_placeholders(
            [_placeholder_name(part.value) for part in node.values if isinstance(part, ast.FormattedValue)]
        )
    )
    return "".join(str(part.value) if isinstance(part, ast.Constant) else next(blanks) for part in node.values)


def _number_placeholders(names: list[str]) -> list[str]:
    """Return the placeholders of values in a text; values of the same name are numbered."""
    seen = [names[:at].count(name) for at, name in enumerate(names)]
    return [f"{{{name}_{same + 1}}}" if same else f"{{{name}}}" for name, same in zip(names, seen, strict=True)]


def _placeholder_name(value: ast.expr) -> str:
    """Return the placeholder name of a value: the last word of its expression."""
    words = re.findall(r"[A-Za-z_]\w*", ast.unparse(value).partition("(")[0]) or ["value"]
    return words[-1].strip("_") or "value"


def main(languages: Sequence[str]) -> None:
    """Update the catalogs of languages, outside Blender's windows."""
    from .. import register

    register()
    for language in languages:
        print("{}: {} of {} messages are translated".format(language, *update_catalogue(language)), flush=True)
    os._exit(0)  # Blender 4.5's module hangs where classes are registered


if __name__ == "__main__":
    main(sys.argv[1:])
