"""Creation of the manual's pictures and films from scenes and window tests, as in `python build.py pictures`.

python -m footfall.tools.pictures BLENDER_PYTHON [NAME ...]
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from .films import FILMS, make_films
from .reduction import IMAGES, reduce_picture
from .screenshots import SHOTS, make_screenshots

ROOT: Final = Path(__file__).resolve().parent.parent
WINDOWS: Final = ROOT / ".cache" / "gui"
"""Folder of the pictures from the window tests."""
SAME_NAMES: Final = (
    *("stairs", "room", "shot", "duel", "court", "rubble", "terraces", "beam"),
    *("low_ceiling", "jump_course", "wall_maze", "dog_slope", "rigs"),
)
"""Pictures with the name of their scene."""
SCENES: Final[Mapping[str, str | None]] = {
    "walk": None,
    "variation": "variations",
    "dance_scene": "dance",
    **{name: name for name in SAME_NAMES},
}
"""Scene of each picture; ``None`` is the walk along a drawn path."""
WIDTHS: Final = {"duel": 846, "dance_scene": 643, "rigs": 1060}
"""Widths, pixels, of pictures shown smaller than rendered."""


def make_pictures(blender: Path, names: Sequence[str]) -> None:
    """Render pictures and write them into the manual.

    Args:
        blender: a Python that has Blender as a module.
        names: pictures of :data:`SCENES`.

    Raises:
        subprocess.CalledProcessError: a scene cannot be rendered.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            rendered = Path(folder) / f"{name}.png"
            scene = SCENES[name]
            chosen = ["--scene", scene] if scene else []
            command = [str(blender), "demo/make.py", "--out", folder, *chosen, "--picture", str(rendered)]
            subprocess.run(command, cwd=ROOT, check=True)
            reduce_picture(rendered, IMAGES / f"{name}.png", WIDTHS.get(name))
            print(f"[pictures] {name}.png, {(IMAGES / f'{name}.png').stat().st_size // 1000} kB", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Make the named pictures, or all; return the exit code."""
    blender, *names = arguments
    known = (*SCENES, *FILMS, *SHOTS)
    unknown = sorted(set(names) - set(known))
    if unknown:
        print(f"pictures: there is no picture '{unknown[0]}': choose one of {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = names or list(known)
    make_pictures(Path(blender), [name for name in chosen if name in SCENES])
    make_films(Path(blender), [name for name in chosen if name in FILMS])
    shots = [name for name in chosen if name in SHOTS]
    missing = sorted(set(shots) - set(make_screenshots(WINDOWS, shots)))
    if missing:
        print(f"pictures: run 'build.py gui-test' first, for {', '.join(missing)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
