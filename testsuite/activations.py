"""Which call of which function runs at each step of a recorded run: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Calls are told by the instructions, as a disassembler names them, and returns by where they lead to
and the stack pointer there; nothing of it comes from what is tested.
"""
import re

# Leave a function for where it was called.
RETURNS = re.compile(r'ret\b|bx\s+lr|mov\S*\s+pc, lr|(pop|ldm)\S*\s.*\bpc\b|ldr\S*\s+pc, \[sp')
CALLS = re.compile(r'(bl|blx|blr)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|hs|lo)?(\.\w)?\s')


class Activation:
    """A call.  back: where it returns to (None: it is an exception's, or not known), and sp: the
    stack pointer there; caller: what called, an activation and where the function began that this
    ran then (None: an exception interrupted it); over: the step before which it is over, None: the
    trace does not have that; exception: it is a handler's."""

    def __init__(self, back=None, sp=None, caller=None, exception=False, made=None):
        self.back, self.sp, self.caller, self.exception = back, sp, caller, exception
        self.over, self.made = None, made


def follow(case, where, places):
    """The activation of each step; None: it is not known.  WHERE tells of each step the exceptions
    under way, by numbers, the outermost first (negative: nothing is known), and PLACES of each PC
    the instruction's text and size, and where its function begins."""
    active, found = Activation(), []
    interrupted = []            # Number and activation of what is interrupted, as WHERE.
    for number in range(case.count):
        step, here, place = case.steps[number], where[number], places[case.steps[number].pc]
        if any(n < 0 for n in here):
            found.append(None)
            continue
        if number == 0 or found[-1] is None:
            active, interrupted = Activation(), [(n, Activation()) for n in here]
        same = 0
        while same < min(len(interrupted), len(here)) and interrupted[same][0] == here[same]:
            same += 1
        for _, before in reversed(interrupted[same:]):
            leave(active, before, number)
            active = before
        del interrupted[same:]
        for n in here[same:]:
            interrupted.append((n, active))
            active = Activation(caller=(active, None), exception=True)
        found.append(active)
        if number + 1 < case.count:
            active = after_step(active, number, step, case.steps[number + 1], place, places,
                                where[number + 1] == here)
    return found


def leave(active, outer, number):
    """ACTIVE and all that called it, up to OUTER, are over before step NUMBER."""
    while active is not outer:
        active.over = number
        if active.caller is None:
            break
        active = active.caller[0]


def after_step(active, number, step, after, place, places, goes_on):
    """What runs behind STEP, which has NUMBER, and whose PLACE is in ACTIVE; AFTER is the next one, and if that GOES_ON
    no exception lies between them."""
    back = step.pc + place.size
    if CALLS.match(place.text) and step.passed and (not goes_on or after.pc != back):
        # An exception may come before the first instruction there, or in place of it.
        return Activation(back=back, sp=step.registers['sp'], caller=(active, place.function), made=number)
    if not goes_on:
        # It was interrupted right behind its return.
        if active.back is not None and step.passed and RETURNS.match(place.text):
            active.over = number + 1
            return active.caller[0]
        return active
    if active.back is not None and after.pc == active.back and after.registers['sp'] == active.sp:
        active.over = number + 1
        return active.caller[0]
    if active.back is None and not active.exception and RETURNS.match(place.text) \
            and places[after.pc].function != place.function:
        # It was called before the trace began.
        active.over, active.back = number + 1, after.pc
        active.caller = Activation(), places[after.pc].function
        return active.caller[0]
    return active
