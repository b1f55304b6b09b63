#!/usr/bin/env bash
# Unpacks Debian 13's MicroPython for i386, with its loader and libraries, into .micropython/i386.
#
# The packages come from the Debian mirror that this system's own apt uses, and are checked against the system's Debian
# keyring. apt works in a folder of its own, so nothing on the system changes and root is not needed. Where the kernel
# cannot run 32-bit programs the amd64 build goes into .micropython/amd64 instead, and the script says so.
set -euo pipefail

release=trixie
packages="micropython libc6 libffi8 libmbedcrypto16 libmbedtls21 libmbedx509-7"
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$repository/.micropython
# apt does not bear a long path with spaces, which a checkout may have.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$repository/tools/own_apt.sh"

# Unpack the packages for architecture $1 into $target/$1.
fetch() {
    local architecture=$1
    find_apt "$architecture" "$release"
    mkdir -p "$work/debs-$architecture" "$work/root-$architecture"
    # shellcheck disable=SC2086 # the list is meant to be split
    (cd "$work/debs-$architecture" && apt-get --quiet=2 download $packages)
    for package in "$work/debs-$architecture"/*.deb; do
        dpkg-deb --extract "$package" "$work/root-$architecture"
    done
    rm -rf "${target:?}/$architecture"
    mv "$work/root-$architecture" "$target/$architecture"
}

starts() {
    local root=$target/$1 loader=$2 libraries=$3
    "$root/$loader" --library-path "$root/$libraries" "$root/usr/bin/micropython" -c "print('ready')" 2>/dev/null |
        grep -qx ready
}

mkdir -p "$target"
rm -rf "$target/amd64"
fetch i386
if starts i386 usr/lib/ld-linux.so.2 usr/lib/i386-linux-gnu; then
    echo "   32-bit MicroPython is ready in .micropython/i386"
    exit 0
fi
echo "!! This kernel does not run 32-bit programs. Fetching the 64-bit build instead:" >&2
echo "!! the tests will run, but they say nothing about the chip's word size or memory." >&2
rm -rf "$target/i386"
fetch amd64
starts amd64 usr/lib64/ld-linux-x86-64.so.2 usr/lib/x86_64-linux-gnu || stop "the fetched MicroPython does not start"
echo "   64-bit MicroPython is ready in .micropython/amd64"
