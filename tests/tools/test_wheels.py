"""The wheels of a zip, checked without the system that they are for."""

import importlib.util
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from footfall.tests.support.libraries import (
    ARM64_PE,
    X86_64_MACH_O,
    macos_library,
    wheel_bytes,
    windows_library,
)
from footfall.tools.wheels.__main__ import main
from footfall.tools.wheels.check import check_wheel
from footfall.tools.wheels.file_names import name_problems
from footfall.tools.wheels.target import Target, keeps_promise, promised_system

WINDOWS, MACOS = Target("windows-x64", (3, 11)), Target("macos-arm64", (3, 13))
LINUX = Target("linux-x64", (3, 11))
WINDOWS_TAG, MACOS_TAG = "cp311-cp311-win_amd64", "cp310-abi3-macosx_11_0_arm64"
SYSTEM = "/usr/lib/libSystem.B.dylib"


def problems(
    files: Mapping[str, bytes], target: Target, tag: str, listed: Mapping[str, bytes] | None = None
) -> list[str]:
    return check_wheel(f"thing-1.0-{tag}.whl", wheel_bytes(files, tag, listed), target).problems


def installed_library(package: str, pattern: str) -> bytes:
    """A real shared library of Linux, of a package in this environment."""
    found = importlib.util.find_spec(package)
    assert found is not None and found.origin is not None
    return next(Path(found.origin).parent.glob(pattern)).read_bytes()


@pytest.mark.parametrize(
    ("target", "fits", "does_not"),
    [
        (WINDOWS, "cp311-cp311-win_amd64", "cp311-cp311-win_arm64"),
        (WINDOWS, "cp310-abi3-win_amd64", "cp313-cp313-win_amd64"),
        (MACOS, "cp313-cp313-macosx_12_0_arm64", "cp313-cp313-macosx_13_0_arm64"),
        (MACOS, "cp313-cp313-macosx_11_0_universal2", "cp313-cp313-macosx_10_14_x86_64"),
        (LINUX, "cp311-cp311-manylinux_2_28_x86_64", "cp311-cp311-manylinux_2_34_x86_64"),
        (LINUX, "cp311-cp311-manylinux2014_x86_64", "cp311-cp311-musllinux_1_2_x86_64"),
    ],
)
def test_tags_fit_the_platform_and_the_python_of_the_zip(target: Target, fits: str, does_not: str) -> None:
    assert problems({}, target, fits) == []
    python = f"{target.python[0]}.{target.python[1]}"
    assert problems({}, target, does_not) == [f"its tags do not fit {target.platform} with Python {python}"]


def test_names_and_contents_that_are_no_wheel_are_told() -> None:
    assert "wheel filename" in check_wheel("thing.whl", b"", LINUX).problems[0]
    told = check_wheel("thing-1.0-py3-none-any.whl", b"no zip", LINUX).problems
    assert [problem.startswith("it cannot be unpacked") for problem in told] == [True]


def test_the_list_of_files_is_held_against_the_files() -> None:
    files = {"a.py": b"a", "b.py": b"b"}
    listed = {"a.py": b"other", "c.py": b"c"}
    assert problems(files, LINUX, "py3-none-any", listed) == [
        "'c.py' is in RECORD alone",
        "'a.py' is not what RECORD says",
        "'b.py' is not in RECORD",
    ]
    renamed = wheel_bytes({}, "py3-none-any")
    assert check_wheel("thing-1.0-cp311-cp311-win_amd64.whl", renamed, WINDOWS).problems == [
        "its file WHEEL names other tags than its file name"
    ]


@pytest.mark.parametrize(
    "name",
    [
        "con",
        "lib/CON.py",
        "nul.txt",
        "COM1",
        "lpt9.h",
        "COM¹",
        "a:b",
        "what?.py",
        "end.",
        "end ",
        "x/ /y",
        "a//b",
        "q" * 201,
    ],
)
def test_names_that_windows_refuses_are_told(name: str) -> None:
    assert len(list(name_problems([name]))) == 1


def test_names_that_are_the_same_on_some_disks_are_told() -> None:
    assert list(name_problems(["presets/Walk.bvh", "presets/walk.bvh"])) == [
        "'presets/walk.bvh' and 'presets/Walk.bvh' are the same file on disks that know no case"
    ]
    assert len(list(name_problems(["caf\u00e9", "cafe\u0301"]))) == 1, "as disks of macOS compare them"
    assert list(name_problems(["console.py", "auxiliary.py", "com.py", "lib/nuller/a.b", ".hidden"])) == []


def test_what_a_library_of_windows_needs_is_the_systems_blenders_or_in_the_wheel() -> None:
    needs = {"KERNEL32.dll": ["Sleep"], "api-ms-win-crt-heap-l1-1-0.dll": ["malloc"], "python311.dll": ["PyLong_Type"]}
    needs |= {"VCRUNTIME140.dll": ["memcpy"], "python3.dll": ["PyErr_Clear"], "blas-12ab.dll": ["dgemm"]}
    files = {
        "thing/core.pyd": windows_library(needs),
        "thing.libs/BLAS-12ab.dll": windows_library({"ntdll.dll": ["NtReadFile"]}, ["dgemm", "sgemm"]),
        "thing/__init__.py": b"os.add_dll_directory(os.path.join(here, 'thing.libs'))",
    }
    assert problems(files, WINDOWS, WINDOWS_TAG) == []
    hidden = files | {"thing/__init__.py": b""}
    assert problems(hidden, WINDOWS, WINDOWS_TAG) == [
        "'thing/core.pyd' needs blas-12ab.dll, which is neither in the wheel nor a part of Blender or the system"
    ]
    poor = files | {"thing.libs/BLAS-12ab.dll": windows_library({}, ["sgemm"])}
    assert problems(poor, WINDOWS, WINDOWS_TAG) == [
        "'thing/core.pyd' needs dgemm of 'thing.libs/BLAS-12ab.dll', which has none"
    ]
    assert len(problems(files, Target("windows-x64", (3, 13)), WINDOWS_TAG)) == 2, "its tag and python311.dll"


def test_what_a_library_of_macos_needs_is_found_as_its_loader_does() -> None:
    bundled = macos_library([SYSTEM], system=(10, 9))
    near = {
        "thing/core.so": macos_library([SYSTEM, "@loader_path/../.dylibs/blas.dylib"]),
        ".dylibs/blas.dylib": bundled,
    }
    by_path = {"thing/core.so": macos_library(["@rpath/blas.dylib"], ["/nowhere", "@loader_path/lib"])}
    assert problems(near, MACOS, MACOS_TAG) == []
    assert problems(by_path | {"thing/lib/blas.dylib": bundled}, MACOS, MACOS_TAG) == []
    assert problems(by_path | {"thing/blas.dylib": bundled}, MACOS, MACOS_TAG) == [
        "'thing/core.so' needs @rpath/blas.dylib, which is neither in the wheel nor a part of Blender or the system"
    ]
    homebrew = {"thing/core.so": macos_library(["/opt/homebrew/lib/libomp.dylib"])}
    assert len(problems(homebrew, MACOS, MACOS_TAG)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the libraries of this environment are not of Linux")
def test_the_libraries_of_linux_in_this_environment_are_read() -> None:
    files = {"safetensors/_rust.so": installed_library("safetensors", "*.so")}
    assert problems(files, LINUX, "cp310-abi3-manylinux_2_17_x86_64") == []
    old = problems(files, LINUX, "cp310-abi3-manylinux_2_5_x86_64")
    assert "needs version 2." in old[0] and "the wheel's tag says 2.5" in old[0]
    alone = {"scipy/linalg/_flapack.so": installed_library("scipy", "linalg/_flapack*.so")}
    needs = problems(alone, LINUX, "cp311-cp311-manylinux_2_28_x86_64")
    assert [need for need in needs if "openblas" in need and "neither in the wheel" in need]
    assert len(problems({"core.so": files["safetensors/_rust.so"]}, WINDOWS, WINDOWS_TAG)) > 1


def test_a_library_for_another_machine_or_system_is_told() -> None:
    arm = problems({"core.pyd": windows_library({}, machine=ARM64_PE)}, WINDOWS, WINDOWS_TAG)
    assert arm == ["'core.pyd' is for another machine (PE, arm64)"]
    intel = problems({"core.so": macos_library([SYSTEM], machine=X86_64_MACH_O)}, MACOS, MACOS_TAG)
    assert intel == ["'core.so' is for another machine (Mach-O, x86_64)"]
    wrong = problems({"core.so": macos_library([])}, WINDOWS, WINDOWS_TAG)
    assert wrong == ["'core.so' is for another machine (Mach-O, arm64)"]
    newer = problems({"core.so": macos_library([SYSTEM], system=(12, 3))}, MACOS, MACOS_TAG)
    assert newer == ["'core.so' needs version 12.3 of the system, the wheel's tag says 11.0"]


def test_from_macos_11_on_a_tag_promises_a_major_version() -> None:
    tags = {str(tag): promised_system(tag) for target in (MACOS, LINUX, WINDOWS) for tag in target.tags()}
    assert tags["cp313-cp313-macosx_12_0_arm64"] == (12, 0) and tags["cp311-cp311-manylinux2014_x86_64"] == (2, 17)
    assert tags["cp311-cp311-win_amd64"] == ()
    library = check_wheel(
        f"thing-1.0-{MACOS_TAG}.whl", wheel_bytes({"a.so": macos_library([], system=(12, 3))}, MACOS_TAG), MACOS
    ).libraries["a.so"]
    assert keeps_promise(library, (12, 0)) and not keeps_promise(library, (11, 0)) and keeps_promise(library, ())


def test_a_zip_is_held_against_its_name_and_its_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = f"wheels/thing-1.0-{WINDOWS_TAG}.whl"
    path = tmp_path / "footfall-0.1.0-windows-x64-py3.11.zip"

    def write(**changes: str) -> None:
        said = {"platforms": '["windows-x64"]', "wheels": f'["./{wheel}"]'} | changes
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("blender_manifest.toml", "".join(f"{key} = {value}\n" for key, value in said.items()))
            archive.writestr(
                wheel, wheel_bytes({"core.pyd": windows_library({"KERNEL32.dll": ["Sleep"]})}, WINDOWS_TAG)
            )

    write()
    assert main([str(path)]) == 0
    said = capsys.readouterr()
    assert "1 shared libraries, which need KERNEL32.dll of the system" in said.out and said.err == ""
    write(platforms='["linux-x64"]', wheels="[]")
    assert main([str(path)]) == 1
    said = capsys.readouterr()
    assert "its manifest is not for windows-x64 alone" in said.err
    assert "its manifest lists other wheels than it holds" in said.err
    assert main([str(path.rename(tmp_path / "other.zip"))]) == 1
    assert "its name tells neither the platform" in capsys.readouterr().err
