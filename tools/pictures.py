"""Make the pictures of the manual from the scenes in the repository, as `python build.py pictures` does.

python -m footfall.tools.pictures BLENDER_PYTHON [NAME ...]
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PIL import Image

ROOT: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = ROOT / "docs" / "images"
COLORS: Final = 256
"""Number of colors of a picture: half the bytes of all colors, without a difference that is seen."""
SAME_NAMES: Final = (
    *("stairs", "room", "duel", "court", "rubble", "terraces", "beam"),
    *("low_ceiling", "jump_course", "wall_maze", "dog_slope"),
)
"""Pictures with the name of their scene."""
SCENES: Final[Mapping[str, str | None]] = {
    "walk": None,
    "variation": "variations",
    "dance_scene": "dance",
    **{name: name for name in SAME_NAMES},
}
"""Scene of each picture; ``None`` is the walk along a drawn path."""
WIDTHS: Final = {"duel": 846, "dance_scene": 643}
"""Widths, pixels, of pictures that are shown smaller than they are rendered."""


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


def reduce_picture(rendered: Path, picture: Path, width: int | None = None) -> None:
    """Write a picture with :data:`COLORS` colors, no wider than a width in pixels."""
    with Image.open(rendered) as image:
        image = image.convert("RGB")
        if width and width < image.width:
            image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        image.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG).save(
            picture, optimize=True
        )


def main(arguments: Sequence[str]) -> int:
    """Make the pictures that are named, or all; return the exit code."""
    blender, *names = arguments
    unknown = sorted(set(names) - set(SCENES))
    if unknown:
        print(f"pictures: there is no picture '{unknown[0]}': choose one of {', '.join(SCENES)}", file=sys.stderr)
        return 2
    make_pictures(Path(blender), names or list(SCENES))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
