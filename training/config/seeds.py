"""Everything random of a run follows from its seed and from where in the run it is, so that it can begin anywhere."""

import hashlib
from typing import Final

ORDER_PURPOSE: Final = "order"
GROUNDS_PURPOSE: Final = "grounds"
NOISE_PURPOSE: Final = "noise"


def seed_of(purpose: str, *numbers: int) -> int:
    """Return a seed for torch's generators, by what is drawn and the numbers (run's seed, stage, epoch or step) it is
    for.
    """
    digest = hashlib.blake2b(repr((purpose, *numbers)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
