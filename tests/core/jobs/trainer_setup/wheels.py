"""Wheels of packages that do nothing, made on the spot."""

import zipfile
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, program: str = "") -> Path:
    """A wheel of one module of the package's name, which says its version."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"__version__ = {version!r}\n{program}",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(file, text)
    return path


def write_requirements(folder: Path, *lines: str) -> Path:
    """A requirements file that names another, as the trainer's does."""
    (folder / "bundled.txt").write_text("# What both need.\nfootstep==1.0.0\n")
    path = folder / "training.txt"
    path.write_text("\n".join(["-r bundled.txt", "-c constraints.txt", *lines, ""]))
    (folder / "constraints.txt").write_text("leg_work==2.0\nneverasked==3.1\n")
    return path
