# An apt of our own, for scripts that source this file: it takes packages from the Debian mirror that this system's apt
# uses, checks them against the system's Debian keyring, and works in a folder of its own. Nothing on the system changes
# and root is not needed. The script sets `work`, a folder whose path has no spaces, which apt does not bear.

stop() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

find_keyring() {
    local keyring
    for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg} /usr/share/keyrings/debian-archive-*-stable.gpg; do
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

# A private apt for architecture $1, mirror $2 and the releases after them; prints its configuration file's path.
configure_apt() {
    local architecture=$1 mirror=$2 folder=$work/apt-$1 release
    shift 2
    rm -rf "$folder"
    mkdir -p "$folder/etc/preferences.d" "$folder/state/lists/partial" "$folder/cache/archives/partial"
    for release in "$@"; do
        # A release that begins with source: is one of sources.
        case $release in
        source:*) echo "deb-src [signed-by=$keyring] $mirror ${release#source:} main" ;;
        *) echo "deb [signed-by=$keyring] $mirror $release main" ;;
        esac
    done >"$folder/etc/sources.list"
    {
        # What the system says about proxies still holds; its hooks do not.
        apt-config dump | grep -iE '^Acquire::(http|https|ftp)::' || true
        cat <<CONFIGURATION
Dir::Etc "$folder/etc";
Dir::Etc::parts "/dev/null";
Dir::State "$folder/state";
Dir::State::status "/dev/null";
Dir::Cache "$folder/cache";
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
CONFIGURATION
    } >"$folder/apt.conf"
    echo "$folder/apt.conf"
}

# Set APT_CONFIG to an apt for architecture $1 that knows the releases after it, of the first mirror that serves them. A
# mirror that does not answer is asked again, after 10 and 30 s.
find_apt() {
    local architecture=$1 mirror answer errors pause
    shift
    for pause in 10 30 0; do
        errors=""
        for mirror in $mirrors; do
            APT_CONFIG=$(configure_apt "$architecture" "$mirror" "$@")
            export APT_CONFIG
            echo "   asking $mirror for $* $architecture"
            ! answer=$(apt-get --quiet=2 --error-on=any update 2>&1) || return 0
            errors+=$'\n'"$mirror: $answer"
        done
        if [ "$pause" -gt 0 ]; then
            echo "   none of them serves it; they are asked again in $pause s:$errors"
            sleep "$pause"
        fi
    done
    stop "none of this system's apt sources serves Debian $* for $architecture:$errors"
}

for tool in apt-get apt-config dpkg-deb; do
    command -v "$tool" >/dev/null || stop "$tool is missing; this needs a Debian system, or a relative of it"
done
keyring=$(find_keyring)
mirrors=$(list_mirrors)
[ -n "$mirrors" ] || stop "apt names no package sources; add Debian's to /etc/apt/sources.list.d"
