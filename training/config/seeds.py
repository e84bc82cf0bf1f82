"""Random seeds derived from the run's seed and the current step, so that a resumed run draws the same numbers."""

import hashlib
from typing import Final

ORDER_PURPOSE: Final = "order"
GROUNDS_PURPOSE: Final = "grounds"
NOISE_PURPOSE: Final = "noise"
OBJECTS_PURPOSE: Final = "objects"


def seed_of(purpose: str, *numbers: int) -> int:
    """Return a seed for a torch generator, which always is the same for the same arguments.

    Args:
        purpose: name of the random quantity.
        numbers: the run's seed, and the stage, epoch or step in which random numbers are drawn.
    """
    digest = hashlib.blake2b(repr((purpose, *numbers)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
