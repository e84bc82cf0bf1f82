"""Names of files that are made of users' texts are names on every system."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from footfall.core.jobs.file_names import disk_key, safe_file_name
from footfall.tools.wheels.file_names import name_problems

TEXTS = (
    *(
        "Walk",
        "Jörg Müller",
        "步く",
        "a/b\\c",
        "C:\\Users\\x",
        "\\\\server\\share\\x",
        "walk: slow?",
        '<"|*>',
        "tab\there",
    ),
    *("CON", "con.bvh", "Aux", "NUL.tar.gz", "com1", "LPT9.x", "COM¹", "CONIN$", "con .x", "prn-2", "console"),
    *("end.", "end ", " . ", "...", "", "_", ".hidden", "x" * 300, "ü" * 300, "a" * 99 + ".b", "\u0301"),
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("suffix", ["", ".bvh", ".labels.npz"])
def test_a_name_of_any_text_is_one_on_every_system(text: str, suffix: str) -> None:
    name = safe_file_name(text)
    assert list(name_problems([f"{name}{suffix}"])) == [] and PurePosixPath(name).name == name
    assert (
        safe_file_name(name).lstrip("_") == name.lstrip("_") and len(f".{name}.999999-abcdef012345.part".encode()) < 255
    )


def test_paths_that_are_one_file_on_disks_without_case_have_one_key() -> None:
    assert disk_key(PureWindowsPath("C:\\Clips\\Walk.bvh")) == disk_key(PureWindowsPath("c:\\clips\\walk.BVH"))
    assert disk_key(PurePosixPath("caf\u00e9.bvh")) == disk_key(PurePosixPath("cafe\u0301.bvh"))
    assert disk_key(PurePosixPath("a/walk.bvh")) != disk_key(PurePosixPath("b/walk.bvh"))
