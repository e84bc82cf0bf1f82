"""Layouts: names for the numbers of a vector."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.features.layout import Group, Layout

POSE = Layout((Group("root.velocity", (2,), "m/s", "root"), Group("pose.position", (3, 3), "m", "root")))

groups = st.lists(
    st.builds(Group, st.text(min_size=1), st.tuples(st.integers(1, 4), st.integers(1, 4)), st.text(), st.text()),
    max_size=5,
    unique_by=lambda group: group.name,
)


def test_a_group_is_read_and_written_by_its_name() -> None:
    vectors = np.zeros((4, POSE.size), dtype=np.float32)
    POSE.view(vectors, "pose.position")[:, 1] = [1.0, 2.0, 3.0]
    assert POSE.slices["pose.position"] == slice(2, 11)
    np.testing.assert_array_equal(vectors[2], [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0])


@given(groups)
def test_groups_cover_the_vector_once_and_in_order(found: list[Group]) -> None:
    layout = Layout(tuple(found))
    covered = [index for group in layout for index in range(layout.size)[layout.slices[group.name]]]
    assert covered == list(range(layout.size))


@pytest.mark.parametrize(
    "other, words",
    [
        (Group("pose.position", (4, 3), "m", "root"), ["pose.position", "(3, 3)", "(4, 3)"]),
        (Group("pose.position", (3, 3), "cm", "root"), ["(m, root)", "(cm, root)"]),
        (Group("pose.place", (3, 3), "m", "root"), ["pose.position", "pose.place"]),
    ],
)
def test_a_difference_is_put_into_words(other: Group, words: list[str]) -> None:
    difference = POSE.difference(Layout((POSE.groups[0], other)))
    assert difference is not None
    assert all(word in difference for word in words)


def test_a_missing_group_is_named() -> None:
    shorter = Layout(POSE.groups[:1])
    assert POSE.difference(shorter) == shorter.difference(POSE) == "group 'pose.position' is in one of them only"


@pytest.mark.parametrize("foreign", [[{"name": "x"}], [{"name": "x", "shape": 3, "unit": "", "frame": ""}], [3]])
def test_foreign_data_is_refused(foreign: list) -> None:
    with pytest.raises((KeyError, TypeError)):
        Layout.from_json(foreign)
