"""The body of a new character: one closed, skinned surface around its skeleton."""

from .body_mesh import body_mesh
from .capsules import bone_ends, forward_direction
from .design_pose import relaxed_rotations, upright_rotations
from .shape import BodyType
from .skinned_mesh import Material, SkinnedMesh

__all__ = [
    "BodyType",
    "Material",
    "SkinnedMesh",
    "body_mesh",
    "bone_ends",
    "forward_direction",
    "relaxed_rotations",
    "upright_rotations",
]
