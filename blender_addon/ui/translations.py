"""Texts of Footfall, in the user's language.

Blender translates labels and tooltips by itself, from what :func:`register` hands it. Of a message such as
``"'Anna' walks by 'quick'"`` (:class:`core.message.Message`) the catalogue has the template,
``"'{name}' walks by '{stem}'"``. Catalogues are files of gettext's, ``locale/<language>.po``; ``translation_template``
writes an empty one.
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
"""Of words that mean something else here than elsewhere in Blender, such as *Direct*."""
ANY_CONTEXT: Final = "*"
"""The context of everything else."""
LOCALE_FOLDER: Final = Path(__file__).parents[1] / "locale"
TRANSLATION_DOMAIN: Final = (__package__ or "").rpartition(".")[0].rpartition(".")[0]
ENTRY_PATTERN: Final = re.compile(r'^(msgctxt|msgid|msgstr)((?:\s+"(?:[^"\\]|\\.)*")+)', re.MULTILINE)
QUOTED_PATTERN: Final = re.compile(r'"(?:[^"\\]|\\.)*"')

Catalogue = dict[tuple[str, str], str]
"""Translations by context and English text."""


def read_catalogue(file: Path) -> Catalogue:
    """Read a catalogue; the texts that it leaves untranslated are left out."""
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
    """Return all catalogues by language."""
    return {file.stem: read_catalogue(file) for file in sorted(LOCALE_FOLDER.glob("*.po"))}


def _language() -> str | None:
    """Return the language of Blender where there is a catalogue of it."""
    locale = bpy.app.translations.locale or ""
    return next((name for name in (locale, locale.partition("_")[0]) if name in catalogues()), None)


def _translate(text: str, translate: Callable[[str], str]) -> str:
    if _language() is None:
        return text
    if not isinstance(text, Message):
        return translate(text)
    fields = {
        name: _translate(value, translate) if isinstance(value, Message) else value
        for name, value in text.fields.items()
    }
    return fill(translate(text.template), fields)


def translate_interface(text: str) -> str:
    """Return a text of a panel in the user's language, whatever it names; as it is where it has not been translated."""
    return _translate(text, pgettext_iface)


def translate_report(text: str) -> str:
    """Return the same of a report's text."""
    return _translate(text, pgettext_rpt)


def register() -> None:
    """Hand Blender all catalogues."""
    bpy.app.translations.register(TRANSLATION_DOMAIN, catalogues())


def unregister() -> None:
    """Take everything back that :func:`register` did."""
    bpy.app.translations.unregister(TRANSLATION_DOMAIN)
