"""Scenes as files: objects, path and speed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.jobs.bounded_files import read_toml
from ..core.motion.rotations import Array
from .solids import Solid, solids_of

SCENES: Final = Path(__file__).resolve().parent.parent / "presets" / "scenes"
WALKABLE: Final = "walkable"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Bodies of one kind: ``solids``, all with the tag ``tag`` for a walk, and their name."""

    name: str
    tag: str
    solids: tuple[Solid, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The view of pictures.

    Attributes:
        turn: degrees about Z from the -Y side.
        tilt: degrees from above.
        apart: meters walked between poses of the filmstrip.
        pixels: pixels per meter in the filmstrip.
        distance: meters from the character to the moving camera of the video.
    """

    turn: float = 0.0
    tilt: float = 6.0
    apart: float = 0.75
    pixels: float = 110.0
    distance: float = 5.2


@dataclass(frozen=True, slots=True, eq=False)
class SceneFile:
    """A scene.

    Attributes:
        name: name of the file.
        about: description in a few words.
        speed: m/s.
        path: (N, 2) points of the path, meters, a smooth curve through them.
        parts: bodies on a floor at height 0.
        view: for pictures.
        controller: name of the shipped walk controller; empty for the first.
    """

    name: str
    about: str
    speed: float
    path: Array
    parts: tuple[Part, ...]
    view: View
    controller: str = ""


def names() -> list[str]:
    """Return the names of all scenes."""
    return sorted(file.stem for file in SCENES.glob("*.toml"))


def read_scene(name: str) -> SceneFile:
    """Return a scene by its name.

    Raises:
        FootfallError: no scene has this name, or its file is invalid; one sentence names the place.
    """
    file = SCENES / f"{name}.toml"
    if not file.is_file():
        raise FootfallError(f"There is no scene '{name}': choose one of {', '.join(names())}.")
    try:
        content = read_toml(file)
        parts = tuple(_part(dict(values)) for values in content["part"])
        path = np.array(content["path"], dtype=float)
        view = View(**content.get("view", {}))
        speed, controller = float(content["speed"]), str(content.get("controller", ""))
        return SceneFile(name, content["about"], speed, path.reshape(-1, 2), parts, view, controller)
    except (OSError, KeyError, TypeError, ValueError, OverflowError, FootfallError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise FootfallError("Scene file {name}: {what}.", name=file.name, what=what) from error


def _part(values: dict) -> Part:
    shape, tag = values.pop("shape"), values.pop("tag", WALKABLE)
    at, turn = values.pop("at"), values.pop("turn", 0.0)
    return Part(shape, tag, tuple(solid.placed(at, turn) for solid in solids_of(shape, values)))
