"""Hosts in processes of their own, to be killed."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

HOSTS = ["tests.host.handover_host", "tests.host.event.event_host"]


@contextmanager
def spawning() -> Iterator[Callable[..., BaseProcess]]:
    """Give a function that starts a host in some milliseconds: a server that has everything imported forks it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(HOSTS)
    running: list[BaseProcess] = []

    def start(target: Callable[..., None], *arguments: str) -> BaseProcess:
        process = context.Process(target=target, args=arguments)
        process.start()
        running.append(process)
        return process

    try:
        yield start
    finally:
        for process in running:
            process.kill()
            process.join()
            process.close()


def kill(process: BaseProcess) -> None:
    """End a host by SIGKILL."""
    process.kill()
    process.join()
    assert process.exitcode == -9, "it has ended by itself, before it was killed"
