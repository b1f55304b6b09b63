#!/usr/bin/env bash
# Installs Debian's Chromium, in its form without windows, for the tests of the console; and fonts for Chinese pages.
set -euo pipefail

packages="chromium-headless-shell fonts-noto-cjk"
[ ! -x /usr/bin/chromium-headless-shell ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need Chromium, and only root on a Debian system can install it from here." >&2
    echo "Install it first (Debian: apt install $packages), then run make again." >&2
    exit 1
fi
echo "   installing Debian's $packages"
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet=2 update
# shellcheck disable=SC2086 # the list is meant to be split
apt-get --quiet=2 install --no-install-recommends $packages >/dev/null
/usr/bin/chromium-headless-shell --version >/dev/null
