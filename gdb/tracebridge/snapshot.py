"""tracebridge snapshot: save a snapshot of the target that GDB is connected to.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import collections
import os

import gdb

from . import access, capture, components, elf, rom, trace
from .write import Snapshot

USAGE = ('Usage: tracebridge snapshot DIR [core TYPE] [cores] [ram START SIZE]... '
         '[trace | rom BASE | mtb REGISTERS] [etm REGISTERS]... [sink REGISTERS]... '
         '[buffer START SIZE [coresight|source_data]] [through TARGET]')
LIST_USAGE = 'Usage: tracebridge components [rom BASE] [through TARGET]'

Request = collections.namedtuple('Request', 'folder core cores ram found rom mtb etm sink buffer '
                                 'form through')


def number(text, usage):
    try:
        return int(gdb.parse_and_eval(text)) & 0xffffffffffffffff
    except gdb.error as error:
        raise gdb.GdbError('"%s" is no number: %s\n%s' % (text, error, usage)) from None


def memory_range(start, size, usage):
    """The numbers START and SIZE, of memory that there can be."""
    place, length = number(start, usage), number(size, usage)
    if length == 0 or place + length > 1 << 64:
        raise gdb.GdbError('"ram %s %s": expected a size of 1 or more that ends inside of the '
                           'address space, found %s.\n%s' % (start, size, size, usage))
    return place, length


def words_of(words, usage, allowed):
    """What WORDS ask for: a dictionary by the words ALLOWED."""
    words = collections.deque(words)
    found = {'core': None, 'cores': False, 'ram': [], 'found': False, 'rom': None, 'mtb': None,
             'etm': [], 'sink': [], 'buffer': None, 'form': 'coresight', 'through': None}

    def take():
        if not words:
            raise gdb.GdbError('Something is missing behind "%s".\n%s' % (key, usage))
        return words.popleft()

    given = set()
    while words:
        key = words.popleft()
        if key not in allowed:
            raise gdb.GdbError('"%s" is not understood.\n%s' % (key, usage))
        if key in given and key not in ('ram', 'etm', 'sink'):
            raise gdb.GdbError('"%s" is given twice.\n%s' % (key, usage))
        given.add(key)
        if key in ('cores', 'trace'):
            found['found' if key == 'trace' else key] = True
        elif key in ('core', 'through'):
            found[key] = take()
        elif key == 'ram':
            found['ram'].append(memory_range(take(), take(), usage))
        elif key in ('etm', 'sink'):
            found[key].append(number(take(), usage))
        elif key == 'buffer':
            found['buffer'] = number(take(), usage), number(take(), usage)
            if words and words[0] in ('coresight', 'source_data'):
                found['form'] = words.popleft()
        else:
            found[key] = number(take(), usage)
    return found


def parse(argument):
    """The Request that the words of ARGUMENT make."""
    words = gdb.string_to_argv(argument)
    if not words:
        raise gdb.GdbError(USAGE)
    found = words_of(words[1:], USAGE, ('core', 'cores', 'ram', 'trace', 'rom', 'mtb', 'etm',
                                        'sink', 'buffer', 'through'))
    table = found['found'] or found['rom'] is not None
    if found['mtb'] is not None and (found['etm'] or found['sink'] or found['buffer'] or table):
        raise gdb.GdbError('A core has an MTB or an ETM: give one of them.')
    if found['mtb'] is not None and found['cores']:
        raise gdb.GdbError('"mtb" is one core\'s, "cores" saves all.')
    if not table and bool(found['etm']) != bool(found['sink'] or found['buffer']):
        raise gdb.GdbError('"etm" and "buffer" or "sink" belong together.\n' + USAGE)
    if found['sink'] and found['buffer']:
        raise gdb.GdbError('The trace is in a sink or in a buffer: give one of them.')
    if found['through'] and not table and not found['etm'] and found['mtb'] is None:
        raise gdb.GdbError('"through" has no effect without trace.\n' + USAGE)
    return Request(os.path.abspath(os.path.expanduser(words[0])), **found)


def program_ranges():
    """Start and end of what the program has in memory."""
    ranges = []
    for objfile in gdb.objfiles():
        if objfile.owner is not None or objfile.filename is None:
            continue
        if not os.path.isfile(objfile.filename):
            continue
        try:
            ranges += [(s.address, s.address + s.size) for s in elf.sections(objfile.filename)]
        except (OSError, ValueError) as error:
            raise gdb.GdbError(str(error)) from None
    return ranges


def joined(ranges):
    """RANGES without overlaps, in order."""
    result = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def connected():
    if not gdb.selected_inferior().pid or gdb.selected_thread() is None:
        raise gdb.GdbError('GDB is not connected to a target that runs a program: '
                           'use "target remote" first.')


def read_registers(request):
    """Thread, type and registers of each core that REQUEST asks for; the kind of the first."""
    cores, first = [], None
    selected = gdb.selected_thread()
    threads = sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num)
    try:
        for thread in threads if request.cores else [selected]:
            thread.switch()
            kind, registers = capture.core_registers()
            first = first or kind
            cores.append((thread, request.core or capture.core_type(kind), registers))
    finally:
        selected.switch()
    return cores, first


def take_memory(snapshot, cores, ranges, starts, tell):
    """Put CORES with what they have in RANGES, made of such with STARTS, into SNAPSHOT.  How many
    bytes that is."""
    kept, total = {}, 0
    selected = gdb.selected_thread()
    try:
        for number, (thread, core, registers) in enumerate(cores):
            thread.switch()
            prefix, dumps, lost = 'c%d-' % number if number else '', [], []
            for start, end in ranges:
                parts, told = capture.available(start, end, starts)
                lost += told
                for address, content in parts:
                    # Cores that see the same memory share a file.
                    name = kept.setdefault((address, content),
                                           '%smemory-%08x.bin' % (prefix, address))
                    dumps.append((name, address, content))
            snapshot.core(core, registers, dumps)
            size = sum(len(d[2]) for d in dumps)
            total += size
            tell.append('%s: %d registers, %d bytes of memory in %d ranges.'
                        % (core, len(registers), size, len(dumps)))
            tell += lost
    finally:
        selected.switch()
    return total


def doubts(cores, names, found):
    """A line for each unit in FOUND that a core, of CORES called NAMES, cannot have."""
    types = {name: core for name, (_, core, _) in zip(names, cores)}
    for source in found.sources:
        core = types.get(source.core)
        if core is not None and components.contradicts(core, source.kind):
            yield ('Warning: no %s has an %s such as %s: is the core something else? "core TYPE" '
                   'says what.' % (core, source.kind, source.name))


def take(request):
    """Read the target, write the snapshot; return lines to tell."""
    connected()
    if os.path.lexists(request.folder):
        raise gdb.GdbError('%s exists: name a folder that does not.' % request.folder)
    wanted = program_ranges() + [(start, start + size) for start, size in request.ram]
    if not wanted:
        raise gdb.GdbError('There is no memory to save: load the program with "file", '
                           'or name ranges with "ram START SIZE".')
    tell, traced = [], []
    with Snapshot(request.folder) as snapshot:
        cores, kind = read_registers(request)
        names = [snapshot.core_name(number) for number in range(len(cores))]
        # The trace is what cannot be had again, whatever becomes of the memory.
        found = trace.take(request, kind, names)
        size = take_memory(snapshot, cores, joined(wanted), [start for start, _ in wanted], tell)
        if found is not None:
            traced = found.tell + list(doubts(cores, names, found))
            for source in found.sources:
                snapshot.device(source.name, 'trace_source', source.kind, source.registers)
            for name, what, registers in found.links:
                snapshot.device(name, 'trace_link', what, registers)
            snapshot.trace(found.sources, found.buffers)
        elif size == 0:
            raise gdb.GdbError('There is nothing to save: no memory that was asked for can be '
                               'read.\n' + '\n'.join(tell))
        snapshot.finish('saved by GDB', found is not None)
    return tell + traced + ['Saved in %s; next: tracebridge-convert %s'
                            % (request.folder, request.folder)]


def listed(request):
    """A line for each component that the ROM table of REQUEST lists."""
    connected()
    kind = 'm' if request.rom is not None else capture.core_registers()[0]
    found = rom.components(trace.bus(request).word, trace.rom_base(request, kind))
    for component in found:
        yield '0x%08x  %s%s' % (component.base, component.kind,
                                ': ' + component.failure if component.failure else '')
    if not found:
        yield 'The ROM table lists nothing.'


class TracebridgePrefix(gdb.Command):
    """Commands of tracebridge."""

    def __init__(self):
        super().__init__('tracebridge', gdb.COMMAND_SUPPORT, gdb.COMPLETE_NONE, True)


class TracebridgeSnapshot(gdb.Command):
    """Save a snapshot of the target, for tracebridge to work on.
Usage: tracebridge snapshot DIR [WHAT...]

DIR is made; it must not exist.  Saved are the registers of the selected thread's
core, the memory that the sections of the program lie in, as it is now, and WHAT:

  ram START SIZE     more memory, such as stack and heap; what of it cannot be read is
                     left out and told
  trace              the trace units and sinks (MTB, ETM, ETE, ITM, STM; ETB, TMC) that the
                     ROM table of a core of the M profile lists, at 0xe00ff000
  rom BASE           the same of the ROM table at BASE: other profiles, other places
  etm REGISTERS      an ETM, PTM or ETE by the address of its registers, together with
  sink REGISTERS     the ETB or TMC by the address of its registers, or
  buffer START SIZE  the memory that has its trace, formatted in frames
                     (coresight, the default) or not (source_data)
  mtb REGISTERS      a Micro Trace Buffer by the address of its registers
  cores              all threads of GDB are cores and saved, the first trace unit
                     is of the first one; also "etm" for each
  through TARGET     registers of trace units are read by the commands mdw and mww
                     of OpenOCD's target TARGET, as for components behind an APB-AP
  core TYPE          what the core is (Cortex-M4, ARMv7-A), where it does not tell

Numbers may be expressions: "ram &_sdata 0x2000".  Halt the target first.  A sink
that captures is flushed and stopped: it has to be set up anew afterwards.  An ETR's
buffer is read as memory on the M profile, else by the ETR itself, which takes long.
The whole of the stack is worth its place: much of what is known of earlier steps
comes from there.  "tracebridge components" lists what the ROM table has."""

    def __init__(self):
        super().__init__('tracebridge snapshot', gdb.COMMAND_SUPPORT, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        try:
            request = parse(argument)
            with access.everywhere():
                lines = take(request)
            print('\n'.join(lines))
        except OSError as error:
            raise gdb.GdbError('%s: %s' % (error.filename, error.strerror)) from None


class TracebridgeComponents(gdb.Command):
    """List the trace and debug components that the target's ROM table has.
Usage: tracebridge components [rom BASE] [through TARGET]

Without BASE that of a core of the M profile is read, at 0xe00ff000.  TARGET: see
"help tracebridge snapshot"."""

    def __init__(self):
        super().__init__('tracebridge components', gdb.COMMAND_SUPPORT, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        found = words_of(gdb.string_to_argv(argument), LIST_USAGE, ('rom', 'through'))
        with access.everywhere():
            lines = list(listed(Request(None, **found)))
        print('\n'.join(lines))


def register():
    TracebridgePrefix()
    TracebridgeSnapshot()
    TracebridgeComponents()
