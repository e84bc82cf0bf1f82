"""Every panel of the tab is drawn by Blender, with a character that has a walk; how long that takes is printed."""

import json

from footfall.tests.gui.window import Window

DRAWS = 20
TIMED = """
from statistics import median
from time import perf_counter

LEFT_OUT = {"__module__", "__dict__", "__weakref__", "bl_rna", "bl_parent_id", "bl_options", "bl_context", "poll"}
LEFT_OUT |= {"draw_header", "draw_header_preset"}
seconds, errors = {}, {}

def timed(panel, number):
    def draw(self, context):
        start = perf_counter()
        try:
            panel.draw(self, context)
        except Exception as error:
            errors[panel.__name__] = repr(error)
        seconds.setdefault(panel.__name__, []).append(perf_counter() - start)
    # Of its own make, as Blender loses classes that others are derived from.
    own = [vars(base) for base in reversed(panel.__mro__) if base.__module__.startswith("bl_ext.")]
    copy = {name: one for names in own for name, one in names.items() if name not in LEFT_OUT}
    copy |= {"bl_idname": f"TIMED_PT_{number}", "bl_label": panel.bl_label, "bl_category": "Timed", "bl_order": number}
    copy |= {"bl_space_type": "VIEW_3D", "bl_region_type": "UI", "draw": draw}
    return type(copy["bl_idname"], (bpy.types.Panel,), copy)

found = [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("FOOTFALL_PT_")]
shown = [panel for panel in found if not hasattr(panel, "poll") or panel.poll(bpy.context)]
copies = [timed(panel, number) for number, panel in enumerate(shown)]
for copy in copies:
    bpy.utils.register_class(copy)
"""


def test_a_character_has_a_walk(gui: Window) -> None:
    gui.ask(
        """
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.curve.primitive_bezier_curve_add()
    curve = bpy.context.object
    bpy.ops.footfall.add_character()
    bpy.context.object.footfall.path = curve
    bpy.ops.footfall.bake_shot()
""",
        seconds=240,
    )
    gui.open_tab("Footfall")
    gui.shot("tab")


def test_each_of_them_is_drawn(gui: Window) -> None:
    gui.ask(TIMED)
    gui.open_tab("Timed")
    for _ in range(DRAWS):
        gui.ask("region('VIEW_3D', 'UI')['region'].tag_redraw()")
        gui.ask("None")
    gui.shot("all")
    assert gui.ask("errors") == {}
    assert sorted(gui.ask("seconds")) == sorted(gui.ask("[panel.__name__ for panel in shown]"))
    milliseconds = gui.ask("{name: round(1000 * median(some), 3) for name, some in seconds.items()}")
    print(json.dumps(dict(sorted(milliseconds.items(), key=lambda one: -one[1])), indent=1))
    gui.ask("[bpy.utils.unregister_class(copy) for copy in reversed(copies)]")
