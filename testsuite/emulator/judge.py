"""Compare what tracebridge-convert says of a recorded run with what really was.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import re
import subprocess

FLAGS = {'n': 31, 'z': 30, 'c': 29, 'v': 28}
REGISTERS = {'sl': 10, 'fp': 11, 'ip': 12, 'lr': 14}
FP_NAME = re.compile(r'([sdqv])(\d+)$')
FP_BITS = {'s': 32, 'd': 64, 'q': 128, 'v': 128}


class Verdict:
    """Counts, and what is wrong."""

    def __init__(self):
        self.steps = self.core = self.core_known = self.fp = self.fp_known = 0
        self.memory = 0
        self.contradicted = self.tried = 0      # See mutate.py.
        self.ignored = set()
        self.bad = []

    def add(self, other):
        for name in ('steps', 'core', 'core_known', 'fp', 'fp_known', 'memory', 'contradicted',
                     'tried'):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ignored |= other.ignored
        self.bad += other.bad


def fp_truth(machine, step, name, number):
    """The value of an FP register, or None."""
    if machine.a64:
        if number >= 32:
            return None
        return step.fp[number] & (1 << FP_BITS[name]) - 1
    per_d = {'s': 2, 'd': 1, 'q': 0.5, 'v': 0.5}[name]
    if number >= per_d * machine.nd or name == 's' and number >= 32:
        return None
    if name == 's':
        return step.fp[number // 2] >> 32 * (number % 2) & 0xffffffff
    if name == 'd':
        return step.fp[number]
    return step.fp[2 * number] | step.fp[2 * number + 1] << 64


class Truth:
    """A run's state, step by step."""

    def __init__(self, run, traced):
        self.run, self.machine = run, run.machine
        # The numbers of the traced steps.
        self.numbers = [number for first, end in traced for number in range(first, end)]
        self.image = bytearray(run.ram0)
        self.at = -1
        names = ['x%d' % i for i in range(31)] if self.machine.a64 else \
            ['r%d' % i for i in range(13)]
        self.core = {name: i for i, name in enumerate(names)}
        self.core['sp'] = 31 if self.machine.a64 else 13
        if not self.machine.a64:
            self.core['lr'] = 14
        # What the emulator does not tell of the M profile: the other stack pointer,
        # PRIMASK.
        self.other = run.program.main_stack if self.machine.is_m else 0
        self.primask = 0

    def go(self, number):
        """To before step NUMBER of the trace."""
        target, self.number = self.numbers[number], number
        steps = self.run.steps
        while self.at < target:
            self.at += 1
            step = steps[self.at] if self.at < len(steps) else self.run.halt
            for offset, data in step.changes:
                self.image[offset:offset + len(data)] = data
            if self.machine.is_m:
                self.follow_special(steps[self.at - 1] if self.at else step, step)
            self.step = step
        return self.step

    def follow_special(self, before, step):
        """From the step BEFORE to STEP."""
        place = self.run.flow.places[before.pc]
        if before is not step:
            word, _, value = place.operands.partition(', ')
            if place.mnemonic in ('cpsid', 'cpsie') and word == 'i':
                self.primask = int(place.mnemonic == 'cpsid')
            elif place.mnemonic == 'msr' and word.lower() == 'primask':
                self.primask = before.core[REGISTERS.get(value) or int(value[1:])] & 1
        if not self.run.program.psp or not self.run.program.compiled:
            # Other programs change stacks, too.
            self.other = None
            return
        for kind, _, _, psr, sp in step.events:
            if kind == 'exception' and not psr & 511:
                # The frame is on the process stack.
                size = 0x20 if step.core[14] & 16 else 0x68
                self.other = sp - size & ~7
            elif kind != 'exception' and not psr & 511:
                self.other = self.run.program.main_stack

    def special(self, name):
        """MSP, PSP, PRIMASK."""
        if name == 'primask':
            return self.primask
        handler = self.step.psr & 511
        if not handler and self.run.program.psp and not self.run.program.compiled:
            return None
        if name == 'psp' and handler and self.run.program.tasks:
            return None
        if name == 'msp' and (handler or not self.run.program.psp) \
           or name == 'psp' and not handler and self.run.program.psp:
            return self.step.core[13]
        return self.other

    def memory(self, address, size):
        """A value of memory, or None where it is no memory that does not change by itself."""
        for base, data in self.run.flow.sections + [(self.machine.ram, self.image)]:
            if base <= address <= address + size <= base + len(data):
                return int.from_bytes(data[address - base:address - base + size], 'little')
        return None

    def value(self, name):
        """What a register of the listing really holds; None: not known here."""
        step = self.step
        if name in self.core:
            return step.core[self.core[name]]
        if name == 'nzcv':
            return step.psr >> 28 & 15
        if name in FLAGS:
            return step.psr >> FLAGS[name] & 1
        found = FP_NAME.match(name)
        if found:
            return fp_truth(self.machine, step, found.group(1), int(found.group(2)))
        status = ('fpsr', 'fpcr') if self.machine.a64 else ('fpscr',)
        if name in status and self.machine.nd:
            return step.fp[self.machine.nd + status.index(name)]
        if self.machine.is_m and name in ('msp', 'psp', 'primask'):
            return self.special(name)
        if name.startswith('m:'):
            _, address, size = name.split(':')
            return self.memory(int(address, 16), int(size))
        return None


def listing(tool, folder, options, form='--format=registers', output='-'):
    """Lines of a listing; what it says on standard error; its exit status."""
    done = subprocess.run([tool, form, '-o', output, *options, folder],
                          capture_output=True, text=True, timeout=120)
    return done.stdout.splitlines(), done.stderr, done.returncode


def judge(run, traced, lines, label, assumed):
    """Compare the lines of a listing; ASSUMED: what holds under an assumption, too."""
    truth, verdict = Truth(run, traced), Verdict()
    machine = run.machine
    expected = len(truth.numbers)
    bad = verdict.bad
    for line in lines:
        if line.startswith('#'):
            continue
        number, pc, *items = line.split()
        number = int(number)
        if number >= expected:
            bad.append('%s step %d: the run has %d' % (label, number, expected))
            break
        step = truth.go(number)
        if int(pc, 16) != step.pc:
            bad.append('%s step %d: pc is %s, truth %x' % (label, number, pc, step.pc))
            break
        verdict.steps += 1
        for item in items:
            name, _, text = item.partition('=')
            if name.endswith('~'):
                if not assumed:
                    continue
                name = name[:-1]
            value, right = int(text, 16), truth.value(name)
            if right is None:
                verdict.ignored.add(re.sub(r'\d+$|:.*', '', name))
                continue
            if name.startswith('m:'):
                verdict.memory += 1
            elif name in truth.core or name in FLAGS or name == 'nzcv':
                verdict.core_known += 1 if name not in FLAGS else 0.25
            else:
                found = FP_NAME.match(name)
                verdict.fp_known += 0.25 * FP_BITS[found.group(1)] / 32 if found else 0
            if value != right:
                bad.append('%s step %d (run %d) %x %s: %s is %x, truth %x'
                           % (label, number, truth.at, step.pc,
                              run.flow.places[step.pc].mnemonic, name, value, right))
    verdict.core = verdict.steps * (len(truth.core) + 1)
    verdict.fp = verdict.steps * machine.nd * (1 if machine.a64 else 0.5)
    if verdict.steps < expected and not bad:
        bad.append('%s: %d steps of %d' % (label, verdict.steps, expected))
    return verdict
