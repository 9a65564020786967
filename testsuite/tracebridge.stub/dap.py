#!/usr/bin/env python3
"""A debug session by GDB's DAP interpreter, as an IDE has it: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: dap.py GDB ELF SOURCES PLACE

GDB connects to PLACE, where the sample crash-m0 is served.  SOURCES is the folder of its sources.
It prints "NAME: WHAT" lines, which dap.exp compares.  Source: the Debug Adapter Protocol,
"Base Protocol" and "Requests".
"""
import json
import subprocess
import sys
import threading

PATIENCE = 60           # Seconds to wait for a message.


class Session:
    def __init__(self, gdb):
        self.gdb = subprocess.Popen([gdb, '-q', '-nx', '-iex', 'set debuginfod enabled off',
                                     '-iex', 'set remotetimeout 60', '-i=dap'],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.replies, self.events = 0, {}, []
        self.came = threading.Condition()
        self.ended = False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            length = 0
            while True:
                line = self.gdb.stdout.readline()
                if line.lower().startswith(b'content-length:'):
                    length = int(line.split(b':')[1])
                if line in (b'\r\n', b''):
                    break
            message = json.loads(self.gdb.stdout.read(length)) if length else None
            with self.came:
                if message is None:
                    self.ended = True
                elif message['type'] == 'response':
                    self.replies[message['request_seq']] = message
                elif message['type'] == 'event':
                    self.events.append(message)
                self.came.notify_all()
            if message is None:
                return

    def send(self, command, **arguments):
        self.number += 1
        data = json.dumps({'seq': self.number, 'type': 'request', 'command': command,
                           'arguments': arguments}).encode()
        self.gdb.stdin.write(b'Content-Length: %d\r\n\r\n' % len(data) + data)
        self.gdb.stdin.flush()
        return self.number

    def wait(self, what, found):
        with self.came:
            if not self.came.wait_for(lambda: self.ended or found(), PATIENCE) or not found():
                sys.exit('%s: no answer' % what)

    def reply(self, number, what):
        self.wait(what, lambda: number in self.replies)
        return self.replies.pop(number)

    def ask(self, command, **arguments):
        """The body of the reply; None after an error."""
        reply = self.reply(self.send(command, **arguments), command)
        if not reply['success']:
            print('%s refused: %s' % (command, reply.get('message')))
            return None
        return reply.get('body') or {}

    def event(self, name):
        """The body of the next event of this name; those before are forgotten."""
        def found():
            return any(e['event'] == name for e in self.events)
        self.wait('event ' + name, found)
        while True:
            event = self.events.pop(0)
            if event['event'] == name:
                return event.get('body', {})

    def stop(self, what, command, **arguments):
        """Have it run until it stops; where that is, innermost first."""
        self.events = [e for e in self.events if e['event'] != 'stopped']
        self.ask(command, **arguments)
        body = self.event('stopped')
        frames = self.frames()
        print('%s: %s %s:%s' % (what, body['reason'], frames[0]['name'], frames[0].get('line')))
        return frames

    def repl(self, what, line):
        """The same by a line typed at GDB."""
        return self.stop(what, 'evaluate', expression=line, context='repl')

    def frames(self):
        return self.ask('stackTrace', threadId=1)['stackFrames']

    def scope(self, frame, name):
        """The variables of a scope: name to text."""
        for scope in self.ask('scopes', frameId=frame['id'])['scopes']:
            if scope['name'] == name:
                variables = self.ask('variables', variablesReference=scope['variablesReference'])['variables']
                return {v['name']: v for v in variables}
        return {}


def main(gdb, elf, sources, place):
    s = Session(gdb)
    able = s.ask('initialize', adapterID='tracebridge', linesStartAt1=True)
    print('initialize: %s' % able.get('supportsConfigurationDoneRequest'))
    attached = s.send('attach', program=elf, target=place)
    s.event('initialized')
    s.ask('configurationDone')
    print('attach: %s' % s.reply(attached, 'attach')['success'])
    s.event('stopped')
    print('threads: %s' % ' '.join('%s=%s' % (t['id'], t['name']) for t in s.ask('threads')['threads']))
    frames = s.frames()
    print('stack: %s' % ' '.join(f['name'] for f in frames))
    registers = s.scope(frames[0], 'Registers')
    print('registers: pc %s r12 %s' % (registers['pc']['value'].split()[0], registers['r12']['value']))
    s.ask('evaluate', expression='directory ' + sources, context='repl')

    # Back to the start; the next step shows it.
    s.ask('evaluate', expression='monitor goto start', context='repl')
    s.repl('start', 'stepi')
    points = s.ask('setFunctionBreakpoints', breakpoints=[{'name': 'batch_put', 'condition': 'channel == 2'}])
    print('breakpoint: %s' % points['breakpoints'][0].get('verified'))
    frames = s.stop('continue', 'continue', threadId=1)
    arguments = s.scope(frames[0], 'Arguments')
    print('arguments: %s' % ' '.join('%s=%s' % (n, v['value']) for n, v in sorted(arguments.items())))
    print('callers: %s' % ' '.join(f['name'] for f in frames[1:3]))
    first = s.ask('evaluate', expression='$step', frameId=frames[0]['id'], context='watch')['result']
    count = s.ask('evaluate', expression='batch.count', frameId=frames[0]['id'], context='hover')['result']
    print('evaluate: step %s count %s' % (first, count))
    memory = s.ask('readMemory', memoryReference='0x188', count=4)
    print('memory: %s' % memory['data'])
    code = s.ask('disassemble', memoryReference=frames[0]['instructionPointerReference'], instructionCount=2)
    print('disassemble: %s' % len(code['instructions']))
    s.stop('next', 'next', threadId=1)
    s.stop('step', 'stepIn', threadId=1, granularity='instruction')
    s.repl('back', 'reverse-next')
    s.repl('back again', 'reverse-continue')
    print('the same step: %s' % s.ask('evaluate', expression='$step', context='watch')['result'])
    s.stop('forward again', 'continue', threadId=1)
    s.stop('finish', 'stepOut', threadId=1)
    s.ask('setFunctionBreakpoints', breakpoints=[])
    s.stop('to the end', 'continue', threadId=1)
    s.repl('restart', 'reverse-continue')
    print('write: ', end='')
    s.ask('writeMemory', memoryReference='0x20000000', data='AAAA')
    s.ask('disconnect', terminateDebuggee=False)
    print('disconnect: %s' % s.gdb.wait(PATIENCE))


if __name__ == '__main__':
    main(*sys.argv[1:])
