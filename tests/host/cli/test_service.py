"""`wallwright service`: the unit is one that systemd takes and finds well fenced, and no other unit is touched."""

import os
import pwd
import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from tests import needs
from tests.host.cli.test_program import Result, run  # noqa: F401 (a fixture)
from tests.host.fleet.served import config_text

LIMIT = 25
"""Tenths of systemd's own figure for what a service could do to the machine: 0 nothing, 100 everything."""
OWNER = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    # A name with everything in it that a unit has a meaning for.
    folder = tmp_path / 'the $HOME of "100%n" halls'
    folder.mkdir()
    (folder / "hall.toml").write_text(config_text("hall.journal", ['name = "A1"\nusb_serial = "X1"']))
    return folder / "hall.toml"


def analysed(unit: Path, *words: str) -> str:
    command = [needs.program("systemd"), *words, str(unit)]
    # What asks about a user's units wants to know of a session.
    session = os.environ | {"XDG_RUNTIME_DIR": str(unit.parent)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=session)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("options", ["", "--without-console", "-- --host 0.0.0.0 --port 443", "--user"])
def test_systemd_takes_the_unit_and_finds_it_fenced(run, hall: Path, tmp_path: Path, options: str) -> None:  # noqa: F811
    unit = tmp_path / "units" / "wallwright.service"
    manager = "systemctl --user" if options == "--user" else "systemctl"
    line = f"service install --config {shlex.quote(str(hall))} --as {OWNER} --to {unit.parent} {options}"
    installed = run(line)
    assert installed.code == 0
    assert installed.out.splitlines() == [
        f"{unit} is written. Start it, now and with the machine:",
        f"  {manager} daemon-reload",
        f"  {manager} enable --now wallwright.service",
    ]
    assert stat.S_IMODE(unit.stat().st_mode) == 0o644
    assert analysed(unit, "verify", *(["--user"] if options == "--user" else [])) == ""
    if options != "--user":
        analysed(unit, "security", "--offline=true", f"--threshold={LIMIT}")
    removed = run(f"service uninstall --to {unit.parent} {options if options == '--user' else ''}")
    assert removed.code == 0
    assert removed.out.splitlines() == [
        f"{unit} is removed. Stop what still runs:",
        f"  {manager} disable --now wallwright.service",
        f"  {manager} daemon-reload",
    ]
    assert not unit.exists()


def test_the_program_starts_with_the_words_that_were_given(run, hall: Path, tmp_path: Path) -> None:  # noqa: F811
    """systemd itself splits ExecStart, undoes the quotes and expands what it has a meaning for."""
    line = f"service install --config {shlex.quote(str(hall))} --as {OWNER} --dry-run -- --host 0.0.0.0"
    text = run(line).out
    start = next(one for one in text.splitlines() if one.startswith("ExecStart=")).removeprefix("ExecStart=")
    words = [word.replace("$$", "$").replace("%%", "%") for word in shlex.split(start)]
    assert words[1:] == ["-m", "wallwright", "serve", "--config", str(hall), "--host", "0.0.0.0"]
    assert "$$HOME" in start
    assert "%%n" in start
    assert list(tmp_path.rglob("*.service")) == []


def test_the_hall_and_what_it_names_elsewhere_may_be_written_and_nothing_else(run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "hall").mkdir()
    file = tmp_path / "hall" / "hall.toml"
    elsewhere = tmp_path / "disk" / "hall.journal"
    stick, witness = tmp_path / "stick", tmp_path / "club" / "hall.witness"
    places = f'backup = "{stick}"\nwitnesses = ["{witness}", "https://club.example/witness"]\n'
    file.write_text(places + config_text(elsewhere, ['name = "A1"\nusb_serial = "X1"']))
    text = run(f"service install --config {file} --as {OWNER} --dry-run").out
    assert [one for one in text.splitlines() if one.startswith("ReadWritePaths=")] == [
        f"ReadWritePaths={path}" for path in (file.parent, elsewhere.parent, stick, witness.parent)
    ]
    assert "ProtectSystem=strict" in text
    assert "CapabilityBoundingSet=\n" in text
    assert "CAP_NET" not in text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("service install --config HALL --as there-is-no-such-user", "no user of this machine"),
        ("service install --config HALL --as OWNER --name ../x", "use letters, digits"),
        ("service install --config HALL --as OWNER -- --port x", "valid integer"),
        ("service install --config HALL --as OWNER -- --users hall.users", "give the whole path"),
        ("service install --config HALL --as OWNER --without-console -- --port 80", "leave out --without-console"),
        ("service install --config none.toml --as OWNER", "cannot be read"),
        ("service uninstall --to UNITS --name other", "there is no such unit"),
        ("service uninstall --to UNITS", "was left alone"),
        ("service install --config HALL --as OWNER --to UNITS", "was left alone"),
        ("service install --config HALL --as OWNER --to HALL", "cannot be written"),
    ],
)
def test_what_cannot_be_is_one_line(run, hall: Path, tmp_path: Path, line: str, text: str) -> None:  # noqa: F811
    units = tmp_path / "units"
    units.mkdir()
    theirs = units / "wallwright.service"
    theirs.write_text("[Service]\nExecStart=/bin/true\n")
    words = {"HALL": shlex.quote(str(hall)), "OWNER": OWNER, "UNITS": str(units)}
    result: Result = run(" ".join(words.get(word, word) for word in line.split()))
    assert result.code == 2, result.err
    assert text in result.err
    assert result.err.count("\n") == 1
    assert theirs.read_text().startswith("[Service]")


def test_no_hall_runs_as_root_unasked(run, hall: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(Path, "owner", lambda _: "root")
    result = run(f"service install --config {shlex.quote(str(hall))} --dry-run")
    assert (result.code, "give --as USER" in result.err) == (2, True)


def test_a_users_own_unit_lies_where_systemd_looks_for_it(run, hall: Path, tmp_path: Path, monkeypatch) -> None:  # noqa: F811
    """systemd.unit(5): $XDG_CONFIG_HOME/systemd/user, or ~/.config/systemd/user."""
    line = f"service install --config {shlex.quote(str(hall))} --user"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert run(line).code == 0
    assert (tmp_path / "home" / ".config" / "systemd" / "user" / "wallwright.service").is_file()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert run(line).code == 0
    assert (tmp_path / "config" / "systemd" / "user" / "wallwright.service").is_file()


def test_a_user_without_a_home_is_told_what_to_set(run, hall: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """As under a service's own user: neither HOME nor an entry in passwd names a folder."""

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    result = run(f"service install --config {shlex.quote(str(hall))} --user")
    assert (result.code, result.err.splitlines()) == (
        2,
        ["error: this user has no home folder; set XDG_CONFIG_HOME, or give the folder with --to"],
    )
