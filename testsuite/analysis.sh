#!/bin/sh
# Static analysis of the sources.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# Without arguments, as in "make check": cppcheck over what reads input, some ten seconds.
# What a tool says and is not so stands in analysis/TOOL.txt, each with the reason; those of
# cppcheck were looked at for one version, and what another one says is told and is no failure.

usage () {
  cat <<'USAGE'
Usage: testsuite/analysis.sh [TOOL] [FOLDER...]
Analyse the FOLDERs (of the source tree; default: those that read input), in a build folder
that has been configured (builddir, default: .. as in "make check").
TOOL: cppcheck (default), fanalyzer (gcc), conversion (gcc -Wconversion), clang-tidy,
scan-build (the analyser of clang).  Exit status 1: it found something.
USAGE
}

case ${1-} in --help | -h) usage; exit 0 ;; esac
tool=${1:-cppcheck}
test $# -gt 0 && shift
top=$(cd "${srcdir:-$(dirname "$0")}/.." && pwd)
build=$(cd "${builddir:-.}/.." && pwd)
test -f "$build/config.h" || build=$top/build
test -f "$build/config.h" || { echo "analysis.sh: no configured build folder" >&2; exit 2; }
folders=${*:-common/util common/snapshot common/svd common/coresight common/decode}
ARGUED=2.10
cd "$build" || exit 2

# Each file by the compiler that is named, with its options; its warnings.  Programs name their
# own headers by the name alone; the library has some that are called as those of the system.
each_file () {
  for folder in $folders; do find "$top/$folder" -name '*.c'; done | sort | while read -r file; do
    case $file in "$top"/common/*) own= ;; *) own="-I$(dirname "$file")" ;; esac
    # shellcheck disable=SC2086
    "$@" -std=gnu11 -DHAVE_CONFIG_H -I. -I"$top/common" $own "$file" 2>&1 \
      | grep -E 'warning:|error:'
  done | sort -u
}

case $tool in
  cppcheck)
    command -v cppcheck >/dev/null || { echo "SKIP: cppcheck is missing"; exit 77; }
    paths=
    for folder in $folders; do paths="$paths $top/$folder"; done
    # shellcheck disable=SC2086
    found=$(cppcheck --quiet --enable=warning,portability --suppress=missingIncludeSystem \
	      --suppressions-list="$top/testsuite/analysis/cppcheck.txt" -DHAVE_CONFIG_H -I. \
	      -I"$top/common" -I"$top/converter" -I"$top/gdbstub" \
	      --template='{file}:{line}: {id}: {message}' $paths 2>&1)
    version=$(cppcheck --version | sed 's/[^0-9.]*//')
    if test -n "$found" && test "${version#$ARGUED}" = "$version"; then
      echo "$found"
      echo "SKIP: cppcheck $version is not $ARGUED, for which its findings were looked at"
      exit 77
    fi ;;
  fanalyzer) found=$(each_file gcc -O1 -fanalyzer -c -o /dev/null) ;;
  conversion) found=$(each_file gcc -fsyntax-only -Wconversion) ;;
  clang-tidy)
    command -v clang-tidy >/dev/null || { echo "SKIP: clang-tidy is missing"; exit 77; }
    checks='-*,clang-analyzer-*,bugprone-*'
    # Parameters of one type are no fault by themselves; names with _ are the C library's
    # switches; a pointer's size in calloc is meant; strcpy stands behind its size.
    for check in bugprone-easily-swappable-parameters bugprone-narrowing-conversions \
	bugprone-implicit-widening-of-multiplication-result bugprone-reserved-identifier \
	bugprone-assignment-in-if-condition bugprone-sizeof-expression \
	clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling \
	clang-analyzer-security.insecureAPI.strcpy; do
      checks="$checks,-$check"
    done
    found=$(for folder in $folders; do find "$top/$folder" -name '*.c'; done | sort \
	      | while read -r file; do
		  clang-tidy --quiet --checks="$checks" "$file" -- -std=gnu11 -DHAVE_CONFIG_H \
		    -I. -I"$top/common" 2>/dev/null | grep -E 'warning:|error:'
		done | sort -u) ;;
  scan-build)
    command -v clang >/dev/null || { echo "SKIP: clang is missing"; exit 77; }
    found=$(each_file clang --analyze -Xclang -analyzer-output=text) ;;
  *) usage >&2; exit 2 ;;
esac
argued=$top/testsuite/analysis/$tool.txt
if test "$tool" != cppcheck && test -f "$argued"; then
  found=$(echo "$found" | grep -v -E "$(grep -v '^#' "$argued" | grep . | paste -s -d '|')" || :)
fi
if test -n "$found"; then
  echo "$found"
  echo "FAIL: $tool: $(echo "$found" | wc -l) findings"
  exit 1
fi
echo "PASS: $tool: nothing in $folders"
