/* Generating Tarmac logs.  See tarmac-generate.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The instructions are those of no real program: branches, and the push and pop around
   them, are what their opcodes say, so that each leads to the next one; of the others
   all are additions.  What lines say of registers and memory is consistent.  The mix is that of a
   model's log of a small calculator: 0.7 register lines and half as many accesses an
   instruction.  */

#include "config.h"
#include "bench/tarmac-generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS 48
#define BODY 40
#define CODE_BASE UINT32_C (0x8000)
#define STACK_TOP UINT32_C (0x20020000)

enum op
{
  OP_ALU, OP_ALUS, OP_LOAD, OP_LOADB, OP_STORE, OP_STOREB, OP_LOOP, OP_CALL,
  OP_PUSH, OP_POP
};

struct insn
{
  uint32_t pc, opcode;
  uint8_t op, size, a, b;
  uint16_t imm;
};

struct machine
{
  FILE *out;
  bool rtl;
  uint64_t written, count, time;
  uint64_t r[16], sp, lr;
  uint32_t psr;
  uint8_t array[TARMAC_ARRAY_SIZE];
  uint8_t stack[4096];
  struct insn code[FUNCTIONS][BODY];
  uint64_t random;
  uint64_t limit;
  char line[256];
};

static uint32_t
rnd (struct machine *m)
{
  m->random = m->random * UINT64_C (6364136223846793005)
	      + UINT64_C (1442695040888963407);
  return (uint32_t) (m->random >> 33);
}

static char *
put_hex (char *p, uint64_t value, unsigned digits)
{
  for (unsigned i = digits; i > 0; i--)
    *p++ = "0123456789abcdef"[value >> 4 * (i - 1) & 15];
  return p;
}

static char *
put_text (char *p, const char *text)
{
  size_t n = strlen (text);
  memcpy (p, text, n);
  return p + n;
}

/* The time and what comes with it.  */
static char *
begin (struct machine *m)
{
  char *p = m->line;
  if (m->rtl)
    return p + sprintf (p, "%11llu ns ", (unsigned long long) m->time);
  return p + sprintf (p, "%llu clk cpu0 ", (unsigned long long) m->time);
}

static void
end (struct machine *m, char *p)
{
  *p++ = '\n';
  size_t n = (size_t) (p - m->line);
  fwrite (m->line, 1, n, m->out);
  m->written += n;
}

static void
step (struct machine *m, const struct insn *i, bool skipped)
{
  static const char *const names[] = {
    "add      r0,r1,#4", "subs     r2,r2,#1", "ldr      r3,[r4,#8]",
    "ldrb     r3,[r4,#1]", "str      r3,[r4,#8]", "strb     r3,[r4,#1]",
    "bne      {pc}-0x1e", "bl       {pc}+0x200", "push     {r4-r6,lr}",
    "pop      {r4-r6,pc}"
  };
  m->count++;
  m->time += m->rtl ? 10 : 1;
  char *p = begin (m);
  p = put_text (p, skipped ? "IS (" : "IT (");
  if (m->rtl)
    {
      p = put_hex (p, i->pc, 8);
      *p++ = ':';
      p = put_hex (p, m->count, 8);
    }
  else
    p += sprintf (p, "%llu", (unsigned long long) m->count);
  p = put_text (p, ") ");
  p = put_hex (p, i->pc, 8);
  *p++ = ' ';
  if (m->rtl && i->size == 2)
    {
      p = put_text (p, "    ");
      p = put_hex (p, i->opcode & 0xffff, 4);
      p = put_text (p, " T16 ");
    }
  else
    {
      p = put_hex (p, i->opcode, 8);
      p = put_text (p, m->rtl ? " T32 " : " O EL1h_n : ");
    }
  end (m, put_text (p, names[i->op]));
}

static void
reg (struct machine *m, unsigned number, uint64_t value)
{
  m->r[number] = value;
  char *p = begin (m);
  p += sprintf (p, m->rtl ? "R r%u " : "R X%u ", number);
  end (m, put_hex (p, value, m->rtl ? 8 : 16));
}

static void
special (struct machine *m, const char *name, uint64_t value)
{
  char *p = begin (m);
  p += sprintf (p, "R %s ", name);
  end (m, put_hex (p, value, m->rtl || name[0] == 'c' ? 8 : 16));
}

static uint8_t *
at (struct machine *m, uint64_t address)
{
  return address - TARMAC_ARRAY < TARMAC_ARRAY_SIZE
	 ? m->array + (address - TARMAC_ARRAY)
	 : m->stack + (address - (STACK_TOP - sizeof m->stack));
}

static uint64_t
access_memory (struct machine *m, bool write, uint64_t address, unsigned size,
	       uint64_t value)
{
  if (write)
    memcpy (at (m, address), &value, size);
  else
    {
      value = 0;
      memcpy (&value, at (m, address), size);
    }
  char *p = begin (m);
  if (m->rtl)
    p += sprintf (p, "MN%c%u___D ", write ? 'W' : 'R', size);
  else
    p += sprintf (p, "M%c%u ", write ? 'W' : 'R', size);
  p = put_hex (p, address, 8);
  if (!m->rtl)
    {
      p = put_text (p, ":0000");
      p = put_hex (p, address, 8);
    }
  *p++ = ' ';
  if (!m->rtl && size == 8)
    {
      p = put_hex (p, value >> 32, 8);
      *p++ = '_';
    }
  end (m, put_hex (p, value, size == 8 ? 8 : 2 * size));
  return value;
}

/* The opcode of the instruction at K of function F, at PC, whose code is there up to
   that.  */
static uint32_t
opcode_of (const struct machine *m, unsigned f, unsigned k, uint32_t pc, unsigned op,
	   unsigned size)
{
  uint32_t any = m->code[f][k].opcode;
  if (op == OP_LOOP)
    {
      uint32_t offset = m->code[f][k - 7].pc - pc;
      return m->rtl ? 0xd100 | ((offset - 4) >> 1 & 0xff)
		    : 0x54000001 | (offset >> 2 & 0x7ffff) << 5;
    }
  if (op == OP_CALL)
    {
      uint32_t offset = CODE_BASE + (f + 1) * 0x200 - pc;
      return m->rtl ? UINT32_C (0xf000f800) | ((offset - 4) >> 1 & 0x7ff)
		    : UINT32_C (0x94000000) | offset >> 2;
    }
  if (op == OP_PUSH && m->rtl)
    return 0xb570;
  if (op == OP_POP)
    return m->rtl ? 0xbd70 : UINT32_C (0xd65f03c0);
  /* An addition, whatever the text says: no load, as some of them store.  */
  return size == 2 ? 0x1800 | (any & 0x7ff)
	 : m->rtl ? UINT32_C (0xeb000000) | (any & 0x070707)
		  : UINT32_C (0x8b000000) | (any & 0x0f03ff);
}

static void
make_code (struct machine *m)
{
  static const uint8_t mix[] = {
    OP_ALU, OP_ALU, OP_ALU, OP_ALUS, OP_ALUS, OP_LOAD, OP_LOAD, OP_LOADB,
    OP_STORE, OP_STOREB, OP_CALL
  };
  for (unsigned f = 0; f < FUNCTIONS; f++)
    {
      uint32_t pc = CODE_BASE + f * 0x200;
      for (unsigned k = 0; k < BODY; k++)
	{
	  struct insn *i = &m->code[f][k];
	  unsigned op = k == 0 ? OP_PUSH : k == BODY - 1 ? OP_POP
			: k % 10 == 9 ? OP_LOOP : mix[rnd (m) % sizeof mix];
	  if (op == OP_CALL && (f % 8 == 7 || rnd (m) % 4 != 0))
	    op = OP_ALU;
	  bool small = op == OP_LOOP || op == OP_PUSH || op == OP_POP;
	  *i = (struct insn) {
	    .pc = pc, .opcode = rnd (m), .op = (uint8_t) op,
	    .size = !m->rtl || op == OP_CALL || (!small && rnd (m) % 4 == 0) ? 4 : 2,
	    .a = (uint8_t) (rnd (m) % 7), .b = (uint8_t) (rnd (m) % 7),
	    .imm = (uint16_t) (rnd (m) % 4096)
	  };
	  i->opcode = opcode_of (m, f, k, pc, op, i->size);
	  pc += i->size;
	}
    }
}

static void
call (struct machine *m, unsigned f)
{
  unsigned word = m->rtl ? 4 : 8;
  uint64_t mask = m->rtl ? UINT32_MAX : UINT64_MAX;
  unsigned turns = 0;
  uint64_t saved = m->lr;
  for (unsigned k = 0; k < BODY && m->written < m->limit; k++)
    {
      const struct insn *i = &m->code[f][k];
      uint64_t address = TARMAC_ARRAY
			 + (m->r[i->b] * 8 + i->imm) % (TARMAC_ARRAY_SIZE - 8);
      bool again = i->op == OP_LOOP && turns < 2 + m->r[i->a] % 3;
      step (m, i, i->op == OP_LOOP && !again);
      switch (i->op)
	{
	case OP_ALU:
	  reg (m, i->a, (m->r[i->b] * 5 + i->imm) & mask);
	  break;
	case OP_ALUS:
	  reg (m, i->a, (m->r[i->a] - 1) & mask);
	  m->psr = (m->psr & 0x0fffffff) | (m->r[i->a] & 15) << 28;
	  special (m, m->rtl ? "xPSR" : "cpsr", m->psr);
	  break;
	case OP_LOAD:
	  reg (m, i->a, access_memory (m, false, address & ~7u, word, 0));
	  break;
	case OP_LOADB:
	  reg (m, i->a, access_memory (m, false, address, 1, 0));
	  break;
	case OP_STORE:
	  access_memory (m, true, address & ~7u, word, m->r[i->a]);
	  break;
	case OP_STOREB:
	  access_memory (m, true, address, 1, m->r[i->a] & 255);
	  break;
	case OP_LOOP:
	  turns = again ? turns + 1 : 0;
	  k -= again ? 8 : 0;
	  break;
	case OP_CALL:
	  m->lr = i->pc + 4 + m->rtl;
	  special (m, m->rtl ? "r14" : "X30", m->lr);
	  call (m, f + 1);
	  break;
	case OP_PUSH:
	  m->sp -= 4 * word;
	  for (unsigned n = 0; n < 4; n++)
	    access_memory (m, true, m->sp + n * word, word,
			   n < 3 ? m->r[4 + n] : m->lr);
	  special (m, m->rtl ? "MSP" : "SP_EL1", m->sp);
	  break;
	case OP_POP:
	  for (unsigned n = 0; n < 3; n++)
	    reg (m, 4 + n, access_memory (m, false, m->sp + n * word, word, 0));
	  access_memory (m, false, m->sp + 3 * word, word, 0);
	  m->sp += 4 * word;
	  special (m, m->rtl ? "MSP" : "SP_EL1", m->sp);
	  break;
	}
    }
  m->lr = saved;
}

bool
tarmac_generate (const char *path, bool rtl, uint64_t size)
{
  struct machine *m = calloc (1, sizeof *m);
  if (m == NULL)
    return false;
  m->out = fopen (path, "w");
  m->rtl = rtl;
  m->limit = size;
  m->random = 42;
  m->sp = STACK_TOP;
  m->psr = rtl ? 0x01000000 : 0x3c5;
  bool ok = m->out != NULL;
  if (ok)
    {
      setvbuf (m->out, NULL, _IOFBF, 1 << 20);
      make_code (m);
      /* Each returns to the beginning of the next one.  */
      for (unsigned f = 0; m->written < size && !ferror (m->out);)
	{
	  unsigned next = rnd (m) % FUNCTIONS & ~7u;
	  m->lr = CODE_BASE + next * 0x200 + m->rtl;
	  call (m, f);
	  f = next;
	}
      ok = fclose (m->out) == 0;
    }
  free (m);
  return ok;
}
