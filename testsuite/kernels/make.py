#!/usr/bin/env python3
"""Run the kernel in this folder under an emulator and write a snapshot with its truth.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: make.py [--level=-O2] [--steps=N] [--trace=mtb|etm] [--mask=N] [--keep] [--freertos] [--bug=BUG [--truth]]
               PORT FOLDER

PORT is one of README's.  The tick comes every so many instructions, an interrupt at others, so
a run is the same every time.  FOLDER gets the snapshot, program.elf and the truth: case.json,
truth.bin.xz, truth-mem.bin.xz, truth-ram0.bin.xz and live.bin.xz, which ../truth.py reads, with
floating point also truth-fp.bin.xz;
"tasks" in case.json lists from which traced step on which task runs; null: none, or a handler.
--mask: MASTER.MASK of the MTB.  --keep takes the program.elf that is there.
--freertos makes freertos.elf alone: the same code, whose objects have the names of FreeRTOS'.
--bug: the program with one of the bugs in bugs.h, overflow, stale or handle, to where it stops; the last
--steps steps are traced.  "cause" in case.json is the store that is to blame: [step, address].  It is all of
the truth that is written without --truth.
"""
import argparse
import json
import lzma
import os
import random
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'emulator'))

import liveness                                                 # noqa: E402
from flow import Flow                                           # noqa: E402
from machine import MACHINES, NVIC, Board, Failure, Machine, Run        # noqa: E402
from snapshot import write_snapshot                             # noqa: E402

TOOLS = 'arm-none-eabi-'
M3 = Machine('m3', 'qemu-system-arm', ['-M', 'mps2-an385'], 'Cortex-M3', 0, 0x21000000, is_m=True,
             xml=('arm-m-profile.xml',))


class Port:
    """MACHINE; CPU: the compiler's name of it.  SOURCE: its code, if that is another one's.  FIRST:
    the symbol that runs first when there are tasks."""

    def __init__(self, machine, cpu, source=None, first='SVC_Handler', floats=False):
        self.machine, self.cpu, self.source, self.first, self.floats = machine, cpu, source, first, floats


PORTS = {
    'm0': Port(MACHINES['m0'], 'cortex-m0plus'),
    'm3': Port(M3, 'cortex-m3'),
    'm33': Port(MACHINES['m33'], 'cortex-m33+nodsp+nofp'),
    'm4f': Port(MACHINES['m4f'], 'cortex-m4', floats=True),
    'm33f': Port(MACHINES['m33'], 'cortex-m33+nodsp', 'm33', floats=True),
    'threadx': Port(M3, 'cortex-m3', first='PendSV_Handler'),
    'zephyr': Port(MACHINES['m33'], 'cortex-m33+nodsp+nofp', first='sensor_task'),
}
HANDLERS = 'SVC_Handler', 'PendSV_Handler', 'SysTick_Handler', 'Sensor_Handler'
TICK = 0xe000ed04, (1 << 26,)   # ICSR.PENDSTSET
SENSOR = NVIC[0], (1,)
EVERY = 1100, 2300              # Instructions between two ticks, between two interrupts.


class Program:
    """What Run and write_snapshot ask of a program."""

    psp = tasks = True
    main_stack, checked = 0, ()

    def __init__(self, etm, bug, first, every=EVERY):
        self.etm, self.bug, self.first, self.every = etm, bug, first, every


class Plain:
    """A style of snapshots (see ../emulator/snapshot.py) without gaps."""

    stacks, missing, halt, older = True, 0, False, 0

    def __init__(self, mask, last, floats=False):
        self.mask, self.last, self.random, self.fp = mask, last, Whole, 'D' if floats else '-'


class Whole:
    """Of a random number that decides on gaps: none."""

    @staticmethod
    def random():
        return 0.5


class KernelRun(Run):
    """The tick and the sensor interrupt; no other events."""

    def prepare(self, board, program):
        board.command('Qqemu.sstep=1')
        self.started, self.due = False, list(program.every)

    def check(self, step, program):
        pass

    def is_over(self, before, events):
        if self.program.bug:
            if len(self.steps) > 120000:
                raise Failure("the bug stops nothing")
            return not events and self.steps and self.stopped(self.steps[-1]) and self.may_halt(self.steps[-1])
        if self.stopped(before):
            raise Failure('a fault or an unexpected exception')
        return self.is_long(events)

    def stopped(self, step):
        return step.pc == self.flow.symbols['unexpected']

    def interrupt(self, board, before, events):
        self.started |= before.pc == self.flow.symbols[self.program.first]
        for i, (what, every) in enumerate(zip((TICK, SENSOR), self.program.every)):
            if self.started and len(self.steps) >= self.due[i] and not events:
                self.due[i] = len(self.steps) + every + self.random.randrange(every // 4)
                self.machine.pend = what
                board.interrupt(before)


FREERTOS = {'running': 'pxCurrentTCB', 'name': 'pcTaskName', 'priority': 'uxPriority',
            'state': 'xStateListItem', 'event': 'xEventListItem', 'in': 'pxContainer',
            'ready': 'pxReadyTasksLists', 'sleeping': 'xDelayedTaskList1'}


# The bugs: where the word is that the program stops at (a symbol, an offset from it).
STACK_AND_TASK = 704
BUGS = {'overflow': ('stacks', 4 * STACK_AND_TASK - 12), 'stale': ('blocks', 0), 'handle': ('kept', 28)}
DIGITS = 79                     # What is too deep for a stack, by little (with floating point: 32 more).


def build(port, level, elf, names=(), bug=None):
    """Compile the program; NAMES: what the preprocessor is told."""
    machine, floats = PORTS[port].machine, PORTS[port].floats
    subprocess.run([TOOLS + 'gcc', '-mcpu=' + PORTS[port].cpu, '-mthumb', '-mfloat-abi=' + ('hard' if floats else 'soft'),
                    *(('-mfpu=fpv5-sp-d16',) if port == 'm33f' else ('-mfpu=fpv4-sp-d16',) if floats else ()),
                    '-std=gnu11', level, '-g', '-ffreestanding',
                    '-fno-tree-loop-distribute-patterns', '-Wall', '-Wextra', '-Werror', '-nostdlib', '-static',
                    *('-D%s=%s' % pair for pair in dict(names).items()),
                    *('-Wl,--defsym=%s=%s' % pair for pair in dict(names).items() if pair[0] == 'running'),
                    *(('-DBUG=' + bug.upper(), '-DDIGITS=%d' % (DIGITS + (port == 'm0') + 32 * floats))
                      if bug else ()),
                    '-DPORT_%s' % port.upper(), '-DCODE=0x%x' % (machine.code + 64),
                    '-Wl,--build-id=none,--defsym=code_base=0x%x,--defsym=ram_base=0x%x' % (
                        machine.code, machine.ram), '-Wl,--no-warn-rwx-segments', '-ffile-prefix-map=%s=.' % HERE,
                    '-T', 'kernel.ld', '-o', os.path.abspath(elf),
                    'app.c', 'kernel.c', 'port-%s.c' % (PORTS[port].source or port), '-lgcc'], cwd=HERE, check=True)
    os.chmod(elf, 0o644)


def task_spans(run, elf, numbers):
    """[first traced step, name] wherever another task runs, or none."""
    symbols, machine = run.flow.symbols, run.machine
    image, name_at = bytearray(run.ram0), None
    done, spans = 0, []

    def word(address):
        return struct.unpack_from('<I', image, address - machine.ram)[0]

    for number, step in enumerate(run.steps):
        for offset, data in step.changes:
            image[offset:offset + len(data)] = data
        if number == numbers[0]:
            name_at = numbers[0]
        if name_at is None:
            continue
        task, name = word(symbols['running']), None
        # SP of a thread of the kernel is PSP: not before it started.
        if step.psr & 511 == 0 and symbols['stacks'] <= step.core[13] <= symbols['stacks'] + STACKS:
            at = task + NAME_OFFSET - machine.ram
            name = bytes(image[at:at + 8]).split(b'\0')[0].decode()
        if not spans or spans[-1][1] != name:
            spans.append([number - name_at, name])
        done += 1
    return spans


STACKS = 6 * 1024       # All of them are smaller.
NAME_OFFSET = 4 + 4 + 20 + 20 + 4 + 4   # Of struct task.


def write_truth(folder, run, traced):
    """The formats of ../truth.py's Case."""
    def put(name, data):
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(lzma.compress(data, preset=9))

    (first, end), = traced
    flow, records, writes = run.flow, [], []
    for number, step in enumerate(run.steps[:end]):
        place = flow.places[step.pc]
        opcode = flow.opcode(step.pc)
        flags = 1 | 4 * any(e[0] != 'return' for e in step.events) | 16 | 128 * (number >= first)
        after = run.steps[number + 1] if number + 1 < len(run.steps) else run.halt
        flags |= 2 * (after.pc != step.pc + place.size or bool(after.events))
        flags |= 8 * any(e[0] == 'return' for e in after.events)
        exception = next((e[3] & 511 if e[0] == 'tail' else e[1] for e in reversed(step.events)
                          if e[0] != 'return'), 0)
        records.append(struct.pack('<IIBBH15III', step.pc, opcode, place.size, flags, exception,
                                   *step.core[:15], step.psr, number))
        stacked = any(e[0] == 'exception' for e in step.events)
        for offset, data in step.changes:
            writes.append(struct.pack('<IBBHQQ', number if stacked else max(number - 1, 0), 4, stacked, 0,
                                      run.machine.ram + offset, int.from_bytes(data, 'little')))
    put('truth.bin.xz', struct.pack('<8sIIQII', b'TBTRUTH1', 1, 80, len(records), 32, 0) + b''.join(records))
    put('truth-mem.bin.xz', struct.pack('<8sIIQII', b'TBMEMW01', 1, 24, len(writes), 0, 0) + b''.join(writes))
    put('truth-ram0.bin.xz', run.ram0)
    if run.machine.nd:
        # S0 to S31.
        put('truth-fp.bin.xz', b''.join(struct.pack('<16Q', *step.fp[:16]) for step in run.steps[first:end]))
    live = liveness.masks(run.steps[first:end], flow.places)
    put('live.bin.xz', struct.pack('<%dI' % len(live), *live))


class KernelFlow(Flow):
    def opcode(self, pc):
        (low, data), = self.sections
        at = pc - low
        if self.places[pc].size == 2:
            return struct.unpack_from('<H', data, at)[0]
        high, second = struct.unpack_from('<2H', data, at)
        return high << 16 | second


def read_flow(machine, elf):
    """The program ELF for an emulator and its listings."""
    image = elf + '.img'
    subprocess.run([TOOLS + 'objcopy', '-O', 'binary', '-j', '.text', elf, image], check=True)
    flow = KernelFlow(TOOLS, elf, False)
    with open(image, 'rb') as file:
        flow.sections = [(machine.code, file.read())]
    os.unlink(image)
    flow.handlers = {flow.symbols[name] & ~1 for name in HANDLERS if name in flow.symbols}
    return flow


def describe(run, elf, traced):
    """What case.json says of the one source."""
    (first, end), = traced
    return {'truth': 'truth.bin.xz', 'truth_mem': 'truth-mem.bin.xz', 'truth_ram0': 'truth-ram0.bin.xz',
            'ram_base': '0x%x' % run.machine.ram, 'windows': traced, 'instructions': end - first,
            'tasks': task_spans(run, elf, range(first, end))}


def write_case(folder, run, source):
    with open(os.path.join(folder, 'case.json'), 'w') as file:
        json.dump({'core': run.machine.core, 'program': 'kernel', 'instructions': source['instructions'],
                   'sources': [source]}, file, separators=(',', ':'))
        file.write('\n')


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('--level', default='-O2')
    parser.add_argument('--steps', type=int, default=12000)
    parser.add_argument('--trace', choices=('mtb', 'etm'), default='mtb')
    parser.add_argument('--mask', type=int, default=10)
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--freertos', action='store_true')
    parser.add_argument('--bug', choices=sorted(BUGS))
    parser.add_argument('--truth', action='store_true')
    parser.add_argument('port', choices=sorted(PORTS))
    parser.add_argument('folder')
    arguments = parser.parse_args()
    port = PORTS[arguments.port]
    machine = port.machine
    if arguments.trace == 'etm' and machine.name == 'm3':
        machine.core = 'Cortex-M7'              # No Cortex-M3 has an ETMv4.
    folder = arguments.folder
    os.makedirs(folder, exist_ok=True)
    if arguments.freertos:
        build(arguments.port, arguments.level, os.path.join(folder, 'freertos.elf'), FREERTOS)
        return
    elf = os.path.join(folder, 'program.elf')
    if not arguments.keep:
        build(arguments.port, arguments.level, elf, (), arguments.bug)
    flow = read_flow(machine, elf)
    run = KernelRun(machine, Program(arguments.trace == 'etm', arguments.bug, port.first), elf, flow, 1, arguments.steps)
    traced = write_snapshot(folder, run, Plain(arguments.mask, arguments.steps if arguments.bug else 0,
                                                port.floats))
    if arguments.truth or not arguments.bug:
        write_truth(folder, run, traced)
    (first, end), = traced
    source = describe(run, elf, traced)
    if arguments.bug:
        symbol, offset = BUGS[arguments.bug]
        address = flow.symbols[symbol] + offset
        # What a step changed is told by the one after it.
        cause = max(n for n, step in enumerate(run.steps + [run.halt]) for at, data in step.changes
                    if machine.ram + at == address) - 1 - first
        source['cause'] = [cause, address]
        print('The cause: step %d at 0x%x, %d steps before the end' % (
            cause, run.steps[first + cause].pc, end - first - cause))
    write_case(folder, run, source)
    spans = source['tasks']
    print('%d steps, %d of them traced, %d spans of tasks (%s)' % (
        len(run.steps), end - first, sum(name is not None for _, name in spans),
        ' '.join(sorted({name for _, name in spans if name}))))


if __name__ == '__main__':
    try:
        main()
    except (Failure, liveness.Unknown, subprocess.CalledProcessError, OSError) as failure:
        sys.exit('make.py: %s' % failure)
