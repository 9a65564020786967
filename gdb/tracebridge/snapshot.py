"""tracebridge snapshot: save a snapshot of the target that GDB is connected to.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import collections
import os

import gdb

from . import capture, components, elf
from .write import Snapshot

USAGE = ('Usage: tracebridge snapshot DIR [core TYPE] [ram START SIZE]... '
         '[mtb REGISTERS | etm REGISTERS buffer START SIZE [coresight|source_data]]')

Request = collections.namedtuple('Request', 'folder core ram mtb etm buffer form')


def number(text):
    try:
        return int(gdb.parse_and_eval(text)) & 0xffffffffffffffff
    except gdb.error as error:
        raise gdb.GdbError('"%s" is no number: %s\n%s' % (text, error, USAGE)) from None


def parse(argument):
    """The Request that the words of ARGUMENT make."""
    words = gdb.string_to_argv(argument)
    if not words:
        raise gdb.GdbError(USAGE)
    folder, words = words[0], collections.deque(words[1:])
    found = {'core': None, 'ram': [], 'mtb': None, 'etm': None, 'buffer': None,
             'form': 'coresight'}

    def take():
        if not words:
            raise gdb.GdbError('Something is missing behind "%s".\n%s' % (key, USAGE))
        return words.popleft()

    while words:
        key = words.popleft()
        if key == 'core':
            found['core'] = take()
        elif key == 'ram':
            found['ram'].append((number(take()), number(take())))
        elif key in ('mtb', 'etm'):
            found[key] = number(take())
        elif key == 'buffer':
            found['buffer'] = number(take()), number(take())
            if words and words[0] in ('coresight', 'source_data'):
                found['form'] = words.popleft()
        else:
            raise gdb.GdbError('"%s" is not understood.\n%s' % (key, USAGE))
    if found['mtb'] is not None and found['etm'] is not None:
        raise gdb.GdbError('A core has an MTB or an ETM: give one of them.')
    if (found['etm'] is None) != (found['buffer'] is None):
        raise gdb.GdbError('"etm" and "buffer" belong together.\n' + USAGE)
    return Request(os.path.abspath(os.path.expanduser(folder)), **found)


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


def take(request):
    """Read the target, write the snapshot; return lines to tell."""
    if not gdb.selected_inferior().pid or gdb.selected_thread() is None:
        raise gdb.GdbError('GDB is not connected to a target that runs a program: '
                           'use "target remote" first.')
    if os.path.lexists(request.folder):
        raise gdb.GdbError('%s exists: name a folder that does not.' % request.folder)
    ranges = joined(program_ranges() + [(start, start + size) for start, size in request.ram])
    if not ranges:
        raise gdb.GdbError('There is no memory to save: load the program with "file", '
                           'or name ranges with "ram START SIZE".')
    kind, registers = capture.core_registers()
    core = request.core or capture.core_type(kind)
    tell = []
    with Snapshot(request.folder) as snapshot:
        dumps = [('memory-%08x.bin' % start, start, capture.memory(start, end - start))
                 for start, end in ranges]
        snapshot.core(core, registers, dumps)
        tell.append('%s: %d registers, %d bytes of memory in %d ranges.'
                    % (core, len(registers), sum(len(d[2]) for d in dumps), len(dumps)))
        if request.mtb is not None:
            values = capture.unit_registers(components.MTB, request.mtb)
            area, size = capture.mtb_area(values)
            snapshot.source('mtb_0', components.MTB.kind, values)
            snapshot.trace('mtb_0', 'source_data', capture.memory(area, size))
            tell.append('MTB: %d bytes of trace at 0x%x.' % (size, area))
        elif request.etm is not None:
            try:
                unit = components.trace_unit(lambda n: capture.word(request.etm + 4 * n))
            except ValueError as error:
                raise gdb.GdbError('What is at 0x%x is %s.' % (request.etm, error)) from None
            snapshot.source('etm_0', unit.kind, capture.unit_registers(unit, request.etm))
            snapshot.trace('etm_0', request.form, capture.memory(*request.buffer))
            tell.append('%s: %d bytes of trace at 0x%x.'
                        % (unit.kind, request.buffer[1], request.buffer[0]))
        snapshot.finish('saved by GDB', request.mtb is not None or request.etm is not None)
    tell.append('Saved in %s; next: tracebridge-convert %s' % (request.folder, request.folder))
    return tell


class TracebridgePrefix(gdb.Command):
    """Commands of tracebridge."""

    def __init__(self):
        super().__init__('tracebridge', gdb.COMMAND_SUPPORT, gdb.COMPLETE_NONE, True)


class TracebridgeSnapshot(gdb.Command):
    """Save a snapshot of the target, for tracebridge to work on.
Usage: tracebridge snapshot DIR [WHAT...]

DIR is made; it must not exist.  Saved are the registers of the selected thread's
core, the memory that the sections of the program lie in, as it is now, and WHAT:

  ram START SIZE     more memory, such as stack and heap
  mtb REGISTERS      a Micro Trace Buffer by the address of its registers
  etm REGISTERS      an ETM, PTM or ETE by the address of its registers, together
  buffer START SIZE  with the memory that has its trace, formatted in frames
                     (coresight, the default) or not (source_data)
  core TYPE          what the core is (Cortex-M4, ARMv7-A), where it does not tell

Numbers may be expressions: "ram &_sdata 0x2000".  Halt the target first; the
trace must not go on.  The whole of the stack is worth its place: much of what
is known of earlier steps comes from there."""

    def __init__(self):
        super().__init__('tracebridge snapshot', gdb.COMMAND_SUPPORT, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        try:
            for line in take(parse(argument)):
                print(line)
        except OSError as error:
            raise gdb.GdbError('%s: %s' % (error.filename, error.strerror)) from None


def register():
    TracebridgePrefix()
    TracebridgeSnapshot()
