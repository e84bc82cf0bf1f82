"""How the processes of ``torchrun`` find each other, also where some have died and all were started again.

``torchrun`` keeps one store for all of its attempts, and in it those who come again would find the addresses of the
dead. So they first agree on a name for this attempt, and keep what they tell each other under it.
"""

import time
from datetime import timedelta
from typing import Final
from uuid import uuid4

# Its functions take the group of the moment of its import as a default. Were it imported later, as optimizers do, the
# group would outlive its end, and its threads would be alive when the process ends, which aborts it now and then.
import torch.distributed.nn.functional as _  # noqa: F401  # pyright: ignore[reportUnusedImport]
from torch import distributed
from torch.distributed import PrefixStore, Store  # pyright: ignore[reportPrivateImportUsage]
from torch.distributed.rendezvous import rendezvous

PATIENCE: Final = timedelta(hours=24)
"""How long processes wait for each other: one of them may be building a data set."""
LOOK: Final = 0.02
"""Seconds between two looks at who has come."""


def join(backend: str) -> None:
    """Makes this process one of torch's default group."""
    store, rank, size = next(iter(rendezvous("env://", timeout=PATIENCE)))
    name = _named(store, size) if rank == 0 else _called(store, rank)
    distributed.init_process_group(
        backend, timeout=PATIENCE, store=PrefixStore(name, store), rank=rank, world_size=size
    )


def _named(store: Store, size: int) -> str:
    """The name that the first process gives, once all others have heard it."""
    name, missing = uuid4().hex, set(range(1, size))
    while missing:
        for rank in list(missing):
            if store.check([_here(rank)]):  # perhaps of one that has died, who answers to another call
                store.set(_answer(store.get(_here(rank)).decode()), name)
            if store.check([_heard(name, rank)]):
                missing.remove(rank)
        time.sleep(LOOK)
    return name


def _called(store: Store, rank: int) -> str:
    """The name that another process hears when it calls."""
    call = uuid4().hex
    store.set(_here(rank), call)
    name = store.get(_answer(call)).decode()
    store.set(_heard(name, rank), "yes")
    return name


def _here(rank: int) -> str:
    return f"footfall/here/{rank}"


def _answer(call: str) -> str:
    return f"footfall/answer/{call}"


def _heard(name: str, rank: int) -> str:
    return f"footfall/heard/{name}/{rank}"
