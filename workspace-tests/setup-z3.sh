#!/bin/sh
# Makes sure that Z3 can be linked, and prints the environment that cargo needs for it, as shell commands:
#
#     eval "$(sh workspace-tests/setup-z3.sh)"
#
# A libz3 that is already there is used as it is, and nothing is printed. Otherwise the system's package manager installs
# one, where that needs no password; otherwise the z3-solver wheel of PyPI is unpacked where `cargo clean` doesn't reach.
# `--wheel` takes the newest wheel in any case. What it does goes to standard error.
set -eu

wheels=${XDG_DATA_HOME:-$HOME/.local/share}/cargo-target/z3

say() {
    echo "setup-z3: $*" >&2
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# Whether the directory holds a shared libz3 by the name that the linker looks for.
holds_libz3() {
    [ -e "$1/libz3.so" ] || [ -e "$1/libz3.dylib" ]
}

# A libz3 that z3-sys finds without being told more.
linkable() {
    if [ -n "${Z3_LIBRARY_PATH_OVERRIDE:-}" ] && holds_libz3 "$Z3_LIBRARY_PATH_OVERRIDE"; then
        return 0
    fi
    if has "${PKG_CONFIG:-pkg-config}" && "${PKG_CONFIG:-pkg-config}" --exists z3 2>/dev/null; then
        return 0
    fi
    # Installed without a .pc file, or pkg-config is missing: the linker has the last word.
    has cc || return 1
    scratch=$(mktemp -d)
    linked=0
    echo 'int main(void) { return 0; }' | cc -x c - -lz3 -o "$scratch/program" 2>/dev/null || linked=1
    rm -rf "$scratch"
    return "$linked"
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

# libz3, pkg-config to find it by, and a C++ compiler, whose standard library z3-sys links.
install_package() {
    if has apt-get; then
        say "installing libz3-dev with apt-get"
        as_root apt-get update -qq || return 1
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
            libz3-dev pkg-config g++
    elif has dnf; then
        say "installing z3-devel with dnf"
        as_root dnf install -q -y z3-devel pkgconf-pkg-config gcc-c++
    elif has pacman; then
        say "installing z3 with pacman"
        as_root pacman -S --needed --noconfirm z3 pkgconf gcc
    elif has apk; then
        say "installing z3-dev with apk"
        as_root apk add --quiet z3-dev pkgconf g++
    elif has brew && [ "$(id -u)" != 0 ]; then
        say "installing z3 with brew"
        brew install --quiet z3 pkgconf >&2
    else
        return 1
    fi
}

# Unpacks the newest wheel; what is there already stays where that fails.
unpack_wheel() {
    has python3 && python3 -m pip --version >/dev/null 2>&1 || return 1
    say "unpacking the z3-solver wheel into $wheels"
    rm -rf "$wheels.new"
    mkdir -p "$wheels.new"
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-input \
        --no-deps --only-binary :all: --target "$wheels.new" z3-solver >&2 || { rm -rf "$wheels.new"; return 1; }
    holds_libz3 "$wheels.new/z3/lib" || return 1
    # On macOS a program asks for the library by its install name, which carries the version.
    if [ -e "$wheels.new/z3/lib/libz3.dylib" ] && has otool; then
        asked_for=$(basename "$(otool -D "$wheels.new/z3/lib/libz3.dylib" | tail -n 1)")
        [ -e "$wheels.new/z3/lib/$asked_for" ] || ln -s libz3.dylib "$wheels.new/z3/lib/$asked_for"
    fi
    rm -rf "$wheels"
    mv "$wheels.new" "$wheels"
}

# A word as the shell reads it back.
quoted() {
    printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

print_environment() {
    lib=$(quoted "$wheels/z3/lib")
    version=$(cd "$wheels" && ls -d z3_solver-*.dist-info | sed 's/^z3_solver-//; s/\.dist-info$//')
    say "using Z3 $version of the z3-solver wheel"
    echo "export Z3_LIBRARY_PATH_OVERRIDE=$lib"
    # Without pkg-config nothing tells z3-sys the version.
    echo "export Z3_SYS_Z3_VERSION=$version"
    case $(uname -s) in
    Darwin) echo "export DYLD_LIBRARY_PATH=$lib\${DYLD_LIBRARY_PATH:+:\$DYLD_LIBRARY_PATH}" ;;
    *)
        echo "export LD_LIBRARY_PATH=$lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
        # The wheel's library brings its own need of libstdc++; the file that -lstdc++ asks for comes with g++ only.
        echo "export CXXSTDLIB="
        ;;
    esac
}

if [ "${1:-}" != --wheel ]; then
    if linkable; then
        exit 0
    fi
    if holds_libz3 "$wheels/z3/lib"; then
        print_environment
        exit 0
    fi
    if install_package && linkable; then
        exit 0
    fi
fi
if unpack_wheel || holds_libz3 "$wheels/z3/lib"; then
    print_environment
    exit 0
fi
say "no libz3 found or installed: install Z3's development package (libz3-dev, z3-devel, z3) or python3 with pip," \
    "or set Z3_LIBRARY_PATH_OVERRIDE to the directory of a libz3, and try again"
exit 1
