"""Twist bones: leaf bones on the line of a limb between its joints."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from ..rig_map import roles as rig_roles
from .body_tree import BodyTree

NEXT_PART: Final = {"upper_arm": "forearm", "forearm": "hand", "thigh": "shin", "shin": "foot"}
"""The body part that follows each limb part with twist bones."""
MAX_LINE_OFFSET_RATIO: Final = 0.05
"""Largest distance of a twist bone from the limb's line, relative to the limb's length."""
MAX_TWIST_BONES: Final = 4
"""Largest number of twist bones of a limb."""
COINCIDENT_DISTANCE_RATIO: Final = 0.03
"""Distance, relative to the limb's length, within which bones count as coincident."""


def read_twists(tree: BodyTree, roles: Mapping[str, int]) -> dict[str, int]:
    """Return the indices of all twist bones by role, both those within a limb's chain and those beside it.

    ``roles`` are the indices of the limbs' bones by role.
    """
    found: dict[str, int] = {}
    taken = set(roles.values())
    for limb, after in NEXT_PART.items():
        sides = {}
        for side in rig_roles.SIDES:
            upper, lower = roles.get(f"{limb}.{side}"), roles.get(f"{after}.{side}")
            if upper is not None and lower is not None:
                sides[side] = _bones_on_line(tree, upper, lower, taken)
        if len(sides) == 2 and len(sides["L"]) == len(sides["R"]) <= MAX_TWIST_BONES:
            for side, bones in sides.items():
                found |= {rig_roles.join_role(f"{limb}_twist", n + 1, side): bone for n, bone in enumerate(bones)}
    return found


def _bones_on_line(tree: BodyTree, upper: int, lower: int, taken: set[int]) -> list[int]:
    """Return the bones on the line between two joints of a limb, from the upper joint down."""
    heads = tree.rig.heads
    line = heads[lower] - heads[upper]
    length = float(np.linalg.norm(line))
    if length <= 0:
        return []
    inline = set(tree.path_to_root(lower)) & set(tree.subtree(upper)) - {upper, lower}
    places: list[tuple[float, int]] = []
    for bone in inline | {
        below for child in tree.children[upper] if child not in inline for below in _unbranched_chain(tree, child)
    }:
        share = float((heads[bone] - heads[upper]) @ line) / length**2
        off = np.linalg.norm(heads[bone] - heads[upper] - share * line) / length
        if bone not in taken and off < MAX_LINE_OFFSET_RATIO and -0.02 < share < (1.02 if bone in inline else 0.95):
            places.append((share, bone))
    places.sort(key=lambda place: (round(place[0] / COINCIDENT_DISTANCE_RATIO), -tree.branch_sizes[place[1]]))
    # Of several coincident bones, take the parent of the next one: the others only support the skin at the joint.
    return [
        bone
        for n, (share, bone) in enumerate(places)
        if n == 0 or round(share / COINCIDENT_DISTANCE_RATIO) != round(places[n - 1][0] / COINCIDENT_DISTANCE_RATIO)
    ]


def _unbranched_chain(tree: BodyTree, bone: int) -> list[int]:
    """Return the bones of a branch if it does not fork, otherwise an empty list."""
    strand = [bone]
    while len(tree.children[strand[-1]]) == 1:
        strand.append(tree.children[strand[-1]][0])
    return strand if not tree.children[strand[-1]] else []
