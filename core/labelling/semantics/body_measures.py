"""Measures of a body shared by the detectors of actions."""

from functools import cached_property

import numpy as np
import scipy

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import Mask, velocities
from .gaits import GAIT_NAMES


class BodyMeasures:
    """Lazily computed measures of a body, in meters and m/s scaled to an adult.

    Attributes:
        clip: the motion.
        gaits: (F, 6) weights of the gaits.
        contacts: mask (F) of contact by sensor name.
        rate: frames per second.
        leg_length: length of the legs, meters.
        scale: size of the body relative to an adult's.
        time_scale: square root of ``scale``; an adult's times and speeds are multiplied by it (Froude's law).
        ground_height: (F) ground height of the lower foot, smoothed, meters.
    """

    def __init__(self, clip: Clip, gaits: Array, ground_heights: Array, contacts: dict[str, Mask]) -> None:
        """Prepare the measures of a clip; ``ground_heights`` (F, 2), meters, are those under left and right foot."""
        self.clip, self.gaits, self.contacts = clip, gaits, contacts
        self.rate, self.leg_length = clip.rate, clip.skeleton.leg_length
        self.scale = self.leg_length / ADULT_LEG_LENGTH_M
        self.time_scale = float(np.sqrt(self.scale))
        self.ground_height = self.smooth(ground_heights.min(axis=1), 0.1)

    def frames(self, seconds: float) -> int:
        """Return the number of frames, at least one, of a time in seconds of an adult, scaled to this body."""
        return max(round(seconds * self.time_scale * self.rate), 1)

    def smooth(self, values: Array, seconds: float) -> Array:
        """Return values (F, ...) smoothed by a Gaussian; its deviation, seconds of an adult, is scaled to this body."""
        width = max(min(seconds * self.time_scale * self.rate, len(values) / 4), 1e-3)
        return scipy.ndimage.gaussian_filter1d(values, width, axis=0, mode="nearest")

    def joint(self, *roles: str) -> Array | None:
        """Return the positions (F, 3), meters, world, of the first of ``roles`` that has a joint; else ``None``."""
        found = next((self.clip.skeleton.roles[role] for role in roles if role in self.clip.skeleton.roles), None)
        return None if found is None else self.clip.positions[:, found]

    def left_and_right(self, role: str) -> Array:
        """Return the positions (F, 2, 3), meters, world, of the left and the right joint with a role."""
        return self.clip.positions[:, [self.clip.skeleton.joint(f"{role}.{side}") for side in "LR"]]

    def height(self, positions: Array) -> Array:
        """Return the heights (F, ...) over the ground, scaled to an adult, of positions (F, ..., 3); both meters."""
        return (positions[..., 2] - self.ground_height.reshape(-1, *[1] * (positions.ndim - 2))) / self.scale

    def speeds(self, positions: Array) -> Array:
        """Return the speeds (F, ...), m/s of an adult, of positions (F, ..., 3), meters."""
        return np.linalg.norm(velocities(positions, self.rate), axis=-1) / self.time_scale

    def forward_distance(self, positions: Array, unit: float | None = None) -> Array:
        """Return the distances (F, ...) of positions (F, ..., 3) ahead of the hips.

        The unit is the meter of an adult or, if given, ``unit`` meters.
        """
        relative = positions[..., :2] - self.hips.reshape(-1, *[1] * (positions.ndim - 2), 3)[..., :2]
        return np.einsum("f...k,fk->f...", relative, self.facing) / (unit or self.scale)

    def gait(self, name: str) -> Array:
        """Return the weight (F), 0 to 1, of the gait with a name."""
        return self.gaits[:, GAIT_NAMES.index(name)]

    @property
    def running(self) -> Array:
        """Summed weight (F) of the gaits *jog* and *run*, 0 to 1."""
        return self.gait("jog") + self.gait("run")

    @cached_property
    def hips(self) -> Array:
        """Positions (F, 3) of the hips joint, meters, world."""
        return self.clip.positions[:, self.clip.skeleton.joint("hips")]

    @cached_property
    def facing(self) -> Array:
        """Facing direction (F, 2), world, unit length: perpendicular to the line between the thighs."""
        thighs = self.left_and_right("thigh")
        across = self.smooth(thighs[:, 0, :2] - thighs[:, 1, :2], 0.1)
        forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
        return forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)

    @cached_property
    def speed(self) -> Array:
        """Horizontal speed (F) of the hips, smoothed, m/s, not scaled to an adult."""
        return np.linalg.norm(self.smooth(velocities(self.hips, self.rate)[:, :2], 0.2), axis=-1)

    @cached_property
    def trunk_cosine(self) -> Array:
        """Cosine (F) of the angle of the trunk to the vertical; 1 if there is no joint above the hips."""
        top = self.joint("neck", "chest", "head", "spine")
        if top is None:
            return np.ones(len(self.clip))
        up = top - self.hips
        return up[:, 2] / np.maximum(np.linalg.norm(up, axis=-1), 1e-9)

    @cached_property
    def hands(self) -> Array | None:
        """Positions (F, 2, 3) of both hands, meters, world; ``None`` if a joint of the arms is missing."""
        roles = self.clip.skeleton.roles
        needed = [f"{part}.{side}" for part in ("hand", "forearm", "upper_arm") for side in "LR"]
        return self.left_and_right("hand") if all(role in roles for role in needed) else None

    @cached_property
    def shoulders(self) -> Array:
        """Positions (F, 2, 3) of the left and the right upper arm joint, meters, world."""
        return self.left_and_right("upper_arm")

    @cached_property
    def arm_length(self) -> float:
        """Length from shoulder to hand along the bones, mean of both sides, meters."""
        skeleton = self.clip.skeleton
        bones = [skeleton.roles[f"{part}.{side}"] for part in ("forearm", "hand") for side in "LR"]
        return max(float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum() / 2), 1e-6)

    def in_contact(self, part: str) -> Mask:
        """Return a mask (F), true while a left or right sensor of a body part, such as ``hand``, is in contact."""
        masks = [mask for name, mask in self.contacts.items() if name.partition(".")[0] == part]
        return np.any(masks, axis=0) if masks else np.zeros(len(self.clip), dtype=bool)
