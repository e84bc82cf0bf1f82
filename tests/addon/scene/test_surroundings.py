"""what a character walks on, goes round, jumps over and ducks under, as tags and collections say."""

from pathlib import Path

import bpy
import numpy as np

from footfall.blender_addon.scene.ground_choice import choose_ground, describe_choice
from footfall.blender_addon.scene.ground_tags import OBSTACLE, TAG_PROPERTY, WALKABLE, list_objects, set_tag, tag_of
from footfall.blender_addon.scene.mesh_ground import Clock
from footfall.blender_addon.scene.walk_scene import CharacterWalkScene, read_walk_scene
from footfall.core.terrain.ground import Plane
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_mesh, add_plane, instancing_nodes


def add_walker(name: str = "Walker") -> bpy.types.Object:
    """An armature with a body that stands at the origin."""
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    body = add_box(f"{name} Body", (0, 0, 0.9), (0.4, 0.3, 1.8))
    body.parent = armature
    bpy.context.view_layer.objects.active = armature
    return armature


def add_collection(name: str, *things: bpy.types.Object) -> bpy.types.Collection:
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for thing in things:
        collection.objects.link(thing)
    return collection


def found(armature: bpy.types.Object, level: float = 0.0, clock: Clock | None = None) -> CharacterWalkScene:
    bpy.context.view_layer.update()
    return read_walk_scene(armature, bpy.context, POINTS * [1.0, 1.0, 0.0] + [0.0, 0.0, level], clock)


def said(armature: bpy.types.Object) -> list[str]:
    bpy.context.view_layer.update()
    choice = choose_ground(armature, bpy.context.scene, bpy.context.view_layer)
    return [*describe_choice(choice), *choice.warnings]


def tag(thing: bpy.types.Object, word: str) -> bpy.types.Object:
    set_tag(thing, word)
    return thing


POINTS = np.array([[0.0, 0.0, 3.0], [3.0, 0.0, 3.0], [6.0, 0.0, 3.0], [9.0, 0.0, 3.0]])


def test_what_is_tagged_elsewhere_leaves_a_way_on_the_bare_grid_its_ground_and_walls_stay_walls() -> None:
    walker = add_walker()
    tag(add_plane(4.0, (40.0, 40.0, 2.0), "Hill"), WALKABLE)
    tag(add_box("Wall", (5.0, 0.0, 1.0), (0.2, 4.0, 2.0)), OBSTACLE)
    around = found(walker)
    assert around.is_level and around.walk_scene.obstacles is not None
    ground = around.walk_scene.ground
    np.testing.assert_allclose(ground.heights(np.array([[1.0, 0.0, 1.0], [40.0, 40.0, 5.0]])), [0.0, 2.0], atol=1e-5)


def test_without_tags_the_ground_is_level() -> None:
    walker = add_walker()
    add_box("Rock", (3, 0, 0.5), (1, 1, 1))
    around = found(walker, level=0.4)
    assert around.is_level and around.walk_scene.ground == Plane(0.4) and not around.warnings
    assert around.walk_scene.obstacles is None and around.walk_scene.jump_over is None
    assert said(walker) == ["The character walks on level ground at the height of the path"]


def test_what_a_script_has_just_removed_is_nothing_to_walk_on() -> None:
    walker = add_walker()
    gone = add_box("Rock", (3, 0, 0.5), (1, 1, 1))
    bpy.context.view_layer.update()
    bpy.data.objects.remove(gone)
    assert None in [*bpy.context.view_layer.objects], "until Blender updates the view layer"
    assert choose_ground(walker, bpy.context.scene, bpy.context.view_layer).is_level


def test_tags_decide() -> None:
    walker = add_walker()
    tag(add_plane(40.0, (0, 0, 0.1)), "walkable")
    tag(add_box("Hurdle", (3, 0, 0.3), (1, 1, 0.4)), "jump over")
    tag(add_box("Wall", (6, 0, 1), (1, 1, 2)), "obstacle")
    tag(add_box("Roof", (9, 0, 1.5), (1, 1, 0.2)), "ceiling")
    add_box("Untagged", (0, 0, 2), (1, 1, 0.2))
    around = found(walker)
    ground = around.walk_scene.ground
    np.testing.assert_allclose(ground.heights(POINTS), [0.1, 0.5, 0.1, 0.1], atol=1e-6)
    under = POINTS - (0, 0, 2)
    np.testing.assert_allclose(ground.ceilings(under), [np.inf, np.inf, np.inf, 1.4], atol=1e-6)
    assert around.walk_scene.obstacles and around.walk_scene.jump_over
    np.testing.assert_allclose(around.walk_scene.obstacles.heights(POINTS), [np.nan, np.nan, 2.0, np.nan])
    np.testing.assert_allclose(around.walk_scene.jump_over.heights(POINTS), [np.nan, 0.5, np.nan, np.nan])
    assert not around.is_level and not around.warnings
    assert said(walker) == [
        "The character walks on 1 object",
        "The character jumps over 1 object",
        "The character walks around 1 object",
        "The character ducks under 1 object",
    ]


def test_obstacles_on_level_ground() -> None:
    walker = add_walker()
    tag(add_box("Hurdle", (3, 0, 0.2), (1, 1, 0.4)), "jump over")
    tag(add_box("Roof", (9, 0, 1.5), (1, 1, 0.2)), "ceiling")
    around = found(walker, level=0.1)
    ground = around.walk_scene.ground
    np.testing.assert_allclose(ground.heights(POINTS), [0.1, 0.4, 0.1, 0.1], atol=1e-6)
    np.testing.assert_allclose(ground.normals(POINTS), np.tile([0, 0, 1], (4, 1)), atol=1e-6)
    assert abs(float(ground.ceilings(np.array([9.0, 0, 0.5]))) - 1.4) < 1e-6 and around.is_level
    side = np.array([2.0, 0, 0.3]), np.array([4.0, 0, 0.3])
    assert ground.blocked(*side) and not ground.blocked(*(end + np.array([0, 0, 0.2]) for end in side))
    np.testing.assert_allclose(ground.move_with_ground(POINTS, 0, 5), POINTS)


def test_a_collection_is_walked_on_and_nothing_else() -> None:
    walker = add_walker()
    tag(add_box("Elsewhere", (0, 0, 1), (1, 1, 0.2)), "walkable")
    floor, lid = add_plane(40.0), tag(add_box("Lid", (3, 0, 1), (1, 1, 0.2)), "ignored")
    wall = tag(add_box("Wall", (6, 0, 1), (1, 1, 2)), "obstacle")
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    walker.footfall.ground.collection = add_collection("Set", floor, lid, wall, lamp, *walker.children, walker)
    around = found(walker)
    np.testing.assert_allclose(around.walk_scene.ground.heights(POINTS), 0.0, atol=1e-6)
    assert around.walk_scene.obstacles is not None and not around.warnings, around.warnings
    assert said(walker) == ["The character walks on 1 object", "The character walks around 1 object"]


def test_a_collection_of_obstacles() -> None:
    walker = add_walker()
    walls = add_collection("Walls", add_box("Wall", (6, 0, 1), (1, 1, 2)))
    walls.objects.link(tag(add_box("Hurdle", (3, 0, 0.2), (1, 1, 0.4)), "jump over"))
    walker.footfall.ground.obstacles = walls
    around = found(walker).walk_scene
    assert around.obstacles and around.jump_over
    np.testing.assert_allclose(around.obstacles.heights(POINTS), [np.nan, np.nan, 2, np.nan])


def test_tags_inside_of_instances() -> None:
    library = bpy.data.collections.new("Library")
    box = add_box("Rock", (0, 0, 0.15), (1, 1, 0.3), library)
    box[TAG_PROPERTY] = "walkable"
    empty = bpy.data.objects.new("Rocks", None)
    empty.instance_type, empty.instance_collection, empty.location = "COLLECTION", library, (3, 0, 0)
    bpy.context.collection.objects.link(empty)
    walker = add_walker()
    assert said(walker) == ["The character walks on 1 object"]
    around = found(walker)
    np.testing.assert_allclose(around.walk_scene.ground.heights(POINTS), [np.nan, 0.3, np.nan, np.nan])
    set_tag(empty, "obstacle")
    around = found(walker)
    assert around.is_level and around.walk_scene.obstacles is not None, "the instance's own tag is the last word"


def test_what_is_scattered_may_have_a_tag_of_its_own() -> None:
    walker = add_walker()
    grass = add_box("Grass", (0, 0, -20), (0.5, 0.5, 0.6))
    points = [(x, y, 0.0) for x in (-1.0, 3.0, 6.0, 10.0) for y in (-1.0, 0.0, 1.0)]
    meadow = tag(add_mesh("Meadow", points, [(0, 9, 11, 2)]), "walkable")
    nodes = instancing_nodes(grass)
    made = next(node for node in nodes.nodes if node.bl_idname == "NodeGroupOutput")
    given = next(node for node in nodes.nodes if node.bl_idname == "NodeGroupInput")
    spread = made.inputs[0].links[0].from_node
    both = nodes.nodes.new("GeometryNodeJoinGeometry")
    for source in (given.outputs[0], spread.outputs[0]):
        nodes.links.new(source, both.inputs[0])
    nodes.links.new(both.outputs[0], made.inputs[0])
    meadow.modifiers.new("Nodes", "NODES").node_group = nodes
    np.testing.assert_allclose(found(walker).walk_scene.ground.heights(POINTS), [0, 0.3, 0.3, 0], atol=1e-6)
    set_tag(grass, "ignored")
    np.testing.assert_allclose(found(walker).walk_scene.ground.heights(POINTS), 0.0, atol=1e-6)


def test_the_character_and_its_path_are_no_ground() -> None:
    walker = add_walker()
    tag(walker.children[0], "walkable")
    cloth = tag(add_box("Cloth", (0, 0, 1), (1, 1, 0.1)), "walkable")
    cloth.modifiers.new("Armature", "ARMATURE").object = walker
    line = bpy.data.curves.new("Path", "CURVE")
    line.splines.new("POLY").points.add(1)
    walker.footfall.path = tag(bpy.data.objects.new("Path", line), "walkable")
    bpy.context.collection.objects.link(walker.footfall.path)
    assert found(walker).is_level


def test_what_cannot_be_used_is_said() -> None:
    walker = add_walker()
    hidden, off, slip, wire, good = (add_box(name, (0, 0, 0), (1, 1, 1)) for name in "ABCDE")
    for thing in (hidden, off, good):
        set_tag(thing, "walkable")
    hidden.hide_set(True)
    off.hide_viewport = True
    slip[TAG_PROPERTY] = "walkabel"
    wire.data.clear_geometry()
    set_tag(wire, "obstacle")
    excluded = add_collection("Store", tag(add_mesh("F", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]), "walkable"))
    for collection in bpy.data.objects["F"].users_collection:
        if collection != excluded:
            collection.objects.unlink(bpy.data.objects["F"])
    bpy.context.view_layer.layer_collection.children["Store"].exclude = True
    troubles = found(walker).warnings
    for name, word in (("A", "eye"), ("B", "screen symbol"), ("C", "walkabel"), ("D", "no faces"), ("F", "excluded")):
        assert any(f"'{name}'" in text and word in text for text in troubles), (name, troubles)
    assert not any(text.startswith("'E'") for text in troubles)
    walker.footfall.ground.collection = bpy.data.collections.new("Nothing")
    assert any("has nothing to walk on" in text for text in found(walker).warnings)


def test_moving_ground_is_named() -> None:
    walker = add_walker()
    lift = tag(add_box("Lift", (3, 0, 0), (1, 1, 0.2)), "walkable")
    for frame, height in ((1, 0.0), (25, 1.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    around = found(walker, clock=Clock(1.0, 24 / 60))
    assert around.moving_names == ("Lift",)
    np.testing.assert_allclose(around.walk_scene.ground.heights(POINTS, 60.0)[1], 1.1, atol=1e-5)


def test_the_menu_tags_what_is_selected() -> None:
    boxes = [add_box(name, (0, 0, 0), (1, 1, 1)) for name in ("One", "Two")]
    for box in boxes:
        box.select_set(True)
    walker = add_walker()
    walker.select_set(True)
    assert bpy.ops.footfall.set_walk_surface(surface="jump over") == {"FINISHED"}
    assert [box[TAG_PROPERTY] for box in boxes] == ["jump over"] * 2 and TAG_PROPERTY not in walker
    bpy.ops.ed.undo_push(message="tagged")
    bpy.ops.footfall.set_walk_surface("EXEC_DEFAULT", True, surface="NONE")
    assert not any(TAG_PROPERTY in bpy.data.objects[name] for name in ("One", "Two"))
    bpy.ops.ed.undo()
    assert tag_of(bpy.data.objects["One"]) == "jump over"
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    assert not bpy.ops.footfall.set_walk_surface.poll()


def test_a_tag_written_by_hand_is_read_whatever_its_spelling() -> None:
    rock = add_box("Rock", (0, 0, 0), (1, 1, 1))
    rock[TAG_PROPERTY] = " Jump_Over"
    assert tag_of(rock) == "jump over"


def test_all_objects_of_a_sentence_are_counted() -> None:
    boxes = [add_box(name, (0, 0, 0), (1, 1, 1)) for name in "ABCDE"]
    assert [list_objects(boxes[:count]) for count in (1, 3, 5)] == ["'A'", "'A', 'B', 'C'", "'A', 'B' and 3 more"]


def save_library(tmp_path: Path) -> Path:
    rock = add_box("Rock", (3, 0, 0.5), (1, 1, 1))
    known = tag(add_box("Known", (6, 0, 0.5), (1, 1, 1)), "walkable")
    for thing in (rock, known):
        bpy.context.collection.objects.unlink(thing)
    add_collection("Set", rock, known)
    file = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return file


def link_set(file: Path) -> bpy.types.Collection:
    with bpy.data.libraries.load(str(file), link=True) as (_, wanted):
        wanted.collections = ["Set"]
    linked = bpy.data.collections["Set"]
    bpy.context.scene.collection.children.link(linked)
    return linked


def test_linked_sets_are_walked_on_and_say_why_they_cannot_be_tagged(tmp_path: Path) -> None:
    linked = link_set(save_library(tmp_path))
    walker = add_walker()
    around = found(walker)
    np.testing.assert_allclose(around.walk_scene.ground.heights(POINTS), [np.nan, np.nan, 1.0, np.nan])
    rock = linked.objects["Rock"]
    rock.select_set(True)
    walker.select_set(True)
    assert "linked from another file" in refusal_of(lambda: bpy.ops.footfall.set_walk_surface(surface="walkable"))
    assert TAG_PROPERTY not in walker and tag_of(rock) is None
    walker.footfall.ground.collection = linked
    np.testing.assert_allclose(found(walker).walk_scene.ground.heights(POINTS), [np.nan, 1.0, 1.0, np.nan])


def test_an_override_keeps_its_own_tag(tmp_path: Path) -> None:
    linked = link_set(save_library(tmp_path))
    linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    bpy.context.scene.collection.children.unlink(linked)
    mine = {thing.name: thing for thing in bpy.data.objects if thing.override_library}
    assert tag_of(mine["Known"]) == "walkable", "as in the library"
    set_tag(mine["Rock"], "walkable")
    set_tag(mine["Known"], None)
    file = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    tags = {thing.name: tag_of(thing) for thing in bpy.data.objects if thing.override_library}
    assert tags == {"Rock": "walkable", "Known": None}, tags
    np.testing.assert_allclose(
        found(add_walker()).walk_scene.ground.heights(POINTS), [np.nan, 1.0, np.nan, np.nan], atol=1e-6
    )
