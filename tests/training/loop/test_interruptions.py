"""Trainers in processes of their own that something happens to; the benchmark of this name has it happen more often."""

import os
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks import run_faults
from footfall.benchmarks.interrupted import SETTINGS, Bench, NotPossible
from footfall.benchmarks.run_faults import Fault

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no kill -9")

OTHER_FAULTS = pytest.mark.all_only("one fault always happens to a whole trainer, the others in test_training.py")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, walks: list[Path]) -> Bench:
    return Bench.make(
        tmp_path_factory.mktemp("interruptions"), walks[:2], (*SETTINGS, "epochs=10", "unroll_epochs=5", "rollouts=0")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(run_faults.killed_while_building, marks=OTHER_FAULTS),
        run_faults.killed_while_saving,
        pytest.param(run_faults.full_disk, marks=OTHER_FAULTS),
    ],
)
def test_a_run_goes_on_as_if_nothing_had_happened(bench: Bench, fault: Fault):
    name = fault.__name__
    try:
        [outcome] = fault(bench, bench.run(name), np.random.default_rng([1, *name.encode()]))
    except NotPossible as reason:
        pytest.skip(str(reason))
    assert (outcome.told, outcome.unreadable, outcome.resumed, outcome.equal) == (True, 0, True, True)
    assert 0 <= outcome.lost < bench.total


@pytest.mark.parametrize("seed", range(20))
def test_damage_is_done(tmp_path: Path, seed: int):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(1, 256)) * 100)
    run_faults.damage(path, np.random.default_rng(seed))
    assert path.read_bytes() != bytes(range(1, 256)) * 100
