"""Asking a Python what it has for training: its version, its packages, and what torch can compute on."""

import json
import tempfile
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...errors import FootfallError
from ..child import Child

REQUIRED_MODULES: Final = ("torch", "numpy", "scipy", "safetensors", "tqdm")
"""Modules that training imports."""
_REPORT_PREFIX: Final = "FOOTFALL "

# For any Python that somebody may name, however old.
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
    """The program is no Python, or it died."""


@dataclass(frozen=True, slots=True)
class PythonReport:
    """What a Python has.

    Attributes:
        version: three numbers.
        packages: the versions of :data:`REQUIRED_MODULES`, by name.
        broken: why the others cannot be imported, by name.
        cores: of the processor.
        built_for: the version of CUDA or ROCm that torch was built for; empty for none.
        device: the graphics card that torch can use; empty for none.
        device_memory: its bytes.
        trouble: why torch could not look for one.
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
        """Whether nothing is lacking."""
        return not self.broken and set(REQUIRED_MODULES) <= self.packages.keys()


def probe_python(python: Path) -> Generator[None, None, PythonReport]:
    """Asks a Python; yields while it thinks, which takes seconds where torch is first loaded.

    Raises:
        FootfallError: it cannot be started, or gives no answer.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
        child = Child([python, "-c", _PROBE_PROGRAM], Path(folder) / "answer.txt")
        try:
            while child.wait_briefly() is None:
                yield
            said = child.output()
        finally:
            child.terminate()
        answers = [line for line in said.splitlines() if line.startswith(_REPORT_PREFIX)]
        if not answers:
            raise ProbeError(f"'{python}' is no Python that works ({child.last_output_line()}): choose another.")
    return _parse_report(json.loads(answers[-1].removeprefix(_REPORT_PREFIX)))


def _parse_report(report: Mapping[str, Any]) -> PythonReport:
    return PythonReport(**{**report, "version": tuple(report["version"])})
