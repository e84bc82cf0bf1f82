"""Learning-rate schedules."""

import math


def cosine_decay(progress: float) -> float:
    """Return the factor of the learning rate at a progress from 0 to 1: half a cosine wave from 1 to 0."""
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def warm_restarts(epoch: float, first_period: int) -> float:
    """Return the factor of a cosine decay that restarts after ``first_period``, then 2, 4, ... times as many epochs.

    SGDR, Loshchilov and Hutter 2017, equation 5, with T_0 = ``first_period`` and T_mult = 2; with the AdamW of 2019 it
    is AdamWR, with which NSM was trained (section 7.1 there: 10 + 20 + 40 epochs).
    """
    length = first_period
    while epoch >= length:
        epoch, length = epoch - length, 2 * length
    return cosine_decay(epoch / length)


def learning_rate_for_batch(learning_rate: float, batch: int, reference_batch: int) -> float:
    """Return the learning rate for a batch size by square-root scaling (Malladi et al. 2022).

    Args:
        learning_rate: learning rate for ``reference_batch``.
        batch: batch size of the training.
        reference_batch: batch size at which ``learning_rate`` applies; 0 for no scaling.
    """
    return learning_rate * math.sqrt(batch / reference_batch) if reference_batch else learning_rate
