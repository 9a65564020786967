"""Write a recorded run as a snapshot.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import os
import random

import etmv3
import etmv4
from machine import RAM_SIZE
from mtb import A_BIT, Packet, Trace


class Nothing(Exception):
    """There is nothing to look at in a run."""


class Style:
    """What of the halt state the snapshot has, by a seed."""

    last = 0                            # How many steps are traced; 0: all.
    older = 0                           # How often an ETM is an ETMv3, where the core may have one.
    halt = False                        # Does an ETM trace the halt?

    def __init__(self, machine, seed):
        r = random.Random(seed)
        self.fp = r.choice('DDDS-' if not machine.a64 else 'VVQD-')
        self.mask = r.choice((4, 5, 6, 7, 8, 9, 10))    # Of an MTB.
        self.stacks = r.random() < 0.5
        self.missing = r.choice((0, 0, 0, 0.1, 0.5))    # Part of FP registers that are.
        self.halt, self.older = r.random() < 0.6, 0.5
        self.random = r


def registers(run, style):
    """(name, bits, value) at the halt."""
    machine, halt = run.machine, run.halt
    if machine.a64:
        yield from (('X%d' % i, 64, halt.core[i]) for i in range(31))
        yield 'SP', 64, halt.core[31]
        yield 'PC', 64, halt.pc
        yield 'CPSR', 32, halt.psr
    else:
        yield from (('R%d' % i, 32, halt.core[i]) for i in range(13))
        yield 'SP', 32, halt.core[13]
        yield 'LR', 32, halt.core[14]
        yield 'PC', 32, halt.pc
        yield 'xPSR' if machine.is_m else 'CPSR', 32, halt.psr
        if style.stacks:
            yield from run.special
    if style.fp == '-' or not machine.nd:
        return
    yield from (item for item in fp_registers(machine, halt, style)
                if style.random.random() >= style.missing)


def fp_registers(machine, halt, style):
    values = halt.fp[:machine.nd]
    if style.fp in 'VQ':
        yield from ((style.fp + str(i), 128, v) for i, v in enumerate(values))
    elif style.fp == 'D':
        yield from (('D%d' % i, 64, v & (1 << 64) - 1) for i, v in enumerate(values))
    else:
        yield from (('S%d' % i, 32, values[i // 2] >> 32 * (i % 2) & 0xffffffff)
                    for i in range(32))
        yield from (('D%d' % i, 64, v) for i, v in enumerate(values) if i >= 16)
    names = ('FPSR', 'FPCR') if machine.a64 else ('FPSCR',)
    for name, value in zip(names, halt.fp[machine.nd:]):
        yield name, 32, value


def write(folder, name, data):
    with open(os.path.join(folder, name), 'w' if isinstance(data, str) else 'wb') as file:
        file.write(data)


def transition(run):
    def between(before, after, number):
        """The packets of an MTB between two steps."""
        place = run.flow.places[before.pc]
        packets, at = [], before.pc
        following = [event[2] for event in after.events] + [after.pc]
        if after.events and after.events[0][0] != 'exception':
            source = before.pc
        else:
            if following[0] != before.pc + place.size or place.always and place.kind != 'isb':
                packets.append(Packet(before.pc, following[0], number))
            source = None
        for (kind, value, at, _, _), reached in zip(after.events, following[1:]):
            if kind != 'exception':
                packets += [Packet(source, value & ~1, number),
                            Packet(value & ~1 | A_BIT, at, number)]
            else:
                packets.append(Packet(at | A_BIT, reached, number))
        return packets
    return between


def write_core(folder, run, values, older):
    """OLDER: its trace unit is an ETMv3."""
    machine = run.machine
    # No Cortex-M4 has an ETMv4.
    core = etmv3.CORES[machine.name] if older else \
        'Cortex-M7' if run.program.etm and machine.name == 'm4f' else machine.core
    text = '[device]\nname=cpu_0\nclass=core\ntype=%s\n\n[regs]\n' % core
    for name, bits, value in values:
        size = '(size:%d)' % bits if bits != 32 else ''
        text += '%s%s=0x%0*X\n' % (name, size, bits // 4, value)
    dumps = [('code%d.bin' % i, low, data) for i, (low, data) in enumerate(run.flow.sections)]
    for i, (name, low, data) in enumerate(dumps + [('ram.bin', machine.ram, run.ram)]):
        write(folder, name, data)
        text += '\n[dump%d]\nfile=%s\naddress=0x%X\nlength=0x%X\n' % (i, name, low, len(data))
    write(folder, 'cpu_0.ini', text)


def write_snapshot(folder, run, style):
    """Write the snapshot; return (first, end) of the steps that the trace tells of."""
    os.makedirs(folder, exist_ok=True)
    older = run.program.etm and run.machine.name in etmv3.CORES and style.random.random() < style.older
    write_core(folder, run, registers(run, style), older)
    if not run.program.etm:
        count, on = len(run.steps), [(1, len(run.steps) + 1)]
        if style.random.random() < 0.3:
            gap = style.random.randrange(count // 8, count - 20)
            on = [(1, gap), (gap + style.random.randrange(1, 60), count + 1)]
        trace = Trace(run.steps + [run.halt], on, style.mask,
                      run.machine.ram + RAM_SIZE, transition=transition(run))
        if len(trace.windows) < len(on):
            # Nothing branches on one side of the gap.
            trace = Trace(run.steps + [run.halt], [(1, count + 1)], style.mask,
                          run.machine.ram + RAM_SIZE, transition=transition(run))
        if not trace.total:
            raise Nothing
        device, kind, data, regs = 'mtb_0', 'MTB', trace.bytes, trace.registers
        traced = trace.windows[:-1] + [(trace.windows[-1][0], count)]
    elif older:
        traced = etmv4.windows(run, style.random, style.last)
        device, kind, data = 'etm_0', 'ETM3.5', etmv3.encode(run, traced, style.halt)
        regs = etmv3.REGISTERS_M if run.machine.is_m else etmv3.REGISTERS
    else:
        traced = etmv4.windows(run, style.random, style.last)
        device, kind, data = 'etm_0', 'ETM4.0', etmv4.encode(run, traced, style.halt)
        regs = etmv4.REGISTERS_M if run.machine.is_m else etmv4.REGISTERS
    write(folder, 'trace.bin', data)
    write(folder, device + '.ini',
          '[device]\nname=%s\nclass=trace_source\ntype=%s\n\n[regs]\n' % (device, kind)
          + ''.join('%s(0x%03X)=0x%08X\n' % register for register in regs))
    write(folder, 'snapshot.ini', '[snapshot]\nversion=1.0\n\n[device_list]\n'
          'device0=cpu_0.ini\ndevice1=%s.ini\n\n[trace]\nmetadata=trace.ini\n' % device)
    write(folder, 'trace.ini', '[trace_buffers]\nbuffers=buffer0\n\n[buffer0]\nname=buffer\n'
          'file=trace.bin\nformat=source_data\n\n[core_trace_sources]\ncpu_0=%s\n\n'
          '[source_buffers]\n%s=buffer\n' % (device, device))
    return traced
