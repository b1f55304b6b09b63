"""The draw by lot: commit, contribute, reveal. Anybody can recompute it with SHA-256 from its transcript.

The host commits to a seed before anybody adds a part of their own; the order of the lots follows from the seed, the
list of players and all parts. docs/events.md gives the bytes and a worked example.
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .lots import Lots

SEED_SIZE = 32
TEXT_LIMIT = 256
"""The longest part that somebody adds, in characters."""
_COMMITMENT = b"wallwright draw 1"
_KEY = b"wallwright lots 1"
_SEATING = b"wallwright seating 1"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What somebody added to the draw: any text, such as the faces of dice that were rolled in the hall."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """All that a draw follows from, and what came out: `lots` are numbers of players, first lot first."""

    stage: str
    players: tuple[tuple[int, str], ...]
    commitment: str
    contributions: tuple[Contribution, ...]
    seed: str
    lots: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "stage": self.stage,
            "players": [list(player) for player in self.players],
            "commitment": self.commitment,
            "contributions": [{"by": one.by, "text": one.text} for one in self.contributions],
            "seed": self.seed,
            "lots": list(self.lots),
        }


def commitment(stage: str, players: Sequence[tuple[int, str]], seed: bytes) -> str:
    """Return what is published in place of the seed, as hex; it binds the list of players as well."""
    return hashlib.sha256(_COMMITMENT + _text(stage) + _list_digest(players) + seed).hexdigest()


def draw_key(
    stage: str, players: Sequence[tuple[int, str]], seed: bytes, contributions: Sequence[Contribution]
) -> bytes:
    """Return the 32 bytes from which the lots follow."""
    parts = b"".join(_text(one.by) + _text(one.text) for one in contributions)
    return hashlib.sha256(_KEY + _text(stage) + _list_digest(players) + seed + parts).digest()


def draw_lots(key: bytes, players: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    """Return the numbers of the players in the order of their lots."""
    numbers = [number for number, _ in players]
    Lots(key).shuffle(numbers)
    return tuple(numbers)


def seating_key(key: bytes) -> bytes:
    """Return the key for whatever is left to chance when the seats are planned after the draw."""
    return hashlib.sha256(_SEATING + key).digest()


def verify(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Recompute a transcript; return what is wrong with it as sentences, none when all follows as it should."""
    try:
        stage, seed = str(record["stage"]), bytes.fromhex(record["seed"])
        players = [(int(number), str(name)) for number, name in record["players"]]
        contributions = [Contribution(str(one["by"]), str(one["text"])) for one in record["contributions"]]
        committed, lots = str(record["commitment"]), tuple(record["lots"])
        if not all(0 <= number < 1 << 32 for number, _ in players):
            raise ValueError("a player's number is not one of 32 bits")
    except KeyError as error:
        return (f"this is no transcript of a draw: it lacks {error}",)
    except (TypeError, ValueError) as error:
        return (f"this is no transcript of a draw: {error}",)
    problems = []
    if len(seed) != SEED_SIZE:
        problems.append(f"the seed has {len(seed)} bytes, it must have {SEED_SIZE}")
    if commitment(stage, players, seed) != committed:
        problems.append("seed and players are not those that were committed to")
    if draw_lots(draw_key(stage, players, seed, contributions), players) != lots:
        problems.append("the lots do not follow from seed, players and contributions")
    return tuple(problems)


def _list_digest(players: Sequence[tuple[int, str]]) -> bytes:
    return hashlib.sha256(b"".join(struct.pack("<I", number) + _text(name) for number, name in players)).digest()


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data
