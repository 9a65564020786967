#!/bin/sh
# The rules of style that a program can check (HACKING.md), over all sources; a line for each
# place that breaks one.  Exits with 1 if there is any.
# usage: style.sh [FILE...]     (default: all sources of the tree that this script is in)
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -u
export LC_ALL=C.UTF-8

if test $# -eq 0; then
  cd "$(dirname "$0")/.." || exit 2
  # Not what is built, what comes from elsewhere, nor what is generated and kept.
  set -- $(find . \( -name '.git' -o -name 'build*' -o -name autom4te.cache -o -name samples \
		     -o -name __pycache__ -o -name scratch -o -name dejagnu -o -name '*.cache' \) \
	     -prune -o -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o -name '*.sh' \
		     -o -name '*.py' -o -name '*.exp' -o -name '*.am' -o -name '*.ac' \
		     -o -name '*.texi' -o -name '*.md' -o -name '*.[1-9]' -o -name bootstrap \
		     -o -name packages -o -name README -o -name NEWS \) \
	     ! -name config.h -print | sed 's,^\./,,' | sort)
  test $# -gt 100 || { echo "style: expected the sources, found $# files" >&2; exit 2; }
fi

awk '
function say(text) { print FILENAME ":" FNR ": " text; bad++ }

# The columns of LINE, with tabs of eight.
function width(line,   n, parts, i, w) {
  if (length(line) <= 12) return 0
  n = split(line, parts, "\t")
  w = 0
  for (i = 1; i <= n; i++) {
    w += length(parts[i])
    if (i < n) w = int(w / 8) * 8 + 8
  }
  return w
}

# At the end of the file before.
function finish() {
  if (name == "") return
  if (empty) { print name ": expected no empty line at the end"; bad++ }
  if (licensed && !licence) { print name ": expected a licence in the first lines"; bad++ }
  if (header && !guarded) { print name ": expected the guard " guard; bad++ }
}

FNR == 1 {
  finish()
  name = FILENAME
  c = name ~ /\.(c|h|cc|def)$/
  header = name ~ /^(common|converter|gdbstub|maker)\/.*\.h$/
  licensed = name ~ /\.(c|h|cc|def|sh|py|exp|am|ac)$/
  licence = guarded = empty = 0
  guard = toupper(name)
  sub(/^COMMON\//, "", guard)
  gsub(/[^A-Z0-9]/, "_", guard)
  guard = "TB_" guard
  head = ""
}

{ empty = $0 == "" }
/Licence: GPL-3.0-or-later/ && FNR <= 16 { licence = 1 }
/[ \t]$/ { say("a blank at the end of the line") }
/\r/ { say("a carriage return") }
# Tables of Python and patterns of Tcl may be wider.
width($0) > 100 && (c || name ~ /\.sh$/) { say("more than 100 columns") }

c && / \t/ { say("a tab behind a blank") }
c && /^\t*        / { say("eight blanks that are a tab") }
c && header && /^#ifndef / && $2 == guard { guarded = 1 }

# A definition: its head is what stands at the left before its brace.
c && /^[A-Za-z_]/ && !/:$/ { if (head == "" || head ~ /[;}]$/) first = $0
  if ($0 ~ /[a-z0-9_] \(/ && head == "") { head = $0; at = FNR } }
c && (/;$/ || /^}/ || /^$/ || /^#/) { head = "" }
c && /^{/ {
  if (head != "" && head !~ /^[A-Za-z_][A-Za-z0-9_]* \(/ && head !~ /^(struct|enum|union|extern) / \
      && head !~ /__attribute__/ && head !~ /= *$/)
    say("the name of the function does not begin a line: " head)
  head = ""
}

END { finish(); exit bad > 0 }
' "$@"
status=$?

# awk gives a last line that has no newline one.
for file in "$@"; do
  if test -s "$file" && test -n "$(tail -c 1 "$file")"; then
    echo "$file: expected a newline at the end"
    status=1
  fi
done
exit $status
