#!/usr/bin/env bash
# download_debian.sh FOLDER RELEASES PACKAGES: downloads files of exact versions from Debian into FOLDER, for x86-64.
#
# RELEASES is a list such as "bookworm trixie source:trixie", PACKAGES one such as "make=4.3-4.1 source:make=4.3-4.1".
# Nothing is unpacked and nothing on the system changes; whoever asks compares the hashes.
set -euo pipefail

folder=$1 releases=$2 packages=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "${BASH_SOURCE[0]}")/own_apt.sh"

# shellcheck disable=SC2086 # the list is meant to be split
find_apt amd64 $releases
mkdir -p "$folder"
cd "$folder"
for package in $packages; do
    echo "   $package"
    case $package in
    source:*) apt-get --quiet=2 --download-only --only-source source "${package#source:}" >/dev/null ;;
    *) apt-get --quiet=2 download "$package" >/dev/null ;;
    esac || stop "Debian has no ${package#source:} any more, or cannot be reached (see above); tools/firmware/pins.py names what is wanted"
done
