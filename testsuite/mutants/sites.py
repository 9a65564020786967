"""Places in C files where a small change makes a mutant: see mutants.py.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The C is taken apart by its tokens, not parsed: comments, strings and lines of the
preprocessor are blanked first, so that every change is one to code, and keeps the numbers
of lines.
"""
import os
import re

SWAPS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
         '&&': '||', '||': '&&', '+': '-', '-': '+', '|=': '&=', '&=': '|=',
         '+=': '-=', '-=': '+=', '<<': '>>', '>>': '<<', '&': '|', '|': '&'}
WORDS = {'true': 'false', 'false': 'true'}
TOKEN = re.compile(
    r'0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*|[A-Za-z_][A-Za-z0-9_]*'
    r'|<<=|>>=|->|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\S')


class Site:
    """A change: the characters from START to END of a file become NEW."""

    def __init__(self, source, path, code, start, end, new, kind):
        self.source, self.path = source, path
        self.old = code[start:end]
        self.start, self.end, self.new, self.kind = start, end, new, kind
        self.first = code.count('\n', 0, start) + 1
        self.last = code.count('\n', 0, end) + 1
        self.column = start - code.rfind('\n', 0, start)

    def __str__(self):
        return f'{self.path}:{self.first}:{self.column}:{self.kind}'

    def text(self):
        """The whole file with the change."""
        with open(os.path.join(self.source, self.path), 'rb') as file:
            old = file.read().decode()
        kept = '\n' * old.count('\n', self.start, self.end)
        new = self.new
        if new.count('\n') < len(kept):
            new += kept[new.count('\n'):]
        return (old[:self.start] + new + old[self.end:]).encode()


def blank(text):
    """TEXT with spaces in place of comments, strings, characters and directives."""
    def spaces(match):
        return re.sub(r'[^\n]', ' ', match.group(0))
    text = re.sub(r'/\*.*?\*/', spaces, text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'',
                  lambda m: '"' + ' ' * (len(m.group(0)) - 2) + '"', text)
    return re.sub(r'^[ \t]*#.*(\\\n.*)*', spaces, text, flags=re.M)


def closing(code, place):
    """The place behind the parenthesis that closes the one at PLACE, or None."""
    depth = 0
    while place < len(code):
        depth += {'(': 1, ')': -1}.get(code[place], 0)
        place += 1
        if depth == 0:
            return place
    return None


def bodies(code):
    """Where functions are: from their brace in the first column to the one that ends it."""
    for match in re.finditer(r'^\{.*?^\}', code, re.M | re.S):
        yield match.start(), match.end()


def of_file(source, path):
    with open(os.path.join(source, path), 'rb') as file:
        text = file.read().decode()
    code = blank(text)
    found = []

    def add(start, end, new, kind):
        found.append(Site(source, path, code, start, end, new, kind))

    for start, end in bodies(code):
        body = code[start:end]
        for match in re.finditer(r'\b(if|while)\s*\(', body):
            opening = start + match.end() - 1
            after = closing(code, opening)
            if after:
                add(opening, after, '(!' + text[opening:after] + ')', 'negate')
        # Statements: from a ';', a brace or a control's parenthesis to the next ';'.
        for match in re.finditer(
                r'^[ \t]*((?:[A-Za-z_*(+-][^;{}]*?)|(?:(?:return|break|continue|goto)\b'
                r'[^;{}]*));[ \t]*$', body, re.M):
            where, end_of = start + match.start(1), start + match.end(1)
            # What a condition or a loop governs is a statement of its own.
            while True:
                control = re.compile(r'(else\b|case\b[^:?;]*:|\w+\s*:'
                                     r'|(if|while|for|switch)\s*\()\s*').match(code, where)
                if control is None:
                    break
                where = control.end()
                if control.group(2):
                    where = closing(code, code.index('(', control.start())) or end_of
                where = re.compile(r'\s*').match(code, where).end()
            if where >= end_of:
                continue
            statement = code[where:end_of]
            before = code[max(0, where - 400):where].rstrip()
            if before[-1:] not in (';', '{', '}', ')', ':') and \
               not before.endswith('else'):
                continue
            if re.match(r'(return|break|continue|goto)\b', statement):
                # What returns a value must go on to return one: the compiler tells.
                add(where, end_of, '', 'leave-out')
            elif re.match(r'(free|\w+_(free|fini|close|unref))\s*\(', statement):
                continue  # A leak: tests with sanitizers notice it.
            elif re.match(r'[A-Za-z_][A-Za-z0-9_]*\s*\(', statement) \
                    and closing(code, where + statement.index('(')) \
                    == end_of:
                add(where, end_of, '', 'leave-out')
            elif re.match(r'(\*|\(|\+\+|--)?[A-Za-z_][^=]*?'
                          r'(\+\+|--|[-+*/%&|^]?=(?!=)|<<=|>>=)', statement) \
                    and not re.match(
                        r'(const|static|struct|enum|unsigned|uint\w+|int\w*|bool|size_t'
                        r'|char|double|tb_\w+)\s+[*A-Za-z_]', statement):
                add(where, end_of, '', 'leave-out')
        previous = ''
        for match in TOKEN.finditer(body):
            token, where = match.group(0), start + match.start()
            if token in WORDS:
                add(where, where + len(token), WORDS[token], 'swap')
            elif token in SWAPS:
                unary = not re.match(r'[A-Za-z0-9_)\]]', previous[-1:]) \
                    or previous in ('return', 'case')
                if not (token in '+-&' and unary):
                    add(where, where + len(token), SWAPS[token], 'swap')
            elif re.match(r'0[xX]|[0-9]', token):
                digits = re.match(r'(0[xX][0-9a-fA-F]+|[0-9]+)(.*)', token)
                value = int(digits.group(1), 16 if token[:2] in ('0x', '0X') else 10) + 1
                new = hex(value) if token[:2] in ('0x', '0X') else str(value)
                add(where, where + len(token), new + digits.group(2), 'one-more')
            previous = token
    return found


def of_folders(source, folders):
    """All places in the C files of FOLDERS and below, in a fixed order."""
    found, seen = [], set()
    for folder in folders:
        for where, _, files in os.walk(os.path.join(source, folder)):
            for name in files:
                path = os.path.relpath(os.path.join(where, name), source)
                if name.endswith('.c') and path not in seen:
                    seen.add(path)
                    found += of_file(source, path)
    found.sort(key=lambda s: (s.path, s.start, s.kind, s.new))
    return found


def choose(places, chance):
    """All of PLACES in the order in which they are tried: each kind of change as often as
    the others, whatever there are more places of."""
    kinds = {}
    for site in places:
        kinds.setdefault(site.kind, []).append(site)
    for kind in sorted(kinds):
        chance.shuffle(kinds[kind])
    order = []
    while kinds:
        kind = chance.choice(sorted(kinds))
        order.append(kinds[kind].pop())
        if not kinds[kind]:
            del kinds[kind]
    return order
