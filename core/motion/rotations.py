"""Operations on quaternions ``(w, x, y, z)`` in arrays of any leading shape; all are vectorized and broadcast.

Angles are radians. The exponential map of a rotation is the vector ``axis * angle`` (Grassia 1998).
"""

from collections.abc import Callable
from math import prod
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]

UP: Final = np.array([0.0, 0.0, 1.0])
IDENTITY: Final = np.array([1.0, 0.0, 0.0, 0.0])
AXIS_PAIR_SIZE: Final = 6
"""Numbers of a rotation as a pair of axes, see :func:`to_axis_pair`."""
BLOCK_SIZE: Final = 1 << 13
"""Number of quaternions multiplied at a time, so that intermediate results stay in the processor's cache."""


def multiply(a: Array, b: Array) -> Array:
    """Return the Hamilton product ``a b`` of quaternions (..., 4): the rotation by ``b`` first, then by ``a``."""
    return _by_blocks(_multiply, np.asarray(a), np.asarray(b), 4)


def _multiply(a: Array, b: Array, result: Array) -> None:
    """Write the Hamilton products of a block of quaternions to ``result``."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    result[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    result[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    result[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    result[..., 3] = aw * bz + ax * by - ay * bx + az * bw


def inverse(q: Array) -> Array:
    """Return the inverse of unit quaternions (..., 4)."""
    return q * np.array([1.0, -1.0, -1.0, -1.0], dtype=q.dtype)


def rotate(q: Array, v: Array) -> Array:
    """Return vectors ``v`` (..., 3) rotated by unit quaternions ``q`` (..., 4)."""
    return _by_blocks(_rotate, np.asarray(q), np.asarray(v), 3)


def _rotate(q: Array, v: Array, result: Array) -> None:
    """Write a block of rotated vectors to ``result``."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    a, b, c = v[..., 0], v[..., 1], v[..., 2]
    tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    result[..., 0] = a + w * tx + y * tz - z * ty
    result[..., 1] = b + w * ty + z * tx - x * tz
    result[..., 2] = c + w * tz + x * ty - y * tx


def _by_blocks(fill: Callable[[Array, Array, Array], None], a: Array, b: Array, width: int) -> Array:
    """Return the results (..., width) of ``fill`` for arrays (..., 4) and (..., 3 or 4), computed block by block."""
    shape = a.shape[:-1] if a.shape[:-1] == b.shape[:-1] else np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    result = np.empty((*shape, width), dtype=a.dtype if a.dtype == b.dtype else np.result_type(a, b))
    if result.size <= BLOCK_SIZE * width:
        fill(a, b, result)
        return result
    a, b = (np.broadcast_to(each, (*shape, each.shape[-1])) for each in (a, b))
    rows = max(BLOCK_SIZE * shape[0] // prod(shape), 1)
    for first in range(0, shape[0], rows):
        block = slice(first, first + rows)
        fill(a[block], b[block], result[block])
    return result


def length(v: Array) -> Array:
    """Return the Euclidean lengths (...) of vectors (..., 2 to 4), bit-identical to numpy's norm but faster."""
    v = np.asarray(v)
    total = v[..., 0] * v[..., 0]
    for axis in range(1, v.shape[-1]):
        total = total + v[..., axis] * v[..., axis]
    return np.sqrt(total)


def cross(a: Array, b: Array) -> Array:
    """Return the cross products (..., 3) of vectors (..., 3), bit-identical to numpy's but faster for small arrays."""
    result = np.empty(np.broadcast_shapes(a.shape, b.shape), dtype=np.result_type(a, b))
    (ax, ay, az), (bx, by, bz) = (tuple(v[..., axis] for axis in range(3)) for v in (a, b))
    result[..., 0] = ay * bz - az * by
    result[..., 1] = az * bx - ax * bz
    result[..., 2] = ax * by - ay * bx
    return result


def normalize(v: Array) -> Array:
    """Return vectors or quaternions scaled to unit length along the last axis; zero stays zero."""
    size = length(v)[..., None]
    return v / np.where(size > 0, size, 1.0)


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return quaternions (..., 4) that rotate by ``angle`` (...), radians, about the unit vector ``axis`` (..., 3)."""
    half = np.asarray(angle, dtype=float)[..., None] / 2
    axis = np.broadcast_to(np.asarray(axis, dtype=float), (*half.shape[:-1], 3))
    return np.concatenate([np.cos(half), np.sin(half) * axis], axis=-1)


def exp(v: Array) -> Array:
    """Return the quaternions (..., 4) of exponential-map vectors (..., 3) (Grassia 1998)."""
    angle = length(v)[..., None]
    return np.concatenate([np.cos(angle / 2), np.sinc(angle / (2 * np.pi)) * v / 2], axis=-1)


def log(q: Array) -> Array:
    """Return the exponential-map vectors (..., 3) of unit quaternions (..., 4), of length at most pi (Grassia 1998)."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = length(q[..., 1:])[..., None]
    angle = 2 * np.arctan2(sine, q[..., :1])
    factor = np.where(sine > 1e-9, angle / np.where(sine > 1e-9, sine, 1.0), 2.0)
    return q[..., 1:] * factor


def from_matrix(m: Array) -> Array:
    """Return unit quaternions (..., 4) of rotation matrices (..., 3, 3), by the largest component (Shepperd 1978)."""
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    x, y, z = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = _matrices(
        [
            [1 + m00 + m11 + m22, x, y, z],
            [x, 1 + m00 - m11 - m22, xy, xz],
            [y, xy, 1 - m00 + m11 - m22, yz],
            [z, xz, yz, 1 - m00 - m11 + m22],
        ]
    )
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)[..., None, None]
    return normalize(np.take_along_axis(rows, best, axis=-2)[..., 0, :])


def to_matrix(q: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return _matrices(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _matrices(rows: list[list[Array]]) -> Array:
    """Return matrices (..., n, n) from their elements (...): several times faster than stacking them."""
    first = np.asarray(rows[0][0])
    result = np.empty((*first.shape, len(rows), len(rows)), dtype=first.dtype)
    for row, elements in enumerate(rows):
        for column, element in enumerate(elements):
            result[..., row, column] = element
    return result


def to_axis_pair(q: Array) -> Array:
    """Return the forward and up axes (..., 6) after rotation by unit quaternions (..., 4) (MANN, Zhang et al. 2018)."""
    matrices = to_matrix(q)
    return np.concatenate([matrices[..., 1], matrices[..., 2]], axis=-1)


def from_axis_pair(pair: Array) -> Array:
    """Return the quaternions (..., 4) of forward and up axes (..., 6), made orthonormal starting with the forward axis.

    Gram-Schmidt, as in Zhou et al. 2019, "On the Continuity of Rotation Representations in Neural Networks".
    """
    forward = normalize(pair[..., :3])
    up = pair[..., 3:]
    up = normalize(up - np.sum(forward * up, axis=-1, keepdims=True) * forward)
    return from_matrix(np.stack([np.cross(forward, up), forward, up], axis=-1))


def from_euler(angles: Array, order: str) -> Array:
    """Return quaternions (..., 4) of Euler angles (..., 3), radians, about three different axes in ``order``.

    ``"ZYX"`` is the product ``Rz Ry Rx``, as for the channels of a BVH file.
    """
    i, j, k = ("XYZ".index(letter) for letter in order.upper())
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    half = angles / 2
    (c1, c2, c3), (s1, s2, s3) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    cc, sc, cs, ss = c1 * c2, s1 * c2, c1 * s2, parity * (s1 * s2)
    result = np.empty((*angles.shape[:-1], 4))
    result[..., 0] = cc * c3 - ss * s3
    result[..., 1 + i] = sc * c3 + parity * (cs * s3)
    result[..., 1 + j] = cs * c3 - parity * (sc * s3)
    result[..., 1 + k] = ss * c3 + cc * s3
    return result


def to_euler(q: Array, order: str) -> Array:
    """Return the Euler angles (..., 3), radians, of unit quaternions (..., 4): the inverse of :func:`from_euler`."""
    i, j, k = ("XYZ".index(letter) for letter in order.upper())
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrix(q)
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(parity * m[..., i, k], cosine)
    regular = cosine > 1e-7
    first = np.where(regular, np.arctan2(-parity * m[..., j, k], m[..., k, k]), 0.0)
    locked = np.arctan2(parity * m[..., j, i], m[..., j, j])
    last = np.where(regular, np.arctan2(-parity * m[..., i, j], m[..., i, i]), locked)
    return np.stack([first, middle, last], axis=-1)


def rotation_between(a: Array, b: Array) -> Array:
    """Return the smallest rotations (..., 4) that take the directions ``a`` (..., 3) to the directions ``b`` (..., 3).

    Opposite directions rotate by pi about an axis perpendicular to ``a``; a zero vector gives the identity.
    """
    a, b = np.broadcast_arrays(normalize(a), normalize(b))
    dot = np.sum(a * b, axis=-1, keepdims=True)
    q = np.concatenate([1 + dot, cross(a, b)], axis=-1)
    opposite = dot[..., 0] < -1 + 1e-9
    if opposite.any():
        smallest = np.eye(3)[np.argmin(np.abs(a[opposite]), axis=-1)]
        q[opposite, 0], q[opposite, 1:] = 0.0, cross(a[opposite], smallest)
    zero = ~(a.any(axis=-1) & b.any(axis=-1))
    q[zero] = IDENTITY
    return normalize(q)


def rotation_about_up(angle: ArrayLike) -> Array:
    """Return quaternions (..., 4) that rotate by ``angle`` (...), radians, about the world's up axis, Z."""
    half = np.asarray(angle, dtype=float) / 2
    result = np.zeros((*half.shape, 4))
    result[..., 0], result[..., 3] = np.cos(half), np.sin(half)
    return result


def wrap_angle(angle: ArrayLike) -> Array:
    """Return angles (...), radians, wrapped to [-pi, pi)."""
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def wrap_cycles(cycles: ArrayLike) -> Array:
    """Return phase differences (...), cycles, wrapped to [-0.5, 0.5)."""
    return (np.asarray(cycles) + 0.5) % 1.0 - 0.5


def signed_angle_about(axis: Array, a: Array, b: Array) -> float:
    """Return the signed angle, radians, about the unit ``axis`` (3) from ``a`` (3) to ``b`` (3), as seen along it."""
    across = np.cross(axis, a)
    return float(np.arctan2(across @ b, np.cross(across, axis) @ b))


def slerp(a: Array, b: Array, t: Array) -> Array:
    """Return the spherical interpolation from ``a`` to ``b`` (..., 4) along the shorter arc (Shoemake 1985).

    Args:
        a: unit quaternions (..., 4).
        b: unit quaternions (..., 4).
        t: (...) interpolation factor, 0 for ``a``, 1 for ``b``.
    """
    return multiply(a, exp(log(multiply(inverse(a), b)) * np.asarray(t)[..., None]))


def unroll(q: Array) -> Array:
    """Return the same rotations (N, ..., 4) with signs flipped so that neighbors along axis 0 are in one hemisphere."""
    if len(q) < 2:
        return q.copy()
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0
    signs = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    result = q.copy()
    result[1:] *= signs[..., None]
    return result


def mean_rotation(q: Array) -> Array:
    """Return the mean (..., 4) of rotations (N, ..., 4) over axis 0.

    The principal eigenvector of the quaternions' scatter matrix (Markley et al. 2007).
    """
    scatter = np.einsum("f...i,f...j->...ij", q, q)
    principal = np.linalg.eigh(scatter)[1][..., -1]
    return np.where(principal[..., :1] < 0, -principal, principal)


def turns_between(wanted: Array, present: Array) -> Array:
    """Return exponential maps (..., 3): the rotations from ``present`` (..., 4) to ``wanted`` (..., 4), world axes."""
    return log(multiply(wanted, inverse(present)))
