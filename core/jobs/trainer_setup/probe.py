"""Query of a Python for training: its version, its packages, and the graphics card that its torch can use."""

import json
import tempfile
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...errors import FootfallError
from ..child import Child

REQUIRED_MODULES: Final = ("torch", "numpy", "scipy", "safetensors", "tqdm")
"""Modules imported by training."""
_REPORT_PREFIX: Final = "FOOTFALL "

# Runs in any Python that a user may choose, however old.
_PROBE_PROGRAM: Final = f"""\
import json, os, sys
answer = {{"version": list(sys.version_info[:3]), "packages": {{}}, "broken": {{}}, "cores": os.cpu_count() or 1}}
for name in {REQUIRED_MODULES!r}:
    try:
        module = __import__(name)
        answer["packages"][name] = str(getattr(module, "__version__", "?"))
    except BaseException as error:
        answer["broken"][name] = "%s: %s" % (type(error).__name__, str(error).strip().split("\\n")[0])
if "torch" in answer["packages"]:
    try:
        import torch
        answer["built_for"] = torch.version.cuda or getattr(torch.version, "hip", None) or ""
        if torch.cuda.is_available():
            properties = torch.cuda.get_device_properties(0)
            answer["device"], answer["device_memory"] = properties.name, properties.total_memory
        elif torch.backends.mps.is_available():
            answer["device"] = "Apple GPU"
    except BaseException as error:
        answer["trouble"] = "%s: %s" % (type(error).__name__, str(error).strip().split("\\n")[0])
print("{_REPORT_PREFIX}" + json.dumps(answer))
"""


class ProbeError(FootfallError):
    """The chosen program is not a Python, or crashed."""


@dataclass(frozen=True, slots=True)
class PythonReport:
    """Version, packages and devices of a Python.

    Attributes:
        version: Python version, three numbers.
        packages: the versions of :data:`REQUIRED_MODULES`, by name.
        broken: the import error of each required module that cannot be imported, by name.
        cores: number of processor cores.
        built_for: version of CUDA or ROCm for which torch was built; empty for none.
        device: graphics card usable by torch; empty for none.
        device_memory: memory of the graphics card, bytes.
        trouble: error of torch while it searched for a graphics card; empty for none.
    """

    version: tuple[int, ...]
    packages: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    cores: int = 1
    built_for: str = ""
    device: str = ""
    device_memory: int = 0
    trouble: str = ""

    @property
    def can_train(self) -> bool:
        """True if the Python has all modules that training needs."""
        return not self.broken and set(REQUIRED_MODULES) <= self.packages.keys()


def probe_python(python: Path) -> Generator[None, None, PythonReport]:
    """Run a Python to report its version, packages and graphics card; yield ``None`` repeatedly until it has ended.

    Raises:
        FootfallError: the program cannot be started, or gives no report.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
        child = Child([python, "-c", _PROBE_PROGRAM], Path(folder) / "answer.txt")
        try:
            while child.wait_briefly() is None:
                yield
            output = child.output()
        finally:
            child.terminate()
        answers = [line for line in output.splitlines() if line.startswith(_REPORT_PREFIX)]
        if not answers:
            raise ProbeError(
                "'{python}' is not a working Python ({error}): choose another one",
                python=python,
                error=child.last_output_line(),
            )
    return _parse_report(json.loads(answers[-1].removeprefix(_REPORT_PREFIX)))


def _parse_report(report: Mapping[str, Any]) -> PythonReport:
    """Return the report that a decoded answer contains."""
    return PythonReport(**{**report, "version": tuple(report["version"])})
