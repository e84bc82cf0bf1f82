"""Labels of real clips checked frame by frame, read from small JSON files.

Frames in a file are the clip's own, from 0 and at its own rate; intervals are [start, stop).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import FootfallError
from ..core.labelling.semantics import actions, gaits
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.signals import FrameIndices
from .setup import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "labels"
FEET: Final = {"L": ("foot.L", "toe.L"), "R": ("foot.R", "toe.R")}
UNSAID: Final = -1
Interval = tuple[int, int]
Entry = TypeVar("Entry")


@dataclass(frozen=True, eq=False)
class HandLabels:
    """Reference labels of a range of F frames of a clip; frames count from ``first``.

    Attributes:
        clip: the file, from the folder of the real clips.
        rate: frames a second.
        first, last: ends of the range in the clip, both included.
        joints: the joints with known contacts (C).
        contacts: (F, C) contacts.
        unsure: (F, C) contacts that inspection left open.
        strikes: the first frames of each foot's contacts, by its side.
        gaits, actions: (F) indices of ``gaits.NAMES`` and ``actions.NAMES``; -1 for unknown.
        periodic: whether the feet alternate, so that there is a phase.
        remarks: notes of the person that labeled the clip.
    """

    clip: str
    rate: float
    first: int
    last: int
    joints: tuple[str, ...]
    contacts: NDArray[np.bool_]
    unsure: NDArray[np.bool_]
    strikes: Mapping[str, FrameIndices]
    gaits: FrameIndices
    actions: FrameIndices
    periodic: bool
    remarks: str

    def __len__(self) -> int:
        return self.last + 1 - self.first

    @property
    def standing(self) -> NDArray[np.bool_]:
        """True in each frame in which the body stands (F)."""
        return self.gaits == gaits.GAIT_NAMES.index("stand")

    def foot(self, side: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the frames (F) with a foot certainly down, and those (F) with it certainly up; others are unknown."""
        columns = [self.joints.index(joint) for joint in FEET[side]]
        down, unsure = self.contacts[:, columns], self.unsure[:, columns]
        return np.asarray((down & ~unsure).any(axis=1)), ~np.asarray((down | unsure).any(axis=1))


def read_hand_labels(folder: Path = FOLDER) -> list[HandLabels]:
    """Return the hand labels of all files of a folder, in the order of their names.

    Raises:
        FootfallError: there are no files, or one is invalid.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise FootfallError(f"There are no hand-checked labels in '{folder}': put .json files there.")
    return [read_file(file) for file in files]


def read_hand_clip(hand: HandLabels, data: Path) -> Clip:
    """Return the clip from the folder of real clips; raise :class:`FootfallError` if it is missing."""
    file = data / hand.clip
    if not file.is_file():
        raise FootfallError(f"The real clip '{hand.clip}' is not in '{data}': name its folder with --data.")
    return read_bvh(file)


def read_file(file: Path) -> HandLabels:
    """Return the hand labels of one file; raise :class:`FootfallError` if it is invalid."""
    return read_entry(file, _read, "labels")


def read_entry(file: Path, parse: Callable[[Mapping[str, Any]], Entry], content: str) -> Entry:
    """Return the hand-made content of one file; raise :class:`FootfallError` if it is invalid.

    Args:
        file: JSON.
        parse: function from the file's object to the content.
        content: name of the content.
    """
    try:
        return parse(json.loads(file.read_text(encoding="utf-8")))
    except KeyError as error:
        raise FootfallError(f"'{file}' lacks {error}: add it.") from error
    except (TypeError, ValueError, AttributeError, OSError) as error:
        raise FootfallError(f"'{file}' is not a file of {content} ({error}): check how it is written.") from error
    except FootfallError as error:
        raise FootfallError(f"'{file}': {error}") from error


def _read(entry: Mapping[str, Any]) -> HandLabels:
    rate, frames = float(entry["rate"]), int(entry["frames"])
    first, last = int(entry["first"]), int(entry["last"])
    if not (rate > 0 and 0 <= first < last < frames):
        raise FootfallError(f"frames {first} to {last} are no range of a clip of {frames}: mend first, last or rate.")
    joints = tuple(map(str, entry["contacts"]))
    missing = {joint for foot in FEET.values() for joint in foot} - set(joints)
    if missing:
        raise FootfallError(f"the contacts of {', '.join(sorted(missing))} are not told: add them, if only as [].")
    ranged = slice(first, last + 1)
    unsure = entry.get("unsure", [])
    unknown = {str(joint) for joint, _, _ in unsure} - set(joints)
    if unknown:
        raise FootfallError(f"it is unsure of {', '.join(sorted(unknown))}, which has no contacts: mend the name.")
    contacts = [_marked(entry["contacts"][joint], frames, joint) for joint in joints]
    doubts = [_marked([two for name, *two in unsure if name == joint], frames, joint) for joint in joints]
    down = np.stack(contacts, axis=1)[ranged]
    strikes = {side: _onsets(down[:, [joints.index(joint) for joint in foot]]) for side, foot in FEET.items()}
    _require_equal(strikes, entry.get("strikes"), first)
    return HandLabels(
        str(entry["clip"]),
        rate,
        first,
        last,
        joints,
        down,
        np.stack(doubts, axis=1)[ranged],
        strikes,
        _named(entry.get("gaits", []), gaits.GAIT_NAMES, frames, "gait")[ranged],
        _named(entry.get("actions", []), actions.ACTION_NAMES, frames, "action")[ranged],
        bool(entry.get("periodic", True)),
        str(entry.get("remarks", "")),
    )


def _marked(intervals: Iterable[Sequence[int]], frames: int, what: str) -> NDArray[np.bool_]:
    """Return whether each frame (``frames``) of the clip is in any of the intervals."""
    inside = np.zeros(frames, dtype=bool)
    for start, stop in intervals:
        _require_inside(start, stop, frames, what)
        inside[start:stop] = True
    return inside


def _named(spans: Iterable[Sequence[Any]], names: Sequence[str], frames: int, what: str) -> FrameIndices:
    """Return the index of the name for each frame (``frames``) of the clip."""
    said = np.full(frames, UNSAID, dtype=np.intp)
    for name, start, stop in spans:
        if name not in names:
            raise FootfallError(f"there is no {what} '{name}': write one of {', '.join(names)}.")
        _require_inside(start, stop, frames, what)
        said[start:stop] = names.index(name)
    return said


def _require_inside(start: int, stop: int, frames: int, what: str) -> None:
    if not 0 <= start < stop <= frames:
        raise FootfallError(f"[{start}, {stop}) of {what} is no interval of a clip of {frames} frames: mend it.")


def _onsets(contacts: NDArray[np.bool_]) -> FrameIndices:
    """Return the first frames of the contacts of a foot (F, its joints), except of one at the start of the clip."""
    down = np.asarray(contacts.any(axis=1))
    return np.flatnonzero(~down[:-1] & down[1:]) + 1


def _require_equal(
    strikes: Mapping[str, FrameIndices], written: Mapping[str, Sequence[int]] | None, first: int
) -> None:
    """Raise an error if the written strikes are not the onsets of the contacts."""
    for side, frames in (written or {}).items():
        if side not in strikes:
            raise FootfallError(f"there is no foot '{side}' with strikes: write {' or '.join(strikes)}.")
        onsets = (strikes[side] + first).tolist()
        if sorted(frames) != onsets:
            wrong = sorted(set(frames).symmetric_difference(onsets))
            raise FootfallError(
                f"the strikes of {side} are not the onsets of its contacts at frames {wrong}: mend one."
            )
