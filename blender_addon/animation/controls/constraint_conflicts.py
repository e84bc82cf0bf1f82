"""Constraints that keep a bone away from the pose of its keys."""

from collections.abc import Mapping, Sequence
from typing import Final

import bpy

from ....core.message import Message

MAX_NAMED_BONES: Final = 3
"""Number of bones named in a warning."""


def find_conflicting_constraint(evaluated_bones: bpy.types.bpy_prop_collection, bone: str) -> tuple[str, str] | None:
    """Return the owner and name of a constraint that moves a bone away from its keys; ``None`` if none is found.

    Args:
        evaluated_bones: the evaluated pose bones.
        bone: the bone that is away from the pose of its keys.
    """
    for constraint in reversed(evaluated_bones[bone].constraints):
        if is_active(constraint):
            return bone, constraint.name
    for other in evaluated_bones:
        for constraint in other.constraints:
            if constraint.type in ("IK", "SPLINE_IK") and is_active(constraint) and bone in ik_chain(other, constraint):
                return other.name, constraint.name
    return None


def constraint_conflict_warnings(conflicts: Mapping[str, tuple[str, str] | None]) -> list[str]:
    """Return a warning for each constraint that keeps bones away from their keys.

    See :func:`find_conflicting_constraint`.
    """
    held: dict[tuple[str, str] | None, list[str]] = {}
    for bone, by in conflicts.items():
        held.setdefault(by, []).append(bone)
    result: list[str] = []
    for by, bones in held.items():
        listed = list_bones(bones)
        if by is None:
            result.append(
                Message("Other animation also moves these bones, so the bake plays differently: {bones}", bones=listed)
            )
        else:
            result.append(
                Message(
                    "The constraint '{constraint}' of bone '{owner}' keeps these bones away from the baked motion: "
                    "{bones}",
                    constraint=by[1],
                    owner=by[0],
                    bones=listed,
                )
            )
    return result


def list_bones(bones: Sequence[str]) -> str:
    """Return a text that names the first few bones and counts the rest."""
    shown = ", ".join(f"'{bone}'" for bone in bones[:MAX_NAMED_BONES])
    if len(bones) <= MAX_NAMED_BONES:
        return shown
    return Message("{names} and {count} more", names=shown, count=len(bones) - MAX_NAMED_BONES)


def is_active(constraint: bpy.types.Constraint) -> bool:
    """Return whether a constraint has any influence on its bone."""
    return not constraint.mute and constraint.influence > 0.0 and constraint.is_valid


def ik_chain(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> set[str]:
    """Return the bones that are rotated by an IK constraint on a bone."""
    above = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        above = above[1:]
    return {one.name for one in (above[: constraint.chain_count] if constraint.chain_count else above)}
