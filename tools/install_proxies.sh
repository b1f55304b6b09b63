#!/usr/bin/env bash
# Installs Debian's Caddy and nginx for the tests, which start them with the files of deploy/; the packages' own servers
# are not started.
set -euo pipefail

ready() {
    command -v caddy >/dev/null && { command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; }
}

if ready; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need Caddy and nginx, and only root on a Debian system can install them from here." >&2
    echo "Install them first (Debian: apt install caddy nginx-light), then run make again." >&2
    exit 1
fi
echo "   installing Debian's caddy and nginx-light"
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet=2 update
# What a package would start is asked here first.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    trap 'rm -f "$policy"' EXIT
fi
apt-get --quiet=2 install --no-install-recommends caddy nginx-light >/dev/null
if ! ready; then
    echo "The packages are installed and caddy or nginx is not there." >&2
    exit 1
fi
