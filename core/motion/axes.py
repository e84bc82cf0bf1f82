"""Axis conventions of motion files, and conversions to and from Blender's world (Z up)."""

from typing import Final, Literal, get_args

import numpy as np

from .rotations import Array

UpAxis = Literal["Y", "Z", "X", "-Y", "-Z", "-X"]

UP_AXES: Final[tuple[UpAxis, ...]] = get_args(UpAxis)
"""Axes that may point up in a file, the likeliest first."""
_TURNS: Final[dict[UpAxis, tuple[tuple[int, int, int], tuple[float, float, float]]]] = {
    "Y": ((0, 2, 1), (1.0, -1.0, 1.0)),
    "Z": ((0, 1, 2), (1.0, 1.0, 1.0)),
    "X": ((2, 1, 0), (-1.0, 1.0, 1.0)),
    "-Y": ((0, 2, 1), (1.0, 1.0, -1.0)),
    "-Z": ((0, 1, 2), (1.0, -1.0, -1.0)),
    "-X": ((2, 1, 0), (1.0, 1.0, -1.0)),
}
"""For each up axis, the file axis and sign that give the world's X, Y and Z."""


def up_vector(up: UpAxis) -> Array:
    """Return the unit vector (3) that points up in a file with this up axis, in the file's own axes."""
    return np.array([(-1.0 if up.startswith("-") else 1.0) * (letter == up[-1]) for letter in "XYZ"])


def to_world(vectors: Array, up: UpAxis) -> Array:
    """Convert a file's vectors (..., 3) to Blender's world; if Y is up in the file, (x, y, z) becomes (x, -z, y)."""
    axes, signs = _TURNS[up]
    return vectors if up == "Z" else vectors[..., list(axes)] * np.array(signs)


def rotations_to_world(rotations: Array, up: UpAxis) -> Array:
    """Convert rotations (..., 4) from a file's axes to Blender's world."""
    axes, signs = _TURNS[up]
    return rotations if up == "Z" else rotations[..., [0, *(axis + 1 for axis in axes)]] * np.array([1.0, *signs])


def to_file(vectors: Array, up: UpAxis) -> Array:
    """Convert vectors (..., 3) of Blender's world to a file's axes: the inverse of :func:`to_world`."""
    axes, signs = _TURNS[up]
    return (vectors * np.array(signs))[..., list(axes)]  # Each of the permutations is its own inverse.


def rotations_to_file(rotations: Array, up: UpAxis) -> Array:
    """Convert rotations (..., 4) from Blender's world to a file's axes: the inverse of :func:`rotations_to_world`."""
    axes, signs = _TURNS[up]
    return (rotations * np.array([1.0, *signs]))[..., [0, *(axis + 1 for axis in axes)]]
