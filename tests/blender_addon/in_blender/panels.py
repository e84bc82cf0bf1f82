"""In Blender: what the panels draw, recorded by a layout that knows what Blender would accept. Argument: a BVH file."""

import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import bpy

import footfall
from footfall.blender_addon import panels, runs
from footfall.blender_addon.preferences import runs_folder
from footfall.core.run_folder import RunFolder

sys.path.insert(0, str(Path(__file__).parent))
from armatures import import_bvh
from harness import run_checks
from statue import save_statue

CLIP = sys.argv[1]
STATUE = Path(tempfile.mkdtemp()) / "statue.safetensors"
ICONS = {item.identifier for item in bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items}


class Layout:
    """Accepts what ``UILayout`` accepts and writes down the texts and operators that a user would see."""

    def __init__(self, seen: list[str] | None = None) -> None:
        self.seen: list[str] = [] if seen is None else seen

    def inner(self, align: bool = False) -> "Layout":
        return Layout(self.seen)

    row = column = box = inner

    def separator(self) -> None:
        pass

    def label(self, text: str = "", icon: str = "NONE") -> None:
        assert icon in ICONS, icon
        self.seen.append(text)

    def prop(self, data, name: str, text: str | None = None, emboss: bool = True) -> None:
        assert name in data.bl_rna.properties, f"{data} has no {name}"
        getattr(data, name)
        self.seen.append(f"<{name}>")

    def operator(self, name: str, text: str | None = None, icon: str = "NONE"):
        assert icon in ICONS, icon
        module, _, function = name.partition(".")
        operator = getattr(getattr(bpy.ops, module), function)
        kind = operator.get_rna_type()
        self.seen.append(f"[{kind.name if text is None else text}]")
        return SimpleNamespace(**dict.fromkeys(kind.properties.keys()))

    def progress(self, factor: float = 0.0, text: str = "") -> None:
        assert 0.0 <= factor <= 1.0
        self.seen.append(f"({text})")

    def template_list(self, kind: str, _identifier: str, data, items: str, active_data, active: str, rows: int) -> None:
        assert hasattr(bpy.types, kind) and active in active_data.bl_rna.properties and rows > 0
        for item in getattr(data, items):
            getattr(panels, kind).draw_item(None, bpy.context, self, data, item, 0, active_data, active)


def drawn(panel: type) -> list[str]:
    layout = Layout()
    panel.draw(SimpleNamespace(layout=layout, **methods(panel)), bpy.context)
    return layout.seen


def methods(panel: type) -> dict[str, object]:
    """The panel's own helpers, bound to nothing, for Blender alone makes panels."""
    return {
        name: (lambda function: lambda *arguments: function(None, *arguments))(value)
        for name, value in vars(panel).items()
        if name.startswith("_draw")
    }


def check_an_empty_file_says_what_to_do() -> None:
    assert "Select an armature" in drawn(panels.FOOTFALL_PT_label)
    assert "Add actions to learn from first" in drawn(panels.FOOTFALL_PT_train)
    assert "[Add Character]" in drawn(panels.FOOTFALL_PT_direct)


def check_a_labelled_action_is_listed() -> None:
    import_bvh(CLIP)
    assert drawn(panels.FOOTFALL_PT_label)[:2] == ["02_01", "[Label Action]"]
    bpy.ops.footfall.label_action()
    seen = drawn(panels.FOOTFALL_PT_label)
    assert "foot.L" in seen and "walk" in seen and "[Update from Marks]" in seen


def check_a_run_shows_its_progress() -> None:
    import_bvh(CLIP)
    bpy.ops.footfall.add_clips()
    run = RunFolder(runs_folder() / "walker")
    run.begin("")
    run.write_state("running")
    run.append_progress({"fraction": 0.25, "loss": 0.5, "validation_loss": 0.75, "eta": 3600.0})
    runs.poll_runs(time.time())
    seen = drawn(panels.FOOTFALL_PT_train)
    assert "02_01" in seen and "[Train Controller]" in seen
    assert "(60 min left)" in seen and "loss 0.5000, validation 0.7500" in seen and "[Stop]" in seen
    run.write_state("failed", "The disk is full: make room and resume the run.")
    runs.poll_runs(time.time())
    seen = drawn(panels.FOOTFALL_PT_train)
    assert "[Resume]" in seen and "The disk is full" in " ".join(seen)


def check_directing_shows_the_reason_and_then_the_quality() -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(STATUE))
    armature = bpy.context.object
    seen = drawn(panels.FOOTFALL_PT_direct)
    assert "[Bake Walk]" in seen and "Choose a path: any curve" in seen and "<controller_file>" in seen
    data = bpy.data.curves.new("Path", "CURVE")
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (3, 0, 0, 1)
    armature.footfall.path = bpy.data.objects.new("Path", data)
    assert bpy.ops.footfall.bake_path() == {"FINISHED"}
    seen = drawn(panels.FOOTFALL_PT_direct)
    assert "[Bake Again]" in seen and any("off the path" in text for text in seen)
    bpy.context.window_manager.footfall.bake_fraction = 0.5
    assert "Esc cancels" in drawn(panels.FOOTFALL_PT_direct)
    bpy.context.window_manager.footfall.bake_fraction = -1.0


save_statue(CLIP, STATUE)
footfall.register()
run_checks(globals())
