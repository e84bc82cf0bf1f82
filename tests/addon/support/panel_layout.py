"""A layout that knows what Blender would accept and records what a user would see."""

from types import MethodType, SimpleNamespace

import bpy

from footfall.blender_addon.label import panel as panel_label
from footfall.blender_addon.train import panel as panel_train

ICONS = {item.identifier for item in bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items}


class Layout:
    """Accepts what ``UILayout`` accepts and writes down the texts and operators that a user would see."""

    def __init__(self, seen: list[str] | None = None, lines: list[list[str]] | None = None) -> None:
        self.seen: list[str] = [] if seen is None else seen
        self.lines: list[list[str]] = [] if lines is None else lines
        self.line: list[str] | None = None

    def show(self, text: str) -> None:
        """Write down what a user would see, also by the line of the panel in which it stands."""
        self.seen.append(text)
        if self.line is not None:
            self.line.append(text)
        else:
            self.lines.append([text])

    def inner(self, align: bool = False, heading: str = "") -> "Layout":
        made = Layout(self.seen, self.lines)
        made.line = self.line
        if heading:
            made.show(heading)
        return made

    column = inner

    def row(self, align: bool = False, heading: str = "") -> "Layout":
        made = Layout(self.seen, self.lines)
        made.line = self.line
        if made.line is None:
            made.line = []
            self.lines.append(made.line)
        if heading:
            made.show(heading)
        return made

    def box(self) -> "Layout":
        return self.inner()

    def grid_flow(self, row_major: bool, columns: int, even_columns: bool, align: bool) -> "Layout":
        assert columns != 0
        return self.inner()

    def split(self, factor: float) -> "Layout":
        assert 0.0 < factor < 1.0
        return self.inner()

    def separator(self) -> None:
        pass

    def label(self, text: str = "", icon: str = "NONE", translate: bool = True, text_ctxt: str = "") -> None:
        assert icon in ICONS, icon
        self.show(text)

    def prop(
        self,
        data,
        name: str,
        text: str | None = None,
        emboss: bool = True,
        expand: bool = False,
        toggle: bool = False,
        icon: str = "NONE",
        placeholder: str = "",
    ) -> None:
        assert name in data.bl_rna.properties, f"{data} has no {name}"
        assert icon in ICONS, icon
        getattr(data, name)
        self.show(f"<{name}>")

    def operator(
        self, name: str, text: str | None = None, icon: str = "NONE", emboss: bool = True, depress: bool = False
    ):
        assert icon in ICONS, icon
        module, _, function = name.partition(".")
        operator = getattr(getattr(bpy.ops, module), function)
        kind = operator.get_rna_type()
        self.show(f"[{kind.name if text is None else text}]")
        return SimpleNamespace(**dict.fromkeys(kind.properties.keys()))

    def prop_menu_enum(self, data, name: str) -> None:
        self.prop(data, name)

    def prop_search(self, data, name: str, owner, collection: str, results_are_suggestions: bool) -> None:
        getattr(owner, collection)
        self.prop(data, name)

    def operator_menu_enum(self, name: str, choice: str, icon: str = "NONE") -> None:
        assert choice in vars(self.operator(name, icon=icon))

    def menu(self, name: str, text: str | None = None) -> None:
        self.show(f"{{{getattr(bpy.types, name).bl_label if text is None else text}}}")

    def progress(self, factor: float = 0.0, text: str = "") -> None:
        assert 0.0 <= factor <= 1.0
        self.show(f"({text})")

    def template_list(self, kind: str, _identifier: str, data, items: str, active_data, active: str, rows: int) -> None:
        assert hasattr(bpy.types, kind) and active in active_data.bl_rna.properties and rows > 0
        for item in getattr(data, items):
            getattr(panel_train, kind, getattr(panel_label, kind, None)).draw_item(
                None, bpy.context, self, data, item, 0, active_data, active
            )


def laid_out(panel: type) -> Layout:
    """The layout of a panel; Blender alone makes panels, so its own helpers are bound to something like one."""
    like = SimpleNamespace(layout=Layout())
    for owner in reversed(panel.__mro__):
        for name, value in vars(owner).items():
            if name.startswith("_draw"):
                setattr(like, name, MethodType(value, like))
    panel.draw(like, bpy.context)
    return like.layout


def drawn(panel: type) -> list[str]:
    """Return the texts that a panel draws."""
    return laid_out(panel).seen


def drawn_lines(panel: type) -> list[list[str]]:
    """Return the texts that a panel draws, line by line."""
    return [line for line in laid_out(panel).lines if line]
