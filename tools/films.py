"""Films of the first page and the gallery, rendered by `demo/films` and reduced for the page."""

import subprocess
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "films"
FILMS: Final = ("hero", "curve", "rough_ground", "interaction", "waypoint", "own_rig", "own_mocap")
RATE: Final = 24
"""Frames a second."""
QUALITY: Final = 70
"""Quality of an animated picture's frames, 0 to 100."""
STILL_QUALITY: Final = 80


def make_films(blender: Path, names: Sequence[str]) -> None:
    """Render films, and write each as an animated picture, a still picture and a video.

    Args:
        blender: a Python that has Blender as a module.
        names: members of :data:`FILMS`.

    Raises:
        subprocess.CalledProcessError: a film cannot be rendered.
    """
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([str(blender), "-P", "demo/films/make.py", name, folder], cwd=ROOT, check=True)
            reduce_film(Path(folder), name)


def reduce_film(rendered: Path, name: str) -> None:
    """Write `NAME.webp`, `NAME.still.webp` and `NAME.mp4` from a folder of `demo/films/make.py`."""
    FOLDER.mkdir(exist_ok=True)
    moving = FOLDER / f"{name}.webp"
    write_moving(sorted(rendered.glob("[0-9]*.png")), moving)
    with Image.open(rendered / "still.png") as still:
        still.convert("RGB").save(FOLDER / f"{name}.still.webp", quality=STILL_QUALITY, method=6)
    (FOLDER / f"{name}.mp4").write_bytes((rendered / f"{name}.mp4").read_bytes())
    print(f"[pictures] {moving.name}, {moving.stat().st_size // 1000} kB", flush=True)


def write_moving(frames: Sequence[Path], target: Path) -> None:
    """Write frames as an animated picture that repeats.

    Durations are whole milliseconds without drift: each frame begins at the millisecond nearest to its time.
    """
    starts = [round(1000 * number / RATE) for number in range(len(frames) + 1)]
    durations = [end - start for start, end in pairwise(starts)]
    first, *others = (Image.open(frame).convert("RGB") for frame in frames)
    first.save(target, save_all=True, append_images=others, duration=durations, loop=0, quality=QUALITY, method=4)
