"""Text as editors of Windows save it, with its line ends and a mark of its coding before it, is read as any other."""

import os
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.jobs.run_folder import RunFolder
from footfall.tests.fuzz.reader import DEV, Reader
from footfall.tests.fuzz.readers import all_readers
from footfall.tests.fuzz.readers.runs import LINES

TEXTS = {"bvh", "csv", "toml", "json", "jsonl", "obj", "text", "gltf"}
MARK = b"\xef\xbb\xbf"
BY_BYTES = "run-progress"
"""The reader whose result names a byte, which is another one."""
READERS = [one for one in all_readers() if one.python == DEV and one.syntax in TEXTS and one.name != BY_BYTES]
MACHINE_MADE = {"phases-key", "lock", "trainer-python"}
"""Readers of what programs alone write, which write no mark."""


def described(value: Any) -> Any:
    """Return what can be compared of any value that a reader returns."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [described(getattr(value, field.name, None)) for field in fields(value)]
    if isinstance(value, dict):
        return [(described(key), described(entry)) for key, entry in value.items()]
    if isinstance(value, tuple | list | set | frozenset):
        return [
            described(entry) for entry in (sorted(value, key=repr) if isinstance(value, set | frozenset) else value)
        ]
    if isinstance(value, str | int | float | bool | bytes | Path | None.__class__):
        return repr(value)
    return described(vars(value)) if hasattr(value, "__dict__") else repr(value)


@pytest.mark.parametrize("reader", READERS, ids=[reader.name for reader in READERS])
def test_lines_that_end_as_on_windows_are_read_alike(reader: Reader, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / reader.file
    path.parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for content in reader.prepare(tmp_path):
        plain = content.replace(b"\r\n", b"\n")
        written = [plain, plain.replace(b"\n", b"\r\n")]
        if reader.name not in MACHINE_MADE:
            written.append(MARK + plain.replace(b"\n", b"\r\n"))
        read = []
        for data in written:
            path.write_bytes(data)
            os.utime(path, (1, 1))
            read.append(described(reader.read(path)))
        assert all(one == read[0] for one in read)


def test_reports_of_a_run_with_such_line_ends_are_the_same(tmp_path: Path) -> None:
    reports = []
    for end in (b"\n", b"\r\n"):
        (tmp_path / "progress.jsonl").write_bytes(LINES.replace(b"\n", end) + b'{"half')
        found, after = RunFolder(tmp_path).read_progress()
        reports.append(found)
        assert RunFolder(tmp_path).read_progress(after) == ([], after)
    assert reports[0] == reports[1] and len(reports[0]) == 5
