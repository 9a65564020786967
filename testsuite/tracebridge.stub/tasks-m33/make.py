#!/usr/bin/env python3
"""Make this snapshot, of a core with two stacks and floating point.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: make.py

Compiles tasks.c with arm-none-eabi-gcc, runs it under qemu-system-arm one instruction at a
time and writes, beside this script, the snapshot of a Cortex-M33 with its Micro Trace Buffer,
the ELF, and stacks.txt: for each step of the trace its number, MSP and PSP before it.  (QEMU's
core is a Cortex-M4F, which does the same with this program.)
"""
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'firmware'))
from mtb import Trace                                           # noqa: E402
from recorder import LR, PC, REGISTERS, SP, XPSR, Step, Stub    # noqa: E402

FLAGS = ['-mcpu=cortex-m4', '-mfloat-abi=hard', '-mfpu=fpv4-sp-d16', '-mthumb', '-std=gnu11', '-O1',
         '-g', '-ffreestanding', '-nostdlib', '-Wall', '-Wextra']
RAM_BASE, RAM_SIZE = 0x20000000, 0x1000
MTB_MASK = 7                    # 2 KiB.
FPCCR = 0xe000ef34              # FPCAR stands behind it.
# QEMU's numbers.
STATUS, D0, FPSCR = 25, 26, 42


def symbol(elf, name):
    for line in subprocess.run(['arm-none-eabi-nm', elf], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        if line.split()[-1] == name:
            return int(line.split()[0], 16)
    raise KeyError(name)


class Core:
    """The core in QEMU, with MSP and PSP, which QEMU 7 does not tell: SP is always one of
    them."""

    def __init__(self, stub, flash):
        self.stub, self.flash = stub, flash
        self.registers = self.read()
        self.msp, self.psp, self.on_psp = self.registers[SP], 0, False

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.stub.ask('p%x' % number)), 'little')

    def read(self):
        return [self.register(number) for number in range(16)] + [self.register(STATUS)]

    def step(self):
        """Run one instruction: its Step, and what came between it and the next: the number
        of an exception and where it returns to, or an exception's end."""
        before = self.registers
        opcode, second = struct.unpack_from('<2H', self.flash, before[PC])
        step = Step(before, opcode, 4 if opcode >= 0xe800 else 2)
        self.stub.step()
        now = self.registers = self.read()
        was, is_now = before[XPSR] & 511, now[XPSR] & 511
        if (opcode & 0xfff0, second) == (0xf380, 0x8814):       # MSR CONTROL
            self.on_psp = True
        pending = 0, 0, 0
        if is_now not in (0, was):
            self.exc_return, self.msp_before = now[LR], self.msp
            if self.exc_return & 4:
                # What is on the stack: with FP registers, or without.
                self.psp = self.psp - (0x20 if self.exc_return & 0x10 else 0x68) & ~7
            frame = self.stub.memory(self.psp if self.exc_return & 4 else now[SP], 32)
            pending = is_now, struct.unpack('<8I', frame)[6], 0
        elif was not in (0, is_now):
            pending = 0, 0, self.exc_return
        if is_now == 0 and self.on_psp:
            self.psp = now[SP]
            if was != 0:
                self.msp = self.msp_before
        else:
            self.msp = now[SP]
        return step, pending


def write(name, data):
    with open(os.path.join(HERE, name), 'wb' if isinstance(data, bytes) else 'w') as file:
        file.write(data)


def record(stub, flash, stop):
    core = Core(stub, flash)
    steps, stacks, pending = [], [], (0, 0, 0)
    while core.registers[PC] != stop:
        stacks.append((core.msp, core.psp))
        step, following = core.step()
        step.exception, step.stacked, step.exc_return = pending
        pending = following
        steps.append(step)
    # The last packet leads to where the core stands.
    steps.append(Step(core.registers, 0xbe00, 2))
    trace = Trace(steps, [(1, len(steps))], MTB_MASK, RAM_BASE + RAM_SIZE)
    (first, end), = trace.windows
    write('stacks.txt', ''.join('%d %x %x\n' % (number, *pair)
                                for number, pair in enumerate(stacks[first:end])))
    return core, trace


def main():
    elf = os.path.join(HERE, 'program.elf')
    subprocess.run(['arm-none-eabi-gcc', *FLAGS, '-ffile-prefix-map=%s=.' % HERE, '-T',
                    '../../firmware/link.ld', '-o', 'program.elf', 'tasks.c'], cwd=HERE, check=True)
    os.chmod(elf, 0o644)
    with tempfile.TemporaryDirectory() as folder:
        image, path = os.path.join(folder, 'flash.bin'), os.path.join(folder, 'stub')
        subprocess.run(['arm-none-eabi-objcopy', '-O', 'binary', elf, image], check=True)
        with open(image, 'rb') as file:
            flash = file.read()
        qemu = subprocess.Popen(
            ['qemu-system-arm', '-M', 'mps2-an386', '-nographic', '-monitor', 'none', '-serial', 'none',
             '-accel', 'tcg,thread=single', '-S', '-gdb', 'unix:path=%s,server=on,wait=off' % path,
             '-kernel', elf], stdin=subprocess.DEVNULL)
        try:
            stub = Stub(path)
            stub.ask('qSupported:xmlRegisters=arm')
            stub.ask('qXfer:features:read:target.xml:0,ffb')
            stub.command('Qqemu.sstep=7')
            core, trace = record(stub, flash, symbol(elf, 'the_end'))
            ram = stub.memory(RAM_BASE, RAM_SIZE)
            context = stub.memory(FPCCR, 8)
            halt = dict(zip([name.upper() for name in REGISTERS[:-1]] + ['xPSR'], core.registers))
            halt.update(MSP=core.msp, PSP=core.psp, CONTROL=0, PRIMASK=0, BASEPRI=0, FAULTMASK=0)
            for number in range(16):
                double = core.register(D0 + number)
                halt['S%d' % (2 * number)] = double & 0xffffffff
                halt['S%d' % (2 * number + 1)] = double >> 32
            halt['FPSCR'] = core.register(FPSCR)
        finally:
            qemu.kill()
            qemu.wait()
    write('flash.bin', flash)
    write('ram.bin', ram)
    write('system.bin', context)
    write('trace.bin', bytes(trace.bytes))
    write('snapshot.ini', '[snapshot]\nversion=1.0\ndescription=a task that asks for services\n\n'
          '[device_list]\ndevice0=cpu_0.ini\ndevice1=mtb_0.ini\n\n[trace]\nmetadata=trace.ini\n')
    dumps = ('flash.bin', 0, len(flash)), ('ram.bin', RAM_BASE, RAM_SIZE), ('system.bin', FPCCR, 8)
    write('cpu_0.ini', '[device]\nname=cpu_0\nclass=core\ntype=Cortex-M33\n\n[regs]\n'
          + ''.join('%s=0x%08X\n' % pair for pair in halt.items())
          + ''.join('\n[dump%d]\nfile=%s\naddress=0x%08X\nlength=0x%X\n' % (number, *dump)
                    for number, dump in enumerate(dumps)))
    write('mtb_0.ini', '[device]\nname=mtb_0\nclass=trace_source\ntype=MTB\n\n[regs]\n'
          + ''.join('%s(0x%03X)=0x%08X\n' % register for register in trace.registers))
    write('trace.ini', '[trace_buffers]\nbuffers=buffer0\n\n[buffer0]\nname=mtb_sram\nfile=trace.bin\n'
          'format=source_data\n\n[core_trace_sources]\ncpu_0=mtb_0\n\n[source_buffers]\nmtb_0=mtb_sram\n')


main()
