"""Checks before retargeting: both bodies have hips and legs, in the same number."""

from ..errors import FootfallError
from ..motion import Skeleton
from ..motion.roles import LOCOMOTION_ROLES, has_front_legs, is_quadruped


def require_as_many_legs(source: Skeleton, target: Skeleton) -> None:
    """Raise a :class:`FootfallError` if one body has two legs and the other four."""
    if has_front_legs(source.roles) and not has_front_legs(target.roles):
        raise FootfallError(
            "The motion of a four-legged animal does not fit a two-legged body: choose a motion of a person"
        )
    if has_front_legs(target.roles) and not has_front_legs(source.roles):
        raise FootfallError("A two-legged motion does not fit a four-legged animal: choose a four-legged motion")


def require_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` if the skeleton's roles lack hips or legs."""
    legs = [f"{part}.{side}" for side in "LR" for part in ("thigh", "shin")]
    skeleton.require_roles(("hips", *legs) if is_quadruped(skeleton.roles) else LOCOMOTION_ROLES)
