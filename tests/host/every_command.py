"""Every command of the program, with where its files go."""

from collections.abc import Iterable

HALL_KEY = "AOQQPP7TZYIL4HLQ3UMOOS6ATFT6JVRQTOSQ2XY53SDGIESVGG4A"
"""A public key of a hall, as it is printed."""
JOURNALS = """
event bind FILE 1 x
event seats FILE 1
event sessions FILE
event start FILE 1
event pause FILE 1
event add-time FILE 1 5 --reason x
event stop FILE 1
event resume FILE 1
event sign-off FILE 1 1
event publish FILE 1
event finalise FILE 1
event result FILE 1 1 --confirm
event correct FILE 1 1 1 --reason x --void
event approve FILE 1 1
event annul FILE 1 1 --reason x
event substitute FILE 1 a b --reason x
event swap-seats FILE 1 a b --reason x
event undo FILE --reason x
event standings FILE
event explain FILE a
event check FILE
event export FILE standings
event backup FILE NEW
event extract FILE NEW
backup make FILE NEW
event draw commit FILE
event draw add FILE a b
event draw reveal FILE
event draw withdraw FILE
event draw show FILE
event players import FILE LIST
event players list FILE
event players add FILE a
event players rename FILE a b
event players privacy FILE a private
event players withdraw FILE a
event players return FILE a
event penalty give FILE a b --reason x
event penalty withdraw FILE 1 --reason x
event penalty list FILE
event appeal file FILE 1 a --reason x
event appeal decide FILE 1 --upheld --reason x
event appeal list FILE
event deals replace FILE 1 1 --reason x
event deals travellers FILE 1 1
season hall FILE a b
season halls FILE
season add FILE FILE
season withdraw FILE a --reason x
season days FILE
season verify FILE
season standings FILE
season persons list FILE
season persons propose FILE
season persons merge FILE a b --reason x
season persons split FILE a 1 --reason x
season persons undo FILE 1 --reason x
season persons changes FILE
season qualifiers FILE
season explain FILE a
season export FILE standings
season rating FILE
season totals FILE
season deals FILE a
season publish FILE NEW
season draw commit FILE
season draw add FILE a b
season draw reveal FILE
season draw withdraw FILE
season draw show FILE
season final FILE NEW
log export FILE
log export FILE --format xlsx --output NEW
log replay FILE
log show FILE
log show FILE --deal 1 --moves
log verify FILE
study journal FILE
log checkpoint FILE
log copy FILE NEW
log migrate FILE
log witness FILE NEW
serve --event FILE --users NEW --port 0
serve --season FILE --port 0
track FILE --deal 1
dice verify FILE
wall verify --journal FILE --deal 1
""".strip().splitlines()
"""What reads a journal, or goes on with one."""
CONTENTS = """
demo --deals 1 --journal FILE
demo --deals 1 --faults FILE
run --config FILE
service install --config FILE --dry-run
serve --config FILE --port 0
simulate --tcp 0 --faults FILE
rules deals --count 1 --ruleset FILE
study walls --builds 1 --out FILE
entropy assess FILE
entropy capture --samples 1 --port sim://?seed=1 --out FILE
study wash-test FILE
study wash-test FILE --type
doctor service-file FILE --port sim://?seed=1
doctor map --port sim://?seed=1 --set FILE
doctor service-file NEW --port sim://?seed=1 --journal FILE
doctor calibrate FILE --restore --yes --port sim://?seed=1
doctor calibrate NEW --port sim://?seed=1 --yes --profile FILE
event new FILE
event new NEW --format FILE
event result GOOD 1 1 --declared FILE --yes
event correct GOOD 1 1 1 --reason x --declared FILE
event restore NEW FILE
board flash --image FILE
board update --image FILE --port sim://?seed=1
board backup FILE --port sim://?seed=1
board restore FILE --port sim://?seed=1
board keys sign FILE
backup check FILE
backup restore FILE NEW
event restore FILE NEW
season new FILE
season new NEW --format FILE
season check FILE
season check FILE --journal GOOD
season report FILE http://127.0.0.1:9 AOQQPP7TZYIL4HLQ3UMOOS6ATFT6JVRQTOSQ2XY53SDGIESVGG4A
event rehearse FILE --players 8 --sessions 1
event draw verify FILE
event players import GOOD FILE
log import FILE NEW
log import GOOD FILE
log proof FILE
trace show FILE
trace replay FILE
users add FILE a --role referee --link
users password FILE a
users link FILE a
users code FILE a
users role FILE a referee
users remove FILE a
users list FILE
users invite FILE
wall verify --journal GOOD --deal 1 --tiles FILE
wall verify --journal GOOD --deal 1 --prescription FILE
deals draw FILE --event x --deals 1
deals print FILE --cards NEW
deals export FILE --out NEW
deals announce FILE --out NEW
deals import FILE NEW
deals verify FILE
event deals commit GOOD FILE
event deals reveal GOOD FILE
deals release FILE --deal 1 --port sim://?seed=1
deals station FILE --server http://127.0.0.1:9 --user x --once
""".strip().splitlines()
"""What reads, or would make, a file of another kind."""
WITHOUT = """
status
watch
build
dice
faults
doctor watch
doctor jog
doctor wire
doctor test
doctor test-build
doctor counters
doctor settings
doctor measure
doctor selftest
log keys
board info
board keys list
board keys make
board keys remove
board keys trust
rehearse chaos
rehearse laptop
season rehearse
season persons badges
rules score
rules seats
table setup
table sides
deals withdraw
rules break
service uninstall
rules waits
rules settle
tiles enrol
deals trust
study scheduler
study worker
""".strip().splitlines()
"""What takes no file that it reads."""
PRINTING = """
demo --deals 1 --seed 1
status --port sim://?seed=1
watch --json --port sim://?seed=1
build --port sim://?seed=1
dice --port sim://?seed=1 --seat 0
doctor counters --port sim://?seed=1
doctor settings --port sim://?seed=1
doctor map --port sim://?seed=1
doctor measure --port sim://?seed=1
doctor measure --port sim://?seed=1 --json
board info --port sim://?seed=1
board info --port sim://?seed=1 --json
board keys list
faults
event seats GOOD 1
event sessions GOOD
event standings GOOD
event standings GOOD --json
event explain GOOD 1
event check GOOD
event export GOOD results
event export GOOD standings --format json
event draw show GOOD
event draw verify GOOD
event players list GOOD
event penalty list GOOD
event appeal list GOOD
log export GOOD
log export GOOD --format csv
log replay GOOD
log show GOOD
log verify GOOD
log keys
rules deals --count 1
trace --help
--help
""".strip().splitlines()
"""What prints something, of the event in GOOD where it needs one."""


def words_of(command: str, places: dict[str, str]) -> list[str]:
    """The words of a command, with what stands for its places."""
    return [places.get(word, word) for word in command.split()]


def command_of(template: str, names: Iterable[str]) -> str:
    """The name of the command that a template runs."""
    return max((name for name in names if f"{template} ".startswith(f"{name} ")), key=len)
