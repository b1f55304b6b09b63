#!/usr/bin/env bash
# Installs Debian's Node.js, in which the tests have a second client of the wire; any node that is there will do.
# With the word npm its package manager too, which fetches the emulated chip.
set -euo pipefail

packages=""
for program in node ${1:-}; do
    command -v "$program" >/dev/null || packages="$packages ${program/node/nodejs}"
done
[ -n "$packages" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need Node.js, and only root on a Debian system can install it from here." >&2
    echo "Install it first (Debian: apt install$packages), then run make again." >&2
    exit 1
fi
echo "   installing Debian's$packages"
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet=2 update
# shellcheck disable=SC2086 # the list is meant to be split
apt-get --quiet=2 install --no-install-recommends $packages >/dev/null
node --version >/dev/null
