"""Sentences that can be said in other languages after they were put together."""

from collections.abc import Iterable
from typing import Any, Self


class Message(str):
    """A sentence in English, which is its value as a ``str``, that knows its template and what fills it.

    A template without fields is used as it stands, with its braces. An error as a field stands for its sentence.

    >>> said = Message("'{name}' has no faces: choose another mesh.", name="Chair")
    >>> said, said.template, said.fields
    ("'Chair' has no faces: choose another mesh.", "'{name}' has no faces: choose another mesh.", {'name': 'Chair'})
    """

    template: str
    fields: dict[str, Any]

    def __new__(cls, template: str = "", /, **fields: object) -> Self:
        if isinstance(template, cls) and not fields:
            return template
        texts = {name: str(value) if isinstance(value, BaseException) else value for name, value in fields.items()}
        message = super().__new__(cls, fill(template, texts))
        message.template, message.fields = str(template), texts
        return message

    @classmethod
    def joined(cls, separator: str, parts: Iterable[str]) -> Self:
        """Return messages and other texts as one message.

        >>> Message.joined("; ", [Message("{count} frames", count=2), "Walk"])
        '2 frames; Walk'
        """
        fields = {f"part_{number}": part for number, part in enumerate(parts)}
        return cls(separator.join(f"{{{name}}}" for name in fields), **fields)


def fill(template: str, fields: dict[str, Any]) -> str:
    """Return a template with its fields; the template where they do not fit it."""
    try:
        return template.format(**fields) if fields else template
    except (LookupError, ValueError, TypeError, AttributeError):
        return template
