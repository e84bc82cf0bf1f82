"""Fixtures of the tests of training loops."""

from pathlib import Path

import pytest

from footfall.core.jobs.run_folder import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")
