"""Scenes as files: what stands there, where to walk and how fast."""

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
    """Bodies of one kind: ``solids``, all ``tag`` to a walk, and what they are called."""

    name: str
    tag: str
    solids: tuple[Solid, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The way in which pictures are taken.

    Attributes:
        turn: degrees about Z from the side of small Y.
        tilt: degrees from above.
        apart: meters that the character has gone from one pose to the next, in the filmstrip.
        pixels: pixels of a meter, in the filmstrip.
        distance: meters from the character to the camera that goes along, in the video.
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
        name: the file's.
        about: what is there, in a few words.
        speed: m/s.
        path: (N, 2) points of the path, meters, a smooth curve through them.
        parts: what stands there, on a floor at height 0.
        view: for pictures.
        controller: name of the shipped controller that walks; empty for the first.
    """

    name: str
    about: str
    speed: float
    path: Array
    parts: tuple[Part, ...]
    view: View
    controller: str = ""


def names() -> list[str]:
    """All scenes there are."""
    return sorted(file.stem for file in SCENES.glob("*.toml"))


def read_scene(name: str) -> SceneFile:
    """Return a scene by its name.

    Raises:
        FootfallError: there is none of this name, or its file is wrong; one sentence that says where.
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
