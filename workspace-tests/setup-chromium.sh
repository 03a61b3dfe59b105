#!/bin/sh
# Makes sure that there is a Chromium, in which tests open the page of a run. One that is there is used as it is; otherwise
# the system's package manager installs one, where that needs no password. What it does goes to standard error.
set -eu

say() {
    echo "setup-chromium: $*" >&2
}

has() {
    command -v "$1" >/dev/null 2>&1
}

there() {
    if [ -n "${CHROMIUM:-}" ]; then
        has "$CHROMIUM"
        return
    fi
    for name in chromium chromium-browser google-chrome google-chrome-stable chromium-headless-shell; do
        ! has "$name" || return 0
    done
    [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]
}

# Runs a command as root: as it is for root, through sudo where that asks for no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@" >&2
    elif has sudo && sudo -n true 2>/dev/null; then
        sudo -n "$@" >&2
    else
        return 1
    fi
}

install_package() {
    if has apt-get; then
        say "installing chromium with apt-get"
        as_root apt-get update -qq || return 1
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core
    elif has dnf; then
        say "installing chromium with dnf"
        as_root dnf install -q -y chromium
    elif has pacman; then
        say "installing chromium with pacman"
        as_root pacman -S --needed --noconfirm chromium
    elif has apk; then
        say "installing chromium with apk"
        as_root apk add --quiet chromium font-dejavu
    elif has brew && [ "$(id -u)" != 0 ]; then
        say "installing google-chrome with brew"
        brew install --quiet --cask google-chrome >&2
    else
        return 1
    fi
}

there && exit 0
if install_package && there; then
    exit 0
fi
say "no Chromium found or installed: install your system's package of it, or name its program in CHROMIUM, and try again"
exit 1
