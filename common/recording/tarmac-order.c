/* In which order a log of a test bench writes the bytes of what was transferred.  See
   tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data is a number.  Some test benches write its bytes in the order of addresses, which
   no line says; but a load's line of its register does, and so does a store of a register
   that a line told of.  The beginning of the log is looked at for such pairs.  */

#include "config.h"
#include "recording/tarmac.h"

#include <stdlib.h>
#include <string.h>

#include "util/unpack.h"

/* How much of a log is looked at, and how many pairs are enough.  */
#define LOOK_BYTES (256 * 1024)
#define ENOUGH 64

/* At least this many pairs must show bytes, and none may show a number.  */
#define LEAST 2

struct order
{
  uint32_t values[16];		/* Of general registers, ...  */
  uint16_t known;		/* ... as lines told them.  */
  uint32_t opcode;
  unsigned size;
  /* What the last instruction transferred, in the order of lines.  */
  struct { uint32_t value, address; uint8_t length; bool write; } moved[16];
  unsigned nmoved;
  unsigned numbers, reversed;
};

uint32_t
tb_tarmac_reverse (uint32_t value, unsigned length)
{
  value = __builtin_bswap32 (value);
  return length == 0 || length >= 4 ? value : value >> (32 - 8 * length);
}

/* VALUE was moved, and a line wrote TEXT for its LENGTH bytes.  */
static void
judge (struct order *o, uint32_t value, uint32_t text, unsigned length)
{
  uint32_t other = tb_tarmac_reverse (text, length);
  if (length < 2 || text == other)
    return;
  o->numbers += value == text;
  o->reversed += value == other;
}

/* The number of the general register NAME; 16: it is none.  */
static unsigned
number_of (struct tb_tarmac_word name)
{
  struct tb_tarmac_name canonical;
  if (!tb_tarmac_name (&canonical, name.text, name.length))
    return 16;
  const char *p = canonical.name;
  if (strcmp (p, "lr") == 0)
    return 14;
  char *end;
  unsigned long n = *p == 'r' ? strtoul (p + 1, &end, 10) : 16;
  return n <= 12 && end != p + 1 && *end == 0 ? (unsigned) n : 16;
}

/* What the last instruction stored, if it is a plain store or push of 16 bits (DDI 0403,
   A5.2), against the registers.  */
static void
judge_stores (struct order *o)
{
  uint32_t op = o->opcode;
  unsigned list = 0, n = 0;
  if (o->size != 2 || o->nmoved == 0 || !o->moved[0].write)
    return;
  if (op >> 11 == 0x6000 >> 11)
    list = 1u << (op & 7);
  else if (op >> 11 == 0x9000 >> 11)
    list = 1u << (op >> 8 & 7);
  else if (op >> 9 == 0xb400 >> 9)
    list = (op & 0xff) | (op >> 8 & 1) << 14;
  if ((unsigned) __builtin_popcount (list) != o->nmoved)
    return;
  for (unsigned i = 1; i < o->nmoved; i++)
    if (o->moved[i].address != o->moved[i - 1].address + 4)
      return;
  for (; list != 0; list &= list - 1, n++)
    {
      unsigned reg = (unsigned) __builtin_ctz (list);
      if (o->known >> reg & 1 && o->moved[n].length == 4)
	judge (o, o->values[reg], o->moved[n].value, 4);
    }
}

static void
look_at (struct order *o, const struct tb_tarmac_line *line)
{
  unsigned reg;
  switch (line->kind)
    {
    case TB_TARMAC_STEP:
      judge_stores (o);
      o->nmoved = 0;
      o->opcode = line->opcode;
      o->size = line->how == 'T' ? line->size : 0;
      break;
    case TB_TARMAC_MEMORY:
      if (line->rtl && line->port == TB_TARMAC_PORT_CORE && !line->unknown
	  && line->bytes == line->length && o->nmoved < 16)
	{
	  o->moved[o->nmoved].value = (uint32_t) line->value;
	  o->moved[o->nmoved].address = (uint32_t) line->address;
	  o->moved[o->nmoved].write = line->write;
	  o->moved[o->nmoved++].length = (uint8_t) line->length;
	}
      break;
    case TB_TARMAC_EVENT:
      judge_stores (o);
      o->size = 0;
      o->nmoved = 0;
      break;
    case TB_TARMAC_REGISTER:
      reg = number_of (line->name);
      if (reg == 16)
	break;
      /* What a load of one value put there.  */
      if (o->nmoved == 1 && !o->moved[0].write && !line->unknown)
	judge (o, (uint32_t) line->value, o->moved[0].value, o->moved[0].length);
      /* Stores are of what was there before.  */
      judge_stores (o);
      o->size = 0;
      o->values[reg] = (uint32_t) line->value;
      o->known = (uint16_t) ((o->known & ~(1u << reg))
			     | (unsigned) !line->unknown << reg);
      break;
    default:
      break;
    }
}

bool
tb_tarmac_in_memory_order (const char *path)
{
  struct tb_unpack *u = tb_unpack_open (path, NULL);
  char *text = u != NULL ? malloc (LOOK_BYTES) : NULL;
  uint8_t wide[TB_TARMAC_VALUE];
  struct order o = { .known = 0 };
  size_t size = 0, got = 1;
  while (text != NULL && got > 0 && size < LOOK_BYTES)
    {
      if (tb_unpack_read (u, text + size, LOOK_BYTES - size, &got) != TB_OK)
	got = 0;
      size += got;
    }
  tb_unpack_close (u);
  bool rtl = false;
  for (size_t at = 0; at < size && o.numbers + o.reversed < ENOUGH;)
    {
      char *end = memchr (text + at, '\n', size - at);
      if (end == NULL)
	break;
      struct tb_tarmac_line line;
      tb_tarmac_parse (&line, text + at, end, wide);
      look_at (&o, &line);
      rtl |= line.kind == TB_TARMAC_MEMORY && line.rtl;
      at = (size_t) (end - text) + 1;
      /* Logs of models have none.  */
      if (at > LOOK_BYTES / 4 && !rtl)
	break;
    }
  free (text);
  return o.reversed >= LEAST && o.numbers == 0;
}
