"""Claims about a journal: the write-ahead file beside it, witnesses, backups, copies; and whether that is here.

A journal that is whole may be an older one, or another event's. Whoever has more of it, or something else, says so.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import JournalDamaged, JournalError
from .addresses import find_place
from .checkpoint import Checkpoint
from .entry import Head
from .files import ask_image
from .lock import is_locked
from .places import JournalPath
from .rows import BATCH, ROWS, follow
from .verify import Verdict
from .write_ahead import Frame, WriteAhead, is_of, log_path, put_together, read_pair, trace

FIND = "find the journal that has them, on another machine or in a backup, before anybody goes on with this one"
COMPARE = "one of the two was changed, or is of another event; find out which, before anybody goes on with this one"

_TOO_LONG = (
    "with {name} it is too long for a look at what each of the two files says by itself; make one file of both with "
    "`wallwright log copy`"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """That up to number `entry` the entries come to `hash`, by `where`: that of the last one, or as `version` says.

    `advice` is what to do when there are more than here. A claim that is not `is_sure` may be about another journal.
    """

    where: str
    entry: int
    hash: bytes
    version: int = 1
    advice: str = FIND
    first: bytes = b""
    """The hash of the first entry, where it is known."""
    is_sure: bool = True

    @classmethod
    def of(cls, where: str, checkpoint: Checkpoint, *, is_sure: bool) -> "Claim":
        """Return what a checkpoint says that is kept there."""
        return cls(where, checkpoint.entry, checkpoint.hash, checkpoint.version, is_sure=is_sure)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a journal's own files say: claims, a sentence for who copies them, and sentences of what is wrong."""

    claims: tuple[Claim, ...] = ()
    note: str = ""
    problems: tuple[str, ...] = ()


def beside(path: JournalPath) -> Beside:
    """Look at the write-ahead file beside a journal, if there is one. The journal itself is another's to verify."""
    place = find_place(path).path
    if not isinstance(place, Path):
        return Beside()
    name = log_path(place).name
    try:
        times = trace(place), trace(log_path(place))
        pair = (b"", b"") if times[1] is None or not place.is_file() else read_pair(place)
    except OSError:
        return Beside()
    if pair is None:
        return Beside(note=_TOO_LONG.format(name=name))
    database, log = pair
    if not log:
        return Beside()
    ahead = WriteAhead(log)
    alone = chain_of(database)
    together = chain_of(put_together(database, ahead.frames))
    claims = [_of_file(f"{place.name} without {name}", alone)] if alone else []
    unread = (chain_of(put_together(database, frames)) for frames in _groups(ahead.rest))
    claims += [_of_file(f"what stands in {name} and is not read", chain) for chain in unread if chain]
    if not ahead.frames or len(together) <= len(alone):
        return Beside(tuple(claims))
    note = (
        f"entries {len(alone) + 1} to {len(together)} are in {name} alone: copy both files, or make a copy with "
        "`wallwright log copy`"
    )
    if is_locked(place):
        return Beside(tuple(claims), note)
    was_replaced = times[0] is not None and times[1] is not None and times[0][1] > times[1][1]
    if alone and (was_replaced or not is_of(database, ahead.frames)):
        problem = (
            f"{place.name} was written after {name}, and by itself ends with entry {len(alone)}; with {name} it has "
            f"{len(together)}: an older file may have been copied over it. If the older one is wanted, copy it to "
            "another name, where no such file is"
        )
        return Beside(tuple(claims), note, (problem,))
    return Beside(tuple(claims), note)


def contradictions(claims: Sequence[Claim], verdict: Verdict) -> tuple[str, ...]:
    """Return a sentence for every place that knows of more entries than are here, or of others."""
    first = verdict.values.get(1, {}).get(1, b"")
    known = {claim.where for claim in claims if claim.is_sure or claim.first == first or _fits(claim, verdict)}
    found: dict[str, str] = {}
    for claim in sorted(claims, key=lambda one: one.entry):
        if claim.where not in known or _fits(claim, verdict) or not claim.entry:
            continue
        if claim.entry > verdict.head.id and claim.first in (b"", first):
            more = claim.entry - verdict.head.id
            found[claim.where] = (
                f"{claim.where} knows of {claim.entry} entries, {more} more than are here: {claim.advice}"
            )
        else:
            text = f"{claim.where} knows of other entries: the {claim.entry} that it knows are not those that are here"
            found[claim.where] = f"{text}; {COMPARE}"
    return tuple(found.values())


def chain_of(image: bytes | bytearray) -> list[bytes]:
    """Return the hashes of the entries in the bytes of a journal, up to the first that is not as it was written."""
    hashes: list[bytes] = []
    for found in _followed(partial(ask_image, put_together(image, ()))):
        hashes += found
    return hashes


def chain_of_file(path: Path) -> list[bytes]:
    """Return them of a journal that is in a file, and that nobody writes."""
    hashes: list[bytes] = []
    with suppress(JournalError):
        for found in _followed(find_place(path).fetch):
            hashes += found
    return hashes


def _followed(fetch: Callable[[str, dict[str, Any]], Sequence[Sequence[Any]]]) -> Iterator[list[bytes]]:
    head, problem = Head(), ""
    while not problem:
        try:
            rows = fetch(ROWS["sqlite"], {"after": head.id, "limit": BATCH})
        except JournalDamaged:
            return
        if not rows:
            return
        hashes, _, problem = follow(head, rows)
        yield hashes
        if hashes:
            head = Head(head.id + len(hashes), hashes[-1])


def _of_file(where: str, hashes: list[bytes]) -> Claim:
    advice = (
        "copy both files elsewhere before anybody writes, and take the write-ahead file away from one of the copies"
    )
    return Claim(where, len(hashes), hashes[-1], advice=advice, first=hashes[0])


def _fits(claim: Claim, verdict: Verdict) -> bool:
    return verdict.values.get(claim.entry, {}).get(claim.version) == claim.hash


def _groups(frames: tuple[Frame, ...]) -> Iterator[tuple[Frame, ...]]:
    """Go through the runs of one salt, each up to its last commit."""
    begin = 0
    for end in range(1, len(frames) + 1):
        if end == len(frames) or frames[end].salt != frames[begin].salt:
            commits = [number for number in range(begin, end) if frames[number].pages]
            if commits:
                yield frames[begin : commits[-1] + 1]
            begin = end
