"""What is not known: registers of a trace frame, and memory that the stub serves.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A trace file cannot say that one register is unavailable.  tracebridge-convert puts a
poison value into such registers, and their numbers into the trace state variable
$unknown_registers; those that hold only under an assumption are in
$assumed_registers.

Of an object in memory that is known in part GDB shows nothing, as reading it fails.  The
stub fills what is not known of it once it is told that somebody marks that: here each
number in memory is asked for, and shown as <unknown> where the stub does not know it.
"""
import gdb

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
those whose values hold only under an assumption."""

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


class Poisoned:
    """Prints a value that is a poison."""

    def __init__(self, number):
        self.text = '0x%x <not known>' % number

    def to_string(self):
        return self.text


class Unknown:
    """Prints a value of which not all is known."""

    def to_string(self):
        return '<unknown>'


class Bytes:
    """Prints an array of characters of which not all are known."""

    def __init__(self, value):
        self.value = value

    def children(self):
        first, last = self.value.type.range()
        for i in range(first, last + 1):
            yield '[%d]' % i, self.value[i]

    def display_hint(self):
        return 'array'


# The connections that were told, by their numbers, and whether the stub is there.
told = {}


def stub():
    """The connection to the stub, which was told that what is not known is marked; None
    where something else is debugged."""
    connection = getattr(gdb.selected_inferior(), 'connection', None)
    if connection is None or not connection.is_valid() or not hasattr(connection, 'send_packet'):
        return None
    if connection.num not in told:
        try:
            told[connection.num] = connection.send_packet('QTracebridge.Marks') == b'OK'
        except gdb.error:
            told[connection.num] = False
    return connection if told[connection.num] else None


def tell(event):
    """GDB may be connected to something else than before."""
    stub()


def is_unknown(address, length):
    """Is a byte there that the stub does not know?"""
    connection = stub()
    if connection is None:
        return False
    return b'0' in connection.send_packet('qTracebridge.Known:%x,%x' % (address, length))


SCALARS = {gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_FLT,
           gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_METHODPTR,
           gdb.TYPE_CODE_MEMBERPTR}


def in_memory(value, kind):
    """A printer for VALUE, of type KIND, if it is in memory that the stub does not know."""
    text = kind.code == gdb.TYPE_CODE_ARRAY and kind.target().strip_typedefs().sizeof == 1
    if not text and kind.code not in SCALARS:
        return None
    try:
        if value.is_lazy:
            value.fetch_lazy()  # An error is a better mark.
        if value.address is None or not is_unknown(int(value.address), kind.sizeof):
            return None
    except gdb.error:
        return None
    return Bytes(value) if text else Unknown()


def look_up(value):
    """A printer for VALUE if it is a poison: that of an unknown register, whole; or if it is
    in memory that is not known."""
    kind = value.type.strip_typedefs()
    if not in_trace_frame():
        return in_memory(value, kind)
    poison = {4: POISON32, 8: POISON64}.get(kind.sizeof)
    if poison is None or kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR,
                                           gdb.TYPE_CODE_ENUM):
        return None
    try:
        if int(value) & (1 << 8 * kind.sizeof) - 1 != poison:
            return None
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
    gdb.events.stop.connect(tell)
    if hasattr(gdb.events, 'connection_removed'):
        gdb.events.connection_removed.connect(lambda event: told.pop(event.connection.num, None))
