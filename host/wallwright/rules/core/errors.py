"""The errors of the rules, all under RulesError, so that one `except` tells a bad hand from a bug."""


class RulesError(ValueError):
    """Something that the rules do not know or do not allow; the message says what to change."""


class TileError(RulesError):
    """A text is not tile notation, or a number is not a tile."""


class HandError(RulesError):
    """A hand cannot exist: a fifth copy, a wrong number of tiles, conditions that exclude each other."""


class RulesetError(RulesError):
    """A ruleset names an unknown field, or a value out of its range."""


class WallError(RulesError):
    """No wall is known for that number of tiles, or dice and seats are out of range."""


class NotationError(RulesError):
    """A text is not an action or a deal; the message quotes the part that cannot be read."""


class IllegalAction(RulesError):
    """The action is not one of the legal ones at this point of the deal; the message says why."""


class ImpossibleDeal(RulesError):
    """What was declared cannot have happened in one deal; the message names the event and the reason."""
