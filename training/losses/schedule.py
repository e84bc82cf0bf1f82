"""How fast a network learns when, and with what batch."""

import math


def cosine_decay(progress: float) -> float:
    """From 1 to 0 along half a cosine, as ``progress`` goes from 0 to 1."""
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def warm_restarts(epoch: float, first_period: int) -> float:
    """Cosines of ``first_period``, twice as many, four times as many ... epochs, one after the other.

    Loshchilov and Hutter, SGDR, 2017, equation 5, with T_0 = ``first_period`` and T_mult = 2; with their AdamW of 2019 it is
    AdamWR, with which NSM was trained (section 7.1 there: 10 + 20 + 40 epochs).
    """
    length = first_period
    while epoch >= length:
        epoch, length = epoch - length, 2 * length
    return cosine_decay(epoch / length)


def learning_rate_for_batch(learning_rate: float, batch: int, reference_batch: int) -> float:
    """Return the learning rate for a batch, where ``learning_rate`` is right for batches of ``reference_batch``; 0 is
    for any.

    It grows with the square root: Adam divides a gradient by its own noise, which falls so (Malladi et al. 2022).
    """
    return learning_rate * math.sqrt(batch / reference_batch) if reference_batch else learning_rate
