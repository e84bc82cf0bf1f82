"""Trainers in processes of their own that something happens to; the benchmark of this name has it happen more often."""

import os
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks import run_faults
from footfall.benchmarks.interrupted import SETTINGS, Bench, NotPossible

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no kill -9")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, walks: list[Path]) -> Bench:
    return Bench.make(
        tmp_path_factory.mktemp("interruptions"), walks[:2], (*SETTINGS, "epochs=10", "unroll_epochs=5", "rollouts=0")
    )


@pytest.mark.slow
@pytest.mark.all_only("killed commands are tested in tests/faults")
def test_a_killed_run_goes_on_as_if_nothing_had_happened(bench: Bench):
    fault = run_faults.killed_while_saving
    name = fault.__name__
    try:
        [outcome] = fault(bench, bench.run(name), np.random.default_rng([1, *name.encode()]))
    except NotPossible as reason:
        pytest.skip(str(reason))
    assert (outcome.told, outcome.unreadable, outcome.resumed, outcome.equal) == (True, 0, True, True)
    assert 0 <= outcome.lost < bench.total
