"""Which tests run, and in which order."""

from pathlib import Path

import pytest

from footfall.tools.build.environments import BLENDERS, is_ready


def why_left_out(item: pytest.Item, is_all: bool) -> str:
    """Why a test is left out, of all tests or of the usual ones; empty where it runs."""
    if not is_all and (marker := item.get_closest_marker("all_only")) is not None:
        return f"only with --all: {marker.args[0]}"
    if item.get_closest_marker("every_blender") is not None or is_in_newest_blender(item):
        return ""
    return "what differs between Blenders is tested elsewhere; this is not the newest that is set up"


def runs_without_shared_data(item: pytest.Item) -> bool:
    """Return whether a test behaves otherwise where there are no shared data, so that it runs once more without."""
    return item.get_closest_marker("without_shared_data") is not None and is_in_newest_blender(item)


def is_in_newest_blender(item: pytest.Item) -> bool:
    """Return whether a test runs in no Blender, or in the newest that is set up."""
    version = item.callspec.params.get("blender") if hasattr(item, "callspec") else None
    newest = max((one for one, blender in BLENDERS.items() if is_ready(blender)), default=version)
    return version in (None, newest)


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
