"""The headers of the wire in Python and C, without the project: they say what its tables and its codec do.

That of JavaScript is compared with SPEC.md in tests/outsider, and here with that of Python.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.protocol import spec
from wallwright_protocol import codes, names, settings
from wallwright_protocol.codec import NUMBER_OF, REQUESTS, Layout
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.messages import CATALOG_HASH, FROZEN, MESSAGES

HEADERS = Path(__file__).parents[1] / "docs/headers"
PYTHON = """
import json, sys
sys.path.append(sys.argv[1])
import wallwright_wire
print(json.dumps({name: value for name, value in vars(wallwright_wire).items() if name.isupper()}))
"""
JAVASCRIPT = """
import(process.argv[1]).then((wire) => console.log(JSON.stringify(wire,
  (name, value) => value.fields || value.item || value.kind ? Object.values(value) : value)));
"""
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-I", str(HEADERS))
FLAGS = {"C": ("-std=c99", *STRICT), "C++": ("-std=c++11", "-x", "c++", *STRICT)}
C = """
#include "wallwright_wire.h"
#include <stdio.h>
#include <string.h>

static void show(const uint8_t *bytes, unsigned size)
{
    for (unsigned at = 0; at < size; at++)
        printf("%s%u", at ? ", " : "[", bytes[at]);
    printf("]");
}

#define NUMBER(constant, number, name) printf(", [\\"%s\\", %d]", name, constant);
#define SETTING(constant, number, name, kind, unit, normal, lowest, highest) \\
    printf(", [\\"%s\\", %d, %d, %d, %d, %d, %d]", name, constant, kind, unit, normal, lowest, highest);

int main(void)
{
    printf("[[%lu]", (unsigned long)WW_CATALOG_HASH);
"""
EXAMPLE = """
#include <stdio.h>
{}
int main(void)
{{
    uint8_t payload[1];
    printf("[%u", pack_state_changed(payload, WW_STATE_READY));
    printf(", %u, %d]", payload[0], number_of_state("nowhere"));
    return number_of_state("lifting") != WW_STATE_LIFTING;
}}
"""
MACROS = {
    "REFUSAL": "refusals",
    "STATE": "states",
    "FAULT": "faults",
    "KEY": "keys",
    "SOURCE": "sources",
    "CARRIER": "carriers",
    "PLAN_MODE": "plan modes",
    "WALL_MODE": "wall modes",
    "PURPOSE": "purposes",
    "DEAL_KIND": "deal kinds",
    "JOG_END": "jog ends",
    "SEAL_LOSS": "seal losses",
    "RECORD": "records",
    "MEASUREMENT": "measurements",
    "SELF_TEST": "self tests",
    "TEST_RESULT": "test results",
    "SETTING_KIND": "setting kinds",
    "SETTING_UNIT": "setting units",
    "PART_OF_A_CARRIER": "parts of a carrier",
    "SORTER": "sorters",
    "SORTER_DRIVE_OF_A_SIDE": "sorter drives of a side",
    "SORTER_SWITCH_OF_A_SIDE": "sorter switches of a side",
    "STORE_MOVE": "store moves",
}
"""Macro of the C header -> the heading of its list."""


def said(*command: str) -> Any:
    """The JSON that a program prints."""
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def numbers() -> dict[str, list[list[Any]]]:
    """Constants of the C header by the macro that has them: each name with its number."""
    lists = {macro: names.named(heading) for macro, heading in MACROS.items()}
    lists |= {"INPUT": names.INPUTS, "DRIVE": names.DRIVES, "LAMP": names.LAMPS, "READER": names.READERS}
    found: dict[str, list[list[Any]]] = {
        macro: [[name, number] for number, name in enumerate(listed)] for macro, listed in lists.items()
    }
    found["PART_OF_A_CARRIER"] = [[name, SIDES + number] for name, number in found["PART_OF_A_CARRIER"]]  # behind lanes
    for direction in ("request", "event", "status"):
        found[direction.upper()] = [[row[1], row[0]] for row in MESSAGES if row[2] == direction]
    found["FROZEN"] = [row for row in found["REQUEST"] if row[0] in FROZEN]
    found["HEAD"] = [[name, kind] for kind, (name, _, _) in spec.body_layouts().items()]
    columns = (settings.KINDS, settings.UNITS, settings.DEFAULTS, settings.LOWEST, settings.HIGHEST)
    found["SETTING"] = [
        [name, number, *(column[number] for column in columns)] for number, name in enumerate(names.SETTINGS)
    ]
    return found


def layouts() -> dict[str, Layout]:
    """Every head, and every message with fields, by its name in the C header."""
    found = {f"{row[2]}_{row[1]}".upper(): Layout(row) for row in MESSAGES if row[4]}
    heads = spec.body_layouts().items()
    return found | {f"HEAD_{name}": Layout((kind, name, "", layout, tuple(of))) for kind, (name, layout, of) in heads}


def payload_of(layout: Layout) -> bytes:
    """A payload of which no two bytes beside each other are the same."""
    return bytes((37 * at + 1) % 256 for at in range(layout.size))


def packing(name: str, layout: Layout) -> Iterator[str]:
    """The lines of C that pack the values of that payload, and print its bytes."""
    yield f"{{ uint8_t payload[WW_{name}_SIZE] = {{0}};"
    for field, value in layout.unpack_named(payload_of(layout)).items():
        of = f"WW_{name}_{field}".upper()
        if isinstance(value, bytes):
            yield f"{{ const uint8_t of[] = {{{', '.join(map(str, value))}}};"
            yield f"memcpy(payload + {of}_AT, of, {of}_BYTES); }}"
            continue
        many = isinstance(value, tuple)
        yield f"{{ const uint32_t of[] = {{{', '.join(f'{one}u' for one in (value if many else (value,)))}}};"
        yield f"for (unsigned n = 0; n < {f'{of}_COUNT' if many else 1}; n++) {{"
        yield f"uint8_t *at = payload + {of}_AT + n * {of}_BYTES;"
        yield f"ww_put(at, {of}_BYTES, of[n]); if (ww_get(at, {of}_BYTES) != of[n]) return 1; }} }}"
    yield 'printf(", "); show(payload, sizeof payload); }'


def test_python_without_packages_and_javascript_read_the_same() -> None:
    in_python = said(sys.executable, "-S", "-c", PYTHON, str(HEADERS))
    assert in_python == said(needs.program("node"), "-e", JAVASCRIPT, str(HEADERS / "wallwright_wire.mjs"))
    assert len(in_python["REQUESTS"]) > 40


@pytest.mark.parametrize("language", FLAGS)
def test_a_program_in_c_packs_as_the_codec_does_and_has_every_number(language: str, tmp_path: Path) -> None:
    compiler = needs.program("compiler" if language == "C" else "c++")
    wanted: list[Any] = [[CATALOG_HASH]]
    lines = []
    for macro, rows in numbers().items():
        lines.append(f"WW_EACH_{macro}({'SETTING' if macro == 'SETTING' else 'NUMBER'})")
        wanted += rows
    for name, layout in layouts().items():
        lines += packing(name, layout)
        wanted.append(list(payload_of(layout)))
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text("\n".join([C, *lines, 'printf("]"); return 0; }\n']))
    subprocess.run([compiler, *FLAGS[language], str(source), "-o", str(program)], check=True)
    assert said(str(program)) == wanted


def test_no_macro_of_c_is_passed_over() -> None:
    found = re.findall(r"#define WW_EACH_(\w+)", (HEADERS / "wallwright_wire.h").read_text())
    assert sorted(found) == sorted(numbers())


def test_the_examples_of_the_page_do_what_they_say(tmp_path: Path) -> None:
    page = (HEADERS.parent / "clients.md").read_text()
    in_c, in_python = (
        re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE) for language in ("c", "python")
    )
    show = "import sys; sys.path.append(sys.argv[1])\n{}\nprint(list(payload))"
    payload = said(sys.executable, "-S", "-c", show.format(*in_python), str(HEADERS))
    assert bytes(payload) == REQUESTS[NUMBER_OF["set_plan"]].pack(14, 13, 14, 13, 0, codes.FIXED, codes.AS_SET)
    program = tmp_path / "program.c"
    program.write_text(EXAMPLE.format(*in_c))
    subprocess.run([needs.program("compiler"), *FLAGS["C"], str(program), "-o", str(tmp_path / "program")], check=True)
    assert said(str(tmp_path / "program")) == [1, codes.READY, -1]
