"""Rendezvous of the processes of ``torchrun``, including restarts.

``torchrun`` keeps one store for all its attempts, in which restarted processes would find the addresses of dead ones.
They therefore first agree on a name for the attempt, by a handshake with a nonce, and prefix their messages with it.
"""

import time
from datetime import timedelta
from typing import Final
from uuid import uuid4

# Its functions bind the current group as a default at import. A later import, as by optimizers, would keep the group
# alive after its end; its threads would then still run at process exit, which sometimes aborts.
import torch.distributed.nn.functional as _  # noqa: F401  # pyright: ignore[reportUnusedImport]
from torch import distributed
from torch.distributed import PrefixStore, Store  # pyright: ignore[reportPrivateImportUsage]
from torch.distributed.rendezvous import rendezvous

RENDEZVOUS_TIMEOUT: Final = timedelta(hours=24)
"""Longest time that processes wait for each other; the leader may be building a data set."""
POLL_INTERVAL_S: Final = 0.02
"""Seconds between two checks for joined processes."""


def join_process_group(backend: str) -> None:
    """Make this process a member of torch's default process group, once all processes have arrived.

    ``backend`` is the name of a torch backend, such as ``"gloo"``.
    """
    store, rank, size = next(iter(rendezvous("env://", timeout=RENDEZVOUS_TIMEOUT)))
    name = _announce_attempt(store, size) if rank == 0 else _request_attempt(store, rank)
    distributed.init_process_group(
        backend, timeout=RENDEZVOUS_TIMEOUT, store=PrefixStore(name, store), rank=rank, world_size=size
    )


def _announce_attempt(store: Store, size: int) -> str:
    """Announce a new attempt to form the group; return its name once all other processes have acknowledged it."""
    name, missing = uuid4().hex, set(range(1, size))
    while missing:
        for rank in list(missing):
            if store.check([_presence_key(rank)]):  # A dead process's request is harmless, since its nonce differs.
                store.set(_answer_key(store.get(_presence_key(rank)).decode()), name)
            if store.check([_acknowledgement_key(name, rank)]):
                missing.remove(rank)
        time.sleep(POLL_INTERVAL_S)
    return name


def _request_attempt(store: Store, rank: int) -> str:
    """Ask the leader for the current attempt to form the group, and return its name."""
    call = uuid4().hex
    store.set(_presence_key(rank), call)
    name = store.get(_answer_key(call)).decode()
    store.set(_acknowledgement_key(name, rank), "yes")
    return name


def _presence_key(rank: int) -> str:
    """Return the store key under which a process requests an attempt."""
    return f"footfall/here/{rank}"


def _answer_key(request: str) -> str:
    return f"footfall/answer/{request}"


def _acknowledgement_key(name: str, rank: int) -> str:
    """Return the store key under which a process acknowledges an attempt."""
    return f"footfall/heard/{name}/{rank}"
