"""The trace of a target: which units send it, which sinks have it.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import collections

import gdb

from . import access, capture, components, rom
from .sinks import Sink

# A trace source as a snapshot has it: name, type, registers, trace ID, which core's (None:
# no core's).
Source = collections.namedtuple('Source', 'name kind registers id core')
# A buffer: name, content, format, and the names of the sources that it may have trace of.
Buffer = collections.namedtuple('Buffer', 'name content form sources')

IDS = {'TRCTRACEIDR': 0, 'ETMTRACEIDR': 0, 'ITM_TCR': 16, 'STMTCSR': 16}


def bus(request):
    """How REQUEST says that registers of components are read."""
    return access.Monitor(request.through) if request.through else access.Memory()


def rom_base(request, kind):
    """Where the ROM table of REQUEST for a core of KIND is."""
    if request.rom is not None:
        return request.rom
    if kind != 'm':
        raise gdb.GdbError('Only cores of the M profile have their ROM table at an address that '
                           'is known: say where it is, as in "rom 0x80000000".')
    return rom.M_PROFILE_ROM


def registers_of(way, unit, base):
    return [(name, number, way.word(base + 4 * number)) for name, number in unit.registers]


def trace_id(registers):
    """The trace ID that REGISTERS of a unit tell; None where none does."""
    for name, _, value in registers:
        if name in IDS:
            return value >> IDS[name] & 0x7f
    return None


def core_unit(way, base):
    """The kind of the core's trace unit at BASE, or gdb.GdbError."""
    try:
        return components.trace_unit(lambda number: way.word(base + 4 * number))
    except ValueError as error:
        raise gdb.GdbError('What is at 0x%x is %s.' % (base, error)) from None


def own_order(units):
    """UNITS in the order of the cores: by affinity, where each tells its own."""
    places = {unit.affinity for unit in units}
    if None in places or len(places) < len(units):
        return units
    return sorted(units, key=lambda unit: unit.affinity)


class Found:
    """What makes up the trace; TELL: lines that say so."""

    def __init__(self):
        self.sources, self.buffers, self.links, self.tell = [], [], [], []

    def source(self, name, unit, registers, core):
        """Add a source; its number is that of the sources of its name."""
        number = sum(source.name.startswith(name + '_') for source in self.sources)
        source = Source('%s_%d' % (name, number), unit.kind, registers, trace_id(registers), core)
        self.sources.append(source)
        return source

    def names(self):
        return [source.name for source in self.sources]


def add_units(found, way, bases, cores):
    """The trace units at BASES, each of the core at its place in CORES."""
    for base, core in zip(bases, cores):
        unit = core_unit(way, base)
        source = found.source('etm', unit, registers_of(way, unit, base), core)
        found.tell.append('%s: %s at 0x%x, trace ID 0x%x, of %s.'
                          % (source.name, unit.kind, base, source.id, core))


def add_mtb(found, way, base, core):
    values = registers_of(way, components.MTB, base)
    area, size = capture.mtb_area(values)
    source = found.source('mtb', components.MTB, values, core)
    content = capture.memory(area, size)
    found.buffers.append(Buffer('mtb_sram', content, 'source_data', [source.name]))
    found.tell.append('MTB: %d bytes of trace at 0x%x.' % (size, area))


def add_software(found, way, listed):
    """ITM and STM, where they are switched on (bit 0 of their control registers)."""
    for kind, unit in (('ITM', components.ITM), ('STM', components.STM)):
        for component in listed:
            if component.kind == kind:
                registers = registers_of(way, unit, component.base)
                if registers[0][2] & 1:
                    source = found.source(kind.lower(), unit, registers, None)
                    found.tell.append('%s: at 0x%x, trace ID 0x%x.'
                                      % (source.name, component.base, source.id))


def add_sinks(found, way, sinks, by_memory):
    """What the sinks with (base, part) SINKS have."""
    kinds = collections.Counter()
    for base, part in sinks:
        sink = Sink(way, base, part)
        trace = sink.read(by_memory)
        if trace is None:
            found.tell.append('%s at 0x%x: no trace of its own.' % (sink.kind, base))
            continue
        name = '%s_%d' % (trace.kind.lower(), kinds[trace.kind])
        kinds[trace.kind] += 1
        sources = found.names()
        form = 'coresight' if trace.formatted else 'source_data'
        if not trace.formatted and len(sources) > 1:
            # Bytes without frames are of one source; software's has no place in a core's.
            sources = [s.name for s in found.sources if s.core is not None]
            if len(sources) > 1:
                raise gdb.GdbError('The %s at 0x%x has trace without frames, which one unit '
                                   'sent: name it with "etm REGISTERS".' % (trace.kind, base))
        found.buffers.append(Buffer(name, trace.data, form, sources))
        found.tell.append('%s: %d bytes of trace at 0x%x, %s.'
                          % (name, len(trace.data), base,
                             'in frames' if trace.formatted else 'without frames'))


def add_links(found, way, listed):
    """Funnels, replicators and FIFOs that pass trace on, as devices of the snapshot."""
    for kind, unit, name in (('funnel', components.FUNNEL, 'funnel'),
                             ('replicator', components.REPLICATOR, 'replicator'),
                             ('FIFO', components.FIFO, 'fifo')):
        some = [component for component in listed if component.kind == kind]
        for number, component in enumerate(some):
            registers = registers_of(way, unit, component.base)
            found.links.append(('%s_%d' % (name, number), unit.kind, registers))
            if kind == 'funnel':
                ports = [str(i) for i in range(8) if registers[0][2] >> i & 1]
                found.tell.append('funnel_%d: at 0x%x, ports %s are open.'
                                  % (number, component.base, ', '.join(ports) or 'none'))


def from_table(found, request, way, kind, cores):
    """All that the ROM table lists."""
    listed = rom.components(way.word, rom_base(request, kind))
    of = lambda *kinds: [component for component in listed if component.kind in kinds]
    units, mtbs = own_order(of('trace unit')), of('MTB')
    bases = request.etm or [unit.base for unit in units]
    unread = ' '.join('0x%x: %s' % (c.base, c.failure) for c in listed if c.failure)
    if bases and len(bases) != len(cores):
        raise gdb.GdbError('There are %d trace units (%s), and %d cores to save: name each core\'s '
                           'unit with "etm REGISTERS", in the order of the cores%s.'
                           % (len(bases), ', '.join('0x%x' % base for base in bases), len(cores),
                              '' if len(cores) > 1 else ', or save all cores with "cores"'))
    add_units(found, way, bases, cores)
    if not bases and mtbs and len(cores) == 1:
        add_mtb(found, way, mtbs[0].base, cores[0])
        mtbs = mtbs[1:]
    # One core has one recording; whose an MTB is the table does not tell.
    offer = ''.join('MTB at 0x%x: not saved; for one core, "mtb 0x%x" in place of "trace" or "rom" '
                    'saves it.' % (mtb.base, mtb.base) for mtb in mtbs[:1])
    if len(mtbs) > 1:
        offer += ' There are %d more.' % (len(mtbs) - 1)
    add_software(found, way, listed)
    if not found.sources:
        raise gdb.GdbError('The ROM table lists no unit that sends trace%s%s'
                           % ('; not readable: ' + unread if unread else '.',
                              ' ' + offer if offer else ''))
    if unread:
        found.tell.append('Not readable: %s' % unread)
    if offer:
        found.tell.append(offer)
    add_links(found, way, listed)
    sinks = (named_sinks(request, way) or
             [(component.base, component.part) for component in of('buffer', 'FIFO')])
    if request.buffer is None:
        add_sinks(found, way, sinks, kind == 'm')
        if not found.buffers:
            raise gdb.GdbError('No sink has trace%s.' % ('' if sinks else ': the ROM table lists none')
                               + ' Give memory that has some with "buffer START SIZE".'
                               + (' ' + offer if offer else ''))


def named_sinks(request, way):
    """The sinks that REQUEST names: (base, part)."""
    named = [rom.component(way.word, base) for base in request.sink]
    for one in named:
        if one.kind not in ('buffer', 'FIFO'):
            raise gdb.GdbError('What is at 0x%x is no ETB and no TMC: %s.' % (one.base, one.kind))
    return [(one.base, one.part) for one in named]


def take(request, kind, cores):
    """The trace that REQUEST asks for, of CORES (names) of KIND; None: it asks for none."""
    found, way = Found(), bus(request)
    if request.found or request.rom is not None:
        from_table(found, request, way, kind, cores)
    elif request.mtb is not None:
        add_mtb(found, way, request.mtb, cores[0])
    elif request.etm:
        if len(request.etm) != len(cores):
            raise gdb.GdbError('Give "etm REGISTERS" for each of the %d cores.' % len(cores))
        add_units(found, way, request.etm, cores)
        if request.buffer is None:
            add_sinks(found, way, named_sinks(request, way), kind == 'm')
            if not found.buffers:
                raise gdb.GdbError('No sink has trace.')
    else:
        return None
    if request.buffer is not None:
        found.buffers.append(Buffer('trace_buffer', capture.memory(*request.buffer),
                                    request.form, found.names()))
        found.tell.append('%d bytes of trace at 0x%x.' % (request.buffer[1], request.buffer[0]))
    return found
