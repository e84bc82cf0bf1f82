"""Pictures of panels in the manual, from what the window tests have shown.

`python build.py gui-test` leaves a picture of the whole screen at each step of its stories; the manual shows some.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from .reduction import IMAGES, reduce_picture

SHOTS: Final[Mapping[str, str]] = {
    "cues-and-marks": "directing_cue",
    "direct": "first_walk_arrived",
    "draw-path": "first_walk_drawn",
    "drive": "drive_drive",
    "errands": "errands_paused",
    "live-preview": "first_walk_preview",
    "partner": "pass_and_pair_pair_previewed",
    "report": "first_walk_playing",
}
"""Story and step of the window tests that each picture shows."""
CROP: Final = (330, 84, 1284, 815)
"""Left, top, right and bottom, pixels, of what the manual shows of a screen: the viewport's half with the sidebar."""


def make_screenshots(folder: Path, names: Collection[str]) -> list[str]:
    """Write pictures of panels into the manual; return the names of those of which a folder has the step.

    Args:
        folder: where ``gui-test`` has left its pictures, each as ``NUMBER_STORY_STEP.png``.
        names: pictures of :data:`SHOTS`.
    """
    steps = {file.stem.partition("_")[2]: file for file in sorted(folder.glob("[0-9][0-9]_*.png"))}
    found = [name for name in names if SHOTS[name] in steps]
    for name in found:
        reduce_picture(steps[SHOTS[name]], IMAGES / f"{name}.png", crop=CROP)
    return found
