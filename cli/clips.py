"""Which clips a command line names."""

from collections.abc import Iterable
from pathlib import Path

from ..core.errors import FootfallError


def find_clips(named: Iterable[Path]) -> list[tuple[Path, Path]]:
    """The BVH files that were named, and those in the folders that were named: (file, its path below what was named).

    Raises:
        FootfallError: where something is not there, or a folder has no BVH file in it.
    """
    found: dict[Path, Path] = {}
    for path in named:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".bvh" and file.is_file())
            if not files:
                raise FootfallError(f"There is no BVH file in '{path}'.")
            found |= {file: file.relative_to(path) for file in files}
        elif path.exists():
            found[path] = Path(path.name)
        else:
            raise FootfallError(f"There is no clip or folder '{path}'.")
    return list(found.items())
