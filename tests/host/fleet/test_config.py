"""A hall's file is checked in full, and everything that is wrong with it is named."""

from pathlib import Path

import pytest

from wallwright.errors import BadConfig
from wallwright.fleet import HallConfig, TableConfig, config, load_hall
from wallwright.journal import read_key
from wallwright.journal.season_address import SeasonAddress
from wallwright.link.discovery import Sought
from wallwright.rules.sichuan import ruleset

KEY = "PFODUMZU4GZX4DKB7I6BEDUOJ5DB5OOKNZTW32CCKTKIG6F3QZ4A"
GOOD = """
journal = "logs/hall.journal"
ports = ["/dev/ttyUSB0", "socket://10.0.0.7:4000"]

[[table]]
name = "A1"
usb_serial = "E6614103E7452D2F"

[[table]]
name = "红 2"
port = "socket://10.0.0.12:4000"
unit = "T-12"

[[table]]
name = "A3"
unit = "T-13"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "hall.toml"


def problem(file: Path, text: str) -> str:
    file.write_text(text)
    with pytest.raises(BadConfig) as caught:
        load_hall(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert said.isprintable()
    return said.removeprefix(f"{file}: ")


def test_a_good_file_is_a_value(file: Path) -> None:
    file.write_text(GOOD)
    assert load_hall(file) == HallConfig(
        file.parent / "logs/hall.journal",
        file.parent / "hall.reports",
        (
            TableConfig("A1", Sought(usb_serial="E6614103E7452D2F")),
            TableConfig("红 2", Sought(port="socket://10.0.0.12:4000", unit="T-12")),
            TableConfig("A3", Sought(unit="T-13")),
        ),
        ("/dev/ttyUSB0", "socket://10.0.0.7:4000"),
        files=(file,),
    )


def test_backups_lie_where_the_file_says_and_take_its_rules_along(file: Path) -> None:
    (file.parent / "ours.toml").write_bytes((Path(ruleset.__file__).parent / "rulesets" / "sichuan.toml").read_bytes())
    file.write_text(f'rules = "ours.toml"\nbackup = "stick"\nbackup_every_min = 3\n{GOOD}')
    hall = load_hall(file)
    assert (hall.backup, hall.backup_every_min) == (file.parent / "stick", 3)
    assert hall.files == (file, file.parent / "ours.toml")


def test_a_hall_names_its_season(file: Path) -> None:
    text = f'report_to = "https://season.example/x/"\nseason_key = "{KEY}"\nseason_certificate = "season.pem"\n{GOOD}'
    file.write_text(text)
    key = read_key(KEY)
    assert load_hall(file).season == SeasonAddress("https://season.example/x", key, file.parent / "season.pem")


def test_a_journal_may_be_a_database(file: Path) -> None:
    url = "postgresql://wallwright@db.example/hall"
    file.write_text(GOOD.replace("logs/hall.journal", url))
    assert load_hall(file).journal == url


def test_the_example_in_the_module_is_a_good_file(file: Path) -> None:
    assert config.__doc__ is not None
    file.write_text(config.__doc__.split("\n", 1)[1])
    assert [table.name for table in load_hall(file).tables] == ["A1", "A2", "A3"]


HEAD = 'journal = "j"\nports = ["/dev/p"]\n'
TABLE = '[[table]]\nname = "A1"\nport = "/dev/a"\n'
NUMBERED = TABLE.replace('port = "/dev/a"', 'usb_serial = "0001"')
PLACED = TABLE.replace('port = "/dev/a"', 'usb_location = "1-1.4"')


def test_tables_with_one_number_are_told_apart_by_unit_or_place(file: Path) -> None:
    second, third = (NUMBERED.replace("A1", name) for name in ("A2", "A3"))
    file.write_text(HEAD + NUMBERED + 'unit = "T-1"\n' + second + 'usb_location = "1-1.4"\n' + third + 'unit = "T-2"\n')
    assert [one.sought for one in load_hall(file).tables] == [
        Sought(usb_serial="0001", unit="T-1"),
        Sought(usb_serial="0001", usb_location="1-1.4"),
        Sought(usb_serial="0001", unit="T-2"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE, "it lacks journal (a path or URL in quotes)"),
        ('journal = 3\n[[table]]\nname = "A1"\nport = "/dev/a"', "journal is 3, it must be a path or URL in quotes"),
        (HEAD, "it lacks table (a [[table]] for every table, with its name)"),
        (HEAD + 'report_to = "https://x"\n' + TABLE, "report_to and season_key: give both, or none"),
        (HEAD + f'season_key = "{KEY}"\n' + TABLE, "report_to and season_key: give both, or none"),
        (HEAD + 'season_certificate = "x.pem"\n' + TABLE, "give that too, or neither"),
        (HEAD + f'report_to = "x"\nseason_key = "{KEY}"\n' + TABLE, "'x' is no address of a season's server"),
        (HEAD + 'report_to = "https://x"\nseason_key = "J2"\n' + TABLE, "season_key: the key is cut"),
        (HEAD + f'report_to = "https://x:0"\nseason_key = "{KEY}"\n' + TABLE, "no address of a season's server"),
        (HEAD + "table = 7", "table is 7, it must be a [[table]] for every table"),
        (HEAD + "table = []", "table is [], it must be a [[table]] for every table"),
        (
            HEAD + "speed = 9600\n" + TABLE,
            "there is no 'speed'; there are journal, rules, ports, witnesses, backup, backup_every_min, report_to, "
            "season_key, season_certificate, table",
        ),
        (HEAD + TABLE + 'prot = "/dev/b"', "table A1: there is no 'prot'; there are name, port"),
        (HEAD + "backup = 7\n" + TABLE, "backup is 7, it must be the path of a folder"),
        (HEAD + "backup_every_min = 0\n" + TABLE, "backup_every_min is 0, it must be a number of minutes"),
        (HEAD + "backup_every_min = true\n" + TABLE, "backup_every_min is True, it must be a number of minutes"),
        (HEAD + '[[table]]\nport = "/dev/a"', "table number 1 lacks name (text in quotes, up to 32 characters)"),
        (
            HEAD + '[[table]]\nname = ""\nport = "/dev/a"',
            "table number 1: name is '', it must be text in quotes, up to 32",
        ),
        (
            HEAD + f'[[table]]\nname = "{"x" * 33}"\nport = "/dev/a"',
            "name is 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', it must be text in quotes, up to 32 characters",
        ),
        (HEAD + '[[table]]\nname = "A1"\nport = 7', "table A1: port is 7, it must be text in quotes, one line"),
        (HEAD + TABLE + 'track = "no"', "table A1: track is 'no', it must be true or false"),
        (HEAD + '[[table]]\nname = "A1"', "nobody knows where it is"),
        (HEAD + TABLE + 'usb_serial = "E6"', "has both port and usb_serial"),
        (HEAD + TABLE + 'usb_location = "1-1"', "has both port and usb_location"),
        (
            HEAD + NUMBERED + NUMBERED.replace("A1", "A2"),
            "usb_serial '0001' is given 2 times; tell these tables apart by",
        ),
        (HEAD + NUMBERED + 'unit = "T-1"\n' + NUMBERED.replace("A1", "A2"), "usb_serial '0001' is given 2 times"),
        (
            HEAD + PLACED + PLACED.replace("A1", "A2"),
            "usb_location '1-1.4' is given 2 times; tell these tables apart by",
        ),
        ('journal = "j"\n[[table]]\nname = "A1"\nunit = "T-1"', "there are no ports to ask at"),
        (HEAD + TABLE + TABLE.replace("/dev/a", "/dev/b"), "name 'A1' is given 2 times"),
        (HEAD + TABLE + TABLE.replace("A1", "A2"), "port '/dev/a' is given 2 times"),
        (HEAD + TABLE.replace("/dev/a", "/dev/p"), "port '/dev/p' is a table's own and among ports as well"),
        (HEAD + TABLE.replace("/dev/a", "sim://?seed=1"), "wallwright simulate --tcp"),
        (HEAD + TABLE.replace("/dev/a", "rfc2217://x:1"), "neither a device nor socket://"),
        ('journal = "j"\nports = "/dev/p"\n' + TABLE, "ports is '/dev/p', it must be a list of ports"),
        ("journal = ", "this is no TOML"),
    ],
)
def test_each_mistake_is_named(file: Path, text: str, said: str) -> None:
    assert said in problem(file, text)


def test_all_mistakes_are_named_at_once(file: Path) -> None:
    said = problem(file, 'speed = 1\n[[table]]\nname = "A1"\n[[table]]\nname = "A1"\nport = "sim://"')
    for part in ("'speed'", "journal", "table A1: it lacks port", "sim://", "name 'A1' is given 2 times"):
        assert part in said


def test_a_file_that_is_not_there_or_not_text_is_said(file: Path) -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        load_hall(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfig, match="no TOML"):
        load_hall(file)
