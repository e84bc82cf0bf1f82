"""The pages for developers name commands, files and names that exist, and the design has every room and decision."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from footfall.cli import build_parser
from footfall.tools.build.command_line import parse
from footfall.tools.site.render import DOCS, ROOT

DEVELOPING = DOCS / "developing"
DESIGN = DEVELOPING / "design.md"
RECORDS = sorted((DEVELOPING / "decisions").glob("*.md"))
PAGES = [DESIGN, DEVELOPING / "README.md", *RECORDS]
FOLDERS = ("benchmarks", "blender_addon", "cli", "core", "demo", "docs", "presets", "requirements", "tests")
FOLDERS += ("tools", "training")
ROOMS = ("benchmarks", "blender_addon", "core", "demo", "tools", "training")
PARTS = ("Problem", "Choice", "Alternatives", "Number", "What would change it")
BLOCK = re.compile(r"^```\n((?:.*\n)*?)```$|((?:^    .*\n)+)", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
COMMAND = re.compile(r"^(?:\S*python )?(?:-P )?(build\.py|-m footfall(?:\.[\w.]+)?)(?: (.*))?$")
PLACE = re.compile(r"`(\w+)` (?:in|of) `([^`]+\.py)`")
PLACEHOLDER = re.compile(r"NAME|ROOM|NOUN|<[^>]+>")
IS_PATH = re.compile(r"^[\w<>*./-]+(/|\.(py|md|toml|txt|po|npz|safetensors))$|^[\w<>-]+(/[\w<>.-]+)+$")
IS_NAME = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(.*\))?$")
MADE = re.compile(r"^(\.venvs|\.cache|\.ci|dist|demo/out|checkpoints|clips|\.\.)/|^/")
"""Folders that commands make or read, and places outside of the repository."""


def code(page: Path) -> Iterator[str]:
    """Yield each line of a block and each span of code, without the breaks of lines."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for fenced, indented in BLOCK.findall(text):
        yield from (line.strip() for line in (fenced or indented).splitlines())
    yield from (" ".join(span.split()) for span in SPAN.findall(BLOCK.sub("", text)))


@cache
def files() -> tuple[str, ...]:
    """Paths of all files and folders, which end with a slash."""
    paths = [path for folder in FOLDERS for path in [ROOT / folder, *(ROOT / folder).rglob("*")]]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    return tuple(path.relative_to(ROOT).as_posix() + "/" * path.is_dir() for path in paths)


@cache
def sources(pattern: str) -> frozenset[str]:
    """Everything in the source code and in the settings of presets that fits a pattern."""
    named = [ROOT / name for name in files() if name.endswith((".py", ".toml"))]
    return frozenset(found for file in named for found in re.findall(pattern, file.read_text(encoding="utf-8")))


def is_there(path: str) -> bool:
    """Return whether a file or folder of that path, or with that ending of its path, exists."""
    wanted = PLACEHOLDER.sub("*", path).rstrip("/")
    return any(fnmatch(name.rstrip("/"), pattern) for pattern in (wanted, f"*/{wanted}") for name in files())


def is_accepted(program: str, arguments: str) -> bool:
    """Return whether a program exists and its parser takes these arguments."""
    if program not in ("build.py", "-m footfall"):
        return importlib.util.find_spec(program.removeprefix("-m ")) is not None
    if not arguments:
        return True
    try:
        words = shlex.split(arguments)
        parse(words) if program == "build.py" else build_parser().parse_args(words)
    except SystemExit:
        return False
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_are_those_of_the_parsers(page: Path) -> None:
    found = [match.groups("") for span in code(page) if (match := COMMAND.match(span))]
    assert [f"{program} {words}" for program, words in found if not is_accepted(program, words)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_and_folders_exist(page: Path) -> None:
    words = {word for span in code(page) for word in span.split() if word == span or word.startswith(FOLDERS)}
    paths = [word for word in sorted(words) if IS_PATH.match(word) and not MADE.match(word)]
    assert [path for path in paths if not is_there(path)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_and_options_stand_in_the_sources(page: Path) -> None:
    spans = [span for span in code(page) if IS_NAME.match(span) and not IS_PATH.match(span)]
    names = {word for span in spans for word in re.findall(r"\w+", span.partition("(")[0])}
    called = {span.partition("(")[0].rpartition(".")[2] for span in spans if "(" in span}
    options = {word for span in code(page) if span.startswith("--") for word in re.findall(r"--[a-z][\w-]*", span)}
    assert names - sources(r"\w+") == set()
    assert called - sources(r"(?:def|class|import) (\w+)") == set()
    assert options - sources(r"--[a-z][\w-]*") == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_stand_in_the_file_beside_them(page: Path) -> None:
    for name, file in PLACE.findall(" ".join(page.read_text(encoding="utf-8").split())):
        paths = [ROOT / path for path in files() if f"/{path}".endswith(f"/{file}")]
        texts = [path.read_text(encoding="utf-8") for path in paths]
        assert any(re.search(rf"\b{name}\b", text) for text in texts), f"{name} is not in {file}"


def test_the_design_has_every_room() -> None:
    rooms = {path.parent.name for room in ROOMS for path in (ROOT / room).glob("*/**/__init__.py")}
    assert rooms - {word for span in code(DESIGN) for word in re.findall(r"\w+", span)} == set()


def test_the_design_links_every_decision() -> None:
    links = re.findall(r"\]\((decisions/[^)]+)\)", DESIGN.read_text(encoding="utf-8"))
    assert sorted(links) == [f"decisions/{record.name}" for record in RECORDS]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_decision_has_its_five_parts(record: Path) -> None:
    assert tuple(re.findall(r"^\*\*([^*]+)\.\*\* ", record.read_text(encoding="utf-8"), re.MULTILINE)) == PARTS
