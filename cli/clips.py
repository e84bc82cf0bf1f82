"""The clips that a command line names."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core.errors import FootfallError


def find_clips(paths: Iterable[Path]) -> list[tuple[Path, Path]]:
    """Return the named BVH files and those in named folders, as pairs of file and path below what was named.

    A ``.txt`` file is a list: one file or folder a line, relative to the current folder; ``#`` begins a comment.

    Raises:
        FootfallError: a path does not exist, or a folder or list has no BVH file in it.
    """
    found: dict[Path, Path] = {}
    for path in _expand_lists(paths):
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".bvh" and file.is_file())
            if not files:
                raise FootfallError("There is no BVH file in '{path}'.", path=path)
            found |= {file: file.relative_to(path) for file in files}
        elif path.exists():
            found[path] = Path(path.name)
        else:
            raise FootfallError("There is no clip or folder '{path}'.", path=path)
    return list(found.items())


def _expand_lists(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths, with lists replaced by their lines."""
    for path in paths:
        if path.suffix.lower() != ".txt" or not path.is_file():
            yield path
            continue
        try:
            lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
        except UnicodeDecodeError as error:
            raise FootfallError("'{path}' is no list of clips: it is not text.", path=path) from error
        if not any(lines):
            raise FootfallError("The list '{path}' names no clip: write one file or folder a line.", path=path)
        yield from (Path(line) for line in lines if line)
