#!/usr/bin/env python3
# Steps by a real GDB at many places: where handlers interrupt them, they are passed over.
# See rsp.py for what it prints.
#
#   stepping.py STUB GDB NAME FOLDER ELF [--places N] [--seed N] [--source FILE] [--no-finish]
#
# Where "next", "reverse-next" and "finish" end is judged exactly (linesteps.py), but of tasks.
#
# FOLDER is a sample or case with its truth (see truth.py).  Half of the places are just before
# or behind an exception or a return from one.  --no-finish: no handler may be found whose
# frames GDB can tell apart.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import activations
import linesteps
import truth
from rsp import report

# What GDB runs: at each place each command; and where that led to.
INSIDE = r'''
import json, sys, gdb
places, links, output = json.load(open(%r))
def go(step):
    gdb.execute('monitor goto %%d' %% step, to_string=True)
    # It makes no step, and may change the thread; the project's commands do it by themselves.
    if 'tracebridge' not in sys.modules:
        gdb.execute('stepi', to_string=True)
    return int(gdb.parse_and_eval('$unknown_registers'))
results = []
for at, commands, back in places:
    for command in commands:
        # GDB tells frames apart by these.
        if back is not None and (go(back) | go(at)) & links:
            continue
        go(at)
        try:
            text = gdb.execute(command, to_string=True)
        except gdb.error as error:
            text = 'error: %%s' %% error
        results.append((at, command, int(gdb.parse_and_eval('$step')), text))
json.dump(results, open(output, 'w'))
'''


def chained(case):
    """The steps before which an exception follows another one of a kernel's, which is over: they
    return to a task at once."""
    active, found = (), set()
    for number in range(case.count - 1):
        if case.steps[number].entered:
            active += (number,)
        if case.steps[number].returned:
            if case.steps[number + 1].registers['psr'] & 0x1ff == 0:
                found.update(active[1:])
                active = ()
            active = active[:-1]
    return found


def contexts(case):
    """For each step the exceptions under way, the innermost last, by the steps at which they were
    taken, behind the number of the task that runs or was interrupted, if there are any; negative:
    the step is behind a gap."""
    is_case = isinstance(case, truth.Case)
    active, found = (), []
    starts = dict(case.source.get('tasks', ())) if is_case else {}
    names = sorted({name for name in starts.values() if name is not None})
    last, entries = 0, {}
    task, following = (case.count + len(names),) if starts else (), chained(case) if starts else ()
    for number in range(case.count):
        step = case.steps[number]
        if is_case:
            if step.entered:
                active = (active[:-1] if number in following else active) + (number,)
            if starts.get(number) is not None:
                task = (case.count + names.index(starts[number]),)
            found.append(task + active)
            if step.returned:
                active = active[:-1]
            if number + 1 < case.count and case.records[number + 1] - case.records[number] != 1:
                active = (-number - 1,)         # What it is now is not followed.
        else:
            # One behind another begins where that handler did before.
            handler = step.registers['psr'] & 0x1ff
            begins = not active or handler != last or entries.get(handler) == step.pc
            active = () if not handler else (number,) if begins else active
            if handler and begins:
                entries[handler] = step.pc
            last = handler
            found.append(active)
    return found


def passes(start, here):
    """Is HERE no handler that began after START's were under way?  A handler may return to another
    task than the one it interrupted."""
    return here == start[:len(here)] or len(start) > 1 and len(here) == 1 and start[0] > start[-1]


def expected(where, at, backward):
    """Where a step of one instruction leads to; None: it is not judged."""
    to = at - 1 if backward else at + 1
    while 0 <= to < len(where) and not passes(where[at], where[to]):
        if any(n < 0 for n in where[to]):
            return None
        to += -1 if backward else 1
    if not 0 <= to < len(where):
        # A handler that does not return is not passed over.
        return at + 1 if not backward and to >= len(where) and at + 1 < len(where) else None
    return to


def other_task(where, at, backward):
    """The first step of another task, or backward the last, from AT on."""
    to = at
    while 0 <= to < len(where) and (where[to][0] == where[at][0] or len(where[to]) > 1):
        to += -1 if backward else 1
    return to


def finished(where, at):
    """The step that finishing the handler that begins before step AT leads to; None: it does not
    return."""
    for to in range(at + 1, len(where)):
        if any(n < 0 for n in where[to]):
            return None
        if passes(where[at][:-1], where[to]):
            return to
    return None


def stepper(case, where, gdb, elf):
    """Who knows where GDB's steps over lines lead to."""
    pcs = [step.pc for step in case.steps[:case.count]]
    places = linesteps.read_places(gdb, elf, set(pcs))
    calls = activations.follow(case, where, places)
    return linesteps.Stepper(pcs, places, calls, lambda at, backward: expected(where, at, backward))


def lines_lead(walker, command, at):
    """Where COMMAND leads to from AT; None: it is not judged."""
    try:
        if walker is None:
            return None
        to = walker.finish(at) if command == 'finish' else walker.next(at, command != 'next')
    except linesteps.NotJudged:
        return None
    return to if 0 < to < walker.count else None


def main():
    parser = argparse.ArgumentParser()
    for name in 'stub', 'gdb', 'name', 'folder', 'elf':
        parser.add_argument(name)
    parser.add_argument('--places', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--source')
    parser.add_argument('--no-finish', dest='finish', action='store_false')
    a = parser.parse_args()
    case = truth.read(a.folder)
    where = contexts(case)
    choose = random.Random(a.seed)
    edges = [i for i in range(2, case.count - 2) if where[i] != where[i - 1] and min(where[i] + where[i - 1]) >= 0]
    # Handlers that return, and do not follow another: what that one interrupted is told in part only.
    entries = [i for i in range(1, case.count) if i in where[i] and finished(where, i) is not None
               and not case.steps[i - 1].returned]
    near = [i + d for i in edges for d in (-2, -1, 0, 1)]
    numbers = choose.sample(near, min(len(near), a.places // 2))
    numbers += choose.sample(range(2, case.count - 2), a.places - len(numbers))
    numbers += [i - 1 for i in choose.sample(entries, min(len(entries), 2))]
    numbers = [n for n in numbers if all(i >= 0 for i in where[n])]
    commands = ['stepi', 'reverse-stepi', 'step', 'next', 'reverse-step', 'reverse-next']
    places = [(n, commands, None) for n in numbers]
    # From their first instructions.
    places += [(n, ['finish'], finished(where, n))
               for n in choose.sample(entries, min(len(entries), a.places))]
    commands = commands + ['finish']
    tasks = isinstance(case, truth.Case) and 'tasks' in case.source
    walker = None if tasks else stepper(case, where, a.gdb, a.elf)
    if walker:
        # From anywhere.
        places += [(n, ['finish'], None) for n in numbers]
    with tempfile.TemporaryDirectory() as scratch:
        task, output, inside = (os.path.join(scratch, n) for n in ('task', 'output', 'inside.py'))
        with open(task, 'w') as file:
            json.dump((places, 1 << 13 | 1 << 7 if case.width == 32 else 3 << 30, output), file)
        with open(inside, 'w') as file:
            file.write(INSIDE % task)
        script = ['set debuginfod enabled off', 'set remotetimeout 60', 'set pagination off', 'set confirm off',
                  'file %s' % a.elf]
        if a.source:
            script.append('source %s' % a.source)
        script += ['target remote | exec %s --listen=stdio -q --elf=%s %s' % (a.stub, a.elf, a.folder),
                   'source %s' % inside]
        command = [a.gdb, '-q', '-nx', '-batch']
        for line in script:
            command += ['-ex', line]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors='replace', timeout=900)
        if not os.path.exists(output):
            report('%s: GDB steps' % a.name, False, run.stdout[-400:])
            return
        with open(output) as file:
            results = json.load(file)
    wrong, judged = {c: [] for c in commands}, {c: 0 for c in commands}
    crossed = switched = 0
    exact = {c: 0 for c in ('next', 'reverse-next', 'finish')}
    following = chained(case) if tasks else ()
    for at, command, to, text in results:
        backward = command.startswith('reverse')
        if tasks and re.search('task .* was switched .* the recording does not tell for certain where', text):
            want = other_task(where, at, backward)
            good = to == want and len(where[at]) == 1
        elif command in exact and (want := lines_lead(walker, command, at)) is not None:
            good = to == want
            exact[command] += 1
        elif command == 'finish':
            if at not in where[at]:
                continue
            want = finished(where, at)
            if want is None:
                continue
            good = to == want
        elif command.endswith('stepi'):
            want = expected(where, at, backward)
            if want is None:
                continue
            crossed += abs(want - at) > 1
            switched += tasks and any(w[0] != where[at][0] for w in where[min(at, want):max(at, want)])
            good = to == want
        else:
            if to >= case.count or to == 0 or any(n < 0 for n in where[to]):
                continue
            want = 'no handler but %s' % (where[at],)
            # Into one that does not return.
            lost = not backward and expected(where, at, False) is not None \
                and where[to] and not any(passes(where[at], w) for w in where[to:])
            # Handlers without lines, and those that follow them, GDB goes through.
            through = not backward and len(where[at]) > 1 and where[to][-1] in following
            good = (to < at if backward else to > at) and (passes(where[at], where[to]) or lost or through)
        judged[command] += 1
        if not good:
            wrong[command].append('%d: to %d, expected %s: %s' % (at, to, want, text[:200]))
    for command in commands:
        report('%s: %s' % (a.name, command),
               (judged[command] > 0 or command == 'finish' and not a.finish) and not wrong[command],
               '%d of %d: %s' % (len(wrong[command]), judged[command], ' '.join(wrong[command][:4])))
    report('%s: some steps pass over handlers' % a.name, crossed > 0, 'none')
    if walker:
        print('# %s: exact steps: %s' % (a.name, ' '.join('%s %d' % item for item in exact.items())))
    if tasks:
        report('%s: some steps pass over other tasks' % a.name, switched > 0, 'none')


main()
