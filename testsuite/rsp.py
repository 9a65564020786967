# A client of GDB's remote protocol, for tests that GDB itself cannot make, and how they report:
# a line for each thing tried, "ok NAME", "FAILED NAME: what was seen" or "skipped NAME: why".
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import atexit
import re
import socket
import subprocess
import time


def packet(contents):
    if isinstance(contents, str):
        contents = contents.encode()
    return b'$' + contents + b'#%02x' % (sum(contents) & 255)


class Server:
    """The stub, started on free ports."""

    def __init__(self, program, *arguments, listen='127.0.0.1:0'):
        self.process = subprocess.Popen([program, '--listen=' + listen, *arguments],
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)      # Whatever becomes of the test.
        self.places = []
        for line in self.process.stdout:
            if line.startswith('In GDB:'):
                break
            self.places.append(line.split()[0])
        else:
            raise RuntimeError('the stub ended: %s' % self.process.wait())
        del self.places[0]              # The heading.

    def port(self, core=0):
        return int(self.places[core].rsplit(':', 1)[1])

    def alive(self):
        return self.process.poll() is None

    def used(self):
        """The processor time that it has used, in clock ticks."""
        with open('/proc/%d/stat' % self.process.pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def wait_until_done(self):
        """Wait until it works ahead no longer."""
        before = -1
        while self.used() != before:
            before = self.used()
            time.sleep(0.3)

    def stop(self):
        self.process.terminate()
        status = self.process.wait(20)
        self.process.stdout.close()
        return status


class Client:
    def __init__(self, port=None, path=None, host='127.0.0.1', ack=False):
        if path is not None:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
        else:
            self.socket = socket.create_connection((host, port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(30)
        self.buffer = b''
        self.console = b''
        self.ack = True
        if not ack:
            self.ask('QStartNoAckMode')
            self.socket.sendall(b'+')
            self.ack = False

    def send(self, contents):
        self.socket.sendall(packet(contents))

    def receive(self):
        """The next packet's contents, escapes undone; console output is put aside."""
        while True:
            match = re.search(rb'\$([^#$]*)#([0-9a-f]{2})', self.buffer, re.DOTALL)
            if match is None:
                data = self.socket.recv(1 << 16)
                if not data:
                    raise EOFError
                self.buffer += data
                continue
            self.buffer = self.buffer[match.end():]
            contents = match.group(1)
            if sum(contents) & 255 != int(match.group(2), 16):
                raise ValueError('checksum of %r' % contents)
            if self.ack:
                self.socket.sendall(b'+')
            contents = re.sub(rb'\}(.)', lambda m: bytes([m.group(1)[0] ^ 32]), contents,
                              flags=re.DOTALL)
            if re.fullmatch(rb'O([0-9a-f]{2})*', contents) and contents != b'OK':
                self.console += bytes.fromhex(contents[1:].decode())
                continue
            return contents

    def ask(self, contents):
        self.send(contents)
        return self.receive().decode('latin-1')

    def monitor(self, command):
        self.console = b''
        answer = self.ask('qRcmd,' + command.encode().hex())
        # What took long comes in one packet.
        if re.fullmatch(r'([0-9a-f]{2})+', answer):
            self.console += bytes.fromhex(answer)
        if command.startswith('goto'):
            # As a GDB that was told of the new place: its next step is one.
            console = self.console
            self.ask('g')
            self.console = console
        return self.console.decode()

    def close(self):
        self.socket.close()


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


failed = 0


def report(name, ok, seen=''):
    global failed
    failed += not ok
    print('ok %s' % name if ok else 'FAILED %s: %s' % (name, seen), flush=True)


def skip(name, why):
    print('skipped %s: %s' % (name, why), flush=True)


def serves(server, core=0):
    """A whole new session works."""
    client = Client(server.port(core))
    try:
        return (client.ask('?').startswith('T05') and client.ask('QTFrame:0') == 'F0T1'
                and len(client.ask('g')) >= 0x88)
    finally:
        client.close()


def wait_until_free(server, core=0):
    """The stub notices a client's end only when it looks."""
    for _ in range(200):
        client = Client(server.port(core), ack=True)
        try:
            client.ask('qSupported')
            if client.ask('vMustReplyEmpty') == '':
                return
        except (EOFError, OSError):
            pass
        finally:
            client.close()
        time.sleep(0.02)
