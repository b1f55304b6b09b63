"""A walk at random over everything that can be done at the desk of an event, by both entry points in turn.

After each act the journal's export is read on its own (`reading`): nothing that was played has gone without an entry
that names it, and what was refused has written nothing. What commands, papers and pages tell is held against it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.campaign.desk import asking, checks, commands
from tests.campaign.desk.args import Args, Chance
from tests.campaign.desk.asking import Seen
from tests.campaign.desk.hall import EVENT_API, EVERYBODY, MINUTE_MS, Answer, Hall, may_use
from tests.campaign.desk.parts import Broken
from tests.campaign.desk.reading import Reading

WAITS = (1, 7, 25, 60)
"""Minutes that go by."""
TRIES = 3
"""So often something else is chosen when there is nothing that an act can be about."""
CHECKED_EACH = 8
"""Entries were written so often before all papers are read again."""
FORMAT = """
base = "chengdu-grand-prix"
name = "A walk"
best_of = []
tie_break = ["best_deal", "penalties"]
warnings = []
appeal_minutes = 30
"""
SAME_DEALS = 'duplicate = "players"\nruleset = "mil-2025-duplicate"\ndeals = 2\nsessions = 2\n'
OWN_DEALS = 'duplicate = "none"\n'
"""Keys of the format of which a walk draws one of each row."""
CHOICES: tuple[tuple[str, ...], ...] = (
    ("sessions = 2\ndeals = 2\n", "sessions = 1\ndeals = 3\n"),
    ('machine_fault = "replay"\n', 'machine_fault = "void"\n', 'machine_fault = "keep"\n'),
    ('late_entry = "tables"\n', 'late_entry = "places"\n', 'late_entry = "none"\n'),
    ('agreed_values = "count"\n', 'agreed_values = "approve"\n'),
    ('player_signing = "none"\n', 'player_signing = "pin"\n'),
    ('movement = "stay"\n', 'movement = "winners"\n'),
    ("final_players = 0\nfinal_sessions = 0\n", "final_players = 4\nfinal_sessions = 1\nfinal_carry = true\n",
     "final_players = 4\nfinal_sessions = 1\nfinal_carry = false\n"),
)  # fmt: skip


class Walk:
    """One event, from its first entry on. `taken` and `asked` count by command or endpoint."""

    def __init__(self, hall: Hall, number: int, chance: Chance, asked: Counter[str], taken: Counter[str]) -> None:
        hall.begin(number)
        self.hall = hall
        self.chance = chance
        self.known = Reading()
        self.asked = asked
        self.taken = taken
        self._seen = Seen(hall)
        self._last: Callable[[], Answer] = lambda: Answer(True, "")
        self._unchecked = 0
        (hall.folder / "format.toml").write_text(FORMAT + self._format(), encoding="utf-8")
        hall.command("new", str(hall.journal), "--format", str(hall.folder / "format.toml"))
        self.read("new", done=True)
        hall.open_console()

    def use(self, chance: Chance) -> None:
        """Draw from another source from now on: each step has its own."""
        self.chance = chance

    def _format(self) -> str:
        if self.chance.happens(15):
            return SAME_DEALS + self.chance.pick(CHOICES[2]) + self.chance.pick(CHOICES[4])
        chosen = [self.chance.pick(row) for row in CHOICES]
        if 'movement = "winners"\n' in chosen:
            chosen[0] = "sessions = 1\ndeals = 3\n"
        return OWN_DEALS + "".join(chosen)

    @property
    def args(self) -> Args:
        """Arguments for the event as it stands."""
        return Args(self.chance, self.known, self.hall.folder)

    def step(self) -> None:
        """Do one thing. Broken when the event is then not as it must be."""
        kind = self.chance.pick(KINDS)
        if kind == "forward":
            self.forward()
        elif kind in TWO_STEPS:
            names, paths = TWO_STEPS[kind]
            if self.chance.happens(50):
                self.request(*(("POST", f"{EVENT_API}{path}") for path in paths))
            else:
                self.type(*names)
        elif kind == "command":
            self.type(*sorted(commands.CHANGES))
        elif kind == "request":
            self.request(*sorted(asking.CHANGES))
        elif kind == "wait":
            self.hall.place.clock.now_ms += self.chance.pick(WAITS) * MINUTE_MS
            self.hall.done.append(f"the clock is at {self.hall.place.clock.now_ms}")
        elif kind == "again":
            self.again()
        elif kind == "look":
            checks.look_around(self.hall, self.chance.pick(checks.PAGES), self.chance.pick(EVERYBODY))
            self.read("look", done=False)
        elif kind == "read":
            name = self.chance.pick(sorted(commands.READS))
            self.hall.command(*commands.typed(name, self.hall.journal, self.args))
            self.read(name, done=False)
        else:
            checks.check_restart(self.hall)

    def type(self, *names: str) -> Answer:
        """Type one of these commands, mostly one that there is something for."""
        for _ in range(TRIES):
            name, args = self.chance.pick(names), self.args
            words = commands.typed(name, self.hall.journal, args)
            if args.fits:
                break
        self._last = lambda: self._typed(name, words)
        return self._last()

    def _typed(self, name: str, words: list[str]) -> Answer:
        answer = self.hall.command(*words)
        self.read(name, done=answer.done)
        return answer

    def request(self, *endpoints: tuple[str, str]) -> Answer:
        """Ask one of these of the console, mostly what there is something for, and as somebody who may."""
        if not self.chance.happens(15):
            self.follow()
        for _ in range(TRIES):
            (method, path), args = self.chance.pick(endpoints), self.args
            asked, body = asking.CHANGES[method, path](args, self._seen, self.hall)
            if args.fits:
                break
        roles = may_use(method, path)
        role = self.chance.pick(EVERYBODY) if self.chance.happens(4) else self.chance.pick(roles)
        key = f"key-{len(self.hall.done)}-{self.hall.journal.stem}"
        self._last = lambda: self._requested(role, method, path, asked, body, key)
        return self._last()

    def _requested(self, role: str, method: str, path: str, asked: str, body: dict[str, Any], key: str) -> Answer:
        answer = self.hall.ask(role, method, EVENT_API + asked, body, key)
        self.read(f"{method} {path}", done=answer.done)
        return answer

    def follow(self) -> None:
        """The console reads what was written beside it; then winners may move on."""
        self.hall.follow()
        self.read("follow", done=True)

    def again(self) -> None:
        """Somebody taps, or types, the last thing once more. A request under its key is answered as before."""
        self._last()

    def read(self, name: str, *, done: bool) -> None:
        """Read what was written. Broken when there is something after a refusal or a question."""
        new = self._take()
        self.asked[name] += 1
        self.taken[name] += bool(new)
        if new and not done:
            raise Broken(f"{name} was refused, or is a question, and has written {new}")
        if not new or not self.known.names:
            return
        self.hall.follow()
        self._take()
        checks.check_view(self.hall, self.known)
        self._unchecked += 1
        if self._unchecked >= CHECKED_EACH:
            self._unchecked = 0
            checks.everything(self.hall, self.known)

    def _take(self) -> list[str]:
        return self.known.take(self.hall.entries(len(self.known.entries)))

    def forward(self) -> None:
        """Do what comes next in the life of an event, by one of both ways."""
        command, endpoint = self._next()
        if self.chance.happens(50):
            self.request(("POST", f"{EVENT_API}{endpoint}"))
        else:
            self.type(command)

    def _next(self) -> tuple[str, str]:
        known = self.known
        if not known.names:
            return "players import", "/players"
        stage = "final" if self.args.is_played_out() and known.format["final_players"] else "main"
        draw = known.draws.get(stage)
        if known.format.get("duplicate") == "players" and not known.deals:
            return "deals commit", "/deals/commitment"
        if draw is None:
            return "draw commit", "/draws/{stage}/commit"
        if not draw["drawn"]:
            stale = [number for number, _ in draw["players"]] != self.args.present()
            if stale and stage == "main":
                return "draw commit", "/draws/{stage}/commit"
            return "draw reveal", "/draws/{stage}/reveal"
        for number, session in sorted(known.sessions.items()):
            if session.state == "running":
                short = [one for one in session.tables if len(one.deals) < known.format["deals"] and not one.signed]
                return self.chance.pick(RESULTS) if short else ("stop", "/sessions/{session}/stop")
            if session.state == "awaiting_sign_off" and any(
                not deal.approved for table in session.tables for deal in table.deals.values()
            ):
                return "approve", f"{asking.AT_TABLE}/approve"
            if session.state == "under_appeal" and any(
                not one["decided"] for one in known.appeals.values() if one["session"] == number
            ):
                return "appeal decide", "/appeals/{appeal}/decide"
            if session.state in NEXT:
                return NEXT[session.state]
        return "penalty give", "/penalties"

    def end(self) -> None:
        """What is left to look at when nobody does anything any more."""
        if self.known.names:
            self.hall.follow()
            self._take()
            checks.everything(self.hall, self.known)
            checks.check_slips(self.hall, self.known)
            checks.check_restart(self.hall)
        checks.check_whole(self.hall, self.known)
        checks.check_copies(self.hall, self.known)


NEXT = {
    "planned": ("start", "/sessions/{session}/open"),
    "open": ("start", "/sessions/{session}/start"),
    "awaiting_sign_off": ("sign-off", f"{asking.AT_TABLE}/sign-off"),
    "provisional": ("publish", "/sessions/{session}/publish"),
    "under_appeal": ("finalise", "/sessions/{session}/finalise"),
}
"""By a session's state: what comes next, as a command and at the console."""
RESULTS = (("result", f"{asking.AT_TABLE}/rule"), ("result", f"{asking.AT_TABLE}/results"))
TWO_STEPS = {
    "begin": (
        ("swap-seats", "draw commit", "appeal file", "players withdraw", "pause", "start", "sign-off"),
        (
            "/draws/{stage}/commit",
            "/appeals",
            "/players/withdraw",
            "/sessions/{session}/pause",
            f"{asking.AT_TABLE}/results",
            f"{asking.AT_TABLE}/take-back",
        ),
    ),
    "finish": (
        ("draw reveal", "appeal decide", "players return", "approve", "resume", "draw withdraw", "undo"),
        (
            "/draws/{stage}/reveal",
            "/draws/{stage}/withdraw",
            "/appeals/{appeal}/decide",
            "/players/return",
            "/sessions/{session}/end_pause",
            f"{asking.AT_TABLE}/approve",
            "/sessions/{session}/resume",
            "/undo",
        ),
    ),
}
"""What has a second step, and second steps: others come between them."""
KINDS = (
    *("forward",) * 10,
    *("begin", "finish") * 3,
    *("command", "request") * 4,
    *("wait", "again", "look", "read", "restart"),
)
"""How often a step is of which kind."""
