"""The words of docstrings: what the glossary rules out is in none of the product's."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "training", "blender_addon", "cli", "benchmarks")
FORBIDDEN = re.compile(r"\b(who|whoever|somebody|nobody|anybody|someone|anyone|one's|oneself)\b", re.IGNORECASE)
ENDINGS = (".", ":", "?", "!", ".)")
THIRD_PERSON = re.compile(
    r"(adds|asks|begins|brings|builds|calls|checks|creates|does|draws|ends|finds|gets|gives|goes|has|holds|keeps|lets|"
    r"loads|looks|makes|marks|measures|moves|plans|puts|reads|removes|returns|runs|saves|says|sets|shows|starts|stops|"
    r"stores|takes|tells|tries|turns|updates|waits|walks|writes|yields)\b",
    re.IGNORECASE,
)
RESULT = re.compile(r"(return|yield)\b", re.IGNORECASE)
RELATIVE = re.compile(r"(who|what|where|when|how|whether|which|whoever|whatever)\b", re.IGNORECASE)
ATTRIBUTES = re.compile(r"^Attributes:\n((?: +.*\n?|\n)+)", re.MULTILINE)
ATTRIBUTE_NAMES = re.compile(r"^ {4}(\S[^:]*):", re.MULTILINE)


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring: of the module, its classes, functions and documented constants.

    Docstrings of registered classes are tooltips, which have rules of their own.
    """
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name.startswith("FOOTFALL_"):
            continue
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
            ):
                yield statement.lineno, statement.value.value


def functions(file: Path) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """Yield every function that has a docstring, with that."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (text := ast.get_docstring(node)):
            yield node, text


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether it is a property, whose docstring names what it is."""
    return any(ast.unparse(decorator).endswith("property") for decorator in function.decorator_list)


def returns_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    is_none = isinstance(function.returns, ast.Constant) and function.returns.value is None
    return is_none and not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def classes() -> dict[str, list[tuple[Path, ast.ClassDef]]]:
    """Every class of the product with its module, by name."""
    found: dict[str, list[tuple[Path, ast.ClassDef]]] = defaultdict(list)
    for file in (file for room in ROOMS for file in modules(room)):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append((file, node))
    return dict(found)


def attribute_names(file: Path, owner: ast.ClassDef) -> set[str]:
    """Return the fields, properties and assigned attributes of a class and of its bases.

    A base is looked up by its name: in the same module, else in all of them.
    """
    found: set[str] = set()
    for statement in owner.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(statement, ast.FunctionDef) and is_property(statement):
            found.add(statement.name)
    for node in ast.walk(owner):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            found.add(node.attr)
    for base in owner.bases:
        name = ast.unparse(base).partition("[")[0].rpartition(".")[2]
        named = [one for one in classes().get(name, []) if one[1] is not owner]
        for place, node in [one for one in named if one[0] == file] or named:
            found |= attribute_names(place, node)
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_speak_of_characters_and_objects(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {match.group()}"
        for file in modules(room)
        for line, text in docstrings(file)
        if (match := FORBIDDEN.search(text))
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_begins_with_a_relative_clause(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text[:60]}"
        for file in modules(room)
        for line, text in docstrings(file)
        if RELATIVE.match(text.strip())
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_is_a_piece_of_a_sentence(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text[:60]}"
        for file in modules(room)
        for line, text in docstrings(file)
        if text.strip().startswith("...") or text.strip().endswith("...")
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_the_summary_of_every_docstring_is_a_sentence(room: str) -> None:
    """Ruff's D415, which cannot leave out the tooltips of registered classes."""
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text[:60]}"
        for file in modules(room)
        for line, text in docstrings(file)
        if not text.strip().split("\n\n")[0].rstrip().endswith(ENDINGS)
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_tells_of_itself_in_the_third_person(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{function.lineno}: {text[:60]}"
        for file in modules(room)
        for function, text in functions(file)
        if not is_property(function) and THIRD_PERSON.match(text)
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_without_a_result_says_that_it_returns_one(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{function.lineno}: {text[:60]}"
        for file in modules(room)
        for function, text in functions(file)
        if returns_nothing(function) and RESULT.match(text)
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_attribute_that_a_docstring_lists_exists(room: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}: {owner.name}: {name}"
        for file, owner in (one for several in classes().values() for one in several)
        if file.is_relative_to(ROOT / room) and (section := ATTRIBUTES.search(ast.get_docstring(owner) or ""))
        for names in ATTRIBUTE_NAMES.findall(section.group(1))
        for name in names.split(", ")
        if name not in attribute_names(file, owner)
    ]
    assert found == []
