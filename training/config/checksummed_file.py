"""Files of tensors and plain numbers that end in a checksum.

The content is what ``torch.save`` writes, followed by its SHA-256 digest. Torch itself does not detect zeroed parts of
a tensor, as after a power failure.
"""

import hashlib
import io
from pathlib import Path
from typing import Any, Final

import torch

from ...core.jobs.bounded_files import open_regular

DIGEST_BYTES: Final = hashlib.sha256().digest_size


class ChecksumError(Exception):
    """Error: a file has a wrong checksum; callers handle it, users never see it."""


def to_checksummed_bytes(content: Any) -> bytes:
    """Return tensors and plain data as bytes for a file: the output of ``torch.save`` and its SHA-256 digest."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue() + hashlib.sha256(buffer.getbuffer()).digest()


def load_checksummed(source: Path | bytes, device: torch.device) -> Any:
    """Load tensors, onto a device, and plain data from checksummed bytes or a file of them, without executing code.

    Raises:
        ChecksumError: the file cannot be read, was cut off or changed, or holds more than plain data.
    """
    try:
        if isinstance(source, Path):
            with open_regular(source) as file:
                source = file.read()
        data = memoryview(source)
        content, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
        if hashlib.sha256(content).digest() != bytes(digest):
            raise ChecksumError
        return torch.load(io.BytesIO(content), map_location=device, weights_only=True)
    except MemoryError:
        raise
    except Exception as error:  # Damaged content with a valid checksum can fail anywhere in torch.
        raise ChecksumError from error
