"""Sensors: what can touch something, and what tells that it does."""

import math
from dataclasses import dataclass
from typing import Final

from ..errors import FootfallError
from ..motion import Clip

AGAINST_GROUND: Final = "ground"
JOINT_PREFIX: Final = "joint:"
OBJECT_PREFIX: Final = "object:"
SENSOR_PLACES: Final = ("joint", "tip", "heel")


@dataclass(frozen=True, slots=True)
class Sensor:
    """One point of the body, or of what it holds, whose contacts are found.

    Lengths and speeds are those of an adult whose leg is 0.84 m long; they are scaled with the body.

    Attributes:
        name: the contact's name, such as ``foot.L``.
        joint: the role or the joint that it sits on.
        against: ``ground``, ``joint:<role or joint>`` or ``object:<name>``.
        at: where on the joint's bone it sits: ``joint``, ``tip`` (the bone's end) or ``heel`` (see ``soles``).
        offset: its place in the joint's frame, metres, world axes at rest.
        height: at rest, and so far from what it touches (metres), a contact has even odds.
        speed: on what it touches, and so fast (m/s), a contact has even odds; infinite where speed tells nothing.
        sharpness: how steeply the odds fall beyond: the exponent of the combined evidence.
        shortest: seconds of the shortest contact, and of the shortest gap between two.
    """

    name: str
    joint: str
    against: str = AGAINST_GROUND
    at: str = "joint"
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    height: float = 0.05
    speed: float = 0.45
    sharpness: float = 4.0
    shortest: float = 0.06

    def __post_init__(self) -> None:
        against = self.against
        if against != AGAINST_GROUND and not (
            against.startswith((JOINT_PREFIX, OBJECT_PREFIX)) and against.partition(":")[2]
        ):
            raise FootfallError(
                f"Sensor '{self.name}' is against '{against}': write ground, joint:<name> or object:<name>."
            )
        if self.at not in SENSOR_PLACES:
            raise FootfallError(f"Sensor '{self.name}' sits at '{self.at}': write {', '.join(SENSOR_PLACES)}.")
        limits = {"height": self.height, "sharpness": self.sharpness, "shortest": self.shortest}
        for what, value in limits.items():
            if not (math.isfinite(value) and value > 0):
                raise FootfallError(f"Sensor '{self.name}' has a {what} of {value}: it must be above zero.")
        if not self.speed > 0:
            raise FootfallError(f"Sensor '{self.name}' has a speed of {self.speed}: it must be above zero, or inf.")


def find_joint(clip: Clip, role_or_name: str, sensor_name: str) -> int:
    """Return the joint of a role or, failing that, of a name; raises :class:`FootfallError` where there is neither."""
    skeleton = clip.skeleton
    if role_or_name in skeleton.roles:
        return skeleton.roles[role_or_name]
    if role_or_name in skeleton.names:
        return skeleton.names.index(role_or_name)
    foot = role_or_name.replace("toe", "foot")
    if (
        role_or_name.startswith("toe.") and foot in skeleton.roles
    ):  # simple skeletons have no toes: the foot does for both
        return skeleton.roles[foot]
    raise FootfallError(
        f"The sensor '{sensor_name}' sits on '{role_or_name}', which is neither a role nor a joint of {clip.name}: "
        "choose another joint in the labelling preset, or rename the bone."
    )
