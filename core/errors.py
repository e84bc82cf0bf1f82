"""The single family of errors shown to users: each message is a sentence with the fault, its place and a remedy."""

import copyreg
from pathlib import Path
from typing import Any

from .message import Message


def unknown_failure(error: Exception) -> Message:
    """Return the message to the user for an unforeseen error in one of many files, with its type and text."""
    return Message(
        "The file cannot be used for an unknown reason ({kind}: {error}): report the error and attach the file",
        kind=type(error).__name__,
        error=error,
    )


class FootfallError(Exception):
    """A mistake in the input that the user can correct; the message is shown unchanged.

    >>> str(FootfallError("'{name}' has no faces: choose another mesh.", name="Chair"))
    "'Chair' has no faces: choose another mesh."
    """

    def __init__(self, template: str = "", /, **fields: object) -> None:
        super().__init__(Message(template, **fields))

    def __str__(self) -> Message:
        return self.args[0]

    def __reduce__(self) -> tuple[Any, ...]:
        # Without __init__, whose arguments differ in some subclasses.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    @property
    def template(self) -> str:
        """The untranslated message, with ``{name}`` placeholders for its fields."""
        return self.args[0].template

    @property
    def fields(self) -> dict[str, Any]:
        """The values that fill the template's placeholders, by name."""
        return self.args[0].fields


class ModelFileError(FootfallError):
    """A controller file that cannot be used.

    Attributes:
        file: path of the controller file.
        reason: the fault and its remedy, as part of a sentence.
    """

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__("Controller file '{file}': {reason}", file=file, reason=Message(reason))
        self.file, self.reason = file, reason
