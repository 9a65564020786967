#!/usr/bin/env python3
# Hold the sources and their objects against the rules of the layout.
# usage: layers.py [SOURCE_DIRECTORY BUILD_DIRECTORY]
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# The order of the folders of common/ is that of common/Makefile.am.  What is looked at:
#
# - includes: a folder includes headers of itself and of folders above it only; the
#   programs those of common/ and their own;
# - symbols: the same of what objects take from each other (but inside common/state);
# - unused: each external function or object has a user in another file;
# - names: no two structs, unions, enums or enumerators of one library have one name;
# - comments: a file that a comment names, by its path below common/ or as "See NAME.h", is
#   there;
# - length: no file has more than LINES_MOST lines.
#
# Each thing that is wrong is a line "FAIL: ..."; the status is then 1.

import os
import re
import subprocess
import sys

LINES_MOST = 520

# Files that are longer: each may lose lines, none may get more, and none is to be added.
LONG_FILES = {
    "common/decode/mtb/decode.c": 546,
}

# Folders whose own folders have an order, too: of includes, and of symbols.  Windows of
# state ask for being solved by what stands below them (common/state/solve-window.c).
ORDERED_INCLUDES = {"arm", "state"}
ORDERED_SYMBOLS = {"arm"}

# External names of common/ that no other object uses, but tests do, and why they are not
# static.
FOR_TESTS = {
    "tb_why_parse": "what --why takes, by itself",
    "tb_svd_put_fields": "fields by their bits; the programs show bytes",
    "tb_tracefile_memory": "a block by itself; the programs hand over whole frames",
    "tb_tracefile_registers": "likewise",
    "tb_tracefile_variable": "likewise",
    # Whether an index was used, and how large what is kept is, shows in nothing else.
    "tb_recording_indexed": "was there an index",
    "tb_facts_size": "the benchmark of logs",
    # What an index file keeps for others (the decoder design's indexes): the programs
    # read checkpoints by step alone, so only tests ask whether the rest is right.
    "tb_index_byte": "a checkpoint by byte",
    "tb_index_step": "a checkpoint by step",
    "tb_index_timestamp": "a checkpoint by timestamp",
    "tb_id_index_count": "the index of a trace ID",
    "tb_source_index_block": "the index of trace IDs",
    "tb_source_index_next": "likewise",
    "tb_source_index_totals": "likewise",
}

PROGRAMS = ("converter", "gdbstub", "maker")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def bare(text):
    """TEXT of C without comments, strings and what the preprocessor reads."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'", blank, text)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*", blank, text, flags=re.M)


class Layout:
    """The files of common/, in the order of its Makefile.am."""

    def __init__(self, source):
        self.source = source
        lines = re.findall(r"^common_sources \+= (.*)$",
                           read(f"{source}/common/Makefile.am"), re.M)
        self.files = list(dict.fromkeys(" ".join(lines).split()))
        self.folders = list(dict.fromkeys(f.split("/")[0] for f in self.files))
        self.inside = {}
        for file in self.files:
            parts = file.split("/")
            inner = self.inside.setdefault(parts[0], [])
            if len(parts) > 2 and parts[1] not in inner:
                inner.append(parts[1])

    def is_below(self, user, used, ordered):
        """May file USER not use file USED, which stands lower?  ORDERED: the folders whose
        own folders have an order."""
        a, b = user.split("/"), used.split("/")
        if a[0] != b[0]:
            return self.folders.index(a[0]) < self.folders.index(b[0])
        if a[0] not in ordered or len(a) < 3 or len(b) < 3:
            return False
        inner = self.inside[a[0]]
        return inner.index(a[1]) < inner.index(b[1])


def sources(folder):
    """The C files below FOLDER, by path from there."""
    found = []
    for path, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.relpath(os.path.join(path, name), folder)
                  for name in sorted(names) if name.endswith((".c", ".h", ".def"))]
    return found


def includes(text):
    return re.findall(r'^[ \t]*#[ \t]*include "([^"]+)"', text, re.M)


def check_includes(layout, say):
    known = set(layout.files)
    for file in sources(f"{layout.source}/common"):
        if file not in known:
            say(f"common/{file} is not in common/Makefile.am")
            continue
        for used in includes(read(f"{layout.source}/common/{file}")):
            if used == "config.h":
                continue
            if used not in known:
                # Beside the file that includes it.
                used = os.path.join(os.path.dirname(file), used)
            if used not in known:
                say(f"common/{file} includes {used}, which is not of common/")
            elif layout.is_below(file, used, ORDERED_INCLUDES):
                say(f"common/{file} includes {used}, of a folder below it")
    for program in PROGRAMS:
        own = set(sources(f"{layout.source}/{program}"))
        for file in sorted(own):
            for used in includes(read(f"{layout.source}/{program}/{file}")):
                if used not in known and used not in own and used != "config.h" \
                   and not os.path.exists(f"{layout.source}/{program}/"
                                          f"{used.replace('.h', '.html')}"):
                    say(f"{program}/{file} includes {used}, which is neither of common/ "
                        "nor its own")


def symbols(paths):
    """By path of an object: what it defines for others, and what it takes of others."""
    found = {path: (set(), set()) for path in paths}
    text = subprocess.run(["nm", "-A", "-g", *paths], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    for line in text.splitlines():
        path, _, rest = line.rpartition(":")
        defined, taken = found[path]
        *_, kind, name = rest.split()
        if kind in "Uvw":
            taken.add(name)
        elif kind in "TDBRC":
            defined.add(name)
    return found


def objects(layout, build):
    """By file: what the objects of common/ and of the programs define and take."""
    paths = {}
    missing = []
    for file in layout.files:
        if file.endswith(".c"):
            path = f"{build}/common/{file[:-2]}.o"
            if os.path.exists(path):
                paths["common/" + file] = path
            else:
                missing.append(path)
    for program in PROGRAMS:
        for name in sorted(os.listdir(f"{build}/{program}")):
            # An object whose source is gone is one of an earlier build.
            source = f"{layout.source}/{program}/{name[:-2]}.c"
            if name.endswith(".o") and os.path.exists(source):
                paths[f"{program}/{name[:-2]}.c"] = f"{build}/{program}/{name}"
    found = symbols(paths.values())
    return {file: found[path] for file, path in paths.items()}, missing


def check_symbols(layout, table, say):
    home = {}
    for file, (defined, _) in table.items():
        if file.startswith("common/"):
            home.update({name: file[7:] for name in defined})
    for file, (_, taken) in table.items():
        for name in sorted(taken & home.keys()):
            if file.startswith("common/") and layout.is_below(file[7:], home[name],
                                                                 ORDERED_SYMBOLS):
                say(f"{file} takes {name} from {home[name]}, of a folder below it")


def check_unused(layout, table, say):
    taken = {}
    for file, (_, names) in table.items():
        for name in names:
            taken.setdefault(name, set()).add(file)
    words = set()
    for file in sources(f"{layout.source}/testsuite"):
        words.update(re.findall(r"\w+", bare(read(f"{layout.source}/testsuite/{file}"))))
    unused = set()
    for file, (defined, _) in sorted(table.items()):
        for name in sorted(defined):
            if taken.get(name) or name == "main":
                continue
            unused.add(name)
            if name not in words:
                say(f"{name} of {file} is external, and no other file uses it")
            elif name not in FOR_TESTS:
                say(f"{name} of {file} is external, and only tests use it; make it "
                    "static and test it by what calls it")
    for name in sorted(FOR_TESTS.keys() - unused):
        say(f"{name} is no longer for tests alone: take it from the list of layers.py")


def definitions(text):
    """The names of the structs, unions, enums and enumerators that TEXT defines outside
    functions."""
    # Bodies of structs begin in the first column, too: those of functions stand behind
    # a parenthesis.
    text = re.sub(r"(\)[^;{}()]*\n)\{\n.*?^\}", r"\1", bare(text), flags=re.M | re.S)
    for match in re.finditer(r"\b(struct|union|enum)\s+(?:TB_\w+\s+)?(\w+)\s*\{", text):
        yield match.group(1), match.group(2)
    for match in re.finditer(r"\benum\b[^;{}()]*\{([^{}]*)\}", text):
        body = match.group(1)
        while "(" in body:
            shorter = re.sub(r"\([^()]*\)", "", body)
            if shorter == body:
                break
            body = shorter
        for part in body.split(","):
            name = re.match(r"\s*(\w+)", part)
            if name:
                yield "enumerator", name.group(1)


def check_names(layout, say):
    for library in ("common",) + PROGRAMS:
        found = {}
        for file in sources(f"{layout.source}/{library}"):
            for kind, name in definitions(read(f"{layout.source}/{library}/{file}")):
                kind = kind if kind == "enumerator" else "tag"
                found.setdefault((kind, name), []).append(file)
        for (kind, name), files in sorted(found.items()):
            if len(files) > 1:
                say(f"{library}: {len(files)} definitions of the {kind} {name}: "
                    + ", ".join(files))


def check_comments(layout, say):
    known = set(layout.files)
    for library in ("common",) + PROGRAMS:
        for file in sources(f"{layout.source}/{library}"):
            text = read(f"{layout.source}/{library}/{file}")
            beside = os.path.dirname(f"{layout.source}/{library}/{file}")
            for comment in re.findall(r"/\*.*?\*/", text, re.S):
                for path in re.findall(r"(?<![\w/.-])(?:[\w-]+/)+[\w-]+\.[ch]\b", comment):
                    if path.split("/")[0] in layout.folders and path not in known:
                        say(f"{library}/{file} names {path}, which is not there")
                for path in re.findall(r"\bSee\s+([\w/-]+\.h)\b", comment):
                    if path not in known and not os.path.exists(f"{beside}/{path}"):
                        say(f"{library}/{file} says to see {path}, which is not there")


def check_lengths(layout, say):
    seen = {}
    for library in ("common",) + PROGRAMS:
        for file in sources(f"{layout.source}/{library}"):
            path = f"{library}/{file}"
            count = read(f"{layout.source}/{path}").count("\n")
            if count > LINES_MOST:
                seen[path] = count
            if count > LONG_FILES.get(path, LINES_MOST):
                say(f"{path} has {count} lines; at most "
                    f"{LONG_FILES.get(path, LINES_MOST)} are wanted")
    for path in sorted(LONG_FILES.keys() - seen.keys()):
        say(f"{path} is no longer too long: take it from the list of layers.py")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    source, build = sys.argv[1:3] if len(sys.argv) > 2 else (os.path.dirname(here), "..")
    failures = []

    def say(text):
        failures.append(text)
        print("FAIL:", text)

    layout = Layout(source)
    check_includes(layout, say)
    table, missing = objects(layout, build)
    for path in missing:
        say(f"{path} is not there: build first")
    check_symbols(layout, table, say)
    check_unused(layout, table, say)
    check_names(layout, say)
    check_comments(layout, say)
    check_lengths(layout, say)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
