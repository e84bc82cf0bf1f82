"""Variation: the settings that a walk is varied by, and what leaves it as it is."""

from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.core.models.generator_kinds import DEFAULT_KIND, DEFAULT_VARIATION, KINDS
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.scenes import add_curve

pytestmark = needs_clips


@pytest.fixture
def armature(statue: Path) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller="file", filepath=str(statue)) == {"FINISHED"}
    character = bpy.context.object
    character.footfall.path = add_curve("BEZIER", [(0, 0, 0.2), (2, 0, 0.2), (4, 0, 0.2)])
    return character


def test_a_seed_varies_the_walk_by_the_default(armature: bpy.types.Object) -> None:
    armature.footfall.seed = 3
    variation = WalkBake(armature, bpy.context).walk.plan.variation
    assert variation is not None and variation.seed == 3
    assert variation.amount == pytest.approx(DEFAULT_VARIATION) and variation.generator.kind == DEFAULT_KIND


@pytest.mark.parametrize(("seed", "amount"), [(0, 0.5), (3, 0.0)])
def test_without_a_seed_or_an_amount_nothing_is_varied(armature: bpy.types.Object, seed: int, amount: float) -> None:
    armature.footfall.seed, armature.footfall.control_variation = seed, amount
    assert WalkBake(armature, bpy.context).walk.plan.variation is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_generator_can_be_chosen(armature: bpy.types.Object, kind: str) -> None:
    armature.footfall.seed, armature.footfall.generator = 1, kind.upper()
    variation = WalkBake(armature, bpy.context).walk.plan.variation
    assert variation is not None and variation.generator.kind == kind
