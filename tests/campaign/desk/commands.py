"""What is typed: for every command of `wallwright event` that changes something, its words with arguments."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from tests.campaign.desk.args import Args
from wallwright.cli.event import app

Words = list[str]
Given = Callable[[Args], Words]


def all_commands() -> set[str]:
    """Return every command of `wallwright event`, as it is typed."""
    found: set[str] = set()

    def look(command: Any, name: str) -> None:
        for part, inner in getattr(command, "commands", {}).items():
            look(inner, f"{name} {part}".strip())
        if not hasattr(command, "commands"):
            found.add(name)

    look(typer.main.get_command(app), "")
    return found


def _in_session(*states: str) -> Given:
    return lambda args: [str(args.session(*states)), *_why(args)]


def _start(args: Args) -> Words:
    flag = args.chance.pick(("", "--open", "--put-back"))
    number = args.session("open") if flag == "--put-back" else args.to_come()
    return [str(number), *([flag] if flag else [])]


def _at_table(args: Args, *states: str, signed: bool | None = False) -> tuple[str, str]:
    session = args.session(*states)
    return str(session), str(args.table(session, signed=signed))


def _pause(args: Args) -> Words:
    session = args.session("running")
    words = [str(session), *_why(args)]
    words += ["--table", str(args.table(session))] if args.chance.happens(50) else []
    return words + (["--end"] if args.chance.happens(40) else [])


def _add_time(args: Args) -> Words:
    session = args.session("running")
    words = [str(session), *_why(args)]
    words += ["--table", str(args.table(session))] if args.chance.happens(50) else []
    return [*words, "--", str(args.minutes())]


def _sign_off(args: Args) -> Words:
    if args.chance.happens(25):
        states = ("awaiting_sign_off", "running", "provisional", "under_appeal")
        return [*_at_table(args, *states, signed=True), "--take-back", *_why(args)]
    return [*_at_table(args, "awaiting_sign_off", "running")]


def result(args: Args) -> Words:
    """A result by a referee's word, declared, or confirmed."""
    session = args.session("running", "awaiting_sign_off")
    words = [str(session), str(args.table(session, signed=False))]
    how = args.chance.pick(("--points", "--declared", "--confirm"))
    if how == "--confirm":
        return [*words, how]
    if how == "--declared":
        return [*words, how, _file(args, "deal.json", json.dumps(args.record())), "--yes", *_why(args)]
    return [*words, f"--points={_points(args)}", *_fines(args), *_why(args)]


def _correct(args: Args) -> Words:
    words = [str(number) for number in args.played()]
    how = args.chance.pick(("--points", "--void", "--declared"))
    if how == "--declared":
        return [*words, how, _file(args, "deal.json", json.dumps(args.record())), *_why(args)]
    return [*words, *([how] if how == "--void" else [f"--points={_points(args)}", *_fines(args)]), *_why(args)]


def _approve(args: Args) -> Words:
    session, table, deal = args.played()
    named = args.chance.pick(("", str(deal), f"{deal}:{args.entry(session, table, deal)}"))
    return [str(session), str(table), *([named] if named else [])]


def _substitute(args: Args) -> Words:
    session = args.session("running", "planned", "open", "awaiting_sign_off")
    words = [str(session), args.named(args.seated(session)), args.free(session), *_why(args)]
    return words + (_deals(args, session) if args.chance.happens(30) else [])


def _swap(args: Args) -> Words:
    session = args.session("running", "open", "awaiting_sign_off", "provisional", "under_appeal")
    if args.chance.happens(30):
        tables = f"{args.table(session)},{args.table(session)}"
        return [str(session), "--tables", tables, *_why(args), *_deals(args, session)]
    named = [args.named(args.seated(session)) for _ in range(args.chance.pick((2, 3)))]
    return [str(session), *named, *_why(args), *_deals(args, session)]


def _deals(args: Args, session: int) -> Words:
    first, last = args.deals(session)
    return ["--from-deal", str(first), *([] if last is None else ["--to-deal", str(last)])]


def _commit(args: Args) -> Words:
    fill = {"": [], "byes": ["--byes"], "stand_ins": ["--stand-ins"]}[args.fill()]
    return [*fill, *_stage(args), *_why(args)]


def _give(args: Args) -> Words:
    name, amount = args.kind_of_penalty()
    words = [args.named(args.player()), name, *_why(args)]
    words += [f"--amount={amount}"] if amount else []
    return words + (["--session", str(args.session())] if args.chance.happens(60) else [])


def _file_appeal(args: Args) -> Words:
    session = args.session("provisional", "under_appeal")
    words = [str(session), args.named(args.seated(session)), "--reason", args.text()]
    table = args.table(session)
    words += ["--table", str(table)] if args.chance.happens(60) else []
    return words + (["--deal", args.chance.pick(("1", "2", "9"))] if args.chance.happens(40) else [])


def _add_player(args: Args) -> Words:
    return [args.new_name(), *_why(args), *(["--private"] if args.chance.happens(10) else [])]


def _rename(args: Args) -> Words:
    words = [args.named(args.player()), args.new_name(), *_why(args)]
    return words + (["--club", "Chengdu"] if args.wrong() else [])


def _players(args: Args) -> Words:
    names = args.chance.pick((8, 9, 10, 3))
    return [_file(args, "players.csv", "name\n" + "".join(f"P{number}\n" for number in range(1, names + 1)))]


def _bind(args: Args) -> Words:
    unit = args.unit()
    return [str(args.any_table()), *([unit] if unit else []), *_why(args)]


def _of_deals(args: Args) -> Words:
    # A password takes its time, so that where nobody plays the same deals there is no file for it.
    name = "day.deals" if args.known.format.get("duplicate") else "no.deals"
    return [str(args.folder / name), "--password-file", str(args.folder / "password")]


def _file(args: Args, name: str, text: str) -> str:
    path = args.folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def _why(args: Args) -> Words:
    return ["--reason", args.reason()]


def _points(args: Args) -> str:
    return ",".join(map(str, args.points()))


def _fines(args: Args) -> Words:
    return ["--fines", args.chance.pick(("1:4", "0:1", "9:1"))] if args.wrong(12) else []


def _stage(args: Args) -> Words:
    stage = args.stage()
    return ["--stage", stage] if stage != "main" else []


CHANGES: dict[str, Given] = {
    "start": _start,
    "stop": _in_session("running"),
    "resume": _in_session("awaiting_sign_off"),
    "pause": _pause,
    "add-time": _add_time,
    "sign-off": _sign_off,
    "publish": lambda args: [str(args.session("provisional"))],
    "finalise": _in_session("under_appeal"),
    "result": result,
    "correct": _correct,
    "approve": _approve,
    "annul": lambda args: [*_at_table(args, "running", "awaiting_sign_off"), *_why(args)],
    "substitute": _substitute,
    "swap-seats": _swap,
    "undo": lambda args: _why(args),
    "bind": _bind,
    "draw commit": _commit,
    "draw add": lambda args: [args.new_name(), args.text(), *_stage(args)],
    "draw reveal": _stage,
    "draw withdraw": lambda args: [*_stage(args), *_why(args)],
    "players import": _players,
    "players add": _add_player,
    "players rename": _rename,
    "players privacy": lambda args: [
        args.named(args.player()),
        args.chance.pick(("private", "public")),
        *_why(args),
    ],
    "players withdraw": lambda args: [args.named(args.player()), *_why(args)],
    "players return": lambda args: [args.named(args.player(gone=True)), *_why(args)],
    "penalty give": _give,
    "penalty withdraw": lambda args: [str(args.penalty()), *_why(args)],
    "appeal file": _file_appeal,
    "appeal decide": lambda args: [
        str(args.appeal()),
        args.chance.pick(("--upheld", "--dismissed")),
        *_why(args),
    ],
    "deals commit": _of_deals,
    "deals replace": lambda args: [
        str(args.session("running", "awaiting_sign_off")),
        args.chance.pick(("1", "2", "9")),
        *_why(args),
    ],
    "deals reveal": _of_deals,
    "new": lambda args: ["--format", str(args.folder / "format.toml")],
}
"""By command: what is typed behind the journal."""
READS: dict[str, Given] = {
    "seats": lambda args: [str(args.session())],
    "sessions": lambda args: [str(args.session())],
    "standings": lambda args: ["--for", args.chance.pick(("everybody", "staff", "live"))],
    "explain": lambda args: [args.named(args.player()), "--session", str(args.session())],
    "check": lambda _: [],
    "export": lambda args: [args.chance.pick(("standings", "seats", "results", "penalties", "appeals"))],
    "draw show": _stage,
    "draw verify": _stage,
    "players list": lambda _: ["--changes"],
    "penalty list": lambda _: [],
    "appeal list": lambda _: [],
    "deals travellers": lambda args: [str(args.session()), "1"],
}
"""Commands that change nothing, by what is typed behind the journal."""
ELSEWHERE = {"backup", "restore", "extract", "rehearse"}
"""They make files of their own. A walk ends with copies and an extract, see `checks`; rehearse makes its own event."""


def typed(name: str, journal: Path, args: Args) -> Words:
    """Return the words of a command with arguments for an event that stands as `args` knows."""
    first, _, more = name.partition(" ")
    return [first, *([more] if more else []), str(journal), *(CHANGES | READS)[name](args)]
