"""The instructions of a program that branch, as objdump reads them.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import re
import subprocess

CONDITIONS = '(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)?'
DIRECT = {True: re.compile(r'(b|bl|b\.\w+|cbn?z|tbn?z)$'),
          False: re.compile(r'(b|bl|blx)%s$|cbn?z$' % CONDITIONS)}
INDIRECT = {True: re.compile(r'(br|blr|ret|eret)(a[ab]z?)?$'),
            False: re.compile(r'(bxj?|blx|rfe\w*)%s$|tb[bh]$' % CONDITIONS)}
ALWAYS = re.compile(r'(b|bl|blx|bx|(?:br|blr|ret|eret)(?:a[ab]z?)?|isb|mov|movs|subs|add|ldr|pop|ldmia|ldmdb|ldm|tbb|tbh|rfeia)'
                    r'(\.[nw])?$')
LINE = re.compile(r'\s*([0-9a-f]+):\t([0-9a-f ]+)\t(\S+)(?:\t([^;@]*))?')


class Place:
    """An instruction.  kind: 'direct', 'indirect', 'isb' where trace has an atom for it,
    else None.  always: it branches whatever the flags are."""

    __slots__ = 'mnemonic', 'operands', 'size', 'kind', 'always'

    def __init__(self, mnemonic, operands, size, a64):
        self.mnemonic, self.operands, self.size = mnemonic, operands, size
        self.kind = self.kind_of(mnemonic, operands, a64)
        self.always = self.kind is not None and ALWAYS.match(mnemonic) is not None

    @staticmethod
    def kind_of(mnemonic, operands, a64):
        word = mnemonic if a64 else re.sub(r'\.[nw]$', '', mnemonic)
        if word.startswith('isb'):
            return 'isb'
        if DIRECT[a64].match(word) and not re.match(r'(r\d+|lr|ip|sl|fp)$', operands):
            return 'direct'
        if INDIRECT[a64].match(word):
            return 'indirect'
        if not a64:
            if word.startswith(('pop', 'ldm')) and re.search(r'\bpc\b', operands):
                return 'indirect'
            if operands.startswith('pc,') and not word.startswith(('cmp', 'cmn', 'tst', 'teq')):
                return 'indirect'
        return None


class Flow:
    """places: address to Place; symbols; sections: (address, bytes) that are loaded."""

    def __init__(self, tools, elf, a64):
        self.symbols = {}
        for line in self.run(tools + 'nm', elf).splitlines():
            address, _, name = line.split()
            self.symbols[name] = int(address, 16)
        self.places = {}
        for line in self.run(tools + 'objdump', '-d', elf).splitlines():
            found = LINE.match(line)
            if found and not found.group(3).startswith('.'):
                address, opcode, mnemonic, operands = found.groups()
                size = len(opcode.replace(' ', '')) // 2
                self.places[int(address, 16)] = Place(mnemonic, (operands or '').strip(), size, a64)
        self.handlers = {self.symbols[name] for name in ('call', 'pend', 'irq0', 'irq1', 'skip')
                         if name in self.symbols}
        self.vectors = {}
        if 'vectors' in self.symbols and a64:
            base = self.symbols['vectors']
            for slot in 0x000, 0x200, 0x400:
                self.vectors.update({base + slot: 2, base + slot + 0x80: 14})
        elif 'vectors' in self.symbols:
            base = self.symbols['vectors']
            self.vectors = {base + 8: 2, base + 0x18: 14}

    @staticmethod
    def run(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def vector(self, pc):
        """The ETM's number of the exception that enters at PC, or None."""
        return self.vectors.get(pc)
