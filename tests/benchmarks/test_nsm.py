"""The table of the network alone: its rows of rules, and its cells."""

from dataclasses import fields

from footfall.benchmarks import nsm
from footfall.core.control.runtime.assistance import FULL_ASSISTANCE, Assistance


def test_each_rule_is_left_out_once() -> None:
    (_, shipped), *others = nsm._one_left_out()
    assert shipped == FULL_ASSISTANCE
    for (name, assistance), field in zip(others, fields(Assistance), strict=True):
        off = [part.name for part in fields(Assistance) if not getattr(assistance, part.name)]
        assert off == [field.name] and name == field.name.replace("_", " ")


def test_a_cell_says_how_many_were_done_and_the_means_of_those() -> None:
    trials = [((1.0, 2.0), (0.5, 2.0)), None, ((3.0, 4.0), (1.5, 2.0))]
    assert list(nsm._columns([[None, None], trials])) == [
        "0 of 2",
        "2 of 3, 2.0 / 3.0",
        "2 of 3, 1.0 / 2.0",
    ]


def test_hands_are_averaged_over_the_doors_that_were_passed() -> None:
    assert list(nsm._hand_columns([[(4.0, 0.0), None], [(6.0, 1.0), (8.0, 3.0)]])) == [
        "1 of 2, 4.0",
        "2 of 2, 7.0",
        "2 of 2, 2.0",
    ]
