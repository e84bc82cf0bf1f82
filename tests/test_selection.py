"""Which tests only `--all` runs, and how the others are dealt out to two processes."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from footfall.tests.support import properties, selection
from footfall.tests.support.selection import dealt, runs_without_shared_data, why_left_out
from footfall.tools.build.environments import BLENDERS
from footfall.tools.build.folders import ROOT


def item(module: str = "test_a.py", *marks: pytest.MarkDecorator, blender: str | None = None) -> Any:
    """Stands in for a test of a module with some marks, in a Blender or in none."""
    marked = {decorator.mark.name: decorator.mark for decorator in marks}
    result = SimpleNamespace(path=Path(module), get_closest_marker=marked.get)
    if blender is not None:
        result.callspec = SimpleNamespace(params={"blender": blender})
    return result


@pytest.fixture
def both_blenders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "is_ready", lambda _environment: True)


@pytest.mark.usefixtures("both_blenders")
class TestLeftOut:
    def test_marked_tests_are_left_out_with_their_reason(self) -> None:
        marked = item("test_a.py", pytest.mark.all_only("another one runs"))
        assert why_left_out(marked, is_all=False) == "only with --all: another one runs"
        assert why_left_out(marked, is_all=True) == "" == why_left_out(item(), is_all=False)

    @pytest.mark.parametrize("is_all", [False, True])
    def test_a_test_in_blender_runs_in_the_newest(self, is_all: bool) -> None:
        assert why_left_out(item(blender="5.2"), is_all) == ""
        assert "newest" in why_left_out(item(blender="4.5"), is_all)
        assert why_left_out(item("test_a.py", pytest.mark.every_blender, blender="4.5"), is_all) == ""

    def test_an_older_one_is_used_without_the_newest(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(selection, "is_ready", lambda environment: environment is BLENDERS["4.5"])
        assert why_left_out(item(blender="4.5"), is_all=False) == ""

    def test_only_marked_tests_run_without_shared_data(self) -> None:
        mark = pytest.mark.without_shared_data
        assert runs_without_shared_data(item("test_a.py", mark)) and not runs_without_shared_data(item())
        assert runs_without_shared_data(item("test_a.py", mark, blender="5.2"))
        assert not runs_without_shared_data(item("test_a.py", mark, pytest.mark.every_blender, blender="4.5"))


def test_whoever_looks_for_the_shared_data_runs_without_them_too() -> None:
    """Others ask for them by the fixture `shared_data` or the mark `needs_clips`, and are skipped without them."""
    modules = {file: file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")}
    own = {file.name for file, text in modules.items() if "folders import SHARED" in text}
    marked = {file.name for file, text in modules.items() if "without_shared_data" in text}
    assert own - marked - {Path(__file__).name} == set()


class TestOrder:
    @staticmethod
    def modules(items: Sequence[Any]) -> list[str]:
        return [str(one.path) for one in items]

    def test_both_processes_begin_with_slow_tests_and_end_with_quick_ones(self) -> None:
        slow, left_out = pytest.mark.slow, pytest.mark.skip
        items = [item("quick"), item("a", slow), *(item(f"other {number}") for number in range(8)), item("b", slow)]
        items += [item("c", slow, left_out), item("d", slow), item("d", slow)]
        dealt_out = dealt(items)
        assert sorted(map(id, dealt_out)) == sorted(map(id, items))
        first, second = dealt_out[: len(items) // 2], dealt_out[len(items) // 2 :]
        assert self.modules(first)[:3] == ["d", "d", "b"]
        assert "a" in self.modules(second)[:2]
        assert {"a", "b", "d"}.isdisjoint(self.modules(second)[-3:] + self.modules(first)[-3:])

    def test_a_module_stays_in_one_piece_in_its_order(self) -> None:
        items = [item(name) for name in "abcabcabc"]
        assert self.modules(dealt(items)) == list("aaabbbccc")


class TestProperties:
    def test_slow_ones_have_fewer_examples(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FOOTFALL_ALL", "")
        assert [properties.examples(count) for count in (5, 25, 400)] == [5, 25, 400]

    def test_with_all_every_one_has_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FOOTFALL_ALL", "1")
        assert [properties.examples(count) for count in (5, 25)] == [15, 75]
