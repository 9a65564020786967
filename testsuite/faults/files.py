#!/usr/bin/env python3
# Files that turn bad: what the programs say of files that are cut while they are in use, and of
# a small one that would become a large one.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: files.py SOURCE_DIRECTORY BUILD_DIRECTORY
#
# A file that is mapped and then cut makes the next look at it a signal.  A program must
# name the file and end with status 1; it must not be ended by the signal.

import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import threading

from allocations import frame, read_answer

SECONDS = 30
CUT = b"what was to be read is gone"
wrong = 0


def check(what, process, messages, name, expected=CUT):
    """PROCESS has ended, having told MESSAGES: did it say of NAME what is expected?"""
    global wrong
    good = (process.returncode == 1 and expected in messages
            and os.fsencode(name) in messages)
    print("%s: %s" % ("PASS" if good else "FAIL", what))
    if not good:
        wrong += 1
        print("  status %d: %s" % (process.returncode, messages.decode("utf-8", "replace")))


def start(words, folder):
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    return process, timer


def convert(program, snapshot, folder):
    """A listing that is longer than a pipe holds: the converter waits in its middle."""
    process, timer = start([program, "--quiet", "--jobs=1", "--format=registers", snapshot],
                           folder)
    process.stdout.read(1)
    os.truncate(snapshot + "/flash.bin", 0)
    _, messages = process.communicate()
    timer.cancel()
    check("the converter, while it writes a listing", process, messages, "flash.bin")


def serve(program, snapshot, folder):
    process, timer = start([program, "--quiet", "--jobs=1", "--ahead=0", "--listen=stdio",
                            snapshot], folder)
    process.stdin.write(frame("QStartNoAckMode"))
    process.stdin.flush()
    read_answer(process.stdout)
    os.truncate(snapshot + "/flash.bin", 0)
    try:
        process.stdin.write(b"+" + frame("g") + frame("m100,40"))
        process.stdin.flush()
    except BrokenPipeError:
        pass
    process.stdout.read()
    _, messages = process.communicate()
    timer.cancel()
    check("the stub, while a client is connected", process, messages, "flash.bin")


def unpack(program, folder):
    """One block of newlines, packed, many times."""
    block = lzma.compress(b"\n" * (8 << 20), preset=0)
    path = folder + "/newlines.log.xz"
    with open(path, "wb") as file:
        file.write(lzma.compress(b"0 clk IT (0) 00008000 e1a00000 A svc : NOP\n"))
        for _ in range(200):
            file.write(block)
    process, timer = start([program, "--format=summary", path], folder)
    _, messages = process.communicate()
    timer.cancel()
    check("a log that would be 1.6 GB", process, messages, "newlines.log.xz",
          b"times as long")


def main():
    top, build = map(os.path.abspath, sys.argv[1:3])
    folder = tempfile.mkdtemp(prefix="cut-")
    try:
        for run, program in ((convert, "converter/tracebridge-convert"),
                             (serve, "gdbstub/tracebridge-gdbstub")):
            snapshot = folder + "/snapshot"
            shutil.rmtree(snapshot, ignore_errors=True)
            shutil.copytree(top + "/testsuite/samples/crash-m0", snapshot)
            for name in os.listdir(snapshot):
                os.chmod(snapshot + "/" + name, 0o644)
            run(build + "/" + program, snapshot, folder)
        unpack(build + "/converter/tracebridge-convert", folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
