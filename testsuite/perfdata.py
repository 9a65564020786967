#!/usr/bin/env python3
"""Write a perf.data of a snapshot: perfdata.py SNAPSHOT FILE SYSROOT [OPTION...]

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

  thread       one buffer, of a thread; else one for each CPU, the first with all frames
  threads=N    a buffer for each of so many threads
  pid=N        the process whose code the snapshot's memory is; else 77
  units=N      each trace unit so many times
  version=N    of the metadata, 0 to 2; else 1
  times=N      the trace is there so many times, with a stop between; of a thread that is
	       then on the next CPU, and the bytes of a source become frames with its ID
  sink         the same of all CPUs, whose trace is in the buffer of the first one
  sinks=N      the same of so many sinks, in the buffer of the first CPU of each
  ids=N        so many trace IDs, in turn
  hwid         trace IDs are in records of their own; hwid=sink: with the sinks
  zstd=N       the kernel's records are compressed, in the first or the second form
  backwards    the kernel's records stand in the file from the last to the first
  dir=N        FILE is a folder, in which they are in so many files, in turn, the trace in the last
  maps=PID:ADDRESS:PATH[@OFFSET],...  further maps, of files in SYSROOT from OFFSET (4096) on, or
	       of 16 bytes of others
  threads-of=TID:PID,...     threads of processes
  forks=PARENT:CHILD,...     processes that are forked behind these
  exec=PID     a process that executes another program behind them, and maps the first again,
	       if there is one
  reuse=PID    a process that is forked behind these with a number that was another's before
  found=PARENT:CHILD,...     forks that perf tells of processes that it found running
  buildid=HEX  of all files: how=list, how=map say where it is told
  kernel=ADDRESS    where the kernel's symbol _text was; with how=map its build ID
  bpf=ADDRESS:HEX[:N]  the code of a BPF program, or of so many one behind the other
  count=N      so many maps more, of 16 bytes each, and as many processes as it says behind a ':'
  damage=WHAT  cut, size, info, twice, pipe, zstd, bomb, hwid, bpf, ids, lost, nobody, hole, part:
	       what is wrong with the file

The layout is that of tools/perf/Documentation/perf.data-file-format.txt and
tools/perf/util/cs-etm.h of Linux.  The memory of the first core are files in SYSROOT, which the
records map.
"""

import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inifile  # noqa: E402

COMM, FORK, MMAP2, AUX, HW_ID, FINISHED, AUXTRACE_INFO, AUXTRACE = 3, 7, 10, 11, 21, 68, 70, 71
COMPRESSED, COMPRESSED2 = 81, 83
BUILD_IDS, BPF, COMPRESSION = 2, 25, 27
EXEC, HAS_BUILD_ID = 0x2000, 0x4000
ETMV3 = ["ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR"]
ETMV4 = ["TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0", "TRCIDR1", "TRCIDR2", "TRCIDR8",
         "TRCAUTHSTATUS"]
ATTR_SIZE = 128
PAGE = 4096
EVENT = 5			# Its number.
# What is in a sample, and that it ends all records of the kernel's.
SAMPLE = 1 << 16 | 1 << 7 | 1 << 2 | 1 << 1
SAMPLE_ALL = 1 << 18
USE_CLOCKID = 1 << 25


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


TIMES, OWN = [1000], [77]


def sampled(kind, body, cpu=0, misc=0, pid=None):
    """A record of the kernel's, with what ends each of them: thread, time, CPU, event."""
    TIMES[0] += 1
    pid = OWN[0] if pid is None else pid
    return record(kind, body + struct.pack("<IIQIIQ", pid, pid, TIMES[0], cpu, 0, EVENT), misc)


def records_of(data):
    """The records of DATA, which have no trace behind them."""
    at = 0
    while at < len(data):
        size = struct.unpack_from("<H", data, at + 6)[0]
        yield data[at:at + size]
        at += size


def named(name):
    return name.encode() + b"\0" * (8 - len(name) % 8)


def mmap2(pid, address, size, name, build_id=b"", offset=PAGE):
    told = struct.pack("<IIQQ", 8, 1, 1, 0)
    if build_id:
        told = struct.pack("<BBH20s", len(build_id), 0, 0, build_id)
    return sampled(MMAP2, struct.pack("<IIQQQ", pid, pid, address, size, offset) + told
                   + struct.pack("<II", 5, 2) + named(name), 0,
                   2 | (HAS_BUILD_ID if build_id else 0), pid)


def framed(data, ident):
    """DATA in frames that begin with the ID, filled up with those of nobody's ID."""
    text, at = b"", 0
    while at < len(data):
        part = data[at:at + 14]
        if len(part) < 14 and len(part) % 2 == 0:
            part = part[:-1]	# An ID stands at even places.
        at += len(part)
        frame, bits = bytearray([ident << 1 | 1]), 0
        for place, byte in enumerate(part, 1):
            if place % 2 == 0:
                bits |= (byte & 1) << place // 2
                byte &= 0xfe
            frame.append(byte)
        if len(part) < 14:
            frame = (frame + b"\1").ljust(15, b"\0")
        text += bytes(frame) + bytes([bits])
    return text


def compressed(data, kind):
    """DATA, compressed in one stream, in records of 100 bytes of it."""
    packed = subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE,
                            check=True).stdout
    text = b""
    parts = [packed[at:at + 100] for at in range(0, len(packed), 100)]
    if len(parts) > 1 and len(parts[-1]) < 10:
        # perf 6.1 refuses a record of which nothing comes out, as of the sum alone.
        parts[-2:] = [parts[-2] + parts[-1]]
    for part in parts:
        if kind == 2:
            part = struct.pack("<Q", len(part)) + part + b"\0" * (-len(part) % 8)
        text += record(COMPRESSED if kind == 1 else COMPRESSED2, part)
    return text


def bpf_programs(address, code, count):
    """The section of BPF programs, each of two functions."""
    return struct.pack("<I", count) + b"".join(bpf_program(address + i * len(code), code)
                                               for i in range(count))


def bpf_program(address, code):
    half = len(code) // 8 * 4
    info = bytearray(232)
    struct.pack_into("<I", info, 16, len(code))
    struct.pack_into("<II", info, 104, 2, 2)
    data = code
    symbols, lengths = len(data), len(data) + 16
    data += struct.pack("<QQII", address, address + half, half, len(code) - half)
    struct.pack_into("<Q", info, 24, 0)
    struct.pack_into("<QQ", info, 112, symbols, lengths)
    return struct.pack("<IIQ", len(info), len(data), 1 | 1 << 3 | 1 << 4) + bytes(info) + data


def unit_words(cpu, parts, version):
    """The metadata of one trace unit; none for units of software's trace."""
    regs = {re.sub(r"\(.*", "", key).upper(): int(value, 0)
            for key, value in parts.get("regs", {}).items()}
    kind = parts["device"]["type"].upper()
    if kind.startswith(("STM", "ITM")):
        return None
    if kind.startswith("ETE"):
        magic, names = 0x5050505050505050, ETMV4 + ["TRCDEVARCH"]
    elif kind.startswith("ETM4"):
        magic, names = 0x4040404040404040, ETMV4
    else:
        magic, names = 0x3030303030303030, ETMV3
    words = [regs.get(name, 0) for name in names]
    return [magic, cpu] + ([len(words)] if version > 0 else []) + words


def traces(source):
    """The format and the bytes of the first buffer."""
    for name, lines in inifile.read(os.path.join(source, "snapshot.ini")):
        for path in inifile.keys_of(lines).values() if name == "trace" else []:
            for part, some in inifile.read(os.path.join(source, path)):
                keys = inifile.keys_of(some)
                if part.startswith("buffer") and "file" in keys:
                    with open(os.path.join(source, keys["file"]), "rb") as file:
                        return keys.get("format", "coresight"), file.read()
    raise SystemExit(f"{source}: no buffer")


def aux(index, cpu, pieces, tid=0, hole=False):
    """The records of one buffer: the PIECES, the last one first; HOLE: not the second."""
    text, offsets = b"", []
    for piece in pieces:
        offsets.append(offsets[-1] + len(pieces[len(offsets) - 1]) if offsets else 0)
    order = range(len(pieces))
    for i in [*order[-1:], *order[:-1]]:
        if hole and i == 1:
            continue
        filled = pieces[i] + b"\xee" * (-len(pieces[i]) % 8)
        text += record(AUXTRACE, struct.pack("<QQQIIII", len(filled), offsets[i], 0, index,
                                             0xffffffff if cpu is not None else tid,
                                             0xffffffff if cpu is None else cpu, 0)) + filled
    return text


def thirds(data):
    third = len(data) // 48 * 16
    return [data[:third], data[third:2 * third], data[2 * third:]]


def options_of(words):
    options = dict(word.partition("=")[::2] for word in words)
    OWN[0] = int(options.get("pid", "77"), 0)
    return options


def whole_file(data, features, damage=""):
    """A file with the records DATA and the sections FEATURES, by number."""
    attr = struct.pack("<IIQQQQQIIQQ", 8, ATTR_SIZE, 0, 1, SAMPLE, 4, SAMPLE_ALL * (damage != "nobody") | USE_CLOCKID * (damage == "clockid"),
                       1, 0, 0, 0)
    attr += b"\0" * (ATTR_SIZE - len(attr)) + struct.pack("<QQ", 104, 8)
    at = 104 + 8 + len(attr)
    end = at + len(data)
    bits, table, bodies = 0, b"", b""
    for bit, body in sorted(features.items()):
        bits |= 1 << bit
        table += struct.pack("<QQ", end + 16 * len(features) + len(bodies),
                             len(body) + (1 << 40) * (damage == "ids"))
        bodies += body
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attr), 112, len(attr), at,
                                     len(data), 0, 0) + struct.pack("<Q24x", bits)
    whole = bytearray(head + struct.pack("<Q", EVENT) + attr + data + table + bodies)
    if damage == "size":
        whole[at + 6:at + 8] = b"\1\0"
    elif damage == "pipe":
        whole[8] = 16
    return whole


def main(source, out, sysroot, *words):
    options = options_of(words)
    version = int(options.get("version", "1"))
    damage = options.get("damage", "")
    build_id = bytes.fromhex(options.get("buildid", ""))
    mapped_id = build_id if options.get("how") == "map" else b""
    units, maps = [], []
    for parts, dumps in inifile.devices(source):
        kind = parts["device"]["class"].lower()
        if kind == "core" and not maps:
            for dump in dumps:
                data = inifile.contents(source, dump)
                if not data:
                    continue
                name = f"/code/{parts['device']['name']}-{len(maps)}"
                os.makedirs(sysroot + "/code", exist_ok=True)
                with open(sysroot + name, "wb") as file:
                    file.write(b"\0" * PAGE + data)
                maps.append((OWN[0], int(dump["address"], 0), len(data), name))
        elif kind == "trace_source":
            words = unit_words(len(units), parts, version)
            units += [words] if words is not None else []
    units += [[units[0][0], len(units) + i, *units[0][2:]]
              for i in range(int(options.get("units", "1")) - 1)]
    form, trace = traces(source)
    place = 3 if version > 0 else 2	# Of the trace ID: behind the first register.
    if "units" in options:
        for i, words in enumerate(units):
            words[place + 1] = 0x10 + i % int(options.get("ids", "0x60"), 0)
    ids = [words[place + 1] for words in units]
    if "hwid" in options:
        for words in units:
            words[place + 1] = 1 << 31 | 0x7f
    words = [version, 8 << 32 | len(units), 0] + sum(units, [])
    if damage == "info":
        words[1] += 1
    elif damage == "twice":
        words[-len(units[-1]) + 1] = 0
    head = record(AUXTRACE_INFO, struct.pack("<II", 3, 0)
                  + struct.pack(f"<{len(words)}Q", *words))
    data = bytearray()
    # Two processes have it.
    data += b"".join(mmap2(*one, mapped_id) for one in maps for _ in range(2))
    if "kernel" in options:
        data += mmap2(0xffffffff, int(options["kernel"], 0), PAGE, "[kernel.kallsyms]_text",
                      mapped_id, int(options["kernel"], 0))
    for text in filter(None, options.get("maps", "").split(",")):
        pid, address, name = text.split(":", 2)
        name, _, offset = name.partition("@")
        offset = int(offset or str(PAGE), 0)
        size = os.path.getsize(sysroot + name) - offset if os.path.exists(sysroot + name) else 16
        data += mmap2(int(pid), int(address, 0), size, name, mapped_id, offset)
    for text in filter(None, options.get("forks", "").split(",")):
        parent, child = map(int, text.split(":"))
        data += sampled(FORK, struct.pack("<IIIIQ", child, parent, child, parent, 1000))
    for text in filter(None, options.get("found", "").split(",")):
        parent, child = map(int, text.split(":"))
        data += sampled(FORK, struct.pack("<IIIIQ", child, parent, child, parent, 0), 0, EXEC)
    for text in filter(None, options.get("threads-of", "").split(",")):
        tid, pid = map(int, text.split(":"))
        data += sampled(FORK, struct.pack("<IIIIQ", pid, pid, tid, pid, 1000))
    if "exec" in options:
        pid = int(options["exec"])
        data += sampled(COMM, struct.pack("<II8s", pid, pid, b"other"), 0, EXEC)
        data += b"".join(mmap2(pid, *one[1:]) for one in maps[:1])
    if "reuse" in options:
        pid = int(options["reuse"])
        data += sampled(FORK, struct.pack("<IIIIQ", pid, 1, pid, 1, 1000))
        data += b"".join(mmap2(pid, *one[1:]) for one in maps[:1])
    count, _, processes = options.get("count", "0").partition(":")
    for pid in range(int(processes or "1")):
        for i in range(int(count)):
            data += mmap2(1000 + pid, 0x100000 + i * 0x1000 + pid * 16, 16, maps[0][3])
    more = b""
    times = int(options.get("times", "1"))
    threads = "thread" in options or "threads" in options
    single = threads or form == "source_data"
    if times > 1 and (threads or "sink" in options) and len(units) > 1:
        runs = [framed(trace, ids[i % len(ids)]) for i in range(times)]
        form = "coresight"
    else:
        runs = [trace] * times
    sinks = int(options.get("sinks", "1"))
    part = max(len(units) // sinks, 1)	# Of each sink.
    if "hwid" in options:
        for i, (words, ident) in enumerate(zip(units, ids)):
            if options["hwid"] == "sink":
                ident |= 1 << 56 | (0xf0000000 + i // part) << 8
            data += sampled(HW_ID, struct.pack("<Q", ident | (1 << 60) * (damage == "hwid")),
                            words[1])
    if sinks > 1:
        runs = []
        for sink in range(sinks):
            own = [framed(trace, ids[sink * part + i % part]) for i in range(times)]
            at = 0
            for run in own:
                data += sampled(AUX, struct.pack("<QQQ", at, len(run), 0), sink * part)
                at += len(run)
            more += aux(sink, sink * part, own)
    at = 0
    for i, run in enumerate(runs):
        if damage != "lost":
            data += sampled(AUX, struct.pack("<QQQ", at, len(run),
                                             0x100 * (form == "source_data")),
                            i % len(units) if threads else 0)
        at += len(run)
    if damage == "bomb":
        data += sampled(AUX, bytes(24)) * 400000
    if "backwards" in options:
        data = b"".join(reversed(list(records_of(data))))
    parts = []
    if "dir" in options:
        count = int(options["dir"])
        parts = [b"".join(list(records_of(data))[i::count]) for i in range(count)]
        data = b""
        if "zstd" in options:
            parts = [compressed(part, int(options["zstd"])) for part in parts]
    elif "zstd" in options:
        data = compressed(data, int(options["zstd"]))
        if damage == "zstd":
            data = data[:20] + b"\xff" * 16 + data[36:]
    data = head + data
    pieces = runs if times > 1 else thirds(trace)
    if sinks > 1:
        pass
    elif threads:
        for thread in range(int(options.get("threads", "1"))):
            more += aux(thread, None, pieces, OWN[0] + thread, damage == "hole")
    else:
        more += aux(0, 0, pieces, hole=damage == "hole")
    if parts:
        parts[-1] += more
    else:
        data += more
    data += record(FINISHED, b"")
    features = {}
    if build_id and options.get("how") == "list":
        features[BUILD_IDS] = b"".join(
            struct.pack("<IHHi20sB3x", 0, 0x8002, 36 + len(named(name)), -1, build_id,
                        len(build_id)) + named(name)
            for name in {one[3] for one in maps})
    if "bpf" in options:
        address, code, *many = options["bpf"].split(":")
        features[BPF] = bpf_programs(int(address, 0), bytes.fromhex(code), int((many or [1])[0]))
        if damage == "bpf":
            features[BPF] = features[BPF][:-8]
    if "zstd" in options:
        features[COMPRESSION] = struct.pack("<5I", 1, 1, 1, 2, 1 << 20)
    whole = whole_file(data, features, damage)
    if damage == "cut":
        whole = whole[:-len(trace) // 2]
    if parts:
        os.makedirs(out)
        for i, part in enumerate(parts):
            with open(f"{out}/data.{i}", "wb") as file:
                file.write(part[:-8] if damage == "part" else part)
        out += "/data"
    with open(out, "wb") as file:
        file.write(whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
