"""Names that stay in the hall: what stands in their place in an extract, wherever a text of the journal has them.

A name is withheld by the event's format, for everybody, or for single players. What a list calls them is taken out by
the whole name, in every list that the journal has; in texts that people have typed, such as a reason, it is taken out
where it stands by itself. A seed of a draw goes with it: whoever has seed, commitment and all names but one could try
names until they fit.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ..event.format import IN_HALL
from ..event.state import EventState
from ..journal.entry import Entry
from ..journal.kinds import Record, desk, name_of
from ..person_text import same_key
from ..words import Say, Words, words

KINDS = (desk.PlayersImported.KIND, desk.PlayerAdded.KIND, desk.PlayerRenamed.KIND, desk.PlayerPrivacy.KIND)
"""The kinds of entries that say who is called what, and whose name is withheld."""
_TYPED = frozenset(("reason", "source", "text", "of", "by", "why"))
"""Fields that people fill with words of their own."""
_NAMES = frozenset(("name", "old_name"))
_STAND = re.compile(r"\bName withheld ([1-9]\d*)\b")
_HAN = re.compile(r"[\u3400-\u9fff]")


def stand_for(number: int) -> str:
    """Return what an extract calls the player of that number, whose name is withheld; the same in every hall."""
    return str(_stand(number))


def said_in(text: str, say: Say) -> str:
    """Return a name as the language of `say` has it: another one only where it stands for one that is withheld."""
    return _STAND.sub(lambda found: _stand(int(found[1])).said(say), text)


def _stand(number: int) -> Words:
    return words("Name withheld {number}", number=number)


class Withheld:
    """The names of an event that are withheld after `state`; `entries` are those of KINDS so far."""

    def __init__(self, state: EventState, entries: Iterable[Entry]) -> None:
        self._all = state.format is not None and state.format.names == IN_HALL
        shown = {same_key(one.name) for one in state.roster.players if not self._is_private(one)}
        lists = _lists(entries)
        self._stands: dict[str, str] = {}
        self._written: set[str] = set()
        # What somebody was called in an earlier list goes by a name of a later one.
        for called in reversed(lists):
            for number, (names, is_private) in called.items():
                if self._all or is_private or any(same_key(name) in self._stands for name in names):
                    self._stands |= {same_key(name): stand_for(number) for name in names}
                    self._written |= names
        for name in shown:
            self._stands.pop(name, None)

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self._stands)

    def hide(self, said: Record, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body of what an entry has `said` without the names that are withheld; the same where it has none
        of them. Parts of it may lack.
        """
        told = dict(body)
        if not self:
            return told
        if isinstance(said, desk.DrawRevealed):
            told["seed"] = ""
        if isinstance(said, desk.DrawCommitted):
            told["players"] = [[number, self._name(name)] for number, name in said.players]
        for key, value in told.items():
            if key in _NAMES and name_of(said) in KINDS:
                told[key] = self._name(value)
            elif key in _TYPED and isinstance(value, str):
                told[key] = self.text(value)
        if "roster" in told:
            players = [one | {"name": self._name(one["name"])} for one in told["roster"]["players"]]
            told["roster"] = {**told["roster"], "players": players}
        return told

    def text(self, text: str) -> str:
        """Return a text that somebody has typed without names that are withheld."""
        return self._sought.sub(lambda found: self._name(found[0]), text) if text and self else text

    def _name(self, name: str) -> str:
        return self._stands.get(same_key(name), name)

    def _is_private(self, player: Any) -> bool:
        return self._all or player.private

    @cached_property
    def _sought(self) -> re.Pattern[str]:
        # Chinese is written without blanks between words.
        parts = (re.escape(one) if _HAN.search(one) else rf"(?<!\w){re.escape(one)}(?!\w)" for one in self._longest)
        return re.compile("|".join(parts), re.IGNORECASE)

    @property
    def _longest(self) -> list[str]:
        ways = {*self._stands, *(name for name in self._written if same_key(name) in self._stands)}
        return sorted(ways, key=lambda one: (-len(one), one))


_Called = dict[int, tuple[set[str], bool]]


def _lists(entries: Iterable[Entry]) -> list[_Called]:
    """Return of each list that was taken what each number was called, and whether that was withheld at the end."""
    lists: list[_Called] = []
    for entry in entries:
        said = entry.said
        if isinstance(said, desk.PlayersImported):
            lists.append({one.number: ({one.name}, one.private is True) for one in said.roster.players})
        elif not lists:
            lists.append({})
        if isinstance(said, desk.PlayerAdded):
            lists[-1][said.number] = {said.name}, said.private is True
        elif isinstance(said, desk.PlayerRenamed):
            names, is_private = lists[-1].get(said.player, (set[str](), False))
            lists[-1][said.player] = {*names, said.name, said.old_name}, is_private
        elif isinstance(said, desk.PlayerPrivacy):
            lists[-1][said.player] = lists[-1].get(said.player, (set[str](), False))[0], said.private
    return lists
