"""Step a target and write what an MTB would have written: packets and registers, in RAM.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Adds "mtb-stand-in STEPS REGISTERS BUFFER MASK PATH" to GDB: steps the target STEPS times,
then puts the packets of the path into the 2^(MASK + 4) bytes at BUFFER, the registers
POSITION, MASTER, FLOW and BASE at REGISTERS, and the PC of each step into the file PATH.
"""
import struct

import gdb


class StandIn(gdb.Command):
    def __init__(self):
        super().__init__('mtb-stand-in', gdb.COMMAND_USER)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        steps, registers, buffer, mask = (int(word, 0) for word in words[:4])
        read = lambda: int(gdb.newest_frame().pc())
        inferior = gdb.selected_inferior()
        path, packets = [read()], b''
        for _ in range(steps):
            opcode, = struct.unpack('<H', inferior.read_memory(path[-1], 2).tobytes())
            gdb.execute('stepi', to_string=True)
            path.append(read())
            if path[-1] != path[-2] + (4 if opcode >> 11 >= 0b11101 else 2):
                packets += struct.pack('<II', path[-2], path[-1] | (not packets))
        size = 1 << mask + 4
        wrapped, end = len(packets) > size, len(packets) % size
        if wrapped:
            start = len(packets) - end
            packets = packets[start:] + packets[start - size + end:start]
        inferior.write_memory(buffer, packets)
        inferior.write_memory(registers, struct.pack(
            '<IIII', end | wrapped << 2, 0x80000000 | mask, 0, buffer))
        with open(words[4], 'w') as file:
            file.write('\n'.join('%x' % pc for pc in path) + '\n')


StandIn()
