"""A human body to build rigs around: its joint positions, standing with arms to the sides, facing -Y, in meters."""

from typing import Final

Point = tuple[float, float, float]

CENTRE: Final[dict[str, Point]] = {
    "hips": (0.0, 0.0, 0.96),
    "spine": (0.0, 0.01, 1.06),
    "spine_2": (0.0, 0.02, 1.19),
    "spine_3": (0.0, 0.01, 1.32),
    "neck": (0.0, 0.03, 1.50),
    "head": (0.0, 0.01, 1.60),
    "head_end": (0.0, 0.0, 1.80),
}
LEFT: Final[dict[str, Point]] = {
    "shoulder": (0.03, 0.0, 1.45),
    "upper_arm": (0.17, 0.02, 1.44),
    "forearm": (0.44, 0.04, 1.43),
    "hand": (0.69, 0.01, 1.43),
    "hand_end": (0.79, 0.0, 1.42),
    "thigh": (0.10, 0.0, 0.93),
    "shin": (0.11, -0.02, 0.51),
    "foot": (0.11, 0.02, 0.09),
    "toe": (0.12, -0.12, 0.02),
    "toe_end": (0.12, -0.20, 0.02),
}
CHAINS: Final = (
    ("hips", "spine", "spine_2", "spine_3", "neck", "head", "head_end"),
    ("shoulder", "upper_arm", "forearm", "hand", "hand_end"),
    ("thigh", "shin", "foot", "toe", "toe_end"),
)
ABOVE: Final = {"shoulder": "spine_3", "thigh": "hips"}


def point(role: str) -> Point:
    """Return the position of a joint or end, such as ``hips``, ``thigh.L`` or ``toe_end.R``."""
    part, _, side = role.partition(".")
    if not side:
        return CENTRE[part]
    x, y, z = LEFT[part]
    return (x if side == "L" else -x, y, z)


def joints() -> list[tuple[str, str | None, str]]:
    """Return every joint, its parent and the end of its bone: role, parent's role, role or end."""
    result: list[tuple[str, str | None, str]] = []
    for chain in CHAINS:
        for side in ("",) if chain[0] == "hips" else (".L", ".R"):
            for place, role in enumerate(chain[:-1]):
                above = chain[place - 1] + side if place else ABOVE.get(role)
                result.append((role + side, above, chain[place + 1] + side))
    return result
