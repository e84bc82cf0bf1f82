"""The seams of tests: they import, read and set public names alone, and their modules stay short."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("blender_addon", "cli", "core", "training")
FOREIGN = {
    "_exit",
    "_actions",
    "_SubParsersAction",
    "_choices_actions",
    "_dyn_ui_initialize",
    "_manual_map",
    "_cleanups",
}
"""Names of Python's, argparse's and Blender's that have no public twin."""
SETTERS = {"setattr", "setitem", "delattr", "delitem", "patch", "object"}
LINES = 400
"""Of a module, at most."""


@cache
def modules() -> dict[str, str]:
    """The source of every module of the tests, by its path below the repository's root."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


@cache
def all_nodes() -> dict[str, list[ast.AST]]:
    return {file: nodes(source) for file, source in modules().items()}


def nodes(source: str) -> list[ast.AST]:
    """The imports, attributes, calls and assignments of a module."""
    kinds = (ast.Import, ast.ImportFrom, ast.Attribute, ast.Call, ast.Assign)
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]


def private_imports(module: list[ast.AST]) -> Iterator[str]:
    for node in module:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("footfall"):
            yield from (f"{node.lineno}: {alias.name}" for alias in node.names if is_private(alias.name))


def private_reads(module: list[ast.AST]) -> Iterator[str]:
    """Yield every attribute `x._y` with its line, but those of an object's own class."""
    for node in module:
        if not isinstance(node, ast.Attribute) or not is_private(node.attr) or node.attr in FOREIGN:
            continue
        if not isinstance(node.value, ast.Name) or node.value.id not in ("self", "cls"):
            yield f"{node.lineno}: {ast.unparse(node)}"


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def patches(module: list[ast.AST]) -> Iterator[str]:
    """Yield what sets a name of the product, with its line: `monkeypatch.setattr`, `mock.patch` or an assignment."""
    product = product_names(module)
    for node in module:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SETTERS:
            targets = node.args[:1]
        elif isinstance(node, ast.Assign):
            assigned = [one for target in node.targets for one in getattr(target, "elts", [target])]
            targets = [target.value for target in assigned if isinstance(target, ast.Attribute)]
        else:
            continue
        for target in targets:
            if root_name(target) in product or is_product_path(target):
                yield f"{node.lineno}: {ast.unparse(node)[:60]}"


def product_names(module: list[ast.AST]) -> set[str]:
    """Modules, classes and functions of the product that a module imports."""
    found = set()
    for node in module:
        if isinstance(node, ast.ImportFrom) and is_product(node.module or ""):
            found |= {alias.asname or alias.name for alias in node.names if is_product(f"{node.module}.{alias.name}")}
        elif isinstance(node, ast.Import):
            found |= {(alias.asname or "footfall") for alias in node.names if is_product(alias.name)}
    return found


def is_product(module: str) -> bool:
    return any(f"{module}.".startswith(f"footfall.{room}.") for room in ROOMS)


def root_name(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def is_product_path(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and is_product(node.value)


def test_tests_import_public_names() -> None:
    assert {file: found for file, module in all_nodes().items() if (found := list(private_imports(module)))} == {}


def test_tests_read_public_attributes() -> None:
    assert {file: found for file, module in all_nodes().items() if (found := list(private_reads(module)))} == {}


def test_tests_set_no_names_of_the_product() -> None:
    assert {file: found for file, module in all_nodes().items() if (found := list(patches(module)))} == {}


def test_modules_are_short() -> None:
    lines = {file: len(source.splitlines()) for file, source in modules().items()}
    assert {file: count for file, count in lines.items() if count > LINES} == {}


def test_offences_are_seen() -> None:
    module = nodes(
        "from footfall.core.jobs import atomic, _hidden\n"
        "from footfall.tests.support import walker\n"
        "atomic._write(self._own)\n"
        "monkeypatch.setattr(atomic.time, 'sleep', None)\n"
        "monkeypatch.setattr('footfall.core.jobs.atomic.LIMIT', 1)\n"
        "monkeypatch.setattr(walker, 'SPEED', 1)\n"
        "atomic.LIMIT = 2\n"
        "atomic.LIMIT, mine = 2, 3\n"
    )
    assert [line.split(":")[0] for line in private_imports(module)] == ["1"]
    assert [line.split(":")[0] for line in private_reads(module)] == ["3"]
    assert sorted(line.split(":")[0] for line in patches(module)) == ["4", "5", "7", "8"]
