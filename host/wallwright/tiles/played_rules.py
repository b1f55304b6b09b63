"""By which rules a deal was played, as the host has written it down when the deal began."""

from ..journal.kinds.deals import DealStarted
from ..rules.core.errors import RulesError
from ..rules.core.followed import Followed, followed_game
from ..rules.found import has_own_walls


def rules_of_start(said: DealStarted) -> Followed:
    """Return the rules of a deal that was started like that, with what its game keeps from deal to deal.

    RulesError when the game is not here, or cannot be followed.
    """
    options = {"options": said.options} if said.options else {}
    return followed_game(said.ruleset).followed({"ruleset": said.ruleset, **options, **(said.begin or {})})


def draws_from_own_walls(said: DealStarted) -> bool:
    """Whether each player of that deal drew from the own wall, as far as its rules are here."""
    try:
        return has_own_walls(said.ruleset, said.options)
    except RulesError:
        return False
