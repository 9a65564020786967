"""Structures and arrays that are known in part, member by member.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB reads a value whole before it asks any printer for it, and refuses it for one byte.  Of a reference
it reads the address alone.  So what cannot be read whole is shown by a reference to it, whose printer
reads each member by itself: behind "info locals" and "info args", and by $_partly in any expression.  It is an rvalue reference, as variable objects, which read
member by member anyway, would have the texts of this printer as their children.
"""
import gdb

from . import packet
from .unknown import in_trace_frame

UNAVAILABLE = '<unavailable>'

MADE_OF_PARTS = gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY


def readable(value):
    try:
        value.fetch_lazy()
        return True
    except gdb.MemoryError:
        return False


def by_members(value):
    """VALUE, or where it is in memory of the stub that cannot be read whole, a reference that shows it."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        inner = value.referenced_value()
        reference = by_members(inner)
        return value if reference is inner else reference
    if kind.code not in MADE_OF_PARTS or in_trace_frame() or readable(value) or packet.answers() is None:
        return value
    return value.rvalue_reference_value()


def bit_field(value, field):
    """The bit field FIELD of VALUE.  GDB would read VALUE whole for it."""
    first, last = field.bitpos // 8, (field.bitpos + field.bitsize - 1) // 8
    start = int(value.address) + first
    try:
        known = bytes(gdb.selected_inferior().read_memory(start, last + 1 - first))
    except gdb.MemoryError:
        return UNAVAILABLE
    whole = bytearray(value.type.sizeof)
    whole[first:last + 1] = known
    return gdb.Value(bytes(whole), value.type)[field]


def shown(value):
    """What stands for VALUE, a part of another one."""
    if value.type.strip_typedefs().code in MADE_OF_PARTS:
        return by_members(value)
    return value if readable(value) else UNAVAILABLE


class Members:
    """Prints a structure or an array that cannot be read whole."""

    # Since the last prompt.
    asked = False

    def __init__(self, value):
        self.value = value
        self.kind = value.type.strip_typedefs()

    def children(self):
        Members.asked = True
        return self.elements() if self.kind.code == gdb.TYPE_CODE_ARRAY else self.fields(self.value)

    def elements(self):
        first, last = self.kind.range()
        for i in range(first, last + 1):
            yield '[%d]' % i, shown(self.value[i])

    def fields(self, value):
        for field in value.type.strip_typedefs().fields():
            if not hasattr(field, 'bitpos'):        # Static: it is no part of the value.
                continue
            if field.bitsize:
                yield field.name, bit_field(value, field)
            elif field.is_base_class:
                yield '<%s>' % field.name, shown(value[field])
            elif field.name:
                yield field.name, shown(value[field])
            else:
                yield from self.fields(value[field])

    def display_hint(self):
        return 'array' if self.kind.code == gdb.TYPE_CODE_ARRAY else None


def look_up(value):
    """A printer for VALUE if it is such a reference."""
    if value.type.strip_typedefs().code != gdb.TYPE_CODE_RVALUE_REF or in_trace_frame():
        return None
    inner = value.referenced_value()
    if inner.type.strip_typedefs().code not in MADE_OF_PARTS or readable(inner) or packet.answers() is None:
        return None
    return Members(inner)


look_up.name = 'tracebridge-members'


class Partly(gdb.Function):
    """$_partly (VALUE): VALUE, with <unavailable> for those of its members that are not known."""

    def __init__(self):
        super().__init__('_partly')

    def invoke(self, value):
        return by_members(value)


def tell(arguments):
    """"info args" or "info locals" has shown the variables of the frame: show those that it could not."""
    # Only where an unwinder has met the stub: nothing is asked of other targets.
    if getattr(gdb.selected_inferior().connection, 'num', None) not in packet.stubs:
        return
    frame = gdb.selected_frame()
    try:
        block = frame.block()
    except RuntimeError:        # As of an assembler's function, or of GDB's own frame of a signal handler.
        return
    head = 'Known in part:\n'
    while block is not None:
        for symbol in block:
            if not (symbol.is_argument if arguments else symbol.is_variable):
                continue
            value = symbol.value(frame)
            shown_by = by_members(value)
            if shown_by is not value:
                gdb.write('%s%s = %s\n' % (head, symbol.print_name, shown_by.format_string()))
                head = ''
        block = block.superblock if block.function is None else None


def register():
    # GDB before 12 does not tell of the stub.
    if not hasattr(gdb, 'add_history') or any(getattr(printer, 'name', '') == look_up.name
                                              for printer in gdb.pretty_printers):
        return
    gdb.pretty_printers.append(look_up)
    Partly()
    for name, arguments in ('args', True), ('locals', False):
        gdb.execute('define info hookpost-%s\npython __import__("tracebridge.members").members.tell(%s)\nend'
                    % (name, arguments), to_string=True)
