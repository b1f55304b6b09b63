"""`board update`: at rest, with a person's consent, with a signed image; and every way in which it can fail."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.host.board.boards import INPUTS, LATER, OTHER, Bench, image_file, of_another_release, signed
from tests.host.board.test_flash import flash
from wallwright.board.backup import read_backup
from wallwright.board.errors import BadSignature, BoardError, CannotUpdate, NotBack, OlderImage, Unsigned
from wallwright.board.flash import load_image
from wallwright.board.keys import remove_key, signature_path
from wallwright.board.link import open_board
from wallwright.doctor.upkeep import change_settings, read_counters, read_settings
from wallwright.errors import BadImage, Refused
from wallwright.journal import Journal
from wallwright.table.table import open_table
from wallwright_protocol import link
from wallwright_protocol.link import Responder
from wallwright_protocol.settings import LID_LIMIT
from wallwright_simulator.loader import LoaderFolder


def settle(bench: Bench) -> None:
    """Somebody has fitted this table to its machine, and it has a life behind it."""
    with open_table(bench.port) as table:
        change_settings(table, {"lid_limit_ms": 3100, "debounce_ms": 8})
        table.start_build()
        table.wait_for("build_done", 90_000)
        table.pump(5000)


def kept(bench: Bench) -> dict[str, Any]:
    with open_table(bench.port) as table:
        counters = read_counters(table)
        return {
            "settings": [setting.value for setting in read_settings(table)],
            "builds": counters.builds,
            "motor_s": counters.motor_s,
            "stacks": table.status().stacks,
            "set_whole": table.status().set_whole,
        }


def untouched(bench: Bench) -> bool:
    """The firmware runs on, nothing was flashed, and the table is out of service."""
    with open_table(bench.port) as table:
        assert table.status().state != "service"
    return not bench.disk.flash and not bench.sim.is_in_loader


def test_a_table_at_rest_is_updated_and_keeps_what_it_had(bench: Bench, tmp_path: Path) -> None:
    settle(bench)
    before = kept(bench)
    done = bench.update(signed(image_file(tmp_path)))
    assert (done.before.image, done.after.image, done.after.unit) == ("simulated", INPUTS[:16], "SIM-7")
    assert kept(bench) == before
    assert before["settings"][LID_LIMIT] == 3100
    assert before["set_whole"], "the built walls are still known"
    assert done.backup is not None
    assert read_backup(done.backup).unit == "SIM-7"
    assert any("state: brought back" in text for text in bench.told)
    assert any("signed by club" in text for text in bench.told)


def test_a_board_that_has_the_image_is_left_alone(bench: Bench, tmp_path: Path) -> None:
    file = signed(image_file(tmp_path))
    bench.update(file)
    bench.disk.flash.clear()
    again = bench.update(file)
    assert again.backup is None
    assert untouched(bench)


@pytest.mark.parametrize("state", ["building", "fault"])
def test_a_table_in_play_is_left_alone(bench: Bench, tmp_path: Path, state: str) -> None:
    file = signed(image_file(tmp_path))
    with open_table(bench.port) as table:
        table.start_build()
        table.pump(2000)
        if state == "fault":
            table.stop()
    with pytest.raises(Refused) as caught:
        bench.update(file)
    assert caught.value.state == state
    assert not bench.disk.flash
    assert not bench.sim.is_in_loader


def events_told(bench: Bench) -> list[dict[str, Any]]:
    """What the file of events has that the update has told of."""
    (told,) = [text for text in bench.told if "events that no journal has stored" in text]
    path = Path(told.split(" are in ")[1].split(": the board")[0])
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert told.startswith(f"{len(found)} events")
    return found


def test_events_that_no_journal_has_are_in_a_file_before_the_board_forgets_them(bench: Bench, tmp_path: Path) -> None:
    bench.sim.players.press_referee(1)
    bench.wait(500)
    with open_table(bench.port) as table:
        table.pump(2000)
        known = [(event.seq, event.name) for event in table.events()]
    bench.update(signed(image_file(tmp_path)))
    kept_events = events_told(bench)
    assert [(event["seq"], event["event"]) for event in kept_events][: len(known)] == known
    (called,) = [event for event in kept_events if event["event"] == "referee_called"]
    assert called["side"] == 1


def test_events_that_a_journal_has_stored_are_not_kept_again(bench: Bench, tmp_path: Path) -> None:
    bench.sim.players.press_referee(1)
    bench.wait(500)
    with Journal(tmp_path / "journal.db") as journal, open_table(bench.port, journal=journal) as table:
        table.pump(2000)
    bench.update(signed(image_file(tmp_path)))
    assert not [event for event in events_told(bench) if event["event"] in ("booted", "referee_called")]


def test_nobody_at_the_table_leaves_it_as_it_is(bench: Bench, tmp_path: Path) -> None:
    bench.agrees = False
    with pytest.raises(CannotUpdate, match="nobody pressed a lift key at the table within 60 s; nothing was changed"):
        bench.update(signed(image_file(tmp_path)))
    assert untouched(bench)


def test_an_image_that_nobody_signed_is_refused_before_anything(bench: Bench, tmp_path: Path) -> None:
    file = image_file(tmp_path)
    with pytest.raises(Unsigned, match=f"wallwright board keys sign {file.path}"):
        bench.update(file)
    signed(file)
    remove_key("club")
    with pytest.raises(Unsigned, match="by keys that you do not trust"):
        bench.update(file)
    assert bench.told == []
    assert untouched(bench)


def test_an_image_that_was_changed_after_it_was_signed_is_refused(bench: Bench, tmp_path: Path) -> None:
    signed(image_file(tmp_path))
    with pytest.raises(BadSignature, match="is not of this image"):
        bench.update(image_file(tmp_path, inputs=OTHER))
    signature_path(tmp_path / "wallwright.uf2").write_text("rubbish\n")
    with pytest.raises(BadSignature, match="no file of signatures"):
        bench.update(load_image(tmp_path / "wallwright.uf2"))
    assert untouched(bench)


def test_an_older_image_wants_a_word(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = bench.sim.app.status  # type: ignore[attr-defined]
    monkeypatch.setattr(status, "_about", (status._about[0], 0, 2, 0))
    file = signed(image_file(tmp_path))
    with pytest.raises(OlderImage, match=r"firmware 0\.2\.0, the image is 0\.1\.0"):
        bench.update(file)
    assert untouched(bench)
    assert bench.update(file, older=True).after.firmware == (0, 1, 0)


def test_an_image_of_the_other_chip_is_refused(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(BadImage, match="unit SIM-7 is an rp2040"):
        bench.update(signed(image_file(tmp_path, chip="rp2350")))
    assert untouched(bench)


def test_another_board_in_its_loader_stops_it_before_it_begins(bench: Bench, tmp_path: Path) -> None:
    other = LoaderFolder(tmp_path / "RPI-RP2")  # where this board's own disk would appear
    other.appear()
    with pytest.raises(CannotUpdate, match="another board is in its loader already"):
        bench.update(signed(image_file(tmp_path)))
    assert untouched(bench)


def test_another_board_that_comes_into_its_loader_while_a_person_is_asked_is_left_alone(
    bench: Bench, tmp_path: Path
) -> None:
    other = LoaderFolder(tmp_path / "RPI-RP2")
    tell = bench.tell

    def plug_in(text: str) -> None:
        tell(text)
        if "Press a lift key" in text:
            other.appear()

    bench.tell = plug_in  # type: ignore[method-assign]
    with pytest.raises(CannotUpdate, match="another board is in its loader already"):
        bench.update(signed(image_file(tmp_path)))
    assert not other.flash
    assert untouched(bench)


def test_a_board_whose_own_usb_is_elsewhere_is_not_sent_where_nobody_finds_it(bench: Bench, tmp_path: Path) -> None:
    bench.usb = {"E66038B7134A9C2F"}
    file = signed(image_file(tmp_path))
    with pytest.raises(CannotUpdate, match="the own USB of SIM-7 is not plugged into this machine"):
        bench.update(file)
    assert untouched(bench)
    assert bench.update(file, folder=bench.disk.folder).after.image == INPUTS[:16], "who names the folder knows"


def test_a_disk_that_never_appears_leaves_the_old_firmware(bench: Bench, tmp_path: Path) -> None:
    file = signed(image_file(tmp_path))
    bench.sim.loader = None
    with pytest.raises(BoardError, match="Its old firmware is whole: switch the table off and on"):
        bench.update(file)
    assert bench.sim.is_in_loader
    bench.sim.cut_power(1000)
    bench.wait(3000)
    assert untouched(bench), "and so it does"


def test_a_board_pulled_out_while_it_is_written_goes_on_by_hand_and_has_its_settings(
    bench: Bench, tmp_path: Path
) -> None:
    settle(bench)
    before = kept(bench)
    file = signed(image_file(tmp_path))

    def pull(done: int) -> None:
        bench.wait(40)
        if done * 2 >= len(file.data) and bench.disk.folder.exists():
            bench.sim.cut_power(500)

    bench.during_copy = pull
    with pytest.raises(NotBack, match="hold BOOTSEL"):
        bench.update(file)
    bench.during_copy = lambda _: None
    bench.bootsel()
    assert flash(bench, file) is not None
    assert kept(bench) == before


def test_a_board_that_comes_back_and_is_not_at_rest_keeps_its_own(bench: Bench, tmp_path: Path) -> None:
    file = signed(image_file(tmp_path))

    def stop(done: int) -> None:
        if done == len(file.data):
            bench.sim.world.emergency_stop(True)

    bench.during_copy = stop
    done = bench.update(file)
    assert done.after.image == INPUTS[:16]
    assert any("goes by what it has kept itself" in text and f"{done.backup}" in text for text in bench.told)


def test_a_board_of_another_release_is_updated_by_the_requests_that_never_change(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(bench)
    before = kept(bench)
    of_another_release(monkeypatch)
    asked: list[int] = []
    real = Responder._request

    def watched(self: Responder, now_ms: int, body: bytes) -> None:
        asked.append(body[link.REQUEST_HEAD - 1])
        real(self, now_ms, body)

    monkeypatch.setattr(Responder, "_request", watched)
    file = signed(image_file(tmp_path))

    def flashed(done: int) -> None:
        if done == len(file.data):
            monkeypatch.undo()
            monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    bench.during_copy = flashed
    done = bench.update(file)
    assert set(asked) <= {0x10, 0x11, 0x20, 0x27, 0x30, 0x3B, 0x3C, 0x3E}
    assert (done.before.is_of_this_release, done.before.catalog) == (False, LATER.catalog)
    assert done.after.is_of_this_release
    assert kept(bench) == before


def test_a_board_from_before_updates_over_the_link_is_told_how_it_is_done(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = bench.sim.app
    for part, name in ((app.status, "get_image"), (app.loader, "reboot_to_loader")):  # type: ignore[attr-defined]
        monkeypatch.setattr(part, "answers", tuple(each for each in part.answers if each != name))
    with open_board(bench.port) as board:
        assert (board.info.unit, board.info.chip, board.info.image) == ("SIM-7", "", "")
    with pytest.raises(CannotUpdate, match=r"hold BOOTSEL.*`wallwright board flash`"):
        bench.update(signed(image_file(tmp_path)))
