#!/usr/bin/env python3
"""Compare --format=packets with a packet listing of the reference decoder library's
lister: each packet, its type and its fields.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: packets.py OURS THEIRS ID

OURS is a listing of --format=packets; THEIRS has lines "Idx:N; ID:X;<tab>TYPE : text",
perhaps with the bytes before the tab.
Places are compared too: where frames have several sources, theirs leave out the bytes of
a frame that are IDs, so that they may be some bytes of the frame too small."""

import re
import sys

FRAME = 16
BYTES = r"(?: \[[^\]]*\];)?"
EXCEPTIONS = {"PE Reset": 0, "Debug Halt": 1, "Call": 2, "Trap": 3, "IRQ": 14, "FIQ": 15,
              "Inst Fault": 11, "Data Fault": 12}
ETMV4 = {"I_ASYNC": "Alignment Synchronization", "I_TRACE_INFO": "Trace Info",
         "I_TRACE_ON": "Trace On", "I_EXCEPT_RTN": "Exception Return",
         "I_EXCEPT": "Exception", "I_ADDR_MATCH": "Exact Match Address",
         "I_ADDR_S": "Short Address", "I_ADDR_L_32": "32-bit Long Address",
         "I_ADDR_L_64": "64-bit Long Address", "I_CTXT": "Context",
         "I_ADDR_CTXT_L_64": "64-bit Long Address with Context",
         "I_TIMESTAMP": "Timestamp"}
PTM = {"ASYNC": "A-sync", "ISYNC": "I-sync", "TIMESTAMP": "Timestamp", "ATOM": "Atom",
       "BRANCH_ADDRESS": "Branch address", "ERET": "Exception return"}
REASONS = {"Periodic": "periodic", "Trace Enable": "trace-on", "Debug Exit": "debug-exit",
           "Overflow": "overflow"}


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1), 16) if found else None


def theirs(line):
    """(place, type, fields that must be found among ours)"""
    place, kind, text = re.match(r"Idx:(\d+); ID:\w+;" + BYTES + r"\t(\w+) : ?(.*)", line).groups()
    want = {}
    address = number(r"~\[0x([0-9A-Fa-f]+)\]", text)
    if address is None:
        address = number(r"Addr=0x([0-9A-Fa-f]+)", text)
    atoms = re.search(r"; ([EN]+)", text)
    cycles = re.search(r"Cycles=(\d+)", text)
    if kind in ("I_NOT_SYNC", "NOTSYNC"):
        return int(place), "not synchronised", {}
    if kind.startswith("I_"):
        level = re.search(r"IS([01])$", kind)
        if level:
            want["is"] = level.group(1)
            kind = re.sub(r"_?IS[01]$", "", kind)
        if kind.startswith("I_ATOM"):
            return int(place), "Atom", {"atoms": atoms.group(1)}
        if kind == "I_ADDR_MATCH":
            want["entry"] = re.search(r"\[(\d)\]", text).group(1)
        elif address is not None:
            want["low" if "L_64" not in kind else "address"] = hex(address)
        context = re.search(r"AArch(\d\d), ?EL(\d), (N?S); CID=0x(\w+); VMID=0x(\w+)", text)
        if context:
            want.update(bits=context.group(1), el=context.group(2),
                        ns="1" if context.group(3) == "NS" else "0",
                        cid=hex(int(context.group(4), 16)),
                        vmid=hex(int(context.group(5), 16)))
        if kind == "I_EXCEPT":
            want["number"] = str(EXCEPTIONS[re.search(r";  ([\w ]+);", text).group(1)])
        return int(place), ETMV4[kind], want
    if kind == "ATOM":
        want["atoms"] = atoms.group(1)
    elif kind == "ISYNC":
        want["address"] = hex(address)
        want["isa"] = {"Thumb2": "T32", "ARM(32)": "A32"}[
            re.search(r"ISA=([^;]+);", text).group(1)]
        want["reason"] = REASONS[re.search(r"\(([^)]+)\)", text).group(1)]
        want["nonsecure"] = "1" if "; NS;" in text or "; N;" in text else "0"
    elif kind == "TIMESTAMP":
        want["value"] = hex(address)
    elif kind == "BRANCH_ADDRESS":
        want["target"] = address
    if cycles and not (kind == "ISYNC" and want.get("reason") == "periodic"):
        want["cycles"] = cycles.group(1)
    return int(place), PTM[kind], want


def ours(line):
    columns = line.rstrip("\n").split("\t")
    fields = {}
    for field in (columns[3].split() if len(columns) > 3 else []):
        name, _, value = field.partition("=")
        fields[name] = value
    return int(columns[0]), columns[2], fields


def same(want, have):
    for name, value in want.items():
        if name == "target":
            # Bits that are always zero are not sent; which these are, the packet need
            # not tell.
            if "address" in have:
                mask = (1 << value.bit_length()) - 1
                if int(have["address"], 16) & ~1 & mask != value & ~1:
                    return False
            elif int(have["field"], 16) << 1 != value and int(have["field"], 16) << 2 != value:
                return False
        elif have.get(name) != value:
            return False
    return True


def merged(packets):
    """Packets, and of bytes without synchronisation the first."""
    before = None
    for packet in packets:
        if packet[1] != "not synchronised" or before != packet[1]:
            yield packet
        before = packet[1]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    ident = int(sys.argv[3], 16)
    with open(sys.argv[1], encoding="ascii") as file:
        mine = [ours(line) for line in file if line.split("\t")[1:2] == ["0x%02x" % ident]]
    with open(sys.argv[2], encoding="ascii", errors="replace") as file:
        lines = [line for line in file if re.match((r"Idx:\d+; ID:%x;" % ident) + BYTES + r"\t", line)]
    other = list(merged(theirs(line) for line in lines))
    wrong = 0
    for have, want in zip(mine, other):
        if have[1] != want[1] or not same(want[2], have[2]) \
                or not 0 <= have[0] - want[0] < FRAME:
            wrong += 1
            if wrong <= 5:
                print("ours  ", have)
                print("theirs", want)
    if len(mine) != len(other):
        print("%d packets, theirs are %d" % (len(mine), len(other)))
        wrong += 1
    print("%d packets, %d differ" % (len(other), wrong))
    sys.exit(1 if wrong or not other else 0)


main()
