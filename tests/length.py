"""How much of what could be tried for ever is tried: some in `make test`, the whole in `make campaign`."""

import os

LONG = os.environ.get("WALLWRIGHT_LENGTH") == "campaign"


def length(suite: int, campaign: int) -> int:
    """Return the number of cases for this run."""
    return campaign if LONG else suite
