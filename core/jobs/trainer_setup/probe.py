"""Asking a Python what it has for training: its version, its packages, and what torch can compute on."""

import json
import tempfile
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...errors import FootfallError
from ..child import Child

NEEDED: Final = ("torch", "numpy", "scipy", "safetensors", "tqdm")
"""Modules that training imports."""
_SAYS: Final = "FOOTFALL "

# For any Python that somebody may name, however old.
_PROGRAM: Final = f"""\
import json, os, sys
answer = {{"version": list(sys.version_info[:3]), "packages": {{}}, "broken": {{}}, "cores": os.cpu_count() or 1}}
for name in {NEEDED!r}:
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
print("{_SAYS}" + json.dumps(answer))
"""


class ProbeError(FootfallError):
    """The program is no Python, or it died."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a Python has.

    Attributes:
        version: three numbers.
        packages: the versions of :data:`NEEDED`, by name.
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
    def trains(self) -> bool:
        """Whether nothing is lacking."""
        return not self.broken and set(NEEDED) <= self.packages.keys()


def ask(python: Path) -> Generator[None, None, Answer]:
    """Asks a Python; yields while it thinks, which takes seconds where torch is first loaded.

    Raises:
        FootfallError: it cannot be started, or gives no answer.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
        child = Child([python, "-c", _PROGRAM], Path(folder) / "answer.txt")
        try:
            while child.look() is None:
                yield
            said = child.output()
        finally:
            child.end()
        answers = [line for line in said.splitlines() if line.startswith(_SAYS)]
        if not answers:
            raise ProbeError(f"'{python}' is no Python that works ({child.last_words()}): choose another.")
    return _read(json.loads(answers[-1].removeprefix(_SAYS)))


def _read(said: Mapping[str, Any]) -> Answer:
    return Answer(**{**said, "version": tuple(said["version"])})
