"""Hand-made blows of real clips, read from small JSON files.

Frames in a file are the clip's own, from 0 and at its own rate; a blow is [start, stop).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from ..core.errors import FootfallError
from ..core.labelling.semantics.blows import LIMBS, Blow
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from .hand_labels import read_entry
from .setup import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "blows"
KINDS: Final = ("punch", "kick", "cut")


@dataclass(frozen=True, slots=True)
class HandBlows:
    """All blows in a range of frames of a clip.

    Attributes:
        clip: the file, from the folder of the real clips.
        kind: one of :data:`KINDS`.
        first, last: ends of the range, both included.
        blows: blows with an apex in the range.
    """

    clip: str
    kind: str
    first: int
    last: int
    blows: tuple[Blow, ...]

    def read_clip(self, data: Path) -> Clip:
        """Return the clip from the folder of real clips; raise :class:`FootfallError` if it is missing."""
        file = data / self.clip
        if not file.is_file():
            raise FootfallError(f"The real clip '{self.clip}' is not in '{data}': name its folder with --data.")
        return read_bvh(file)


def read_hand_blows(folder: Path = FOLDER) -> list[HandBlows]:
    """Return the hand-made blows of all files of a folder, in the order of their names.

    Raises:
        FootfallError: there are no files, or one is invalid.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise FootfallError(f"There are no hand-made blows in '{folder}': put .json files there.")
    return [read_blow_file(file) for file in files]


def read_blow_file(file: Path) -> HandBlows:
    """Return the blows of one file; raise :class:`FootfallError` if it is invalid."""
    return read_entry(file, _read, "blows")


def _read(entry: Mapping[str, Any]) -> HandBlows:
    first, last, kind = int(entry["first"]), int(entry["last"]), str(entry["kind"])
    if kind not in KINDS:
        raise FootfallError(f"there is no kind '{kind}': write {', '.join(KINDS)}.")
    blows = tuple(
        Blow(str(one["effector"]), int(one["start"]), int(one["apex"]), int(one["stop"])) for one in entry["blows"]
    )
    for blow in blows:
        if blow.effector not in LIMBS or not first <= blow.start < blow.apex < blow.stop <= last + 1:
            raise FootfallError(
                f"the blow of {blow.effector} at frame {blow.apex} is none: mend its frames or its name."
            )
    if any(after.apex <= before.apex for before, after in pairwise(blows)):
        raise FootfallError("its blows are not in the order of their apexes: sort them.")
    return HandBlows(str(entry["clip"]), kind, first, last, blows)
