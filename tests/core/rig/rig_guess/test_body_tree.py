"""The tree of bones: sizes, depths and lengths of branches, and the parents of bones that hang on controls."""

import numpy as np

from footfall.core.rig.rig_guess.body_tree import MIN_BONE_COUNT, build_body_tree
from footfall.tests.support.small_rigs import Bone, body_tree, bone, chain, names_of, rig_tree

# A trunk with a straight branch of one long bone, and one of two short bones around a corner.
FORK: list[Bone] = [
    ("trunk", "", (0, 0, 0), (0, 0, 2)),
    ("long", "trunk", (0, 0, 2), (0, 0, 7)),
    ("short", "trunk", (0, 0, 2), (3, 0, 2)),
    ("corner", "short", (3, 0, 2), (3, 4, 2)),
]


def test_a_branch_is_as_large_as_the_number_of_its_bones() -> None:
    assert body_tree(FORK).branch_sizes == (4, 1, 2, 1)


def test_a_branch_is_as_deep_as_its_longest_chain() -> None:
    assert body_tree(FORK).branch_depths == (3, 1, 2, 1)


def test_a_branch_reaches_along_its_bones_to_the_farthest_end() -> None:
    # The corner lies 3 + 4 from the start of its branch, and only 5 as the crow flies.
    np.testing.assert_allclose(body_tree(FORK).branch_reach, [2 + 3 + 4, 5, 3 + 4, 4])


def test_a_bone_that_outreaches_its_children_reaches_to_its_own_end() -> None:
    tree = body_tree([("arm", "", (0, 0, 0), (6, 0, 0)), *chain("hand", "arm", (2, 0, 0), (3, 0, 0), (5, 0, 0))])
    # One of two ends lies at a child: the ends count.
    np.testing.assert_allclose(tree.branch_reach, [6, 3, 2])


def test_the_distance_from_a_parent_is_that_from_start_to_start() -> None:
    tree = body_tree([("parent", "", (0, 0, 1), (9, 9, 9)), ("child", "parent", (3, 4, 1), (3, 4, 2))])
    assert tree.distance_from_parent(bone(tree, "child")) == 5.0


def test_a_bone_without_a_parent_is_at_no_distance() -> None:
    tree = body_tree([("one", "", (1, 2, 3), (1, 2, 4)), ("other", "", (7, 0, 0), (8, 0, 0))])
    assert [tree.distance_from_parent(number) for number in range(2)] == [0.0, 0.0]


def test_the_path_to_the_root_begins_with_the_bone_itself() -> None:
    tree = body_tree(FORK)
    assert names_of(tree, tree.path_to_root(bone(tree, "corner"))) == ["corner", "short", "trunk"]
    assert names_of(tree, tree.path_to_root(bone(tree, "trunk"))) == ["trunk"]


def test_a_subtree_has_the_bone_itself_and_all_that_hang_on_it() -> None:
    tree = body_tree(FORK)
    assert names_of(tree, tree.subtree(bone(tree, "trunk"))) == ["trunk", "long", "short", "corner"]
    assert names_of(tree, tree.subtree(bone(tree, "short"))) == ["short", "corner"]
    assert names_of(tree, tree.subtree(bone(tree, "long"))) == ["long"]


def test_the_longest_path_leads_to_the_farthest_end_and_not_through_the_longest_bone() -> None:
    tree = body_tree(FORK)
    assert names_of(tree, tree.longest_path(bone(tree, "trunk"))) == ["trunk", "short", "corner"]
    assert names_of(tree, tree.longest_path(bone(tree, "long"))) == ["long"]


def test_the_way_to_a_branch_is_added_to_its_length() -> None:
    # 1 + 5 is more than 3 + 2, though 1 * 5 is less than 3 * 2.
    tree = body_tree(
        [
            ("trunk", "", (0, 0, 0), (0, 0, 1)),
            ("far", "trunk", (3, 0, 0), (5, 0, 0)),
            ("near", "trunk", (0, 0, 1), (0, 0, 6)),
        ]
    )
    assert names_of(tree, tree.longest_path(bone(tree, "trunk"))) == ["trunk", "near"]


def test_of_branches_of_one_length_the_path_takes_the_deeper_one() -> None:
    tree = body_tree(
        [
            ("trunk", "", (0, 0, 0), (0, 0, 1)),
            ("whole", "trunk", (0, 0, 1), (0, 0, 5)),
            *chain("half", "trunk", (0, 0, 1), (2, 0, 1), (4, 0, 1)),
        ]
    )
    assert names_of(tree, tree.longest_path(bone(tree, "trunk"))) == ["trunk", "half1", "half2"]


def test_a_bone_with_two_children_need_end_at_only_one() -> None:
    tree = body_tree(
        [
            ("bone", "", (0, 0, 0), (1, 0, 0)),
            ("at", "bone", (1, 0, 0), (2, 0, 0)),
            ("off", "bone", (0, 5, 0), (0, 6, 0)),
        ]
    )
    assert tree.bone_ends is tree.rig.tails


def test_ends_of_bones_without_children_show_nothing() -> None:
    tree = body_tree([("one", "", (0, 0, 0), (1, 0, 0)), ("other", "", (2, 0, 0), (3, 0, 0))])
    assert tree.bone_ends is tree.rig.heads
    np.testing.assert_array_equal(tree.branch_reach, [0.0, 0.0])


def spine(count: int) -> list[Bone]:
    """Return a straight chain of bones of 1 m."""
    return chain("bone", "", *((0.0, 0.0, float(n)) for n in range(count + 1)))


def test_from_six_bones_that_deform_the_others_are_left_out() -> None:
    assert MIN_BONE_COUNT == 6
    tree = body_tree([*spine(6), ("ik", "bone6", (0, 0, 9), (0, 1, 9))], controls=("ik",))
    assert names_of(tree, tree.bones) == [f"bone{n}" for n in range(1, 7)]
    assert tree.parents[bone(tree, "ik")] == -1
    assert tree.children[bone(tree, "bone6")] == ()


def test_if_only_five_bones_deform_all_are_looked_at() -> None:
    tree = body_tree([*spine(5), ("ik", "bone5", (0, 0, 9), (0, 1, 9))], controls=("ik",))
    assert names_of(tree, tree.bones) == [*(f"bone{n}" for n in range(1, 6)), "ik"]
    assert tree.parents[bone(tree, "ik")] == bone(tree, "bone5")


def test_without_controls_the_tree_is_the_rigs_own() -> None:
    rig = rig_tree(spine(8))
    assert build_body_tree(rig).parents == rig.parents


def parent_of(tree_bones: list[Bone], name: str, *controls: str) -> str | None:
    """Return the name of a bone's parent among the bones that deform."""
    tree = body_tree(tree_bones, controls)
    parent = tree.parents[bone(tree, name)]
    return tree.rig.names[parent] if parent >= 0 else None


def test_a_control_between_two_bones_is_skipped() -> None:
    bones: list[Bone] = [
        *spine(6),
        ("control", "bone6", (5, 0, 0), (6, 0, 0)),
        ("hand", "control", (7, 0, 0), (8, 0, 0)),
    ]
    assert parent_of(bones, "hand", "control") == "bone6"


def test_a_bone_on_a_control_hangs_on_the_bone_that_ends_where_it_begins() -> None:
    bones: list[Bone] = [
        *spine(6),
        ("control", "bone1", (5, 0, 0), (6, 0, 0)),
        ("head", "control", (0, 0, 6), (0, 0, 8)),
    ]
    assert parent_of(bones, "head", "control") == "bone6"


def test_a_bone_on_another_bone_stays_there_whatever_ends_where_it_begins() -> None:
    bones: list[Bone] = [*spine(6), ("head", "bone1", (0, 0, 6), (0, 0, 8))]
    assert parent_of(bones, "head") == "bone1"


def test_no_bone_hangs_on_one_of_its_own_branch_that_ends_where_it_begins() -> None:
    # The loop's last bone comes back to where the branch begins.
    loop = chain("loop", "control", (5, 0, 0), (6, 0, 0), (6, 1, 0), (5, 0, 0))
    bones: list[Bone] = [*spine(6), ("control", "bone6", (9, 0, 0), (9, 0, 1)), *loop]
    assert parent_of(bones, "loop1", "control") == "bone6"


# Rigs whose bones follow copies of themselves: the hierarchy is that of the copies.
def copies(off: float = 0.0) -> list[Bone]:
    """Return a chain of controls, and on each a bone that deforms in the same place but for an offset of its end."""
    found: list[Bone] = []
    for n in range(6):
        found.append((f"org{n}", f"org{n - 1}" if n else "", (0, 0, n), (0, 0, n + 0.5)))
        found.append((f"def{n}", f"org{n}", (0, 0, n), (0, off, n + 0.5)))
    return found


def test_the_bone_in_a_controls_place_stands_for_it() -> None:
    tree = body_tree(copies(), controls=[f"org{n}" for n in range(6)])
    assert names_of(tree, tree.bones) == [f"def{n}" for n in range(6)]
    assert [tree.parents[bone(tree, f"def{n}")] for n in range(6)] == [-1, *(bone(tree, f"def{n}") for n in range(5))]


def test_bones_that_stand_for_each_others_parents_make_no_loop() -> None:
    bones: list[Bone] = [
        *spine(6),
        ("twin", "", (5, 0, 0), (6, 0, 0)),
        ("first", "twin", (7, 0, 0), (8, 0, 0)),
        ("second", "first", (5, 0, 0), (6, 0, 0)),
    ]
    tree = body_tree(bones, controls=("twin",))
    assert len(tree.bones) == 8
    assert tree.parents[bone(tree, "first")] == bone(tree, "second")
    assert tree.parents[bone(tree, "second")] == -1
