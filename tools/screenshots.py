"""Pictures of panels in the manual, from the window tests.

`python build.py gui-test` leaves a picture of the whole screen at each step of its stories; the manual shows some.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from .reduction import IMAGES, reduce_picture

Crop = tuple[int, int, int, int]
"""Left, top, right and bottom, pixels, of the manual's part of a screen of 1600 by 900."""
VIEWPORT: Final[Crop] = (330, 84, 1284, 815)
"""The viewport's half with the sidebar."""
CLIP: Final[Crop] = (60, 84, 1030, 815)
"""The viewport without the sidebar."""
SIDEBAR: Final[Crop] = (1028, 84, 1312, 815)
TABS: Final[Crop] = (1028, 84, 1312, 616)
"""The sidebar with only closed panels below."""
DOPE_SHEET: Final[Crop] = (0, 519, 1024, 850)
STRIP: Final[Crop] = (210, 706, 1024, 850)
PREFERENCES: Final[Crop] = (280, 190, 972, 494)


class Screen(NamedTuple):
    """A step of a story of the window tests, and the part of its picture that the manual shows."""

    step: str
    crop: Crop = VIEWPORT


SHOTS: Final[Mapping[str, Screen]] = {
    "cues-and-marks": Screen("directing_cue"),
    "direct": Screen("first_walk_arrived"),
    "draw-path": Screen("first_walk_drawn"),
    "drive": Screen("drive_drive"),
    "errands": Screen("errands_paused"),
    "label-edit": Screen("labels_dragged", STRIP),
    "label-strip": Screen("labels_strip", DOPE_SHEET),
    "label-viewport": Screen("labels_overlays", CLIP),
    "live-preview": Screen("first_walk_preview"),
    "panels": Screen("first_walk_character", TABS),
    "partner": Screen("pass_and_pair_pair_previewed"),
    "preferences": Screen("product_preferences", PREFERENCES),
    "report": Screen("first_walk_playing"),
    "rig": Screen("own_rig_walked"),
    "training": Screen("training_analyzed", SIDEBAR),
}
"""Story and step of the window tests for each picture."""


def make_screenshots(folder: Path, names: Collection[str]) -> list[str]:
    """Write the named pictures of panels into the manual; return the names of those found in the folder.

    Args:
        folder: the folder of ``gui-test`` with its pictures, named ``NUMBER_STORY_STEP.png``.
        names: pictures of :data:`SHOTS`.
    """
    steps = {file.stem.partition("_")[2]: file for file in sorted(folder.glob("[0-9][0-9]_*.png"))}
    found = [name for name in names if SHOTS[name].step in steps]
    for name in found:
        reduce_picture(steps[SHOTS[name].step], IMAGES / f"{name}.png", crop=SHOTS[name].crop)
    return found
