"""The files of a snapshot directory.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The text forms are those of the CoreSight snapshot format, sections 3.1 to 3.3.
"""
import os
import shutil


class Snapshot:
    """A snapshot that is being written beside its final place."""

    def __init__(self, folder):
        self.folder = folder
        self.draft = '%s.partial-%d' % (folder.rstrip('/'), os.getpid())
        self.devices = []

    def __enter__(self):
        os.makedirs(self.draft)
        return self

    def __exit__(self, kind, value, traceback):
        if kind is not None:
            shutil.rmtree(self.draft, ignore_errors=True)

    def text(self, name, lines):
        with open(os.path.join(self.draft, name), 'w', newline='\n') as file:
            file.write('\n'.join(lines) + '\n')

    def data(self, name, content):
        with open(os.path.join(self.draft, name), 'wb') as file:
            file.write(content)

    def core(self, kind, registers, dumps):
        """REGISTERS: name, bits, value; DUMPS: file, address, content."""
        lines = ['[device]', 'name=cpu_0', 'class=core', 'type=' + kind, '', '[regs]']
        for name, bits, value in registers:
            lines.append('%s%s=0x%0*X' % (name, '(size:64)' if bits == 64 else '', bits // 4,
                                          value))
        for number, (name, address, content) in enumerate(dumps):
            self.data(name, content)
            lines += ['', '[dump%d]' % number, 'file=' + name, 'address=0x%08X' % address,
                      'length=0x%X' % len(content)]
        self.text('cpu_0.ini', lines)
        self.devices.append('cpu_0.ini')

    def source(self, name, kind, registers):
        """REGISTERS: name, number, value."""
        self.text(name + '.ini',
                  ['[device]', 'name=' + name, 'class=trace_source', 'type=' + kind, '', '[regs]']
                  + ['%s(0x%03X)=0x%08X' % register for register in registers])
        self.devices.append(name + '.ini')

    def trace(self, source, form, content):
        """The trace of SOURCE; FORM: coresight or source_data."""
        self.data('trace.bin', content)
        self.text('trace.ini', [
            '[trace_buffers]', 'buffers=buffer0', '', '[buffer0]', 'name=trace_buffer',
            'file=trace.bin', 'format=' + form, '', '[core_trace_sources]', 'cpu_0=' + source,
            '', '[source_buffers]', source + '=trace_buffer'])

    def finish(self, description, has_trace):
        lines = ['[snapshot]', 'version=1.0', 'description=' + description, '', '[device_list]']
        lines += ['device%d=%s' % pair for pair in enumerate(self.devices)]
        if has_trace:
            lines += ['', '[trace]', 'metadata=trace.ini']
        self.text('snapshot.ini', lines)
        os.rename(self.draft, self.folder)
