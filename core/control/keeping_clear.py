"""Bodies moved out of what they are in: the whole body a little aside, smoothly, wherever a part of it would be deep in
a thing. Feet that stand are held afterwards as always.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ..motion import Clip
from ..motion.rotations import Array, rotate
from ..scene.body_capsules import BodyCapsules
from ..scene.placed import Moving

ROUNDS: Final = 3
SOFT: Final = 0.01
"""Metres by which flesh gives way."""
FARTHEST: Final = 0.2
"""Metres by which somebody is moved, at most."""
WIDE: Final = 0.25
"""Seconds before and after a frame for which it is moved as far, about."""
CALM: Final = 0.1
"""Seconds over which that is smoothed (deviation)."""
BLOCK: Final = 300
"""Frames that are looked at together."""
NEAR: Final = 1.0
"""Metres between the hips and a thing from which it is not looked at."""


def kept_clear(clip: Clip, things: Sequence[Moving], spared: Sequence[NDArray[np.bool_]]) -> Clip:
    """The clip moved over the ground so that no part of the body is deep in a thing.

    Args:
        clip: F frames.
        things: as they are at each frame.
        spared: for each thing (F, B) the bones of :class:`BodyCapsules` that may be in it, or about it.
    """
    body = BodyCapsules.of(clip.skeleton)
    for _ in range(ROUNDS):
        push = np.zeros((len(clip), 2))
        for thing, free in zip(things, spared, strict=True):
            own = _push(body, clip, thing, free)
            push = np.where(_size(own) > _size(push), own, push)
        if float(_size(push).max(initial=0.0)) < SOFT / 2:
            break
        shift = np.column_stack([_smoothed(push, clip.rate), np.zeros(len(clip))])
        clip = replace(clip, root_positions=clip.root_positions + shift)
    return clip


def _push(body: BodyCapsules, clip: Clip, thing: Moving, spared: NDArray[np.bool_]) -> Array:
    """The way (F, 2) out of a thing, over the ground, of the part of the body that is deepest in it."""
    result = np.zeros((len(clip), 2))
    hips = clip.positions[:, clip.skeleton.role("hips")]
    outline = thing.collider.flattened(-np.inf, np.inf)
    rows = np.flatnonzero(outline.distances(thing.into(hips) * [1.0, 1.0, 0.0]) < NEAR)
    if not len(rows):
        return result
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        result[block] = _out(body, clip, thing, spared, block)
    return result


def _out(body: BodyCapsules, clip: Clip, thing: Moving, spared: NDArray[np.bool_], rows: NDArray[np.intp]) -> Array:
    """The same of some frames (N)."""
    part = Moving(thing.collider, thing.positions[rows], thing.rotations[rows])
    near = replace(clip, root_positions=clip.root_positions[rows], rotations=clip.rotations[rows])
    inside = part.into(body.spheres(near))
    flat, radii = inside.reshape(-1, 3), np.tile(body.radii, len(rows))
    way = flat - thing.collider.nearest(flat)
    distance, level = np.linalg.norm(way, axis=1), np.linalg.norm(way[:, :2], axis=1)
    # Who is within goes out level; who is beside, straight away from what is nearest.
    within = distance < 1e-9
    out = np.zeros((len(flat), 2))
    if within.any():
        ends = thing.collider.ways_out(flat[within], level=True)[:, :2]
        out[within] = ends * (1.0 + radii[within] / np.maximum(np.linalg.norm(ends, axis=1), 1e-9))[:, None]
    beside = (distance < radii - SOFT) & ~within & (level > 1e-6)
    missing = np.sqrt(np.maximum(radii**2 - way[:, 2] ** 2, 0.0)) - level
    out[beside] = (way[:, :2] * (np.maximum(missing, 0.0) / np.maximum(level, 1e-9))[:, None])[beside]
    out = out.reshape(*inside.shape[:2], 2)
    out[spared[rows][:, body.numbers]] = 0.0
    worst = np.linalg.norm(out, axis=-1).argmax(axis=1)
    chosen = np.column_stack([out[np.arange(len(rows)), worst], np.zeros(len(rows))])
    return rotate(thing.rotations[rows], chosen)[:, :2]


def _size(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1, keepdims=True)


def _smoothed(push: Array, rate: float) -> Array:
    """Ways out (F, 2) that begin before they are needed and end after, without a jerk."""
    width = 2 * round(WIDE * rate) + 1
    size = np.minimum(_size(push), FARTHEST)
    wide = maximum_filter1d(size[:, 0], width, mode="nearest")
    direction = np.stack([gaussian_filter1d(push[:, axis], WIDE * rate, mode="nearest") for axis in range(2)], axis=-1)
    direction /= np.maximum(_size(direction), 1e-9)
    return gaussian_filter1d(wide[:, None] * direction, CALM * rate, axis=0, mode="nearest")
