#!/usr/bin/env python3
"""Judge what is drawn of calls by what really ran: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: levels.py FOLDER ELF TIMELINE FOLDED

At every step the innermost function of TIMELINE (--format=perfetto) is that whose code runs,
by FOLDER's truth (see truth.py) and the symbols of ELF; FOLDED (--format=folded) counts as
many instructions for each innermost function as ran in it.  Prints
"steps=N wrong=N miscounted=N deepest=N" and the first steps and functions that are wrong.
"""
import bisect
import collections
import json
import struct
import sys

sys.dont_write_bytecode = True
import truth


def symbols(path):
    """(name, kind, address, size) of each symbol of an ELF file that is defined: kind 1 is an
    object, 2 a function."""
    with open(path, 'rb') as file:
        data = file.read()
    wide = data[4] == 2
    start, = struct.unpack_from('<Q' if wide else '<I', data, 40 if wide else 32)
    size, count = struct.unpack_from('<HH', data, 58 if wide else 46)
    header = '<IIQQQQIIQQ' if wide else '<10I'
    sections = [struct.unpack_from(header, data, start + size * i) for i in range(count)]
    for section in sections:
        if section[1] != 2:         # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24 if wide else 16):
            if wide:
                name, info, _, index, value, length = struct.unpack_from('<IBBHQQ', data, at)
            else:
                name, value, length, info, _, index = struct.unpack_from('<IIIBBH', data, at)
            if index:
                yield data[names + name:data.index(b'\0', names + name)].decode(), info & 15, value, length


class Functions:
    """The functions of an ELF file: symbols of type STT_FUNC that have a size."""

    def __init__(self, path):
        found = {}
        for name, kind, value, length in symbols(path):
            if kind == 2 and length:
                found.setdefault((value & ~1, (value & ~1) + length), set()).add(name)
        self.list = sorted((start, end, names) for (start, end), names in found.items())
        self.starts = [entry[0] for entry in self.list]
        self.longest = max((end - start for start, end, _ in self.list), default=0)

    def at(self, pc):
        """The names of all that hold PC."""
        names = set()
        for start, end, these in reversed(self.list[:bisect.bisect_right(self.starts, pc)]):
            if start + self.longest <= pc:
                break
            if pc < end:
                names |= these
        return names


def innermost(names):
    """The innermost name of a stack that is no exception."""
    return next((name for name in reversed(names) if not name.startswith('[')), None)


def main(folder, elf, timeline, folded):
    functions, pcs = Functions(elf), truth.read(folder)
    pcs = pcs.pcs()
    with open(timeline) as file:
        events = [e for e in json.load(file)['traceEvents'] if e['ph'] in 'BE' and e['tid'] == 1]
    stack, at, wrong, first, deepest = [], 0, 0, [], 0
    ran = collections.Counter()
    for step, pc in enumerate(pcs):
        while at < len(events) and events[at]['ts'] <= step:
            if events[at]['ph'] == 'B':
                stack.append(events[at]['name'])
            else:
                stack.pop()
            at += 1
        deepest = max(deepest, len(stack))
        names = functions.at(pc)
        if names:
            ran[frozenset(names)] += 1
        if names and innermost(stack) not in names:
            wrong += 1
            first.append('%d: %s drawn as %s' % (step, sorted(names), innermost(stack)))
    counted = collections.Counter()
    with open(folded) as file:
        for line in file:
            stack, count = line.rsplit(' ', 1)
            counted[innermost(stack.split(';'))] += int(count)
    miscounted = [sorted(names) for names, count in ran.items()
                  if sum(counted[name] for name in names) != count]
    print('steps=%d wrong=%d miscounted=%d deepest=%d' % (
        len(pcs), wrong, len(miscounted), deepest), *first[:4], *miscounted[:4], sep='\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
