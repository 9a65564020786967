#!/usr/bin/env python3
"""Make the sample snapshots from the sample firmware.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: make-samples.py [--keep | --compile] OUTPUT_FOLDER

Compiles the firmware beside this script with arm-none-eabi-gcc (or with --keep takes the
program.elf files that are there), runs it under qemu-system-arm (not with --compile) and writes
snapshots into OUTPUT_FOLDER:

  crash-m0   a wrapped MTB buffer that leads to a crash, with the ELF and the truth
  gap-m0     the same halt; the buffer lies in RAM, tracing was paused once, not wrapped
  halt-m0    the same halt without trace, in other legal spellings of the format
  crash-o0   the firmware compiled without optimisation, and ...
  crash-o2   ... with more: buffers of 512 bytes that lead to the same crash

The truth (truth.txt) has a line for each step of the trace and the memory it changes:

  lead-in PC                     source of the oldest packet
  gap                            tracing was paused here
  exception NUMBER RETURN_PC     taken before the step that follows
  step N PC OPCODE REG=VALUE...  state before step N: registers that differ from the step before
  stack ADDRESS SIZE OLD NEW     exception entry wrote this, before the step that follows
  write ADDRESS SIZE OLD NEW     the step above wrote this
  halt REG=VALUE...              state after the last step

All numbers but N, NUMBER and SIZE are hexadecimal.
"""
import os
import subprocess
import sys

from mtb import Trace
from recorder import REGISTERS, Failure, Run

FLAGS = ['-mcpu=cortex-m0plus', '-mthumb', '-std=gnu11', '-g', '-ffreestanding',
         '-nostdlib', '-Wall', '-Wextra', '-Werror']
SOURCES = ['startup.c', 'main.c', 'batch.c', 'filter.c', 'report.c']
HERE = os.path.dirname(os.path.abspath(__file__))

RAM_BASE, RAM_SIZE = 0x20000000, 0x1000
MTB_MASK = 7                    # 2 KiB.
LEVEL_MASK = 5                  # 512 bytes.
GAP_MASK = 6                    # 1 KiB, behind the program's RAM.
TICK = 150                      # Steps between two interrupts.


def compile_firmware(elf, level):
    subprocess.run(['arm-none-eabi-gcc', *FLAGS, level, '-ffile-prefix-map=%s=.' % HERE,
                    '-T', 'link.ld', '-o', os.path.abspath(elf), *SOURCES], cwd=HERE, check=True)
    os.chmod(elf, 0o644)


def symbol(elf, name):
    for line in subprocess.run(['arm-none-eabi-nm', elf], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        address, _, found = line.split()
        if found == name:
            return int(address, 16)
    raise Failure('no symbol ' + name)


def flash_image(elf, folder):
    path = os.path.join(folder, 'flash.bin')
    subprocess.run(['arm-none-eabi-objcopy', '-O', 'binary', elf, path], check=True)
    os.chmod(path, 0o644)
    with open(path, 'rb') as file:
        return file.read()


def write(folder, name, text, newline='\n'):
    with open(os.path.join(folder, name), 'w', newline=newline) as file:
        file.write(text)


def write_bytes(folder, name, data):
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(data)


def snapshot(folder, description, run, flash, ram, trace, buffer):
    """Write the snapshot; BUFFER says whether it gets a trace.bin."""
    os.makedirs(folder, exist_ok=True)
    write_bytes(folder, 'flash.bin', flash)
    write_bytes(folder, 'ram.bin', ram)
    write(folder, 'snapshot.ini', '[snapshot]\nversion=1.0\ndescription=%s\n\n[device_list]\n'
          'device0=cpu_0.ini\ndevice1=mtb_0.ini\n\n[trace]\nmetadata=trace.ini\n' % description)
    names = ['R%d' % i for i in range(13)] + ['SP', 'LR', 'PC', 'xPSR']
    write(folder, 'cpu_0.ini', '[device]\nname=cpu_0\nclass=core\ntype=Cortex-M0+\n\n[regs]\n'
          + ''.join('%s=0x%08X\n' % pair for pair in zip(names, run.halt))
          + '\n[dump0]\nfile=flash.bin\naddress=0x00000000\nlength=0x%X\n' % len(flash)
          + '\n[dump1]\nfile=ram.bin\naddress=0x%08X\nlength=0x%X\n' % (RAM_BASE, len(ram)))
    write(folder, 'mtb_0.ini', '[device]\nname=mtb_0\nclass=trace_source\ntype=MTB\n\n[regs]\n'
          + ''.join('%s(0x%03X)=0x%08X\n' % register for register in trace.registers))
    text = '[core_trace_sources]\ncpu_0=mtb_0\n'
    if buffer:
        write_bytes(folder, 'trace.bin', trace.bytes)
        text = ('[trace_buffers]\nbuffers=buffer0\n\n[buffer0]\nname=mtb_sram\nfile=trace.bin\n'
                'format=source_data\n\n' + text + '\n[source_buffers]\nmtb_0=mtb_sram\n')
    write(folder, 'trace.ini', text)


def debug_view(folder, run, flash, ram):
    """A snapshot without trace: comments, CR-LF lines, register numbers, a dump that
    is a part of its file."""
    os.makedirs(folder, exist_ok=True)
    write_bytes(folder, 'memory.bin', flash + ram)
    write(folder, 'snapshot.ini', '; written by a probe\n[snapshot]\nversion=1.0\n\n'
          '[device_list]\ndevice0=core.ini\n\n[clusters]\ncluster_0=the core\n', '\r\n')
    names = ['R%d' % i for i in range(16)] + ['xPSR']
    write(folder, 'core.ini', '[device]\nname=the core\nclass=core\ntype=ARMv6-M\n'
          'location=address:0xE00FF000\n\n[regs]\n'
          + ''.join('%s(id:%d,size:32)=0x%x\n' % (name, i, value)
                    for i, (name, value) in enumerate(zip(names, run.halt)))
          + '\n[dump.flash]\nfile=memory.bin\naddress=0\nlength=%d\n' % len(flash)
          + '\n[dump.ram]\nfile=memory.bin\naddress=0x%x\noffset=%d\nlength=%d\n'
          % (RAM_BASE, len(flash), len(ram)), '\r\n')


def truth(run, trace):
    lines = ['lead-in %x' % (trace.lead_in & ~1)]
    before, number = {}, 0

    def changed(registers):
        nonlocal before
        now = dict(zip(REGISTERS, registers))
        text = ''.join(' %s=%x' % (name, value) for name, value in now.items()
                       if before.get(name) != value and name != 'pc')
        before = now
        return text

    def writes(step, kind, word):
        return ['%s %x %d %x %x' % (word, address, size, old, new)
                for address, size, old, new, its_kind in step.writes if its_kind == kind]

    for first, end in trace.windows:
        if number:
            lines.append('gap')
        for step in run.steps[first:end]:
            if step.exception:
                lines.append('exception %d %x' % (step.exception, step.stacked))
            lines += writes(step, 's', 'stack')
            lines.append('step %d %x %x%s' % (number, step.pc, step.opcode,
                                              changed(step.registers)))
            lines += writes(step, 'w', 'write')
            number += 1
    lines.append('halt%s pc=%x' % (changed(run.halt), run.halt[15]))
    return '\n'.join(lines) + '\n'


def run_firmware(folder, level, keep):
    """Compile with LEVEL, unless KEEP, and run to the halt: the run and the flash."""
    os.makedirs(folder, exist_ok=True)
    elf = os.path.join(folder, 'program.elf')
    if not keep:
        compile_firmware(elf, level)
    flash = flash_image(elf, folder)
    return Run(elf, len(flash), RAM_BASE, RAM_SIZE, symbol(elf, 'fault_halt'), TICK), flash


def main(arguments):
    options = [word for word in arguments if word in ('--keep', '--compile')]
    arguments = [word for word in arguments if word not in options]
    if len(arguments) != 1 or len(options) > 1:
        sys.exit(__doc__)
    keep = '--keep' in options
    output = arguments[0]
    if '--compile' in options:
        for name, level in ('crash-m0', '-O1'), ('crash-o0', '-O0'), ('crash-o2', '-O2'):
            folder = os.path.join(output, name)
            os.makedirs(folder, exist_ok=True)
            compile_firmware(os.path.join(folder, 'program.elf'), level)
        return
    crash, gap, halt = (os.path.join(output, name) for name in ('crash-m0', 'gap-m0', 'halt-m0'))
    run, flash = run_firmware(crash, '-O1', keep)

    trace = Trace(run.steps, [(1, len(run.steps))], MTB_MASK, RAM_BASE + RAM_SIZE)
    snapshot(crash, 'data logger that ended in a HardFault', run, flash, run.ram, trace, True)
    write(crash, 'truth.txt', truth(run, trace))

    count = len(run.steps)
    total = trace.total
    trace = Trace(run.steps, [(count - 900, count - 600), (count - 250, count)], GAP_MASK,
                  RAM_BASE, RAM_SIZE)
    snapshot(gap, 'tracing was paused once', run, flash, run.ram + trace.bytes, trace, False)
    write(gap, 'truth.txt', truth(run, trace))

    debug_view(halt, run, flash, run.ram)
    print('%d steps, %d packets' % (count, total))

    for name, level in ('crash-o0', '-O0'), ('crash-o2', '-O2'):
        folder = os.path.join(output, name)
        run, flash = run_firmware(folder, level, keep)
        trace = Trace(run.steps, [(1, len(run.steps))], LEVEL_MASK, RAM_BASE + RAM_SIZE)
        snapshot(folder, 'data logger compiled with ' + level, run, flash, run.ram, trace, True)
        write(folder, 'truth.txt', truth(run, trace))


if __name__ == '__main__':
    try:
        main(sys.argv[1:])
    except (Failure, subprocess.CalledProcessError, OSError) as failure:
        sys.exit('make-samples.py: %s' % failure)
