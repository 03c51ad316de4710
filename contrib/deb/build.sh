#!/bin/sh
# A package for Debian: the program, its pages for man, what shells complete, its documents, and what colours rulebooks in Vim.
#
#     contrib/deb/build.sh [PROGRAM [FOLDER]]
#
# writes FOLDER/adit_VERSION_ARCHITECTURE.deb; usually of target/release/adit, into target. It needs `dpkg-deb`, and
# `objdump` to find out which C library the program asks for. Equal programs make equal packages.
set -eu
cd "$(dirname "$0")/../.."

PROGRAM=${1:-target/release/adit}
FOLDER=${2:-target}
VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
ARCHITECTURE=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH

ROOT=$(mktemp -d)
trap 'rm -rf "$ROOT"' EXIT
put() { install -D -m 644 "$1" "$ROOT/$2"; }

install -D -m 755 "$PROGRAM" "$ROOT/usr/bin/adit"
strip "$ROOT/usr/bin/adit"
ADIT=$ROOT/usr/bin/adit

"$ADIT" man --into "$ROOT/usr/share/man/man1" >/dev/null
gzip -9n "$ROOT"/usr/share/man/man1/*.1

complete() {
    mkdir -p "$(dirname "$ROOT/$2")"
    "$ADIT" completions "$1" >"$ROOT/$2"
    # The shell that is told must not look for the program where this one lay.
    sed -i "s#$ROOT##g" "$ROOT/$2"
}
complete bash usr/share/bash-completion/completions/adit
complete zsh usr/share/zsh/vendor-completions/_adit
complete fish usr/share/fish/vendor_completions.d/adit.fish

for page in README.md docs/*.md docs/*.svg; do
    put "$page" "usr/share/doc/adit/$page"
done
put CHANGELOG.md usr/share/doc/adit/changelog
gzip -9n "$ROOT/usr/share/doc/adit/changelog"
cat LICENSE-MIT >"$ROOT/copyright"
{ echo; echo "Or, at your option:"; echo; cat LICENSE-APACHE; } >>"$ROOT/copyright"
put "$ROOT/copyright" usr/share/doc/adit/copyright
rm "$ROOT/copyright"
for file in editors/vim/*/adit.vim; do
    put "$file" "usr/share/vim/vimfiles/pack/adit/start/adit/${file#editors/vim/}"
done
mkdir -p "$ROOT/usr/share/nvim/site/pack/adit/start"
ln -s ../../../../../vim/vimfiles/pack/adit/start/adit "$ROOT/usr/share/nvim/site/pack/adit/start/adit"

# The newest symbol that is asked for says how old the C library may be.
LIBC=$(objdump -T "$PROGRAM" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1)
SIZE=$(du -sk --apparent-size "$ROOT" | cut -f 1)
mkdir "$ROOT/DEBIAN"
(cd "$ROOT" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$ROOT/DEBIAN/md5sums"
cat >"$ROOT/DEBIAN/control" <<END
Package: adit
Version: $VERSION
Architecture: $ARCHITECTURE
Maintainer: the authors of Adit <adit@localhost>
Section: games
Priority: optional
Depends: libc6${LIBC:+ (>= $LIBC)}, libgcc-s1
Suggests: vim | neovim
Installed-Size: $SIZE
Description: referee for tabletop games
 It reads rulebooks, offers the legal moves, and cites the clause that forbids one. House rules are amendments;
 games are played, checked, compared and explained at the command line, and an editor is helped while they are written.
END
find "$ROOT" -type d -exec chmod 755 {} +
mkdir -p "$FOLDER"
dpkg-deb --root-owner-group --build "$ROOT" "$FOLDER/adit_${VERSION}_$ARCHITECTURE.deb"
