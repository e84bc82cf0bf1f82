"""Results for damaged input: labels, or a message with the remedy."""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import FootfallError
from ..core.labelling import Labels, label_clip
from ..core.motion import Clip, Skeleton
from ..core.motion.rotations import Array
from .label_error import contact_f1
from .machine import peak_megabytes
from .procedural import scenes
from .tables import Table, table

RATE: Final = 60.0
LENGTH: Final = 1_000_000
"""Frames of the longest clip."""
SCENE: Final = "walk"
GAP: Final = slice(200, 230)


def measure() -> Table:
    """Return the table."""
    head = ["input", "frames", "what comes back", "s", "peak memory beside the clip, MB"]
    return table(head, [_row(*case) for case in _cases()], "Damaged input")


def _row(name: str, clip: Clip, contacts: Array) -> list[object]:
    before, start = peak_megabytes(), perf_counter()
    result = _labelled(clip, contacts)
    return [name, len(clip), result, perf_counter() - start, peak_megabytes() - before]


def _labelled(clip: Clip, contacts: Array) -> str:
    try:
        labels = label_clip(clip)
    except FootfallError as error:
        return f"message: {error}"
    return f"labels, contact F1 {contact_f1(labels.contacts, contacts).mean():.3f}{_unsound(labels)}"


def _unsound(labels: Labels) -> str:
    """Return a remark if the labels are not all finite, else an empty text."""
    numbers = (labels.contacts, labels.phase, labels.gaits, labels.actions, labels.confidence)
    return "" if all(np.isfinite(values).all() for values in numbers) else ", not all of them numbers"


def _cases() -> Iterator[tuple[str, Clip, Array]]:
    """Yield the name, the clip and its true contacts (F, 4)."""
    walk = next(one for one in scenes(RATE, 0.0, np.random.default_rng(0)) if one.name == SCENE)
    clip, contacts = walk.clip, walk.contacts
    lost = np.random.default_rng(0).random(len(clip))
    yield "one frame in 20 not a number", _broken(clip, lost < 0.05), contacts
    yield "half a second not a number", _broken(clip, _inside(clip, GAP)), contacts
    yield (
        "one joint's rotation not a number in one frame",
        _broken(clip, _inside(clip, slice(100, 101)), slice(5, 6)),
        contacts,
    )
    yield "two thirds of the frames not a number", _broken(clip, lost < 2 / 3), contacts
    yield "no frame", clip.cut(0, 0), contacts[:0]
    yield "one frame", clip.cut(0, 1), contacts[:1]
    yield "two frames", clip.cut(0, 2), contacts[:2]
    yield "no feet mapped", _without_roles(clip, "foot.L", "foot.R", "toe.L", "toe.R"), contacts
    legs = [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in "LR"]
    yield "no legs mapped", _without_roles(clip, *legs), contacts
    yield "no toes mapped", _without_roles(clip, "toe.L", "toe.R"), contacts
    yield "all bones of no length", _shrunk(clip, *range(len(clip.skeleton))), contacts
    yield "toes of no length", _shrunk(clip, clip.skeleton.joint("toe.L"), clip.skeleton.joint("toe.R")), contacts
    repeats = -(-LENGTH // len(clip))
    yield "a million frames", _repeated(clip, repeats).cut(0, LENGTH), np.tile(contacts, (repeats, 1))[:LENGTH]


def _inside(clip: Clip, frames: slice) -> NDArray[np.bool_]:
    inside = np.zeros(len(clip), dtype=bool)
    inside[frames] = True
    return inside


def _broken(clip: Clip, frames: NDArray[np.bool_], joints: slice = slice(None)) -> Clip:
    """Return the clip with NaN rotations in some frames (F)."""
    rotations = clip.rotations.copy()
    rotations[frames, joints] = np.nan
    return replace(clip, rotations=rotations)


def _without_roles(clip: Clip, *missing: str) -> Clip:
    """Return the clip of a skeleton with some roles unmapped."""
    skeleton = clip.skeleton
    roles = {role: joint for role, joint in skeleton.roles.items() if role not in missing}
    names = tuple(f"bone {joint}" for joint in range(len(skeleton)))
    return replace(clip, skeleton=Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.tips, roles))


def _shrunk(clip: Clip, *joints: int) -> Clip:
    """Return the clip with joints at the places of their parents."""
    skeleton = clip.skeleton
    offsets, tips = skeleton.offsets.copy(), skeleton.tips.copy()
    offsets[list(joints)] = tips[list(joints)] = 0.0
    return replace(clip, skeleton=Skeleton(skeleton.names, skeleton.parents, offsets, tips, skeleton.roles))


def _repeated(clip: Clip, repeats: int) -> Clip:
    """Return the clip repeated, each time from its end place."""
    way = (clip.root_positions[-1] - clip.root_positions[0]) * [1.0, 1.0, 0.0]
    roots = clip.root_positions + np.arange(repeats)[:, None, None] * way
    return replace(clip, root_positions=roots.reshape(-1, 3), rotations=np.tile(clip.rotations, (repeats, 1, 1)))
