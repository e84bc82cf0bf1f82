"""The table of the network alone: its rows of rules, and its cells."""

from dataclasses import fields

import numpy as np

from footfall.benchmarks import nsm
from footfall.benchmarks.interactions import SHIPPED
from footfall.core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from footfall.core.models.model_file import load_model


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


def test_a_controller_that_senses_nothing_answers_alike_beside_a_wall_and_in_the_open() -> None:
    model = load_model(SHIPPED)
    senseless = nsm.unsensing(model)
    columns = model.input_layout.slices["environment.occupancy"]
    x = np.random.default_rng(1).uniform(-1.0, 1.0, (2, model.input_layout.size)).astype(np.float32)
    x[1] = x[0]
    x[1, columns] += 0.5
    plain, blind = ((x - each.x_mean) / each.x_std for each in (model, senseless))
    assert np.abs(plain[1] - plain[0]).max() > 0.1
    np.testing.assert_allclose(blind[1], blind[0], atol=1e-6)
