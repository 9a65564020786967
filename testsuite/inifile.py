"""The INI files of snapshots, for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
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


def keys_of(lines):
    """KEY: VALUE of all lines."""
    found = dict(key_of(line) for line in lines)
    found.pop(None, None)
    return found


def devices(source):
    """The devices of a snapshot: ("device", "regs" ... as dictionaries, dumps as a list)."""
    for name, lines in read(os.path.join(source, "snapshot.ini")):
        for path in keys_of(lines).values() if name == "device_list" else []:
            parts = read(os.path.join(source, path))
            yield ({name: keys_of(lines) for name, lines in parts},
                   [keys_of(lines) for name, lines in parts if name.startswith("dump")])


def contents(source, dump):
    """The bytes of a dump; none where its file is missing."""
    path = os.path.join(source, dump["file"].strip('"'))
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        file.seek(int(dump.get("offset", "0"), 0))
        return file.read(int(dump["length"], 0) if "length" in dump else -1)
