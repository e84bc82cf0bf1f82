"""Texts of Footfall, in the user's language.

Blender translates labels and tooltips by itself, from the catalogs of :func:`register`. Of a message such as ``"'Anna'
walks by 'quick'"`` (:class:`core.message.Message`) the catalogue has the template, ``"'{name}' walks by '{stem}'"``.
Catalogues are files of gettext's, ``locale/<language>.po``; ``translation_template`` writes an empty one.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import bpy
from bpy.app.translations import pgettext_iface, pgettext_rpt

from ...core.message import Message, fill

CONTEXT: Final = "Footfall"
"""The context of words with another meaning than elsewhere in Blender, such as *Open*."""
ANY_CONTEXT: Final = "*"
"""The context of all other texts."""
LOCALE_FOLDER: Final = Path(__file__).parents[1] / "locale"
TRANSLATION_DOMAIN: Final = (__package__ or "").rpartition(".")[0].rpartition(".")[0]
ENTRY_PATTERN: Final = re.compile(r'^(msgctxt|msgid|msgstr)((?:\s+"(?:[^"\\]|\\.)*")+)', re.MULTILINE)
QUOTED_PATTERN: Final = re.compile(r'"(?:[^"\\]|\\.)*"')

Catalogue = dict[tuple[str, str], str]
"""Translations by context and English text."""


def read_catalogue(file: Path) -> Catalogue:
    """Read a translation catalog; texts without a translation are left out."""
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
    """Return all translation catalogs, by language."""
    return {file.stem: read_catalogue(file) for file in sorted(LOCALE_FOLDER.glob("*.po"))}


def _language() -> str | None:
    """Return Blender's language if there is a catalog for it, else ``None``."""
    locale = bpy.app.translations.locale or ""
    return next((name for name in (locale, locale.partition("_")[0]) if name in catalogues()), None)


def translate_message(text: str, look_up: Callable[[str], str]) -> str:
    """Translate a text; in a message, fields that are messages are translated too, but other values are not.

    Args:
        text: a text, or a :class:`Message`.
        look_up: function that returns the translation of a text without values, or the text itself.
    """
    if not isinstance(text, Message):
        return look_up(text)
    fields = {
        name: translate_message(value, look_up) if isinstance(value, Message) else value
        for name, value in text.fields.items()
    }
    return fill(look_up(text.template), fields)


def translate_interface(text: str) -> str:
    """Translate a text of a panel to the user's language and fill in its values; unchanged without a translation."""
    return text if _language() is None else translate_message(text, pgettext_iface)


def translate_report(text: str) -> str:
    """Translate a text of a report to the user's language; see :func:`translate_interface`."""
    return text if _language() is None else translate_message(text, pgettext_rpt)


def register() -> None:
    """Register the translation catalogs with Blender."""
    bpy.app.translations.register(TRANSLATION_DOMAIN, catalogues())


def unregister() -> None:
    bpy.app.translations.unregister(TRANSLATION_DOMAIN)
