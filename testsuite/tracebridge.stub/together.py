#!/usr/bin/env python3
# Several cores as threads of one target, at many moments: where the others stand, and how sure
# that is said to be, against what the timestamps of both force; breakpoints on all of them
# against what each core alone comes by.  See rsp.py for what it prints.
#
#   together.py STUB CONVERTER FOLDER [--moments N] [--seed N] INPUT...
#
# INPUT is a snapshot, or several cases with one core each, set off by commas, which become the
# cores of one snapshot in FOLDER; "log:SEED", a log of three cores that is made there; or "made:SEED",
# one of two cores that run the same code, as timeline.py makes it, whose true times are known: where a
# core truly stood is one of the places that are told.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import bisect
import os
import random
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import garbled
import rsp
import timeline
from rsp import report

NEVER = 1 << 64


def compose(folder, cases):
    """Make a snapshot of which core N is that of case N."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    devices, buffers, sections, tied, found = [], [], '', '', ''
    for number, case in enumerate(cases):
        own = os.path.join(folder, 'c%d' % number)
        shutil.copytree(case, own, ignore=shutil.ignore_patterns('truth*', 'live*'))
        for kind in 'cpu', 'etm':
            with open(os.path.join(own, kind + '_0.ini')) as file:
                text = file.read()
            text = text.replace('name=%s_0' % kind, 'name=%s_%d' % (kind, number))
            text = re.sub(r'(?m)^file=', 'file=c%d/' % number, text)
            name = '%s_%d.ini' % (kind, number)
            with open(os.path.join(folder, name), 'w') as file:
                file.write(text)
            devices.append('device%d=%s' % (len(devices), name))
        with open(os.path.join(own, 'trace.ini')) as file:
            framing = re.search(r'(?m)^format=(.*)$', file.read()).group(1)
        buffers.append('buffer%d' % number)
        sections += '[buffer%d]\nname=etb_%d\nfile=c%d/trace.bin\nformat=%s\n' \
                    % (number, number, number, framing)
        tied += 'cpu_%d=etm_%d\n' % (number, number)
        found += 'etm_%d=etb_%d\n' % (number, number)
    with open(os.path.join(folder, 'snapshot.ini'), 'w') as file:
        file.write('[snapshot]\nversion=1.0\n[device_list]\n%s\n[trace]\nmetadata=trace.ini\n'
                   % '\n'.join(devices))
    with open(os.path.join(folder, 'trace.ini'), 'w') as file:
        file.write('[trace_buffers]\nbuffers=%s\n%s[core_trace_sources]\n%s[source_buffers]\n%s'
                   % (','.join(buffers), sections, tied, found))
    return folder


def make_log(path, seed):
    """A log of three cores that run loops; often several instructions have one time."""
    chance = random.Random(seed)
    now, lines, at, count = 10, [], [0, 0, 0], [0, 0, 0]
    for _ in range(600):
        now += chance.choice((0, 0, 1, 1, 2, 7))
        core = chance.choice((0, 0, 1, 2))
        count[core] += 1
        # NOP, NOP ..., and back to the begin by a branch.
        pc = 0x1000 * (core + 1) + 4 * at[core]
        length = 5 + core
        if at[core] == length - 1:
            code = 0x14000000 | (-(length - 1) & 0x3ffffff)
            text = 'B {pc}-0x%x' % (4 * (length - 1))
            at[core] = 0
        else:
            code, text = 0xd503201f, 'NOP'
            at[core] += 1
        lines.append('%d clk cpu%d IT (%d) %x %08x O EL1h_n : %s\n'
                     % (now, core, count[core], pc, code, text))
    with open(path, 'w') as file:
        file.writelines(lines)
    return path


class Clock:
    """When a core can have stood at each position."""

    def __init__(self, steps, stamps, ran=()):
        """STAMPS: [step, time, later], TIME is stated before STEP, and LATER if something else is
        behind the step before it; none where they go back.  RAN: the true times of steps."""
        times = [time for step, time, later in stamps]
        if times != sorted(times):
            stamps = []
        self.steps = steps
        self.last = steps       # Where execution ends.
        self.tied = bool(stamps)
        self.ran = ran
        self.earliest = [0] * (steps + 1)
        self.latest = [NEVER] * (steps + 1)
        first, exact, behind = {}, {}, {}
        for step, time, later in stamps:
            if step not in first and not later:
                exact[step] = time
            first.setdefault(step, time)
            behind[step] = time
        time = 0
        for at in range(steps + 1):
            self.earliest[at] = exact.get(at, time)
            time = behind.get(at, time)
        time = NEVER
        for at in range(steps, -1, -1):
            self.latest[at] = time
            time = first.get(at, time)

    def true_places(self, begin, end):
        """Where it truly stood at the times from BEGIN to END."""
        return bisect.bisect_left(self.ran, begin), bisect.bisect_right(self.ran, end)

    def standing(self, other, position, last):
        """Where this one can stand while OTHER stands at POSITION."""
        low = bisect.bisect_left(self.latest, other.earliest[position])
        high = bisect.bisect_right(self.earliest, other.latest[position]) - 1
        # Its trace may begin later.
        return low, max(min(high, last), low)


def clocks_of_log(path):
    stamps = {}
    with open(path) as file:
        for line in file:
            words = line.split()
            items = stamps.setdefault(words[2], [])
            items.append([len(items) + 1, int(words[0]), False])
    return [Clock(len(stamps[name]), stamps[name]) for name in stamps]


def clocks_of_trace(converter, path):
    text = subprocess.run([converter, '--format=elements', path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    clocks, step, stamps, other, marked = [], 0, [], None, None
    for line in text.splitlines():
        words = line.split()
        if words[0] == 'R':
            step += int(words[4])
        elif words[0] in ('X', 'E') or step and words[0] in ('Y', 'T', 'A', 'Q'):
            other = step
        elif words[0] == 'K':
            marked = step, other == step
        elif words[0] == 'S':
            place, later = marked or (step, other == step)
            marked = None
            if int(words[1], 0) != 0:
                stamps.append([place, int(words[1], 0), later])
        elif line.startswith('# sum'):
            if step:
                clocks.append(Clock(step, stamps))
            step, stamps, other, marked = 0, [], None, None
    return clocks


def made(folder, seed):
    """(a snapshot of two cores, their clocks), both of which run and tell times."""
    for number in range(100 * seed, 100 * seed + 100):
        shutil.rmtree(folder, ignore_errors=True)
        cores = [source for source in timeline.make(folder, random.Random(number))[0].values()
                 if isinstance(source, timeline.Core)]
        if min(len(core.steps) for core in cores) > 20:
            return folder, [core.steps for core in cores]
    sys.exit('no snapshot of two cores that run')


class Target:
    """A connection with threads, and what is known of the cores."""

    def __init__(self, port, clocks):
        self.client = rsp.Client(port)
        self.clocks = clocks
        self.client.ask('qSupported:swbreak+;hwbreak+')
        # Steps would pass over breakpoints in handlers.
        self.client.monitor('interrupts stop')

    def threads(self):
        """[position, first, last] of each; FIRST is None where no range is told."""
        text = self.client.ask('qXfer:threads:read::0,fff')
        found = []
        for place in re.findall(r'<thread[^>]*>([^<]*)</thread>', text):
            step = re.match(r'step (\d+) of|end of the trace, after (\d+) steps|halted()', place)
            told = re.search(r', from (\d+) to (\d+) as timestamps tell', place)
            found.append([int(step.group(1) or step.group(2) or 0)]
                         + (list(map(int, told.groups())) if told else [None, None]))
        return found

    def go(self, core, position):
        self.client.ask('T%x' % (core + 1))
        self.client.monitor('goto %d' % position)

    def run(self, request):
        """The thread that stops, and why."""
        reply = self.client.ask(request)
        thread = re.search(r'thread:([0-9a-f]+)', reply)
        return int(thread.group(1), 16) - 1, reply


def wrong_places(target, leader, wrong, exact=None):
    """Compare where all stand with where the times of the one that leads allow."""
    places = target.threads()
    clocks = target.clocks
    at = places[leader][0]
    widths = []
    for core, (place, first, last) in enumerate(places):
        if core == leader or not clocks[core].tied or not clocks[leader].tied:
            if first is not None:
                wrong.append('core %d: a range is told' % core)
            continue
        low, high = clocks[core].standing(clocks[leader], at, clocks[core].last)
        if not low <= place <= high:
            wrong.append('core %d at %d, core %d at %d, which can be at %d to %d'
                         % (leader, at, core, place, low, high))
        if [low, high] != ([first, last] if first is not None else [place, place]):
            wrong.append('core %d at %d: core %d is told to be at %s to %s, its times force %d to '
                         '%d' % (leader, at, core, first, last, low, high))
        widths.append(high - low)
        if clocks[core].ran:
            ran = clocks[leader].ran
            truly = clocks[core].true_places(ran[at - 1] if at > 0 else ran[0],
                                             ran[at] if at < len(ran) else ran[-1])
            truly = [min(place, clocks[core].last) for place in truly]
            if not low <= truly[0] <= truly[1] <= high:
                wrong.append('core %d at %d: core %d is told to be at %s to %s, and was truly at %d to '
                             '%d' % (leader, at, core, first, last, *truly))
    return places, widths


def judge_moments(name, target, count, chance):
    """COUNT random moments, and a step from each, both ways."""
    wrong, widths = [], []
    for _ in range(count):
        leader = chance.choice([core for core, clock in enumerate(target.clocks) if clock.steps])
        position = chance.randrange(1, target.clocks[leader].steps - 1)
        target.go(leader, position)
        before, wide = wrong_places(target, leader, wrong)
        widths += wide
        if before[leader][0] != position:
            wrong.append('core %d goes to %d and stands at %d' % (leader, position,
                                                                   before[leader][0]))
        target.run('vCont;s:%x;c' % (leader + 1))
        after, wide = wrong_places(target, leader, wrong)
        if any(a[0] < b[0] for a, b in zip(after, before)):
            wrong.append('a step of core %d from %d takes one back: %s, %s'
                         % (leader, position, before, after))
        # The user chose the thread; GDB has read others since, in any order.
        target.client.ask('T%x' % (leader + 1))
        for core in chance.sample(range(len(before)), len(before)):
            target.client.ask('Hg%x' % (core + 1))
        target.client.ask('Hc0')
        stop, reply = target.run('bs')
        back, wide = wrong_places(target, leader, wrong)
        if stop != leader or 'replaylog' not in reply \
           and any(a[0] > b[0] for a, b in zip(back, after)):
            wrong.append('a step back of core %d takes one on: %s, %s' % (leader, after, back))
    mean = sum(widths) / len(widths) if widths else 0
    report('%s: %d moments, ranges of %.1f steps on average' % (name, count, mean), not wrong,
           '%d wrong: %s' % (len(wrong), '; '.join(wrong[:5])))


def judge_frames(name, alone, target, chance, width):
    """Trace frames of all cores: each position once, in the order of time, and searches."""
    clocks, wrong, seen = target.clocks, [], set()
    count = sum(clock.last + 1 for clock in clocks)
    names = re.findall(r'<thread[^>]*name="([^"]*)"', target.client.ask('qXfer:threads:read::0,fff'))

    def frame(request):
        reply = target.client.ask('QTFrame:' + request)
        if reply == 'F-1':
            return None
        text = target.client.ask('qXfer:threads:read::0,fff')
        core = names.index(re.search(r'<thread[^>]*name="([^"]*)"', text).group(1))
        return int(reply[1:].split('T')[0], 16), core, target.threads()[0][0]

    first = 0 if count < 1000 else chance.randrange(count - 1000)
    before = None
    for number in range(first, min(first + 1000, count)):
        found, core, at = frame('%x' % number)
        if found != number or (core, at) in seen:
            wrong.append('frame %d is %d, core %d at %d again' % (number, found, core, at))
        seen.add((core, at))
        if before and before[0] != core and clocks[core].tied and clocks[before[0]].tied \
                and at < clocks[core].last \
                and clocks[core].latest[at] < clocks[before[0]].earliest[before[1]]:
            wrong.append('frame %d of core %d at %d comes behind core %d at %d'
                         % (number, core, at, *before))
        if before and before[0] == core and at != before[1] + 1 and (core, at - 1) not in seen:
            wrong.append('frame %d of core %d at %d comes before %d' % (number, core, at, at - 1))
        before = core, at
    if frame('%x' % count) is not None:
        wrong.append('there is a frame %d' % count)
    report('%s: %d trace frames' % (name, count), not wrong, '; '.join(wrong[:5]))
    wrong = []
    address = some_address(alone.port(0), 0, chance, clocks[0].steps, width)
    wanted = {(core, at) for core in range(len(clocks))
              for at in stops(alone.port(core), 0, [address], False, width)}
    target.client.ask('QTFrame:ffffffff')
    found, last = set(), -1
    while (hit := frame('pc:%x' % address)) is not None and len(found) < 3000:
        if hit[0] <= last:
            wrong.append('frame %d behind %d' % (hit[0], last))
        last = hit[0]
        found.add(hit[1:])
    if not wanted <= found or any(at for core, at in found - wanted
                                  if 0 < at < clocks[core].last):
        wrong.append('%d places in place of %d' % (len(found), len(wanted)))
    target.client.ask('QTFrame:ffffffff')
    report('%s: %d trace frames at one place' % (name, len(found)), not wrong, '; '.join(wrong))


def is_stop(client, kind, addresses, width, reply):
    """Is it for what is set?  What GDB would miss stops execution, too, at other places."""
    if kind != 0:
        return reply.startswith('T05')
    pc = client.ask('p%x' % (32 if width == 64 else 15))
    return 'x' not in pc and int.from_bytes(bytes.fromhex(pc), 'little') in addresses


def stops(port, kind, addresses, backward, width):
    """Where a core alone comes by ADDRESSES, in order, but for the end of the recording."""
    client = rsp.Client(port)
    client.ask('qSupported:swbreak+;hwbreak+')
    client.ask('vCont;c' if backward else 'vRun;')
    for address in addresses:
        client.ask('Z%d,%x,4' % (kind, address))
    found = []
    while 'replaylog' not in (reply := client.ask('bc' if backward else 'vCont;c')):
        text = client.ask('qXfer:threads:read::0,fff')
        step = re.search(r'step (\d+) of', text)
        if step and is_stop(client, kind, addresses, width, reply):
            found.append(int(step.group(1)))
    client.close()
    return found


def some_address(port, kind, chance, steps, width):
    """The address of a random step, or one in the stack."""
    client = rsp.Client(port)
    client.monitor('goto %d' % chance.randrange(steps))
    pc = 32 if width == 64 else 15
    digits = client.ask('p%x' % (pc if kind == 0 else pc - 1 if width == 64 else 13))
    client.close()
    if 'x' in digits:
        return None
    address = int.from_bytes(bytes.fromhex(digits), 'little')
    return address if kind == 0 else address + 4 * chance.randrange(16)


def judge_stops(name, alone, target, kind, chance, width):
    """Run through all with breakpoints, or watchpoints, on every core, as GDB does."""
    clocks, rounds, tries = target.clocks, 0, 0
    what = 'breakpoints' if kind == 0 else 'watchpoints'
    while rounds < 2 and tries < 20:
        tries += 1
        addresses = {some_address(alone.port(core), kind, chance, clock.steps, width)
                     for core, clock in enumerate(clocks) if clock.steps} - {None}
        wanted = [[[at for at in stops(alone.port(core), kind, addresses, backward, width)
                    if 0 < at < clock.last]
                   for core, clock in enumerate(clocks)] for backward in (False, True)]
        if not 0 < sum(map(len, wanted[0])) < 1000:
            continue
        rounds += 1
        for backward in False, True:
            seen, wrong, times = [[] for clock in clocks], [], []
            # Where a step alone ended at a breakpoint, which GDB sees by itself.
            ends = {}
            # To the end, or the begin, of all.
            target.run('vCont;c' if backward else 'vRun;')
            for address in addresses:
                target.client.ask('Z%d,%x,4' % (kind, address))
            while True:
                if backward:
                    target.client.ask('Hc0')
                core, reply = target.run('bc' if backward else 'vCont;c')
                if 'replaylog' in reply:
                    break
                places = target.threads()
                # Who was taken back by this stop comes there once more: that stop counts.
                for other in [other for other in ends if other != core]:
                    place, end = places[other][0], ends[other]
                    if place > end if backward else place < end:
                        seen[other].remove(end)
                    if place != end:
                        del ends[other]
                at = places[core][0]
                if ends.pop(core, None) == at:
                    wrong.append('core %d stops again at %d' % (core, at))
                # At its first step the core stops that the client looks at, which is tested elsewhere.
                elif 0 < at < clocks[core].last \
                        and is_stop(target.client, kind, addresses, width, reply):
                    seen[core].append(at)
                times.append((core, at))
                wrong_places(target, core, wrong)
                if kind == 0 and backward and chance.randrange(2):
                    continue
                # Over it, without those that are here, and alone.
                for address in addresses:
                    target.client.ask('z%d,%x,4' % (kind, address))
                if backward:
                    target.client.ask('Hc%x' % (core + 1))
                    target.run('bs')
                else:
                    target.run('vCont;s:%x' % (core + 1))
                for address in addresses:
                    target.client.ask('Z%d,%x,4' % (kind, address))
                end = target.threads()[core][0]
                if kind == 0 and end != at and end in wanted[backward][core]:
                    seen[core].append(end)
                    ends[core] = end
            for address in addresses:
                target.client.ask('z%d,%x,4' % (kind, address))
            for core in range(len(clocks)):
                if seen[core] != wanted[backward][core]:
                    missing = [at for at in wanted[backward][core] if at not in seen[core]][:3]
                    wrong.append('core %d stops %d times in place of %d (not at %s)'
                                 % (core, len(seen[core]), len(wanted[backward][core]), missing))
            for (a, x), (b, y) in zip(times, times[1:]):
                if backward:
                    a, x, b, y = b, y, a, x
                # B stops behind A: it cannot be that B had gone on before A came there.
                if a != b and clocks[b].latest[y] < clocks[a].earliest[x]:
                    wrong.append('core %d at %d stops before core %d at %d' % (a, x, b, y))
            report('%s: %d %s stop %d times %s'
                   % (name, len(addresses), what, sum(map(len, seen)),
                      'backward' if backward else 'forward'), not wrong, '; '.join(wrong[:5]))


def judge_garbled(name, server, count, chance):
    """Packets at random, of any thread, then a session as always."""
    client = rsp.Client(server.port())
    client.socket.settimeout(60)
    for _ in range(count):
        core = chance.randrange(1, 4)
        contents = chance.choice([garbled.random_packet(chance), b'Hg%x' % core, b'Hc%x' % core,
                                  b'T%x' % core, b'vCont;s:%x;c' % core, b'vCont;c:%x' % core,
                                  b'bs', b'bc', b'QTFrame:%x' % chance.randrange(40),
                                  b'QTFrame:ffffffff', b'qXfer:threads:read::0,fff', b'g', b'QTStart'])
        if not garbled.leaves(contents) and contents[:1] != b'R':
            garbled.ask_all(client, [contents])
    client.close()
    rsp.wait_until_free(server)
    report('%s: %d random packets' % (name, count), server.alive())


def judge_interrupt(arguments):
    """Ctrl-C ends the search of a core that does not lead: which says so."""
    path = os.path.join(arguments.folder, 'long.log')
    with open(path, 'w') as file:
        file.write('1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP\n')
        for step in range(300000):
            code, text = (0x17fffffd, 'B 0x2000') if step % 4 == 3 else (0xd503201f, 'NOP')
            file.write('%d clk cpu1 IT (%d) %x %08x O EL1h_n : %s\n'
                       % (step + 2, step + 1, 0x2000 + 4 * (step % 4), code, text))
        file.write('300009 clk cpu0 IT (2) 1004 d503201f O EL1h_n : NOP\n')
    server = rsp.Server(arguments.stub, '--threads=cores', '--ahead=0', path)
    client = rsp.Client(server.port())
    client.ask('Hg1')
    client.ask('Z0,2400,4')
    client.socket.sendall(rsp.packet('bc') + b'\x03')
    reply = client.receive().decode()
    report('^C ends the search of another core', reply.startswith('T02thread:1;'), reply)
    report('which is named', re.search(rb'cpu1: Interrupted: the search has looked through the steps '
                                       rb'from 300000 back to \d+, and', client.console), client.console)
    client.close()
    server.stop()


def judge(arguments, given, chance):
    if given.startswith('log:'):
        path = make_log(os.path.join(arguments.folder, 'three.log'), int(given[4:]))
        clocks, name, width = clocks_of_log(path), 'a log', 64
    elif given.startswith('made:'):
        path, truth = made(os.path.join(arguments.folder, 'made'), int(given[5:]))
        clocks, name, width = clocks_of_trace(arguments.converter, path), 'two made cores', 64
        for clock, ran in zip(clocks, truth):
            clock.ran = ran
    else:
        path, name = given, os.path.basename(given)
        if ',' in given:
            name = ' and '.join(os.path.basename(case)[:3] for case in given.split(','))
            path = compose(os.path.join(arguments.folder, 'composed'), given.split(','))
        clocks = clocks_of_trace(arguments.converter, path)
        width = 64 if 'a57' in given else 32
    alone = rsp.Server(arguments.stub, '--threads=none', path)
    server = rsp.Server(arguments.stub, '--threads=cores', path)
    target = Target(server.port(), clocks)
    for place in target.threads()[len(clocks):]:
        clocks.append(Clock(0, []))
    for clock, place in zip(clocks, target.threads()):
        clock.last = place[0]
    judge_moments(name, target, arguments.moments, chance)
    judge_frames(name, alone, target, chance, width)
    if all(clock.tied for clock in clocks if clock.steps):
        judge_stops(name, alone, target, 0, chance, width)
        if not given.startswith('log:'):
            judge_stops(name, alone, target, 2, chance, width)
    target.client.close()
    judge_garbled(name, server, arguments.packets, chance)
    server.stop()
    alone.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('converter')
    parser.add_argument('folder')
    parser.add_argument('--moments', type=int, default=500)
    parser.add_argument('--packets', type=int, default=1500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('inputs', nargs='+')
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    judge_interrupt(arguments)
    for given in arguments.inputs:
        judge(arguments, given, random.Random(arguments.seed))


main()
