"""The body of a character: one closed surface around a skeleton, and its skinning."""

from .body_mesh import BodyType, body_mesh
from .skinned_mesh import SkinnedMesh

__all__ = ["BodyType", "SkinnedMesh", "body_mesh"]
