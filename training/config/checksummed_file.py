"""Tensors and plain numbers in a file that tells whether it is as it was written.

It is what ``torch.save`` writes, followed by the SHA-256 digest of that. Torch itself does not notice where a part of a
tensor has become zeros, as it may when a machine loses power.
"""

import hashlib
import io
import pickle
from pathlib import Path
from typing import Any, Final

import torch

DIGEST_BYTES: Final = hashlib.sha256().digest_size


class ChecksumError(Exception):
    """The file is not what was written; never shown to anybody."""


def to_checksummed_bytes(content: Any) -> bytes:
    """Return the content as a file's bytes."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue() + hashlib.sha256(buffer.getbuffer()).digest()


def load_checksummed(source: Path | bytes, device: torch.device) -> Any:
    """What was sealed, of a file or as it is, its tensors on a device; no code of the file is run.

    Raises:
        BrokenSealError: the file cannot be read, was cut off or changed, or holds more than plain data.
    """
    try:
        data = memoryview(source if isinstance(source, bytes) else source.read_bytes())
        content, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
        if hashlib.sha256(content).digest() != bytes(digest):
            raise ChecksumError
        return torch.load(io.BytesIO(content), map_location=device, weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise ChecksumError from error
