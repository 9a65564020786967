#!/usr/bin/env python3
"""Make small random changes to the sources (mutants), and see whether the tests notice.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: mutants.py [options] FOLDER...     FOLDER: below the top, such as common/state

  make -C testsuite mutants FOLDER=common/state SEED=1 N=30

A mutant is one change to one C file: a condition negated, a comparison moved by one, a
number one more, && for ||, + for -, true for false, a call, an assignment or a jump left
out (sites.py); not what frees memory, as builds with sanitizers notice that.  SEED chooses
N of all places in the folders; the same seed and sources give the same mutants.  A mutant that does not compile, or whose object file is the same
as before, is passed over and another one chosen.

How it runs: the sources are copied to a work folder (the user's tree is never changed)
and built there twice, plainly and for gcov.  Each unit test is run once for gcov, which
tells the lines that it executes; that map is kept until the test's program changes.  A
mutant is one file compiled, and linked to one test after the other, of those that execute
the line, the fastest first, until one fails.  A test that takes much more processor time
than it did, or more memory than there is room for, is stopped and has noticed the mutant.  Only unit
tests run here; what a DejaGnu test alone would notice counts as survived.

Output: a line for each mutant, the survivors as unified diffs, and a table of files.  A
survivor is a hint: what it breaks no test asserts, or it changes nothing that matters.
Exit status 1 if anything survived.

Options:
  --seed=N        which mutants are chosen (1)
  --count=N       how many (30)
  --work=FOLDER   the work folder (mutants-work); about 700 MB
  --only=ID       run this mutant, as its line names it; may be repeated
  --patch=FILE    take the change from a unified diff instead; may be repeated
  --match=REGEX   only places with this in what is changed, such as 'lose|epoch'
  --kind=NAME     only changes of this kind: leave-out, negate, swap, one-more
  --tests=NAMES   judge by these tests only, separated by commas
  --slowest=S     leave out tests that take longer than S seconds (20)
  --list          list what would be run, and end
  --help          print this help
Environment: CC the compiler (gcc), TB_SHARED as for the tests.
"""
import argparse
import atexit
import difflib
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import sites

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The outputs of the autotools, in the order in which they are made of each other.
GENERATED = ['aclocal.m4', 'configure', 'config.h.in', 'Makefile.in']
MEMORY = 4 << 30
# So many times a bound of processor time by the clock is a test that waits for ever.
WAITS = 20
running = None


def stop_running():
    """End the program that is running now, with all that it started."""
    if running is not None:
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def run(command, folder, env=None, seconds=None, limited=False):
    """Run COMMAND in a process group of its own.  Returns its status and output; the
    status is None when it took more than SECONDS: of processor time if it is LIMITED, as
    other programs may keep the processors busy, else by the clock."""
    global running
    running = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True,
                               preexec_fn=(lambda: limits(int(seconds) + 1)) if limited else None)
    try:
        output = running.communicate(timeout=seconds * WAITS if limited else seconds)[0]
        status = running.returncode
        if limited and status in (-signal.SIGXCPU, -signal.SIGKILL):
            status = None
    except subprocess.TimeoutExpired:
        stop_running()
        output = running.communicate()[0]
        status = None
    stop_running()
    running = None
    return status, output.decode(errors='replace')


def spent():
    """The processor time of all programs that were run, in seconds."""
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def must(command, folder, env=None):
    status, output = run(command, folder, env)
    if status != 0:
        sys.exit(f'mutants: in {folder}: {" ".join(command)}\n{output[-4000:]}')
    return output


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def write(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def copy_sources(target):
    """Make TARGET a copy of the source tree.  What differs is made new, so that make sees
    it, and the outputs of the autotools stay newer than what they were made of."""
    wanted = []
    for folder, folders, files in os.walk(TOP):
        folders[:] = [f for f in folders if not f.startswith('.') and f != 'autom4te.cache'
                      and not os.path.exists(os.path.join(folder, f, 'config.status'))
                      and not os.path.exists(os.path.join(folder, f, 'mutants-of'))]
        wanted += [os.path.relpath(os.path.join(folder, f), TOP) for f in files]
    wanted.sort(key=lambda p: (GENERATED.index(os.path.basename(p))
                               if os.path.basename(p) in GENERATED else -1, p))
    changed = False
    for path in wanted:
        source, copy = os.path.join(TOP, path), os.path.join(target, path)
        if not os.path.exists(copy) or read(source) != read(copy) \
           or changed and os.path.basename(path) in GENERATED:
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(source, copy)
            shutil.copymode(source, copy)
            changed |= os.path.basename(path) in ('configure.ac', 'Makefile.am')
    # What was not made anew yet in the source tree is not new in the copy either.
    for path in wanted:
        made = {'Makefile.am': 'Makefile.in', 'configure.ac': 'configure'}.get(
            os.path.basename(path))
        made = made and os.path.join(TOP, os.path.dirname(path), made)
        if made and os.path.exists(made) \
           and os.path.getmtime(made) < os.path.getmtime(os.path.join(TOP, path)):
            os.utime(os.path.join(target, path))
    known = set(wanted)
    for folder, _, files in os.walk(target):
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), target)
            if path not in known and re.search(r'\.[ch]$', name):
                os.remove(os.path.join(folder, name))


class Build:
    """A build of the copied sources, and the commands that made its objects and tests."""

    def __init__(self, work, name, flags):
        self.folder = os.path.join(work, name)
        self.flags = flags
        self.compile, self.link = {}, {}
        self.log = os.path.join(self.folder, 'commands.json')

    def make(self, source):
        env = dict(os.environ, CFLAGS=self.flags)
        os.makedirs(self.folder, exist_ok=True)
        if not os.path.exists(os.path.join(self.folder, 'config.status')):
            must([os.path.join(source, 'configure'), '-q'], self.folder, env)
        if os.path.exists(self.log):
            self.compile, self.link = json.loads(read(self.log))
        output = must(['make', 'V=1', '-w', '-C', 'common'], self.folder, env)
        output += must(['make', 'V=1', '-w', '-C', 'gdbstub', 'libgdbstub.a'],
                       self.folder, env)
        output += must(['make', 'V=1', '-w', '-C', 'testsuite', 'check', 'TESTS=',
                        'DEJATOOL='], self.folder, env)
        self.learn(output)
        write(self.log, json.dumps([self.compile, self.link]).encode())

    def learn(self, output):
        folder = None
        for line in output.replace('\\\n', ' ').split('\n'):
            entered = re.search(r"Entering directory '(.*)'", line)
            if entered:
                folder = entered.group(1)
                continue
            # The command alone, without what notes dependencies before and after it.
            line = re.sub(r'^\s*depbase=`[^`]*`;', '', line).split('&&')[0]
            made = re.search(r' -o (\S+)', line)
            if made is None or ' -c -o ' not in line and ' -o test-' not in line:
                continue
            words = shlex.split(line)
            if ' -c -o ' in line:
                # Without what notes dependencies.
                kept, skip = [], False
                for word in words:
                    if not skip and word not in ('-MD', '-MP') \
                       and word not in ('-MT', '-MF'):
                        kept.append(word)
                    skip = word in ('-MT', '-MF')
                self.compile[os.path.join(folder, made.group(1))] = [folder, kept]
            else:
                self.link[made.group(1)] = [folder, words]

    def tests(self):
        text = read(os.path.join(self.folder, 'testsuite', 'Makefile')).decode()
        text = re.search(r'^check_PROGRAMS = (.*?[^\\])$', text, re.M | re.S).group(1)
        return re.findall(r'test-[a-z0-9-]+', text)

    def objects_of(self, path):
        """The objects that PATH, from the top, is compiled into."""
        found = []
        for target in self.compile:
            folder, name = os.path.split(target)
            note = os.path.join(folder, '.deps', name[:-2] + '.Po')
            if target.startswith(os.path.join(self.folder, 'common')) \
               and os.path.exists(note) \
               and re.search(r'/' + re.escape(path) + r'\b', read(note).decode()):
                found.append(target)
        return sorted(found)


def test_env(source, work):
    scratch = os.path.join(work, 'scratch')
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    env = dict(os.environ, srcdir=os.path.join(source, 'testsuite'), TMPDIR=scratch)
    shared = os.path.join(TOP, '..', 'shared')
    if 'TB_SHARED' not in env and os.path.isdir(os.path.join(shared, 'corpus')):
        env['TB_SHARED'] = os.path.realpath(shared)
    return env, scratch


class Coverage:
    """Which lines each test executes, and how long it takes."""

    def __init__(self, work, source, build):
        self.path = os.path.join(work, 'coverage.json')
        self.tests = json.loads(read(self.path)) if os.path.exists(self.path) else {}
        self.work, self.source, self.build = work, source, build
        # What tests read beside what they are compiled of: folders that they name.
        self.data = {}
        suite = os.path.join(source, 'testsuite')
        for folder, _, files in sorted(os.walk(os.path.join(suite, 'unit'))):
            digest = hashlib.sha256()
            files = sorted(f for f in files if not re.search(r'\.[ch]$', f))
            for name in files:
                digest.update(read(os.path.join(folder, name)))
            if files:
                self.data[os.path.relpath(folder, suite).encode()] = digest.digest()

    def measure(self, names, folders, plain):
        """Run those of the tests NAMES whose program is new, or of which no lines in
        FOLDERS are noted."""
        base = os.path.join(self.build.folder, 'testsuite')
        for number, name in enumerate(names):
            program = os.path.join(base, name)
            text = read(program)
            for folder, digest in self.data.items():
                if folder + b'\0' in text:
                    text += digest
            key = hashlib.sha256(text).hexdigest()
            noted = self.tests.get(name)
            if noted and noted['key'] == key and set(folders) <= set(noted['folders']):
                continue
            print(f'coverage: {name} ({number + 1} of {len(names)})', file=sys.stderr)
            gcda = self.counts()
            for path in gcda:
                os.remove(path)
            env, scratch = test_env(self.source, self.work)
            status, output = run([program], scratch, env, 600)
            start = spent()
            clean, _ = run([os.path.join(plain.folder, 'testsuite', name)], scratch, env,
                           600, True)
            noted = {'key': key, 'folders': sorted(folders), 'files': {},
                     'seconds': spent() - start, 'passes': clean == 0}
            if status not in (0, 77) or clean not in (0, 77):
                print(f'mutants: {name} fails without a mutant (status {status}, '
                      f'{clean}); it does not judge', file=sys.stderr)
            else:
                self.collect(noted, folders)
            self.tests[name] = noted
            write(self.path, json.dumps(self.tests).encode())

    def counts(self):
        return [os.path.join(folder, name)
                for folder, _, files in os.walk(self.build.folder)
                for name in files if name.endswith('.gcda')]

    def collect(self, noted, folders):
        wanted = [p for p in self.counts()
                  if any(os.path.relpath(p, self.build.folder).startswith(f + '/')
                         for f in folders)]
        if not wanted:
            return
        output = subprocess.run(['gcov', '-t', '-j'] + wanted, cwd=self.work,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=True).stdout
        for line in output.decode().split('\n'):
            if not line.startswith('{'):
                continue
            report = json.loads(line)
            for file in report['files']:
                path = os.path.relpath(
                    os.path.join(report['current_working_directory'], file['file']),
                    self.source)
                if path.startswith('..') or not path.endswith('.c'):
                    continue
                facts = noted['files'].setdefault(path, {'hit': [], 'miss': [],
                                                         'functions': []})
                for entry in file['lines']:
                    facts['hit' if entry['count'] else 'miss'].append(
                        entry['line_number'])
                facts['functions'] += [
                    [f['start_line'], f['end_line']] for f in file['functions']
                    if f['execution_count']]

    def order(self, path, first, last, names, slowest):
        """The tests that execute a line from FIRST to LAST of PATH, the fastest first.
        Where the lines have no code, such as those of a table: the tests that are in the
        function, or in the file at all."""
        chosen, touched, inside, code = [], [], [], False
        lines = set(range(first, last + 1))
        for name in names:
            noted = self.tests[name]
            facts = noted['files'].get(path)
            if facts is None or noted['seconds'] > slowest or not noted['passes']:
                continue
            touched.append(name)
            if lines & set(facts['hit']):
                chosen.append(name)
                code = True
            elif lines & set(facts['miss']):
                code = True
            if any(a <= first <= b for a, b in facts['functions']):
                inside.append(name)
        if not code:
            chosen = inside or touched
        return sorted(chosen, key=lambda n: self.tests[n]['seconds'])


class Mutants:
    def __init__(self, work, source, build, coverage, names, slowest):
        self.work, self.source, self.build = work, source, build
        self.coverage, self.names, self.slowest = coverage, names, slowest
        self.same = {}

    def objects(self, path, tag):
        """Compile the objects that PATH is in.  Returns their paths, or None if the
        compiler refuses."""
        made = []
        for target in self.build.objects_of(path):
            folder, command = self.build.compile[target]
            out = os.path.join(self.work, 'objects', tag,
                               os.path.relpath(target, self.build.folder))
            os.makedirs(os.path.dirname(out), exist_ok=True)
            command = list(command)
            command[command.index('-o') + 1] = out
            env = dict(os.environ, CCACHE_DISABLE='1')
            status, _ = run(command + ['-w'], folder, env)
            if status != 0:
                return None
            made.append(out)
        return made

    def judge(self, path, text, lines):
        """Put TEXT in the place of the file PATH and ask the tests.  Returns the verdict:
        'killed', 'survived', or 'no mutant' when it does not compile or changes no object
        file; and words on it."""
        place = os.path.join(self.source, path)
        before, times = read(place), os.stat(place)
        if path not in self.same:
            self.same[path] = [read(o) for o in self.objects(path, 'same')]
        try:
            write(place, text)
            objects = self.objects(path, 'mutant')
        finally:
            write(place, before)
            # So that make does not take it for changed.
            os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
        if objects is None:
            return 'no mutant', 'does not compile'
        if [read(o) for o in objects] == self.same[path]:
            return 'no mutant', 'same object'
        order = self.coverage.order(path, *lines, self.names, self.slowest)
        for name in order:
            folder, command = self.build.link[name]
            program = os.path.join(self.work, 'mutant-' + name)
            command = list(command)
            command[command.index('-o') + 1] = program
            command[command.index('-o') + 2:command.index('-o') + 2] = objects
            status, output = run(command, folder)
            if status != 0:
                sys.exit(f'mutants: cannot link {name}:\n{output}')
            env, scratch = test_env(self.source, self.work)
            limit = 10 + 10 * self.coverage.tests[name]['seconds']
            status, output = run([program], scratch, env, limit, True)
            os.remove(program)
            if status not in (0, 77):
                what = 'takes too long' if status is None else f'status {status}'
                return 'killed', f'{name} ({what})'
        return 'survived', (f'{len(order)} tests' if order
                            else 'no test executes the line')


def patched(source, path):
    """The file that the unified diff PATH changes, its new text, and the lines changed."""
    text = read(path).decode()
    name = re.search(r'^\+\+\+ (?:b/)?(\S+)', text, re.M).group(1)
    copy = os.path.join(source, name + '.patched')
    shutil.copyfile(os.path.join(source, name), copy)
    try:
        done = subprocess.run(['patch', '-s', '-o', copy, os.path.join(source, name),
                               path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f'mutants: {path} does not fit: {done.stdout.decode()}')
        new = read(copy)
    finally:
        os.remove(copy)
    old = read(os.path.join(source, name)).decode().split('\n')
    changes = difflib.SequenceMatcher(None, old, new.decode().split('\n'),
                                      False).get_opcodes()
    changed = [c for c in changes if c[0] != 'equal']
    return name, new, (changed[0][1] + 1, max(changed[-1][2], changed[0][1] + 1))


def show(path, old, new):
    sys.stdout.writelines(difflib.unified_diff(
        old.decode().splitlines(True), new.decode().splitlines(True), 'a/' + path,
        'b/' + path))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('folders', nargs='*')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=30)
    parser.add_argument('--work', default='mutants-work')
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--patch', action='append', default=[])
    parser.add_argument('--match')
    parser.add_argument('--kind')
    parser.add_argument('--tests')
    parser.add_argument('--slowest', type=float, default=20)
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--help', action='store_true')
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return 0
    folders = [f.strip('/') for f in options.folders]
    folders += sorted({os.path.dirname(i.split(':')[0]) for i in options.only}
                      | {re.search(r'^\+\+\+ (?:b/)?(\S+)/', read(p).decode(),
                                   re.M).group(1) for p in options.patch})
    for folder in folders:
        if not os.path.isdir(os.path.join(TOP, folder)) or not folder.startswith('common'):
            sys.exit(f'mutants: no folder of common/: {folder}')
    if not folders:
        sys.exit('mutants: no folder given; try --help')

    work = os.path.abspath(options.work)
    source = os.path.join(work, 'source')
    os.makedirs(source, exist_ok=True)
    write(os.path.join(work, 'mutants-of'), TOP.encode())
    os.nice(10)
    atexit.register(stop_running)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(3))
    copy_sources(source)

    places = [s for s in sites.of_folders(source, folders)
              if options.kind in (None, s.kind)
              and (options.match is None or re.search(options.match, s.old))]
    if options.only:
        chosen = [s for s in places if str(s) in options.only]
        missing = set(options.only) - {str(s) for s in chosen}
        if missing:
            sys.exit('mutants: no such place: ' + ', '.join(sorted(missing)))
    else:
        chosen = sites.choose(places, random.Random(options.seed))
    if options.list:
        for site in chosen[:options.count]:
            print(site)
        return 0

    plain = Build(work, 'plain', '-O1')
    counted = Build(work, 'gcov', '-O1 --coverage')
    plain.make(source)
    counted.make(source)
    names = plain.tests()
    if options.tests:
        names = [n for n in names if n in options.tests.split(',')]
    coverage = Coverage(work, source, counted)
    coverage.measure(names, folders, plain)
    mutants = Mutants(work, source, plain, coverage, names, options.slowest)

    tasks = [(p, *patched(source, p)) for p in options.patch] if options.patch else \
        ((str(s), s.path, s.text, (s.first, s.last)) for s in chosen)
    count = len(options.patch or options.only) or options.count
    survivors, table, done = [], {}, 0
    for name, path, text, lines in tasks:
        if done == count:
            break
        text = text() if callable(text) else text
        start = time.monotonic()
        verdict, words = mutants.judge(path, text, lines)
        if verdict == 'no mutant':
            if options.patch or options.only:
                print(f'{verdict}: {name}: {words}')
            continue
        done += 1
        print(f'{done:3} {verdict:8} {name}: {words} '
              f'({time.monotonic() - start:.1f} s)', flush=True)
        table.setdefault(path, []).append(verdict)
        if verdict == 'survived':
            survivors.append((path, text))
            show(path, read(os.path.join(source, path)), text)
    print()
    for path, verdicts in sorted(table.items()):
        print(f"{verdicts.count('killed'):3} of {len(verdicts):3}  {path}")
    print(f'{done - len(survivors)} of {done} noticed, {len(survivors)} survived '
          f'(seed {options.seed})')
    return 1 if survivors else 0


if __name__ == '__main__':
    sys.exit(main())
