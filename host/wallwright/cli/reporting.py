"""What `run` and `serve` share: a journal is signed while play goes on, and its tournament reported to a season."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..clocks import wall_ms
from ..errors import BadInput
from ..system.streams import warn

if TYPE_CHECKING:
    from ..fleet import HallConfig
    from ..journal.season_address import SeasonAddress
    from ..journal.witness import UseJournal, Witnessing
    from ..season.report.sender import SeasonServer

ReportTo = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The server of the tournament's season, if the hall's file does not say it."),
]
SeasonKey = Annotated[str | None, typer.Option(help="The season's key, as its organiser has told it.")]
SeasonCertificate = Annotated[
    Path | None, typer.Option(help="The certificate of the season's server, if no authority has signed it.")
]


def find_season(url: str | None, key: str | None, certificate: Path | None) -> "SeasonAddress | None":
    """Return where a hall reports to by its options. BadParameter where they do not fit; BadInput."""
    from ..journal.season_address import SeasonAddress

    if (url is None) != (key is None):
        raise typer.BadParameter("give both, or none", param_hint="--report-to / --season-key")
    if url is None or key is None:
        if certificate is not None:
            raise typer.BadParameter(
                "it is of the server in --report-to; give that too", param_hint="--season-certificate"
            )
        return None
    return SeasonAddress.told(url, key, certificate)


def season_server(hall: "HallConfig", event: str) -> "SeasonServer | None":
    """Return the server to which a hall reports the tournament in the journal `event`.

    Raises BadInput when there is no tournament, and for a certificate that cannot be read; JournalError, BadKey.
    """
    if hall.season is None:
        return None
    from ..event.store import holds_event
    from ..journal import signing_key
    from ..season.report.sender import SeasonServer

    if not holds_event(event):
        problem = "there is no tournament to report to the season; begin one with `wallwright event new`"
        raise BadInput(f"{event}: {problem}, or report to none")
    return SeasonServer(hall.season, signing_key())


@contextmanager
def signing(
    hall: "HallConfig",
    place: str,
    turn: "UseJournal",
    server: "SeasonServer | None",
    is_over: Callable[[], Hashable | None],
) -> "Iterator[Witnessing]":
    """Sign the journal at `place` and send its checkpoints to the hall's witnesses, the season's `server` among them.

    For `turn` and `is_over` see Witnessing and SeasonWitness. What was written last is sent at the end.
    """
    from ..journal import signing_key
    from ..journal.witness import Witnessing
    from ..season.report.during_play import SeasonWitness

    if server is None:
        with Witnessing(place, turn, wall_ms, hall.witnesses, warn) as witnessing:
            yield witnessing
        return
    reporter = SeasonWitness(server, place, signing_key(), is_over, warn)
    witnessing = Witnessing(place, turn, wall_ms, (*hall.witnesses, reporter), warn)
    reporter.follow(witnessing)
    try:
        with witnessing:
            yield witnessing
    finally:
        server.close()
