"""Messages to the user that can be translated after their fields were filled in."""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final, Self

MAX_SHOWN_LENGTH: Final = 600
"""Longest shown text from a file, characters."""
MAX_PATH_LENGTH: Final = 4096
"""Longest path shown in full, characters; no system has longer ones."""
UNSHOWABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters to escape: control characters (which terminals obey), changes of writing direction, undecodable bytes."""


def printable(text: str) -> str:
    """Return a text with invisible and control characters replaced with their escapes in Python's notation."""
    return UNSHOWABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shown(text: str) -> str:
    """Return a text from a file, made safe to show in a message: :func:`printable`, and cut if it is long."""
    clean = printable(text)
    return clean if len(clean) <= MAX_SHOWN_LENGTH else f"{clean[:MAX_SHOWN_LENGTH]}…"


class Message(str):
    """An English sentence, as a ``str``, that also keeps its template and fields for translation.

    A template without fields is used unchanged, including braces. An error as a field is shown as its sentence. Texts
    and paths as fields may come from any file, so they pass through :func:`shown`.

    >>> said = Message("'{name}' has no faces: choose another mesh.", name="Chair")
    >>> said, said.template, said.fields
    ("'Chair' has no faces: choose another mesh.", "'{name}' has no faces: choose another mesh.", {'name': 'Chair'})
    """

    template: str
    fields: dict[str, Any]

    def __new__(cls, template: str = "", /, **fields: object) -> Self:
        if isinstance(template, cls) and not fields:
            return template
        texts = {name: _shown_field(value) for name, value in fields.items()}
        message = super().__new__(cls, fill(template, texts))
        message.template, message.fields = str(template), texts
        return message

    @classmethod
    def joined(cls, separator: str, parts: Iterable[str]) -> Self:
        """Return one message of several messages or texts, with a separator between them.

        >>> Message.joined("; ", [Message("{count} frames", count=2), "Walk"])
        '2 frames; Walk'
        """
        fields = {f"part_{number}": part for number, part in enumerate(parts)}
        return cls(separator.join(f"{{{name}}}" for name in fields), **fields)


def _shown_field(value: object) -> object:
    """Return a field's value as a message shows it; messages and numbers are unchanged."""
    if isinstance(value, BaseException):
        value = str(value)
    if isinstance(value, PurePath):
        text = str(value)
        if len(text) > MAX_PATH_LENGTH:
            return shown(text)
        return printable(text) if UNSHOWABLE.search(text) else value
    if isinstance(value, (dict, list, tuple)):
        value = str(value)
    return shown(value) if type(value) is str else value


def fill(template: str, fields: dict[str, Any]) -> str:
    """Return ``template`` with its ``{name}`` placeholders filled in, or unchanged if ``fields`` do not match them."""
    try:
        return template.format(**fields) if fields else template
    except (LookupError, ValueError, TypeError, AttributeError):
        return template
