"""Messages are sentences in English that know their templates; errors carry them."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.message import MAX_SHOWN_LENGTH, Message, shown
from footfall.core.models.model_file import ModelFileError
from footfall.core.motion.bvh_parser import MotionFileError

COPIES = (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))


class _RunError(FootfallError):
    pass


def test_a_message_is_its_sentence() -> None:
    said = Message("'{name}' is {length:.1f} m long.", name="Path", length=2.345)
    assert said == "'Path' is 2.3 m long." and isinstance(said, str)
    assert said.template == "'{name}' is {length:.1f} m long."
    assert said.fields == {"name": "Path", "length": 2.345}


def test_a_template_without_fields_keeps_its_braces() -> None:
    assert Message("write {part}.{side}") == "write {part}.{side}"
    assert Message("'{word}' where '}}' is expected", word="{") == "'{' where '}' is expected"


@pytest.mark.parametrize("template", ["{other}", "{name", "{name:.1f}", "{}", "{name.nothing}", "{name[x]}"])
def test_a_template_that_does_not_fit_stays(template: str) -> None:
    assert Message(template, name="Anna") == template


def test_a_field_may_be_called_like_anything() -> None:
    assert Message("{template}{self}{cls}", template=1, self=2, cls=3) == "123"


def test_a_message_of_a_message_is_the_same() -> None:
    said = Message("{count} frames", count=2)
    assert Message(said) is said
    assert Message(said, count=3) == "2 frames", "its text is a template"


def test_messages_are_joined() -> None:
    said = Message.joined("; ", [Message("{count} frames", count=2), "{Walk}"])
    assert said == "2 frames; {Walk}"
    assert [type(part) for part in said.fields.values()] == [Message, str]
    assert Message.joined("; ", []) == ""


def test_an_error_says_its_message() -> None:
    error = FootfallError("'{name}' has no faces.", name="Chair")
    assert str(error) == "'Chair' has no faces."
    assert isinstance(str(error), Message)
    assert (error.template, error.fields) == ("'{name}' has no faces.", {"name": "Chair"})


def test_an_error_in_a_blank_stands_for_its_message() -> None:
    inner = FootfallError("line {line} is empty", line=3)
    said = Message("'{path}': {error}", path=Path("a.toml"), error=inner)
    assert said == "'a.toml': line 3 is empty"
    assert said.fields["error"].template == "line {line} is empty"
    assert Message("({error})", error=ValueError("no number")) == "(no number)"


def test_errors_of_files_say_which() -> None:
    error = ModelFileError(Path("a"), Message("it has {size} MB", size=9))
    assert str(error) == "Controller file 'a': it has 9 MB"
    assert error.fields["reason"].template == "it has {size} MB"
    assert str(MotionFileError(Path("a.bvh"), None, "the file is empty")) == "Motion file 'a.bvh': the file is empty"


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(
    "error",
    [
        _RunError("'{name}' runs.", name=Message("run {number}", number=1)),
        ModelFileError(Path("a"), Message("it has {size} MB", size=9)),
        MotionFileError(Path("a.bvh"), 3, "the file is damaged"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_copied_whole(error: FootfallError, copied: Callable[[FootfallError], FootfallError]) -> None:
    again = copied(error)
    assert type(again) is type(error) and vars(again) == vars(error)
    assert (str(again), again.template, again.fields) == (str(error), error.template, error.fields)
    assert [type(value) for value in again.fields.values()] == [type(value) for value in error.fields.values()]


@pytest.mark.parametrize("copied", COPIES)
def test_messages_are_copied_whole(copied: Callable[[Message], Message]) -> None:
    said = Message("{what} of '{name}'", what=Message("{count} frames", count=2), name="Walk")
    again = copied(said)
    assert (again, again.template, again.fields) == (said, said.template, said.fields)
    assert again.fields["what"].fields == {"count": 2}


@given(st.text(), st.dictionaries(st.sampled_from(["name", "path", "count"]), st.text() | st.integers() | st.floats()))
def test_no_template_raises(template: str, fields: dict[str, object]) -> None:
    said = Message(template, **fields)
    assert said.template == template and said.fields.keys() == fields.keys()
    if not fields:
        assert said == template


@given(st.text(), st.text())
def test_braces_in_values_are_no_blanks(name: str, path: str) -> None:
    assert Message("'{name}' at '{path}'", name=name, path=path) == f"'{shown(name)}' at '{shown(path)}'"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("walk", "walk"),
        ("Läufer 歩く 🚶", "Läufer 歩く 🚶"),
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\nfootfall: done", r"a\nfootfall: done"),
        ("bad\udcff.bvh", r"bad\udcff.bvh"),
        ("\u202egpj.bvh", r"\u202egpj.bvh"),
        ("9" * 5000, "9" * MAX_SHOWN_LENGTH + "…"),
    ],
)
def test_words_of_files_command_no_terminal_and_fill_no_screen(text: str, seen: str) -> None:
    assert shown(text) == seen
    for value in (text, ValueError(text)):
        assert Message("'{name}' is gone.", name=value) == f"'{seen}' is gone."


@pytest.mark.parametrize("value", [[0] * 5000, {"key": [0] * 5000}, ("x" * 5000,)])
def test_values_of_files_fill_no_screen(value: object) -> None:
    assert Message("'{name}' is gone", name=value) == f"'{str(value)[:MAX_SHOWN_LENGTH]}…' is gone"
    assert Message("{name}", name=[1, 2]) == "[1, 2]"


def test_paths_are_shown_whole_and_messages_as_they_are() -> None:
    path = Path("/", *["folder"] * 200, "bad\udcff.bvh")
    assert Message("{path}", path=path) == str(path).replace("\udcff", r"\udcff")
    line = Message("{first}", first=Message("two\nlines {word}", word="\x1b"))
    assert line == "two\nlines \\x1b"
    endless = Path("x" * 5000)
    assert Message("{path}", path=endless) == "x" * MAX_SHOWN_LENGTH + "…"
    assert Message("{path}", path=Path("a.bvh")).fields["path"] == Path("a.bvh")
