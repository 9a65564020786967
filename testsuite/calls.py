#!/usr/bin/env python3
"""Judge a time line of calls (--format=perfetto) by the stack pointer: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: calls.py FOLDER TIMELINE

A function that returned to the instruction behind its call has the stack pointer that it
was called with.  FOLDER has the truth (see truth.py).  Prints "right=N wrong=N".
"""
import json
import sys

sys.dont_write_bytecode = True
import truth


def main(folder, timeline):
    steps = truth.read(folder).steps
    with open(timeline) as file:
        events = [e for e in json.load(file)['traceEvents'] if e.get('tid') == 1]
    stack, right, wrong = [], 0, 0
    for event in events:
        if event['ph'] == 'B':
            stack.append(event)
        elif event['ph'] == 'E':
            call = stack.pop()
            begin, end = call['ts'], event['ts']
            # What the trace begins or ends in was not called or did not return in it; what
            # an exception put on the stack is not the function's.
            if (call['cat'] == 'function' and 0 < begin and end < len(steps)
                    and not steps[begin].entered
                    and steps[end].pc - steps[begin - 1].pc in (2, 4)):
                if steps[begin].registers['sp'] == steps[end].registers['sp']:
                    right += 1
                else:
                    wrong += 1
    print('right=%d wrong=%d' % (right, wrong))


main(*sys.argv[1:])
