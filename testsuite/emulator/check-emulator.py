#!/usr/bin/env python3
"""Judge tracebridge's state with random programs run under an emulator.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: check-emulator.py [--seed=N] [--count=N] [--machine=NAME,...] [--steps=N]
                         [--keep=FOLDER] [--mutate] CONVERT

Makes, runs and judges COUNT programs for each machine, with seeds from SEED on; CONVERT
is the program tracebridge-convert.  See README.  Exit status 1 where a value is wrong.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from a64 import A64, Max                                # noqa: E402
from aprofile import A15, A32                           # noqa: E402
from changes import judge_changes                        # noqa: E402
from flow import Flow                                   # noqa: E402
from judge import Verdict, judge, listing               # noqa: E402
from machine import MACHINES, Failure, Run              # noqa: E402
from mprofile import M0, M33, M4F                       # noqa: E402
from mutate import mutate                               # noqa: E402
from snapshot import Nothing, Style, write_snapshot     # noqa: E402

SETS = {'m0': M0, 'm4f': M4F, 'm33': M33, 'a15': A15, 'a32': A32, 'a64': A64, 'max': Max}
TOOLS = {True: 'aarch64-linux-gnu-', False: 'arm-none-eabi-'}
COMPILED = 'kernels', 'tricks'

HERE = os.path.dirname(os.path.abspath(__file__))


def build(machine, program, folder):
    """Assemble, compile and link; the flow of the program."""
    tools = TOOLS[machine.a64]
    source, elf = os.path.join(folder, 'program.S'), os.path.join(folder, 'program.elf')
    script = os.path.join(folder, 'program.ld')
    with open(source, 'w') as file:
        file.write(program.text)
    with open(script, 'w') as file:
        file.write('SECTIONS { . = 0x%x; .text : { *(.text*) *(.rodata*) } '
                   '/DISCARD/ : { *(.ARM.ex*) *(.eh_frame*) } }\n' % machine.code)
    options, parts = [] if machine.a64 else ['-Wa,-mimplicit-it=always'], [source]
    if program.compiled:
        compiled = os.path.join(folder, 'compiled.o')
        r = random.Random(program.seed)
        options += program.compile_flags
        subprocess.run([tools + 'gcc', *program.compile_flags, '-O' + r.choice('0123s'), '-ffreestanding',
                        '-fno-pic', '-g', '-c', os.path.join(HERE, program.compiled + '.c'), '-o', compiled],
                       check=True, capture_output=True, text=True)
        parts.append(compiled)
    subprocess.run([tools + 'gcc', *options, '-nostdlib', '-static', '-g', '-Wl,--build-id=none',
                    '-T', script, *parts, '-lgcc', '-o', elf],
                   check=True, capture_output=True, text=True)
    image = os.path.join(folder, 'program.bin')
    subprocess.run([tools + 'objcopy', '-O', 'binary', '-j', '.text', elf, image], check=True)
    flow = Flow(tools, elf, machine.a64)
    with open(image, 'rb') as file:
        flow.sections = [(machine.code, file.read())]
    return elf, flow


ALL = ('aapcs', 'constants', 'frames', 'halt', 'objects', 'tasks')
# What says that less is known, and no more.
NOT_USED = re.compile(r'.*The registers and memory at the halt are (?:not used|used all the same,).*\(--assume=halt.*\n?')


def ways(r, elf, breaks):
    """Options of the converter to try, for a program that BREAKS some assumptions."""
    kept = '--assume=' + ','.join(name for name in ALL if name not in breaks)
    return [('certain', []), ('assumed', ['--assume=aapcs,constants']), ('all', [kept, '--elf=' + elf]),
            ('windows', ['--window=%d' % r.randint(64, 700)]
             + r.choice(([], [], ['--assume=aapcs,constants'])))]


def one(machine, seed, arguments, folder):
    """Make, run and judge one program."""
    r = random.Random(seed)
    program = SETS[machine.name](machine, seed, COMPILED[seed // 4 % 2] if seed % 4 == 0 else None)
    elf, flow = build(machine, program, folder)
    run = Run(machine, program, elf, flow, seed, arguments.steps
              or r.choice((1000, 2500, 6000) if program.compiled == 'tricks' else (300, 800, 2000)))
    snapshot = os.path.join(folder, 'snapshot')
    traced = write_snapshot(snapshot, run, Style(machine, seed))
    verdicts = []
    for label, options in ways(r, elf, program.breaks):
        lines, said, status = listing(arguments.convert, snapshot, options)
        said = NOT_USED.sub('', said)
        verdict = judge(run, traced, lines,
                        '%s seed %d %s' % (machine.name, seed, ' '.join([label] + options)),
                        program.standard)
        if status != 0:
            verdict.bad.append('%s seed %d %s: exit status %d: %s'
                               % (machine.name, seed, label, status, said.strip()))
        elif said.strip() and (program.standard and program.compiled != 'tricks'
                               or '--assume' not in ' '.join(options)):
            # The run is true: nothing may contradict it, but for assumptions where it jumps about.
            verdict.bad.append('%s seed %d %s: %s' % (machine.name, seed, ' '.join([label] + options), said.strip()))
        verdicts.append(verdict)
    options = r.choice(([], ['--assume=aapcs,constants']))
    lines, _, _ = listing(arguments.convert, snapshot, options, '--changes')
    verdicts.append(judge_changes(run, traced, lines, '%s seed %d %s' % (
        machine.name, seed, ' '.join(['changes'] + options)), program.standard))
    if r.random() < 0.3:
        log = os.path.join(folder, 'run.log')
        written, said, status = listing(arguments.convert, snapshot, [], '--format=tarmac', log)
        lines, more, again = listing(arguments.convert, log, [])
        said = NOT_USED.sub('', said)
        verdicts.append(judge(run, traced, lines, '%s seed %d log' % (machine.name, seed), False))
        if status or again or said or more:
            verdicts[-1].bad.append('%s seed %d log: %s' % (machine.name, seed, said + more))
    if arguments.mutate:
        label = '%s seed %d' % (machine.name, seed)
        contradicted, tried, bad = mutate(run, traced, elf, snapshot, arguments.convert, r, label)
        verdicts[0].contradicted, verdicts[0].tried = contradicted, tried
        verdicts[0].bad += bad
    return verdicts


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('--seed', type=int)
    parser.add_argument('--count', type=int, default=10)
    parser.add_argument('--steps', type=int)
    parser.add_argument('--machine', default=','.join(SETS))
    parser.add_argument('--mutate', action='store_true')
    parser.add_argument('--keep')
    parser.add_argument('convert')
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.randrange(1, 10 ** 6)
    totals, programs, skipped, wrong = {}, 0, {}, 0
    for number in range(seed, seed + arguments.count):
        for name in arguments.machine.split(','):
            folder = arguments.keep or tempfile.mkdtemp(prefix='emulator-')
            os.makedirs(folder, exist_ok=True)
            try:
                verdicts = one(MACHINES[name], number, arguments, folder)
            except (Failure, Nothing, OSError) as failure:
                why = str(failure)[:40]
                skipped[why] = skipped.get(why, 0) + 1
                continue
            except subprocess.CalledProcessError as failure:
                print('%s seed %d: %s' % (name, number, failure.stderr.strip()))
                skipped['not assembled'] = skipped.get('not assembled', 0) + 1
                continue
            finally:
                if not arguments.keep:
                    shutil.rmtree(folder, ignore_errors=True)
            programs += 1
            for verdict, total in zip(verdicts, totals.setdefault(name, [Verdict() for _ in range(6)])):
                total.add(verdict)
                wrong += len(verdict.bad)
                for text in verdict.bad[:5]:
                    print('BAD ' + text)
                sys.stdout.flush()
    for name, total in totals.items():
        if arguments.mutate:
            print('%s: %d halts with flipped bits contradicted, %d steps of others run again'
                  % (name, total[0].contradicted, total[0].tried))
        print('%s: %d steps; known of core registers %s, of FP registers %s; %d values of memory'
              % (name, total[0].steps,
                 '/'.join('%.1f%%' % (100 * v.core_known / max(v.core, 1)) for v in total[:4]),
                 '/'.join('%.1f%%' % (100 * v.fp_known / max(v.fp, 1)) for v in total[:4]),
                 sum(v.memory for v in total))
              + (' (not compared: %s)' % ' '.join(sorted(total[0].ignored)) if total[0].ignored else ''))
    print('seeds %d to %d: %d programs, %d wrong; left out: %s'
          % (seed, seed + arguments.count - 1, programs, wrong,
             ', '.join('%d %s' % (n, why) for why, n in skipped.items()) or 'none'))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
