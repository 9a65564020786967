#!/bin/sh
# Build a Debian package from the distribution and look at what is in it.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -eu

for tool in dpkg-buildpackage dh dpkg-deb; do
  command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done

work=$(mktemp -d "${TMPDIR:-/tmp}/tb-package-XXXXXX")
trap 'rm -rf "$work"' EXIT

# The distribution, and nothing else.  What is kept in the source tree is taken as it is, not
# made again: the tools for that need not be here, and file times of a clone say nothing.
srcdir=$(cd "${srcdir:-.}" && pwd)
here=$(pwd)
touch "$work/before"
make -s -C .. distdir distdir=package-$$ >/dev/null
again=$(find "$srcdir/samples" "$srcdir/firmware" "$srcdir"/tracebridge.* "$srcdir/emulator" \
	  -name __pycache__ -prune -o -type f -newer "$work/before" -print)
test -z "$again" || { echo "FAIL: made again for the distribution:" $again; exit 1; }
mv "../package-$$" "$work/tracebridge"
# All of the repository is in it, and nothing lies in the repository that is for nobody.
if test -e "$srcdir/../.git" && command -v git >/dev/null; then
  left=$(cd "$srcdir/.." && git ls-files | while read -r file; do
	   test "$file" = .gitignore || test -e "$work/tracebridge/$file" || echo "$file"
	 done)
  test -z "$left" || { echo "FAIL: not in the distribution:" $left; exit 1; }
fi
cd "$work/tracebridge"
chmod -R u+w .
# What is in the package does not depend on how fast its programs are, nor on what debuggers know.
# Options of whoever builds here would take the place of the package's.
unset CFLAGS CPPFLAGS LDFLAGS
# "./bootstrap check" compiles no file a second time: what is compiled in the package's tree is
# looked at as far as its headers go, which must be in the distribution, and the object is that of
# the build, where both have the same source and configuration.
if test "${TB_SAMPLED-}" = yes; then
  echo "sampled: objects are those of the build"
  TB_BUILD=$(cd "$here/.." && pwd) TB_SOURCES=$srcdir/.. TB_PACKAGE=$work/tracebridge
  TB_COMPILER=$(sed -n 's/^CC = //p' "$here/Makefile")
  export TB_BUILD TB_SOURCES TB_PACKAGE TB_COMPILER
  cat >"$work/cc" <<'EOF'
#!/bin/sh
object= source= word= only_compile=
for next; do
  case $word in -o) object=$next ;; esac
  case $next in -c) only_compile=yes ;; *.c) source=$next ;; esac
  word=$next
done
folder=${PWD#"$TB_PACKAGE"}
built=$TB_BUILD$folder/$object
if test -z "$only_compile" || test ! -f "$built" \
   || ! cmp -s "$source" "$TB_SOURCES$folder/$source" \
   || ! cmp -s "$TB_PACKAGE/config.h" "$TB_BUILD/config.h"; then
  exec $TB_COMPILER "$@"
fi
for next; do
  shift
  case $next in
    -c | -o | -MD) ;;
    *) test "$word" = -o || set -- "$@" "$next" ;;
  esac
  word=$next
done
$TB_COMPILER -M "$@" >/dev/null && cp "$built" "$object" && echo "$object" >>"$TB_PACKAGE/../taken"
EOF
  chmod +x "$work/cc"
  export CC="$work/cc"
fi
DEB_BUILD_OPTIONS="nocheck noopt noautodbgsym parallel=2" DEB_CFLAGS_STRIP=-g \
  dpkg-buildpackage -b -us -uc -d >"$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  exit 1
}
test ! -f "$work/taken" || echo "objects taken: $(wc -l <"$work/taken")"
dpkg-deb -x "$work"/tracebridge_*.deb "$work/root"
dpkg-deb -f "$work"/tracebridge_*.deb

for file in usr/bin/tracebridge-convert usr/bin/tracebridge-gdbstub usr/bin/tracebridge-snapshot \
	    usr/share/man/man1/tracebridge-convert.1.gz \
	    usr/share/man/man1/tracebridge-gdbstub.1.gz \
	    usr/share/info/tracebridge.info.gz \
	    usr/share/bash-completion/completions/tracebridge-convert \
	    usr/share/tracebridge/gdb/tracebridge/snapshot.py \
	    etc/gdb/gdbinit.d/tracebridge.py; do
  test -e "$work/root/$file" || { echo "FAIL: no $file in the package"; exit 1; }
done

# What is installed works from there.
"$work/root/usr/bin/tracebridge-convert" --version
"$work/root/usr/bin/tracebridge-convert" --format=summary -o "$work/summary" \
  testsuite/samples/crash-m0
grep -q 'insns=2263 ' "$work/summary"
grep -q "'/usr/share/tracebridge/gdb'" "$work/root/etc/gdb/gdbinit.d/tracebridge.py"
