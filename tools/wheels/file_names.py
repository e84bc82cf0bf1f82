"""File names that are invalid or ambiguous on one of the systems."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from ...core.jobs.file_names import RESERVED_PATTERN, disk_key

MAX_PATH_LENGTH: Final = 200
"""Characters of a path in a wheel or zip: Windows allows 260, including the folder of extensions."""
FORBIDDEN_CHARACTERS: Final = re.compile(r'[<>:"|?*\\\x00-\x1f]')


def name_problems(paths: Iterable[str]) -> Iterator[str]:
    """Yield a sentence about each path invalid on Windows, and about each pair that is equal on some disks."""
    seen: dict[str, str] = {}
    for path in sorted(set(paths)):
        same = disk_key(PurePosixPath(path))
        if same in seen:
            yield f"'{path}' and '{seen[same]}' are the same file on disks that know no case"
        seen[same] = path
        if len(path) > MAX_PATH_LENGTH:
            yield f"'{path}' has {len(path)} characters, {MAX_PATH_LENGTH} are the most"
        for part in path.split("/"):
            if FORBIDDEN_CHARACTERS.search(part) or RESERVED_PATTERN.fullmatch(part) or part.endswith((" ", ".")):
                yield f"'{path}' is no name on Windows: {part!r}"
            elif not part:
                yield f"'{path}' is not a path in the archive"
