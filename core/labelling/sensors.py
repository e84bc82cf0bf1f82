"""Sensors: points of the body whose contacts are found."""

import math
from dataclasses import dataclass
from typing import Final

from ..errors import FootfallError
from ..motion import Clip

AGAINST_GROUND: Final = "ground"
"""Value of ``against`` of a sensor that touches the ground."""
JOINT_PREFIX: Final = "joint:"
"""Prefix of ``against`` of a sensor that touches another joint."""
OBJECT_PREFIX: Final = "object:"
"""Prefix of ``against`` of a sensor that touches an object."""
SENSOR_PLACES: Final = ("joint", "tip", "heel")
"""Values of ``at``."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A point fixed to a joint, or to an object that it holds, whose contacts are found.

    Lengths and speeds are those of an adult with a leg of 0.84 m; they are scaled with the body.

    Attributes:
        name: name of the contact, such as ``foot.L``.
        joint: role or name of the joint.
        against: what it may touch: ``ground``, ``joint:<role or joint>`` or ``object:<name>``.
        at: place on the joint's bone: ``joint``, ``tip`` (the end of the bone) or ``heel``.
        offset: additional offset at rest, in world axes, meters; it turns with the joint.
        height: distance to the surface at which a contact at rest has probability 0.5, meters.
        speed: speed on the surface at which a contact has probability 0.5, m/s; infinite to ignore the speed.
        sharpness: exponent with which the odds of a contact fall with speed and height combined.
        shortest: shortest duration of a contact, and of a gap between contacts, seconds.
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
        """Raise :class:`FootfallError` if a value of the sensor is invalid."""
        against = self.against
        if against != AGAINST_GROUND and not (
            against.startswith((JOINT_PREFIX, OBJECT_PREFIX)) and against.partition(":")[2]
        ):
            raise FootfallError(
                "The contact point '{name}' touches '{target}', which is unknown: write ground, joint:<name> "
                "or object:<name>",
                name=self.name,
                target=against,
            )
        if self.at not in SENSOR_PLACES:
            raise FootfallError(
                "The contact point '{name}' is at '{place}', which is unknown: write one of {places}",
                name=self.name,
                place=self.at,
                places=", ".join(SENSOR_PLACES),
            )
        limits = {"height": self.height, "sharpness": self.sharpness, "shortest": self.shortest}
        for what, value in limits.items():
            if not (math.isfinite(value) and value > 0):
                raise FootfallError(
                    "The contact point '{name}' has a {setting} of {value}: write a number above zero",
                    name=self.name,
                    setting=what,
                    value=value,
                )
        if not self.speed > 0:
            raise FootfallError(
                "The contact point '{name}' has a speed of {speed}: write a number above zero, or 0 to ignore speed",
                name=self.name,
                speed=self.speed,
            )


def find_joint(clip: Clip, role_or_name: str, sensor_name: str) -> int:
    """Return the index of a sensor's joint: the one with the role or, if no joint has it, with the name.

    Args:
        clip: a clip of the skeleton.
        role_or_name: the role or the name; ``toe.L`` also finds the foot of a skeleton without toes.
        sensor_name: name of the sensor, for the error.

    Raises:
        FootfallError: there is no such joint.
    """
    skeleton = clip.skeleton
    if role_or_name in skeleton.roles:
        return skeleton.roles[role_or_name]
    if role_or_name in skeleton.names:
        return skeleton.names.index(role_or_name)
    foot = role_or_name.replace("toe", "foot")
    if role_or_name.startswith("toe.") and foot in skeleton.roles:  # Simple skeletons have no toes.
        return skeleton.roles[foot]
    raise FootfallError(
        "The contact point '{contact_point}' is on '{joint}', which is neither a body part nor a bone of "
        "{name}: choose another bone in the labeling preset, or rename the bone",
        contact_point=sensor_name,
        joint=role_or_name,
        name=clip.name,
    )
