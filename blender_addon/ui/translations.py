"""Texts of Footfall, in the user's language.

Blender translates labels and tooltips by itself, from what :func:`register` hands it. Sentences that name things, such
as ``"'Anna' walks by 'quick'"``, are found by their pattern: ``"'{name}' walks by '{stem}'"`` is the catalog's entry.
Catalogs are files of gettext's, ``locale/<language>.po``; ``translation_template`` writes an empty one.
"""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import bpy
from bpy.app.translations import pgettext_iface, pgettext_rpt

CONTEXT: Final = "Footfall"
"""The context of words with another meaning than elsewhere in Blender, such as *Direct*."""
ANY_CONTEXT: Final = "*"
"""The context of all other texts."""
LOCALE_FOLDER: Final = Path(__file__).parents[1] / "locale"
TRANSLATION_DOMAIN: Final = (__package__ or "").rpartition(".")[0].rpartition(".")[0]
PLACEHOLDER_PATTERN: Final = re.compile(r"\{(\w+)\}")
"""Pattern of a placeholder in a sentence."""
MIN_LITERAL_LETTERS: Final = 5
"""Of a sentence besides what it names; less could be part of anything."""
ENTRY_PATTERN: Final = re.compile(r'^(msgctxt|msgid|msgstr)((?:\s+"(?:[^"\\]|\\.)*")+)', re.MULTILINE)
QUOTED_PATTERN: Final = re.compile(r'"(?:[^"\\]|\\.)*"')

Catalogue = dict[tuple[str, str], str]
"""Translations by context and English text."""


def read_catalogue(file: Path) -> Catalogue:
    """Read a catalog; untranslated texts are left out."""
    result: Catalogue = {}
    for block in file.read_text(encoding="utf-8").split("\n\n"):
        said = {
            key: "".join(map(json.loads, QUOTED_PATTERN.findall(text))) for key, text in ENTRY_PATTERN.findall(block)
        }
        if said.get("msgid") and said.get("msgstr"):
            result[said.get("msgctxt", ANY_CONTEXT), said["msgid"]] = said["msgstr"]
    return result


@cache
def catalogues() -> dict[str, Catalogue]:
    """Return all catalogs by language."""
    return {file.stem: read_catalogue(file) for file in sorted(LOCALE_FOLDER.glob("*.po"))}


def is_too_short(text: str) -> bool:
    """Return whether a text with placeholders has too few letters of its own to be recognized."""
    return (
        bool(PLACEHOLDER_PATTERN.search(text))
        and sum(map(str.isalpha, PLACEHOLDER_PATTERN.sub("", text))) < MIN_LITERAL_LETTERS
    )


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Return the patterns of texts with placeholders in a language.

    Each has the longest literal piece, the pattern, and the text with its placeholders.
    """
    result = []
    for _, text in catalogues()[language]:
        if not PLACEHOLDER_PATTERN.search(text) or is_too_short(text):
            continue
        pieces = PLACEHOLDER_PATTERN.split(text)
        whole = "".join(
            f"(?P<{piece}>(?:(?!; ).)*?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)
        )
        result.append((max(pieces[::2], key=len), re.compile(whole, re.DOTALL), text))
    return tuple(sorted(result, key=lambda entry: -len(PLACEHOLDER_PATTERN.sub("", entry[2]))))


@lru_cache(maxsize=1024)
def _match_placeholders(language: str, text: str) -> tuple[str, dict[str, str]] | None:
    """Return the text with placeholders that a text was formatted from, and the values of the placeholders."""
    for piece, whole, sentence in _patterns(language):
        if piece in text and (found := whole.fullmatch(text)):
            return sentence, found.groupdict()
    return None


def _language() -> str | None:
    """Return the language of Blender if there is a catalog for it."""
    locale = bpy.app.translations.locale or ""
    return next((name for name in (locale, locale.partition("_")[0]) if name in catalogues()), None)


def _translate(text: str, translate) -> str:
    language = _language()
    if language is None:
        return text
    whole = translate(text)
    if whole != text:
        return whole
    filled = _match_placeholders(language, text)
    if filled is not None:
        return translate(filled[0]).format(**filled[1])
    return "; ".join(_translate(part, translate) for part in text.split("; ")) if "; " in text else text


def translate_interface(text: str) -> str:
    """Return a text of a panel in the user's language, with its values; unchanged if it is not translated."""
    return _translate(text, pgettext_iface)


def translate_report(text: str) -> str:
    """Return a report's text in the user's language, as :func:`translate_interface` does."""
    return _translate(text, pgettext_rpt)


def register() -> None:
    """Register all catalogs with Blender."""
    bpy.app.translations.register(TRANSLATION_DOMAIN, catalogues())


def unregister() -> None:
    """Undo :func:`register`."""
    bpy.app.translations.unregister(TRANSLATION_DOMAIN)
