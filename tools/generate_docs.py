"""Writes the documents that come from the code's own tables: see PAGES.

Example: .venv-dev/bin/python tools/generate_docs.py
"""

from pathlib import Path

from wallwright.event.lifecycle import MEANINGS, PLANNED, state_words
from wallwright.event.lifecycle import TRANSITIONS as SESSION_STEPS
from wallwright_firmware.transitions import TRANSITIONS
from wallwright_protocol.codes import FAULT, SERVICE, STATES
from wallwright_protocol.faults import catalogue

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Written by tools/generate_docs.py. -->\n"


def faults_page() -> str:
    """Return docs/faults.md."""
    lines = [
        NOTE,
        "# Faults\n",
        "What a table can complain of, what it means, and what to do. `wallwright faults` prints the same list.",
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
        "The states of the firmware and what leads from one to the next: keys, commands of the host, and arrivals.",
        "Any state goes to `fault` by a fault; clearing it leads to the state that the switches show; nothing moves.",
        "The end of a service leads there too.\n",
        "- Two lift keys count as pressed at once when the first is still held and was pressed within the last two",
        "  seconds, so that a stuck key is no second one.",
        "- A lift key clears a fault when it was pressed after people can have seen the fault, 0.2 s later or more.",
        "- A table does not see whether the walls were drawn in. Was the dice key too early, any lift key brings the",
        "  lifts up again while they go down (from a host: `raise_walls`). The dice stay as they are, and the panels",
        "  ask `LOW?`: draw the walls in, then press a lift key.",
        "- Was that missed, stop the build by two lift keys at once or the emergency stop, take the stacks out of the",
        "  carriers through the service door, stand them on the table as walls, and go on.",
        "- The dice of a deal stay on the displays until the next walls are built.\n",
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
        "```",
    ]
    return "\n".join(lines) + "\n"


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


PAGES = {"faults.md": faults_page, "table-cycle.md": cycle_page, "session-life.md": session_page}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())


if __name__ == "__main__":
    main()
