#!/usr/bin/env python3
# Let what is around the programs be odd, and see what becomes of it: calls that do a part of
# what is wanted, clocks that jump, names that no terminal can show, paths and files that are
# too long, signals in the middle of a batch.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# Each line of --table is a fault, what a user sees of it, and what is left on the disk.

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import allocations
from allocations import CONVERT, Bench

SAMPLE = "testsuite/samples/crash-m0"
# What a terminal takes for an order, and what is no UTF-8.
UNSHOWN = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
NAMES = {"the end of a line": b"a\nb", "no UTF-8": b"\xff\xfe\xe2\x82",
         "an order to the terminal": b"\x1b]0;owned\x07\x9b2J", "quotes": b"'\"`$(x)\\n\\",
         "percents": b"%s%n%d", "a leading dash": b"-o", "200 bytes": b"x" * 200}


class Surroundings(Bench):
    """Where the tests run, and what came of them."""

    def __init__(self, options):
        super().__init__(options)
        self.wrong = self.count = 0
        self.rows = []
        self.folder = os.fsencode(tempfile.mkdtemp(prefix="surroundings-"))

    def close(self):
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def check(self, good, what, more=""):
        self.count += 1
        if not good:
            self.wrong += 1
            print("FAIL: %s %s" % (what, more), flush=True)

    def row(self, fault, seen, left):
        self.rows.append((fault, seen, left))

    def program(self, name):
        return os.path.join(os.path.abspath(self.options.build), allocations.FOLDERS[name], name)

    def call(self, words, env=None, **more):
        """Run the converter with WORDS; how it ended, with bytes."""
        return subprocess.run([self.program(CONVERT)] + words, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=allocations.SECONDS, check=False,
                              env=dict(os.environ, LC_ALL="C", **(env or {})), **more)

    def copy(self, name):
        """A copy of the sample under NAME, in bytes."""
        path = os.path.join(self.folder, name)
        shutil.copytree(os.fsencode(os.path.join(self.top, SAMPLE)), path)
        for path_, _, names in os.walk(path):
            for file in names:
                os.chmod(os.path.join(path_, file), 0o644)
        return path

    def odd(self, **settings):
        return dict({"LD_PRELOAD": os.path.abspath(self.options.library)}, **settings)


def last(messages):
    """The last line of MESSAGES without paths, short."""
    lines = [line for line in messages.decode("utf-8", "replace").split("\n") if line]
    text = re.sub(r"/\S*/", "", lines[-1]) if lines else "nothing"
    return text if len(text) < 130 else text[:127] + "..."


def take_parts(s):
    """Each read and write does 7 bytes, or nothing for a signal."""
    met = 0
    for command in allocations.COMMANDS:
        if command.name.startswith("shared-"):
            continue
        with tempfile.NamedTemporaryFile() as counts:
            right = s.run(command, {"TB_ODD_COUNTS": counts.name})
            got = s.run(command, {"TB_ODD_SHORT": "7", "TB_ODD_COUNTS": counts.name})
            calls = int((counts.read() or b"0").split()[0])
        met += calls > 0
        s.check(right.status == 0, "parts: %s without a fault" % command.name, right.messages)
        s.check((got.status, got.out, got.files) == (right.status, right.out, right.files),
                "parts: %s has the same result" % command.name, got.messages)
        if command.name in ("log", "log-xz", "log-gzip", "perf", "sysfs", "stub"):
            s.check(calls > 2, "parts: %s reads" % command.name, "%d calls" % calls)
    s.row("reads and writes of 7 bytes, each third interrupted (%d commands met it)" % met,
          "the same as without", "the same as without")


def jump_clocks(s):
    """The time of day is three years more or less, each time one looks."""
    jump = {"TB_ODD_CLOCK": "100000000"}
    for name in ("log", "batch", "perf", "stub"):
        command = next(c for c in allocations.COMMANDS if c.name == name)
        right, got = s.run(command, {}), s.run(command, jump)
        s.check((got.status, got.out, sorted(got.files)) == (right.status, right.out,
                                                             sorted(right.files)),
                "clock: %s has the same result" % name, got.messages)
    # An index is made in one time and used in another.
    log = os.fsencode(s.inputs + "/crash.log")
    index = {"XDG_CACHE_HOME": os.fsdecode(s.folder) + "/cache"}
    plain = s.call(["--format=summary", log], index)
    with tempfile.NamedTemporaryFile() as counts:
        for turn in range(3):
            got = s.call(["--format=summary", "--index=" + s.inputs + "/made.index", log],
                         s.odd(TB_ODD_COUNTS=counts.name, **jump, **index))
            looks = int((counts.read() or b"0 0").split()[1])
            counts.seek(0)
            s.check((got.returncode, got.stdout) == (0, plain.stdout) and looks > 0,
                    "clock: a log with an index, again %d" % turn, last(got.stderr))
    # Limits of time are of time that passed.
    slow = s.odd(TB_ODD_PAUSE="30", **jump)
    start = time.monotonic()
    got = s.call(["--format=summary", "--time-limit=1", s.long_log], slow)
    took = time.monotonic() - start
    s.check(got.returncode == 1 and b"not done in the 1 seconds" in got.stderr and took < 20,
            "clock: a limit of a second", "%.1f s: %s" % (took, last(got.stderr)))
    s.check(took > 0.9, "clock: a limit of a second is one", "%.1f s" % took)
    s.row("the clock jumps by three years, forth and back", "limits of time hold: " +
          last(got.stderr), "nothing")


def take_names(s):
    plain = s.call(["--format=summary", s.copy(b"plain")])
    for what, name in NAMES.items():
        path = s.copy(name)
        out = path + b".out"
        relative = {"cwd": s.folder}
        words = b"./" + name
        got = s.call(["--format=summary", words], **relative)
        s.check((got.returncode, got.stdout) == (0, plain.stdout), "name, %s: read" % what,
                last(got.stderr))
        got = s.call(["--list", "--json", words], **relative)
        try:
            told = json.loads(got.stdout.decode("utf-8"))
        except ValueError as error:
            told = error
        s.check(isinstance(told, (dict, list)), "name, %s: JSON" % what, str(told))
        # In a batch, twice: the verdict holds.
        for turn, expected in enumerate((b"done", b"up to date")):
            got = s.call(["--format=summary", "--output-dir=" + os.fsdecode(out), words],
                         **relative)
            s.check(got.returncode == 0 and expected in got.stdout and
                    not UNSHOWN.search(got.stderr) and got.stderr.count(b"\n") == 1 - turn,
                    "name, %s: a batch, run %d" % (what, turn + 1), repr(got.stderr))
        files = sorted(os.listdir(out))
        s.check(len(files) == 2 and all(file.startswith(name) for file in files),
                "name, %s: what a batch makes" % what, repr(files))
        # Two inputs: each has its line.
        got = s.call(["--format=summary", words, words], **relative)
        s.check(got.stdout.count(b"\n") == 4 and got.stdout.count(b"# input ") == 2
                and not UNSHOWN.search(got.stdout), "name, %s: two inputs" % what,
                repr(got.stdout))
        # A page, and what is wrong with the input.
        got = s.call(["--report=" + os.fsdecode(path) + ".html", "--quiet", words], **relative)
        with open(path + b".html", "rb") as file:
            page = file.read()
        s.check(got.returncode == 0 and not UNSHOWN.search(page), "name, %s: a page" % what,
                last(got.stderr))
        with open(path + b"/snapshot.ini", "ab") as file:
            file.write(b"[\x1b[31m\xff]\n\xfe=\x07\n")
        os.unlink(path + b"/flash.bin")
        got = s.call(["--format=summary", words], **relative)
        lines = got.stderr.split(b"\n")[:-1]
        try:
            got.stderr.decode("utf-8")
            shown = not UNSHOWN.search(got.stderr)
        except ValueError:
            shown = False
        s.check(got.returncode == 1 and shown and lines
                and all(line.startswith(b"tracebridge-convert: ") for line in lines),
                "name, %s: what is wrong with it" % what, repr(got.stderr))
        s.row("a name with %s" % what, last(got.stderr), "output under that name")


def take_long(s):
    """Paths at the limits of the kernel, and beyond."""
    deep = s.folder + b"/deep"
    os.mkdir(deep)
    at = os.open(deep, os.O_RDONLY)
    # A folder whose absolute path is longer than a path may be.
    for _ in range(24):
        os.mkdir(b"d" * 200, dir_fd=at)
        inner = os.open(b"d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    for name in os.listdir(os.path.join(s.top, SAMPLE)):
        with open(os.path.join(s.top, SAMPLE, name), "rb") as file:
            fd = os.open(name, os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=at)
            os.write(fd, file.read())
            os.close(fd)
    plain = s.call(["--format=summary", "-o", "-", os.path.join(s.top, SAMPLE)])
    got = s.call(["--format=summary", "."], preexec_fn=lambda: os.fchdir(at))
    s.check((got.returncode, got.stdout) == (0, plain.stdout) or
            (got.returncode == 1 and got.stderr.strip()), "paths: a folder too deep for a path",
            last(got.stderr))
    s.row("an input in a folder whose path has 4,900 bytes", last(got.stderr)
          if got.returncode else "the same as elsewhere", "nothing")
    os.close(at)
    got = s.call(["--format=summary", b"x/" * 3000])
    s.check(got.returncode == 1 and b"File name too long" in got.stderr,
            "paths: an input of 6000 bytes", last(got.stderr))
    s.row("a path of 6000 bytes", last(got.stderr[-200:]), "nothing")
    long = s.copy(b"n" * 250)
    for words, left in ((["-o", b"o" * 300, long], []),
                        (["--output-dir=long-out", "--format=registers", long], [])):
        got = s.call(words, cwd=s.folder)
        told = got.stderr + got.stdout
        s.check(got.returncode == 1 and b"File name too long" in told
                and not UNSHOWN.search(got.stderr), "paths: an output whose name is too long",
                last(told))
    names = os.listdir(s.folder + b"/long-out")
    s.check(names == [], "paths: what is left of it", repr(names))
    s.row("an output whose name has more than 255 bytes",
          re.sub("n{20,}", "N...", got.stderr.decode().split("\n")[0])[-130:], "nothing")
    # The kernel takes 4095 bytes.
    room = 4080 - len(b"/snapshot.ini")
    base = s.folder + b"/edge"
    while room - len(base) > 250:
        base += b"/" + b"e" * min(200, room - len(base) - 3)
    base += b"/" + b"f" * (room - len(base) - 1)
    os.makedirs(os.path.dirname(base))
    shutil.copytree(os.fsencode(os.path.join(s.top, SAMPLE)), base)
    got = s.call(["--format=summary", base])
    s.check((got.returncode, got.stdout) == (0, plain.stdout), "paths: 4080 bytes",
            last(got.stderr))
    s.row("a path of 4080 bytes, where the kernel takes 4095", "the same as elsewhere",
          "nothing")


def take_large(s):
    """Dumps and buffers above 4 GiB; sparse files."""
    path = s.copy(b"large")
    if sys.maxsize < 1 << 32:
        return
    size = (5 << 30) + 4096
    try:
        with open(path + b"/ram.bin", "rb") as file:
            ram = file.read()
        # What is behind the dump's length is not read.
        with open(path + b"/ram.bin", "r+b") as file:
            file.truncate(size)
        plain = s.call(["--format=registers", "--last=20", os.path.join(s.top, SAMPLE)])
        with open(path + b"/cpu_0.ini", "rb") as file:
            text = file.read()
        with open(path + b"/cpu_0.ini", "wb") as file:
            file.write(text.replace(b"file=ram.bin", b"file=high.bin\noffset=0x%x" % (5 << 30)))
        with open(path + b"/high.bin", "wb") as file:
            file.seek(5 << 30)
            file.write(ram)
    except OSError as error:
        print("SKIP: files above 4 GiB: %s" % error)
        return
    got = s.call(["--format=registers", "--last=20", path])
    s.check((got.returncode, got.stdout) == (0, plain.stdout), "5 GiB: a dump behind 5 GiB",
            last(got.stderr))
    s.row("a dump behind 5 GiB of its file", "the same as elsewhere", "nothing")


def left(folder):
    """Names of the files below FOLDER."""
    return sorted(os.path.relpath(os.path.join(path, name), folder)
                  for path, _, names in os.walk(folder) for name in names)


def result(path):
    with open(path, "rb") as file:
        return re.search(rb"^result (.*)$", file.read(), re.M)[1].decode()


def workers(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def heed_signals():
    """What a shell starts in the background ignores these, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def begin_batch(s, out):
    """A batch whose second input is slow; the process, and the worker on that one."""
    quick = os.path.join(s.top, SAMPLE)
    process = subprocess.Popen(
        [s.program(CONVERT), "--jobs=1", "--format=summary", "--output-dir=" + out, quick,
         s.long_log], env=dict(os.environ, LC_ALL="C", **s.odd(TB_ODD_PAUSE="100")),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=heed_signals)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.path.exists(out + "/crash-m0.verdict"):
            running = workers(process.pid)
            if running:
                time.sleep(0.2)
                # Not the one that is just about to end.
                if workers(process.pid) == running:
                    return process, running[0]
        time.sleep(0.02)
    process.kill()
    return process, None


def end_batches(s):
    base = os.fsdecode(s.folder)
    whole = base + "/whole"
    s.call(["--jobs=1", "--format=summary", "--output-dir=" + whole,
            os.path.join(s.top, SAMPLE), s.long_log])
    slow = os.path.basename(s.long_log)
    slow = next(name for name in left(whole)
                if name.endswith(".verdict") and not name.startswith("crash-m0"))
    for number, to_worker, expected in (
            (signal.SIGINT, False, "interrupted"), (signal.SIGTERM, False, "interrupted"),
            (signal.SIGHUP, False, "interrupted"), (signal.SIGTERM, True, "interrupted"),
            (signal.SIGKILL, True, "crashed"), (signal.SIGKILL, False, None)):
        out = "%s/%s-%d" % (base, number.name, to_worker)
        what = "%s to %s" % (number.name, "the process of one input" if to_worker else "a batch")
        process, worker = begin_batch(s, out)
        s.check(worker is not None, what + ": began")
        if worker is None:
            continue
        start = time.monotonic()
        os.kill(worker if to_worker else process.pid, number)
        _, messages = process.communicate(timeout=allocations.SECONDS)
        s.check(time.monotonic() - start < 5, what + ": ends at once")
        s.check(process.returncode == (1 if to_worker else -number), what + ": status",
                str(process.returncode))
        files = left(out)
        here = [name for name in files if not name.startswith("crash-m0.")]
        if expected is None:
            s.check(here == [], what + ": nothing else is left", repr(here))
            end = time.monotonic() + 5
            while os.path.exists("/proc/%d" % worker) and time.monotonic() < end:
                time.sleep(0.02)
            s.check(not os.path.exists("/proc/%d" % worker), what + ": no process is left")
        else:
            s.check(here == [slow], what + ": nothing else is left", repr(here))
            if here == [slow]:
                s.check(result(out + "/" + slow) == expected, what + ": the verdict",
                        result(out + "/" + slow))
            s.check(b"interrupted" in messages if expected == "interrupted"
                    else b"ended by signal 9" in messages, what + ": what is said",
                    last(messages))
        s.check(result(out + "/crash-m0.verdict") == "done", what + ": the other one is done")
        # The next run makes what is missing, and that alone.
        got = s.call(["--jobs=1", "--format=summary", "--output-dir=" + out,
                      os.path.join(s.top, SAMPLE), s.long_log])
        s.check(got.returncode == 0 and b"1 of them up to date" in got.stdout
                and left(out) == left(whole), what + ": the next run", repr(left(out)))
        s.row(what, last(messages) if messages.strip() else "nothing",
              "what was done" if expected is None
              else "what was done; verdict \"%s\"" % expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", action="store_true", help="print the table of faults")
    parser.add_argument("--only", default="", help="the parts whose name has this")
    parser.add_argument("top")
    parser.add_argument("build")
    parser.add_argument("library", help="odd.so")
    options = parser.parse_args()
    options.jobs = 1
    s = Surroundings(options)
    s.long_log = os.path.join(os.fsdecode(s.folder), "long.log")
    with open(s.long_log, "w", encoding="ascii") as file:
        file.writelines("%d clk IT (%d) %08x 46c0 T thread_s : NOP\n" % (i, i, 0x8000 + 2 * i)
                        for i in range(200000))
    try:
        for part in (take_parts, jump_clocks, take_names, take_long, take_large, end_batches):
            if options.only in part.__name__:
                before, start = s.wrong, time.monotonic()
                part(s)
                print("%s: %s, %.1f s" % ("PASS" if s.wrong == before else "FAIL",
                                          part.__name__.replace("_", " "),
                                          time.monotonic() - start), flush=True)
    finally:
        s.close()
    if options.table:
        for row in s.rows:
            print("%s\n    says: %s\n    left: %s" % row)
    print("%d checks, %d findings" % (s.count, s.wrong))
    return 1 if s.wrong or s.count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
