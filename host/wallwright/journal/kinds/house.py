"""What the host says of itself, of its journal, and of the people at its console."""

from typing import Annotated

from msgspec import field

from .record import Record, kind
from .texts import Sentences, Word
from .values import BoardDeal, BootId, EntryNumber, Hex32

KEEPER = "the host of a table, when it answers"
JOURNAL = "the journal itself"


class Met(Record):
    """A table answers."""

    table: Annotated[Word, "its name in the hall"]
    meeting: Annotated[Word, "the kind again"]
    port: Annotated[Word, "where it was found"]
    unit: Annotated[Word, "the board's name"]
    boot_id: BootId
    state: Annotated[Word, "state of the board"]
    lost: Annotated[int | None, "events that are gone, at least; null where that cannot be known"]


@kind("first_met", by=KEEPER)
class FirstMet(Met):
    """Nothing was known of the board."""


@kind("host_restarted", by=KEEPER)
class HostRestarted(Met):
    """The host was away; the board has run on."""


@kind("link_restored", by=KEEPER)
class LinkRestored(Met):
    """The link was away; the board has run on."""


@kind("journal_behind", by=KEEPER)
class JournalBehind(Met):
    """The host is back with an older journal; the board has let go of events that are not in it."""


@kind("board_reset", by=KEEPER)
class BoardReset(Met):
    """The board has been started anew."""


@kind("board_replaced", by=KEEPER)
class BoardReplaced(Met):
    """Another board answers where one was."""


@kind("strange", by="the host of a table")
class Strange(Record):
    """A board has said what it should not have."""

    table: Annotated[Word, "its name in the hall"]
    text: Annotated[Sentences, "in a sentence"]


@kind("dice_contributed", by="the host of a table")
class DiceContributed(Record):
    """The host's part in the roll that a board has committed to, before it is sent."""

    boot_id: BootId
    roll: Annotated[int, "number of the roll, from 1"]
    contribution: Annotated[Word, "16 bytes in hexadecimal"]


@kind("deal_key", by="the journal, when a deal has ended")
class DealKey(Record):
    """The key with which the events of a deal's tags were sealed."""

    name: Annotated[Word, "what `tag_sealed` calls it"]
    key: Hex32


@kind("checkpoint", by="a session's end, `wallwright log checkpoint`")
class Checkpoint(Record):
    """A signed statement of what the entries before it come to."""

    entry: Annotated[EntryNumber, "the last entry it is about"]
    key: Annotated[Hex32, "public key, Ed25519"]
    signature: Annotated[Word, "64 bytes in hexadecimal"]
    root: Annotated[Hex32 | None, "of the Merkle tree over the entries"] = None
    hash: Annotated[Hex32 | None, "of the last entry, in checkpoints of version 1"] = None


@kind("witnessed", by="`wallwright serve`, before it signs; `wallwright event new`")
class Witnessed(Record):
    """Makes the entries before it unguessable in what is published of them."""

    salt: Annotated[Word, "random bytes in hexadecimal"]


@kind("journal_migrated", by=JOURNAL)
class JournalMigrated(Record):
    """The entries before it were of an older schema."""

    from_: Annotated[int, "version of the schema before"] = field(name="from")
    to: Annotated[int, "version of the schema now"]


@kind("journal_resumed", by=JOURNAL)
class JournalResumed(Record):
    """The journal had taken nothing for a while."""

    problem: Annotated[Sentences, "why, in a sentence"]


@kind("clock_read", by="the desk, before a session starts and when a machine's clocks have come apart", since="0.2")
class ClockRead(Record):
    """The clocks of the machine that writes; the wall clock is when the entry was written."""

    boot: Annotated[Word, "this start of the machine, a hash"]
    up_ms: Annotated[int, "time since that start, ms, also asleep"]
    asleep_ms: Annotated[int, "how much of that it slept, ms"]
    zone_min: Annotated[int, "by how much local time is ahead of UTC, minutes"]


@kind("console_act", by="the console, before it is done; accounts when it is")
class ConsoleAct(Record):
    """Somebody has done something at the console, or with an account."""

    person: Annotated[Word, "name of the account"]
    role: Annotated[Word, "role of the account"]
    act: Annotated[Word, "what was done: a command, or take_call, sign_in, add_account and others"]
    table: Annotated[Word | None, "name of the table in the hall"] = None
    done: Annotated[bool | None, "of a stop: whether the table has accepted it"] = None
    missed: Annotated[tuple[Word, ...] | None, "of a stop of all: the tables that have not"] = None
    call: Annotated[Word | None, "the call of a referee: board's run and number of the event"] = None
    words: Annotated[Sentences | None, "what was said about it"] = None
    entry: Annotated[EntryNumber | None, "the record of a deal to decide"] = None
    deal: BoardDeal | None = None
    answer: Annotated[int | None, "number of the answer chosen, from 1"] = None
    text: Annotated[Sentences | None, "that answer"] = None
    account: Annotated[Word | None, "name of the account that it was done to"] = None
    account_role: Annotated[Word | None, "role of that account"] = None
    address: Annotated[Word | None, "where somebody has signed in from"] = None
    player: Annotated[int | None, "number of the player whose PIN it was"] = None
    id: Annotated[Word | None, "of an act in the accounts' file, so that it is taken over once"] = None
