/* Lines of Tarmac logs against what another reader of them makes of the same lines.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The inventory has lines of every dialect that the other reader knows, each followed by
   its events.  All that an event says must be what our parser says of the line; where the
   two differ a row below argues why.  Needs the environment variable TB_SHARED.  */

#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "check.h"
#include "decode/tarmac/line.h"
#include "recording/tarmac.h"

/* Memory that lines of lanes and the events for them tell, by byte.  */
struct bytes
{
  uint64_t base;
  uint8_t value[64];
  uint64_t told, known;
};

static struct
{
  const char *line, *ours, *why;
} differences[] = {
  /* The other reader knows the value to be of 32 bits; that the upper half is lost.  */
  { "R DC CISW", "register", "it names no system operations: ours are registers of "
    "two words that no core register has" },
  { "R IC IALLU", "register", "" },
  { "R TLBI ALLE3", "register", "" },
  { "R AT S12E1W", "register", "" },
  { "R SCTLR (AARCH32)", "register", "it has events of core and FP registers alone; "
    "ours have all" },
  { "R SPSR_EL3", "register", "" },
  { "R XPSR", "register", "it does not know this spelling of the PSR" },
  { "MCW4___R", "note", "nothing, too: a transfer to a coprocessor's register" },
  { "MNR4O__I", "memory", "a fetch of the core: known code, no access of the program" },
  { "MR4 dfdfdfcf (ABORTED)", "memory", "an access that failed; no value is known" },
  { "R X0 -------- --------", "register", "nothing of the value: our line has no known "
    "digit" },
  { "R X1 --------", "register", "" },
  { "2002fa00 efbeefbe", "memory", "it takes the digits for bytes in the order of "
    "addresses; the format says that they are a number" }
};

static bool
argued (const char *line, const struct tb_tarmac_line *l)
{
  for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
    if (differences[i].line != NULL && strstr (line, differences[i].line) != NULL)
      {
	CHECK_STR (tb_tarmac_kind_name (l->kind), differences[i].ours);
	differences[i].line = NULL;
	return true;
      }
  return false;
}

/* The text behind KEY= in EVENT, up to a blank; "" if there is none.  */
static const char *
field (const char *event, const char *key)
{
  static char value[8][4200];
  static unsigned next;
  char wanted[24], *to = value[next++ % 8];
  snprintf (wanted, sizeof wanted, " %s=", key);
  const char *p = strstr (event, wanted);
  size_t n = 0;
  if (p != NULL)
    for (p += strlen (wanted); *p != 0 && !isspace ((unsigned char) *p)
			       && n < sizeof value[0] - 1; p++)
      to[n++] = *p;
  to[n] = 0;
  return to;
}

static bool
same_instruction (const struct tb_tarmac_line *l, const char *event)
{
  const char *effect = field (event, "effect"), *iset = field (event, "iset");
  bool ok = CHECK_INT (l->kind, TB_TARMAC_STEP);
  ok &= CHECK_INT (l->address, strtoull (field (event, "pc"), NULL, 16));
  ok &= CHECK_INT (l->opcode, strtoull (field (event, "instruction"), NULL, 16));
  ok &= CHECK_INT (l->isa, strcmp (iset, "A64") == 0 ? TB_ISA_A64
			   : strcmp (iset, "ARM") == 0 ? TB_ISA_A32 : TB_ISA_T32);
  /* What could not be fetched has no size for us.  */
  bool failed = strcmp (effect, "fetchfail") == 0;
  ok &= CHECK_INT (8u * l->size, failed ? 0 : strtoul (field (event, "width"), NULL,
						       10));
  ok &= CHECK_INT (l->how, failed ? 'E' : strcmp (effect, "ccfail") == 0 ? 'S' : 'T');
  return ok;
}

/* The byte N of the value of L, and whether it is known.  */
static uint8_t
byte_of (const struct tb_tarmac_line *l, unsigned n, bool *known)
{
  uint32_t mask = UINT32_MAX;
  bool written = true;
  if (l->unknown)
    mask = tb_tarmac_known (l, n / 4, &written);
  *known = written && (mask >> 8 * (n % 4) & 0xff) == 0xff;
  if (n >= l->bytes)
    *known = true;
  if (n >= l->bytes || !*known)
    return 0;
  return l->bytes > 8 ? l->wide[n] : (uint8_t) (l->value >> 8 * n);
}

/* Is the register NAME of ours the one that the other reader calls THEIRS?  */
static bool
same_name (const char *name, const char *theirs)
{
  static const struct { const char *theirs, *ours; } rows[] = {
    /* It has one of each; ours are told apart by their banks.  */
    { "r13", "sp" }, { "r13", "msp" }, { "r13", "msp_s" }, { "r13", "r13_main_s" },
    { "r13", "sp_main_s" }, { "r13", "main_s" }, { "r14", "lr" },
    { "r14", "lr_svc" }, { "xsp", "sp" }, { "xsp", "sp_el2" }, { "xsp", "sp_el3" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp (rows[i].theirs, theirs) == 0 && strcmp (rows[i].ours, name) == 0)
      return true;
  return strcmp (name, theirs) == 0;
}

static bool
same_register (const struct tb_tarmac_line *l, const char *event)
{
  struct tb_tarmac_name name;
  const char *bytes = field (event, "bytes");
  bool ok = CHECK_INT (l->kind, TB_TARMAC_REGISTER)
	    && CHECK (tb_tarmac_name (&name, l->name.text, l->name.length));
  if (!ok)
    return false;
  ok &= CHECK (same_name (name.name, field (event, "reg")));
  if (!ok)
    fprintf (stderr, "  %s\n", name.name);
  /* Theirs: the highest first, from byte OFFSET on.  */
  unsigned offset = (unsigned) strtoul (field (event, "offset"), NULL, 10);
  unsigned count = (unsigned) (strlen (bytes) + 1) / 3, told = 0;
  for (unsigned i = 0; i < count; i++)
    {
      /* "-------- --------" in front of digits or behind them: ours are bytes of the
	 whole register, theirs those that are told.  */
      bool known;
      unsigned at = offset + i - l->first_bit / 8;
      uint8_t value = byte_of (l, at, &known);
      told += known;
      ok &= CHECK_INT (value, strtoul (bytes + 3 * (count - 1 - i), NULL, 16));
    }
  /* A digit that is an x is 0 for them and unknown for us.  */
  bool dashes = memchr (l->text.text, '-', l->text.length) != NULL;
  ok &= CHECK (l->unknown && !dashes ? told < count : told == count);
  return ok;
}

static void
put_byte (struct bytes *b, uint64_t address, uint8_t value, bool known)
{
  unsigned at = (unsigned) (address - b->base);
  if (!CHECK (at < sizeof b->value))
    return;
  b->told |= UINT64_C (1) << at;
  if (known)
    {
      b->known |= UINT64_C (1) << at;
      b->value[at] = value;
    }
}

/* L, of memory, against the events EVENTS, a line each.  */
static bool
same_memory (const struct tb_tarmac_line *l, const char *const *events, size_t count,
	     bool *write)
{
  struct bytes ours = { .base = l->address }, theirs = { .base = l->address };
  if (!CHECK_INT (l->kind, TB_TARMAC_MEMORY))
    return false;
  if (!l->continued)
    *write = l->write;
  for (unsigned i = 0; i < l->length; i++)
    if (!l->lanes || l->touched >> i & 1)
      put_byte (&ours, l->address + i,
		l->bytes > 8 ? l->wide[i] : (uint8_t) (l->value >> 8 * i),
		l->lanes ? l->shown >> i & 1 : !l->unknown && !l->aborted);
  for (size_t k = 0; k < count; k++)
    {
      uint64_t address = strtoull (field (events[k], "addr"), NULL, 16);
      uint64_t value = strtoull (field (events[k], "contents"), NULL, 16);
      unsigned size = (unsigned) strtoul (field (events[k], "size"), NULL, 10);
      bool known = strcmp (field (events[k], "known"), "true") == 0;
      CHECK_INT (strcmp (field (events[k], "read"), "true") != 0, *write);
      for (unsigned i = 0; i < size; i++)
	put_byte (&theirs, address + i, (uint8_t) (value >> 8 * i), known);
    }
  bool ok = CHECK_INT (ours.told, theirs.told);
  ok &= CHECK_INT (ours.known, theirs.known);
  ok &= CHECK (memcmp (ours.value, theirs.value, sizeof ours.value) == 0);
  return ok;
}

static bool
same_exception (const struct tb_tarmac_line *l)
{
  uint16_t number;
  if (!CHECK_INT (l->kind, TB_TARMAC_EVENT))
    return false;
  enum tb_tarmac_event what = tb_tarmac_event (l, &number);
  return CHECK (what == TB_TARMAC_EVENT_EXCEPTION || what == TB_TARMAC_EVENT_RESET);
}

/* The other reader says of L only that it is of some text.  */
static bool
same_text (const struct tb_tarmac_line *l)
{
  uint16_t number;
  return CHECK (l->kind == TB_TARMAC_NOTE
		|| (l->kind == TB_TARMAC_EVENT
		    && tb_tarmac_event (l, &number) == TB_TARMAC_EVENT_DEBUG));
}

/* LINE, and what the other reader makes of it.  TIME: of the last line that had one;
   WRITE: of the last line of memory.  */
static void
compare (char *line, const char *const *events, size_t count, uint64_t *time,
	 bool *write)
{
  static uint8_t wide[TB_TARMAC_VALUE];
  struct tb_tarmac_line l;
  char *end = strchr (line, '\n');
  tb_tarmac_parse (&l, line, end, wide);
  *end = 0;
  if (l.has_time)
    *time = l.time;
  bool ok = true;
  if (argued (line, &l))
    return;
  if (count == 0)
    /* The heading.  */
    ok = CHECK (l.kind == TB_TARMAC_NOTE);
  else
    {
      const char *what = events[0];
      *end = '\n';
      if (strncmp (what, "* Instr", 7) == 0)
	ok = same_instruction (&l, what);
      else if (strncmp (what, "* Reg", 5) == 0)
	ok = same_register (&l, what);
      else if (strncmp (what, "* Mem", 5) == 0)
	ok = same_memory (&l, events, count, write);
      else if (strncmp (what, "* Exc", 5) == 0)
	ok = same_exception (&l);
      else
	ok = CHECK (strncmp (what, "* Text", 6) == 0) && same_text (&l);
      *end = 0;
      /* A line without a time is of the one before.  */
      ok &= CHECK_INT (*time, strtoull (field (what, "time"), NULL, 10));
    }
  if (!ok)
    fprintf (stderr, "  %s\n  %s\n", line, count > 0 ? events[0] : "no event");
}

int
main (void)
{
  enum { MOST = 8, LENGTH = 8192 };
  static char line[LENGTH], next[LENGTH], events[MOST][LENGTH];
  static const char title[] = "--- Tarmac line: ";
  const char *shared = getenv ("TB_SHARED"), *list[MOST];
  char path[4096];
  if (shared == NULL)
    return check_skip ("TB_SHARED is not set");
  snprintf (path, sizeof path, "%s/tarmac-logs/parsertest.ref", shared);
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return check_skip ("there is no tarmac-logs/parsertest.ref in TB_SHARED");
  size_t count = 0, lines = 0;
  uint64_t time = 0;
  bool more = true, write = false;
  for (size_t i = 0; i < MOST; i++)
    list[i] = events[i];
  while (more)
    {
      more = fgets (next, sizeof next, file) != NULL;
      bool begins = more && strncmp (next, title, sizeof title - 1) == 0;
      if (more && !begins && count < MOST && next[0] == '*')
	snprintf (events[count++], LENGTH, "%s", next);
      if ((begins || !more) && lines > 0)
	compare (line, list, count, &time, &write);
      if (!begins)
	continue;
      snprintf (line, sizeof line, "%s", next + sizeof title - 1);
      count = 0;
      lines++;
    }
  fclose (file);
  CHECK (lines > 150);
  for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
    if (!CHECK (differences[i].line == NULL))
      fprintf (stderr, "  no such line any more: %s\n", differences[i].line);
  return check_done ();
}
