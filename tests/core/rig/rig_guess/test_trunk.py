"""The middle of a body: hips, spine, neck, head and tail of small rigs, and the bone on the ground."""

from footfall.core.rig.rig_guess.pairs import mirrored_pairs
from footfall.core.rig.rig_guess.trunk import is_head_unclear, read_trunk
from footfall.tests.support.small_rigs import Bone, Point, body_tree, bone, both_sides, chain, limbs_of

LEG = both_sides("leg", "hips", (1, 0, 10), (1, 0, 5), (1, 0, 0))
ARM = both_sides("arm", "chest", (1, 0, 16), (5, 0, 16), (9, 0, 16))
TRUNK: list[Bone] = [
    ("hips", "", (0, 0, 10), (0, 0, 12)),
    ("waist", "hips", (0, 0, 12), (0, 0, 14)),
    ("chest", "waist", (0, 0, 14), (0, 0, 16)),
]
HEAD = chain("neck", "chest", (0, 0, 16), (0, 0, 17), (0, 0, 19))


def trunk_of(bones: list[Bone], arms: str | None = "arm") -> dict[str, str]:
    """Return the names of the bones in the body's middle by role."""
    tree = body_tree(bones)
    found = read_trunk(limbs_of(tree, arms=arms), mirrored_pairs(tree))
    return {role: tree.rig.names[one] for role, one in found.items()}


def animal(*tail: Point) -> list[Bone]:
    """A body on four legs that looks to -Y, with a tail."""
    trunk: list[Bone] = [
        ("hips", "", (0, 0, 10), (0, -4, 10)),
        ("back", "hips", (0, -4, 10), (0, -8, 10)),
        ("chest", "back", (0, -8, 10), (0, -12, 10)),
    ]
    front = both_sides("arm", "chest", (1, -12, 10), (1, -12, 5), (1, -12, 0))
    head = chain("neck", "chest", (0, -12, 10), (0, -13, 12), (0, -15, 13))
    return [*trunk, *LEG, *front, *head, *chain("tail", "hips", *tail)]


def test_an_animal_has_a_tail_behind_its_hips() -> None:
    found = trunk_of(animal((0, 1, 10), (0, 3, 10), (0, 5, 9), (0, 6, 9)))
    assert [found[role] for role in ("tail", "tail_2", "tail_3")] == ["tail1", "tail2", "tail3"]
    assert found["head"] == "neck2"


def test_a_head_with_a_face_is_clear() -> None:
    face: list[Bone] = [("jaw", "neck2", (0, -1, 17), (0, -2, 17)), ("brow", "neck2", (0, -1, 19), (0, -2, 19))]
    tree = body_tree([*TRUNK, *LEG, *ARM, *HEAD, *face])
    assert not is_head_unclear(limbs_of(tree), bone(tree, "neck2"))
