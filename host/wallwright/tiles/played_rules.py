"""By which rules a deal was played, as the host has written it down when the deal began."""

from ..journal.kinds.deals import DealStarted
from ..rules.core.followed import Followed, followed_game


def rules_of_start(said: DealStarted) -> Followed:
    """Return the rules of a deal that was started like that, with what its game keeps from deal to deal.

    RulesError when the game is not here, or cannot be followed.
    """
    options = {"options": said.options} if said.options else {}
    return followed_game(said.ruleset).followed({"ruleset": said.ruleset, **options, **(said.begin or {})})
