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
        self.devices, self.cores = [], 0

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

    @staticmethod
    def core_name(number):
        return 'cpu_%d' % number

    def core(self, kind, registers, dumps):
        """REGISTERS: name, bits, value; DUMPS: file, address, content.  The core's name."""
        core = self.core_name(self.cores)
        self.cores += 1
        lines = ['[device]', 'name=' + core, 'class=core', 'type=' + kind, '', '[regs]']
        for name, bits, value in registers:
            lines.append('%s%s=0x%0*X' % (name, '(size:64)' if bits == 64 else '', bits // 4,
                                          value))
        for number, (name, address, content) in enumerate(dumps):
            self.data(name, content)
            lines += ['', '[dump%d]' % number, 'file=' + name, 'address=0x%08X' % address,
                      'length=0x%X' % len(content)]
        self.text(core + '.ini', lines)
        self.devices.append(core + '.ini')
        return core

    def device(self, name, what, kind, registers):
        """WHAT: trace_source or trace_link; REGISTERS: name, number, value."""
        self.text(name + '.ini',
                  ['[device]', 'name=' + name, 'class=' + what, 'type=' + kind, '', '[regs]']
                  + ['%s(0x%03X)=0x%08X' % register for register in registers])
        self.devices.append(name + '.ini')

    def trace(self, sources, buffers):
        """The files of BUFFERS and which of SOURCES they have trace of (trace.py)."""
        lines = ['[trace_buffers]', 'buffers=' + ','.join(
            'buffer%d' % i for i in range(len(buffers)))]
        for number, buffer in enumerate(buffers):
            file = 'trace-%s.bin' % buffer.name
            self.data(file, buffer.content)
            lines += ['', '[buffer%d]' % number, 'name=' + buffer.name, 'file=' + file,
                      'format=' + buffer.form]
        lines += ['', '[core_trace_sources]']
        lines += ['%s=%s' % (s.core, s.name) for s in sources if s.core is not None]
        lines += ['', '[source_buffers]']
        for source in sources:
            has = [buffer.name for buffer in buffers if source.name in buffer.sources]
            if has:
                lines.append('%s=%s' % (source.name, ','.join(has)))
        self.text('trace.ini', lines)

    def finish(self, description, has_trace):
        lines = ['[snapshot]', 'version=1.0', 'description=' + description, '', '[device_list]']
        lines += ['device%d=%s' % pair for pair in enumerate(self.devices)]
        if has_trace:
            lines += ['', '[trace]', 'metadata=trace.ini']
        self.text('snapshot.ini', lines)
        os.rename(self.draft, self.folder)
