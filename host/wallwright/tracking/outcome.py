"""What a tracked deal has come to: the deal, its settlement, and what a person still has to say or to see."""

from dataclasses import dataclass, field

from ..rules.core.followed import Done, FollowedDeal, Settled

PARTING, UNREAD, PUSHED = "parting", "unread", "pushed"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that looked like a breach of the rules, for the referee to judge: in words, with its time in ms."""

    at_ms: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Account:
    """One account of the deal: its actions with their times in ms (None where no reader can see one), and the numbers,
    from 0, of the actions that could have been others without any difference to the result.
    """

    deal: FollowedDeal = field(repr=False)
    times: tuple[int | None, ...] = field(repr=False)
    doubtful: tuple[int, ...]
    notices: tuple[Notice, ...]
    settlement: Settled


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to the question, in words, and the account that it makes the true one.

    `action` is the first that it has and others have not; None where the deal was over by then.
    """

    text: str
    account: Account
    action: Done | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What the scorer is asked, once, at the deal's end. The likeliest answer comes first.

    `asks` is PARTING: what happened after the action `after` (None: at the begin), UNREAD: whether the deal ended as
    the one account has it, or PUSHED: whether it was over when tiles went where no move takes them.
    """

    text: str
    answers: tuple[Answer, ...]
    asks: str
    after: Done | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the reads have come to: an account, or a question whose answer is one.

    Neither is there when the moves could not be followed: then the deal is settled as declared (see `shown`), and
    `problem` says why. `notices` are those of the reads themselves: foreign tags, silent readers.
    """

    account: Account | None
    question: Question | None
    problem: str
    notices: tuple[Notice, ...]
