"""The order of rooms inside `core`, `core/control`, `blender_addon` and `training`, and no import circle anywhere."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("blender_addon", "cli", "core", "training")

CORE = (
    ("message",),
    ("errors", "actions", "tuning"),
    ("jobs",),
    ("motion",),
    ("scene", "labelling", "ball"),
    ("terrain", "retarget"),
    ("rig", "evaluation", "body"),
    ("keyframes",),
    ("features",),
    ("models",),
    ("control",),
)
CONTROL = (
    ("path", "crowd", "feet"),
    ("navigation", "performance", "passes"),
    ("runtime",),
    ("walk",),
    ("ball", "interaction", "pair", "strike"),
    ("drive", "refine", "edit", "duel"),
    ("shot",),
)
ADDON = (
    ("compat", "units"),
    ("ui",),
    ("animation",),
    ("controllers",),
    ("rig",),
    ("scene", "label"),
    ("shot",),
    ("activities",),
    ("train",),
    ("app",),
    ("registration",),
)
ACTIVITIES = (
    ("walk", "strike"),
    ("interaction",),
    ("drive",),
    ("shot",),
)
ORDERS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "core": CORE,
    "core/control": CONTROL,
    "blender_addon": ADDON,
    "blender_addon/activities": ACTIVITIES,
}
"""Room -> its rooms from the lowest floor to the highest; those of one floor do not import each other."""
FLAT = {"blender_addon": 8, "training": 4, "core/labelling": 10, "core/control": 1}
"""Folder -> Python files that may lie directly in it."""
LINES = 400
"""Of a module, at most."""


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the product, by its dotted name below the repository's root."""
    files = (file for room in PRODUCT for file in sorted((ROOT / room).rglob("*.py")))
    return {name_of(file): file for file in files}


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def arrows() -> Mapping[str, Sequence[tuple[str, int, bool]]]:
    """Module -> the modules that it imports, with the line, and whether that runs when the module is imported."""
    return {name: list(imports_of(name, file)) for name, file in modules().items()}


def imports_of(name: str, file: Path) -> Iterator[tuple[str, int, bool]]:
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inner = {id(node) for function in ast.walk(tree) if is_function(function) for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                full = ".".join([*base, alias.name])
                found = full if full in modules() else ".".join(base)
                if found in modules():
                    yield found, node.lineno, id(node) not in inner


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


@pytest.mark.parametrize("room", ORDERS)
def test_rooms_import_in_their_order(room: str) -> None:
    floors = {name: number for number, names in enumerate(ORDERS[room]) for name in names}
    prefix = room.replace("/", ".") + "."
    wrong = []
    for source, targets in arrows().items():
        for target, line, _ in targets:
            if source.startswith(prefix) and target.startswith(prefix):
                above, below = (name.removeprefix(prefix).split(".")[0] for name in (source, target))
                if above != below and floors[below] >= floors[above]:
                    wrong.append(f"{modules()[source].relative_to(ROOT)}:{line}: {above} must not import {below}")
    assert wrong == []


@pytest.mark.parametrize("room", ORDERS)
def test_every_room_has_its_place(room: str) -> None:
    named = {name for names in ORDERS[room] for name in names}
    there = {
        path.stem
        for path in (ROOT / room).iterdir()
        if (path.is_dir() and any(path.glob("*.py"))) or (path.suffix == ".py" and path.stem != "__init__")
    }
    assert there == named


def test_evaluation_sees_clips_only() -> None:
    rooms = {"errors", "message", "jobs", "motion", "labelling", "terrain", "retarget", "scene", "evaluation"}
    seen = {
        target.split(".")[1]
        for source, targets in arrows().items()
        for target, _, _ in targets
        if source.startswith("core.evaluation") and target.startswith("core.")
    }
    assert seen <= rooms


def test_no_module_is_part_of_a_circle() -> None:
    TopologicalSorter(
        {source: {target for target, _, _ in targets if target != source} for source, targets in arrows().items()}
    ).prepare()  # raises CycleError, which names the modules


@pytest.mark.parametrize(("folder", "most"), FLAT.items())
def test_few_files_lie_flat(folder: str, most: int) -> None:
    assert len(list((ROOT / folder).glob("*.py"))) <= most


def test_no_module_is_too_long() -> None:
    lines = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in modules().values()}
    assert {file: count for file, count in lines.items() if count > LINES} == {}
