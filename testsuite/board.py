#!/usr/bin/env python3
"""A board on a debug probe, for GDB: board.py SOCKET CASE [OPTION...]

Serves the cores of the snapshot CASE as a halted target to one GDB, with the
CoreSight components that sent and keep its trace: a ROM table, trace units, and a sink whose
RAM is read by its registers.  The sink still captures: the last bytes come out with a flush,
it is locked, and nothing can be read before it has stopped.  OPTIONs are below.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

  --sink=etb|tmc|etf|etr   what keeps the trace (default tmc); etr: in RAM at 0x80000000
  --wrapped=BYTES          the buffer is full, its oldest byte at BYTES
  --apb                    components are not in the memory of the cores; OpenOCD's commands
                           "chip.apb mdw" and "mww" reach them
  --rom=BASE               the ROM table (default 0xe00ff000, as the M profile has it)
  --dark                   a component without power is listed, too
  --mtb                    an MTB that is no unit of the case is listed, too
  --map                    the target's memory map has its memory alone, as that of pyOCD"""

import os
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inifile  # noqa: E402

ETR_RAM = 0x80000000
NAMES32 = ["r%d" % i for i in range(13)] + ["sp", "lr", "pc"]
NAMES64 = ["x%d" % i for i in range(31)] + ["sp", "pc"]


class Component:
    """Words by their offset; what is not there is 0."""

    def __init__(self, words, kind=9, part=0, devtype=0, devarch=0, designer=0x43b):
        self.words = dict(words)
        pid = [part & 0xff, part >> 8 | (designer & 0xf) << 4, 8 | designer >> 4 & 7, 0]
        ids = zip(range(0xfe0, 0x1000, 4), pid + [0x0d, kind << 4, 0x05, 0xb1])
        self.words.update(ids)
        self.words.update({0xfd0: designer >> 8, 0xfcc: devtype, 0xfbc: devarch})

    def read(self, at):
        return self.words.get(at, 0)

    def write(self, at, value):
        self.words[at] = value


class Sink(Component):
    """An ETB or TMC; DATA is what it has in the end."""

    def __init__(self, kind, data, formatted, wrapped, ram):
        part = {"etb": 0x907, "tmc": 0x961, "etf": 0x961, "etr": 0x961}[kind]
        super().__init__({}, part=part, devtype=0x32 if kind == "etf" else 0x21)
        self.kind, self.ram = kind, ram
        self.size = len(data) if wrapped is not None else 1 << len(data).bit_length()
        self.start = wrapped or 0
        self.late = data[-16:]          # On its way until the flush.
        self.put, self.full = 0, False
        self.store(data[:-16])
        self.capturing, self.stopped, self.locked, self.flushing = True, False, True, 0
        self.ffcr, self.rrp = int(formatted), 0
        self.words[0xfc8] = {"etb": 0, "tmc": 0, "etr": 1, "etf": 2}[kind] << 6

    def store(self, data):
        for byte in data:
            self.ram[(self.start + self.put) % self.size] = byte
            self.put += 1
        self.full = self.put >= self.size

    def read(self, at):
        unit = 4 if self.kind == "etb" else 1
        base = ETR_RAM if self.kind == "etr" else 0
        if at == 0x004:
            return self.size // 4
        if at == 0x00c:
            return self.full | (self.stopped and self.kind != "etb") << 2
        if at == 0x010:
            if self.locked or self.capturing:
                return 0xffffffff
            word = int.from_bytes(self.ram[self.rrp:self.rrp + 4], "little")
            self.rrp = (self.rrp + 4) % self.size
            return word
        if at == 0x014:
            return self.rrp // unit
        if at == 0x018:
            return base + (self.start + self.put) % self.size // unit
        if at == 0x118:
            return base
        if at == 0x020:
            return int(self.capturing)
        if at == 0x300:
            return self.stopped << 1
        if at == 0x304:
            self.flushing = max(0, self.flushing - 1)
            return self.ffcr & ~(1 << 6) | (self.flushing > 0) << 6
        if at == 0xfb4:
            return 1 | self.locked << 1
        return super().read(at)

    def write(self, at, value):
        if at == 0xfb0:
            self.locked = value != 0xc5acce55
        elif self.locked:
            return
        elif at == 0x304:
            self.ffcr = value
            if value & 1 << 6 and self.capturing and self.late:
                self.store(self.late)
                self.late, self.flushing = b"", 3
                self.stopped = bool(value & 1 << 12)
        elif at == 0x020:
            self.capturing = bool(value & 1)
            self.stopped |= not self.capturing
        elif at == 0x014 and not self.capturing:
            self.rrp = (value * 4 if self.kind == "etb" else value) % (1 << 32)
            self.rrp -= ETR_RAM if self.kind == "etr" else 0


class Dark(Component):
    def read(self, at):
        raise LookupError


def number(text):
    return int(text, 0)


class Board:
    def __init__(self, case, options):
        self.cores, self.units, self.parts = [], [], {}
        self.apb, self.map = "apb" in options, "map" in options
        for parts, dumps in inifile.devices(case):
            kind = parts["device"]["class"]
            regs = {key.split("(")[0]: number(value) for key, value in parts["regs"].items()}
            if kind == "core":
                memory = [(number(d["address"]), bytearray(inifile.contents(case, d)))
                          for d in dumps]
                self.cores.append((parts["device"]["type"], regs, memory))
            else:
                self.units.append((parts["device"]["type"], {
                    number(key.split("(")[1].split(")")[0]): number(value)
                    for key, value in parts["regs"].items()}, regs))
        self.kind = "a64" if "x0" in self.cores[0][1] else \
            "m" if "xpsr" in self.cores[0][1] else "a32"
        trace = {name: inifile.keys_of(lines)
                 for name, lines in inifile.read(os.path.join(case, "trace.ini"))}
        self.components(case, trace.get("buffer0"), options)

    def components(self, case, buffer, options):
        rom = number(options.get("rom", "0xe00ff000"))
        at = rom + 0x10000 & 0xffffffff if self.kind != "m" else 0xe0041000
        if self.kind == "m":
            scs = Component({0xd00: {"Cortex-M33": 0x411fd210, "Cortex-M3": 0x412fc230,
                                     "Cortex-M0+": 0x410cc601}.get(self.cores[0][0], 0)},
                            kind=0xe, part=0x00c)
            self.parts[0xe000e000] = scs
        for place, (kind, words, named) in enumerate(self.units):
            words = {4 * n: value for n, value in words.items()}
            if kind == "MTB":
                part = Component(words, part=0x932, devtype=0x31)
                part.words[0] = named["position"]
                with open(os.path.join(case, buffer["file"]), "rb") as file:
                    area = bytearray(file.read())
                block = named["position"] & ~((1 << (named["master"] & 31) + 4) - 1)
                self.cores[0][2].append((named["base"] + block & 0xffffffff, area))
            elif kind == "ITM":
                part = Component(words, devtype=0x43, devarch=0x47701a01)
            elif kind.startswith(("ETM4", "ETE")):
                part = Component(words, devtype=0x13,
                                 devarch=0x47700000 | (0x5a13 if kind == "ETE" else 0x4a13))
                part.words[0xfa8] = 0x80000000 | place
            else:
                part = Component(words, devtype=0x13)
            self.parts[at] = part
            at += 0x1000
        if buffer is not None and self.units[0][0] != "MTB":
            with open(os.path.join(case, buffer["file"]), "rb") as file:
                data = file.read()
            kind, wrapped = options.get("sink", "tmc"), options.get("wrapped")
            ram = bytearray(2 * len(data) + 64)
            if kind == "etr":
                for core in self.cores:
                    core[2].append((ETR_RAM, ram))
            self.parts[at] = Sink(kind, data, buffer["format"] == "coresight",
                                  None if wrapped is None else number(wrapped), ram)
            self.parts[at + 0x1000] = Component({0: 0x302 | (1 << len(self.units)) - 1},
                                                devtype=0x12, part=0x908)
            at += 0x2000
        if "dark" in options:
            self.parts[at] = Dark({})
            at += 0x1000
        if "mtb" in options:
            self.parts[at] = Component({4: 0x80000007}, part=0x932, devtype=0x31)
        # One half in a table of its own, of the newer kind and with wide entries.
        places = sorted(self.parts)
        half = len(places) // 2
        inner = rom + 0x1000 & 0xffffffff
        entries = {}
        for i, place in enumerate(places[half:]):
            entry = (place - inner) & 0xfffffffffffff000 | 3
            entries[8 * i], entries[8 * i + 4] = entry & 0xffffffff, entry >> 32 & 0xffffffff
        entries[0xfc8] = 1
        self.parts[inner] = Component(entries, devarch=0x47700af7)
        # What is not there is passed over.
        listed = [(place - rom) & 0xfffff000 | 3 for place in places[:half] + [inner]]
        listed.insert(1, 0x00100002)
        self.parts[rom] = Component({4 * i: word for i, word in enumerate(listed)}, kind=1)

    def word(self, at):
        """The word of a component; LookupError: there is none."""
        return self.parts[at & ~0xfff].read(at & 0xffc)

    def byte(self, core, at):
        for address, data in self.cores[core][2]:
            if address <= at < address + len(data):
                return data[at - address]
        raise LookupError

    def memory(self, core, at, length):
        if not self.apb and at & ~0xfff in self.parts:
            if at % 4 or length % 4:
                raise LookupError               # Registers are words.
            return b"".join(self.word(a).to_bytes(4, "little")
                            for a in range(at, at + length, 4))
        return bytes(self.byte(core, a) for a in range(at, at + length))

    def registers(self, core):
        regs = self.cores[core][1]
        if self.kind == "a64":
            return b"".join(regs.get(name, 0).to_bytes(8, "little") for name in NAMES64) \
                + regs.get("cpsr", 0).to_bytes(4, "little")
        # Other spellings of SP, LR, PC in some cases are not served.
        return b"".join(regs[name].to_bytes(4, "little") for name in NAMES32) \
            + regs["xpsr" if self.kind == "m" else "cpsr"].to_bytes(4, "little")

    def description(self):
        def reg(name, bits, type_="int"):
            return '<reg name="%s" bitsize="%d" type="%s"/>' % (name, bits, type_)
        if self.kind == "a64":
            feature, arch = "org.gnu.gdb.aarch64.core", "aarch64"
            names = [reg(n, 64) for n in NAMES64] + [reg("cpsr", 32)]
        else:
            m = self.kind == "m"
            feature = "org.gnu.gdb.arm.m-profile" if m else "org.gnu.gdb.arm.core"
            arch = "arm"
            names = [reg(n, 32) for n in NAMES32] + \
                ['<reg name="%s" bitsize="32" regnum="25"/>' % ("xpsr" if m else "cpsr")]
        return ('<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>'
                '<architecture>%s</architecture><feature name="%s">%s</feature></target>'
                % (arch, feature, "".join(names)))


    def memory_map(self):
        return "<memory-map>%s</memory-map>" % "".join(
            '<memory type="ram" start="0x%x" length="0x%x"/>' % (at, len(data))
            for at, data in self.cores[0][2])


class Session:
    def __init__(self, board, stream):
        self.board, self.stream, self.core = board, stream, 0

    def send(self, text):
        self.stream.write(b"$%s#%02x" % (text, sum(text) & 255))
        self.stream.flush()

    def monitor(self, command):
        words = command.split()
        try:
            if self.board.apb and words[:2] == ["chip.apb", "mdw"]:
                at = number(words[2])
                return "0x%08x: %08x \n" % (at, self.board.word(at))
            if self.board.apb and words[:2] == ["chip.apb", "mww"]:
                self.board.parts[number(words[2]) & ~0xfff].write(number(words[2]) & 0xfff,
                                                                  number(words[3]))
                return ""
        except LookupError:
            return None
        return None

    def answer(self, packet):
        text = packet.decode("latin-1")
        board = self.board
        try:
            if text.startswith("qSupported"):
                return "PacketSize=1000;qXfer:features:read+" \
                    + ";qXfer:memory-map:read+" * board.map
            if text.startswith("qXfer:"):
                start, length = (int(x, 16) for x in text.rsplit(":", 1)[1].split(","))
                whole = board.memory_map() if text.startswith("qXfer:memory-map") \
                    else board.description()
                return ("l" if start + length >= len(whole) else "m") \
                    + whole[start:start + length]
            if text == "?":
                return "T05thread:1;"
            if text == "qfThreadInfo":
                return "m" + ",".join("%x" % (i + 1) for i in range(len(board.cores)))
            if text == "qsThreadInfo":
                return "l"
            if text == "qC":
                return "QC1"
            if text.startswith("T"):
                return "OK"
            if text.startswith("H"):
                thread = int(text[2:], 16) if not text.endswith("-1") else 0
                self.core = max(0, thread - 1) if text[1] == "g" else self.core
                return "OK"
            if text == "g":
                return board.registers(self.core).hex()
            if text.startswith("m"):
                at, length = (int(x, 16) for x in text[1:].split(","))
                return board.memory(self.core, at, length).hex()
            if text.startswith("M"):
                place, data = text[1:].split(":")
                at = int(place.split(",")[0], 16)
                if board.apb or at & ~0xfff not in board.parts or len(data) != 8:
                    return "E01"
                board.parts[at & ~0xfff].write(
                    at & 0xfff, int.from_bytes(bytes.fromhex(data), "little"))
                return "OK"
            if text.startswith("qRcmd,"):
                output = self.monitor(bytes.fromhex(text[6:]).decode())
                if output is None:
                    return "E01"
                if output:
                    self.send(b"O" + output.encode().hex().encode())
                return "OK"
        except LookupError:
            return "E01"
        return ""

    def run(self):
        while True:
            byte = self.stream.read(1)
            if not byte:
                return
            if byte != b"$":
                continue
            packet = b""
            while not packet.endswith(b"#"):
                byte = self.stream.read(1)
                if not byte:
                    return
                packet += byte
            self.stream.read(2)
            packet = packet[:-1]
            self.stream.write(b"+")
            if packet.startswith((b"k", b"D")):
                self.send(b"OK")
                return
            self.send(self.answer(packet).encode("latin-1"))


def main(path, case, *words):
    options = dict(word[2:].partition("=")[::2] for word in words)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    client, _ = listener.accept()
    with client, client.makefile("rwb") as stream:
        try:
            Session(Board(case, options), stream).run()
        except ConnectionError:
            pass
    os.unlink(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
