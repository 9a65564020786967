"""Snapshots with flipped bits: what is claimed of them must lead from step to step.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A halt that never was may be called a contradiction.  Where it is not, instructions that
are run from what is claimed before them must make what is claimed after them.  What is not
known is filled in some times, in different ways; what comes out the same is checked.
"""
import os
import random
import re

from judge import FLAGS, FP_BITS, FP_NAME, Truth, listing
from machine import RAM_SIZE, Board, Failure

# Instructions that depend on more than registers and RAM.
SKIPPED = re.compile(r'ldrex|strex|ldx|stx|ldax|stlx|ldaex|stlex|mrs|msr|cps|svc|clrex|srs|rfe|eret'
                     r'|(subs|movs) pc|ldm.*\^')
# What floating point and vectors compute is not claimed to be known, so nothing need follow
# from it but what only moves.
VECTORS = re.compile(r'v|.*\b[bhsdqv]\d+\b')
MOVES = re.compile(r'(ldr|str|ldp|stp|ldu|stu|ldn|stn|ld[1-4]|st[1-4]|fmov|mov|ins|dup|umov'
                   r'|vldr|vstr|vldm|vstm|vpush|vpop|vld[1-4]|vst[1-4]|vmov|vmrs|vdup)')
STATUS = {True: ('fpsr', 'fpcr'), False: ('fpscr',)}
INTERRUPTS = 0x08010000         # Where the interrupt controller answers differently.
PERCENT = 10                    # Of the steps are run again.


def flip(folder, r):
    """Flip bits of the halt registers and of RAM; return what was flipped."""
    path = os.path.join(folder, 'cpu_0.ini')
    with open(path) as file:
        lines = file.read().split('\n')
    where = [i for i, line in enumerate(lines)
             if re.match(r'([XRDVQS]\d+|SP|LR|FPSCR)(\(|=)', line)]
    told = []
    for i in r.sample(where, r.randint(0, 2)):
        name, value = lines[i].split('=')
        bits = 4 * (len(value) - 2)
        flipped = int(value, 0) ^ 1 << r.randrange(bits)
        lines[i] = '%s=0x%0*X' % (name, bits // 4, flipped)
        told.append(lines[i])
    with open(path, 'w') as file:
        file.write('\n'.join(lines))
    path = os.path.join(folder, 'ram.bin')
    with open(path, 'r+b') as file:
        data = bytearray(file.read())
        for _ in range(r.randint(0 if told else 1, 40)):
            at = r.randrange(0x1e00, 0x4200) if r.random() < 0.8 else r.randrange(RAM_SIZE)
            data[at] ^= 1 << r.randrange(8)
        file.seek(0)
        file.write(data)
    return told


def claims(lines):
    """For each step, name to value of what is certain."""
    found = []
    for line in lines:
        if not line.startswith('#'):
            items = (item.partition('=') for item in line.split()[2:])
            found.append({name: int(value, 16) for name, _, value in items if not name.endswith('~')})
    return found


class Filled:
    """A state: what is claimed, and something where nothing is."""

    def __init__(self, truth, claimed, r, other, wild):
        step, machine = truth.step, truth.machine
        mess = r.getrandbits if other else lambda bits: 0
        # WILD: nothing is a pointer.
        self.core = [value ^ mess(32) if wild else value + 8 * mess(5) for value in step.core]
        for name, number in truth.core.items():
            if name in claimed:
                self.core[number] = claimed[name]
        self.fp = [value ^ mess(128 if machine.a64 else 64) for value in step.fp[:machine.nd]]
        # What is known of FPSCR and FPSR in part is not said.
        self.status = [claimed.get(name, value ^ mess(4) << 28 if 'fpcr' not in name else value)
                       for name, value in zip(STATUS[machine.a64], step.fp[machine.nd:])]
        for name, value in claimed.items():
            found = FP_NAME.match(name)
            if found:
                self.put_fp(machine, found.group(1), int(found.group(2)), value)
        self.psr = step.psr ^ mess(4) << 28
        for name, bit in FLAGS.items():
            if 'nzcv' in claimed:
                self.psr = self.psr & ~(1 << bit) | (claimed['nzcv'] >> bit - 28 & 1) << bit
            elif name in claimed:
                self.psr = self.psr & ~(1 << bit) | claimed[name] << bit
        self.ram = bytearray(truth.image)
        if other:
            self.ram = bytearray(r.randbytes(RAM_SIZE))
        for name, value in claimed.items():
            if name.startswith('m:'):
                _, address, size = name.split(':')
                at, size = int(address, 16) - machine.ram, int(size)
                if 0 <= at <= RAM_SIZE - size:
                    self.ram[at:at + size] = value.to_bytes(size, 'little')

    def put_fp(self, machine, kind, number, value):
        bits = FP_BITS[kind]
        if machine.a64 or bits == 64:
            at = 0
        elif bits == 128:
            self.fp[2 * number], self.fp[2 * number + 1] = value & (1 << 64) - 1, value >> 64
            return
        else:
            number, at = number // 2, 32 * (number % 2)
        mask = (1 << bits) - 1 << at
        self.fp[number] = self.fp[number] & ~mask | value << at

    def run(self, board, pc):
        """One step from here."""
        machine = board.machine
        board.ram[:] = bytes(self.ram)
        psr, mask = self.psr, (1 << (64 if machine.a64 else 32)) - 1
        board.set_core(board.psr_number, psr)
        for number, value in enumerate(self.core):
            if machine.a64 or number != 15:
                board.set_core(number, value & mask)
        for number, value in zip(board.fp_numbers, self.fp):
            board.set_value(number, value, 16 if machine.a64 else 8)
        for number, value in zip(board.fp_numbers[machine.nd:], self.status):
            board.set_value(number, value, 4)
        board.set_core(board.pc_number, pc)
        board.command('Qqemu.sstep=3')
        board.step()
        return board.state()


def compare(truth, before, after, claimed, label):
    """All of AFTER came out of BEFORE: what is the same in them is so."""
    for name, value in claimed.items():
        if name in truth.core:
            number = truth.core[name]
            got = {x.core[number] for x in after}
        elif name == 'nzcv':
            got = {x.psr >> 28 for x in after}
        elif name in FLAGS:
            got = {x.psr >> FLAGS[name] & 1 for x in after}
        else:
            found = FP_NAME.match(name)
            if not found:
                continue
            kind, number, bits = found.group(1), int(found.group(2)), FP_BITS[found.group(1)]
            at = 0
            if not truth.machine.a64 and bits == 32:
                number, at = number // 2, 32 * (number % 2)
            got = {x.fp[number] >> at & (1 << bits) - 1 for x in after}
        if len(got) == 1 and value not in got:
            place = truth.run.flow.places[before.pc]
            yield '%s step %d %x %s %s: then %s is %x, claimed %x' % (
                label, truth.number, before.pc, place.mnemonic, place.operands,
                name, got.pop(), value)


def inconsistent(run, traced, elf, lines, r, label):
    """What is claimed of steps and does not follow from what is claimed before."""
    told, truth, bad = claims(lines), Truth(run, traced), []
    board = Board(run.machine, elf)
    tried = 0
    try:
        board.command('Qqemu.sstep=1')
        board.run_to(run.flow.symbols['start'])
        for number in range(len(told) - 1):
            if r.random() * 100 >= PERCENT:
                continue
            step = truth.go(number)
            place, following = run.flow.places[step.pc], run.steps[truth.at + 1]
            text = place.mnemonic + ' ' + place.operands
            if VECTORS.match(text) and not MOVES.match(text):
                continue
            if truth.numbers[number + 1] != truth.at + 1 or following.events or SKIPPED.match(text) \
                    or run.machine.is_m and step.psr & 511 or INTERRUPTS in step.core:
                continue
            try:
                # Flags may be the same by chance.
                wild = '[' not in text and place.kind is None and 'sp' not in text
                after = [Filled(truth, told[number], r, k > 0, wild).run(board, step.pc)
                         for k in range(12 if wild else 2)]
            except Failure:
                continue
            except OSError:             # Of no use to the emulator at all.
                break
            if all(state.pc == following.pc for state in after):
                tried += 1
                bad += compare(truth, step, after, told[number + 1], label)
    finally:
        board.close()
    return tried, bad


def mutate(run, traced, elf, folder, convert, r, label):
    """Flip bits of the snapshot in FOLDER and judge: contradicted, steps tried, what is wrong."""
    told = flip(folder, r)
    options = r.choice(([], ['--window=%d' % r.randint(64, 700)]))
    label = ' '.join([label, 'flipped', *options])
    lines, said, status = listing(convert, folder, options)
    if status != 0:
        return 0, 0, ['%s: exit status %d: %s' % (label, status, said.strip())]
    if 'contradict' in said:
        return 1, 0, []
    tried, bad = inconsistent(run, traced, elf, lines, r, label)
    return 0, tried, ['%s (%s)' % (text, ', '.join(told)) for text in bad]
