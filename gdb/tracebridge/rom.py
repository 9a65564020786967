"""The components that a ROM table lists.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Source: CoreSight Architecture Specification 3.0 (IHI 0029): CIDR, PIDR, DEVARCH, DEVTYPE and
DEVAFF of components; ROM tables of class 0x1 and of class 0x9.
"""
import collections

import gdb

# The address of a component's registers, what it is, and what it says of itself; FAILURE: why
# it cannot be read.
Component = collections.namedtuple('Component', 'base kind part affinity failure')

# Where cores of the M profile have theirs (DDI 0403, C1.2.4).
M_PROFILE_ROM = 0xe00ff000

# Tables in tables, and components altogether: no real system comes near.
DEEPEST, MOST = 8, 512

CLASS_ROM, CLASS_CORESIGHT, CLASS_GENERIC = 0x1, 0x9, 0xe

# DEVARCH, ARCHID.
ARCHITECTURES = {0x4a13: 'trace unit', 0x5a13: 'trace unit', 0x1a01: 'ITM', 0x0a63: 'STM',
                 0x0a31: 'MTB', 0x1a02: 'DWT', 0x1a03: 'breakpoints', 0x1a14: 'CTI',
                 0x6a15: 'core debug', 0x7a15: 'core debug', 0x8a15: 'core debug',
                 0x9a15: 'core debug', 0x2a16: 'PMU', 0x2a04: 'core control'}
ROM_ARCHITECTURE = 0x0af7
# DEVTYPE: bits 3:0 the major type, bits 7:4 the sub-type.
TYPES = {0x13: 'trace unit', 0x43: 'ITM', 0x63: 'STM', 0x31: 'MTB', 0x21: 'buffer',
         0x32: 'FIFO', 0x12: 'funnel', 0x22: 'replicator', 0x11: 'TPIU', 0x14: 'CTI',
         0x15: 'core debug', 0x16: 'PMU'}
# Components of the M profile before Armv8-M have a number alone (PIDR, designer Arm).
GENERIC = {0x000: 'core control', 0x001: 'ITM', 0x002: 'DWT', 0x003: 'breakpoints',
           0x008: 'core control', 0x00a: 'DWT', 0x00b: 'breakpoints', 0x00c: 'core control',
           0x00e: 'breakpoints'}
ARM = 0x43b


def _identity(word, base):
    """Class, part and designer of the component at BASE; class None: there is none."""
    bytes_ = [word(base + 0xff0 + 4 * i) & 0xff for i in range(4)]
    if bytes_[0] != 0x0d or bytes_[1] & 0xf or bytes_[2:] != [0x05, 0xb1]:
        return None, 0, 0
    pid = [word(base + at) & 0xff for at in (0xfe0, 0xfe4, 0xfe8, 0xfd0)]
    part = pid[0] | (pid[1] & 0xf) << 8
    designer = pid[1] >> 4 | (pid[2] & 7) << 4 | (pid[3] & 0xf) << 8
    return bytes_[1] >> 4, part, designer


def _entries(word, base, new):
    """The addresses that the ROM table at BASE lists; NEW: of class 9."""
    step = 8 if new and word(base + 0xfc8) & 0xf == 1 else 4
    for at in range(0, 0x800 if new else 0xf00, step):
        entry = word(base + at)
        if step == 8:
            entry |= word(base + at + 4) << 32
        present = entry & 3 if new else 3 if entry & 1 else 2
        if entry == 0 or present == 0:
            return
        if present == 3:
            yield base + (entry & ~0xfff) & (1 << 8 * step) - 1


def _described(word, base, kind, part, designer):
    """The component at BASE, of class KIND, which is no table."""
    if kind != CLASS_CORESIGHT:
        name = GENERIC.get(part) if kind == CLASS_GENERIC and designer == ARM else None
        return Component(base, name or 'part 0x%03x' % part, part, None, None)
    architecture = word(base + 0xfbc)
    name = ARCHITECTURES.get(architecture & 0xffff) if architecture >> 20 & 1 else None
    affinity = word(base + 0xfa8) | word(base + 0xfac) << 32
    return Component(base, name or TYPES.get(word(base + 0xfcc) & 0xff) or 'part 0x%03x' % part,
                     part, affinity & 0xff00ffffff or None, None)


def component(word, base):
    """The component at BASE."""
    kind, part, designer = _identity(word, base)
    if kind is None:
        return Component(base, 'nothing', 0, None, None)
    return _described(word, base, kind, part, designer)


def components(word, base):
    """All that the ROM table at BASE lists, and the tables that it lists; in their order.
    WORD reads an address.  gdb.GdbError: there is no ROM table."""
    found, seen = [], set()

    def walk(at, depth):
        if at in seen or depth > DEEPEST or len(found) >= MOST:
            return
        seen.add(at)
        try:
            kind, part, designer = _identity(word, at)
            new = kind == CLASS_CORESIGHT and word(at + 0xfbc) & 0x10ffff == (
                0x100000 | ROM_ARCHITECTURE)
            if kind is not None and kind != CLASS_ROM and not new:
                found.append(_described(word, at, kind, part, designer))
        except gdb.GdbError as error:
            # What has no power cannot be read; the others can.
            found.append(Component(at, 'unreadable', 0, None, str(error)))
            return
        if kind == CLASS_ROM or new:
            try:
                listed = list(_entries(word, at, new))
            except gdb.GdbError as error:
                found.append(Component(at, 'unreadable', 0, None, str(error)))
                return
            for address in listed:
                walk(address, depth + 1)
        elif depth == 0:
            raise gdb.GdbError('There is no ROM table at 0x%x: its CIDR is of class %s'
                               % (at, 'none' if kind is None else '0x%x' % kind))

    walk(base, 0)
    if found and found[0].base == base:
        raise gdb.GdbError('There is no ROM table at 0x%x: %s' % (base, found[0].failure))
    return found
