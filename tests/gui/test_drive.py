"""A character is driven with the keyboard, and its way becomes the path."""

from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
"""A place of the viewport, shares of its width and height, where nothing is."""
SCENE = """
for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.footfall.add_character()
    hero = bpy.context.object
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (0.0, 0.0, 1.0), 12.0
    bpy.ops.ed.undo_push(message="Shot")
"""
HERO = "hero = bpy.data.objects['Locomotion']"
"""After an undo step, what was known of objects is known no more."""
WORK = "bpy.context.window_manager.footfall.work_fraction"
DRIVE = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.activities.drive.operators')"
IS_DRIVEN = f"{DRIVE}.slot.preview is not None"
TASKS = f"{DRIVE}.slot.preview.session.tasks"
SEAT = """
mesh = bpy.data.meshes.new("Bench")
corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.2, 0.2) for z in (0.0, 0.45)]
mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
bench = bpy.data.objects.new("Bench", mesh)
bench.location = (2.0, -1.0, 0.0)
bpy.context.scene.collection.objects.link(bench)
region("VIEW_3D")["area"].spaces.active.region_3d.view_location = (0.0, 0.0, 1.0)
bpy.ops.ed.undo_push(message="Bench")
"""
SECONDS = f"{DRIVE}.slot.preview.session.seconds"


def hold(gui: Window, key: str, seconds: float) -> None:
    """Hold a key over the viewport for seconds of the drive, which a slow machine makes more slowly than they pass."""
    until = gui.ask(SECONDS) + seconds
    gui.tool("do", "keydown", key)
    gui.wait(f"{SECONDS} >= {until}", seconds=240)
    gui.tool("do", "keyup", key)


def begin(gui: Window) -> None:
    gui.press("footfall.drive", at=0.25)
    gui.over("VIEW_3D", at=FREE)
    gui.wait(IS_DRIVEN)


def test_a_character_is_driven_and_its_way_is_baked(gui: Window) -> None:
    gui.ask(SCENE)
    gui.open_tab("Footfall")
    before = gui.ask("tuple(view.view_location)")
    begin(gui)
    hold(gui, "w", 3)
    hold(gui, "d", 1.5)
    gui.shot("drive")
    assert gui.ask("tuple(view.view_location)") != before, "the view follows"
    gui.key("Return")
    gui.wait("hero.footfall.path is not None")
    assert not gui.ask(IS_DRIVEN)
    assert gui.ask("len(hero.footfall.path.data.splines[0].bezier_points)") > 2
    gui.press("footfall.bake_shot")
    gui.wait("hero.footfall.baked_action is not None", seconds=240)
    gui.wait(f"{WORK} < 0", seconds=240)
    gui.shot("drive_baked")
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    gui.key("ctrl+z")
    gui.ask(HERO)
    gui.wait("hero.footfall.path is None")


def test_escape_leaves_everything_as_it_was(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(5)")
    before = gui.ask("tuple(view.view_location)")
    begin(gui)
    hold(gui, "w", 1.5)
    gui.wait("bpy.context.scene.frame_current > 20")
    gui.key("Escape")
    gui.wait(f"not ({IS_DRIVEN})")
    assert gui.ask("hero.footfall.path is None and bpy.context.scene.frame_current == 5")
    assert gui.ask("tuple(view.view_location)") == before


def test_a_seat_that_is_clicked_is_sat_on_until_a_key_and_recorded(gui: Window) -> None:
    gui.ask(SEAT)
    begin(gui)
    gui.key("f")
    gui.click(*gui.ask("spot((2.0, -1.0, 0.45))"))
    gui.wait(f"{TASKS}.live is not None")
    gui.wait(f"{TASKS}.live.is_done", seconds=240)
    gui.shot("drive_seat")
    gui.tool("do", "keydown", "d")
    gui.wait(f"{TASKS}.live is None", seconds=120)
    gui.tool("do", "keyup", "d")
    gui.click(*gui.ask("spot((-1.5, -3.0, 0.0))"))
    assert gui.ask(f"str({TASKS}.note)") == "There is nothing under the mouse: click a seat, a box or a door"
    gui.key("Return")
    gui.wait("'sit' in [item.type for item in hero.footfall.interaction_tasks]")
    gui.key("ctrl+z")
    gui.ask(HERO)
    gui.wait("not hero.footfall.interaction_tasks")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log()
