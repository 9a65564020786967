#!/usr/bin/env python3
# Make a trace file as a gdbserver leaves one through GDB's tsave: blocks of all registers,
# memory, trace state variables; or one with something wrong.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: tracefile.py KIND[+FAULT...] OUT
# KIND is arm (A32 and T32 with FP registers), a64, bare (no target description, the layout
# with FPA registers).  What FAULT is stands below.
# Source of the layout: GDB manual, "Trace File Format"; GDB 13 (gdb/tracefile-tfile.c).

import struct
import sys

ARM_CORE = ['r%d' % i for i in range(13)] + ['sp', 'lr', 'pc']


def reg(name, bits, rest=''):
    return '  <reg name="%s" bitsize="%d"%s/>' % (name, bits, rest)


def description(kind):
    lines = ['', '<?xml version="1.0"?>', '<!DOCTYPE target SYSTEM "gdb-target.dtd">',
             '<target>']
    if kind == 'arm':
        lines += ['<architecture>arm</architecture>', '<feature name="org.gnu.gdb.arm.core">']
        lines += [reg(n, 32) for n in ARM_CORE] + [reg('cpsr', 32, ' regnum="25"'), '</feature>']
        lines += ['<feature name="org.gnu.gdb.arm.vfp">']
        lines += [reg('d%d' % i, 64, ' type="ieee_double"') for i in range(16)]
        lines += [reg('fpscr', 32), '</feature>']
    else:
        lines += ['<architecture>aarch64</architecture>',
                  '<feature name="org.gnu.gdb.aarch64.core">']
        lines += [reg('x%d' % i, 64) for i in range(31)]
        lines += [reg('sp', 64), reg('pc', 64), reg('cpsr', 32), '</feature>']
        lines += ['<feature name="org.gnu.gdb.aarch64.fpu">']
        lines += [reg('v%d' % i, 128, ' type="uint128"') for i in range(32)]
        lines += [reg('fpsr', 32), reg('fpcr', 32), '</feature>']
    return lines + ['</target>']


def block(kind, frame):
    """R of frame number FRAME, at which the core is at its place."""
    pc = 0x8000 + 2 * frame
    if kind == 'a64':
        x = [0x1122334400000000 + 16 * i + frame for i in range(31)]
        return (struct.pack('<33QI', *x, 0x7ffff000, 0x400000 + 4 * frame, 0x60000000)
                + b''.join(struct.pack('<QQ', 0xaaaa0000 + i, 0xbbbb0000 + i) for i in range(32))
                + struct.pack('<II', 0x10, 0x3000000))
    words = [0x100 * i + frame for i in range(13)] + [0x20001000, 0x9001, pc]
    cpsr = 0x60000030 if frame != 1 else 0x60000010
    if kind == 'bare':
        return struct.pack('<16I', *words) + bytes(8 * 12 + 4) + struct.pack('<I', cpsr)
    return (struct.pack('<16I', *words) + struct.pack('<I', cpsr)
            + b''.join(struct.pack('<Q', 0x5500 + i) for i in range(16))
            + struct.pack('<I', 0x13))


def memory(address, data, length=None):
    return b'M' + struct.pack('<QH', address, len(data) if length is None else length) + data


def main():
    kind, *faults = sys.argv[1].split('+')
    size = len(block(kind, 0))
    place = 0x400000 if kind == 'a64' else 0x8000
    name = 'count'.encode().hex()
    lines = ['R %x' % size,
             'status 0;tstop::0;tframes:5;tcreated:5;tfree:1000;tsize:2000;circular:0;disconn:0',
             'tsv 1:5:0:' + name,
             # Two places of tracepoint 1; 2 has no registers; 3 has steps behind it.
             'tp T3:%x:E:2:0' % (place + 0x40), 'tp S3:%x:Rffff' % (place + 0x40),
             'tp T2:%x:E:0:0' % (place + 0x20), 'tp A2:%x:M-1,20000000,8' % (place + 0x20),
             'tp T1:%x:E:0:0' % place, 'tp A1:%x:R3ffffffM-1,20000000,8' % place,
             'tp V1:%x:2:80' % place]
    if kind != 'bare':
        lines += ['tdesc ' + line for line in description(kind)]
    r = [b'R' + block(kind, i) for i in range(4)]
    frames = [
        # Of bytes that stand twice the first count.
        (1, r[0] + memory(0x20000000, bytes(range(0x10, 0x18))) + memory(0x20000004, b'\xee' * 8)
         + b'V' + struct.pack('<Iq', 1, 5)),
        (1, r[1] + b'V' + struct.pack('<Iq', 1, -6)),
        (2, memory(0x20000000, b'\x99\x98\x97\x96')),
        (3, memory(0x20000000, b'\x01\x02\x03\x04')),
        (3, r[3] + memory(0xfffffffffffffffc, b'\x44' * 8)),
    ]
    for fault in faults:
        if fault == 'no-size':
            lines = [line for line in lines if not line.startswith('R ')]
        elif fault == 'huge-size':
            lines[0] = 'R ffffffff'
        elif fault == 'bad-size':
            lines[0] = 'R 1g'
        elif fault == 'digits-size':
            lines[0] = 'R ' + 39 * '1'
        elif fault == 'no-tdesc':
            lines = [line for line in lines if not line.startswith('tdesc')]
        elif fault == 'bad-tdesc':
            lines = [line for line in lines if line != 'tdesc </target>']
        elif fault == 'many':
            # A definition that is none.
            lines.append('tp T4:zz:E:0:0')
        elif fault == 'strange-register':
            # One that only the file knows, which an expression needs.
            lines.insert(lines.index('tdesc </target>'),
                         'tdesc <feature name="x"><reg name="strange" bitsize="32"/></feature>')
            lines.append('tp A2:%x:X4,26002b27' % (place + 0x20))
        elif fault == 'no-definitions':
            lines = [line for line in lines if not line.startswith('t') or 'tdesc' in line]
        elif fault == 'unplaced-first':
            # All that is known of the first frame is memory, and it is not known where it was.
            frames[0] = (3, memory(0x20000000, b'\x01\x02\x03\x04'))
        elif fault == 'no-frames':
            frames = []
        elif fault == 'unknown-block':
            frames[1] = (1, r[1] + b'Q123')
        elif fault == 'long-memory':
            frames[1] = (1, memory(0x20000000, b'1234', 5000))
        elif fault == 'long-registers':
            frames[1] = (1, r[1][:-4])
    text = b'\x7fTRACE0\n' + ''.join(line + '\n' for line in lines).encode()
    if 'zero' in faults:
        text += b'status \0\n'
    if 'long-line' in faults:
        text += b'tp ' + b'x' * 70000 + b'\n'
    text += b'' if 'no-end' in faults else b'\n'
    order = '>' if 'big' in faults else '<'
    for tracepoint, blocks in frames:
        text += struct.pack(order + 'HI', tracepoint, len(blocks)) + blocks
    text += b'' if 'no-terminator' in faults else bytes(4)
    for fault in faults:
        if fault.startswith('cut'):
            text = text[:-int(fault[3:])]
        elif fault == 'huge-frame':
            at = text.rindex(struct.pack('<HI', 3, len(frames[4][1])))
            text = text[:at + 2] + struct.pack('<I', 0xfffffff0) + text[at + 6:]
    with open(sys.argv[2], 'wb') as f:
        f.write(text)


main()
