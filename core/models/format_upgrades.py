"""Upgrades of the descriptions in older controller files to today's format, one step per format.

A description is foreign data: what does not have the expected form is passed on unchanged, and refused by the checks
that follow. No step changes a tensor, so an upgraded controller computes exactly what it did.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Description = Mapping[str, Any]
Shapes = Mapping[str, tuple[int, ...]]

GROUP_NAMES: Final = {
    "root.turn": "root.angular_velocity",
    "environment.fill": "environment.occupancy",
    "interaction.cell": "interaction.voxel",
    "goalwise.position": "goal_trajectory.position",
    "goalwise.direction": "goal_trajectory.direction",
    "ahead.position": "future_pose.position",
    "gating.done": "gating.action",
    "gating.wanted": "gating.goal_action",
    "gating.distance": "gating.goal_distance",
    "gating.turn": "gating.goal_angle",
}
"""Today's names of layout groups by their names up to format 2."""
GROUP_UNITS: Final = {"m; the last one 1": "m, occupancy 1"}
"""Today's units of layout groups by those up to format 2."""
GROUP_FRAMES: Final = {"root a second ahead": "future root"}
"""Today's frames of reference of layout groups by those up to format 2."""
GATING_KIND_NAMES: Final = {"beside": "concatenated", "vectors": "phase_vectors"}
"""Today's names of gating kinds by their names up to format 2."""


def upgrade_description(description: Description, shapes: Shapes) -> Description:
    """Return a description in today's format.

    Args:
        description: of any format from 1 to today's, which its ``format_version`` names.
        shapes: shapes of the file's tensors by name.
    """
    for step in UPGRADE_STEPS[description["format_version"] - 1 :]:
        description = step(description, shapes)
    return {**description, "format_version": len(UPGRADE_STEPS) + 1}


def upgrade_layout(groups: Any) -> Any:
    """Return a layout in JSON with the group names, units and frames of format 3."""
    if not isinstance(groups, list):
        return groups
    return [_upgrade_group(group) if isinstance(group, dict) else group for group in groups]


def upgrade_gating_kind(kind: object) -> object:
    """Return the name that a kind of gating has in format 3."""
    return _translate(GATING_KIND_NAMES, kind)


def _upgrade_group(group: dict[str, Any]) -> dict[str, Any]:
    """Return a layout's group with the name, unit and frame of format 3."""
    tables = {"name": GROUP_NAMES, "unit": GROUP_UNITS, "frame": GROUP_FRAMES}
    return {key: _translate(tables[key], value) if key in tables else value for key, value in group.items()}


def _translate(table: Mapping[str, str], value: object) -> object:
    """Return what a text is called today; other values are returned unchanged."""
    return table.get(value, value) if isinstance(value, str) else value


def _upgrade_from_1(description: Description, shapes: Shapes) -> Description:
    """Describe the network: format 1 knew the PFNN alone, whose sizes are those of its first layer."""
    first_layer = shapes.get("weights.W0", ())
    if len(first_layer) != 3:
        return description
    control_points, hidden, _ = first_layer
    return {**description, "network": {"hidden": hidden, "control_points": control_points, "cyclic": True}}


def _upgrade_from_2(description: Description, shapes: Shapes) -> Description:
    """Rename groups of the layouts, and kinds of gating."""
    layouts = {key: upgrade_layout(description[key]) for key in ("input_layout", "output_layout") if key in description}
    network = description.get("network")
    if isinstance(network, dict) and "gating" in network:
        network = {**network, "gating": upgrade_gating_kind(network["gating"])}
    return {**description, **layouts, "network": network}


def _upgrade_from_3(description: Description, shapes: Shapes) -> Description:
    """Describe the encoder of what is interacted with: up to format 3 it had as many units as the others."""
    network = description.get("network")
    if isinstance(network, dict) and "encoder" in network:
        network = {**network, "interaction_encoder": 0}
    return {**description, "network": network}


UPGRADE_STEPS: Final[tuple[Callable[[Description, Shapes], Description], ...]] = (
    _upgrade_from_1,
    _upgrade_from_2,
    _upgrade_from_3,
)
"""``UPGRADE_STEPS[n - 1]`` takes a description of format n to format n + 1."""
