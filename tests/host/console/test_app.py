"""The application of a console: what is left of it when it has ended."""

import gc
import weakref
from pathlib import Path

from tests.host.console.hall import opened


def test_a_console_that_has_ended_is_freed(tmp_path: Path) -> None:
    """With its hall, its event and its accounts: FastAPI remembers endpoints, and what they hold, for good."""
    with opened(tmp_path) as place:
        place.begin_event()
        assert place.signed_in("referee").get("/metrics").status_code == 200
        ended = [weakref.ref(part) for part in (place.app, place.site, place.site.book)]
    del place
    gc.collect()
    assert [part() for part in ended] == [None, None, None]
