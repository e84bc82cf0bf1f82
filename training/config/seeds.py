"""Seeds derived from the run's seed and the position in the run, so that a run can continue from any step."""

import hashlib
from typing import Final

ORDER_PURPOSE: Final = "order"
GROUNDS_PURPOSE: Final = "grounds"
NOISE_PURPOSE: Final = "noise"
OBJECTS_PURPOSE: Final = "objects"


def seed_of(purpose: str, *numbers: int) -> int:
    """Return a seed for torch's generators.

    Args:
        purpose: what is drawn.
        numbers: the run's seed and the stage, epoch or step that the draw belongs to.
    """
    digest = hashlib.blake2b(repr((purpose, *numbers)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
