"""Files that may be damaged or hostile."""

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.jobs.bounded_files import (
    MAX_MEMBERS,
    ContentError,
    map_array,
    parse_json,
    parse_toml,
    read_arrays,
    read_bytes,
    read_json_object,
    read_toml,
)
from footfall.tests.support.properties import examples


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bytes(tmp_path / "file", 5) == b"12345"
    with pytest.raises(ContentError, match="larger than 0 MB"):
        read_bytes(tmp_path / "file", 4)
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "none")


def test_a_text_is_parsed_up_to_its_bound() -> None:
    assert parse_json("[1,2]", 5) == [1, 2]
    with pytest.raises(ContentError, match="larger than 0 MB"):
        parse_json("[1, 2]", 5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", [read_bytes, read_json_object, read_toml, read_arrays, map_array])
def test_pipes_and_devices_are_no_files(read: Callable[[Path], Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ContentError, match="not a regular file"):
            read(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("9" * 5000, "64 bits"),
        (str(2**63), "64 bits"),
        ("1e999", "not finite"),
        ("NaN", "not finite"),
        ("[-Infinity]", "not finite"),
        (r'{"\ud800": 1}', "an incomplete character"),
        (r'["\udc00\ud800"]', "an incomplete character"),
        ("{", "Expecting"),
        ("", "Expecting"),
    ],
)
def test_json_that_no_program_should_meet(text: str, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "9" * 5000, "integer string conversion|digits"),
        ("a = [[" + "9" * 400 + "]]", "64 bits"),
        ("a" + ".a" * 20_000 + " = 1", "nested too deeply"),
        ('"a"' + '."a"' * 20_000 + " = 1", "nested too deeply"),
        ("a = nan", "not finite"),
        ("a = -inf", "not finite"),
        ("a = ", "Invalid value"),
    ],
)
def test_toml_that_no_program_should_meet(text: str, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        parse_toml(text)


def archive(path: Path, **arrays: np.ndarray) -> Path:
    np.savez_compressed(path, allow_pickle=True, **arrays)
    return path


def test_arrays_are_read_as_numpy_writes_them(tmp_path: Path) -> None:
    arrays = {
        "rows": np.arange(12.0).reshape(3, 4),
        "columns": np.asfortranarray(np.arange(12, dtype=np.int16).reshape(3, 4)),
        "none": np.zeros((0, 3)),
        "names": np.array(["heel.L", "ball"]),
        "rate": np.float64(60.0),
    }
    read = read_arrays(archive(tmp_path / "a.npz", **arrays))
    assert read.keys() == arrays.keys()
    for name, values in arrays.items():
        np.testing.assert_array_equal(read[name], values)
        assert read[name].dtype == values.dtype and read[name].flags.writeable
    assert list(read_arrays(tmp_path / "a.npz", ["rate", "other"])) == ["rate"]


def test_an_archive_that_unpacks_without_end_is_refused_before_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three megabytes became three gigabytes."""
    monkeypatch.setattr(np, "frombuffer", lambda *arguments: pytest.fail("unpacked"))
    with pytest.raises(ContentError, match="the file is larger than 1 MB when unpacked"):
        read_arrays(archive(tmp_path / "a.npz", a=np.zeros(100_000), b=np.zeros(100_000)), None, 1 << 20)


def test_only_named_arrays_count(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.npz", a=np.ones(3), bomb=np.zeros(1_000_000))
    np.testing.assert_array_equal(read_arrays(path, ["a"], 1 << 20)["a"], 1.0)


def test_arrays_of_objects_and_headers_that_lie_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="an array contains neither numbers nor text"):
        read_arrays(archive(tmp_path / "a.npz", a=np.array([{}], dtype=object)))
    lie = io.BytesIO()
    np.lib.format.write_array_header_1_0(lie, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as file:
        file.writestr("a.npy", lie.getvalue())
    with pytest.raises(ContentError, match="an array does not have the size that its header states"):
        read_arrays(tmp_path / "b.npz")
    with zipfile.ZipFile(tmp_path / "c.npz", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("a.npy", lie.getvalue())
    with pytest.raises(ContentError, match="the file is encrypted or uses an unsupported compression method"):
        read_arrays(tmp_path / "c.npz")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "a.npz"
    return archive(path, a=np.arange(40.0), names=np.array(["a", "b"])).read_bytes()


@given(data=st.data())
@settings(max_examples=examples(150))
def test_nothing_but_a_content_error_escapes_from_damage(
    data: st.DataObject, sound: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    content = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    for read in (read_arrays, map_array, read_toml, read_json_object):
        try:
            read(path)
        except (ContentError, OSError):
            continue


def test_an_archive_with_an_array_twice_or_too_many_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    np.save(data, np.zeros(2))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file, pytest.warns(UserWarning, match="Duplicate"):
        for _ in range(2):
            file.writestr("a.npy", data.getvalue())
    with pytest.raises(ContentError, match="the file contains the same array twice"):
        read_arrays(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as file:
        for number in range(MAX_MEMBERS + 1):
            file.writestr(f"{number}.npy", b"")
    with pytest.raises(ContentError, match=f"more than {MAX_MEMBERS} arrays"):
        read_arrays(tmp_path / "b.npz")
