"""A log that grows while it is told: follow.py CONVERTER LOG FOLDER

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Pieces of LOG, which end anywhere, are added to a file in FOLDER or written to a pipe.  What is
told must be the steps of LOG, each once and in order, with no value that the whole log denies."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from rsp import report  # noqa: E402
import rsp  # noqa: E402

converter, log, folder = sys.argv[1:]
environment = dict(os.environ, TMPDIR=os.path.join(folder, 'temporary'))
os.makedirs(environment['TMPDIR'])
with open(log, 'rb') as file:
    data = file.read()


def steps(text):
    """The lines of a listing: the step and PC, and the values by name."""
    found = []
    for line in text.splitlines():
        if not line.startswith('#'):
            words = line.split()
            found.append((words[0], words[1], dict(word.rsplit('=', 1) for word in words[2:])))
    return found


whole = steps(subprocess.run([converter, '-q', '--format=registers', '-o', '-', log],
                             capture_output=True, text=True, check=True).stdout)


class Followed:
    """The converter, following a file (or standard input, with PIPE) that has nothing yet."""

    def __init__(self, *options, pipe=False, name='growing.log', form='--format=registers'):
        self.path = os.path.join(folder, name)
        if not pipe:
            open(self.path, 'wb').close()
        self.out = os.path.join(folder, 'out')
        with open(self.out, 'w') as out:
            self.process = subprocess.Popen(
                [converter, '--follow', form, *options, '-' if pipe else self.path],
                stdin=subprocess.PIPE if pipe else subprocess.DEVNULL, stdout=out,
                stderr=subprocess.PIPE, text=True, env=environment)

    def add(self, piece):
        with open(self.path, 'ab') as growing:
            growing.write(piece)

    def told(self):
        """The whole lines so far."""
        with open(self.out) as out:
            text = out.read()
        return text[:text.rfind('\n') + 1]

    def until(self, condition):
        """Wait until CONDITION holds of what was told; else what was."""
        for _ in range(600):
            if condition(self.told()) or self.process.poll() is not None:
                return condition(self.told())
            time.sleep(0.05)
        return False

    def end(self, number=signal.SIGINT):
        if number is not None:
            self.process.send_signal(number)
        _, messages = self.process.communicate(timeout=60)
        return self.process.returncode, self.told(), messages


def compare(name, text, count=len(whole)):
    """TEXT tells of the first COUNT steps, and of nothing that the whole log denies."""
    got = steps(text)
    report(name + ': the steps', [g[:2] for g in got] == [w[:2] for w in whole[:count]],
           '%d of %d' % (len(got), count))
    wrong = [(g[0], key, value, w[2][key]) for g, w in zip(got, whole)
             for key, value in g[2].items() if w[2].get(key, value) != value]
    known = sum(len(g[2]) for g in got)
    report(name + ': the values', not wrong and known > 2 * len(got), wrong[:5] or known)


# In pieces that end within lines; what came is told before the next one comes.
run = Followed()
size = len(data) // 5
seen = []
for at in range(0, 4 * size, size):
    run.add(data[at:at + size])
    before = len(seen)
    if not run.until(lambda text: len(steps(text)) > before):
        break
    seen = steps(run.told())
report('is told as it comes', 0 < len(seen) < len(whole), len(seen))
run.add(data[4 * size:])
run.until(lambda text: len(steps(text)) >= len(whole) - 64)
status, text, messages = run.end()
report('^C: status', status == 0, (status, messages))
lines = data.count(b'\n')
report('^C: totals', text.endswith('# followed %s: %d lines, %d instructions, until interrupted\n'
                                   % (run.path, lines, len(whole))), text[-200:])
compare('^C', text)
report('^C: nothing is left', os.listdir(environment['TMPDIR']) == [],
       os.listdir(environment['TMPDIR']))

# The end of a line that has none is left out, and that is told.
run = Followed('--idle-limit=1')
cut = data.rindex(b'\n', 0, len(data) // 2) + 8
run.add(data[:cut])
status, text, messages = run.end(None)
report('idle: status', status == 0, (status, messages))
report('idle: totals', text.endswith('until nothing more came\n'), text[-200:])
report('idle: the part of a line', 'the last line has no end, and is left out' in messages,
       messages)
compare('idle', text, len(steps(text)))

# A pipe ends.
run = Followed(pipe=True)
for at in range(0, len(data), size):
    run.process.stdin.buffer.write(data[at:at + size])
    run.process.stdin.flush()
    time.sleep(0.15)
run.process.stdin.close()
run.process.stdin = None
status, text, messages = run.end(None)
report('a pipe: status', status == 0, (status, messages))
report('a pipe: totals', text.endswith('until its end\n'), text[-200:])
compare('a pipe', text)

# A file that is no longer what it was.
for name, change, message in (
        ('shorter', lambda path: os.truncate(path, 1000), 'became shorter'),
        ('replaced', lambda path: os.rename(log + '.copy', path), 'was replaced or removed'),
        ('removed', os.unlink, 'was replaced or removed')):
    with open(log + '.copy', 'wb') as file:
        file.write(data)
    run = Followed()
    run.add(data[:3 * size])
    run.until(lambda text: len(steps(text)) > 0)
    change(run.path)
    status, text, messages = run.end(None)
    report(name + ': status', status == 1, status)
    report(name + ': told', 'the file that is followed ' + message in messages, messages)
    compare(name, text, len(steps(text)))

# Sums, each time more.
run = Followed(form='--format=summary')
run.add(data[:2 * size])
run.until(lambda text: '# sum' in text)
run.add(data[2 * size:])
run.until(lambda text: text.count('# sum') > 1)
status, text, messages = run.end()
sums = [line for line in text.splitlines() if line.startswith('# sum')]
last = subprocess.run([converter, '-q', '--format=summary', '-o', '-', log], capture_output=True,
                      text=True, check=True).stdout.splitlines()
report('sums', len(sums) > 1 and sums[-1] == last[0], (sums, last))

# Two cores in one log: steps of each, under its name.
if b' cpu0 ' in data:
    both = b''.join(line + line.replace(b' cpu0 ', b' cpu1 ')
                    for line in data.splitlines(keepends=True))
    run = Followed('--idle-limit=5')
    for at in range(0, len(both), len(both) // 3):
        run.add(both[at:at + len(both) // 3])
        run.until(lambda text: text.count('# source') > 2 * (at > 0))
    status, text, messages = run.end(None)
    for core in ('cpu0', 'cpu1'):
        parts = [part.partition('\n') for part in text.split('# source ')]
        own = ''.join(lines for name, _, lines in parts if name.endswith(core))
        compare('two cores, ' + core, own)
    report('two cores: in turn', text.count('# source') > 3, text.count('# source'))

# What is no log.
run = Followed('--idle-limit=1')
run.add(b'nothing of a log\n' * 10)
status, text, messages = run.end(None)
report('no log', status == 1 and 'growing.log: expected' in messages, (status, messages))
report('nothing is left', os.listdir(environment['TMPDIR']) == [],
       os.listdir(environment['TMPDIR']))
sys.exit(rsp.failed != 0)
