"""Days of a small season: two halls with keys of their own, eight players a day, two deals a session."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.event.test_event_cli import Result
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format
from wallwright.event.players import Player
from wallwright.journal import printed_key, public_bytes
from wallwright.season.drawn_day import DrawnDay, Pool
from wallwright.season.extract import make_extract

EAST = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WEST = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(32))
FIRST_MS = 1_472_864_400_000
"""3 September 2016, 09:00 in Chengdu."""
DAY_MS = 24 * 3600 * 1000
Run = Callable[..., Result]
"""Runs a command of `wallwright season`, given as one line, and the exit code that it has to have."""


def printed(key: Ed25519PrivateKey) -> str:
    return printed_key(public_bytes(key))


@cache
def small_format(name: str = "chengdu-grand-prix") -> EventFormat:
    return replace(load_format(name), deals=2)


@cache
def pool() -> Pool:
    return Pool.played(small_format().sichuan, 3, Random("pool"))


def players(numbers: range, *, ids: bool = True) -> tuple[Player, ...]:
    """Those of the season by these numbers; in each list they count from 1."""
    return tuple(
        Player(at, f"Player {number:02d}", f"Club {number % 3}", id=f"M{number:02d}" if ids else "")
        for at, number in enumerate(numbers, 1)
    )


def day(path: Path, numbers: range, date: int, seed: str, *, ids: bool = True, name: str = "Grand Prix") -> DrawnDay:
    """A day, `date` days after the first; `run` plays it."""
    event_format = replace(small_format(), name=name)
    begins_ms = FIRST_MS + date * DAY_MS
    return DrawnDay(path, event_format, players(numbers, ids=ids), begins_ms, pool(), Random(seed))


def extract(played: DrawnDay, key: Ed25519PrivateKey, path: Path) -> Path:
    """Write the extract of a day that was played."""
    path.write_bytes(make_extract(str(played.path), key))
    return path


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.out.splitlines()]
