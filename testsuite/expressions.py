#!/usr/bin/env python3
"""Compare expressions with GDB's: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: expressions.py COMPARE PROFILE ELF expressions PLACE EXPRESSION...
       expressions.py COMPARE PROFILE ELF variables STEP [EXCEPT...]
       expressions.py COMPARE PROFILE ELF returns STEP
       expressions.py TDESC

COMPARE is the program compare-expression.  expressions: GDB compiles each for an agent, at
PLACE, to be worth something and to be collected; both are evaluated with the same memory and
registers.  variables: at every STEPth byte of each function, the variables that there are, what
they are worth and the bytes that collecting each takes, as GDB has it.  Prints counts, and each
difference.  returns: where the return address is.  TDESC: be a target for GDB with the registers of that description.
"""
import binascii
import os
import re
import subprocess
import sys
import tempfile

STATE = ('step', 'unknown_registers', 'assumed_registers', 'timestamp', 'cycles', 'exception',
         'msp', 'psp')
CODES = {
    'add': (0x02, 0), 'sub': (0x03, 0), 'mul': (0x04, 0), 'div_signed': (0x05, 0),
    'div_unsigned': (0x06, 0), 'rem_signed': (0x07, 0), 'rem_unsigned': (0x08, 0),
    'lsh': (0x09, 0), 'rsh_signed': (0x0a, 0), 'rsh_unsigned': (0x0b, 0), 'trace': (0x0c, 0),
    'trace_quick': (0x0d, 1), 'log_not': (0x0e, 0), 'bit_and': (0x0f, 0), 'bit_or': (0x10, 0),
    'bit_xor': (0x11, 0), 'bit_not': (0x12, 0), 'equal': (0x13, 0), 'less_signed': (0x14, 0),
    'less_unsigned': (0x15, 0), 'ext': (0x16, 1), 'ref8': (0x17, 0), 'ref16': (0x18, 0),
    'ref32': (0x19, 0), 'ref64': (0x1a, 0), 'if_goto': (0x20, 2), 'goto': (0x21, 2),
    'const8': (0x22, 1), 'const16': (0x23, 2), 'const32': (0x24, 4), 'const64': (0x25, 8),
    'reg': (0x26, 2), 'end': (0x27, 0), 'dup': (0x28, 0), 'pop': (0x29, 0), 'zero_ext': (0x2a, 1),
    'swap': (0x2b, 0), 'getv': (0x2c, 2), 'setv': (0x2d, 2), 'tracev': (0x2e, 2),
    'tracenz': (0x2f, 0), 'trace16': (0x30, 2), 'pick': (0x32, 1), 'rot': (0x33, 0)}


def bytecode(lines):
    """The bytes of GDB's listing; None: it has none."""
    code = b''
    for line in lines:
        match = re.match(r' *(\d+)  (\w+)(?: (-?\d+))?$', line)
        if match and match.group(2) in CODES:
            number, size = CODES[match.group(2)]
            code += bytes([number])
            if size:
                code += (int(match.group(3)) % (1 << 8 * size)).to_bytes(size, 'big')
    return code if code[-1:] == b'\x27' else None


def serve(tdesc):
    """A target for GDB on standard input and output: registers, no memory."""
    with open(tdesc) as file:
        description = file.read()
    wide = 'aarch64' in description
    registers = bytearray(0x10c if wide else 0x44)
    source, sink = sys.stdin.buffer, sys.stdout.buffer

    def reply(packet):
        name, _, rest = packet.partition(':')
        if name == 'qSupported':
            return 'PacketSize=4000;qXfer:features:read+'
        if packet.startswith('qXfer:features:read:target.xml:'):
            offset, length = (int(word, 16) for word in packet.split(':')[-1].split(','))
            part = description[offset:offset + length]
            return ('m' if offset + length < len(description) else 'l') + part
        if packet == '?':
            return 'S05'
        if packet == 'g':
            return binascii.hexlify(registers).decode()
        if packet[0] == 'G':
            registers[:] = binascii.unhexlify(packet[1:])
            return 'OK'
        if packet[0] == 'P':
            number, value = packet[1:].split('=')
            size, number = len(value) // 2, int(number, 16)
            number = 16 if number == 25 and not wide else number
            registers[number * size:(number + 1) * size] = binascii.unhexlify(value)
            return 'OK'
        if packet[0] == 'm':
            return '00' * int(packet.split(',')[1], 16)
        return 'OK' if packet[0] in 'HDk' else ''

    while True:
        byte = source.read(1)
        if not byte:
            return
        if byte != b'$':
            continue
        packet = b''
        while True:
            byte = source.read(1)
            if byte == b'#' or not byte:
                break
            packet += byte
        source.read(2)
        answer = reply(packet.decode('latin-1')).encode()
        sink.write(b'+$' + answer + b'#%02x' % (sum(answer) % 256))
        sink.flush()


class Compare:
    def __init__(self, program, profile, elf):
        self.arguments = [program, profile, elf]
        self.elf = elf
        with tempfile.NamedTemporaryFile('w', suffix='.xml', delete=False) as file:
            text = self.ask(['tdesc'])
            file.write(text)
            self.wide = 'aarch64' in text
            self.tdesc = file.name

    def ask(self, lines):
        return subprocess.run(self.arguments, input='\n'.join(lines) + '\n', text=True,
                              stdout=subprocess.PIPE, check=True).stdout

    def gdb(self, commands):
        """What GDB says to each of the commands: a list of lists of lines."""
        with tempfile.NamedTemporaryFile('w', suffix='.gdb', delete=False) as file:
            for command in commands:
                file.write('echo \\n@@\\n\npython\ntry:\n  for c in %r: gdb.execute(c)\n'
                           'except gdb.error as e: print("error: %%s" %% e)\nend\n'
                           % command.split('\n'))
        before = ['set confirm off', 'set remotetimeout 60', 'set pagination off', 'set width 0',
                  'target remote | %s %s %s' % (sys.executable, __file__, self.tdesc)]
        before += ['tvariable $' + name for name in STATE]
        text = subprocess.run(
            ['gdb-multiarch', '-nx', '-q', '-batch', self.elf]
            + [word for command in before for word in ('-ex', command)] + ['-x', file.name],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
        os.unlink(file.name)
        return [part.split('\n') for part in text.split('\n@@\n')[1:]]

    def set_pc(self, place):
        size, number = (8, 32) if self.wide else (4, 15)
        return '%x=%s' % (number, int(place[1:], 16).to_bytes(size, 'little').hex())

    def compare(self, questions):
        """Questions are (kind, place, text).  Counts by answer."""
        commands = []
        for kind, place, text in questions:
            verb = 'maint agent%s' % ('-eval' if kind == 'value' else '')
            if place[0] == '*':
                commands.append('maint packet P%s\nmaint flush register-cache\n%s %s'
                                % (self.set_pc(place), verb, text))
            else:
                commands.append('%s -at %s, %s' % (verb, place, text))
        counts, lines, asked = {}, [], []
        for question, answer in zip(questions, self.gdb(commands)):
            code = bytecode(answer)
            error = [line for line in answer if line.startswith('error: ')]
            scope = [line for line in answer if line.startswith('Scope: ')]
            pc = scope[0].split()[1] if scope else None
            if pc is None:
                pc = question[1][1:] if question[1].startswith('*0x') else '0'
            asked.append((question, error[0] if error else None))
            lines.append('%s %s %s %s' % (question[0], pc, code.hex() if code else '27',
                                          question[2]))
        for (question, error), answer in zip(asked, self.ask(lines).split('\n')):
            ours = 'error' if answer.startswith('error') else answer.split(':')[0]
            if 'floating point' in answer:
                word = 'floats'
            elif error:
                # What GDB does not do may be done here.
                word = 'both refuse' if ours == 'error' else 'GDB alone refuses'
            else:
                word = ours if ours != 'error' else 'refused'
            counts[word] = counts.get(word, 0) + 1
            if word in ('differs', 'refused') or os.environ.get('TB_VERBOSE'):
                print('%s %s: %s: %s%s' % (question[0], question[1], question[2], answer,
                                           '; GDB ' + error if error else ''))
        return counts


def print_counts(counts):
    print(', '.join('%s: %d' % item for item in sorted(counts.items())))


def expressions(compare, place, rows):
    print_counts(compare.compare([(kind, place, text) for text in rows
                                  for kind in ('value', 'collect')]))


def functions(elf):
    """(address, size) of each."""
    text = subprocess.run(['readelf', '-sW', elf], text=True, stdout=subprocess.PIPE,
                          check=True).stdout
    return sorted({(int(words[1], 16) & ~1, int(words[2], 0)) for words in
                   (line.split() for line in text.split('\n')) if len(words) > 7
                   and words[3] == 'FUNC' and words[2] != '0'})


def all_places(elf, step):
    return [address + offset for address, size in functions(elf)
            for offset in range(0, size, step)]


def returns(compare, step):
    places = all_places(compare.elf, step)
    shown = compare.gdb(['maint packet P%s\nmaint flush register-cache\ninfo frame'
                         % compare.set_pc('*0x%x' % pc) for pc in places])
    ours = compare.ask(['return 0x%x' % pc for pc in places]).split('\n')
    counts = {'same': 0, 'unknown': 0, 'inlined': 0}
    for pc, mine, text in zip(places, ours, shown):
        if 'inlined into' in '\n'.join(text):
            counts['inlined'] += 1      # GDB tells nothing of the function around it here.
            continue
        saved = re.search(r'\b(?:lr|x30) at (0x[0-9a-f]+)', '\n'.join(text))
        theirs = saved.group(1) if saved else 'register'
        if mine.startswith('there are no'):
            counts['unknown'] += 1
        elif mine == theirs:
            counts['same'] += 1
        else:
            print('value return 0x%x: %s, GDB %s' % (pc, mine, theirs))
    print_counts(counts)


def variables(compare, step, left_out):
    places = all_places(compare.elf, step)
    names = compare.ask(['names 0x%x' % pc for pc in places]).split('\n')
    shown = compare.gdb(['info scope *0x%x' % pc for pc in places])
    questions, counts = [], {'names': 0, 'names missing': 0, 'names too many': 0, 'lost': 0}
    for pc, ours, theirs in zip(places, names, shown):
        # A function that is inlined is among them, too, and what has no place at all.
        theirs = set(re.findall(r'^Symbol (\S+) is (?!a function|optimized out)',
                                '\n'.join(theirs), re.M))
        ours = dict(reversed([word.split('=') for word in ours.split() if '=' in word]))
        counts['names'] += len(theirs)
        counts['names missing'] += len(theirs - set(ours))
        if theirs - set(ours) and os.environ.get('TB_VERBOSE'):
            print('0x%x: missing: %s' % (pc, ' '.join(sorted(theirs - set(ours)))))
        counts['names too many'] += len(set(ours) - theirs)
        counts['lost'] += len([name for name in ours if ours[name] == 'lost'])
        for name in sorted(set(ours) - set(left_out)):
            questions.append(('collect', '*0x%x' % pc, name))
            questions.append(('value', '*0x%x' % pc, name))
    print_counts(counts)
    print_counts(compare.compare(questions))


def main(program, profile, elf, what, *rest):
    compare = Compare(program, profile, elf)
    try:
        if what == 'returns':
            returns(compare, int(rest[0]))
        elif what == 'variables':
            variables(compare, int(rest[0]), rest[1:])
        else:
            expressions(compare, rest[0], rest[1:])
    finally:
        os.unlink(compare.tdesc)


if len(sys.argv) == 2:
    serve(sys.argv[1])
else:
    main(*sys.argv[1:])
