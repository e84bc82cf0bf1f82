"""How fast a network learns when, and with what batch."""

import math


def cosine(done: float) -> float:
    """From 1 to 0 along half a cosine, as ``done`` goes from 0 to 1."""
    return 0.5 * (1.0 + math.cos(math.pi * done))


def warm_restarts(epoch: float, first: int) -> float:
    """Cosines of ``first``, twice as many, four times as many ... epochs, one after the other.

    Loshchilov and Hutter, SGDR, 2017, equation 5, with T_0 = ``first`` and T_mult = 2; with their AdamW of 2019 it is
    AdamWR, with which NSM was trained (section 7.1 there: 10 + 20 + 40 epochs).
    """
    length = first
    while epoch >= length:
        epoch, length = epoch - length, 2 * length
    return cosine(epoch / length)


def rate_for_batch(rate: float, batch: int, reference: int) -> float:
    """The learning rate for a batch, where ``rate`` is right for batches of ``reference``; 0 is for any.

    It grows with the square root: Adam divides a gradient by its own noise, which falls so (Malladi et al. 2022).
    """
    return rate * math.sqrt(batch / reference) if reference else rate
