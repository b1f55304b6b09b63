"""Writes the documents that come from the code's own tables: see PAGES, and PARTS of pages.

Example: .venv-dev/bin/python -m tools.generate_docs
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from carrier import values, wiring
from tools.draw_sorter import picture as sorting_ring
from tools.machine_page import machines_page
from tools.record_pages import records_page, records_schema
from tools.safety_table import single_faults
from tools.spec_tables import SPEC, cells_of, table_below
from tools.wire_headers import c_header, javascript_header, python_header
from wallwright.event.lifecycle import MEANINGS, PLANNED, state_words
from wallwright.event.lifecycle import TRANSITIONS as SESSION_STEPS
from wallwright_firmware import events, talk
from wallwright_firmware.boards import node_pins, pins
from wallwright_firmware.safety import PAST_END_MS, interlocks
from wallwright_firmware.starts import OPPOSED
from wallwright_protocol import frame, line, link, settings
from wallwright_protocol.codes import FAULT, SERVICE
from wallwright_protocol.faults import WORDS, catalogue
from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import MESSAGES
from wallwright_protocol.names import DRIVES, FAULTS, INPUTS, SETTING_KINDS, SETTING_UNITS, SETTINGS, STATES
from wallwright_protocol.transitions import TRANSITIONS

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Written by tools/generate_docs.py. -->\n"


def faults_page() -> str:
    """Return docs/faults.md."""
    lines = [
        NOTE,
        "# Faults\n",
        "Every fault of a table, what it means, and what to do. `wallwright faults` prints the same list.",
        "A table without a host shows the code and the side on its displays (`E07 S2`) and flashes the lift lamp of",
        "that side, or of all sides, in the pattern: eight steps of a quarter of a second, `*` lit. A lift key clears",
        "the fault; nothing moves then. The next press goes on.\n",
        "A notice stops nothing. A fault that stops a lane lets the other lanes finish first; the stacks built so far",
        "stay, and the build goes on from them. Of several lanes that are stopped one is shown, and when it is cleared",
        "the next.\n",
        "| code | name | severity | lamps | what it means | what to do |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| E{row['code']:02d} | `{row['name']}` | {row['severity']} | `{row['lamps']}` | {row['meaning']}"
        f" | {row['what_to_do']} |"
        for row in catalogue()
    ]
    return "\n".join(lines) + "\n"


def cycle_page() -> str:
    """Return docs/table-cycle.md: the firmware's transition table as a diagram."""
    lines = [
        NOTE,
        "# The table's cycle\n",
        "The states of the firmware and the steps between them: keys, commands of the host, and arrivals.",
        "Any state goes to `fault` by a fault; clearing it leads to the state that the switches show; nothing moves.",
        "The end of a service leads there too.\n",
        "- Two lift keys count as pressed at once when the first is still held and was pressed within the last two",
        "  seconds, so that a stuck key is no second one.",
        "- A lift key clears a fault when it was pressed after people can have seen the fault, 0.2 s later or more.",
        "  Nor does a key move anything that was pressed before they can have seen the fault go.",
        "- A table does not see whether the walls were drawn in. If the dice key came too early, press a lift key",
        "  while the lifts go down: they come up again (from a host: `raise_walls`). The dice stay as they are, and",
        "  the panels ask `LOW?`: draw the walls in, then press a lift key.",
        "- If the lifts were down already, stop the build by two lift keys at once or the emergency stop, take the",
        "  stacks out of the carriers through the service door, stand them on the table as walls, and go on.",
        "- The dice of a deal stay on the displays until the next walls are built.",
        "- Before a set is built the disc washes it, in `shuffling`, for as long as the plan or the setting `wash_s`",
        "  says. A lift key, `hurry` and `start_build` cut that short; after an open lid or a fault it begins anew.",
        "  For a prescribed wall the set is not washed, and a wash that has begun ends.",
        "- When walls are whole the table looks for some 5 s whether a tile is left over in the drum. A lift key or",
        "  `open_lid` that comes before waits for that in `checking`; the panels show `CHECK`. After a fault or a",
        "  power loss the look is made again when the lid is wanted, before it opens.",
        "- A host that keeps the score has the next build held: every side gets the stacks that it has whoever deals,",
        "  and the rest waits in `holding` until the host knows the next dealer. If nobody has told it, press a lift",
        "  key: the panels ask `NEXT?`. Then press the dice key of the next dealer.\n",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> starting",
        "    starting --> idle: all at rest",
    ]
    joined: dict[tuple[int, int], list[str]] = {}
    for (state, trigger), (following, _) in TRANSITIONS.items():
        joined.setdefault((state, following), []).append(trigger)
    lines += [
        f"    {STATES[state]} --> {STATES[following]}: {', '.join(sorted(triggers))}"
        for (state, following), triggers in sorted(joined.items())
    ]
    lines += [
        f"    {STATES[FAULT]} --> idle: lift_key, clear_fault",
        f"    {STATES[SERVICE]} --> idle: end_service",
        "```\n",
        "## Interlocks\n",
        "A drive runs only while the inputs of its row are as it says. One that is to start against them does not, and",
        "one that runs stops, with everything else, in the fault `interlock`; in service `jog` is refused with",
        "`forbidden`. `N` is one side, the same in the row. Two drives that move one thing never run together:",
        f"{', '.join(_opposites())}.",
        f"A drive that is on {PAST_END_MS / 1000} s past its end switch, for its longest time, or in a state that has",
        "no use for it, stops everything, no matter what switched it on.",
        "A motor that is to turn the other way stands for `stand_ms` first, and not more motors start at once than",
        "[their supply](hardware.md#what-all-motors-draw-together) bears; meanwhile what waits is off.\n",
        "| drive | only while |",
        "|---|---|",
        *_interlocks(),
    ]
    return "\n".join(lines) + "\n"


def _interlocks() -> list[str]:
    rows: dict[str, dict[str, None]] = {}
    for bit, number, level in interlocks():
        drive, needed = _any_side(DRIVES[bit.bit_length() - 1]), _any_side(INPUTS[number])
        name = f"`{needed}`" if drive.endswith("_N") else f"`{needed}`".replace("_N`", "` of every side")
        rows.setdefault(drive, {})[f"{name} is {'on' if level else 'off'}"] = None
    return [f"| `{drive}` | {', '.join(needed)} |" for drive, needed in rows.items()]


def _opposites() -> list[str]:
    numbers = [number for number in range(len(DRIVES)) if OPPOSED >> number & 1]
    numbers.sort(reverse=True)  # the lid, which has the last ones, first
    pairs = [(_any_side(DRIVES[number]), _any_side(DRIVES[number + 1])) for number in numbers]
    return [f"`{one}` and `{other}`" for one, other in dict.fromkeys(pairs)]


def _any_side(name: str) -> str:
    return re.sub(r"_[0-3]$", "_N", name)


def spec_faults() -> str:
    """Return the table of faults in SPEC.md."""
    lines = ["| number | name | meaning |", "|---|---|---|"]
    lines += [f"| {number} | {name} | {WORDS[name][0]} |" for number, name in enumerate(FAULTS)]
    return "\n".join(lines) + "\n"


def settings_table() -> str:
    """Return the table of settings in SPEC.md."""
    rows = (f"| {number} | {name} {rest}" for number, (name, rest) in enumerate(_settings()))
    return "\n".join(["| number | name | kind | unit | default | limits | meaning |", f"{'|---' * 7}|", *rows]) + "\n"


def doctor_settings() -> str:
    """Return the table of settings in doctor.md."""
    rows = (f"| `{name}` {rest}" for name, rest in _settings())
    return "\n".join(["| setting | kind | unit | usually | limits | meaning |", f"{'|---' * 6}|", *rows]) + "\n"


def _settings() -> Iterator[tuple[str, str]]:
    """Yield the name of each setting, and its cells behind that."""
    for number, name in enumerate(SETTINGS):
        kind, unit = SETTING_KINDS[settings.KINDS[number]], SETTING_UNITS[settings.UNITS[number]]
        limits = f"{settings.LOWEST[number]} to {settings.HIGHEST[number]}"
        yield name, f"| {kind} | {unit} | {settings.DEFAULTS[number]} | {limits} | {settings.MEANINGS[number]} |"


def with_tables(text: str) -> str:
    """Return the text of SPEC.md with messages, lists of numbers and limits as they should be.

    What a row means is written there and nowhere else: it stays. Raises ValueError for a list without a table.
    """
    rows = [
        (f"0x{number:02X}", name, direction, layout[1:], ", ".join(fields))
        for number, name, direction, layout, fields in MESSAGES
    ]
    text = _with_rows(text, "## 8. Messages", rows, key=(1, 2))
    for heading in dict.fromkeys(heading for heading, _, _ in LISTS if heading not in PARTS[SPEC]):
        numbered = [
            (str(first + at), name) for of, first, names in LISTS for at, name in enumerate(names) if of == heading
        ]
        text = _with_rows(text, f"### {heading.capitalize()}", numbered, key=(1,))
    limits = [(name, str(_limit(name))) for name, _, _ in cells_of(table_below(text, "## 11. Limits and times")[1])]
    return _with_rows(text, "## 11. Limits and times", limits, key=(0,))


def _with_rows(text: str, heading: str, rows: Sequence[tuple[str, ...]], key: tuple[int, ...]) -> str:
    """Put these rows below a heading; the last cell of each stays, found by the cells of `key`."""
    table = table_below(text, heading)
    kept = {tuple(cells[at] for at in key): cells[-1] for cells in cells_of(table[1])}
    lines = [(*row, kept.get(tuple(row[at] for at in key), "")) for row in rows]
    written = ["|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|\n" for line in lines]
    return text[: table.start(1)] + "".join(written) + text[table.end(1) :]


def _limit(name: str) -> int:
    values = {getattr(home, name) for home in (frame, link, events, talk) if hasattr(home, name)}
    if len(values) != 1:
        raise ValueError(f"the limit {name} of SPEC.md has the values {sorted(values)}; it needs one")
    value: int = values.pop()
    return value


def session_page() -> str:
    """Return docs/session-life.md: the steps of a tournament's session as a diagram and a list."""
    lines = [
        NOTE,
        "# The life of a session\n",
        "The states of a session and the steps between them. `wallwright event` takes these steps, and refuses others",
        "with the ones that are possible. A correction or a penalty in a session that is final takes the step `revise`",
        "by itself.\n",
        "```mermaid",
        "stateDiagram-v2",
        f"    [*] --> {PLANNED}",
    ]
    lines += [f"    {source} --> {target}: {step}" for step, sources, target in SESSION_STEPS for source in sources]
    lines += ["```\n", "| step | from | to | when |", "|---|---|---|---|"]
    lines += [
        f"| `{step}` | {', '.join(map(state_words, sources))} | {state_words(target)} | {MEANINGS[step]} |"
        for step, sources, target in SESSION_STEPS
    ]
    return "\n".join(lines) + "\n"


def carrier_pins() -> str:
    """Return the table of the Pico's pins in docs/hardware.md."""
    lines = ["| pin of the Pico | GPIO | net | direction | function |", "|---|---|---|---|---|"]
    lines += [
        f"| {wiring.PICO_PINS[number]} | GP{number} | {f'`{net.lower()}`' if net else 'wire nothing here'} |"
        f" {direction} | {function} |"
        for number, net, direction, function in pins.PINS
    ]
    return "\n".join(lines) + "\n"


def carrier_inputs() -> str:
    """Return the table of input channels in docs/hardware.md."""
    lines = ["| place | input | register | terminal |", "|---|---|---|---|"]
    lines += [
        f"| {one.place} | {'spare' if one.name.startswith('spare') else f'`{one.name}`'} | {one.register} |"
        f" {one.connector} {one.terminal} |"
        for one in wiring.inputs()
    ]
    return "\n".join(lines) + "\n"


def carrier_outputs() -> str:
    """Return the table of drives and lamps in docs/hardware.md."""
    ends = {motor.places: f"{motor.connector} {motor.terminals[0]}, {motor.terminals[1]}" for motor in wiring.motors()}
    at = {place: where for places, where in ends.items() for place in places}
    lines = ["| place | output | register | switches | motor's terminals |", "|---|---|---|---|---|"]
    lines += [
        f"| {one.place} | `{one.name}` | {one.register} | {one.switches} | {at.get(one.place, '')} |"
        for one in wiring.outputs()
    ]
    return "\n".join(lines) + "\n"


def carrier_values() -> str:
    """Return the table of derived values in docs/hardware.md."""
    least, greatest = values.enable_pull_up_ohm()
    lines = [
        "| value | fitted | why (calculated) | from |",
        "|---|---|---|---|",
        f"| R1, pull-up on `out_enable` | {values.ENABLE_PULL_UP_OHM} Ohm | at most {greatest:,.0f}: against GP7's"
        f" pull-down and four inputs' leakage it is still a high level, with {values.ENABLE_MARGIN_V} V to spare; at"
        f" least {least:,.0f}: what the pin can pull low | RP2040 datasheet 5.2.3.4: 50 to 80 kOhm; SN74HC595"
        " datasheet: high from 0.7 of the supply, 1 uA an input |",
    ]
    lines += [
        f"| series resistor of an input for {volts} V{', fitted' if volts == 24 else ''} | {ohm} Ohm |"
        f" {1000 * values.input_current_a(volts, volts):.1f} mA; nothing is seen below {values.unseen_v(volts):.1f} V;"
        f" with {0.8 * volts:g} V and half of the least transfer ratio the level is above the"
        f" {values.HC_HIGH * values.LOGIC_V:.1f} V that are needed | LTV-8x7 datasheet: 1.2 V, 50 % |"
        for volts, ohm in values.INPUT_OHM.items()
    ]
    for volts in (24, 12):
        fuse = values.fuse(volts)
        lines.append(
            f"| fuse of a motor at {volts} V | T {fuse.rated_a:g} A | runs with {fuse.run_a:.2f} A, carried for ever at"
            f" 60 degrees; stands still with {fuse.stall_a:g} A, {fuse.stall_a / fuse.rated_a:.2f} times the fuse:"
            " open within 10 s | running: B, pages of repairers and sellers, some 15 W for a big motor of a table;"
            " standing: A for a comparable motor, Pololu 37D datasheet 1.2; fuse: IEC 60127-2 sheet 3 |"
        )
    for volts in (24, 12):
        head = values.head_fuse(volts)
        lines.append(
            f"| fuse of a head at {volts} V | T {head.rated_a:g} A | effective {head.run_a:.2f} A, a start every"
            f" {values.HEAD_PERIOD_S} s included; stands still with {head.stall_a:g} A,"
            f" {head.stall_a / head.rated_a:.2f} times the fuse: open within 2 minutes | as above; start: C, from"
            f" standing current with {1000 * values.HEAD_START_S:.0f} ms |"
        )
    held = [1000 * seconds for seconds in values.pump_hold_s()]
    upper, lower = values.SENSE_OHM
    lines += [
        f"| F2, F3, F4: sensors, line, lamps | T {', T '.join(f'{values.rated(a):g}' for a in values.RAIL_A.values())}"
        f" A | carry {', '.join(f'{a:g}' for a in values.RAIL_A.values())} A for ever at 60 degrees | as above |",
        f"| divider of a sense | {upper} and {lower} Ohm | {values.sense_v(values.MOTOR_V[0]):.1f} V at a terminal"
        f" with {values.MOTOR_V[0]} V, {values.HC_HIGH * values.LOGIC_V:.1f} V are high; what is not connected reads 0;"
        f" at most {1000 * values.MOTOR_V[1] / (upper + lower):.1f} mA from a terminal | SN74HC165 datasheet: high from"
        " 0.7 of the supply, low to 0.3 |",
        f"| sense of a MOSFET | {values.DRAIN_OHM[0]} and {values.DRAIN_OHM[1]} Ohm | a drain above"
        f" {values.drain_v():.1f} V reads as off; {1000 * values.MOTOR_V[1] / sum(values.DRAIN_OHM):.1f} mA flow"
        " through the motor then | BC546 datasheet |",
        f"| discharge of the pump | {values.PUMP_OHM} Ohm and {1e6 * values.PUMP_F:g} uF | holds {held[0]:.0f} to"
        f" {held[1]:.0f} ms after a pulse, with all tolerances | LM393 and BAT85 datasheets; film 5 % |",
        f"| R8, R10, bias of the line | {values.BIAS_OHM} Ohm | {values.idle_line_v():.2f} V between A and B with"
        f" nobody driving; {values.BIAS_V} V read as one | TIA/EIA-485-A |",
        "",
        "Grades of what no table's maker has published: A, the datasheet of a comparable motor; B, the page of a seller"
        " or repairer.",
    ]
    return "\n".join(lines) + "\n"


def line_bodies() -> str:
    """Return the table of bodies in docs/line.md."""
    lines = ["| kind | name | from | format | fields |", "|---|---|---|---|---|"]
    lines += [
        f"| {kind:02X} | {name} | {sender} | {layout[1:]} | {', '.join(fields)} |"
        for kind, name, sender, layout, fields in line.BODIES
    ]
    change = f"| | each change of an ANSWER, {line.CHANGES} at the most | node | {line.CHANGE_LAYOUT[1:]} |"
    return "\n".join([*lines, f"{change} {', '.join(line.CHANGE_FIELDS)} |"]) + "\n"


def node_pin_table() -> str:
    """Return the table of a node's pins in docs/line.md."""
    used = [(name, getattr(pins, f"PIN_{name}")) for name in ("LINE_TX", "LINE_RX", "LINE_ENABLE")]
    used += [(name.removeprefix("PIN_"), pin) for name, pin in vars(node_pins).items() if name.startswith("PIN_")]
    rows = [
        (f"GP{pin}", f"{name} {at}" if len(many) > 1 else name)
        for name, given in used
        for many in [given if isinstance(given, tuple) else (given,)]
        for at, pin in enumerate(many)
    ]
    return "\n".join(["| pin | what |", "|---|---|", *[f"| {pin} | {name} |" for pin, name in rows]]) + "\n"


PAGES = {
    "faults.md": faults_page,
    "table-cycle.md": cycle_page,
    "machines.md": lambda: f"{NOTE}\n{machines_page()}",
    "session-life.md": session_page,
    "journal-records.md": lambda: f"{NOTE}\n{records_page()}",
    "journal-records.schema.json": records_schema,
    "sorting-ring.svg": sorting_ring,
    "headers/wallwright_wire.py": python_header,
    "headers/wallwright_wire.mjs": javascript_header,
    "headers/wallwright_wire.h": c_header,
}
"""Name below docs/ -> what it should hold."""
PARTS = {
    SPEC: {"faults": spec_faults, "settings": settings_table},
    DOCS / "doctor.md": {"settings": doctor_settings},
    DOCS / "safety.md": {"single faults": single_faults},
    DOCS / "line.md": {"bodies": line_bodies, "pins": node_pin_table},
    DOCS / "hardware.md": {
        "pins": carrier_pins,
        "inputs": carrier_inputs,
        "outputs": carrier_outputs,
        "values": carrier_values,
    },
}
"""Page -> name of a part, which stands between two comments with that name -> what it should hold."""


def with_parts(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """Return the text of a page with its parts as they should be."""
    for name, part in parts.items():
        head, begin, rest = text.partition(f"<!-- {name}: written by tools/generate_docs.py -->\n")
        _, end, tail = rest.partition(f"<!-- end of {name} -->\n")
        text = f"{head}{begin}\n{part()}\n{end}{tail}"
    return text


def main() -> None:
    """Write all pages and parts."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())
    for path, parts in PARTS.items():
        path.write_text(with_parts(path.read_text(), parts))
    SPEC.write_text(with_tables(SPEC.read_text()))
    from carrier.drawings import DRAWINGS  # here, since no other page needs what draws them

    for name, draw in DRAWINGS.items():
        (DOCS / f"{name}.svg").write_text(draw())


if __name__ == "__main__":
    main()
