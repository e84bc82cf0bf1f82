"""Pictures reduced for the manual."""

from pathlib import Path
from typing import Final

from PIL import Image

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS: Final = 256
"""Number of colors of a picture: half the bytes of all colors, without a visible difference."""


def reduce_picture(
    rendered: Path, picture: Path, width: int | None = None, crop: tuple[int, int, int, int] | None = None
) -> None:
    """Write a picture reduced to 256 colors, and if requested cropped and made smaller.

    Args:
        rendered: the original picture.
        picture: the file to write.
        width: largest width, pixels; ``None`` keeps the size.
        crop: left, top, right and bottom, pixels, of the visible part; all by default.
    """
    with Image.open(rendered) as image:
        image = image.convert("RGB").crop(crop)
        if width and width < image.width:
            image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        image.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG).save(
            picture, optimize=True
        )
