"""Rig trees: what they refuse, and the order from the top outwards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.rig.rig_guess import RigTree
from footfall.core.rig.rig_guess.rig_tree import topological_order


def tree(parents: tuple[int, ...]) -> RigTree:
    count = len(parents)
    return RigTree(
        tuple(map(str, range(count))), parents, np.zeros((count, 3)), np.ones((count, 3)), np.ones(count, bool)
    )


@pytest.mark.parametrize("parents", [(0,), (1, 0), (-1, 2, 3, 1)])
def test_a_ring_is_refused(parents: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="form a loop"):
        tree(parents)


def test_lengths_must_be_the_same() -> None:
    with pytest.raises(ValueError, match="as many"):
        RigTree(("a",), (-1,), np.zeros((2, 3)), np.zeros((1, 3)), np.ones(1, bool))


@given(st.lists(st.integers(-1, 10), max_size=11))
def test_parents_come_first_or_there_is_a_ring(parents: list[int]) -> None:
    parents = [parent if parent < len(parents) else -1 for parent in parents]
    try:
        order = topological_order(parents)
    except ValueError:
        return
    assert sorted(order) == list(range(len(parents)))
    assert all(parent < 0 or order.index(parent) < order.index(bone) for bone, parent in enumerate(parents))
