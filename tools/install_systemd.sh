#!/usr/bin/env bash
# Installs Debian's systemd for the tests, which have it check the unit of a hall; nothing is started with it.
set -euo pipefail

! command -v systemd-analyze >/dev/null || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need systemd-analyze, and only root on a Debian system can install it from here." >&2
    echo "Install it first (Debian: apt install systemd), then run make again." >&2
    exit 1
fi
echo "   installing Debian's systemd"
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet=2 update
apt-get --quiet=2 install --no-install-recommends systemd >/dev/null
systemd-analyze --version >/dev/null
