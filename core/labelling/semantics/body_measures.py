"""Measures of a body that the detectors of actions share."""

from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import velocities
from .gaits import GAIT_NAMES

Mask = NDArray[np.bool_]


class BodyMeasures:
    """What is measured of a body, each when it is first asked for; world metres and m/s, divided by an adult's."""

    def __init__(self, clip: Clip, gaits: Array, ground_heights: Array, contacts: dict[str, Mask]) -> None:
        self.clip, self.gaits, self.contacts = clip, gaits, contacts
        self.rate, self.leg_length = clip.rate, clip.skeleton.leg_length
        self.scale = self.leg_length / ADULT_LEG_LENGTH_M
        self.time_scale = float(np.sqrt(self.scale))
        self.ground_height = self.smooth(ground_heights.min(axis=1), 0.1)

    def frames(self, seconds: float) -> int:
        """So many seconds of an adult in frames of this body, at least one."""
        return max(round(seconds * self.time_scale * self.rate), 1)

    def smooth(self, values: Array, seconds: float) -> Array:
        """Return a Gaussian of so many seconds of an adult over values (F, ...)."""
        width = max(min(seconds * self.time_scale * self.rate, len(values) / 4), 1e-3)
        return scipy.ndimage.gaussian_filter1d(values, width, axis=0, mode="nearest")

    def joint(self, *roles: str) -> Array | None:
        """Positions (F, 3) of the first of these roles that the skeleton has."""
        found = next((self.clip.skeleton.roles[role] for role in roles if role in self.clip.skeleton.roles), None)
        return None if found is None else self.clip.positions[:, found]

    def left_and_right(self, role: str) -> Array:
        """Positions (F, 2, 3) of left and right."""
        return self.clip.positions[:, [self.clip.skeleton.joint(f"{role}.{side}") for side in "LR"]]

    def height(self, positions: Array) -> Array:
        """Heights (F, ...) over the ground of positions (F, ..., 3)."""
        return (positions[..., 2] - self.ground_height.reshape(-1, *[1] * (positions.ndim - 2))) / self.scale

    def speeds(self, positions: Array) -> Array:
        """Speeds (F, ...) of positions (F, ..., 3)."""
        return np.linalg.norm(velocities(positions, self.rate), axis=-1) / self.time_scale

    def forward_distance(self, positions: Array, unit: float | None = None) -> Array:
        """How far positions (F, ..., 3) are before the hips (F, ...), in an adult's metres or another unit."""
        relative = positions[..., :2] - self.hips.reshape(-1, *[1] * (positions.ndim - 2), 3)[..., :2]
        return np.einsum("f...k,fk->f...", relative, self.facing) / (unit or self.scale)

    def gait(self, name: str) -> Array:
        """Return the share (F) of a gait."""
        return self.gaits[:, GAIT_NAMES.index(name)]

    @property
    def running(self) -> Array:
        """The share (F) of jogs and runs."""
        return self.gait("jog") + self.gait("run")

    @cached_property
    def hips(self) -> Array:
        return self.clip.positions[:, self.clip.skeleton.joint("hips")]

    @cached_property
    def facing(self) -> Array:
        """(F, 2) across the thighs."""
        thighs = self.left_and_right("thigh")
        across = self.smooth(thighs[:, 0, :2] - thighs[:, 1, :2], 0.1)
        forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
        return forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)

    @cached_property
    def speed(self) -> Array:
        """(F) of the hips on the ground, smooth, m/s of this body."""
        return np.linalg.norm(self.smooth(velocities(self.hips, self.rate)[:, :2], 0.2), axis=-1)

    @cached_property
    def trunk_cosine(self) -> Array:
        """(F) cosine of the trunk's lean; 1 where nothing is known of it."""
        top = self.joint("neck", "chest", "head", "spine")
        if top is None:
            return np.ones(len(self.clip))
        up = top - self.hips
        return up[:, 2] / np.maximum(np.linalg.norm(up, axis=-1), 1e-9)

    @cached_property
    def hands(self) -> Array | None:
        """(F, 2, 3), where there are both, with forearms."""
        roles = self.clip.skeleton.roles
        needed = [f"{part}.{side}" for part in ("hand", "forearm", "upper_arm") for side in "LR"]
        return self.left_and_right("hand") if all(role in roles for role in needed) else None

    @cached_property
    def shoulders(self) -> Array:
        """(F, 2, 3)."""
        return self.left_and_right("upper_arm")

    @cached_property
    def arm_length(self) -> float:
        """Metres from shoulder to hand along the bones, the mean of both sides."""
        skeleton = self.clip.skeleton
        bones = [skeleton.roles[f"{part}.{side}"] for part in ("forearm", "hand") for side in "LR"]
        return max(float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum() / 2), 1e-6)

    def in_contact(self, part: str) -> Mask:
        """(F) whether a sensor of this name, of either side, touches something."""
        masks = [mask for name, mask in self.contacts.items() if name.partition(".")[0] == part]
        return np.any(masks, axis=0) if masks else np.zeros(len(self.clip), dtype=bool)
