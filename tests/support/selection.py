"""Which tests run, and in which order."""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from footfall import build


def why_only_all(item: pytest.Item) -> str:
    """Why a test is left to `python build.py test --all`; empty where it always runs."""
    if (marker := item.get_closest_marker("all_only")) is not None:
        return str(marker.args[0])
    version = item.callspec.params.get("blender") if hasattr(item, "callspec") else None
    if version is None or item.get_closest_marker("every_blender") is not None:
        return ""
    newest = max((one for one, blender in build.BLENDERS.items() if build.is_ready(blender)), default=version)
    return "" if version == newest else f"what differs between Blenders is tested elsewhere; this one is {version}"


SHARED_DATA_WORDS: Final = re.compile(
    r"\b(shared_data|SHARED|inside_blender|support\.clips|faults\.scenario|readers\.corpus|benchmarks\.(judge|strips)|make\.py)\b"
)
"""Words of a test module that looks for the shared data, or runs what does."""


@cache
def looks_for_shared_data(module: Path) -> bool:
    """Return whether a test module behaves otherwise where there are no shared data, by its words."""
    return SHARED_DATA_WORDS.search(module.read_text("utf-8")) is not None


def dealt(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in such an order that each of two processes begins with slow ones, a module in one piece.

    `--dist worksteal` gives the first half to one process and the second half to the other, and whoever is through
    first takes over from the end of what the other one has left: quick tests, so that both end together.
    """
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    slow = {path: sum(is_slow(item) for item in tests) for path, tests in modules.items()}
    heaviest_first = sorted(modules, key=lambda path: -slow[path])
    heavy = [path for path in heaviest_first if slow[path]]
    halves = [[item for path in heavy[first::2] for item in modules[path]] for first in (0, 1)]
    for path in heaviest_first[len(heavy) :]:
        halves[len(halves[0]) > len(items) // 2].extend(modules[path])
    return halves[0] + halves[1]


def is_slow(item: pytest.Item) -> bool:
    """Whether the test takes more than about ten seconds, and runs."""
    return item.get_closest_marker("slow") is not None and item.get_closest_marker("skip") is None
