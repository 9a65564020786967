#!/usr/bin/env python3
# Let each call of the kernel that reads, writes or names files fail in turn, and send signals
# there, and see what becomes of it.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# A program may end as if nothing had failed, or with status 1 and a message, with nothing left
# behind (allocations.py).  A signal that ends programs must leave no file that is not whole
# under its name, and no other file that users see; folders that were being made stay behind
# under a hidden name then.  A fault that no command meets proves nothing, and is a finding.
# --table prints what users see and what is left of each fault.

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import allocations
from allocations import STUB, Bench, Command, judge

COMMANDS = [c for c in allocations.COMMANDS if c.name in (
    "list", "tfile", "ctf", "elements", "registers", "tarmac", "report", "trace", "log",
    "log-xz", "log-gzip", "check", "perf", "sysfs", "guess", "snapshot", "snapshot-input",
    "stub")]

# What fails, how, and what is told of it.
ERRORS = [("openat", "EIO", "a file that cannot be opened"),
          ("openat", "EMFILE", "too many open files"),
          ("openat:write", "EROFS", "a read-only folder, file system"),
          ("openat:write", "EACCES", "a folder of somebody else"),
          ("mkdir", "EROFS", "a read-only folder, new folders"),
          ("read", "EIO", "a disk that fails, reading"),
          ("newfstatat", "EIO", "a disk that fails, looking at a file"),
          ("mmap:file", "ENODEV", "a file that cannot be mapped"),
          ("getdents64", "EIO", "a folder that cannot be listed"),
          ("write", "ENOSPC", "a full disk"),
          ("write", "EIO", "a disk that fails, writing"),
          ("fsync", "EIO", "a disk that fails at the end"),
          ("linkat", "ENOSPC", "a full disk, naming the output"),
          ("rename", "EIO", "a disk that fails, renaming")]
SIGNALS = [("write", "SIGINT", "^C, at a write"), ("write", "SIGTERM", "SIGTERM, at a write"),
           ("write", "SIGKILL", "kill -9, at a write"),
           ("linkat", "SIGKILL", "kill -9, before the output has its name"),
           ("rename", "SIGKILL", "kill -9, before the output is renamed")]
TRACED = "openat,mkdir,read,newfstatat,mmap,getdents64,write,fsync,linkat,rename"


class Traced(Bench):
    """Commands under strace."""

    def words(self, command):
        return getattr(command, "prefix", []) + super().words(command)

    def run(self, command, prefix):
        traced = Command(command.name, command.program, command.words, command.packets,
                         command.alone)
        traced.prefix = prefix or []
        return super().run(traced, {})


def calls(bench, command):
    """The right run, and its calls: {name: [(number, text)]}, without those of the loader."""
    trace = tempfile.mktemp(prefix="faults-trace-")
    right = bench.run(command, ["strace", "-o", trace, "-e", "trace=munmap," + TRACED])
    with open(trace, errors="replace") as file:
        lines = file.read().split("\n")
    os.unlink(trace)
    # The loader ends by dropping its list of libraries.
    own = max((i for i, line in enumerate(lines[:400]) if "ld.so.cache" in line), default=0)
    own = next(i for i in range(own, len(lines)) if lines[i].startswith("munmap("))
    counts, found = {}, {}
    for i, line in enumerate(lines):
        name = line.split("(")[0]
        counts[name] = counts.get(name, 0) + 1
        if i > own:
            found.setdefault(name, []).append((counts[name], line))
    return right, found


def concerns(kind, text, command):
    """Is the call TEXT one of KIND that a fault is of interest in?"""
    name, _, which = kind.partition(":")
    if name == "write" and (text.startswith("write(2,")
                            or command.program == STUB and text.startswith("write(1,")):
        return False                    # Nobody is there to tell.
    if name == "read" and command.program == STUB and text.startswith("read(0,"):
        return False                    # As if the client had gone.
    if which == "write":
        return "O_TMPFILE" in text or "O_CREAT" in text
    if which == "file":
        return re.search(r", \d+, 0(x[0-9a-f]+)?\)", text) is not None
    return True


def some(numbers, most):
    """The first, the last, and those between, at most MOST."""
    if len(numbers) <= most:
        return numbers
    return [numbers[i * (len(numbers) - 1) // (most - 1)] for i in range(most)]


def check(bench, command, fault, number, right):
    kind, what, _ = fault
    name = kind.partition(":")[0]
    effect = "signal=" + what if what.startswith("SIG") else "error=" + what
    with tempfile.NamedTemporaryFile(prefix="faults-trace-") as trace:
        got = bench.run(command, ["strace", "-qq", "-o", trace.name, "-e", "trace=" + name,
                                  "-e", "inject=%s:%s:when=%d%s"
                                  # A folder stays read-only.
                                  % (name, effect, number, "+" if kind != name else "")])
        met = what.startswith("SIG") or b"(INJECTED)" in trace.read()
    if not met:
        return got, "the call was not made"
    if what.startswith("SIG"):
        if got.status != -getattr(signal, what):
            return got, "status %s" % got.status
        return got, left_by_signal(right, got)
    if "no memory" in got.messages and "no memory" not in right.messages:
        return got, "says that there is no memory, and that is not so"
    return got, judge(command, right, got)


def left_by_signal(right, got):
    """What is wrong with the files that a run which a signal ended left, or None."""
    for name, contents in got.files.items():
        if name in right.files:
            if contents != right.files[name]:
                return "%s is not whole" % name
        elif not any(part.startswith(".") for part in name.split("/")):
            return "left %s behind" % name
    return None


def example(got):
    """The last line of what a program said, short."""
    lines = [line for line in got.messages.split("\n") if line]
    text = re.sub(r"/\S*/", "", lines[-1]) if lines else "-"
    return text if len(text) < 100 else text[:97] + "..."


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--most", type=int, default=3, metavar="N",
                        help="calls of a kind that fail in each command (at least 2)")
    parser.add_argument("--table", action="store_true", help="print the table of faults")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("top")
    parser.add_argument("build")
    options = parser.parse_args()
    options.library = ""
    if shutil.which("strace") is None:
        print("SKIP: calls that fail: strace is missing")
        return 0
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True)
    if probe.returncode != 0:
        print("SKIP: calls that fail: strace may not trace here")
        return 0
    bench = Traced(options)
    wrong = runs = 0
    table = {fault: [0, 0, 0, 0, set(), ""] for fault in ERRORS + SIGNALS}
    try:
        for command in COMMANDS:
            if options.only and command.name not in options.only:
                continue
            right, found = calls(bench, command)
            if right.status != 0:
                wrong += 1
                print("FAIL: %s: without a fault: status %s: %s"
                      % (command.name, right.status, right.messages), flush=True)
                continue
            work = []
            for fault in ERRORS + SIGNALS:
                if fault in SIGNALS and command.program == STUB:
                    continue
                numbers = [n for n, text in found.get(fault[0].partition(":")[0], [])
                           if concerns(fault[0], text, command)]
                work += [(fault, n) for n in some(numbers, options.most)]
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                results = list(pool.map(lambda w: check(bench, command, w[0], w[1], right), work))
            before = wrong
            if not work:
                wrong += 1
                print("  %s: no call that could fail" % command.name)
            for (fault, number), (got, finding) in zip(work, results):
                row = table[fault]
                runs += 1
                row[0] += 1
                row[1] += got.status == right.status and got.status == 0
                row[2] += got.status == 1
                row[3] += got.status not in (0, 1)
                row[4] |= {re.sub(r"\.tracebridge-\d.*", ".tracebridge-PID-N", n) for n in got.files if n not in right.files
                           and not n.startswith("cache/")}
                if got.status == 1:
                    row[5] = example(got)
                if finding is not None:
                    wrong += 1
                    print("  %s: %s %s at call %d: %s" % (command.name, *fault[:2], number, finding))
            print("%s: %s: %d faults" % ("PASS" if wrong == before else "FAIL", command.name,
                                         len(work)), flush=True)
    finally:
        bench.close()
    for fault, row in table.items():
        if row[0] == 0 and not options.only:
            wrong += 1
            print("FAIL: %s %s: no command makes such a call" % fault[:2])
    if options.table:
        for fault, (n, same, told, ended, left, text) in table.items():
            print("%-40s %-8s %4d runs: %4d same, %4d told, %4d ended by it; left: %s; says: %s"
                  % (fault[2], fault[1], n, same, told, ended, ", ".join(sorted(left)) or "nothing",
                     text or "-"))
    print("%d calls failed, %d findings" % (runs, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
