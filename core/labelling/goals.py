"""Goals: the action to come, and where (NSM section 4)."""

from dataclasses import dataclass

from ..motion.rotations import Array


@dataclass(frozen=True, eq=False)
class Goals:
    """At each frame the actions (F, A) to come, where, positions (F, 3), and facing which way, directions (F, 2)."""

    actions: Array
    positions: Array
    directions: Array
