"""Which registers are live before each step of a recorded run of Thumb code.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A register is live where it is read later before it is written, or survives to the halt.
What an instruction reads and writes is what objdump's text of it says; of an unknown
mnemonic that is a Failure, not a guess.
"""
import re

NAMES = {'r%d' % i: 1 << i for i in range(13)}
NAMES.update(sb=1 << 9, sl=1 << 10, fp=1 << 11, ip=1 << 12, sp=1 << 13, lr=1 << 14, pc=0)
SP, LR = NAMES['sp'], NAMES['lr']
N, Z, C, V = (1 << bit for bit in range(15, 19))
ALL_FLAGS = N | Z | C | V
ANALYSED = 1 << 31
# What an exception saves, and gives back when it returns.
FRAME = NAMES['r0'] | NAMES['r1'] | NAMES['r2'] | NAMES['r3'] | NAMES['ip'] | LR | ALL_FLAGS
READ_BY = {'eq': Z, 'ne': Z, 'cs': C, 'hs': C, 'cc': C, 'lo': C, 'mi': N, 'pl': N, 'vs': V, 'vc': V,
           'hi': C | Z, 'ls': C | Z, 'ge': N | V, 'lt': N | V, 'gt': N | Z | V, 'le': N | Z | V}
CONDITION = '(?P<condition>%s)?$' % '|'.join(READ_BY)
COMPUTE = re.compile('(?P<name>add|adc|sub|sbc|rsb|and|orr|orn|eor|bic|mov|mvn|mul|lsl|lsr|asr|ror|neg|'
                     'mla|mls|sxt[bh]|uxt[bh]|ubfx|sbfx|bfi|bfc|movw|movt|addw|subw|udiv|sdiv|clz|rev|adr|'
                     'umull|smull|umlal|smlal|mrs|rbit|rrx)(?P<flags>s)?' + CONDITION)
TEST = re.compile('(?P<name>cmp|cmn|tst|teq)' + CONDITION)
LOAD = re.compile('(?P<name>ldr(?:s?[bh]|d|ex)?|ldm(?:ia|db)?|pop)' + CONDITION)
STORE = re.compile('(?P<name>str(?:[bh]|d)?|stm(?:ia|db)?|push)' + CONDITION)
BRANCH = re.compile('(?P<name>blx|bl|bx|b)' + CONDITION)
OTHER = re.compile('(?P<name>nop|dsb|isb|dmb|cpsi[de]|msr|svc|it[te]*|cbn?z|bkpt|tb[bh])' + CONDITION)
# Of floating point, whose own registers are not looked at.
FLOAT = re.compile(r'(?P<name>v[a-z]+?)' + CONDITION.rstrip('$') + r'(?:\.[a-z]?\d+)*$')


class Unknown(Exception):
    """An instruction that is not described here."""


def registers(text):
    """Those that a piece of text names; of r4-r7 all four."""
    mask = 0
    for low, high in re.findall(r'\b(r\d+|sb|sl|fp|ip|sp|lr|pc)\b(?:-(r\d+|sb|sl|fp|ip))?', text):
        if high:
            for i in range(NAMES[low].bit_length() - 1, NAMES[high].bit_length()):
                mask |= 1 << i
        else:
            mask |= NAMES[low]
    return mask


def of_load(name, first, rest, operands):
    if name == 'pop':
        return SP, SP | registers(operands)
    if name.startswith('ldm'):
        base = registers(first)
        return base, registers(rest) | (base if '!' in first else 0)
    if name == 'ldrd':
        second, _, rest = rest.partition(',')
        first += ',' + second
    base = registers(rest)
    back = registers(rest.partition('[')[2].partition(',')[0].rstrip(']! ')) \
        if '!' in rest or '],' in rest else 0
    return base, registers(first) | back


def of_store(name, first, rest, operands):
    if name == 'push':
        return SP | registers(operands), SP
    if name.startswith('stm'):
        return registers(operands), registers(first) if '!' in first else 0
    back = registers(rest.partition('[')[2].partition(',')[0].rstrip(']! ')) \
        if '!' in rest or '],' in rest else 0
    return registers(operands), back


def of_compute(name, flags, first, rest, operands):
    writes, reads = registers(first), registers(rest)
    if name in ('umull', 'smull', 'umlal', 'smlal'):
        second, _, rest = rest.partition(',')
        writes |= registers(second)
        reads = registers(rest) | (writes if name.endswith('lal') else 0)
    elif name in ('movt', 'bfi', 'bfc') or (operands.count(',') == 1 and name not in (
            'mov', 'movw', 'mvn', 'neg', 'clz', 'rev', 'adr', 'sxtb', 'sxth', 'uxtb', 'uxth', 'mrs',
            'rbit', 'rrx')):
        reads |= writes
    if name in ('adc', 'sbc', 'rrx'):
        reads |= C
    if name == 'mrs' and 'PSP' not in operands and 'MSP' not in operands and 'BASEPRI' not in operands:
        reads |= ALL_FLAGS
    if flags:
        writes |= ALL_FLAGS if name in ('add', 'adc', 'sub', 'sbc', 'rsb', 'neg') else \
            N | Z if name in ('mul', 'mov', 'movw') and not re.search('lsl|lsr|asr|ror|rrx', rest) else N | Z | C
    return reads, writes


def of_float(name, first, rest, operands):
    base = registers(first)
    if name in ('vpush', 'vpop'):
        return SP, SP
    if name.startswith(('vldm', 'vstm')):
        return base, base if '!' in first else 0
    if name == 'vmrs':
        return (0, ALL_FLAGS) if 'APSR' in first else (0, base)
    if name == 'vmov' and base:
        # One core register, or two, from floating point.
        second = registers(rest.partition(',')[0])
        return 0, base | second
    return registers(operands), 0


def effect(mnemonic, operands):
    """(read, written, conditional): masks."""
    word = re.sub(r'\.[nw]$', '', mnemonic)
    operands = operands.partition('<')[0].strip()
    first, _, rest = operands.partition(',')
    for pattern in BRANCH, OTHER, TEST, LOAD, STORE, COMPUTE, FLOAT:
        found = pattern.match(word)
        if found:
            break
    else:
        raise Unknown('%s %s' % (mnemonic, operands))
    name, condition = found.group('name'), found.group('condition')
    if pattern is BRANCH:
        reads, writes = registers(operands) if name in ('bx', 'blx') else 0, LR if name.startswith('bl') else 0
    elif pattern is OTHER:
        reads = registers(operands)
        writes = 0
        if name.startswith('it'):
            condition = operands
    elif pattern is TEST:
        reads = registers(operands)
        writes = ALL_FLAGS if name in ('cmp', 'cmn') else N | Z
    elif pattern is LOAD:
        reads, writes = of_load(name, first, rest, operands)
    elif pattern is STORE:
        reads, writes = of_store(name, first, rest, operands)
    elif pattern is FLOAT:
        reads, writes = of_float(name, first, rest, operands)
    else:
        reads, writes = of_compute(name, found.group('flags'), first, rest, operands)
    return reads | (READ_BY[condition] if condition else 0), writes, bool(condition)


def masks(steps, places):
    """One for each step.  Kept: by what passed or failed its condition both ways."""
    effects, live, found = {}, (1 << 19) - 1, []
    following = None
    for step in reversed(steps):
        if following is not None:
            for kind, *_ in reversed(following.events):
                if kind == 'exception':
                    live = live & ~LR | FRAME
                elif kind == 'return':
                    live &= ~FRAME
        place = places[step.pc]
        if step.pc not in effects:
            effects[step.pc] = effect(place.mnemonic, place.operands)
        reads, writes, conditional = effects[step.pc]
        if not conditional:
            live &= ~writes
        live |= reads
        found.append(live | ANALYSED)
        following = step
    return found[::-1]
