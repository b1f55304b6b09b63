"""A tracked deal goes into the journal as a scorer would have written it, with its moves beside it."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..journal.kinds import stored
from ..play.score_sheet import Clock, RecordLog, sheet_of_played
from ..rules.core.followed import Settled
from .moves import moves_record
from .outcome import Account, Notice


def note_deal(
    account: Account,
    deal: int,
    journal: RecordLog,
    *,
    unit: str,
    clock: Clock,
    start: Mapping[str, Any],
    notices: Iterable[Notice] = (),
) -> Settled:
    """Write the start, every declaration, the result and the moves of a finished deal, and return its settlement.

    `start` is what the caller knows of the deal, as for `ScoreSheet`; `notices` are those of the reads.
    """
    sheet_of_played(account.deal, deal, journal, unit=unit, clock=clock, start=start)
    journal.append(*stored(moves_record(deal, account, notices)), at_ms=clock(), unit=unit)
    return account.settlement
