"""Shares work among processes of this machine, or the workers of a scheduler of Dask; what comes of it is the same.

A task has a key, by which its result is told, and what it is about, which is fetched when its turn comes: little of a
long work lies in memory at once. What a lost worker had is made by another.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from ..errors import BadInput

WAITING = 4
"""Tasks that are handed out a process."""
ON_SCHEDULER = 256
"""Tasks that are handed out to a scheduler's workers, however many those are."""

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")


def check_jobs(jobs: str) -> None:
    """BadInput when `jobs` is neither a number of processes nor an address."""
    if "://" not in jobs and not (jobs.isdecimal() and 1 <= int(jobs) <= 1024):
        raise BadInput(
            f"--jobs {jobs}: give a number of processes, or the address of a scheduler such as tcp://HOST:8786"
        )


def shared(work: Callable[[T], R], keys: Iterable[K], fetch: Callable[[K], T], jobs: str) -> Iterator[tuple[K, R]]:
    """Yield each key with what `work` returns of what is fetched for it, in the order in which that comes.

    `jobs` is a number of processes of this machine, or the address of a scheduler. `work`, what it takes and what it
    gives can be pickled. BadInput when no scheduler is there.
    """
    if "://" in jobs:
        yield from _on_scheduler(work, keys, fetch, jobs)
    elif jobs == "1":
        for key in keys:
            yield key, work(fetch(key))
    else:
        yield from _here(work, keys, fetch, int(jobs))


def _here(work: Callable[[T], R], keys: Iterable[K], fetch: Callable[[K], T], processes: int) -> Iterator[tuple[K, R]]:
    left = dict.fromkeys(keys)
    while left:
        try:
            with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
                coming = iter(list(left))

                def submit(key: K, pool: ProcessPoolExecutor = pool) -> "Future[R]":
                    return pool.submit(work, fetch(key))

                going = {submit(key): key for key in islice(coming, WAITING * processes)}
                while going:
                    finished, _ = wait(going, return_when=FIRST_COMPLETED)
                    for future in finished:
                        key = going.pop(future)
                        result = future.result()
                        del left[key]
                        yield key, result
                        going |= {submit(each): each for each in islice(coming, 1)}
        except BrokenProcessPool:
            # Somebody has killed a worker; its tasks are done anew.
            continue


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise BadInput("a scheduler needs the extra `study`: pip install 'wallwright[study]'") from error

    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise BadInput(f"no scheduler answers at {address}: start one with `wallwright study scheduler`") from error
    with client:
        yield client


def _on_scheduler(
    work: Callable[[T], R], keys: Iterable[K], fetch: Callable[[K], T], address: str
) -> Iterator[tuple[K, R]]:
    with _client(address) as client:
        from distributed import as_completed

        coming = iter(keys)

        def submit(key: K) -> Any:
            # A lost worker's tasks are done by others.
            return client.submit(work, fetch(key), retries=10, pure=False)

        going = {future.key: (future, key) for key in islice(coming, ON_SCHEDULER) for future in (submit(key),)}
        done = as_completed([future for future, _ in going.values()])
        for future in done:
            _, key = going.pop(future.key)
            yield key, future.result()
            future.release()
            for each in islice(coming, 1):
                another = submit(each)
                going[another.key] = another, each
                done.add(another)
