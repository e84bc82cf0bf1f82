"""Requirements for moving a body: hips and legs, in the same number as the source's."""

from ..errors import FootfallError
from ..motion import Skeleton
from ..motion.roles import LOCOMOTION_ROLES, has_front_legs, is_quadruped


def require_as_many_legs(source: Skeleton, target: Skeleton) -> None:
    """Raise a :class:`FootfallError` if one body has two legs and the other four."""
    if has_front_legs(source.roles) and not has_front_legs(target.roles):
        raise FootfallError("An animal's motion on four legs does not fit a body on two: choose a motion of people")
    if has_front_legs(target.roles) and not has_front_legs(source.roles):
        raise FootfallError("A motion on two legs does not fit an animal on four: choose a motion of animals")


def require_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` if the skeleton's roles lack hips or legs."""
    legs = [f"{part}.{side}" for side in "LR" for part in ("thigh", "shin")]
    skeleton.require_roles(("hips", *legs) if is_quadruped(skeleton.roles) else LOCOMOTION_ROLES)
