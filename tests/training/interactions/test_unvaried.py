"""Takes without varied things: one chair, one box as high as it was captured, nothing else about."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.scene.collider import Collider
from footfall.training.interactions import walk_library
from footfall.training.interactions.props.mesh_primitives import Mesh
from footfall.training.interactions.props.seats import Chair
from footfall.training.interactions.props.tables import Box
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_generator import TakeGenerator, load_motion_library
from footfall.training.interactions.take_kinds import kind_of

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"


@pytest.fixture(scope="module")
def recipe(shared_data: Path) -> TakeGenerator:
    sitting = (shared_data / "mocap/cmu_asfamc/sit/14_32.bvh",)
    names = ("A5_PickUpBox", "B20_WalkWithBox")
    carrying = tuple(shared_data / f"mocap/accad_male1/carry/Male1_{name}.bvh" for name in names)
    return TakeGenerator(SHIPPED, sitting, carrying, seed=4, varied=False, walk_count=4)


def first(recipe: TakeGenerator, kind: str) -> InteractionTake:
    return recipe(next(number for number in range(60) if kind_of(load_motion_library(recipe), number) == kind))


@pytest.mark.parametrize(("kind", "mesh"), [("sit", Chair().mesh()), ("carry", Box().mesh())])
def test_all_take_the_same(recipe: TakeGenerator, kind: str, mesh: Mesh) -> None:
    thing = first(recipe, kind).objects[0]
    np.testing.assert_array_equal(thing.collider.bounds, Collider.from_mesh(*mesh).bounds)


@pytest.mark.parametrize(("kind", "things"), [("sit", 1), ("carry", 3), ("open", 2), ("stroll", 0)])
def test_nothing_else_is_about(recipe: TakeGenerator, kind: str, things: int) -> None:
    """A box lies on two tables, one after the other; a door is in its wall."""
    assert len(first(recipe, kind).objects) == things
