"""Whose a secret is: an account's password, or the PIN of a player of an event."""

from dataclasses import dataclass
from typing import TypedDict

OF_ACCOUNT = "account "


class AboutWhom(TypedDict, total=False):
    """The fields of an act that say so."""

    account: str
    player: int


@dataclass(frozen=True, slots=True)
class Whose:
    """An account by its name; or, without one, a player by number and the event that has them."""

    account: str = ""
    event: str = ""
    player: int = 0

    @property
    def key(self) -> str:
        """Return what stands for it in the accounts' file."""
        return f"{OF_ACCOUNT}{self.account}" if self.account else f"player {self.event} {self.player}"

    def fields(self) -> AboutWhom:
        """Return the fields of an act that is about it."""
        return AboutWhom(account=self.account) if self.account else AboutWhom(player=self.player)
