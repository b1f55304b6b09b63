"""Pictures of a board's last 100 ms, from changes that are known."""

import xml.etree.ElementTree as ElementTree

from wallwright_simulator.chip.picture import svg, vcd

MS = 1e6
CHANGES = [
    (0.0, "in_load", 1.0),
    (10 * MS, "outputs", 0.0),
    (150 * MS, "in_load", 0.0),
    (151 * MS, "outputs", float(1 << 2)),
    (160 * MS, "poll", 1.0),
    (200 * MS, "in_load", 1.0),
]


def test_a_dump_begins_with_the_levels_of_then_and_holds_what_changed():
    text = vcd(CHANGES)
    names = {line.split()[3]: line.split()[4] for line in text.splitlines() if line.startswith("$var")}
    load, drive, poll = (
        next(code for code, name in names.items() if name == each) for each in ("in_load", "drive_02", "poll")
    )
    body = text.partition("$enddefinitions $end\n")[2].split()
    assert set(body[: body.index("#50000000")]) == {"#0", f"1{load}", f"0{drive}"}
    assert body[body.index("#50000000") :] == [
        *("#50000000", f"0{load}", "#51000000", f"1{drive}", "#60000000", f"1{poll}", "#100000000", f"1{load}"),
    ]


def test_a_diagram_has_a_row_for_each_signal_that_lives():
    root = ElementTree.fromstring(svg(CHANGES, "a <test>"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "a <test>"
    assert {"in_load", "poll", "drive_02"} <= set(texts)
    assert "drive_03" not in texts
