"""The style sheet on the command line and in the trainer: help and errors in the words of the field."""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

from footfall import cli
from footfall.tests.support.style_sheet import FORBIDDEN_WORDS

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "training", "cli", "blender_addon/app/command_line")
ERROR = re.compile(r"\w*Error|Message|error")
"""Names of what is called with a sentence for the user."""
LONGEST_HELP = 110


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in dict.fromkeys(action.choices.values()):
                yield from parsers(inner)


def helps() -> dict[str, str]:
    """The help of every command and option: where it stands, and the text."""
    found: dict[str, str] = {}
    for parser in parsers(cli.build_parser()):
        for action in parser._actions:
            name = "/".join(action.option_strings) or action.dest
            if action.help and action.help is not argparse.SUPPRESS:
                found[f"{parser.prog} {name}"] = action.help
            if isinstance(action, argparse._SubParsersAction):
                found |= {f"{parser.prog} {inner.dest}": inner.help or "" for inner in action._choices_actions}
    return found


def sentences() -> dict[str, str]:
    """The sentences of errors and messages: file and line, and the text."""
    found: dict[str, str] = {}
    for file in (file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ERROR.fullmatch(ast.unparse(call.func).rpartition(".")[2]):
                for text in (node for node in call.args if isinstance(node, ast.Constant)):
                    if isinstance(text.value, str) and " " in text.value:
                        found[f"{file.relative_to(ROOT)}:{text.lineno}"] = text.value
    return found


def test_help_and_errors_are_found() -> None:
    assert len(helps()) > 150 and len(sentences()) > 400


def test_nothing_has_a_final_period() -> None:
    texts = {**helps(), **sentences()}
    assert {where: text for where, text in texts.items() if text.endswith(".") and not text.endswith("...")} == {}


def test_help_is_short() -> None:
    assert {where: text for where, text in helps().items() if len(text) > LONGEST_HELP} == {}


def test_everything_has_the_words_of_the_field() -> None:
    texts = {**helps(), **sentences()}
    assert {where: text for where, text in texts.items() if FORBIDDEN_WORDS.search(text)} == {}
