"""The words of docstrings: what the glossary rules out is in none of the product's."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "training", "blender_addon", "cli", "benchmarks")
FORBIDDEN = re.compile(r"\b(who|whoever|somebody|nobody|anybody|someone|anyone|one's|oneself)\b", re.IGNORECASE)
RELATIVE = re.compile(r"(who|what|where|when|how|whether|which|whoever|whatever)\b", re.IGNORECASE)


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


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


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
