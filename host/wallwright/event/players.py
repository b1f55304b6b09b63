"""Who plays: the players of an event, read from a CSV file, and what can be done when tables do not come out even.

The file has a header line with `name` and, if wanted, `club` and `apart`: names of others to be kept from the same
table, between semicolons.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from ..errors import BadPlayers
from ..rules.words import Words, words

COLUMNS = ("name", "club", "apart")
SEATS = 4
NAME_LIMIT = 64
MOST = 1000
"""Players of an event."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player; `number` counts from 1 in the order of the list. A stand-in fills a seat and is not ranked."""

    number: int
    name: str
    club: str = ""
    stand_in: bool = False

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"number": self.number, "name": self.name, "club": self.club, "stand_in": self.stand_in}


@dataclass(frozen=True, slots=True)
class Roster:
    """All players by number, and pairs (the lower number first) that were named to be kept apart."""

    players: tuple[Player, ...]
    apart: tuple[tuple[int, int], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"players": [player.record() for player in self.players], "apart": [list(pair) for pair in self.apart]}

    def clashes(self) -> frozenset[tuple[int, int]]:
        """Return all pairs to be kept apart: those named, and players of one club."""
        clubs: dict[str, list[int]] = {}
        for player in self.players:
            if player.club:
                clubs.setdefault(player.club.casefold(), []).append(player.number)
        same = {(a, b) for club in clubs.values() for at, a in enumerate(club) for b in club[at + 1 :]}
        return frozenset(same | set(self.apart))


def read_roster(record: Mapping[str, Any]) -> Roster:
    """Return the roster that `Roster.record` wrote."""
    players = tuple(Player(one["number"], one["name"], one["club"], one["stand_in"]) for one in record["players"])
    return Roster(players, tuple((a, b) for a, b in record["apart"]))


def load_players(path: Path) -> Roster:
    """Read a CSV file of players. BadPlayers has everything that is wrong with it, with its lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = words("it cannot be read ({why}); check the path", why=str(error.strerror))
        raise BadPlayers(str(path), (problem,)) from error
    except UnicodeDecodeError as error:
        problem = words("it is not UTF-8 (byte {byte}); save it as CSV in UTF-8", byte=error.start)
        raise BadPlayers(str(path), (problem,)) from error
    return parse_players(text, str(path))


def parse_players(text: str, source: str) -> Roster:
    """Return the players of a CSV text. BadPlayers has everything that is wrong with it."""
    rows = list(_rows(text, source))
    problems = list(_problems(rows))
    if problems:
        raise BadPlayers(source, tuple(problems))
    players = tuple(Player(number, row["name"], row["club"]) for number, (_, row) in enumerate(rows, 1))
    numbers = {player.name.casefold(): player.number for player in players}
    pairs = set()
    for player, (_, row) in zip(players, rows, strict=True):
        for name in _names(row["apart"]):
            other = numbers[name.casefold()]
            pairs.add((min(player.number, other), max(player.number, other)))
    return Roster(players, tuple(sorted(pairs)))


def with_stand_ins(roster: Roster) -> Roster:
    """Add stand-ins until all tables are full."""
    count = len(roster.players)
    added = range(count + 1, count + 1 + -count % SEATS)
    taken = {player.name.casefold() for player in roster.players}
    names = (name for number in range(1, 1000) if (name := f"Stand-in {number}").casefold() not in taken)
    new = tuple(Player(number, name, stand_in=True) for number, name in zip(added, names, strict=False))
    return Roster(roster.players + new, roster.apart)


def choices(count: int) -> tuple[Words, ...]:
    """What can be done with a number of players: one sentence each, none when four sit at every table."""
    spare = count % SEATS
    if not spare:
        return ()
    lacking = SEATS - spare
    tables = count // SEATS
    return (
        words("--stand-ins: 1 person who is not ranked, for {tables} full tables", tables=tables + 1)
        if lacking == 1
        else words(
            "--stand-ins: {count} people who are not ranked, for {tables} full tables", count=lacking, tables=tables + 1
        ),
        words("--byes: 1 player sits out each session in turn, at {tables} tables", tables=tables)
        if spare == 1
        else words(
            "--byes: {count} players sit out each session in turn, at {tables} tables", count=spare, tables=tables
        ),
    )


def _rows(text: str, source: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line with its number, cells trimmed, lines of nothing left out."""
    reader = csv.reader(StringIO(text))
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        if "name" not in header or len(set(header)) != len(header) or not set(header) <= set(COLUMNS):
            known, found = ",".join(COLUMNS), repr(",".join(header))
            problem = words("line 1 must name the columns, such as {known}; it is {found}", known=known, found=found)
            raise BadPlayers(source, (problem,))
        for cells in reader:
            trimmed = [cell.strip() for cell in cells]
            if any(trimmed):
                row = dict.fromkeys(COLUMNS, "") | dict(zip(header, trimmed, strict=False))
                yield reader.line_num, row | {"": " ".join(trimmed[len(header) :])}
    except csv.Error as error:
        raise BadPlayers(source, (words("line {line}: {why}", line=reader.line_num, why=str(error)),)) from error


def _problems(rows: list[tuple[int, dict[str, str]]]) -> Iterator[Words]:
    seen: dict[str, int] = {}
    for line, row in rows:
        name = row["name"]
        if row[""]:
            yield words("line {line} has more cells than the header: {cells}", line=line, cells=repr(row[""]))
        if not name:
            yield words("line {line} lacks a name", line=line)
        elif len(name) > NAME_LIMIT or not (name + row["club"]).isprintable():
            yield words("line {line}: a name is printable, up to {limit} characters", line=line, limit=NAME_LIMIT)
        elif name.casefold() in seen:
            problem = "line {line} has the name of line {other}, {name}; tell them apart"
            yield words(problem, line=line, other=seen[name.casefold()], name=name)
        else:
            seen[name.casefold()] = line
    for line, row in rows:
        for name in _names(row["apart"]):
            if name.casefold() == row["name"].casefold():
                yield words("line {line} keeps {name} apart from themselves", line=line, name=name)
            elif name.casefold() not in seen:
                problem = "line {line} keeps apart from {name}, who is not in the list"
                yield words(problem, line=line, name=repr(name))
    if len(rows) < SEATS:
        yield words("there are {count} players; an event needs {least}", count=len(rows), least=SEATS)
    if len(rows) > MOST:
        yield words("there are {count} players; an event takes {most}", count=len(rows), most=MOST)


def _names(cell: str) -> Iterable[str]:
    return (name.strip() for name in cell.split(";") if name.strip())
