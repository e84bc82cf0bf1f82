"""Pictures reduced to what the manual shows."""

from pathlib import Path
from typing import Final

from PIL import Image

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS: Final = 256
"""Number of colors of a picture: half the bytes of all colors, without a difference that is seen."""


def reduce_picture(rendered: Path, picture: Path, width: int | None = None) -> None:
    """Write a picture with :data:`COLORS` colors, no wider than a width in pixels."""
    with Image.open(rendered) as image:
        image = image.convert("RGB")
        if width and width < image.width:
            image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        image.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG).save(
            picture, optimize=True
        )
