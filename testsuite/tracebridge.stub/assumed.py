#!/usr/bin/env python3
# What an assumption does to the registers that the stub gives, and that it is undone.  See
# rsp.py for what it prints; besides "example STEP REGISTER VALUE", a register that is known at
# a step only under the assumption.
#
#   assumed.py STUB NAME FOLDER [--steps N] [--seed N]
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
import truth
from rsp import report
from values import Registers


def look(client, registers, steps):
    """For each of the steps: registers that are known, and the masks of those that are not
    and of those that are assumed."""
    seen = []
    for step in steps:
        client.ask('QTFrame:%x' % step)
        values = registers.read(client)
        # $unknown_registers and $assumed_registers, which has no value where nothing is.
        masks = [client.ask('qTV:%d' % number) for number in (2, 3)]
        seen.append((values, *(int(mask[1:] or '0', 16) for mask in masks)))
    client.ask('QTFrame:ffffffff')
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('name')
    parser.add_argument('folder')
    parser.add_argument('--steps', type=int, default=150)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    case = truth.read(options.folder)
    registers = Registers(case.width)
    steps = sorted(random.Random(options.seed).sample(range(case.count), min(options.steps, case.count)))
    server = rsp.Server(options.stub, '--unknown=exact', options.folder)
    client = rsp.Client(server.port())
    before = look(client, registers, steps)
    client.monitor('assume %s on' % options.name)
    under = look(client, registers, steps)
    client.monitor('assume %s off' % options.name)
    after = look(client, registers, steps)
    client.close()
    server.stop()
    server = rsp.Server(options.stub, '--unknown=exact', '--assume=' + options.name, options.folder)
    client = rsp.Client(server.port())
    from_start = look(client, registers, steps)
    client.close()
    server.stop()

    more, wrong, unmarked, lost, example = 0, [], [], [], None
    for step, (old, _, none), (new, _, assumed) in zip(steps, before, under):
        right = dict(case.steps[step].registers, pc=case.steps[step].pc)
        for name, value in new.items():
            bit = registers.names.index(name)
            if value != right[name]:
                wrong.append('%d %s %x, truth %x' % (step, name, value, right[name]))
            if name not in old:
                more += 1
                if not assumed >> bit & 1:
                    unmarked.append('%d %s' % (step, name))
                elif name != 'psr':
                    example = '%d %s %x' % (step, name, value)
        lost += ['%d %s' % (step, name) for name, value in old.items() if new.get(name) != value]
        if none:
            wrong.append('%d: something is assumed already' % step)
    report('on: more registers are known', more > 0)
    report('on: they are right', not wrong, wrong[:5])
    report('on: they are marked as assumed', not unmarked, unmarked[:5])
    report('on: nothing else changes', not lost, lost[:5])
    report('off: all is as before', after == before,
           [pair for pair in zip(steps, before, after) if pair[1] != pair[2]][:2])
    report('the option does the same', from_start == under,
           [pair for pair in zip(steps, under, from_start) if pair[1] != pair[2]][:2])
    if example:
        print('example %s' % example)
    sys.exit(rsp.failed != 0)


main()
