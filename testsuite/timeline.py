#!/usr/bin/env python3
# A judge of --format=timeline: snapshots of several sources whose true times are known.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: timeline.py CONVERTER FOLDER SEED COUNT
#
# Two cores run a function that calls itself (nop; bl) and handlers of interrupts (nop; eret), which
# begin later than the interrupt, and lose trace at times; two ITM and an STM write numbers.  All
# happens at random times of one clock, which each source tells now and then, as its protocol does, or
# late, behind a marker of where the time was.
# Of the listing it is checked that
#   * each thing is there, once, and those of one source are in their order;
#   * the true time of each is within what is said of it, exactly, also where a tick is no whole
#     number of nanoseconds;
#   * of any two things of which one was over before the other could have been, by what is said
#     of them, it stands before the other, and truly was no later.
# Of the lanes of reports it is checked that what was said was said behind the steps that are said to be
# before it, and before those that are said to be behind it.
# The ITMs' local clocks count at a rate of their own, by a prescaler that goes on or begins anew
# with each timestamp, and stop at times.  With that rate told (--local-frequency) all of this holds,
# too, and more pairs are decided.  So do the cycles of the cores, which their trace counts
# (--core-frequency).

import json
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

# Ticks a second (0: not told).  Those of the last two are no whole number of nanoseconds.
FREQUENCIES = [0, 1, 16, 1000000, 24000000, 19200000]

LOOP, HANDLER = 0x1000, 0x2000


def register(name, text):
    with open(name, "w") as file:
        file.write(text)


def address(value):
    """A long address of 32 bits."""
    return bytes([0x9a, value >> 2 & 0x7f, value >> 9 & 0x7f, value >> 16 & 0xff, value >> 24])


# Of ETMv4, with the address of the loop.
SYNCHRONISATION = bytes(11) + bytes([0x80, 0x01, 0x09, 0x01, 0x00]) + bytes([0x82, 0, 8, 0, 0, 0x31])


class Core:
    """What its trace unit sends; the true time of each step."""

    def __init__(self, rng, rate):
        self.rng, self.rate = rng, rate
        self.bytes = SYNCHRONISATION
        self.steps, self.what = [], {}
        self.seen, self.cycles, self.counted = 0, Fraction(rng.randrange(8), 8), 0
        self.often = rng.choice([0, .2, .9])
        self.taken = False
        # Some units say where a timestamp belongs, and send it later.
        self.marks, self.marked = rng.random() < .3, None

    def told(self, step):
        """What is listed before STEP, and when it happened.  Whether a handler ended is seen by what
        ran next, which a gap hides, and the end of the trace."""
        here = self.what.get(step, [])
        behind = [name for name, _ in here[1:]] + [None]
        return [one for one, following in zip(here, behind)
                if one[0] != "end" or following != "gap" and (following or step < len(self.steps))]

    def count(self, now):
        """A packet with the cycles since the one before; while the core sleeps there are none."""
        slept = Fraction(self.rng.randrange(8), 8) if self.rng.random() < .1 else 0
        self.cycles += (now - self.seen if self.seen else 0) * self.rate * (1 - slept)
        self.seen = now
        delta = int(self.cycles) - self.counted
        if self.rng.random() >= self.often:
            return b""
        self.counted += delta
        return b"\x0e" + self.number(delta)

    @staticmethod
    def number(delta):
        groups = [delta >> 7 * i & 0x7f for i in range(3) if delta >> 7 * i or i == 0]
        return bytes([g | 0x80 for g in groups[:-1]] + groups[-1:])

    def note(self, what, now):
        """It stands before the next step."""
        self.what.setdefault(len(self.steps), []).append((what, now))

    def act(self, now):
        chance = self.rng.random()
        if self.taken:
            self.bytes += b"\xf7" + address(LOOP)
            self.steps += [now, now]
            self.note("end", now)
            self.taken = False
        elif chance < .3:
            self.note("exception", now)
            self.bytes += bytes([0x06, 0x1d]) + address(LOOP) + address(HANDLER)
            self.taken = True
        elif chance < .4 and self.steps and self.what.get(len(self.steps), [("", 0)])[-1][0] != "gap":
            self.note("gap", now)
            self.bytes += b"\x00\x05" + SYNCHRONISATION
        else:
            self.bytes += b"\xf7"
            self.steps += [now, now]
        self.bytes += self.count(now)
        if self.marks and self.marked is None and self.rng.random() < .5:
            self.bytes += b"\x88"
            self.marked = now
            if self.rng.random() < .5:
                return
        if self.rng.random() < .5 and (self.marked is not None or not self.marks):
            stamp = now if self.marked is None else self.marked
            self.marked = None
            value = b""
            for i in range(4):
                value += bytes([stamp >> 7 * i & 0x7f | (0x80 if i < 3 else 0)])
            # What a timestamp counts the next packet of cycles counts, too.
            if self.often and self.rng.random() < .5:
                self.bytes += b"\x03" + value + self.number(int(self.cycles) - self.counted)
            else:
                self.bytes += b"\x02" + value
            self.bytes += self.count(now)


class Itm:
    def __init__(self, rng, number, rate):
        self.rng, self.number, self.told = rng, number, False
        self.rate, self.bits, self.anew = rate, rng.randrange(4), rng.random() < .5
        self.seen = self.ticks = self.sent = 0
        self.bytes = bytes(5) + b"\x80"
        self.items = []

    def act(self, now):
        if self.rng.random() < .3:
            low = now & 0x3ffffff
            self.bytes += bytes([0x94, low & 0x7f | 0x80, low >> 7 & 0x7f | 0x80, low >> 14 & 0x7f | 0x80,
                                 low >> 21 | (0 if self.told else 0x40)])
            self.bytes += b"" if self.told else b"\xb4\x00"
            self.told = True
            return
        # What is sent late happened before.
        late = self.rng.random() < .2
        value = 0xff000000 | self.number << 16 | len(self.items)
        self.items.append((now - self.rng.randrange(50) if late else now, value))
        self.bytes += bytes([0x03 | self.rng.randrange(32) << 3]) + value.to_bytes(4, "little")
        # What is late says so.
        if not late and self.rng.random() < .3:
            return
        self.bytes += bytes([0xe0 if late else 0xc0]) + self.local(now)

    def local(self, now):
        """What a local timestamp says: ticks of the prescaler since the one before."""
        slept = Fraction(self.rng.randrange(8), 8) if self.rng.random() < .1 else 0
        self.ticks += (now - self.seen if self.seen else 0) * self.rate * (1 - slept)
        self.seen = now
        delta = int(self.ticks / 4 ** self.bits) - self.sent
        self.sent = 0 if self.anew else self.sent + delta
        self.ticks = 0 if self.anew else self.ticks
        groups = [delta >> 7 * i & 0x7f for i in range(4) if delta >> 7 * i or i == 0]
        return bytes([g | 0x80 for g in groups[:-1]] + groups[-1:])


class Stm:
    def __init__(self, rng):
        self.rng = rng
        self.digits = "f" * 21 + "0f003" + "141"
        self.items = []

    def act(self, now):
        value = 0xff0f0000 | len(self.items)
        timed = self.rng.random() < .4
        self.items.append((now, value))
        self.digits += ("f6" if timed else "6") + "%08x" % value + ("6%06x" % now if timed else "")

    @property
    def bytes(self):
        digits = self.digits + "0" * (len(self.digits) % 2)
        return bytes(int(digits[i + 1] + digits[i], 16) for i in range(0, len(digits), 2))


def make(folder, rng):
    rate = rng.choice([Fraction(1), Fraction(3), Fraction(10), Fraction(7, 2), Fraction(1, 3)])
    core = rng.choice([Fraction(1), Fraction(7, 3), Fraction(100), Fraction(1, 2)])
    sources = {"etm0": Core(rng, core), "etm1": Core(rng, core), "itm0": Itm(rng, 0, rate), "itm1": Itm(rng, 1, rate),
               "stm": Stm(rng)}
    now = rng.randrange(1000, 100000)
    for _ in range(rng.randrange(5, 200)):
        now += rng.choice([0, 1, 1, 5, 60])
        sources[rng.choice(list(sources))].act(now)
    os.makedirs(folder, exist_ok=True)
    devices = ["cpu0", "cpu1"] + list(sources)
    register(folder + "/snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\n" + "".join(
        "device%d=%s.ini\n" % (i, name) for i, name in enumerate(devices))
        + "[trace]\nmetadata=trace.ini\n")
    code = {LOOP: [0xd503201f, 0x97ffffff], HANDLER: [0xd503201f, 0xd69f03e0]}
    for start, words in code.items():
        with open("%s/%x.bin" % (folder, start), "wb") as file:
            file.write(b"".join(w.to_bytes(4, "little") for w in words))
    for cpu in ("cpu0", "cpu1"):
        register("%s/%s.ini" % (folder, cpu), "[device]\nname=%s\nclass=core\ntype=Cortex-A57\n" % cpu + "".join(
            "[dump%d]\nfile=%x.bin\naddress=%#x\n" % (i, start, start) for i, start in enumerate(code)))
    registers = {"etm": ("ETM4.6", "TRCTRACEIDR=0x10\nTRCIDR0=0x28000ea1\nTRCIDR1=0x4100f461\n"
                         "TRCIDR2=0x488\nTRCCONFIGR=0x811\n"),
                 "itm": ("ITM", "ITMTCR=0x110000\n"), "stm": ("STM", "STMTCSR=0x120000\n")}
    for name, source in sources.items():
        kind, values = registers[name[:3]]
        if kind == "ITM":
            values = "ITMTCR=%#x\n" % (0x110000 | source.bits << 8)
        register("%s/%s.ini" % (folder, name), "[device]\nname=%s\nclass=trace_source\ntype=%s\n[regs]\n%s"
                 % (name, kind, values))
        with open("%s/%s.bin" % (folder, name), "wb") as file:
            file.write(source.bytes)
    frequency = rng.choice(FREQUENCIES)
    register(folder + "/trace.ini", "[trace_buffers]\nbuffers=" + ",".join("b_" + n for n in sources)
             + "\n" + "".join("[b_%s]\nname=b_%s\nfile=%s.bin\nformat=source_data\n" % (n, n, n) for n in sources)
             + "[core_trace_sources]\ncpu0=etm0\ncpu1=etm1\n[source_buffers]\n"
             + "".join("%s=b_%s\n" % (n, n) for n in sources)
             + ("[timestamp]\nfrequency=%d\n" % frequency if frequency else ""))
    # How often the local clocks and the cores tick at most.
    return sources, frequency, [-(-frequency * each.numerator // each.denominator) for each in (rate, core)]


def number(text):
    """A time as it is told: nanoseconds, or ticks where it is not known how long they are."""
    if text.endswith("s"):
        return int(text[:-1].replace(".", ""))
    return int(text, 16)


def bounds(text, frequency):
    if text == "-":
        return 0, float("inf")
    if text.startswith(">="):
        return number(text[2:]), float("inf")
    if text.startswith("<="):
        return 0, number(text[2:])
    first, _, last = text.partition("-")
    # A single time is rounded down.
    part = 1 - Fraction(1, frequency) if frequency and 10 ** 9 % frequency else 0
    return number(first), number(last) if last else number(first) + part


def judge(listing, sources, frequency):
    """(pairs that are decided, what is wrong)"""
    lines = [line.split("\t") for line in listing.splitlines() if not line.startswith("#")]
    items, wrong = [], []
    seen = {name: 0 for name in sources}
    handled = {name: [] for name in sources}
    for when, name, place, what in lines:
        lane = name.replace("cpu", "etm")
        source = sources[lane]
        if isinstance(source, Core):
            step = int(place.split()[1])
            if step < seen[lane]:
                wrong.append("%s: step %d stands behind step %d" % (name, step, seen[lane]))
            seen[lane] = step
            lead = re.match("exception|end|gap|", what).group(0)
            if lead:
                # What stands before a step happened at a time of its own.
                told = source.told(step)
                here = sum(1 for at, _ in handled[lane] if at == step)
                handled[lane].append((step, lead))
                if here >= len(told):
                    continue
                truth = told[here][1]
            elif step == len(source.steps):
                continue
            else:
                truth = source.steps[step]
        else:
            if seen[lane] == len(source.items):
                wrong.append("%s: more than it said: %s" % (name, what))
                continue
            truth, value = source.items[seen[lane]]
            seen[lane] += 1
            if not re.search("u32 0x%08x( .local time.*)?$" % value, what):
                wrong.append("%s: expected %#x, found %s" % (name, value, what))
        low, high = bounds(when, frequency)
        if frequency:
            truth = Fraction(truth * 10 ** 9, frequency)
        if not low <= truth <= high:
            wrong.append("%s %s: truly %s, said to be %s" % (name, place, truth, when))
        if what.startswith("exception") and step > 0:
            # Nothing ran of a function that stands before it, at the same step: it was called.
            called = source.steps[step - 1]
            for low2, _, _, lane2, place2 in reversed(items):
                if (lane2, place2) != (lane, place):
                    break
                if low2 > (Fraction(called * 10 ** 9, frequency) if frequency else called):
                    wrong.append("%s %s: called at %s, said to be %s or later" % (name, place, called, low2))
        items.append((low, high, truth, lane, place))
    for name, source in sources.items():
        if isinstance(source, Core):
            want = [(step, lead) for step in sorted(source.what) for lead, _ in source.told(step)]
            if handled[name] != want:
                wrong.append("%s: expected the interrupts %s, found %s" % (name, want, handled[name]))
        elif seen[name] != len(source.items):
            wrong.append("%s: expected %d items, found %d" % (name, len(source.items), seen[name]))
    decided = 0
    for i, (low, high, truth, lane, place) in enumerate(items):
        for low2, high2, truth2, lane2, place2 in items[i + 1:]:
            if lane2 == lane:
                continue
            decided += high < low2
            if high2 < low:
                wrong.append("%s %s stands before %s %s, which was over" % (lane, place, lane2, place2))
            if high < low2 and truth > truth2:
                wrong.append("%s %s was truly behind %s %s" % (lane, place, lane2, place2))
    return decided, wrong


def judge_lanes(page, sources):
    """(things that have a place, what is wrong)"""
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    said = {value: now for source in sources.values() if not isinstance(source, Core)
            for now, value in source.items}
    placed, wrong = 0, []
    for recording in data["recordings"][1:]:
        if recording.get("sparse"):
            continue
        steps = sources[recording["source"]].steps
        for first, last, text in recording["software"]:
            found = re.search(r"u32 0x(\w+)$", text)
            truth = said[int(found.group(1), 16)]
            placed += first > 0 or last < len(steps)
            # Of one tick nobody knows the order.
            if first > 0 and not steps[first - 1] < truth or last < len(steps) and not truth < steps[last]:
                wrong.append("%s: %s was said at %d: not between steps %d, of %d, and %d, of %d"
                             % (recording["source"], text, truth, first, steps[first - 1] if first else -1,
                                last, steps[last] if last < len(steps) else -1))
    return placed, wrong


def judge_idle(plain, run):
    """What is wrong: an ITM of which the rate of RUN is said to have no effect has the times of PLAIN, and
    no other one has."""
    wrong = []
    idle = re.findall(r"warning: (\w+): --local-frequency has no effect", run.stderr)
    for name in sorted(set(re.findall(r"^# (itm\w*): [1-9]", plain.stdout, re.M))):
        before, after = ([line for line in out.splitlines() if line.split("\t")[1:2] == [name]]
                         for out in (plain.stdout, run.stdout))
        if (before == after) != (name in idle):
            wrong.append("%s: its times are %s" % (name, "the same" if before == after else "others"))
    return wrong


def main():
    converter, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    decided, narrowed, placed, used = 0, [0, 0], 0, set()
    for snapshot in range(seed, seed + count):
        sources, frequency, rates = make(folder, random.Random(snapshot))
        used.add(frequency)
        pairs = []
        words = ["--local-frequency=%d", "--core-frequency=%d"]
        for options in [[]] + ([[word % rate] for word, rate in zip(words, rates)] if frequency else []):
            run = subprocess.run([converter, "--format=timeline", *options, folder], capture_output=True, text=True)
            if run.returncode != 0 and "expected" not in run.stderr or " more than " in run.stderr:
                sys.exit("seed %d: status %d: %s" % (snapshot, run.returncode, run.stderr))
            number_of_pairs, wrong = judge(run.stdout, sources, frequency)
            plain = run if not options else plain
            if any("local" in option for option in options):
                wrong += judge_idle(plain, run)
            if wrong:
                sys.exit("seed %d, %s, in %s: %s" % (snapshot, options, folder, "\n".join(wrong[:5])))
            pairs.append(number_of_pairs)
            run = subprocess.run([converter, "--format=report", *options, folder], capture_output=True, text=True)
            if run.returncode != 0 and "expected" not in run.stderr:
                sys.exit("seed %d: reports: status %d: %s" % (snapshot, run.returncode, run.stderr))
            places, wrong = judge_lanes(run.stdout, sources)
            if wrong:
                sys.exit("seed %d, %s, in %s: lanes: %s" % (snapshot, options, folder, "\n".join(wrong[:5])))
            placed += places
        decided += pairs[0]
        for i, number_of_pairs in enumerate(pairs[1:]):
            narrowed[i] += number_of_pairs - pairs[0]
    if used != set(FREQUENCIES):
        sys.exit("only the frequencies %s were tried" % sorted(used))
    if min(narrowed) <= count:
        sys.exit("local times decide only %d pairs more, cycles %d" % tuple(narrowed))
    if placed < 20 * count:
        sys.exit("only %d things have a place among steps" % placed)
    print("%d pairs in order" % decided if decided > 100 * count else "only %d pairs decided" % decided)


if __name__ == '__main__':
    main()
