#!/bin/sh
# Installs croupier @VERSION@ for this user: programs, manual pages and completions.
#
#   curl -LsSf @REPOSITORY@/releases/latest/download/croupier-install.sh | sh
#
# CROUPIER_PREFIX is the folder in which to install (default: ~/.local), CROUPIER_DOWNLOAD the address of the archives.
set -eu

version=@VERSION@
prefix=${CROUPIER_PREFIX:-$HOME/.local}
address=${CROUPIER_DOWNLOAD:-@REPOSITORY@/releases/download/v$version}

fail() {
    echo "croupier-install: $*" >&2
    exit 1
}

case "$(uname -s) $(uname -m)" in
    "Linux x86_64") processor=x86_64 system=unknown-linux ;;
    "Linux aarch64" | "Linux arm64") processor=aarch64 system=unknown-linux ;;
    "Darwin x86_64") processor=x86_64 system=apple-darwin ;;
    "Darwin arm64") processor=aarch64 system=apple-darwin ;;
    *) fail "there is no archive for $(uname -s) on $(uname -m); to compile it: cargo install croupier-dealer croupier-programs" ;;
esac
# Systems without glibc, such as Alpine, get static programs.
if [ "$system" = unknown-linux ]; then
    if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then system=$system-gnu; else system=$system-musl; fi
fi
target=$processor-$system
expected=
case "$target" in
    x86_64-unknown-linux-gnu) expected=@SHA256 croupier-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@ ;;
    x86_64-unknown-linux-musl) expected=@SHA256 croupier-@VERSION@-x86_64-unknown-linux-musl.tar.gz@ ;;
    aarch64-unknown-linux-gnu) expected=@SHA256 croupier-@VERSION@-aarch64-unknown-linux-gnu.tar.gz@ ;;
    aarch64-unknown-linux-musl) expected=@SHA256 croupier-@VERSION@-aarch64-unknown-linux-musl.tar.gz@ ;;
    x86_64-apple-darwin) expected=@SHA256 croupier-@VERSION@-x86_64-apple-darwin.tar.gz@ ;;
    aarch64-apple-darwin) expected=@SHA256 croupier-@VERSION@-aarch64-apple-darwin.tar.gz@ ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
name=croupier-$version-$target
if command -v curl >/dev/null; then
    curl -LsSf "$address/$name.tar.gz" -o "$folder/archive" || fail "$address/$name.tar.gz cannot be loaded"
elif command -v wget >/dev/null; then
    wget -q "$address/$name.tar.gz" -O "$folder/archive" || fail "$address/$name.tar.gz cannot be loaded"
else
    fail "install curl or wget first"
fi
if command -v sha256sum >/dev/null; then
    found=$(sha256sum <"$folder/archive")
else
    found=$(shasum -a 256 <"$folder/archive")
fi
[ "${found%% *}" = "$expected" ] || fail "$name.tar.gz has the checksum ${found%% *} instead of $expected"
tar -xzf "$folder/archive" -C "$folder"

cd "$folder/$name"
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
for program in dealer croupier; do
    # A program that runs cannot be overwritten, but it can be replaced.
    cp "$program" "$prefix/bin/.$program-new"
    mv -f "$prefix/bin/.$program-new" "$prefix/bin/$program"
    cp "man/$program.1" "$prefix/share/man/man1/"
    cp "completions/$program.bash" "$prefix/share/bash-completion/completions/$program"
    cp "completions/_$program" "$prefix/share/zsh/site-functions/"
    cp "completions/$program.fish" "$prefix/share/fish/vendor_completions.d/"
done
echo "dealer and croupier $version are in $prefix/bin"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add this folder to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
