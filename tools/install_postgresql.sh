#!/usr/bin/env bash
# Installs Debian's PostgreSQL for the tests, which start servers of their own; the package's own server is not started.
set -euo pipefail

ready() {
    compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || command -v initdb >/dev/null
}

if ready; then
    exit 0
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "The tests need PostgreSQL, and only root on a Debian system can install it from here." >&2
    echo "Install it first (Debian: apt install postgresql), then run make again." >&2
    exit 1
fi
echo "   installing Debian's postgresql"
apt-get --quiet=2 update
export DEBIAN_FRONTEND=noninteractive
# First what decides whether the server's package makes a cluster and starts it.
apt-get --quiet=2 install --no-install-recommends postgresql-common
settings=/etc/postgresql-common/createcluster.conf
sed -i 's/^#\?create_main_cluster *=.*/create_main_cluster = false/' "$settings"
apt-get --quiet=2 install --no-install-recommends postgresql
if ! ready; then
    echo "The package is installed and /usr/lib/postgresql/*/bin/initdb is not there." >&2
    exit 1
fi
