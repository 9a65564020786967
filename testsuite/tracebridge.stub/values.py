#!/usr/bin/env python3
# Registers and memory that the stub gives at many steps, against what really happened: in
# trace frames, and by execution in both directions.  See rsp.py for what it prints.
#
#   values.py STUB [--steps N] [--seed N] FOLDER=LEAST...
#
# FOLDER is a sample or case with its truth (see truth.py); LEAST is how many registers must be
# known at a step on average.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
import truth
from rsp import report

STACK = 64      # Bytes from the stack pointer on that are read at a step.


class Registers:
    """What "g" gives for a core of so many bits."""

    def __init__(self, width):
        self.size = width // 8
        self.names = truth.NAMES32 + ['pc', 'psr'] if width == 32 else truth.NAMES64 + ['pc', 'psr']

    def read(self, client):
        """Name to value, of those that are known."""
        text = client.ask('g')
        values = {}
        for number, name in enumerate(self.names):
            digits = text[2 * self.size * number:2 * self.size * (number + 1)]
            if name == 'psr':
                digits = digits[:8]
            if 'x' not in digits:
                values[name] = int.from_bytes(bytes.fromhex(digits), 'little')
        return values


class Judge:
    def __init__(self, case):
        self.case = case
        self.registers = Registers(case.width)
        self.known = self.bytes = self.places = 0
        self.wrong = []

    def compare(self, client, number, ram=None):
        """What CLIENT says where it stands; it must be before step NUMBER."""
        step = self.case.steps[number]
        right = dict(step.registers, pc=step.pc)
        values = self.registers.read(client)
        self.places += 1
        if 'pc' not in values:
            self.wrong.append('step %d: the PC is not known' % number)
        for name, value in values.items():
            self.known += name != 'pc'
            if value != right[name]:
                self.wrong.append('step %d: %s %x, truth %x' % (number, name, value, right[name]))
        if ram is not None:
            self.compare_memory(client, number, right['sp'], ram)

    def compare_memory(self, client, number, address, ram):
        at = 0
        while at < STACK:
            reply = client.ask('m%x,%x' % (address + at, STACK - at))
            if reply.startswith('E'):
                at += 1
                continue
            got = bytes.fromhex(reply)
            base = address - self.case.ram_base + at
            if got != ram[base:base + len(got)]:
                self.wrong.append('step %d: %x: %s, truth %s' % (number, address + at, reply,
                                                                 ram[base:base + len(got)].hex()))
            self.bytes += len(got)
            at += max(len(got), 1)


def test_frames(client, case, numbers):
    judge = Judge(case)
    for number, ram in zip(numbers, case.images(numbers)):
        reply = client.ask('QTFrame:%x' % number)
        if reply != 'F%xT1' % number:
            judge.wrong.append('QTFrame:%x: %s' % (number, reply))
        # $step.
        if client.ask('qTV:1') != 'V%x' % number:
            judge.wrong.append('step %d: $step' % number)
        judge.compare(client, number, ram)
    client.ask('QTFrame:ffffffff')
    return judge


def test_execution(client, case, numbers):
    judge = Judge(case)
    for number in numbers:
        client.monitor('interrupts stop')
        client.monitor('goto %d' % number)
        client.send('?')
        client.receive()
        judge.compare(client, number)
        if 0 < number < case.count - 1:
            # A step back, two on, and one back.
            for packet, place in (('bs', number - 1), ('s', number), ('vCont;s:1;c', number + 1), ('bs', number)):
                if not client.ask(packet).startswith('T05'):
                    judge.wrong.append('step %d: %s' % (number, packet))
                judge.compare(client, place)
    return judge


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('cases', nargs='+')
    parser.add_argument('--steps', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    for argument in options.cases:
        folder, _, least = argument.rpartition('=')
        name = os.path.basename(folder)
        case = truth.read(folder)
        chance = random.Random(options.seed)
        ends = [at for at in list(range(10)) + list(range(case.count - 10, case.count)) if 0 <= at < case.count]
        chosen = chance.sample(range(case.count), min(options.steps, case.count))
        numbers = sorted(set(ends + chosen))
        log = os.path.join(folder, 'tarmac.log')
        server = rsp.Server(options.stub, '--unknown=exact', log if os.path.exists(log) else folder)
        client = rsp.Client(server.port())
        judge = test_frames(client, case, numbers)
        average = judge.known / judge.places
        report('%s, %d frames (seed %d)' % (name, judge.places, options.seed), not judge.wrong, '; '.join(judge.wrong[:5]))
        report('%s, %s registers are known' % (name, least), average >= float(least), '%.2f' % average)
        report('%s, bytes of the stack' % name, judge.bytes > 0, judge.bytes)
        judge = test_execution(client, case, numbers[::4])
        report('%s, %d places by execution' % (name, judge.places), not judge.wrong, '; '.join(judge.wrong[:5]))
        report('%s, %s registers are known by execution' % (name, least),
               judge.known / judge.places >= 0.95 * float(least), '%.2f' % (judge.known / judge.places))
        client.close()
        server.stop()
    sys.exit(rsp.failed != 0)


if __name__ == '__main__':
    main()
