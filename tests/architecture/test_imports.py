"""The house rules of the design, read from the imports of every module: blender_addon -> core <- training."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("blender_addon", "cli", "core", "training")
OWN_NAMES = {"footfall", "blender_addon", "cli", "core", "training", "presets", "benchmarks", "bl_ext"}
BLENDER = {"bpy", "bpy_extras", "mathutils", "bmesh", "gpu", "gpu_extras", "blf", "bl_ui", "bl_ext", "idprop", "aud"}
UNSHIPPED = {"benchmarks", "demo", "tests", "tools"}
FORBIDDEN = {
    "core": BLENDER | UNSHIPPED | {"torch", "blender_addon", "cli", "training"},
    "training": BLENDER | UNSHIPPED | {"blender_addon", "cli"},
    "blender_addon": UNSHIPPED | {"torch", "training"},
    "cli": BLENDER | UNSHIPPED | {"torch", "blender_addon"},
}


def modules(room: str) -> Iterator[Path]:
    return (file for file in sorted((ROOT / room).rglob("*.py")))


def imported(file: Path, tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """(line, first name from the root of the repository or of the outside world, whether the import is relative)."""
    package = file.relative_to(ROOT).parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0], False) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.lineno, (node.module or "").split(".")[0], False
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] + tuple((node.module or "").split("."))
            names = [part for part in base if part]
            yield from ((node.lineno, (names or [alias.name])[0], True) for alias in node.names)


def offences(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    room = file.relative_to(ROOT).parts[0]
    for line, name, relative in imported(file, tree):
        where = f"{file.relative_to(ROOT)}:{line}"
        if name in FORBIDDEN.get(room, set()):
            yield f"{where}: {room} must not import {name}"
        if not relative and name in OWN_NAMES:
            yield f"{where}: import {name} relatively (the package is called something else inside Blender)"
    if room == "blender_addon" and file.name != "compat.py":
        yield from (
            f"{file.relative_to(ROOT)}:{node.lineno}: the curves of an action are reached through compat.py"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr == "fcurves" and holds_an_action(node.value)
        )


def holds_an_action(node: ast.expr) -> bool:
    """Whether what stands before `.fcurves` reads as an action: `action`, `obj.animation_data.action`, `old_action`."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.lower().endswith("action")


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_one_way(room: str) -> None:
    files = list(modules(room))
    assert files, f"{room}/ holds no module"
    assert [offence for file in files for offence in offences(file)] == []


@pytest.mark.parametrize(
    ("room", "source", "offence"),
    [
        ("core", "import torch.nn", "core must not import torch"),
        ("core/motion", "def f():\n    from mathutils import Vector", "core must not import mathutils"),
        ("core/motion", "from ...training import trainer", "core must not import training"),
        ("core", "from .. import training", "core must not import training"),
        ("core", "from footfall.core import motion", "import footfall relatively"),
        ("training", "import bpy", "training must not import bpy"),
        ("blender_addon", "from ..training.run import Run", "blender_addon must not import training"),
        ("blender_addon", "curves = obj.animation_data.action.fcurves", "through compat.py"),
    ],
)
def test_an_offence_is_seen(
    room: str, source: str, offence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / room / "module.py"
    file.parent.mkdir(parents=True)
    file.write_text(source)
    assert [offence in line for line in offences(file)] == [True]


@pytest.mark.parametrize(
    "source",
    ["from ..core.motion import Clip", "import numpy as np", "bag = strip.channelbag(slot)\ncurves = bag.fcurves"],
)
def test_what_the_add_on_may_do(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / "blender_addon" / "module.py"
    file.parent.mkdir()
    file.write_text(source)
    assert list(offences(file)) == []


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {file.parent for room in ROOMS for file in modules(room)}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").is_file()] == []


def module_names(room: str) -> list[str]:
    """`footfall` and every package and module of the room."""
    paths = (file.relative_to(ROOT).with_suffix("").parts for file in modules(room))
    return ["footfall", *(".".join(("footfall", *path)).removesuffix(".__init__") for path in paths)]


@pytest.mark.parametrize("room", ["core", "cli"])
def test_starts_without_blender_and_without_torch(room: str) -> None:
    program = "\n".join(
        [
            "import importlib, sys",
            f"for name in {module_names(room)!r}:",
            "    importlib.import_module(name)",
            f"print(sorted({BLENDER | {'torch'}!r} & {{name.split('.')[0] for name in sys.modules}}))",
        ]
    )
    child = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=120)
    assert (child.stdout.strip(), child.returncode) == ("[]", 0), child.stderr


def test_the_root_package_imports_nothing_until_blender_calls_it() -> None:
    program = "import sys, footfall; print([name for name in sys.modules if name.startswith('footfall.')])"
    child = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60)
    assert (child.stdout.strip(), child.returncode) == ("[]", 0), child.stderr


def test_a_walk_alone_enters_no_module_of_the_ball() -> None:
    program = "\n".join(
        [
            "import sys, footfall.core.control.walk.path_walk",
            "print([name for name in sys.modules if (name + '.').startswith('footfall.core.control.ball.')])",
        ]
    )
    child = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60)
    assert (child.stdout.strip(), child.returncode) == ("[]", 0), child.stderr
