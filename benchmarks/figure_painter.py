"""A figure of rounded limbs in orthographic pictures, drawn by numpy alone: no graphics card, no Blender.

Each limb is a tapered capsule whose pixels keep the nearest depth (z-buffer); light comes from above the camera.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.motion import Clip, Skeleton
from ..core.motion.rotations import Array, normalize

Pixels = NDArray[np.float64]
"""Picture (H, W, 3), 0 to 1, the highest row first."""

COLORS: Final = {"": (0.66, 0.67, 0.70), "L": (0.30, 0.52, 0.80), "R": (0.88, 0.50, 0.24)}
"""Colors of the trunk, and of left and right limbs, as in the add-on's mannequin."""
BACKGROUND: Final = (0.97, 0.97, 0.97)
GROUND: Final = (0.86, 0.86, 0.86)
LINE: Final = (0.55, 0.55, 0.55)
RADII_M: Final = {
    "hips": 0.105,
    "spine": 0.105,
    "chest": 0.105,
    "neck": 0.055,
    "head": 0.095,
    "shoulder": 0.055,
    "upper_arm": 0.047,
    "forearm": 0.038,
    "hand": 0.03,
    "thigh": 0.075,
    "shin": 0.053,
    "foot": 0.042,
    "toe": 0.035,
}
"""Radii of an adult's limbs by role."""
SUPERSAMPLING: Final = 2
AMBIENT: Final = 0.5
NOSE_M: Final = 0.12
GROUND_DEPTH_M: Final = 0.75
"""Distance of the ground's far edge behind the character."""
MARK_M: Final = 0.07
"""Length of the marks on the ground in side views."""


@dataclass(frozen=True, slots=True)
class View:
    """An orthographic camera.

    Attributes:
        center: (3) point in the middle of the picture, meters.
        right: (2) horizontal direction to the right in the picture.
        elevation: downward angle, radians.
        height: height of the picture, pixels.
        width: width of the picture, pixels.
        meters: height of the picture in the world.
    """

    center: tuple[float, float, float]
    right: tuple[float, float]
    elevation: float = 0.0
    height: int = 216
    width: int = 136
    meters: float = 2.0

    def project(self, points: Array, pixels: float) -> tuple[Array, Array]:
        """Return columns and rows (..., 2), in pixels, and distances towards the camera (...), of points (..., 3)."""
        sine, cosine = np.sin(self.elevation), np.cos(self.elevation)
        level = np.array([self.right[1], -self.right[0], 0.0])
        across, towards = np.array([*self.right, 0.0]), cosine * level + [0.0, 0.0, sine]
        up = np.array([0.0, 0.0, cosine]) - sine * level
        away = points - np.array(self.center)
        columns = self.width / 2 + away @ across * self.height / self.meters
        rows = self.height / 2 - away @ up * self.height / self.meters
        return np.stack([columns, rows], axis=-1) * pixels, away @ towards


def paint_figure(clip: Clip, frame: int, view: View) -> Pixels:
    """Return a picture of a character at a frame, on the ground at height 0.

    Args:
        clip: the motion.
        frame: the frame.
        view: the camera.
    """
    height, width = view.height * SUPERSAMPLING, view.width * SUPERSAMPLING
    picture = np.tile(np.array(BACKGROUND), (height, width, 1))
    _paint_ground(picture, view)
    depths = np.full((height, width), -np.inf)
    scale = view.height / view.meters * SUPERSAMPLING
    for starts, ends, radii, color in limbs(clip, frame):
        (start, end), (near_start, near_end) = view.project(np.stack([starts, ends]), SUPERSAMPLING)
        _paint_capsule(
            picture, depths, (start, end), (near_start * scale, near_end * scale), (radii[0] * scale, radii[1] * scale),
            np.array(color)
        )  # fmt: skip
    return picture.reshape(view.height, SUPERSAMPLING, view.width, SUPERSAMPLING, 3).mean(axis=(1, 3))


def limbs(clip: Clip, frame: int) -> list[tuple[Array, Array, tuple[float, float], tuple[float, float, float]]]:
    """Return the limbs of a character at a frame: start (3), end (3), radii at both, meters, and color."""
    skeleton = clip.skeleton
    positions, rotations = clip.positions[frame], clip.world[1][frame]
    size = skeleton.leg_length / 0.84
    found = []
    for joint, (radius, side) in _limb_sizes(skeleton).items():
        ends = [positions[child] for child in skeleton.children[joint]]
        if not ends and skeleton.tips[joint].any():
            ends = [positions[joint] + _turned(rotations[joint], skeleton.tips[joint])]
        for end in ends:
            found.append((positions[joint], end, (radius * size, 0.85 * radius * size), COLORS[side]))
    if "head" in skeleton.roles:
        found += _head(clip, frame, size)
    return found


def _head(
    clip: Clip, frame: int, size: float
) -> list[tuple[Array, Array, tuple[float, float], tuple[float, float, float]]]:
    """Return the head's ball and its nose, which shows its direction."""
    skeleton, head = clip.skeleton, clip.skeleton.roles["head"]
    parent = skeleton.parents[head]
    up = normalize(clip.positions[frame, head] - clip.positions[frame, parent])
    middle = clip.positions[frame, head] + 0.06 * size * up
    across = clip.positions[frame, skeleton.joint("thigh.L")] - clip.positions[frame, skeleton.joint("thigh.R")]
    if "upper_arm.L" in skeleton.roles:
        arms = clip.positions[frame, [skeleton.roles["upper_arm.L"], skeleton.roles["upper_arm.R"]]]
        across = arms[0] - arms[1]
    ahead = normalize(np.cross(across, up))
    return [
        (middle, middle + 0.03 * size * up, (RADII_M["head"] * size, RADII_M["head"] * size), COLORS[""]),
        (middle, middle + NOSE_M * size * ahead, (0.03 * size, 0.012 * size), COLORS[""]),
    ]


def _limb_sizes(skeleton: Skeleton) -> dict[int, tuple[float, str]]:
    """Return radius of an adult, meters, and side of each joint's bone, from its own role or its nearest ancestor's."""
    role_of = {joint: role for role, joint in skeleton.roles.items()}
    sizes: dict[int, tuple[float, str]] = {}
    for joint, parent in enumerate(skeleton.parents):
        part, _, side = role_of.get(joint, "").removeprefix("front_").partition(".")
        if part in RADII_M:
            sizes[joint] = RADII_M[part], side
        else:
            radius, inherited = sizes.get(parent, (0.06, ""))
            sizes[joint] = (radius if not inherited else 0.7 * radius), inherited
    return sizes


def _turned(rotation: Array, vector: Array) -> Array:
    """Return a vector (3) rotated by a quaternion (4)."""
    w, axis = rotation[0], rotation[1:]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


def _paint_ground(picture: Pixels, view: View) -> None:
    """Draw the ground up to its far edge, with marks at each half meter of the world, to show travel and slides."""
    center, across = np.array([*view.center[:2], 0.0]), np.array([*view.right, 0.0])
    level = np.array([view.right[1], -view.right[0], 0.0])
    (_, far), _ = view.project(center - GROUND_DEPTH_M * level, SUPERSAMPLING)
    picture[round(float(far)) :] = GROUND
    half = view.width / view.height * view.meters / 2
    for line, reach in ((across, half), (level, GROUND_DEPTH_M)):
        at = float(center @ line)
        for number in range(int(np.ceil(2 * (at - reach))), int(np.floor(2 * (at + reach))) + 1):
            side = level if line is across else across
            length = min(GROUND_DEPTH_M, half) if line is across else half
            middle = center + (number / 2 - at) * line
            if line is across and view.elevation == 0.0:
                ends = np.stack([middle, middle - [0.0, 0.0, MARK_M]])
            else:
                ends = np.stack([middle - length * side, middle + length * side])
            _paint_line(picture, view.project(ends, SUPERSAMPLING)[0])


def _paint_line(picture: Pixels, ends: Array) -> None:
    """Draw a thin line between two points (2, 2), column and row, pixels."""
    count = int(np.abs(ends[1] - ends[0]).max()) + 2
    columns, rows = np.floor(ends[0] + np.linspace(0, 1, count)[:, None] * (ends[1] - ends[0])).astype(int).T
    inside = (columns >= 0) & (columns < picture.shape[1] - 1) & (rows >= 0) & (rows < picture.shape[0] - 1)
    for right in range(SUPERSAMPLING):
        picture[rows[inside], columns[inside] + right % SUPERSAMPLING] = LINE


def _paint_capsule(
    picture: Pixels,
    depths: Array,
    ends: tuple[Array, Array],
    nearness: tuple[float, float],
    radii: tuple[float, float],
    color: Array,
) -> None:
    """Draw a tapered capsule into a picture, with depth test.

    Args:
        picture: (H, W, 3) picture, changed in place.
        depths: (H, W) nearness of the drawn pixels, changed in place.
        ends: start (2) and end (2), column and row, pixels.
        nearness: (2) nearness of start and end to the camera, pixels.
        radii: at start and end, pixels.
        color: (3) color.
    """
    start, end = ends
    low = np.floor(np.minimum(start - radii[0], end - radii[1])).astype(int)
    high = np.ceil(np.maximum(start + radii[0], end + radii[1])).astype(int) + 1
    left, top = np.maximum(low, 0)
    right, bottom = np.minimum(high, (picture.shape[1], picture.shape[0]))
    if left >= right or top >= bottom:
        return
    columns, rows = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    bone = end - start
    length = float(bone @ bone)
    share = ((columns - start[0]) * bone[0] + (rows - start[1]) * bone[1]) / length if length > 1e-9 else 0 * columns
    share = np.clip(share, 0.0, 1.0)
    aside = columns - start[0] - share * bone[0], rows - start[1] - share * bone[1]
    radius = radii[0] + share * (radii[1] - radii[0])
    bulge = radius**2 - aside[0] ** 2 - aside[1] ** 2
    inside = bulge > 0
    rise = np.sqrt(np.where(inside, bulge, 0.0))
    depth = nearness[0] + share * (nearness[1] - nearness[0]) + rise
    window = slice(top, bottom), slice(left, right)
    seen = inside & (depth > depths[window])
    normal = np.stack([aside[0], -aside[1], rise], axis=-1) / radius[..., None]
    light = normal @ (np.array([-0.35, 0.75, 0.56]))
    shade = AMBIENT + (1 - AMBIENT) * np.clip(light, 0.0, 1.0)
    shade *= np.where(rise / radius < 0.3, 0.72, 1.0)  # a darker rim separates limbs
    picture[window][seen] = (shade[..., None] * color)[seen]
    depths[window][seen] = depth[seen]
