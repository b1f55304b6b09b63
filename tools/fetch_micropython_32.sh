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

stop() {
    echo "fetch_micropython_32: $*" >&2
    exit 1
}

find_keyring() {
    local keyring
    for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg} \
        "/usr/share/keyrings/debian-archive-$release-stable.gpg"; do
        if [ -r "$keyring" ]; then
            echo "$keyring"
            return
        fi
    done
    stop "there is no Debian keyring here; install it with: apt install debian-archive-keyring"
}

# The base addresses of this system's apt sources, one a line. The signature decides later which of them is Debian's.
list_mirrors() {
    apt-get --print-uris update 2>/dev/null | sed -n "s|^'\([a-z+]*://.*\)/dists/[^/]*/InRelease'.*|\1|p" | awk '!seen[$0]++'
}

# A private apt for architecture $1 and mirror $2; prints its configuration file's path.
configure_apt() {
    local folder=$work/apt-$1
    rm -rf "$folder"
    mkdir -p "$folder/etc/preferences.d" "$folder/state/lists/partial" "$folder/cache/archives/partial"
    echo "deb [signed-by=$keyring] $2 $release main" >"$folder/etc/sources.list"
    {
        # What the system says about proxies still holds; its hooks do not.
        apt-config dump | grep -iE '^Acquire::(http|https|ftp)::' || true
        cat <<CONFIGURATION
Dir::Etc "$folder/etc";
Dir::Etc::parts "/dev/null";
Dir::State "$folder/state";
Dir::State::status "/dev/null";
Dir::Cache "$folder/cache";
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
CONFIGURATION
    } >"$folder/apt.conf"
    echo "$folder/apt.conf"
}

# Unpack the packages for architecture $1 into $target/$1.
fetch() {
    local architecture=$1 mirror configuration errors=""
    for mirror in $mirrors; do
        configuration=$(configure_apt "$architecture" "$mirror")
        echo "   asking $mirror for $release $architecture"
        if errors=$(APT_CONFIG=$configuration apt-get --quiet=2 --error-on=any update 2>&1); then
            mkdir -p "$work/debs-$architecture" "$work/root-$architecture"
            # shellcheck disable=SC2086 # the list is meant to be split
            (cd "$work/debs-$architecture" && APT_CONFIG=$configuration apt-get --quiet=2 download $packages)
            for package in "$work/debs-$architecture"/*.deb; do
                dpkg-deb --extract "$package" "$work/root-$architecture"
            done
            rm -rf "${target:?}/$architecture"
            mv "$work/root-$architecture" "$target/$architecture"
            return
        fi
    done
    stop "none of this system's apt sources serves Debian $release for $architecture: $errors"
}

starts() {
    local root=$target/$1 loader=$2 libraries=$3
    "$root/$loader" --library-path "$root/$libraries" "$root/usr/bin/micropython" -c "print('ready')" 2>/dev/null |
        grep -qx ready
}

for tool in apt-get apt-config dpkg-deb; do
    command -v "$tool" >/dev/null || stop "$tool is missing; this way to a 32-bit MicroPython needs a Debian system"
done
keyring=$(find_keyring)
mirrors=$(list_mirrors)
[ -n "$mirrors" ] || stop "apt names no package sources; add Debian's to /etc/apt/sources.list.d"
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
