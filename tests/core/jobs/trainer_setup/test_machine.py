"""What the standard library tells of a machine."""

import os
import shutil
from pathlib import Path

import pytest

from footfall.core.jobs.trainer_setup import machine


def test_memory_is_pages_times_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.__getitem__)
    assert machine.total_memory() == 4096000

    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", unknown)
    assert machine.total_memory() is None


def test_a_folder_in_which_no_file_can_be_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.write_error(tmp_path) is None and not list(tmp_path.iterdir())
    for error, words in ((PermissionError(13, "Permission denied"), "Permission denied"), (OSError("odd"), "odd")):

        def refuse(error: OSError = error, **options: object) -> None:
            raise error

        monkeypatch.setattr("tempfile.TemporaryFile", refuse)
        assert machine.write_error(tmp_path) == words


def test_a_driver_is_known_by_its_program_or_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, file, known in ((None, False, False), ("/usr/bin/nvidia-smi", False, True), (None, True, True)):
        monkeypatch.setattr(shutil, "which", lambda name, found=program: found)
        monkeypatch.setattr(Path, "exists", lambda path, there=file: there)
        assert machine.has_nvidia_driver() == known
