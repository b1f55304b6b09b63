"""What the console says, in English and in simplified Chinese.

The English text is the key; `zh.toml` has the Chinese one, `zh_rules.toml` that of what the rules say. A text that is
missing there is shown in English, and a test finds it.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .model import Fault

LANGUAGES = ("en", "zh")
FILES = ("zh.toml", "zh_rules.toml")
HTML_LANGUAGES = {"en": "en", "zh": "zh-Hans"}

STATES = {
    "starting": "Starting",
    "idle": "Idle, no walls built",
    "building": "Building the walls",
    "ready": "Walls ready",
    "lid_opening": "Lid opens",
    "lid_open": "Lid open",
    "lid_closing": "Lid closes",
    "lifting": "Walls rise",
    "walls_up": "Walls are up",
    "lowering": "Lifts go down",
    "shuffling": "Shuffling",
    "fault": "Stopped",
    "pausing": "Pausing",
    "stopped_raising": "Stopped while raising",
    "stopped_lowering": "Stopped while lowering",
    "service": "In service",
    "searching": "Not connected",
    "ended": "Given up",
}
ATTENTION = {
    "fault": "Fault",
    "away": "Not connected",
    "referee": "Referee called",
    "late": "Waits for its players",
}
COMMANDS = {
    "stop": "Stop",
    "clear_fault": "Clear fault",
    "start_build": "Build walls",
    "open_lid": "Open lid",
    "raise_walls": "Raise walls",
    "lower_lifts": "Lower lifts",
}
ROLES = {
    "director": "Director",
    "referee": "Referee",
    "scorer": "Scorer",
    "operator": "Operator",
    "screen": "Hall screen",
    "public": "Guest",
}
HAPPENINGS = {
    "booted": "The board has started, firmware {firmware}",
    "state_changed": "{state}",
    "command_accepted": "Command {message} from {source}",
    "key_pressed": "{key} key pressed at side {side}",
    "build_started": "The build has begun",
    "side_done": "Side {side}: {stacks} stacks built",
    "build_done": "The walls are built after {duration_s} s",
    "walls_up": "The walls are up, deal {deal}",
    "dice_rolled": "Dice: {dice_text}",
    "dice_committed": "The next roll is committed to",
    "fault": "Fault {fault}, side {side}",
    "fault_cleared": "Fault {fault} cleared by {source}",
    "referee_called": "Referee called from side {side}",
    "notice": "Noticed: {fault}, side {side}",
    "restored": "Continued after a power loss, deal {deal}",
    "connected": "Connected",
    "searching": "Connection lost",
    "gap": "{lost} events lost",
    "report": "Report written",
    "ended": "Given up by this program",
}
DRIVES = {
    "disc": "drum disc",
    "ring": "magnet ring",
    "conveyor": "belt",
    "conveyor_reverse": "belt (backwards)",
    "head": "stacking head",
    "lift_raise": "lift (up)",
    "lift_lower": "lift (down)",
    "lid_open": "lid (opens)",
    "lid_close": "lid (closes)",
}
WINS = {
    "self_drawn": "self-drawn",
    "discard": "on a discard",
    "robbed_kong": "robbing a kong",
}
SESSION_STATES = {
    "planned": "planned",
    "open": "seats are open",
    "running": "running",
    "awaiting_sign_off": "waits to be signed",
    "provisional": "provisional",
    "under_appeal": "under appeal",
    "final": "final",
}
STEPS = {
    "open": "Open the seats",
    "put_back": "Close the seats",
    "start": "Start the clock",
    "stop": "Stop the session",
    "resume": "Let it go on",
    "publish": "Publish",
    "finalise": "Make final",
    "pause": "Pause",
    "end_pause": "End the pause",
}
PENALTIES = {
    "warning": "Warning",
    "serious_warning": "Serious warning",
    "points": "Points taken",
    "heavy_points": "Many points taken",
    "table_points": "Table points taken",
    "no_win": "May not win this deal",
    "loss_of_session": "Loss of the session",
    "disqualification": "Disqualification",
}
DEAL_MOVES = {
    "start": "The deal begins",
    "void": "forbids a suit",
    "draw": "draws",
    "discard": "discards",
    "pass": "lets it pass",
    "pung": "claims a pung",
    "kong": "declares a kong",
    "concealed kong": "declares a concealed kong",
    "melded kong": "declares a melded kong",
    "promoted kong": "adds to a pung",
    "postponed kong": "adds to a pung later",
    "hu": "declares Hu",
    "breach": "breaks the rule of the forbidden suit",
    "time_up": "time is called",
    "end": "The deal is over",
}
SUITS = {"m": "characters", "p": "dots", "s": "bamboo"}
TAP_MODES = {
    "standing": "a standing tile",
    "winning": "the winning tile",
    "pung": "a pung",
    "concealed": "a concealed kong",
    "melded": "a melded kong",
    "promoted": "a promoted kong",
    "postponed": "a postponed kong",
}
ENDS = {
    "three_hu": "after the third Hu",
    "wall": "with the wall",
    "time_up": "because time was up",
}
NOTHING = "none"

Translate = Callable[..., str]


@cache
def chinese() -> Mapping[str, str]:
    """Return the Chinese text of every English one."""
    return {english: text for name in FILES for english, text in _read(name).items()}


def _read(name: str) -> Mapping[str, str]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def translator(language: str) -> Translate:
    """Return the function that gives a text in a language, with values put in for its {names}."""
    texts: Mapping[str, str] = chinese() if language == "zh" else {}

    def translate(text: str, /, **values: Any) -> str:
        found = texts.get(text, text)
        return found.format(**values) if values else found

    return translate


def choose(wanted: str | None, accepted: str) -> str:
    """Return the language: the one wanted if there is such a one, else by the Accept-Language of the browser."""
    if wanted in LANGUAGES:
        return wanted
    for part in accepted.lower().split(","):
        found = part.split(";")[0].strip()[:2]
        if found in LANGUAGES:
            return found
    return LANGUAGES[0]


def fault_text(fault: Fault, part: str, translate: Translate) -> str:
    """Return the "meaning" of a fault, or "what_to_do"; its English words are the protocol's."""
    english: str = getattr(fault, part)
    key = f"fault.{fault.name}.{part}"
    found = translate(key)
    return english if found == key else found


def minutes(ms: int) -> str:
    """Return a time as a clock shows it: 59:00."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02d}"


def words(name: str) -> str:
    """Return a name of the message table as words: "Tile missing"."""
    return name.replace("_", " ").capitalize()


def happening_text(kind: str, fields: Mapping[str, Any], translate: Translate) -> str:
    """Return an event of a table, or a change of its link, as a sentence."""
    if kind not in HAPPENINGS:
        return " ".join([kind, *(f"{name}={value}" for name, value in fields.items())])
    values = {name: translate(NOTHING) if value is None else value for name, value in fields.items()}
    for name in ("fault", "message", "key", "source"):
        if isinstance(fields.get(name), str):
            values[name] = translate(words(fields[name]))
    if "state" in fields and fields["state"] in STATES:
        values["state"] = translate(STATES[fields["state"]])
    if "duration_ms" in fields:
        values["duration_s"] = round(fields["duration_ms"] / 1000, 1)
    if "dice" in fields:
        values["dice_text"] = " + ".join(map(str, fields["dice"]))
    if isinstance(fields.get("firmware"), (tuple, list)):
        values["firmware"] = ".".join(map(str, fields["firmware"]))
    return translate(HAPPENINGS[kind], **{"x": "", **values})


def drives_text(moving: tuple[str, ...], translate: Translate) -> str:
    """Return what moves as a list in words: "drum disc, belt 0, belt 2"."""
    words = []
    for drive in moving:
        name, _, side = drive.rpartition("_")
        if side.isdecimal():
            words.append(f"{translate(DRIVES[name])} {side}")
        else:
            words.append(translate(DRIVES[drive]))
    return ", ".join(words)
