"""Two extracts of one day: whether one continues the other, and what is different in what they say."""

from collections.abc import Iterator
from dataclasses import dataclass

from .day import Day, DayDeal
from .extract_check import Checked


@dataclass(frozen=True, slots=True)
class Change:
    """What a later extract says otherwise: of which deal or whose result, as it was and as it is, in words."""

    what: str
    before: str
    after: str


def fork_of(old: Checked, new: Checked) -> str:
    """Return where the journals of two extracts of a day part, in words; "" when the new one continues the old one.

    The old one's root is compared where the new one proves it, and all that both show anyhow.
    """
    if old.day.size == new.day.size and old.root != new.root:
        return f"both end with entry {old.day.size}, and say other things"
    known = new.since.get(old.day.size)
    if known is not None and known != old.root:
        return f"the journal has not grown from the entries up to {old.day.size} that were signed before"
    other = [entry for entry, leaf in old.leaves.items() if new.leaves.get(entry, leaf) != leaf]
    return f"entry {min(other)} is another in each" if other else ""


def changes(old: Day, new: Day) -> Iterator[Change]:
    """Go through the deals, then the players' names and totals, that are not the same."""
    before, after = _deals(old), _deals(new)
    for place in sorted({*before, *after}):
        then, now = before.get(place), after.get(place)
        if then != now:
            session, table, deal = place
            what = f"session {session}, table {table}, deal {deal}"
            yield Change(what, _told(then), _told(now))
    called = {one.number: one.name for one in old.players}
    for one in new.players:
        if one.number in called and called[one.number] != one.name:
            yield Change(f"name of player {one.number}", called[one.number], one.name)
    totals = {row.player: row for row in old.standings}
    for row in new.standings:
        was = totals.get(row.player)
        if was is None or (was.rank, was.total) != (row.rank, row.total):
            then_told = "not there" if was is None else f"{was.total}, rank {was.rank or 'none'}"
            yield Change(new.player(row.player).name, then_told, f"{row.total}, rank {row.rank or 'none'}")


_Deals = dict[tuple[int, int, int], tuple[str, tuple[int, ...]]]


def _deals(day: Day) -> _Deals:
    """Return what each deal has come to at last."""
    return {(one.session, one.table, one.deal): _outcome(one) for one in day.deals}


def _outcome(deal: DayDeal) -> tuple[str, tuple[int, ...]]:
    return deal.kind, deal.points


def _told(outcome: tuple[str, tuple[int, ...]] | None) -> str:
    return "not there" if outcome is None else f"{' '.join(map('{:+d}'.format, outcome[1]))} ({outcome[0]})"
