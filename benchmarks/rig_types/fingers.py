"""The lines of fingers, with individual names in every rig type."""

from collections.abc import Iterable


def fingers(pattern: str, names: Iterable[tuple[str, str]], parent: str, joints: int = 3, end: bool = False) -> str:
    """Return the lines of finger chains for both sides.

    Args:
        pattern: a bone's name, with placeholders ``{finger}``, ``{joint}`` (from 1), and ``{S}`` for the side.
        names: the name of a finger, and the finger with its points.
        parent: parent bone of the fingers.
        joints: bones a finger.
        end: whether another bone marks the finger's end.
    """
    lines = []
    for name, finger in names:
        above = parent
        for joint in range(1, joints + 1 + end):
            bone = pattern.replace("{finger}", name).replace("{joint}", str(joint))
            after = f"{finger}.{min(joint + 1, 4)}.S" if joint < 4 else f"{finger}.3.S~{finger}.4.S~1.3"
            lines.append(f"{bone} {above} {finger}.{joint}.S {after}")
            above = bone
    return "\n".join(lines)


ALL = tuple((name, name) for name in ("thumb", "index", "middle", "ring", "pinky"))
