"""Run a Cortex-M0 program under qemu-system-arm, one instruction at a time.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The registers of every step come from QEMU's GDB stub.  Memory writes come from
decoding the stores, and are checked against the memory that QEMU has at the end.
No device of QEMU is used: the one interrupt is made pending every so many steps
once the program has enabled it, so a run is the same every time.
"""
import os
import socket
import struct
import subprocess
import tempfile
import time

REGISTERS = ['r%d' % i for i in range(13)] + ['sp', 'lr', 'pc', 'xpsr']
SP, LR, PC, XPSR = 13, 14, 15, 16


class Failure(Exception):
    """The run cannot be recorded."""


# The interrupt controller: set-enable and set-pending registers.
NVIC_ISER, NVIC_ISPR = 0xe000e100, 0xe000e200

# RAM of the machine that the program does not use.
SCRATCH = 0x20003f00

# What lies between two steps where no exception does; see Step.
NOTHING = (0, 0, 0, ())


class Stub:
    """A connection to QEMU's GDB stub."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise Failure('no answer from the GDB stub of QEMU')
        self.data = b''

    def byte(self):
        if not self.data:
            self.data = self.socket.recv(65536)
            if not self.data:
                raise Failure('QEMU closed the connection')
        first, self.data = self.data[:1], self.data[1:]
        return first

    def ask(self, packet):
        """Send a packet; return the reply."""
        body = packet.encode()
        self.socket.sendall(b'$%s#%02x' % (body, sum(body) & 255))
        while self.byte() != b'$':
            pass
        reply = b''
        while True:
            at = self.data.find(b'#')
            if at >= 0:
                reply += self.data[:at]
                self.data = self.data[at + 1:]
                break
            reply += self.data
            self.data = b''
            reply += self.byte()
            if reply.endswith(b'#'):
                reply = reply[:-1]
                break
        self.byte()
        self.byte()
        self.socket.sendall(b'+')
        return reply.decode('latin-1')

    def registers(self):
        """r0-r12, sp, lr, pc, xpsr."""
        return list(struct.unpack_from('<17I', bytes.fromhex(self.ask('g'))))

    def memory(self, address, length):
        data = b''
        while len(data) < length:
            part = min(1024, length - len(data))
            data += bytes.fromhex(self.ask('m%x,%x' % (address + len(data), part)))
        return data

    def interrupt(self, registers, pending):
        """Make interrupts pending.  The stub cannot write to the interrupt controller,
        so the core does it, with an instruction beyond the program's memory."""
        self.command('M%x,2:0160' % SCRATCH)            # str r1, [r0]
        for number, value in (0, NVIC_ISPR), (1, pending), (PC, SCRATCH):
            self.set_register(number, value)
        self.command('Qqemu.sstep=3')                   # Interrupts wait.
        self.step()
        self.command('Qqemu.sstep=1')
        for number in 0, 1, PC:
            self.set_register(number, registers[number])

    def set_register(self, number, value):
        self.command('P%x=%s' % (number, value.to_bytes(4, 'little').hex()))

    def command(self, packet):
        if self.ask(packet) != 'OK':
            raise Failure('QEMU refuses ' + packet)

    def step(self):
        reply = self.ask('s')
        if not reply.startswith('T05'):
            raise Failure('QEMU stopped with ' + reply)


class Step:
    """One executed instruction and the state before it.

    exception: number of the exception taken between the step before and this one,
    or 0; stacked: its preferred return address.  exc_return: the EXC_RETURN value
    that the step before branched to, or 0.  writes: (address, size, old, new, kind)
    of this step's stores ('w') and of the stacking just before it ('s')."""

    def __init__(self, registers, opcode, size):
        self.registers = registers
        self.opcode = opcode
        self.size = size
        self.exception = 0
        self.stacked = 0
        self.exc_return = 0
        self.writes = []

    @property
    def pc(self):
        return self.registers[PC]


def stores(opcode, size, r):
    """The stores (address, size, value) of an ARMv6-M instruction before which the
    registers are r."""
    if size == 4:
        return []
    op, t, n = opcode >> 9, opcode & 7, opcode >> 3 & 7
    imm5, m = opcode >> 6 & 31, opcode >> 6 & 7
    if op == 0b0101000:
        return [(r[n] + r[m], 4, r[t])]
    if op == 0b0101001:
        return [(r[n] + r[m], 2, r[t])]
    if op == 0b0101010:
        return [(r[n] + r[m], 1, r[t])]
    if opcode >> 11 == 0b01100:
        return [(r[n] + 4 * imm5, 4, r[t])]
    if opcode >> 11 == 0b01110:
        return [(r[n] + imm5, 1, r[t])]
    if opcode >> 11 == 0b10000:
        return [(r[n] + 2 * imm5, 2, r[t])]
    if opcode >> 11 == 0b10010:
        return [(r[SP] + 4 * (opcode & 255), 4, r[opcode >> 8 & 7])]
    if opcode >> 11 == 0b11000:
        listed = [i for i in range(8) if opcode >> i & 1]
        base = r[opcode >> 8 & 7]
        return [(base + 4 * k, 4, r[i]) for k, i in enumerate(listed)]
    if opcode >> 9 == 0b1011010:
        listed = [i for i in range(8) if opcode >> i & 1] + ([LR] if opcode >> 8 & 1 else [])
        base = r[SP] - 4 * len(listed)
        return [(base + 4 * k, 4, r[i]) for k, i in enumerate(listed)]
    return []


class Run:
    """A recorded run: steps, the registers and the memory at its halt."""

    def __init__(self, elf, flash_size, ram_base, ram_size, stop, tick, limit=50000):
        self.ram_base = ram_base
        self.steps = []
        self.pending = NOTHING
        self.tick = tick
        self.enabled = self.due = 0     # Interrupts; the step before which they are due.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'stub')
            qemu = subprocess.Popen(
                ['qemu-system-arm', '-M', 'microbit', '-nographic', '-monitor', 'none',
                 '-serial', 'none', '-accel', 'tcg,thread=single', '-S',
                 '-gdb', 'unix:path=%s,server=on,wait=off' % path, '-kernel', elf],
                stdin=subprocess.DEVNULL)
            try:
                self.record(Stub(path), flash_size, ram_size, stop, limit)
            finally:
                qemu.kill()
                qemu.wait()

    def record(self, stub, flash_size, ram_size, stop, limit):
        stub.ask('qSupported:xmlRegisters=arm')
        stub.ask('qXfer:features:read:target.xml:0,ffb')
        stub.ask('qXfer:features:read:arm-m-profile.xml:0,ffb')
        stub.command('Qqemu.sstep=1')                   # With interrupts.
        self.flash = stub.memory(0, flash_size)
        self.ram = bytearray(stub.memory(self.ram_base, ram_size))
        before = stub.registers()
        while before[PC] != stop:
            if len(self.steps) == limit:
                raise Failure('no halt after %d steps' % limit)
            step = self.fetch(before)
            if self.enabled and len(self.steps) >= self.due:
                self.due += self.tick
                stub.interrupt(before, self.enabled)
            stub.step()
            after = stub.registers()
            self.advance(stub, step, after)
            before = after
        self.halt = before
        if self.pending != NOTHING:
            raise Failure('the run ends at the first instruction of an exception')
        if stub.memory(self.ram_base, ram_size) != self.ram:
            raise Failure('the stores do not lead to the memory at the halt')

    def fetch(self, registers):
        """The step about to run; what the last transition left pending is in it."""
        opcode, = struct.unpack_from('<H', self.flash, registers[PC])
        size = 2
        if opcode >= 0xe800:
            opcode = opcode << 16 | struct.unpack_from('<H', self.flash, registers[PC] + 2)[0]
            size = 4
        step = Step(registers, opcode, size)
        step.exception, step.stacked, step.exc_return, writes = self.pending
        step.writes.extend(writes)
        for address, size, _, new, _ in step.writes:
            self.poke(address, size, new)
        self.pending = NOTHING
        return step

    def advance(self, stub, step, after):
        """STEP was single-stepped and AFTER is what came of it."""
        before, ran = step.registers, True
        exception = after[XPSR] & 511
        exc_return = self.exc_return(step)
        entered = exception != 0 and exception != before[XPSR] & 511 or exc_return and exception != 0
        if exc_return and entered:
            # Tail-chained: all handlers have the same priority, so no return to one.
            self.steps.append(step)
            self.pending = (exception, 0, exc_return, ())
            return
        if entered:
            frame = stub.memory(after[SP], 32)
            words = struct.unpack('<8I', frame)
            ran = words[6] != before[PC]
        if ran:
            for address, size, value in stores(step.opcode, step.size, before):
                self.write(step, address & 0xffffffff, size, value, 'w')
            self.steps.append(step)
        elif step.exception or step.exc_return:
            raise Failure('an exception before the first instruction after another')
        if entered:
            writes = []
            for i, word in enumerate(words):
                old = int.from_bytes(self.peek(after[SP] + 4 * i, 4), 'little')
                writes.append((after[SP] + 4 * i, 4, old, word, 's'))
            self.pending = (exception, words[6], 0, writes)
        elif exc_return:
            self.pending = (0, 0, exc_return, ())

    def exc_return(self, step):
        """The EXC_RETURN value that STEP branches to, or 0."""
        r, value = step.registers, 0
        if r[XPSR] & 511 == 0:
            return 0
        if step.opcode >> 7 == 0b010001110:             # BX
            value = r[step.opcode >> 3 & 15]
        elif step.opcode >> 8 == 0b10111101:            # POP {..., PC}
            at = r[SP] + 4 * bin(step.opcode & 255).count('1')
            value = int.from_bytes(self.peek(at, 4) or b'', 'little')
        return value if value >= 0xfffffff0 else 0

    def peek(self, address, size):
        at = address - self.ram_base
        if not 0 <= at <= len(self.ram) - size:
            return None
        return bytes(self.ram[at:at + size])

    def poke(self, address, size, value):
        at = address - self.ram_base
        if 0 <= at <= len(self.ram) - size:
            self.ram[at:at + size] = value.to_bytes(size, 'little')

    def write(self, step, address, size, value, kind):
        value &= (1 << 8 * size) - 1
        if address == NVIC_ISER:
            self.enabled = value
            self.due = len(self.steps) + self.tick
        old = self.peek(address, size)
        if old is None:
            return
        step.writes.append((address, size, int.from_bytes(old, 'little'), value, kind))
        self.poke(address, size, value)
