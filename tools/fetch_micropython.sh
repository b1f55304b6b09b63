#!/usr/bin/env bash
# fetch_micropython.sh i386|amd64: unpacks Debian 13's MicroPython of 32 or 64 bit, with its loader and libraries, into
# .micropython/. It is the version that the images are built from: tools/firmware/pins.py.
#
# The packages come from the Debian mirror that this system's own apt uses: those of lock/micropython.debs, checked by
# their hashes. Where the mirror has replaced one of them, the newest are taken and checked against the system's Debian
# keyring. In the days around a point release only one of the two ways may work: a mirror's lists and packages for i386
# can be older than its signature. Nothing on the system changes and root is not needed.
#
# "fetch_micropython.sh lock" writes lock/micropython.debs anew, with the newest packages.
set -euo pipefail

release=trixie
packages="micropython libc6 libffi8 libmbedcrypto16 libmbedtls21 libmbedx509-7"
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$repository/.micropython
locked=$repository/lock/micropython.debs
# apt does not bear a long path with spaces, which a checkout may have.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$repository/tools/own_apt.sh"

# Download the locked packages for architecture $1 into the folder $2, from the first mirror that has them all.
download_locked() {
    local mirror path digest
    for mirror in $mirrors; do
        echo "   asking $mirror for the packages of lock/micropython.debs"
        while read -r path digest; do
            /usr/lib/apt/apt-helper --option APT::Sandbox::User=root --option Acquire::Retries=3 --quiet=2 \
                download-file "$mirror/$path" "$2/${path##*/}" "SHA256:$digest" || continue 2
        done < <(grep "_$1\.deb " "$locked")
        return 0
    done
    return 1
}

# Download the newest packages for architecture $1 into the folder $2.
download_newest() {
    find_apt "$1" "$release"
    # shellcheck disable=SC2086 # the list is meant to be split
    (cd "$2" && apt-get --quiet=2 download $packages)
}

# Unpack the packages for architecture $1 into $target/$1.
fetch() {
    local architecture=$1 folder=$work/debs-$1 root=$work/root-$1
    mkdir -p "$folder" "$root"
    if ! download_locked "$architecture" "$folder"; then
        rm -f "$folder"/*
        download_newest "$architecture" "$folder"
    fi
    for package in "$folder"/*.deb; do
        dpkg-deb --extract "$package" "$root"
    done
    mkdir -p "$target"
    rm -rf "${target:?}/$architecture"
    mv "$root" "$target/$architecture"
}

lock() {
    local architecture
    {
        echo "# MicroPython and what it needs, of Debian $release: path on a mirror, SHA-256."
        echo "# This file was written by: tools/fetch_micropython.sh lock"
        for architecture in amd64 i386; do
            find_apt "$architecture" "$release" >&2
            # shellcheck disable=SC2086 # the list is meant to be split
            apt-get --print-uris download $packages | sed -n "s|^'.*/\(pool/[^']*\)' .* SHA256:\([0-9a-f]*\)$|\1 \2|p"
        done
    } | sed "s|%2b|+|g; s|%7e|~|g" >"$locked"
}

starts() {
    local root=$target/$1 loader=$2 libraries=$3
    "$root/$loader" --library-path "$root/$libraries" "$root/usr/bin/micropython" -c "print('ready')" 2>/dev/null |
        grep -qx ready
}

case ${1:-} in
lock) lock ;;
amd64)
    fetch amd64
    starts amd64 usr/lib64/ld-linux-x86-64.so.2 usr/lib/x86_64-linux-gnu || stop "the fetched MicroPython does not start"
    ;;
i386)
    fetch i386
    if ! starts i386 usr/lib/ld-linux.so.2 usr/lib/i386-linux-gnu; then
        echo "!! This kernel does not run 32-bit programs: nothing is tested on the word size and the memory of the chip." >&2
        rm -rf "$target/i386"
    fi
    ;;
*) stop "say which: i386, amd64 or lock" ;;
esac
