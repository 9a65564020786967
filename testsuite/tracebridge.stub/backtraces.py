#!/usr/bin/env python3
# Backtraces from handlers: does GDB, at the first instruction of each, get to the function that
# was interrupted, in trace frames and by execution?  With --inside N at a random instruction of each
# (N is the seed), in the handler or in what it calls.  See rsp.py for what it prints.
#
#   backtraces.py STUB CONVERTER GDB NAME FOLDER ELF [--most N] [--source FILE] [--least N]
#                 [--inside N] [--option OPTION]...
#
# Which steps these are, and what ran before them, is what really happened where FOLDER, a case of
# the corpus, has that, and the converter's --changes is held against it; else it comes from
# --changes.  Names are GDB's own, so that code without function symbols, as that of vectors, is
# judged too.  At least N handlers are judged.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import truth
from rsp import report


def find_handlers(converter, folder):
    """(step, PC before) of the exceptions that were taken between two steps."""
    text = subprocess.run([converter, '-q', '--changes', '-o', '-', folder], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found, events, last = [], [], None
    for line in text.splitlines():
        if line.startswith('#'):
            events.append(line.split()[1])
        elif line:
            step, pc = line.split()[:2]
            if events and set(events) == {'exception'} and last is not None:
                found.append((int(step), last))
            events, last = [], int(pc, 16)
    return found


def true_handlers(folder):
    """The same, as it really was.  Behind a return it is what that returned to that is
    interrupted."""
    case = truth.read(folder)
    steps, records = case.steps, case.records
    return [(at, steps[at - 1].pc) for at in range(1, case.count)
            if steps[at].entered and records[at] - records[at - 1] == 1
            and not steps[at].returned and not steps[at - 1].returned]


def places_inside(folder, handlers, seed):
    """(step, PC that was interrupted) at a random step of each, behind its first one, where no other
    handler runs in it."""
    choose, case, found = random.Random(seed), truth.read(folder), []
    for at, pc in handlers:
        depth, own = 0, []
        for step in range(at + 1, case.count):
            if case.records[step] - case.records[step - 1] != 1 or case.steps[step - 1].returned and depth == 0:
                break
            depth += case.steps[step].entered - (case.steps[step - 1].returned and depth > 0)
            if depth == 0:
                own.append(step)
        if own:
            found.append((choose.choice(own), pc))
    return found


# What ran before has left its function, or a handler: what is interrupted is what that
# returned to.
CALLS = re.compile(r'\tblx?\s+0x[0-9a-f]+ <([^>+]+)>')
RETURNS = re.compile(r'\t(ret|eret|rfe\S*\s.*|bx\s+lr|(subs|movs?|ldr)\S*\s+pc,.*|(pop|ldm)\S*\s.*(pc|\^).*)$',
                     re.M)


def run_gdb(arguments, handlers):
    command = [arguments.gdb, '-q', '-nx', '-batch']
    options = ' '.join(['--elf=%s' % arguments.elf, *arguments.option])
    script = ['set debuginfod enabled off', 'set remotetimeout 60', 'set pagination off', 'set width 0',
              'set backtrace past-main on', 'file %s' % arguments.elf]
    if arguments.source:
        script.append('source %s' % arguments.source)
    script.append('target remote | exec %s --listen=stdio -q %s %s'
                  % (arguments.stub, options, arguments.folder))
    for step, pc in handlers:
        script += ['echo @was %d\\n' % step, 'info symbol 0x%x' % pc, 'x/i 0x%x' % pc,
                   'tfind %d' % step, 'echo @tfind %d\\n' % step, 'backtrace 12',
                   'tfind none', 'monitor goto %d' % step, 'maintenance flush register-cache',
                   'echo @goto %d\\n' % step, 'backtrace 12']
    for line in [*script, 'echo @end\\n']:
        command += ['-ex', line]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', timeout=600).stdout


def main():
    parser = argparse.ArgumentParser()
    for name in 'stub', 'converter', 'gdb', 'name', 'folder', 'elf':
        parser.add_argument(name)
    parser.add_argument('--most', type=int, default=25)
    parser.add_argument('--least', type=int, default=1)
    parser.add_argument('--inside', type=int)
    parser.add_argument('--source')
    parser.add_argument('--option', action='append', default=[])
    arguments = parser.parse_args()
    handlers = find_handlers(arguments.converter, arguments.folder)
    if os.path.exists(os.path.join(arguments.folder, 'truth.bin.xz')):
        listed, handlers = handlers, true_handlers(arguments.folder)
        missing = sorted(set(handlers) - set(listed))
        report('%s: the exceptions that were taken are listed' % arguments.name, not missing,
               repr(missing[:4]))
    report('%s: there are handlers' % arguments.name, len(handlers) >= arguments.least,
           '%d' % len(handlers))
    if len(handlers) > arguments.most:
        handlers = [handlers[i * len(handlers) // arguments.most] for i in range(arguments.most)]
    if arguments.inside is not None:
        handlers = places_inside(arguments.folder, handlers, arguments.inside)
    text = run_gdb(arguments, handlers)
    parts = re.split(r'^@(was|tfind|goto|end) ?(\d*)\n', text, flags=re.M)[1:]
    seen = {(way, step): body for way, step, body in zip(*[iter(parts)] * 3)}
    for way in 'tfind', 'goto':
        short, judged = [], 0
        for step, pc in handlers:
            before = seen.get(('was', str(step)), '')
            # A function that had just been called is what is interrupted.
            called = CALLS.search(before)
            was = called.group(1) if called else before.split(' ')[0]
            if RETURNS.search(before):
                continue
            judged += 1
            body = seen.get((way, str(step)), '')
            # "#1  0x... in f (...)", "#0  f (...)".
            names = re.findall(r'^#\d+\s+(?:0x[0-9a-f]+ in )?([^\s(]+)', body, re.M)
            if was is None or was not in names[1:]:
                short.append('%d: %s' % (step, body.strip()[:400]))
        report('%s: from handlers to what they interrupted, by %s' % (arguments.name, way),
               judged >= min(arguments.least, arguments.most) and not short,
               '%d of %d judged: %s' % (len(short), judged, ' '.join(short[:3])))


main()
