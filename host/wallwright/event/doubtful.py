"""The error of a result that may be mistyped, which a referee answers."""

from ..errors import EventRefused
from ..rules.sichuan.doubts import Doubt
from ..words import Listed


class Doubtful(EventRefused):
    """What was declared costs somebody points by its tiles alone: mistyped, or so? `doubts` has one for each hand."""

    def __init__(self, doubts: tuple[Doubt, ...]) -> None:
        super().__init__(Listed(tuple(doubt.words for doubt in doubts), "; "))
        self.doubts = doubts
