"""``python -m footfall`` with a count of optimizer steps in a file and, on request, loss of the device at one of them.

Arguments: the file of the count, the step before which the device is lost (-1: never), then the arguments of
``footfall``.
"""

import os
import sys
from mmap import mmap
from pathlib import Path
from struct import pack, unpack
from typing import Final

SIZE: Final = 8
LOST: Final = "CUDA error: device lost\nCUDA kernel errors might be asynchronously reported at some other API call."


def read_count(path: Path) -> int:
    """Return the number of steps done, even after a process killed during writing."""
    return unpack("<q", path.read_bytes())[0]


def write_count(path: Path) -> None:
    """Set the count to 0; a concurrent reader finds a whole number."""
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(bytes(SIZE))
    fresh.replace(path)


def main(arguments: list[str]) -> int:
    """Run ``footfall``; return its exit code."""
    from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

    from ..cli import main as footfall

    count_path, lost_at, *rest = arguments
    if rest[0] == "-m":  # the call form of a Python
        rest = rest[2:]
    write_count(Path(count_path))
    with Path(count_path).open("r+b") as file, mmap(file.fileno(), SIZE) as count:

        def lose(*_: object) -> None:
            if unpack("<q", count)[0] == int(lost_at):
                raise device_error()

        def step(*_: object) -> None:
            count[:] = pack("<q", unpack("<q", count)[0] + 1)

        register_optimizer_step_pre_hook(lose)
        register_optimizer_step_post_hook(step)
        return footfall(rest)


def device_error() -> RuntimeError:
    """Return torch's error for the loss of a GPU."""
    import torch

    return getattr(torch, "AcceleratorError", RuntimeError)(LOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
