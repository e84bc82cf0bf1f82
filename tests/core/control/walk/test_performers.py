"""Shares of the performers of a walk."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from footfall.core.control.walk.performers import performer_shares
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel


@pytest.fixture(scope="module")
def model(controller: Callable[..., ControllerModel]) -> ControllerModel:
    """A controller that knows a single performer, unnamed."""
    return controller()


@pytest.fixture(scope="module")
def people(model: ControllerModel) -> ControllerModel:
    """A controller that tells three people apart."""
    return replace(model, performers=("rin", "anna", "ben"))


def test_a_performer_is_chosen_by_name(people: ControllerModel) -> None:
    assert performer_shares(people, "ben", 1.0, seed=0) == (0.0, 0.0, 1.0)


def test_a_seed_draws_another_performer(people: ControllerModel) -> None:
    drawn = {performer_shares(people, "anna", 1.0, seed) for seed in range(1, 30)}
    assert drawn == {(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)}


def test_an_unknown_performer_is_refused_with_those_that_are_known(people: ControllerModel) -> None:
    with pytest.raises(FootfallError, match="no performer 'carl': choose one of rin, anna, ben"):
        performer_shares(people, "carl", 1.0, seed=0)


def test_seeds_in_a_row_are_different_people(model: ControllerModel) -> None:
    crowd = replace(model, performers=tuple(f"p{number}" for number in range(9)))
    dealt = [performer_shares(crowd, "", 1.0, seed) for seed in range(3, 11)]
    assert len(set(dealt)) == 8
    assert performer_shares(crowd, "", 1.0, 11) == dealt[0]
