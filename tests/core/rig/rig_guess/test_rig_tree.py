"""Rig trees: what they refuse, and the order from the top outwards."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.core.rig.rig_guess.rig_tree import topological_order


@given(st.lists(st.integers(-1, 10), max_size=11))
def test_parents_come_first_or_there_is_a_ring(parents: list[int]) -> None:
    parents = [parent if parent < len(parents) else -1 for parent in parents]
    try:
        order = topological_order(parents)
    except ValueError:
        return
    assert sorted(order) == list(range(len(parents)))
    assert all(parent < 0 or order.index(parent) < order.index(bone) for bone, parent in enumerate(parents))
