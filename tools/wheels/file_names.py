"""Names of files that one of the systems does not take, or takes for the same."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

MAX_PATH_LENGTH: Final = 200
"""Characters of a path in a wheel or zip: Windows takes 260, of which the folder of extensions is a part."""
FORBIDDEN_CHARACTERS: Final = re.compile(r'[<>:"|?*\\\x00-\x1f]')
RESERVED_NAME: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, also with an ending."""


def name_problems(paths: Iterable[str]) -> Iterator[str]:
    """Yield a sentence about each path that Windows refuses, and about each two that are one on some disks."""
    seen: dict[str, str] = {}
    for path in sorted(set(paths)):
        same = unicodedata.normalize("NFC", path).casefold()
        if same in seen:
            yield f"'{path}' and '{seen[same]}' are the same file on disks that know no case"
        seen[same] = path
        if len(path) > MAX_PATH_LENGTH:
            yield f"'{path}' has {len(path)} characters, {MAX_PATH_LENGTH} are the most"
        for part in path.split("/"):
            if FORBIDDEN_CHARACTERS.search(part) or RESERVED_NAME.fullmatch(part) or part.endswith((" ", ".")):
                yield f"'{path}' is no name on Windows: {part!r}"
            elif not part:
                yield f"'{path}' is not a path in the archive"
