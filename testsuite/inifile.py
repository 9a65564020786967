"""The INI files of snapshots, for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import re


def sections(text):
    """The sections of an INI file: (name, lines)."""
    found = [("", [])]
    for line in text.splitlines():
        head = re.match(r"\s*\[([^]]*)\]", line)
        if head:
            found.append((head.group(1).strip().lower(), []))
        else:
            found[-1][1].append(line)
    return found


def key_of(line):
    """KEY, VALUE of a line, without an inline comment."""
    key, equals, value = line.partition("=")
    if not equals or line.lstrip().startswith((";", "#")):
        return None, None
    return key.strip().lower(), re.split(r"\s[;#]", value)[0].strip()


def read(path):
    with open(path, encoding="latin-1") as file:
        return sections(file.read())
