"""What the console says, in English and in simplified Chinese.

The English text is the key; `locale/` has the Chinese one, in the catalogs of gettext. A text that is missing there is
shown in English, and a test finds it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from wallwright_protocol.hardware import SIDES

from ..fleet.tracked import RESET
from ..tracking.judge import NOT_FOLLOWED, NOT_SETTLED
from ..words import Plural, Seat, plural
from .catalogs import LOCALES, catalog
from .hall.late import Late
from .hall.model import Fault

LANGUAGES = ("en", *LOCALES)
HTML_LANGUAGES = {"en": "en"} | {language: locale.replace("_", "-") for language, locale in LOCALES.items()}

STATES = {
    "starting": "Starting",
    "idle": "Idle, no walls built",
    "building": "Building the walls",
    "ready": "Walls ready",
    "checking": "Looks for a tile left over before the lid opens",
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
    "holding": "Last stacks wait for who deals next",
    "asking": "The table asks who deals next: the next dealer presses the dice key",
    "searching": "Not connected",
    "ended": "Given up",
}
UNKNOWN = "Unknown to this program: {what}"
ATTENTION = {
    "fault": "Fault",
    "away": "Not connected",
    "referee": "Referee called",
    "late": "Late",
    "walls": "Walls of another dealer",
    "deal": "Deal to decide",
}
LATE = {
    "players": "Waits for its players for {minutes} min",
    "not_begun": "Has not begun for {minutes} min",
    "silent": "No deal for {minutes} min",
    "over_time": "Time is up for {minutes} min, still plays",
}
OUTAGES = {
    "bad_port": "Its port cannot be told from what is written. Correct the hall's file and start the server again.",
    "port_not_found": "Its port is not there. Plug the cable in and switch the table on; it is found by itself.",
    "port_denied": "This server may not open its port. Let its user have the right to it.",
    "port_busy": "Another program holds its port. End that program; the table is taken over by itself.",
    "port_gone": "Its cable came out, or it has lost its power. See to both; it is found again by itself.",
    "not_a_table": "What answers at its port is no table. Check the port's name, or put the firmware on the board.",
    "no_answer": "It has stopped answering and is asked again and again. See to its cable, or switch it off and on.",
    "board_reset": "Look at the table: its board has started anew, and nothing moves. It is connected again by itself.",
    "connection_lost": (
        "Another program has taken it over, or this one was held up. End the other one; it is asked again."
    ),
    "version_mismatch": "Its firmware and this server do not fit together. Update one of them.",
    "bad_board": "Its board does not keep to the protocol. Put this release's firmware on it.",
    "bad_message": "It has sent a message that cannot be read. Switch it off and on, and report it if it comes again.",
    "wrong_unit": "Another board answers at its port. Swap the cables, or correct the hall's file.",
    "bad_key": "The key that the journal needs for it cannot be used. It is tried again.",
}
"""What keeps a table away, for a person at a screen: the search goes on by itself."""
_SAID = {"port_gone", "no_answer", "board_reset", "connection_lost"}
OUTAGE_FACTS = tuple(name for name in OUTAGES if name not in _SAID)
"""Of these the error says more than the sentence does: a name, a version, a file."""
COMMANDS = {
    "stop": "Stop",
    "clear_fault": "Clear fault",
    "start_build": "Build walls",
    "hurry": "Cut the wash short",
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
    "key_pressed": "{key} key pressed at {seat}",
    "build_started": "The build has begun, after a wash of {wash_s} s",
    "side_done": plural("{seat}: {stacks} stack built", "{seat}: {stacks} stacks built", "stacks"),
    "build_done": "The walls are built after {duration_s} s and a wash of {wash_s} s",
    "walls_up": "The walls are up, deal {deal}",
    "dice_rolled": "Dice: {dice_text}",
    "dice_committed": "The next roll is committed to",
    "setup_changed": "The table was set up: tiles of a set {tiles}, dice {dice_count}",
    "fault": "Fault {fault}, {seat}",
    "fault_cleared": "Fault {fault} cleared by {source}",
    "referee_called": "Referee called from {seat}",
    "notice": "Noticed: {fault}, {seat}",
    "restored": "Continued after a power loss, deal {deal}",
    "connected": "Connected",
    "searching": "Connection lost",
    "gap": plural("{lost} event lost", "{lost} events lost", "lost"),
    "strange": "It has sent a message that this program does not know or take: {text}",
    "unreadable": "It has told a {message} that cannot be read",
    "report": "Report written",
    "ended": "Given up by this program",
    "jog_done": "In service: {drive} ran for {ran_ms} ms",
    "tag_unread": "A reader sees a tile and cannot read it",
    "wall_sealed": plural(
        "The wall of deal {deal} is sealed: {tiles} tile, {unread} of them unread",
        "The wall of deal {deal} is sealed: {tiles} tiles, {unread} of them unread",
        "tiles",
    ),
    "wall_revealed": "The wall of deal {deal} is revealed",
    "wall_part": "The wall of deal {deal} is revealed from tile {first} on",
    "wall_unverifiable": "The wall of deal {deal} can never be verified: {seal_loss}",
    "prescription_judged": "A prescription for deal {deal} was checked: {refusal}",
    "wall_prescribed": "The wall of deal {deal} was compared with its prescription, tiles of it unread: {inferred}",
    "claim": "Claim from {seat}",
    "crashed": "The board's program had failed in {module}, line {line}: {error}",
    "evidence": "What told of {fault}: input {input}; drive: {drive}",
    "wiring_changed": "The board goes by another map of its wires: {wiring}",
    "wire_jogged": "Wiring: output {output} was on for {ran_ms} ms",
    "tracked": "Deal {deal} is worked out from its tiles: {points_text}",
    "question": "Deal {deal}: its tiles leave a question for a referee",
    "disputed": "Deal {deal} was declared otherwise than its tiles say; a referee decides",
    "to_declare": "Deal {deal} has to be declared",
    "untracked": "Its deals are not worked out from their tiles: {text}",
    "journal": "The journal works again",
    "walls": "Its walls are those of who deals next",
    "overrun": plural(
        "{missed} change was not shown: it came faster than it was read",
        "{missed} changes were not shown: they came faster than they were read",
        "missed",
    ),
}
WITHOUT = {
    "build_started": ("wash_s", "The build has begun"),
    "build_done": ("wash_s", "The walls are built after {duration_s} s"),
    "fault": ("side", "Fault {fault}"),
    "notice": ("side", "Noticed: {fault}"),
    "evidence": ("input", "What told of {fault}: drive {drive}"),
    "claim": ("seat", "A discard is claimed"),
    "journal": ("works", "The journal takes nothing"),
    "walls": ("right", "Its walls are those of another dealer"),
}
"""What is said instead where a field has no value, or is not so."""
SEAL_LOSSES = {
    "no_random": "no random number could be drawn",
    "power": "the power was lost",
    "not_back": "its set did not come back",
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
WINS = {"self_drawn": "self-drawn", "discard": "on a discard", "robbed_kong": "robbing a kong"}
PLAYER_CHANGES = {"added": "added", "renamed": "renamed", "withdrawn": "withdrawn", "returned": "returned",
                  "undone": "undone", "private": "name withheld", "shown": "name shown"}  # fmt: skip
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
PAPER_NAMES = {
    "standings": "Standings",
    "seats": "Seats of the sessions",
    "results": "Results of all deals",
    "penalties": "Penalties",
    "appeals": "Appeals",
}
DECISIONS = {
    "open": "not decided yet",
    "upheld": "upheld",
    "dismissed": "dismissed",
}
MACHINE_FAULTS = {
    "replay": "It is taken away and played again.",
    "void": "It counts as played and gives no points.",
    "keep": "What has been declared is scored as when time is up.",
}
QUESTIONS = {
    "parting": "What happened after this?",
    "unread": "Too much was not read to be sure. Did the deal end like this?",
    "pushed": "Tiles went where no move takes them. Was the deal over by then?",
}
WHY_DECLARED = (RESET, NOT_FOLLOWED, NOT_SETTLED)
"""Why a deal has to be declared; where the tracker says something else, it is in English."""
DEAL_KINDS = {
    "question": "The tiles leave a question",
    "disputed": "Declared otherwise than its tiles say",
    "to_declare": "Has to be declared",
}
DEAL_MOVES = {
    "start": "The deal begins",
    "void": "forbids a suit",
    "draw": "draws",
    "replace": "draws a replacement",
    "flower": "lays out a flower",
    "give": "gives away, face down",
    "discard": "discards",
    "pass": "lets it pass",
    "chow": "claims a chow",
    "pung": "claims a pung",
    "kong": "declares a kong",
    "concealed kong": "declares a concealed kong",
    "melded kong": "declares a melded kong",
    "promoted kong": "adds to a pung",
    "postponed kong": "adds to a pung later",
    "hu": "declares Hu",
    "own kong": "makes a kong",
    "claimed kong": "claims a kong",
    "wins": "wins",
    "call": "calls",
    "declares": "declares:",
    "breach": "breaks the rule of the forbidden suit",
    "time_up": "time is called",
    "end": "The deal is over",
}
LID_STATES = ("open", "closed", "moving")
SUITS = {"m": "characters", "p": "dots", "s": "bamboo"}
TILES = {
    "1z": "East wind", "2z": "South wind", "3z": "West wind", "4z": "North wind",
    "5z": "white dragon", "6z": "green dragon", "7z": "red dragon",
    "1f": "season 1, spring", "2f": "season 2, summer", "3f": "season 3, autumn", "4f": "season 4, winter",
    "5f": "flower 1, plum", "6f": "flower 2, orchid", "7f": "flower 3, bamboo", "8f": "flower 4, chrysanthemum",
}  # fmt: skip
"""What honours and flowers are called by who reads a picture aloud."""
TAP_MODES = {
    "standing": "a standing tile",
    "winning": "the winning tile",
    "chow": "a chow",
    "pung": "a pung",
    "concealed": "a concealed kong",
    "melded": "a melded kong",
    "promoted": "a promoted kong",
    "postponed": "a postponed kong",
}
NOTHING = "none"

Translate = Callable[..., str]


def translator(language: str) -> Translate:
    """Return the function that gives a text in a language, with values put in for its {names}."""
    texts = catalog(language)

    def translate(text: str, /, context: str = "", **values: Any) -> str:
        if isinstance(text, Plural):
            found = texts.ngettext(text.one, text, text.number(values))
        elif context:
            found = texts.pgettext(context, text)
        else:
            found = texts.gettext(text) if text else ""
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
    found = translate(english, context=f"fault.{fault.name}")
    return translate(english) if found == english else found


def state_text(state: str, translate: Translate) -> str:
    """Return what a table does, also in a state that this program does not know: `state 200`."""
    return translate(STATES[state]) if state in STATES else translate(UNKNOWN, what=state)


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
    field, without = WITHOUT.get(kind, ("", HAPPENINGS[kind]))
    text = without if fields.get(field) is None or fields[field] is False else HAPPENINGS[kind]  # seat 0 is a value
    values = {name: translate(NOTHING) if value is None else value for name, value in fields.items()}
    for name in ("fault", "message", "key", "source"):
        if isinstance(fields.get(name), str):
            side = fields[name].removeprefix("side_")
            values[name] = Seat(int(side)).said(translate) if side.isdecimal() else translate(words(fields[name]))
    if isinstance(fields.get("state"), str):
        values["state"] = state_text(fields["state"], translate)
    if "duration_ms" in fields:
        values["duration_s"] = round(fields["duration_ms"] / 1000, 1)
    if "dice" in fields:
        values["dice_text"] = " + ".join(map(str, fields["dice"]))
    if isinstance(fields.get("firmware"), (tuple, list)):
        values["firmware"] = ".".join(map(str, fields["firmware"]))
    if "points" in fields:
        values["points_text"] = " ".join(f"{points:+d}" for points in fields["points"])
    if isinstance(fields.get("drive"), str):
        values["drive"] = drives_text((fields["drive"],), translate)
    if fields.get("seal_loss") in SEAL_LOSSES:
        values["seal_loss"] = translate(SEAL_LOSSES[fields["seal_loss"]])
    place = fields.get("side", fields.get("seat"))
    if type(place) is int and 0 <= place < SIDES:
        values["seat"] = Seat(place, begins=text.startswith("{seat}")).said(translate)
    else:
        values["seat"] = translate(NOTHING) if place is None else place
    return translate(text, **{"x": "", **values})


def tile_text(kind: str, translate: Translate) -> str:
    """Return what a tile is called, by its name in MPSZ: "5s", "East wind"."""
    return translate(TILES[kind]) if kind in TILES else f"{kind[0]}{translate(kind[1])}"


def late_text(late: Late, translate: Translate) -> str:
    """Return why a table is late, as a sentence."""
    return translate(LATE[late.why], minutes=late.minutes)


def outage_text(outage: str | None, problem: str | None, translate: Translate) -> str:
    """Return what keeps a table away and what to do about it; `problem` is what was heard of that."""
    if outage not in OUTAGES:
        return problem or translate("It is being looked for.")
    return translate(OUTAGES[outage])


def drives_text(moving: tuple[str, ...], translate: Translate) -> str:
    """Return what moves as a list in words: "drum disc, belt (East), belt (West)"."""
    words = []
    for drive in moving:
        name, _, side = drive.rpartition("_")
        if side.isdecimal():
            words.append(f"{translate(DRIVES[name])} ({Seat(int(side)).said(translate)})")
        else:
            words.append(translate(DRIVES[drive]) if drive in DRIVES else drive)
    return ", ".join(words)
