"""What is not known: registers of a trace frame, and memory that the stub serves.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A trace file cannot say that one register is unavailable.  tracebridge-convert puts a
poison value into such registers, and their numbers into the trace state variable
$unknown_registers; those that hold only under an assumption are in
$assumed_registers, and $assumed_memory says how much of the frame's memory does.

Of an object in memory that is known in part GDB shows nothing, as reading it fails.  Where
the user wants that ("monitor unknown filled"), the stub fills what is not known of it.  Here
each number in memory is then asked for, and shown as <unknown> where the stub does not know
it.  Values without an address (convenience variables, bit fields) cannot be asked for, nor
values of another moment (the history): so this is not for all sessions.
"""
import gdb

from . import packet

POISON32 = 0xbad00bad
POISON64 = 0xbad00bad_bad00bad

# In the order of the bits of $unknown_registers (see the manual), where GDB does
# not tell how the target description numbers registers.
NAMES32 = ['r%d' % i for i in range(13)] + ['sp', 'lr', 'pc']
NAMES64 = ['x%d' % i for i in range(31)] + ['sp', 'pc', 'cpsr']


def variable(name):
    """The value of $NAME as an unsigned number; None where there is none.  (GDB's
    convenience_variable does not find trace state variables.)"""
    try:
        value = gdb.parse_and_eval('$' + name)
    except gdb.error:
        return None
    if value.type.code != gdb.TYPE_CODE_INT:
        return None
    return int(value) & 0xffffffffffffffff


def in_trace_frame():
    number = gdb.convenience_variable('trace_frame')
    return number is not None and int(number) >= 0


def described():
    """The registers' names by their numbers in the target description."""
    numbers = []
    for line in gdb.execute('maintenance print remote-registers', to_string=True).splitlines():
        fields = line.split()
        # Name, Nr, Rel, Offset, Size, Type (perhaps several words), Rmt Nr, g/G Offset.
        if len(fields) >= 8 and fields[-2].isdigit() and fields[-1].isdigit():
            numbers.append((int(fields[-2]), fields[0]))
    return [name for _, name in sorted(numbers)]


def names():
    by_number = described()
    if len(by_number) > 16:
        return by_number[:64]
    architecture = gdb.selected_inferior().architecture()
    if architecture.name().startswith('aarch64'):
        return NAMES64
    listed = [register.name for register in architecture.registers()]
    return NAMES32 + ['xpsr' if 'xpsr' in listed else 'cpsr']


def listed(bits):
    # GDB shows none of a register whose name is empty.
    return [name for i, name in enumerate(names()) if bits >> i & 1 and name != "''"]


class InfoUnknownRegisters(gdb.Command):
    """List the registers of the selected trace frame that are not known.
Usage: info unknown-registers

In a trace file that tracebridge made, registers that are not known hold
0xbad00bad (0xbad00badbad00bad where they have 64 bits).  This lists them, and
those whose values hold only under an assumption; of memory that does it says
how much there is."""

    def __init__(self):
        super().__init__('info unknown-registers', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise gdb.GdbError('info unknown-registers takes no argument.')
        if not in_trace_frame():
            raise gdb.GdbError('No trace frame is selected: use "tfind" first.')
        unknown = variable('unknown_registers')
        if unknown is None:
            raise gdb.GdbError('This trace has no $unknown_registers: '
                               'tracebridge did not make it.')
        if unknown:
            print('Not known: ' + ' '.join(listed(unknown)))
        else:
            print('All registers are known.')
        assumed = variable('assumed_registers')
        if assumed:
            print('Under an assumption: ' + ' '.join(listed(assumed)))
        memory = variable('assumed_memory')
        if memory:
            print('Memory under an assumption: %d bytes of this frame' % memory)


class Poisoned:
    """Prints a value that is a poison, or has some of its bits."""

    def __init__(self, number, mark='not known'):
        self.text = '0x%x <%s>' % (number, mark)

    def to_string(self):
        return self.text


class Unknown:
    """Prints a value of which not all is known."""

    def to_string(self):
        return '<unknown>'


class Elements:
    """Prints an array of numbers of which not all are known."""

    def __init__(self, value):
        self.value = value

    def children(self):
        first, last = self.value.type.strip_typedefs().range()
        for i in range(first, last + 1):
            yield '[%d]' % i, self.value[i]

    def display_hint(self):
        return 'array'


def first_unknown(address, length):
    """The first of LENGTH bytes at ADDRESS that the stub does not know, though GDB may have
    read it, as the stub fills; None: there is none."""
    for at in range(address, address + length, packet.PIECE):
        size = min(packet.PIECE, address + length - at)
        digits = packet.known(at, size)
        if digits is None or digits == 'OK':    # No stub, or nothing is filled.
            return None
        # What it does not tell of it does not know.
        digits = digits.ljust(size, '0')
        if '0' in digits:
            return at + digits.index('0')
    return None


# Without references: their own address cannot be had.
SCALARS = {getattr(gdb, 'TYPE_CODE_' + name, None)
           for name in ('INT', 'PTR', 'ENUM', 'FLT', 'CHAR', 'BOOL', 'METHODPTR', 'MEMBERPTR', 'COMPLEX',
                        'DECFLOAT', 'RANGE', 'FLAGS', 'FIXED_POINT')}


def in_memory(value, kind):
    """A printer for VALUE, of type KIND, if it is in memory that the stub does not know."""
    # GDB asks for no printers of characters in an array, which have one to four bytes.
    array = kind.code == gdb.TYPE_CODE_ARRAY and kind.target().strip_typedefs().code in SCALARS
    if not array and kind.code not in SCALARS:
        return None
    try:
        if value.is_lazy:
            value.fetch_lazy()  # An error is a better mark.
        if value.address is None or first_unknown(int(value.address), kind.sizeof) is None:
            return None
    except gdb.error:
        return None
    return Elements(value) if array else Unknown()


def is_status(number):
    """Is NUMBER what the status register holds, of which some bits are not known?  The poison's
    stand in these.  GDB does not say which register a value is of."""
    frame = gdb.newest_frame()
    for name in 'cpsr', 'xpsr':
        try:
            if int(frame.read_register(name)) & 0xffffffff != number:
                continue
        except (gdb.error, ValueError):     # It has no value, or there is none.
            continue
        return name in listed(variable('unknown_registers') or 0)
    return False


def partly(value, kind):
    """A printer for VALUE if it is a status register that is known in part."""
    if kind.code != gdb.TYPE_CODE_INT or kind.sizeof != 4:
        return None
    try:
        number = int(value) & 0xffffffff
        # The poison's highest bits are set: what is small is any other number.
        if number >> 16 == 0 or value.address is not None or not is_status(number):
            return None
    except gdb.error:
        return None
    return Poisoned(number, 'not wholly known')


def made_up(value, kind):
    """A printer for VALUE, which is in no memory, if it is the poison or, as a pointer, comes of it:
    a register that is not known, or what lies on a stack of which that is so."""
    near = {4: POISON32, 8: POISON64}.get(kind.sizeof)
    pointer = kind.code == gdb.TYPE_CODE_PTR
    if near is None or not (pointer or kind.code == gdb.TYPE_CODE_INT):
        return None
    try:
        number = int(value) & (1 << 8 * kind.sizeof) - 1
        if number >> 16 != near >> 16 or not pointer and number != near or value.address is not None:
            return None
    except gdb.error:
        return None
    if packet.answers() is None or not pointer and not variable('unknown_registers'):
        return None
    return Poisoned(number)


def look_up(value):
    """A printer for VALUE if it is a poison: that of an unknown register, whole; or if it is
    in memory that is not known."""
    kind = value.type.strip_typedefs()
    if not in_trace_frame():
        return made_up(value, kind) or partly(value, kind) or in_memory(value, kind)
    poison = {4: POISON32, 8: POISON64}.get(kind.sizeof)
    if poison is None or kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR,
                                           gdb.TYPE_CODE_ENUM):
        return None
    try:
        if int(value) & (1 << 8 * kind.sizeof) - 1 != poison:
            return partly(value, kind)
    except gdb.error:           # <unavailable>, <optimized out>
        return None
    if not variable('unknown_registers'):
        return None
    return Poisoned(poison)


look_up.name = 'tracebridge-unknown'


def register():
    if any(getattr(printer, 'name', '') == look_up.name for printer in gdb.pretty_printers):
        return
    InfoUnknownRegisters()
    gdb.pretty_printers.append(look_up)
