"""Tries at passwords and PINs: what slows somebody who guesses, and lets in the person whose secret it is.

Whoever guesses is slowed where they are: on a device on which this person was known before, for that device alone;
elsewhere for their address, and for all devices that are not known together. So nobody is ever held up on a device of
their own by what others type, and what others type keeps nobody out: with a code (`people.codes`), which a guesser has
not, five tries are free.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import Request

from ..clocks import lasting_ms
from ..words import Words, words
from .addresses import home_of
from .guard import Site, address_of, device_of, one_try
from .people import codes, devices
from .people.access import PUBLIC
from .people.file import note
from .people.guesses import DAY_MS
from .people.limits import WINDOW_MS, Tally
from .people.person import Person
from .people.whose import Whose
from .problems import TooMany, WrongCode, WrongPassword, WrongPin

TRIES = 5


@dataclass(frozen=True, slots=True)
class Secret:
    """How often one kind of secret may be guessed: pairs of tries and the time in ms in which somebody has them.

    `here` is for one device that is known, or one address; `anywhere` for all devices together that are not known.
    `ways` says what else a person may do who is held up.
    """

    kind: str
    here: tuple[tuple[int, int], ...]
    anywhere: tuple[int, int]
    ways: Words


PASSWORD = Secret(
    "password",
    ((TRIES, WINDOW_MS),),
    (50, WINDOW_MS),
    words(
        "or get a code for a new device: from a director, from your own account where you are signed in, or by "
        "`wallwright users code` on the host"
    ),
)
PIN = Secret(
    "PIN",
    ((TRIES, WINDOW_MS), (50, DAY_MS)),
    (50, DAY_MS),
    words("or type the code of your slip, or ask a referee for one"),
)
"""A PIN has a million values: guessed from everywhere for a day, one in 20,000 is found."""


@contextmanager
def guess(site: Site, request: Request, secret: Secret, whose: Whose, code: str = "") -> Iterator[None]:
    """Count a try before what is within checks it and raises WrongPassword or WrongPin. Raises TooMany, WrongCode.

    `code` is looked at where the try would be held up; one that came with the right secret is used up.
    """
    here, anywhere = _tallies(site, request, secret, whose)
    tallies, found = (*here, *anywhere), None
    if code.strip() and site.limiter.wait_ms(tallies, lasting_ms(site.now_ms)):
        found = codes.matching(site.accounts, whose, code, site.now_ms())
        if found is None:
            raise WrongCode
        tallies = (Tally(("code", whose.key, found), TRIES, codes.CODE_MS),)
    try:
        with one_try(site, *tallies):
            yield
    except TooMany as error:
        _note(site, request, whose, held_up=True)
        raise TooMany(error.wait_ms, secret.ways) from None
    except (WrongPassword, WrongPin):
        _note(site, request, whose, held_up=False)
        raise
    if found is not None:
        codes.use_up(site.accounts, found)
        site.limiter.forget(here)


def _tallies(site: Site, request: Request, secret: Secret, whose: Whose) -> tuple[tuple[Tally, ...], tuple[Tally, ...]]:
    """Return for whom a wrong secret counts: here, and anywhere; that is nobody on a device that is known."""
    device = device_of(request)
    is_known = devices.is_known(site.accounts, whose, device, site.now_ms())
    place = ("device", device) if is_known else ("address", home_of(address_of(request)))
    here = tuple(Tally((f"{secret.kind} here", whose.key, *place), *limit) for limit in secret.here)
    return here, () if is_known else (Tally((secret.kind, whose.key), *secret.anywhere),)


def _note(site: Site, request: Request, whose: Whose, *, held_up: bool) -> None:
    """Tell the director and the journal; not of accounts that are none: people type passwords where names belong."""
    if whose.account and all(one.name != whose.account for one in site.accounts.people()):
        return
    address, now_ms = address_of(request), site.now_ms()
    is_first = site.guesses.note(whose, address, now_ms, held_up=held_up)
    # A wrong password is noted where it was checked.
    act = "held_up" if is_first else "" if held_up or whose.account else "failed_pin"
    if act:
        with site.accounts.transaction() as connection:
            note(connection, Person("", PUBLIC), now_ms, {"act": act, "address": address, **whose.fields()})
