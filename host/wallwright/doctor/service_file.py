"""The service file: one zip with all that somebody who was not there needs to understand a table.

It holds what the table says of itself and nothing of the computer but its versions: no paths, no names of people.
"""

import dataclasses
import io
import json
import platform
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS

from ..errors import BadPath
from ..link.reports import Event, event_record
from ..system.disk import write_named_new
from ..table.table import Table
from .bench import Bench
from .upkeep import hints, read_counters, read_noise, read_settings
from .wiring.on_board import read_map

HISTORY = ("booted", "restored", "fault", "fault_cleared", "notice")
"""Events that tell what has gone wrong with a table, and when it was started."""
HELD_LIMIT_MS = 10_000
"""A board hands over the 96 events that it holds, four at a time, in less."""


def contents(bench: Bench, made_at: datetime, journalled: Iterable[Mapping[str, Any]] | None) -> dict[str, str]:
    """Return the name and the text of every file, from the table as it stands now.

    `journalled` are the records of a journal about this table, as `history` picks them; None when there is no journal.
    """
    table = bench.table
    held = [event_record(event) for event in events_held(table)]
    past = [record for record in held if record["event"] in HISTORY] if journalled is None else list(journalled)
    counters = read_counters(table)
    noted = {"noise": dataclasses.asdict(read_noise(table)), "hints": list(hints(counters))}
    wiring = read_map(table)
    files = {
        "about.json": _json(_about(table, made_at, "board" if journalled is None else "journal")),
        "status.json": _json(dataclasses.asdict(table.status())),
        "inputs.json": _json(_inputs(bench)),
        "wiring.toml": "" if wiring is None else wiring.to_toml(),
        "settings.json": _json([dataclasses.asdict(setting) for setting in read_settings(table)]),
        "counters.json": _json(dataclasses.asdict(counters) | noted),
        "faults.jsonl": _lines(past),
        "events.jsonl": _lines(held),
    }
    # Last, so that it has all of the above too.
    return files | {"trace.txt": table.trace() + "\n"}


def history(entries: Iterable[Any], unit: str) -> list[dict[str, Any]]:
    """Return what the entries of a journal (`journal.Entry`) say of the faults of `unit`, in their order."""
    return [
        {"at_ms": entry.at_ms, "boot_id": entry.boot_id, "seq": entry.seq, "event": entry.kind, **entry.fields}
        for entry in entries
        if entry.unit == unit and entry.seq is not None and entry.kind in HISTORY
    ]


def events_held(table: Table) -> list[Event]:
    """Return the events of this boot that the board still holds, or has handed over to this host, oldest first."""
    now = table.status()
    events = list(table.events())
    until = table.now_ms() + HELD_LIMIT_MS
    while now.stored_event < now.newest_event and table.now_ms() < until:
        if events and events[-1].seq >= now.newest_event:
            break
        table.pump(100)
        events += table.events()
    return events


def check_is_free(path: Path) -> None:
    """Raise BadPath when there is something at `path` already."""
    if path.exists():
        raise BadPath(f"{path}: there is a file already, which is left as it is; give another name")


def write_zip(path: Path, files: Mapping[str, str]) -> None:
    """Write the files as one zip; BadPath when there is something at `path` already or it cannot be written."""
    check_is_free(path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    write_named_new(path, packed.getvalue())


def _about(table: Table, made_at: datetime, faults_from: str) -> dict[str, Any]:
    return {
        "made_at": made_at.isoformat(timespec="seconds"),
        **dataclasses.asdict(table.info),
        "boot_id": table.boot_id,
        "wallwright": version("wallwright"),
        "protocol": PROTOCOL_VERSION,
        "catalog_hash": f"{CATALOG_HASH:08x}",
        "python": platform.python_version(),
        "system": platform.system(),
        "faults_from": faults_from,
        "contradictions": list(table.notes),
    }


def _inputs(bench: Bench) -> dict[str, Any]:
    """Return every input and output, the changes that the board remembers, and what keeps drives from running."""
    look = bench.look(remembered=True)
    return {
        "time_ms": look.time_ms,
        "inputs": {name: name in look.inputs for name in INPUTS},
        "drives": {name: {"on": name in look.drives, **dataclasses.asdict(bench.allowance(name))} for name in DRIVES},
        "lamps": {name: name in look.lamps for name in LAMPS},
        "last_changes": [dataclasses.asdict(edge) for edge in look.edges],
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
