"""The add-on's tests: those of each room of `tests/addon` run in one process of each Blender that they are for."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall.tests import inside_blender
from footfall.tools.build.environments import BLENDERS, is_ready
from footfall.tools.build.testing import JUNIT

SECONDS = 900
"""The most that one process may take."""


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize(("version", "room"), inside_blender.runs())
def test_room(version: str, room: str, record_property: Callable[[str, object], None]) -> None:
    if not is_ready(BLENDERS[version]):
        pytest.skip(f"Blender {version} is not set up here")
    JUNIT.parent.mkdir(parents=True, exist_ok=True)
    junit = JUNIT.with_name(f"junit-addon-{version}-{room}.xml")
    result = inside_blender.run_room(version, room, junit, SECONDS)
    record_property("inside_blender", json.dumps(result.counts))
    print(result.output)
    if result.code != 0:
        counts = inside_blender.summed_up([result.counts])
        pytest.fail(f"{room} in Blender {version}: exit code {result.code}; {counts}\n{result.output}", pytrace=False)
    assert result.counts["tests"], "a run without tests proves nothing"


def test_a_junit_file_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    assert inside_blender.counted(file) == Counter()
    file.write_text('<testsuites><testsuite tests="5" failures="1" errors="0" skipped="2"/></testsuites>')
    counts = inside_blender.counted(file)
    assert counts == Counter(tests=5, failures=1, skipped=2, errors=0)
    assert inside_blender.summed_up([counts, counts]) == "inside Blender: 2 failed, 4 passed, 4 skipped in 2 runs"


def test_options_of_workers_are_left_out() -> None:
    given = ["-n", "2", "--dist", "worksteal", "-n4", "tests/addon", "-k", "walk"]
    assert inside_blender.without_workers(given) == ["tests/addon", "-k", "walk"]


def test_every_room_is_tested_in_the_newest_blender() -> None:
    newest = inside_blender.newest_blender()
    assert {room for version, room in inside_blender.runs() if version == newest} == set(inside_blender.rooms())
