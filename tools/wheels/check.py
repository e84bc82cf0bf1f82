"""Checks of a wheel: its tags, its list of files, their names, and every shared library in it."""

import base64
import csv
import hashlib
import io
import posixpath
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import Parser
from pathlib import Path
from typing import Final

from packaging.tags import Tag, parse_tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from .file_names import name_problems
from .shared_library import SharedLibrary, UnreadableLibraryError, is_shared_library, read_shared_library
from .target import Target, keeps_promise, promised_system

UNLISTED: Final = ("RECORD", "RECORD.jws", "RECORD.p7s")
"""Files beside the list of files that may be missing in it."""
SHOWN_SYMBOLS: Final = 3
OWN_FOLDER: Final = ("$ORIGIN", "${ORIGIN}", "@loader_path")
"""Names used by a loader for the folder of a library being loaded."""


@dataclass(slots=True)
class WheelReport:
    """The findings about one wheel.

    Attributes:
        name: name of the wheel.
        problems: a sentence about each problem.
        libraries: the shared libraries, by their paths in the wheel.
        system_needs: names of the libraries that Blender or the system must provide.
    """

    name: str
    problems: list[str] = field(default_factory=list)
    libraries: dict[str, SharedLibrary] = field(default_factory=dict)
    system_needs: set[str] = field(default_factory=set)


def check_wheel(name: str, content: bytes, target: Target) -> WheelReport:
    """Check if a wheel runs on the system of the zip that contains it, and report the findings.

    Args:
        name: file name of the wheel.
        content: content of the wheel.
        target: system of the zip.
    """
    report = WheelReport(name)
    try:
        tags = parse_wheel_filename(name)[3]
    except InvalidWheelFilename as error:
        report.problems.append(str(error))
        return report
    if not tags & target.tags():
        python = ".".join(str(number) for number in target.python)
        report.problems.append(f"its tags do not fit {target.platform} with Python {python}")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        report.problems.append(f"it cannot be unpacked ({error})")
        return report
    report.problems += _tag_problems(files, tags)
    report.problems += _record_problems(files)
    report.problems += name_problems(files)
    _check_libraries(report, files, tags, target)
    return report


def _metadata_file(files: Mapping[str, bytes], name: str) -> bytes | None:
    """Return a file of the wheel's metadata; ``None`` unless there is exactly one."""
    found = [path for path in files if path.endswith(f".dist-info/{name}") and path.count("/") == 1]
    return files[found[0]] if len(found) == 1 else None


def _tag_problems(files: Mapping[str, bytes], tags: frozenset[Tag]) -> Iterator[str]:
    """Yield a sentence if the wheel's metadata name other tags than its file name."""
    content = _metadata_file(files, "WHEEL")
    if content is None:
        yield "it has no file WHEEL"
        return
    lines = Parser().parsestr(content.decode("utf-8", "replace")).get_all("Tag", [])
    if frozenset(tag for line in lines for tag in parse_tag(line)) != tags:
        yield "its file WHEEL names other tags than its file name"


def _record_problems(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a sentence about each file that is missing or different in the list of files."""
    content = _metadata_file(files, "RECORD")
    if content is None:
        yield "it has no file RECORD"
        return
    rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8", "replace"))) if len(row) == 3]
    listed = {path: (digest, size) for path, digest, size in rows}
    for path in sorted(listed.keys() - files.keys()):
        yield f"'{path}' is in RECORD alone"
    for path, data in sorted(files.items()):
        if path.endswith(tuple(f".dist-info/{name}" for name in UNLISTED)):
            continue
        if path not in listed:
            yield f"'{path}' is not in RECORD"
        elif listed[path] != (_record_digest(data), str(len(data))):
            yield f"'{path}' is not what RECORD says"


def _record_digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _check_libraries(report: WheelReport, files: Mapping[str, bytes], tags: frozenset[Tag], target: Target) -> None:
    """Read every shared library of a wheel, and search all of its needs."""
    paths = sorted(path for path in files if is_shared_library(path))
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            copy = Path(folder) / "library"
            copy.write_bytes(files[path])
            try:
                report.libraries[path] = read_shared_library(copy)
            except UnreadableLibraryError as error:
                report.problems.append(f"'{path}': {error}")
    promised = min((promised_system(tag) for tag in tags), default=())
    for path, library in report.libraries.items():
        if library.kind != target.kind or target.machine not in library.machines:
            built_for = f"{library.kind}, {' and '.join(sorted(library.machines))}"
            report.problems.append(f"'{path}' is for another machine ({built_for})")
        if not keeps_promise(library, promised):
            needed, tag = (".".join(str(number) for number in version) for version in (library.system, promised))
            report.problems.append(f"'{path}' needs version {needed} of the system, the wheel's tag says {tag}")
        for need, symbols in library.needs.items():
            report.problems += _need_problems(report, files, target, path, need, symbols)


def _need_problems(
    report: WheelReport, files: Mapping[str, bytes], target: Target, path: str, need: str, symbols: frozenset[str]
) -> Iterator[str]:
    """Yield a sentence if a library needed by another is neither in the wheel nor part of the system."""
    found = _find_bundled(report, files, path, need)
    if found is None:
        report.system_needs.add(need)
        if not target.has_library(need):
            yield f"'{path}' needs {need}, which is neither in the wheel nor a part of Blender or the system"
    elif missing := sorted(symbols - report.libraries[found].exports):
        yield f"'{path}' needs {', '.join(missing[:SHOWN_SYMBOLS])} of '{found}', which has none"


def _find_bundled(report: WheelReport, files: Mapping[str, bytes], path: str, need: str) -> str | None:
    """Return the library in the wheel that the loader finds for another's need, if any."""
    libraries = report.libraries
    kind, folder = libraries[path].kind, posixpath.dirname(path)
    if kind == "PE":
        folders = [folder, *_added_folders(files)]
        same = (one for one in libraries if posixpath.basename(one).lower() == need.lower())
        return next((one for one in same if posixpath.dirname(one) in folders), None)
    if kind == "Mach-O" and not need.startswith("@rpath/"):
        places = [_from_folder(folder, need)]
    else:
        places = [posixpath.join(place, need.removeprefix("@rpath/")) for place in _searched_folders(libraries, path)]
    return next((place for place in places if place in libraries), None)


def _searched_folders(libraries: Mapping[str, SharedLibrary], path: str) -> Iterator[str]:
    """Yield the folders of the wheel in which the loader searches a library's needs.

    On Linux, they include those of the libraries that need it.
    """
    name = posixpath.basename(path)
    above = [one for one, library in libraries.items() if library.kind == "ELF" and name in library.needs]
    for one in (path, *above):
        for place in libraries[one].search_paths:
            yield _from_folder(posixpath.dirname(one), place)


def _from_folder(folder: str, place: str) -> str:
    """Return a library's path to a place as a path in the wheel; unchanged if it does not begin at its folder."""
    start, _, rest = place.partition("/")
    return posixpath.normpath(posixpath.join(folder, rest)) if start in OWN_FOLDER else place


def _added_folders(files: Mapping[str, bytes]) -> set[str]:
    """Return the folders of libraries that a package of the wheel registers with Windows on import."""
    folders = {posixpath.dirname(path) for path in files if path.lower().endswith(".dll")}
    starts = [data for path, data in files.items() if path.endswith(".py") and b"add_dll_directory" in data]
    return {folder for folder in folders if any(posixpath.basename(folder).encode() in data for data in starts)}
