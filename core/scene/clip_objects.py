"""Objects that the user placed in a captured clip, and their file ``<clip>.objects.npz`` beside the clip."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_arrays
from ..motion.rotations import Array
from .collider import Collider

OBJECTS_FILE_SUFFIX: Final = ".objects.npz"
"""Suffix of the name of the file with a clip's objects."""
MAX_OBJECTS: Final = 64
"""Largest number of objects of a clip."""


@dataclass(frozen=True, eq=False)
class ClipObject:
    """An object that a character uses in a clip of F frames.

    Attributes:
        action: action with the object: ``sit``, ``carry`` or ``open``.
        name: name of the object for the user.
        collider: collider in object space, with the scale applied.
        positions, rotations: (F, 3) positions, m, and (F, 4) rotations in the clip's world; one row if it never moves.
    """

    action: str
    name: str
    collider: Collider
    positions: Array
    rotations: Array


def objects_path(clip: Path) -> Path:
    """Return the path of the file with a clip's objects: ``sit.objects.npz`` beside ``sit.bvh``."""
    return clip.with_name(f"{clip.stem}{OBJECTS_FILE_SUFFIX}")


def save_clip_objects(path: Path, objects: Sequence[ClipObject]) -> None:
    """Write a clip's objects to a file atomically; raise ``OSError`` on failure."""
    arrays: dict[str, Any] = {
        "actions": np.array([one.action for one in objects], dtype=np.str_),
        "names": np.array([one.name for one in objects], dtype=np.str_),
    }
    for number, one in enumerate(objects):
        arrays |= {
            f"lower_{number}": one.collider.lower,
            f"upper_{number}": one.collider.upper,
            f"positions_{number}": one.positions,
            f"rotations_{number}": one.rotations,
        }
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    write_atomically(path, file.getvalue())


def load_clip_objects(path: Path, frames: int) -> tuple[ClipObject, ...]:
    """Read the objects of a clip that has ``frames`` frames.

    Raises:
        FootfallError: the file is damaged, or belongs to another clip.
    """
    try:
        data = read_arrays(path)
        actions, names = (tuple(map(str, data[key])) for key in ("actions", "names"))
        if len(actions) != len(names) or len(actions) > MAX_OBJECTS:
            raise ContentError("the arrays in the file have unequal lengths")
        return tuple(
            _validated(
                ClipObject(
                    action,
                    name,
                    Collider(*(data[f"{key}_{number}"].astype(float) for key in ("lower", "upper"))),
                    *(data[f"{key}_{number}"].astype(float) for key in ("positions", "rotations")),
                ),
                frames,
            )
            for number, (action, name) in enumerate(zip(actions, names, strict=True))
        )
    except Exception as error:  # a damaged archive can raise errors of zipfile, zlib, struct or numpy
        raise FootfallError(
            "'{path}' contains no objects for this clip ({error}): export the clip again", path=path, error=error
        ) from error


def _validated(one: ClipObject, frames: int) -> ClipObject:
    """Return an object unchanged; raise :class:`ContentError` if its shapes or numbers are wrong."""
    lower, upper = one.collider.lower, one.collider.upper
    rows = len(one.positions)
    if lower.ndim != 2 or lower.shape != upper.shape or lower.shape[1:] != (3,) or not len(lower):
        raise ContentError("an object in the file has no collision shape")
    if rows not in (1, frames) or one.positions.shape != (rows, 3) or one.rotations.shape != (rows, 4):
        raise ContentError("the length of the object's motion differs from that of the clip")
    if not all(np.isfinite(part).all() for part in (lower, upper, one.positions, one.rotations)):
        raise ContentError("a value in the file is not a number")
    return one
