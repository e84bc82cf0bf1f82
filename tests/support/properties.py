"""Numbers of hypothesis examples: few in the usual run, more with `--all`."""

import os
from typing import Final

from hypothesis import HealthCheck, settings

DEFAULT_EXAMPLES: Final = 25
ALL_TIMES: Final = 3
"""Factor of the number of examples with `--all`."""


def examples(count: int) -> int:
    """Number of examples of a property that is slow or quick: `count`, and with `--all` three times as many."""
    return ALL_TIMES * count if tests_all() else count


def tests_all() -> bool:
    """Whether everything runs, as by `python build.py test --all`."""
    return os.environ.get("FOOTFALL_ALL") == "1"


def load_profile(seed: int | str | None) -> None:
    """Choose the settings of all properties: the same examples in every run, others only with a seed."""
    settings.register_profile(
        "footfall",
        deadline=None,  # a busy machine is no reason for a test to fail
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=examples(DEFAULT_EXAMPLES),
        derandomize=seed is None,
        print_blob=True,
    )
    settings.load_profile("footfall")
