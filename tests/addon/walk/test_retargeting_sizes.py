"""Retargeting between bodies of any size and import scale: soles are on the ground on which the source stands."""

import bpy
import pytest

from footfall.tests.addon.support.armatures import posed_heads
from footfall.tests.addon.support.person import lowest, make_person, path_along

TOES = ["toe.L", "toe.R"]
FRAMES = range(1, 60, 3)


@pytest.fixture
def walker() -> bpy.types.Object:
    """A person whose bones are in centimeters, and who walks."""
    armature = make_person(unit=100.0)
    armature.scale = (0.01,) * 3
    armature.footfall.path = path_along((0, 0), (0, 1))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return armature


def retargeted(source: bpy.types.Object, target: bpy.types.Object) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    source.select_set(True)
    target.select_set(True)
    bpy.context.view_layer.objects.active = target
    assert bpy.ops.footfall.retarget_motion() == {"FINISHED"}


@pytest.mark.every_blender
def test_soles_of_any_size_and_shape_are_on_the_ground(walker: bpy.types.Object) -> None:
    low = lowest(walker, TOES, FRAMES)
    for size, legs in ((0.5, 1.0), (2.0, 1.0), (4.0, 1.0), (1.0, 0.7), (1.0, 1.4)):
        target = make_person(legs=legs)
        target.scale = (size,) * 3
        retargeted(walker, target)
        assert lowest(target, TOES, FRAMES) == pytest.approx(size * low, abs=0.01), (size, legs)
        starts = [posed_heads(one, ["hips"], 1)[0, :2] for one in (walker, target)]
        assert starts[1] == pytest.approx(starts[0], abs=0.03), (size, legs)


@pytest.mark.every_blender
def test_a_source_in_centimeters_lands_on_the_floor(walker: bpy.types.Object) -> None:
    low = lowest(walker, TOES, FRAMES)
    walker.scale = (1.0,) * 3
    target = make_person()
    retargeted(walker, target)
    assert lowest(target, TOES, FRAMES) == pytest.approx(low, abs=0.01)
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale, parent.location = (0.4,) * 3, (3.0, 0.0, 0.0)
    walker.parent = parent
    retargeted(walker, target)
    assert lowest(target, TOES, FRAMES) == pytest.approx(low, abs=0.01)


def test_who_walks_on_a_platform_stays_on_it(walker: bpy.types.Object) -> None:
    low = lowest(walker, TOES, FRAMES)
    walker.location.z = 1.5
    target = make_person(unit=50.0)
    target.scale = (0.01,) * 3
    retargeted(walker, target)
    assert lowest(target, TOES, FRAMES) == pytest.approx(1.5 + 0.5 * low, abs=0.01)
