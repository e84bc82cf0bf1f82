"""Check the wheels of zips of the extension: `python -m footfall.tools.wheels ZIP...`."""

import posixpath
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .check import WheelReport, check_wheel
from .file_names import name_problems
from .target import Target

ZIP_NAME: Final = re.compile(r".+-(linux-x64|windows-x64|macos-arm64|macos-x64)-py(\d+)\.(\d+)\.zip")


def check_zip(path: Path) -> tuple[list[WheelReport], list[str]]:
    """Return the report about each wheel of a zip, and a sentence about each problem of the zip and of its wheels.

    Args:
        path: a zip named by its platform and its Python, as by `build.py package`.
    """
    named = ZIP_NAME.fullmatch(path.name)
    if named is None:
        return [], ["its name tells neither the platform nor the Python that it is for"]
    target = Target(named[1], (int(named[2]), int(named[3])))
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
        wheels = [name for name in names if name.endswith(".whl")]
        reports = [check_wheel(posixpath.basename(name), archive.read(name), target) for name in wheels]
    problems = list(name_problems(names))
    if manifest.get("platforms") != [target.platform]:
        problems.append(f"its manifest is not for {target.platform} alone")
    if sorted(manifest.get("wheels", [])) != sorted(f"./{name}" for name in wheels):
        problems.append("its manifest lists other wheels than it holds")
    return reports, [*problems, *(f"{report.name}: {problem}" for report in reports for problem in report.problems)]


def _summary(reports: Sequence[WheelReport]) -> Iterator[str]:
    """Yield a line about each wheel of a zip."""
    for report in reports:
        needs = ", ".join(sorted(report.system_needs, key=str.lower))
        yield f"{report.name}: {len(report.libraries)} shared libraries, which need {needs or 'nothing'} of the system"


def main(arguments: Sequence[str]) -> int:
    """Check zips, print their content, and return 1 if any has a problem, else 0."""
    failed = False
    for path in map(Path, arguments):
        reports, problems = check_zip(path)
        print(f"{path.name}: {len(reports)} wheels, {len(problems)} problems", *_summary(reports), sep="\n  ")
        for problem in problems:
            print(f"{path.name}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
