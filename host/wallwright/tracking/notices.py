"""What a referee may want to look at in a tracked deal. Nothing is a verdict: a reader may be late, a key stick."""

from collections.abc import Iterable, Sequence

from ..rules.sichuan import actions as act
from ..rules.sichuan.actions import Action
from ..rules.sichuan.claims import CLAIM_WINDOW_MS
from .outcome import Notice
from .rebuild import Rebuilt


def breach_notices(rebuilt: Rebuilt) -> tuple[Notice, ...]:
    """One notice for each action against the rules: a forbidden suit kept back, a kong without a replacement."""
    return tuple(
        Notice(rebuilt.times[breach.number], f"seat {breach.action.seat}, {str(breach.action)[2:]}: {breach.reason}")
        for breach in rebuilt.breaches
    )


def late_claims(rebuilt: Rebuilt, presses: Iterable[tuple[int, int]]) -> tuple[Notice, ...]:
    """One notice for each claim whose key was pressed more than three seconds after the tile lay open (SBR-4.5).

    Without claim keys there are none: when a tile was taken does not tell when it was claimed.
    """
    pressed = sorted(presses)
    found = []
    for number, action in enumerate(rebuilt.deal.log):
        at = _offered_at(rebuilt.deal.log, number)
        offered_ms = None if at is None else rebuilt.times[at]
        if offered_ms is None:
            continue
        until_ms = rebuilt.times[number]
        mine = [
            ms for ms, seat in pressed if seat == action.seat and until_ms is not None and offered_ms <= ms <= until_ms
        ]
        if mine and mine[0] - offered_ms > CLAIM_WINDOW_MS:
            after = (mine[0] - offered_ms) / 1000
            found.append(Notice(mine[0], f"seat {action.seat} claimed {after:.1f} s after the tile lay open (SBR-4.5)"))
    return tuple(found)


def _offered_at(log: Sequence[Action], number: int) -> int | None:
    """The number of the action whose tile that action claims, None when it claims none."""
    action = log[number]
    if action.verb not in (act.PUNG, act.KONG, act.HU):
        return None
    at = number - 1
    while at >= 0 and log[at].verb in (act.PASS, act.PUNG, act.HU):
        at -= 1
    if at < 0 or log[at].seat == action.seat or log[at].tile != action.tile:
        return None
    robbed = log[at].verb == act.KONG and action.verb == act.HU
    return at if log[at].verb == act.DISCARD or robbed else None
