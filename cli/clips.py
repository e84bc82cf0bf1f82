"""Clips, folders and lists of clips given on a command line."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ..core.errors import FootfallError
from ..core.jobs.bounded_files import ContentError, read_bytes
from ..core.jobs.clip_tags import ClipTags, split_tags
from ..core.jobs.file_names import disk_key
from ..core.jobs.found_files import files_below

COMMENT_PATTERN: Final = re.compile(r"(?:^|\s)#")
"""Beginning of a comment in a list of clips."""


def find_clips(paths: Iterable[Path]) -> list[tuple[Path, Path]]:
    """Find BVH files among paths and in the folders among them; return each with its path relative to its folder.

    A ``.txt`` file is a list: one file or folder per line, relative to the current folder, optionally followed by tags
    such as ``style=sad``; ``#`` at a line's start or after a space begins a comment.

    Raises:
        FootfallError: a path does not exist, or a folder or list contains no BVH file, or a folder contains too many
            folders.
    """
    found: dict[Path, Path] = {}
    for path, _ in _expand_lists(paths):
        if path.suffix.lower() == ".fbx":
            raise FootfallError(
                "'{path}' is an FBX file, which only Blender reads: run `blender --command footfall train --clips` "
                "with its folder, or save it as BVH",
                path=path,
            )
        if _is_folder(path):
            files = files_below(path, (".bvh",))
            if not files:
                raise FootfallError("There is no BVH file in '{path}': name another folder", path=path)
            found |= {file: file.relative_to(path) for file in files}
        elif path.exists():
            found[path] = Path(path.name)
        else:
            raise FootfallError("There is no clip or folder '{path}': check the path", path=path)
    return list(found.items())


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder; raise :class:`FootfallError` if the path is not a valid file name."""
    try:
        return path.is_dir()
    except OSError as error:
        raise FootfallError("The clip '{path}' cannot be read: {error}", path=path, error=error.strerror) from error


def find_targets(clips: Iterable[tuple[Path, Path]], out: Path, suffix: str) -> dict[Path, Path]:
    """Return the file to write for each clip, with the same relative path below the output folder.

    Args:
        clips: clips, each with the path relative to its folder, from :func:`find_clips`.
        out: the output folder, or, for a single clip, the file.
        suffix: suffix of the files to write.

    Raises:
        FootfallError: two clips would be written to one file, ignoring case.
    """
    pairs = list(clips)
    is_file = out.suffix.lower() == suffix
    if is_file and len(pairs) > 1:
        raise FootfallError(
            "There are {count} clips, so --out must name a folder, not the file '{out}'", count=len(pairs), out=out
        )
    targets: dict[Path, Path] = {}
    taken: dict[str, Path] = {}
    for clip, below in pairs:
        target = out if is_file else out / below.with_suffix(suffix)
        if (key := disk_key(target)) in taken:
            raise FootfallError(
                "'{first}' and '{second}' would both be written to '{target}': rename one of them",
                first=taken[key],
                second=clip,
                target=target,
            )
        taken[key], targets[clip] = clip, target
    return targets


def find_tags(paths: Iterable[Path]) -> dict[Path, ClipTags]:
    """Return the tags of clips that ``.txt`` lists among paths give, by path of the clip.

    A line of a list is, for example, ``walks/02.bvh performer=anna style=sad paces=0.5,0.75``.

    Raises:
        FootfallError: a path does not exist, or the value of a tag is wrong.
    """
    found: dict[Path, ClipTags] = {}
    for path, tags in _expand_lists(paths):
        if tags != ClipTags():
            found |= dict.fromkeys((clip for clip, _ in find_clips([path])), tags)
    return found


def _expand_lists(paths: Iterable[Path]) -> Iterator[tuple[Path, ClipTags]]:
    """Yield each path with its tags; a list is replaced with the paths on its lines."""
    for path in paths:
        if path.suffix.lower() != ".txt" or not path.is_file():
            yield path, ClipTags()
            continue
        try:
            text = read_bytes(path).decode("utf-8-sig")
            lines = [COMMENT_PATTERN.split(line)[0].strip() for line in text.splitlines()]
        except UnicodeDecodeError as error:
            raise FootfallError("'{path}' is not a list of clips: it is not text", path=path) from error
        except ContentError as error:
            raise FootfallError("'{path}' is not a list of clips: {error}", path=path, error=error) from error
        if not any(lines):
            raise FootfallError("The list '{path}' contains no clips: write one file or folder per line", path=path)
        yield from (_split_line(line) for line in lines if line)


def _split_line(line: str) -> tuple[Path, ClipTags]:
    """Return the path and the tags on a line of a list."""
    path, tags = split_tags(line)
    return Path(path), tags
