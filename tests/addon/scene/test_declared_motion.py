"""Doors that slide and seats that move, as animators set them up: each is refused with what says so."""

from collections.abc import Callable

import bpy
import pytest
from mathutils import Euler, Matrix

from footfall.blender_addon.activities.interaction.object_keys import object_tracks
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, write
from footfall.blender_addon.scene.declared_motion import require_usable
from footfall.tests.addon.support.refusals import refused

Setup = Callable[[bpy.types.Object], object]


def thing(name: str = "Thing") -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    bpy.context.object.name = name
    return bpy.context.object


def pivot(name: str = "Pivot", turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    found = bpy.data.objects.new(name, None)
    found.rotation_euler = Euler(turn)
    bpy.context.collection.objects.link(found)
    bpy.context.view_layer.update()
    return found


def key(obj: bpy.types.Object, channel: str, index: int, *values: float, first: int = 1) -> None:
    for number, value in enumerate(values):
        getattr(obj, channel)[index] = value
        obj.keyframe_insert(channel, index=index, frame=first + 20 * number)


def parented(obj: bpy.types.Object) -> None:
    obj.parent = pivot()
    key(obj.parent, "rotation_euler", 0, 0.0, 0.3, 0.0)


def driven(obj: bpy.types.Object, channel: str) -> None:
    obj.driver_add(channel, 0).driver.expression = "frame / 100"


def limit(obj: bpy.types.Object, kind: str, **values: object) -> None:
    constraint = obj.constraints.new(kind)
    for name, value in values.items():
        setattr(constraint, name, value)


def joint(obj: bpy.types.Object, kind: str, turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
    owner = pivot("Joint", turn)
    if bpy.context.scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    bpy.context.view_layer.objects.active = owner
    bpy.ops.rigidbody.constraint_add(type=kind)
    owner.rigid_body_constraint.object1 = obj


def locked(obj: bpy.types.Object) -> None:
    obj.lock_rotation, obj.lock_location = (True,) * 3, (False, True, True)


SLIDING: dict[str, Setup] = {
    "the keyframes of 'Thing'": lambda obj: key(obj, "location", 0, 0.0, 0.9),
    "the drivers of 'Thing'": lambda obj: driven(obj, "location"),
    "the rigid body constraint of 'Joint'": lambda obj: joint(obj, "SLIDER"),
    "the constraint 'Limit Location'": lambda obj: limit(
        obj, "LIMIT_LOCATION", use_min_x=True, use_max_x=True, min_x=0.0, max_x=0.9
    ),
    "the locked rotation of the object": locked,
}
MOVING: dict[str, Setup] = {
    "the keyframes of 'Thing'": lambda obj: key(obj, "rotation_euler", 0, 0.0, 0.2, 0.0),
    "the keyframes of 'Pivot'": parented,
    "the drivers of 'Thing'": lambda obj: driven(obj, "rotation_euler"),
    "the rigid body constraint of 'Joint'": lambda obj: joint(obj, "HINGE", (0.0, 1.57, 0.0)),
    "the constraint 'Limit Rotation'": lambda obj: limit(obj, "LIMIT_ROTATION", use_limit_x=True, max_x=0.3),
}


@pytest.mark.parametrize("source", SLIDING)
def test_a_sliding_leaf_is_refused(source: str) -> None:
    obj = thing()
    SLIDING[source](obj)
    assert f"'Thing' slides because of {source}" in refused(require_usable, obj, "open", bpy.context.scene, 1)
    require_usable(obj, "carry", bpy.context.scene, 1)


@pytest.mark.parametrize("source", MOVING)
def test_a_moving_seat_is_refused(source: str) -> None:
    obj = thing()
    MOVING[source](obj)
    assert f"'Thing' moves because of {source}" in refused(require_usable, obj, "sit", bpy.context.scene, 1)
    require_usable(obj, "open", bpy.context.scene, 1)


def test_hinged_leaves_and_still_seats_are_used() -> None:
    leaf = thing("Leaf")
    limit(leaf, "LIMIT_ROTATION", use_limit_z=True, max_z=1.9)
    limit(leaf, "LIMIT_LOCATION", use_min_x=True, use_max_x=True, max_x=0.9)
    key(leaf, "rotation_euler", 2, 0.0, 1.5)
    joint(leaf, "HINGE")
    require_usable(leaf, "open", bpy.context.scene, 1)
    seat = thing("Seat")
    key(seat, "location", 0, 0.0, 2.0)  # it comes to its place before the character does
    locked(seat)
    joint(seat, "HINGE")  # a swivel chair
    require_usable(seat, "sit", bpy.context.scene, 21)
    assert "moves" in refused(require_usable, seat, "sit", bpy.context.scene, 10)
    seat.animation_data.action_slot = None
    require_usable(seat, "sit", bpy.context.scene, 10)


def test_a_curve_without_end_and_an_nla_strip_move_a_seat() -> None:
    seat = thing()
    key(seat, "rotation_euler", 0, 0.0, 0.2, 0.0)
    curve = seat.animation_data.action.layers[0].strips[0].channelbag(seat.animation_data.action_slot).fcurves[0]
    curve.modifiers.new("CYCLES")
    assert "moves" in refused(require_usable, seat, "sit", bpy.context.scene, 500)
    data = seat.animation_data
    action, slot, track = data.action, data.action_slot, data.nla_tracks.new()
    data.action = None
    strip = track.strips.new("rocks", 1, action)
    strip.action_slot = slot
    assert "moves" in refused(require_usable, seat, "sit", bpy.context.scene, 1)
    track.mute = True
    require_usable(seat, "sit", bpy.context.scene, 1)


def test_what_a_bake_has_moved_is_used_again() -> None:
    chair = thing()
    matrices = [Matrix.Translation((0.1 * frame, 0.0, 0.0)) for frame in range(20)]
    tracks: list[PropertyTrack] = object_tracks(chair, matrices)
    write(chair, tracks, 1, Destination(), "Thing_moved")
    for action in ("sit", "open"):
        require_usable(chair, action, bpy.context.scene, 1)


def test_the_opening_of_a_leaf_counts_more_than_its_name() -> None:
    leaf = thing("Sliding Door")
    assert "is named like a sliding door" in refused(require_usable, leaf, "open", bpy.context.scene, 1)
    leaf.footfall_door_opening = "front"
    require_usable(leaf, "open", bpy.context.scene, 1)
