"""Names of people and takes in an FBX file; Blender numbers names that the user's scene already has."""

import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

MAX_NAME_BYTES: Final = 1024
NUMBER_PATTERN: Final = re.compile(r"\.(\d{3,})$")
"""The number that Blender appends to a name that exists already."""

Kind = Literal["Model", "AnimStack"]


def names_in_file(path: Path, kind: Kind) -> list[str]:
    """Return the names of the objects of a kind in a file, in order; none if the file cannot be parsed."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    if data.startswith(b"Kaydara FBX Binary"):
        return list(dict.fromkeys(_binary_names(data, kind)))
    found = re.findall(rf'"{kind}::([^"\n]+)"', data.decode("utf-8", "replace"))
    return list(dict.fromkeys(found))


def _binary_names(data: bytes, kind: Kind) -> Iterable[str]:
    """Yield the names of objects of a kind in binary data.

    A name is stored as ``S``, four bytes of length, the name, two bytes and the kind.
    """
    ending = b"\x00\x01" + kind.encode()
    for match in re.finditer(re.escape(ending), data):
        for length in range(min(MAX_NAME_BYTES, match.start() - 5) + 1):
            start = match.start() - length
            if data[start - 5 : start] == b"S" + struct.pack("<I", length + len(ending)):
                if length:
                    yield data[start : match.start()].decode("utf-8", "replace")
                break


def own_names(imported: Iterable[str], in_file: Iterable[str]) -> dict[str, str]:
    """Return the original names in the file for imported objects, by their imported names.

    Names that differ only in their numbers belong together; Blender assigns the numbers in the order of the file.

    >>> own_names(["Rig.002", "Rig.001"], ["Rig", "Rig.001", "Camera"]) {'Rig.002': 'Rig.001', 'Rig.001': 'Rig'}
    """
    theirs, mine = _by_base(in_file), _by_base(imported)
    found: dict[str, str] = {}
    for name in (name for names in mine.values() for name in names):
        group, originals = sorted(mine[_base(name)], key=_number), theirs.get(_base(name), [])
        is_known = len(group) == len(originals) and set(group) != set(originals)
        found[name] = originals[group.index(name)] if is_known else name
    return found


def _by_base(names: Iterable[str]) -> Mapping[str, list[str]]:
    """Group names by the name without its number."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        found[_base(name)].append(name)
    return found


def _base(name: str) -> str:
    return NUMBER_PATTERN.sub("", name)


def _number(name: str) -> int:
    match = NUMBER_PATTERN.search(name)
    return int(match[1]) if match else 0
