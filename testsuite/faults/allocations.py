#!/usr/bin/env python3
# Let each allocation of the programs fail in turn, and see what becomes of it.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# A run in which an allocation fails may end in two ways: as if nothing had failed, with the
# same output and status; or with status 1 and a message.  Anything else is a finding: a
# signal, a hang, another output under the same status, status 1 without a word, a file left
# behind that a run without memory should not have made.  So is a command in which nothing
# failed: it proves nothing.
#
# Some libraries (elfutils, Capstone) crash by themselves where they have no memory: where the
# allocation is theirs a signal is counted apart.

import argparse
import array
import concurrent.futures
import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

SECONDS = 60

FOREIGN = re.compile(r"(libc\.so\.6 < )?lib(dw|elf|capstone)\.so")
THEIRS = "theirs"


class Run:
    """How a command ended."""

    def __init__(self, status, out, messages, files):
        self.status, self.out, self.messages, self.files = status, out, messages, files


class Command:
    """A command line; its words may have {TOP}, {SHARED}, {IN}: a folder of its own inputs.  If it
    WARNS, a run that ends well warns as often."""

    def __init__(self, name, program, words, packets=None, alone=True, warns=False):
        self.name, self.program, self.words, self.packets = name, program, words, packets
        self.alone, self.warns = alone, warns


def frame(text):
    """The packet TEXT as it is sent."""
    return ("$%s#%02x" % (text, sum(text.encode()) & 255)).encode()


def read_answer(stream):
    """The answer to a packet, and before it what goes to the console; b"" at the end."""
    told = b""
    while True:
        byte = stream.read(1)
        if byte == b"":
            return told
        if byte != b"$":
            continue
        contents = b""
        while not contents.endswith(b"#"):
            byte = stream.read(1)
            if byte == b"":
                return told
            contents += byte
        stream.read(2)
        # How far it is, which a loaded machine tells and a quiet one does not.
        if contents.startswith((b"O" + b"Looking: ".hex().encode(),
                                b"O" + b"Working it out: ".hex().encode())):
            continue
        told += b"$" + contents + b"00"
        if not contents.startswith(b"O") or contents == b"OK#":
            return told


def talk(process, packets):
    """Send PACKETS, each behind the answer to the one before; what was answered."""
    told = b""
    try:
        for packet in packets:
            process.stdin.write(frame(packet))
            process.stdin.flush()
            answer = read_answer(process.stdout)
            told += answer
            if answer == b"":
                break
            if packet == "QStartNoAckMode":
                process.stdin.write(b"+")
    except BrokenPipeError:
        pass
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdin = None
    return told


CRASH = "{TOP}/testsuite/samples/crash-m0"
ELF = "--elf=" + CRASH + "/program.elf"
SESSION = [
    "QStartNoAckMode", "qSupported:swbreak+;hwbreak+;xmlRegisters=arm",
    "qXfer:features:read:target.xml:0,4000", "qXfer:memory-map:read::0,1000", "vCont?", "?",
    "g", "m20000000,40", "p4", "QTFrame:5", "g", "m20000000,10", "QTFrame:pc:100",
    "QTFrame:ffffffff", "Z2,20000024,2", "bc", "z2,20000024,2", "g", "bs", "s", "Z0,100,2",
    "c", "z0,100,2", "QTinit", "QTDP:1:0000000000000120:E:0:0", "QTDP:-1:0000000000000120:M-1,20000000,10",
    "QTStart", "qTStatus", "QTFrame:0", "g", "QTStop", "qTBuffer:0,200",
    "qRcmd," + b"where".hex(), "qRcmd," + b"why r4".hex(), "qRcmd," + b"coverage".hex(),
    "qRcmd," + b"calls".hex(), "qRcmd," + b"writes 20000024".hex(), "qTsP", "qTfV",
    "qRcmd," + b"find exception".hex(), "qRcmd," + b"history batch.sink".hex(),
    "qRcmd," + b"exceptions".hex(),
    "qXfer:btrace:read:all:0,1000", "qXfer:traceframe-info:read::0,1000", "D"]
KERNEL = "{TOP}/testsuite/kernels/m0"
TASKS = ["QStartNoAckMode", "qRcmd," + b"tasks".hex(), "QTFrame:500",
         "qRcmd," + b"tasks".hex(), "D"]

CONVERT, STUB, SNAPSHOT = "tracebridge-convert", "tracebridge-gdbstub", "tracebridge-snapshot"
FOLDERS = {CONVERT: "converter", STUB: "gdbstub", SNAPSHOT: "maker"}
# A stub that confines itself may not write the files of failing.so.
UNCONFINED = ["--confine=off"]
COMMANDS = [
    Command("list", CONVERT, ["--list", CRASH]),
    Command("list-json", CONVERT, ["--list", "--json", CRASH]),
    # Of all frames, a few hundred allocate all that the others do, and are several writes.
    Command("tfile", CONVERT, ["-o", "crash.tfile", "--last=300", CRASH]),
    Command("ctf", CONVERT, ["--format=ctf", "-o", "crash.ctf", "--last=50", CRASH]),
    Command("elements", CONVERT, ["--format=elements", CRASH]),
    Command("packets", CONVERT, ["--format=packets", CRASH]),
    Command("find", CONVERT, ["--find=exception", "--find=byte:1000", CRASH]),
    Command("shared-software", CONVERT,
            ["--format=software", "{CASES}/p28-multi-a57x2-itm"]),
    Command("shared-lane", CONVERT,
            ["--format=perfetto", "--core=cpu_0", "{CASES}/p28-multi-a57x2-itm"]),
    Command("summary", CONVERT, ["--format=summary", ELF, "{IN}/crash.core",
            "--mtb=0x20001000,0x7d4,0x80000007"], warns=True),
    Command("registers", CONVERT, ["--format=registers", CRASH]),
    Command("tarmac", CONVERT, ["--format=tarmac", "-o", "crash.log", CRASH]),
    Command("changes", CONVERT, ["--changes", CRASH]),
    Command("coverage", CONVERT, ["--coverage", CRASH]),
    Command("why", CONVERT, ["--why=2000:r4", CRASH]),
    Command("stats", CONVERT, ["--stats", CRASH]),
    Command("assume", CONVERT, ["--format=registers", "--assume=aapcs,constants", CRASH]),
    Command("window", CONVERT, ["--format=registers", "--window=300", CRASH]),
    Command("report", CONVERT, ["--report=crash.html", ELF, CRASH]),
    Command("folded", CONVERT, ["--format=folded", ELF, CRASH]),
    Command("lcov", CONVERT, ["--format=lcov", ELF, CRASH]),
    Command("perfetto", CONVERT, ["--format=perfetto", ELF, CRASH]),
    Command("trace", CONVERT, ["-o", "crash.tfile", ELF,
            "--trace=Sensor_Handler if batch.count > 1 collect $regs, batch, $locals",
            CRASH]),
    Command("trace-writes", CONVERT, ["-o", "crash.tfile", ELF,
            "--trace=writes to batch.sink collect $args", CRASH]),
    Command("batch", CONVERT, ["--output-dir=out", "--format=registers", "--quiet", CRASH,
            "{TOP}/testsuite/samples/gap-m0"], alone=False),
    Command("log", CONVERT, ["--format=registers", "{IN}/crash.log"]),
    Command("log-xz", CONVERT, ["--format=summary", "{IN}/crash.log.xz"]),
    Command("log-gzip", CONVERT, ["--format=summary", "{IN}/crash.log.gz"]),
    Command("log-folded", CONVERT, ["--format=folded", ELF, "{IN}/crash.log"]),
    Command("check", CONVERT, ["--check-against={IN}/crash.log", CRASH]),
    Command("history", CONVERT, ["--history=batch.sink", ELF, CRASH]),
    Command("history-registers", CONVERT, ["--history=$sp", "--last=100", ELF, CRASH]),
    Command("assume-tasks", CONVERT, ["--format=registers", "--last=5", "--assume=tasks",
            "{IN}/kernel"]),
    # What Linux hands out, and trace of which nothing is told.
    Command("perf", CONVERT, ["--format=elements", "--sysroot={IN}/root",
                              "{IN}/perf.data"]),
    Command("sysfs", CONVERT, ["--format=elements", "--elf={IN}/sysfs.elf", "{IN}/sysfs"]),
    Command("guess", CONVERT, ["--format=elements", "{IN}/guess"]),
    Command("snapshot", SNAPSHOT, ["--output=out", "--core=Cortex-A57",
            "--ram=0x1000@{IN}/linux/code.bin", "--registers=pc=0x1000",
            "--trace={IN}/linux/trace.bin"]),
    Command("snapshot-input", SNAPSHOT, ["--output=out", "--elf={IN}/sysfs.elf", "{IN}/sysfs"]),
    # Other protocols and cores.
    Command("shared-etm4", CONVERT, ["--format=registers", "{CASES}/p10-etm4-m7-irq"]),
    Command("shared-a64", CONVERT, ["--format=registers", "{CASES}/p16-etm4-a57-irq-halt"]),
    Command("shared-a64-assume", CONVERT, ["--format=registers", "--assume=aapcs,constants",
            "--window=1000", "{CASES}/p16-etm4-a57-irq-halt"]),
    Command("shared-etm3", CONVERT, ["--format=registers", "{CASES}/p20-etm3-m3-irq-ts"]),
    Command("shared-etm3-a7", CONVERT, ["--format=registers", "{CASES}/p22-etm3-a7-list"]),
    Command("shared-ptm", CONVERT, ["--format=registers", "{CASES}/p23-ptm-a15-irq"]),
    Command("shared-multi", CONVERT, ["--format=elements", "{CASES}/p28-multi-a57x2-itm"]),
    Command("shared-log", CONVERT, ["--format=registers", "{CASES}/p26-tarmac-m3-irq"]),
    Command("stub", STUB, UNCONFINED + ["--listen=stdio", "--ahead=0", ELF, CRASH], SESSION),
    Command("stub-tasks", STUB, UNCONFINED + ["--listen=stdio", "--ahead=0", KERNEL], TASKS),
    Command("stub-log", STUB, UNCONFINED + ["--listen=stdio", "--ahead=0", "{IN}/crash.log"], SESSION),
]

TRACE = bytes.fromhex("000000000000000000000000800100820008000031f6f7f7f6f7f7f7")
LINUX = {
    "snapshot.ini": b"[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"
                    b"device1=etm.ini\n[trace]\nmetadata=trace.ini\n",
    "cpu.ini": b"[device]\nname=cpu\nclass=core\ntype=Cortex-A57\n"
               b"[dump0]\nfile=code.bin\naddress=0x1000\n",
    "etm.ini": b"[device]\nname=etm\nclass=trace_source\ntype=ETM4\n[regs]\n"
               b"TRCTRACEIDR=0x10\nTRCCONFIGR=1\nTRCIDR0=0x28000ea1\nTRCIDR1=0x4100f403\n"
               b"TRCIDR2=0x488\nTRCIDR8=0\n",
    "trace.ini": b"[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=etb\nfile=trace.bin\n"
                 b"format=source_data\n[core_trace_sources]\ncpu=etm\n"
                 b"[source_buffers]\netm=etb\n",
    "code.bin": bytes.fromhex("1f2003d5600000541f2003d5fdffff17"),
    "trace.bin": TRACE}


def framed(trace):
    """TRACE, of ID 0x10, in a formatter's frames."""
    frames = b""
    for at in range(0, len(trace), 14):
        frame_ = [0x21] + list(trace[at:at + 14])
        low = sum((frame_[i] & 1) << i // 2 for i in range(2, 15, 2))
        frames += bytes([byte & 0xfe if i > 0 and i % 2 == 0 else byte
                         for i, byte in enumerate(frame_)] + [low])
    return frames


class Bench:
    """The programs, and how commands are run."""

    def __init__(self, options):
        self.options = options
        self.top = os.path.abspath(options.top)
        self.shared = os.environ.get("TB_SHARED") or os.path.join(self.top, "..", "shared")
        self.inputs = tempfile.mkdtemp(prefix="faults-")
        self.run(Command("", CONVERT, ["--quiet", "--format=tarmac", "-o",
                                       self.inputs + "/crash.log", CRASH]), {})
        with open(self.inputs + "/crash.log", "rb") as file:
            log = file.read()
        with lzma.open(self.inputs + "/crash.log.xz", "wb") as file:
            file.write(log)
        with gzip.open(self.inputs + "/crash.log.gz", "wb") as file:
            file.write(log)
        self.make_linux()
        self.make_kernel()

    def make_kernel(self):
        """The kernel of tasks; for a run with few faults with the last half of its trace alone, as
        a buffer that has not wrapped: six of seven places are reached, in a third of the time."""
        source, folder = KERNEL.replace("{TOP}", self.top), self.inputs + "/kernel"
        shutil.copytree(source, folder, copy_function=shutil.copyfile)
        if not getattr(self.options, "first", False):
            return
        with open(source + "/trace.bin", "rb") as file:
            trace = file.read()
        with open(source + "/mtb_0.ini") as file:
            unit = file.read()
        half = len(trace) // 2
        end = int(re.search(r"POSITION\S*=(0x[0-9A-F]+)", unit)[1], 16) & ~7
        with open(folder + "/trace.bin", "wb") as file:
            file.write((trace[end:] + trace[:end])[-half:] + bytes(half))
        with open(folder + "/mtb_0.ini", "w") as file:
            file.write(re.sub(r"(POSITION\S*=)0x[0-9A-F]+", r"\g<1>0x%08X" % half, unit))

    def make_linux(self):
        """What Linux would have of A64 code (nop; b.eq; nop; b) and its trace: a perf.data, a
        folder; and a snapshot that does not tell of the unit."""
        for folder, changes in {
                "linux": {},
                "guess": {b"device1=etm.ini\n": b"", b"[core_trace_sources]\ncpu=etm\n": b"",
                          b"[source_buffers]\netm=etb\n": b""},
                "framed": {TRACE: framed(TRACE), b"source_data": b"coresight"}}.items():
            os.mkdir(os.path.join(self.inputs, folder))
            for name, text in LINUX.items():
                for old, new in changes.items():
                    text = text.replace(old, new)
                with open(os.path.join(self.inputs, folder, name), "wb") as file:
                    file.write(text)
        for words in (["perfdata.py", "linux", "perf.data", "root"],
                      ["sysfs.py", "framed", "./sysfs"],
                      ["corefile.py", CRASH.replace("{TOP}", self.top), "crash.core"]):
            subprocess.run([sys.executable, os.path.join(self.top, "testsuite", words[0])]
                           + words[1:], cwd=self.inputs, check=True)

    def close(self):
        shutil.rmtree(self.inputs, ignore_errors=True)

    def words(self, command):
        program = os.path.join(os.path.abspath(self.options.build),
                               FOLDERS[command.program],
                               command.program)
        places = {"TOP": self.top, "IN": self.inputs,
                  "CASES": os.path.join(self.shared, "corpus", "cases")}
        # One thread: allocations come in the same order each time.
        jobs = ["--jobs=1"] if command.program != SNAPSHOT else []
        return [program] + jobs + [re.sub(r"\{([A-Z]+)\}", lambda m: places[m[1]], word)
                                        for word in command.words]

    def run(self, command, settings):
        """Run COMMAND in a folder of its own, with SETTINGS in its environment."""
        folder = tempfile.mkdtemp(prefix="faults-run-")
        environment = dict(os.environ, LC_ALL="C", XDG_CACHE_HOME=folder + "/cache")
        environment.update(settings)
        if settings:
            environment["LD_PRELOAD"] = os.path.abspath(self.options.library)
        try:
            with subprocess.Popen(self.words(command), cwd=folder, env=environment,
                                  stdin=subprocess.PIPE if command.packets
                                  else subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                timer = threading.Timer(SECONDS, process.kill)
                timer.start()
                out = talk(process, command.packets) if command.packets else b""
                rest, messages = process.communicate()
                status = process.returncode if timer.is_alive() else "no end"
                timer.cancel()
                out += rest
            files = {}
            for path, _, names in os.walk(folder):
                for name in names:
                    with open(os.path.join(path, name), "rb") as file:
                        files[os.path.relpath(os.path.join(path, name), folder)] = file.read()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        # Times differ.
        out = re.sub(rb"in \d+\.\d s|\d+\.\d MB/s", b"", out)
        for name in files:
            if name.endswith(".verdict"):
                files[name] = re.sub(rb"milliseconds \d+|(?<=input )\d+ \d+", b"", files[name])
        return Run(status, out, messages.decode("utf-8", "replace"), files)


def answers(out):
    """The packets that a stub sent."""
    return re.findall(rb"\$([^#]*)#..", out)


def is_honest(right, got):
    """Does the stub say, before it says anything else than in RIGHT, that it could not?"""
    want, have = answers(right.out), answers(got.out)
    for a, b in zip(want, have):
        if a != b:
            return b == b"" or b[:1] in (b"E", b"O")
    return len(want) == len(have)


def judge(command, right, got):
    """What is wrong with GOT, where RIGHT is what comes without a fault; or None."""
    if got.status == "no end":
        return "did not end in %d seconds" % SECONDS
    if got.status < 0:
        return "signal %d" % -got.status
    if got.status == right.status:
        if got.out == right.out and got.files == right.files:
            # That it is less detailed is no loss.
            lost = right.messages.count(" warning: ") > got.messages.count(" warning: ")
            return "status %d without a warning" % got.status if command.warns and lost else None
        if command.program == STUB and (got.messages != right.messages or is_honest(right, got)):
            return None
        return "status %d and another output" % got.status
    # What the options' own texts need is looked at where wrong usage is.
    if got.status != 1 and not (got.status == 2 and "no memory" in got.messages):
        return "status %d" % got.status
    if got.messages == right.messages or got.messages.strip() == "":
        return "status 1 without a message"
    if command.alone:
        left = [name for name in got.files
                if not name.startswith("cache/") and got.files[name] != right.files.get(name)]
        if left:
            return "left %s behind" % ", ".join(left)
    return None


# Of so many places one is taken where few faults are made.  Which they are changes as the code does.
FEW = 3


def chosen(sites, every, first, seen):
    """Which allocations fail: every EVERYth; or of each site that is not in SEEN, to which it
    is added, the first and the last one.  With FIRST the first alone, and of some sites."""
    if every:
        return range(1, len(sites) + 1, every)
    of_site = {}
    for number, site in enumerate(sites, 1):
        if site not in seen and not (first and site % FEW):
            of_site.setdefault(site, []).append(number)
    seen.update(of_site)
    return sorted({number for numbers in of_site.values()
                   for number in numbers[:1] + ([] if first else numbers[-1:])})


def name_place(path, program):
    """The calls that the library wrote to PATH, innermost first: functions and lines of
    PROGRAM, and the names of other libraries."""
    try:
        with open(path) as file:
            lines = file.read().splitlines()
    except OSError:
        lines = []
    named = []
    for line in lines[2:]:
        match = re.match(r"(.*)\((.*?)(?:\+(0x[0-9a-f]+))?\)", line)
        if match is None:
            continue
        where = os.path.basename(match[1])
        if where == os.path.basename(program) and match[2] == "":
            found = subprocess.run(["addr2line", "-fse", program,
                                    hex(int(match[3], 16) - 1)],
                                   capture_output=True, text=True, check=False).stdout.split()
            named.append("%s (%s)" % (found[0], found[1]))
        elif not named or named[-1] != where:
            named.append(where)
    return " < ".join(named[:8]) or "(a place that no call leads to)"


def attack(bench, command, seen):
    """Run COMMAND with each chosen fault; returns how many runs, in how many of them a
    library crashed, and the findings."""
    options = bench.options
    with tempfile.NamedTemporaryFile() as kept:
        right = bench.run(command, {"TB_FAIL_SITES": kept.name})
        if right.status != 0:
            return 0, 0, ["%s: without a fault: status %s: %s"
                          % (command.name, right.status, right.messages)]
        sites = array.array("Q")
        sites.frombytes(kept.read())
    settings = {"TB_FAIL_ALL": "1"} if options.all else {}

    def try_one(number):
        with tempfile.NamedTemporaryFile() as place:
            got = bench.run(command, {"TB_FAIL_AT": str(number), "TB_FAIL_PLACE": place.name,
                                      **settings})
            wrong = judge(command, right, got)
            if wrong is None:
                return None
            at = name_place(place.name, bench.words(command)[0])
            if wrong.startswith("signal") and FOREIGN.match(at):
                return THEIRS
            return "%s: allocation %d of %d: %s: at %s" % (
                command.name, number, len(sites), wrong, at)

    numbers = chosen(sites, options.every, options.first, seen)
    if not numbers and not options.first:
        return 0, 0, ["%s: proves nothing: %d allocations were counted, none at a place that no "
                      "command before has" % (command.name, len(sites))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(try_one, numbers))
    return (len(numbers), results.count(THEIRS),
            [result for result in results if result and result is not THEIRS])


def main():
    parser = argparse.ArgumentParser(description="Let each allocation fail in turn.")
    parser.add_argument("--every", type=int, default=0, metavar="N",
                        help="each Nth allocation of each command (default: two of each place in "
                        "the code, which are the eight innermost calls)")
    parser.add_argument("--first", action="store_true", help="one of each place alone, and of every third place")
    parser.add_argument("--all", action="store_true",
                        help="the allocations after it fail, too")
    parser.add_argument("--shared", action="store_true",
                        help="captures of ../shared (or TB_SHARED), too; hours with --every=1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="commands whose name has this regex")
    parser.add_argument("top", help="the source tree")
    parser.add_argument("build", help="the build tree")
    parser.add_argument("library", help="failing.so")
    options = parser.parse_args()
    bench = Bench(options)
    runs = theirs = 0
    findings = []
    seen = set()
    try:
        for command in COMMANDS:
            if not re.search(options.only, command.name) or \
               (command.name.startswith("shared-") and not options.shared):
                continue
            number, crashed, found = attack(bench, command, seen)
            runs += number
            theirs += crashed
            findings += found
            print("%s: %d runs, %d findings" % (command.name, number, len(found)), flush=True)
            for finding in found:
                print("FAIL: " + finding, flush=True)
    finally:
        bench.close()
    print("%d runs, %d findings; %d crashes in other libraries%s"
          % (runs, len(findings), theirs,
             "; sampled: 1 of %d places" % FEW if options.first and not options.every else ""))
    return 1 if findings or runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
