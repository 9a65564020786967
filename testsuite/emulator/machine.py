"""Run a program under QEMU one instruction at a time and record all that it does.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Registers come from QEMU's GDB stub; memory from the file that backs the machine's RAM,
which is compared with itself as it was after each step.  So no instruction needs to be
understood here but those that branch (flow.py).  Interrupts are made pending at steps
that the caller chooses, so a run is the same every time.
"""
import functools
import mmap
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'firmware'))
from recorder import Failure, Stub                      # noqa: E402

RAM_SIZE = 0xa000               # What programs use and snapshots dump.
STACKS = 0x7000                 # Offset of what is stacks.
SCRATCH = 0x10000               # Offset of memory that they do not use.
FILE_SIZE = 16 << 20


class Machine:
    """A kind of machine: how QEMU is told of it, where things are, its registers."""

    def __init__(self, name, qemu, options, core, code, ram, **more):
        self.name, self.qemu, self.options, self.core = name, qemu, options, core
        self.code, self.ram = code, ram
        self.scratch = more.get('scratch', ram + SCRATCH)
        self.backend_base = more.get('backend_base', ram)
        self.is_m = more.get('is_m', False)
        self.a64 = more.get('a64', False)
        self.nd = more.get('nd', 0)             # D registers, or V.
        self.pend = more.get('pend')            # Address, and values that pend interrupts.
        self.xml = more.get('xml', ())


M_XML = ('arm-m-profile.xml',)
NVIC = 0xe000e200, (1, 2, 3, 2, 1)
GIC = 0x08000f00, (2 << 24 | 1,)
MACHINES = {m.name: m for m in (
    # Of ARMv6-M the emulator has no machine with a file for its RAM: programs for it run
    # on a core that does the same.
    Machine('m0', 'qemu-system-arm', ['-M', 'mps2-an385'], 'Cortex-M0+',
            0, 0x21000000, is_m=True, pend=NVIC, xml=M_XML),
    Machine('m4f', 'qemu-system-arm', ['-M', 'mps2-an386'], 'Cortex-M4F',
            0, 0x21000000, is_m=True, nd=16, pend=NVIC, xml=M_XML),
    Machine('m33', 'qemu-system-arm', ['-M', 'mps2-an505'], 'Cortex-M33F',
            0x10000000, 0x80000000, is_m=True, nd=16, pend=NVIC, xml=M_XML, scratch=0x10040000),
    Machine('a15', 'qemu-system-arm', ['-M', 'virt', '-cpu', 'cortex-a15', '-m', '16M'],
            'Cortex-A15', 0x40010000, 0x40020000, backend_base=0x40000000, nd=32, pend=GIC,
            xml=('arm-core.xml', 'arm-neon.xml', 'arm-vfp-sysregs.xml')),
    Machine('a32', 'qemu-system-arm', ['-M', 'virt', '-cpu', 'max', '-m', '16M'],
            'Cortex-A32', 0x40010000, 0x40020000, backend_base=0x40000000, nd=32, pend=GIC,
            xml=('arm-core.xml', 'arm-neon.xml', 'arm-vfp-sysregs.xml')),
    Machine('max', 'qemu-system-aarch64',
            ['-M', 'virt', '-cpu', 'max,sve=off,sme=off', '-m', '16M'],
            'ARMv8.5-A', 0x40010000, 0x40020000, backend_base=0x40000000, a64=True,
            nd=32, pend=GIC, xml=('aarch64-core.xml', 'aarch64-fpu.xml')),
    Machine('a64', 'qemu-system-aarch64', ['-M', 'virt', '-cpu', 'cortex-a57', '-m', '16M'],
            'Cortex-A57', 0x40010000, 0x40020000, backend_base=0x40000000, a64=True,
            nd=32, pend=GIC, xml=('aarch64-core.xml', 'aarch64-fpu.xml')),
)}


class Step:
    """An executed instruction and the state before it.  events: what happened between the
    step before and this one: ('exception', number, return address, PSR and SP there)
    and ('return', EXC_RETURN, PC, PSR there, 0); 'tail' where that is the next handler.  changes: (offset, bytes) of RAM since the step before."""

    __slots__ = 'pc', 'core', 'psr', 'fp', 'events', 'changes'

    def __init__(self, pc, core, psr, fp):
        self.pc, self.core, self.psr, self.fp = pc, core, psr, fp
        self.events, self.changes = [], []


@functools.lru_cache(None)
def one_at_a_time(qemu):
    """The options by which QEMU runs an instruction at a time: QEMU 8.1 names them anew, 9.1 no
    longer knows the old name."""
    known = subprocess.run([qemu, '-help'], stdout=subprocess.PIPE, text=True, check=True).stdout
    if 'one-insn-per-tb' in known:
        return ['-accel', 'tcg,thread=single,one-insn-per-tb=on']
    return ['-singlestep', '-accel', 'tcg,thread=single']


class Board(Stub):
    """A running QEMU with a program in it."""

    def __init__(self, machine, elf):
        self.machine, self.pended = machine, []
        self.folder = tempfile.TemporaryDirectory(prefix='emulator-')
        self.said = tempfile.TemporaryFile()
        path = os.path.join(self.folder.name, 'stub')
        where = '/dev/shm' if os.path.isdir('/dev/shm') else self.folder.name
        handle, name = tempfile.mkstemp(prefix='emulator-ram-', dir=where)
        os.ftruncate(handle, FILE_SIZE)
        self.file = mmap.mmap(handle, FILE_SIZE)
        os.close(handle)
        options = list(machine.options)
        options[1] += ',memory-backend=ram'
        self.process = subprocess.Popen(
            [machine.qemu, *options, '-object',
             'memory-backend-file,id=ram,size=%d,mem-path=%s,share=on' % (FILE_SIZE, name),
             '-display', 'none', '-monitor', 'none', '-serial', 'none', '-nic', 'none',
             *one_at_a_time(machine.qemu), '-S',
             '-gdb', 'unix:path=%s,server=on,wait=off' % path, '-kernel', elf],
            stdin=subprocess.DEVNULL, stderr=self.said)
        try:
            try:
                super().__init__(path)
            except Failure as failure:
                self.said.seek(0)
                raise Failure('%s\n%s' % (failure, self.said.read().decode())) from None
            self.ask('qSupported:xmlRegisters=' + ('aarch64' if machine.a64 else 'arm'))
            for file in ('target.xml',) + machine.xml:
                self.ask('qXfer:features:read:%s:0,ffb' % file)
        except BaseException:
            self.close()
            raise
        finally:
            os.unlink(name)
        first, fpscr = (34, (66, 67)) if machine.a64 else (26, None)
        numbers = list(range(first, first + machine.nd))
        if machine.a64:
            numbers += fpscr
        elif machine.nd == 16:
            numbers.append(42)
        elif machine.nd == 32:
            numbers.append(74)          # Behind d0 to d31 and q0 to q15.
        self.fp_numbers = numbers
        self.psr_number = 33 if machine.a64 else 25
        self.pc_number = 32 if machine.a64 else 15
        self.sp_number = 31 if machine.a64 else 13
        asked = ['g'] + ['p%x' % n for n in numbers]
        self.questions = b'+'.join(b'$%s#%02x' % (q.encode(), sum(q.encode()) & 255)
                                   for q in asked)
        self.answers = len(asked)
        at = machine.ram - machine.backend_base
        self.ram = memoryview(self.file)[at:at + RAM_SIZE]
        self.before = bytes(self.ram)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.said.close()
        self.folder.cleanup()

    def replies(self):
        """All registers in one go."""
        self.socket.sendall(self.questions)
        got, data = [], self.data
        while len(got) < self.answers:
            at = data.find(b'#')
            if at < 0 or len(data) < at + 3:
                more = self.socket.recv(1 << 16)
                if not more:
                    raise Failure('QEMU closed the connection')
                data += more
                continue
            got.append(data[data.index(b'$') + 1:at])
            data = data[at + 3:]
        self.data = data
        self.socket.sendall(b'+')
        return [bytes.fromhex(text.decode()) for text in got]

    def state(self):
        """The step about to run."""
        core, *fp = self.replies()
        if self.machine.a64:
            values = struct.unpack_from('<33QI', core)
            return Step(values[32], values[:32], values[33],
                        [int.from_bytes(v, 'little') for v in fp])
        values = struct.unpack_from('<17I', core)
        return Step(values[15], values[:15], values[16],
                    [int.from_bytes(v, 'little') for v in fp])

    def set_value(self, number, value, size):
        self.command('P%x=%s' % (number, value.to_bytes(size, 'little').hex()))

    def set_core(self, number, value):
        size = 8 if self.machine.a64 and number != self.psr_number else 4
        self.set_value(number, value, size)

    def changed(self):
        """(offset, bytes) of RAM that is not as at the last call."""
        if self.ram == self.before:
            return []
        now, found = bytes(self.ram), []
        for low in range(0, RAM_SIZE, 256):
            if now[low:low + 256] == self.before[low:low + 256]:
                continue
            for at in range(low, low + 256, 4):
                if now[at:at + 4] != self.before[at:at + 4]:
                    found.append((at, now[at:at + 4]))
        self.before = now
        return found

    def execute(self, opcode, values, step):
        """Have the core execute an instruction outside the program, with registers VALUES
        and without exceptions; STEP is what it was to run."""
        machine = self.machine
        at = machine.scratch
        self.command('M%x,%x:%s' % (at, len(opcode), opcode.hex()))
        if not machine.a64:
            # Not within an IT block.
            clear = 0x0600fc00 if machine.is_m else 0x0600fc20
            self.set_core(self.psr_number, step.psr & ~clear)
        for number, value in values.items():
            self.set_core(number, value)
        self.set_core(self.pc_number, at)
        self.command('Qqemu.sstep=3')
        self.step()
        self.command('Qqemu.sstep=1')
        result = self.state()
        for number in range(2):
            self.set_core(number, step.core[number])
        self.set_core(self.pc_number, step.pc)
        if not machine.a64:
            self.set_core(self.psr_number, step.psr)
        return result

    def interrupt(self, step):
        """Make the interrupt pending."""
        machine = self.machine
        address, values = machine.pend
        value = values[len(self.pended) % len(values)]
        self.pended.append(step.pc)
        opcode = b'\x01\x00\x00\xb9' if machine.a64 else \
            b'\x01\x60' if machine.is_m else b'\x00\x10\x80\xe5'        # str r1, [r0]
        self.execute(opcode, {0: address, 1: value}, step)

    def run_to(self, address):
        self.command('Z0,%x,%x' % (address, 4 if self.machine.a64 else 2))
        reply = self.ask('c')
        if not reply.startswith('T05'):
            raise Failure('QEMU stopped with ' + reply)
        self.command('z0,%x,%x' % (address, 4 if self.machine.a64 else 2))


class Run:
    """A recorded run: steps, the state at the halt, RAM at the start and at the halt."""

    def __init__(self, machine, program, elf, flow, seed, limit):
        self.machine, self.program, self.flow, self.limit = machine, program, flow, limit
        self.random = random.Random(seed)
        self.steps, self.sp_number = [], 31 if machine.a64 else 13
        board = Board(machine, elf)
        try:
            self.record(board, program)
        finally:
            board.close()

    def prepare(self, board, program):
        """Random registers and memory at the start."""
        r, machine = self.random, self.machine
        board.command('Qqemu.sstep=1')
        for low, data in self.flow.sections:
            if board.memory(low, len(data)) != data:
                raise Failure('the program is not in memory at %x' % low)
        board.run_to(self.flow.symbols['start'])
        board.ram[:0x6000] = r.randbytes(0x6000)
        width = 8 if machine.a64 else 4
        for offset, pointer in program.pointer_table():
            board.ram[offset:offset + width] = pointer.to_bytes(width, 'little')
        for number, value in program.start_registers():
            board.set_core(number, value)
        for number in board.fp_numbers[:machine.nd]:
            size = 16 if machine.a64 else 8
            value = program.random_fp() | program.random_fp() << 64
            board.set_value(number, value & (1 << 8 * size) - 1, size)
        self.due = r.randrange(20, 200)

    def record(self, board, program):
        self.prepare(board, program)
        self.ram0 = bytes(board.ram)
        board.changed()
        before, events, changes = board.state(), [], []
        while not self.is_over(before, events):
            self.check(before, program)
            place = self.flow.places[before.pc]
            self.interrupt(board, before, events)
            value = self.exc_return(board, before, place)
            board.step()
            after = board.state()
            event, ran = self.event(before, place, after, value)
            if ran:
                before.events, before.changes = events, changes
                self.steps.append(before)
                events, changes = [], []
            changes += board.changed()
            if event is not None:
                events.append(event)
            before = after
        self.halt = before
        before.events, before.changes = events, changes
        self.ram = bytes(board.ram)
        self.special = []
        if self.machine.is_m:
            for name, number in ('MSP', 8), ('PSP', 9), ('PRIMASK', 16), ('CONTROL', 20):
                opcode = bytes((0xef, 0xf3, number, 0x80))              # mrs r0, ...
                value = board.execute(opcode, {}, before).core[0]
                self.special.append((name, 32, value))

    def is_over(self, before, events):
        """Does the run end before that step?  EVENTS: what has happened since the last one."""
        count = len(self.steps)
        if before.pc == self.flow.symbols.get('halt') or self.is_long(events):
            return True
        if count > self.limit + 1000:
            raise Failure('no place to halt')
        if before.pc == self.flow.symbols.get('fault'):
            at = self.flow.places.get(events[-1][2]) if events else None
            raise Failure('fault: %s' % (at and '%s %s' % (at.mnemonic, at.operands)))
        return False

    def is_long(self, events):
        """Has it been long enough, and can it end here?"""
        return len(self.steps) >= self.limit and not events and self.may_halt(self.steps[-1])

    def interrupt(self, board, before, events):
        """Pend an interrupt, if one is due."""
        if len(self.steps) >= self.due and self.program.interrupts:
            self.due = len(self.steps) + self.random.randrange(*self.program.interrupt_gaps)
            board.interrupt(before)

    def may_halt(self, last):
        """ETM trace ends with a branch, a buffer of an MTB anywhere."""
        return not self.program.etm or self.flow.places[last.pc].kind is not None

    def check(self, step, program):
        if step.pc not in self.flow.places:
            raise Failure('at %x there is no program' % step.pc)
        low, high = self.machine.ram + 0x400, self.machine.ram + STACKS
        for number in program.checked:
            if not low <= step.core[number] & (1 << 56) - 1 < high:
                raise Failure('a pointer strays to %x' % step.core[number])
        if not high <= step.core[31 if self.machine.a64 else 13] <= self.machine.ram + RAM_SIZE:
            raise Failure('the stack pointer strays')

    def event(self, before, place, after, value):
        """What happened in a step beside its instruction, and whether that ran."""
        # A frame on the stack: an interrupt came instead of the return.  Where the stack is
        # as it was, the next handler runs at once (tail-chaining).
        if value and (after.psr & 511 == 0 or after.core[13] >= before.core[13]):
            popped = 4 * place.operands.count(',') if '{' in place.operands else 0
            if place.mnemonic.startswith('pop'):
                popped += 4
            tail = after.psr & 511 and after.pc in self.flow.handlers \
                and after.core[13] - before.core[13] == popped
            return ('tail' if tail else 'return', value, after.pc, after.psr, 0), True
        if self.machine.is_m:
            number = after.psr & 511
            if number in (0, before.psr & 511):
                return None, True
            # Where SVCs are masked a HardFault takes its place; that, too, stacks what is next.
            call = place.mnemonic == 'svc' and number in (3, 11)
        else:
            number = self.flow.vector(after.pc)
            if number is None:
                return None, True
            call = place.mnemonic == 'svc' and number == 2
        return ('exception', number, before.pc + place.size * call, before.psr,
                before.core[self.sp_number]), call

    def exc_return(self, board, step, place):
        """The EXC_RETURN value that STEP branches to, or 0.  Handlers of our programs
        return by BX or pop."""
        if not self.machine.is_m or step.psr & 511 == 0:
            return 0
        value = 0
        if place.mnemonic == 'bx':
            names = {'lr': 14, 'ip': 12}
            value = step.core[names.get(place.operands) or int(place.operands[1:])]
        elif place.kind == 'indirect' and place.mnemonic.startswith(('pop', 'ldm')):
            listed = place.operands[place.operands.index('{'):]
            at = step.core[13] + 4 * listed.count(',') - self.machine.ram
            value = int.from_bytes(board.before[at:at + 4], 'little')
        return value if value >= 0xffffff00 else 0
