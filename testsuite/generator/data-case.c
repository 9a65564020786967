/* A case of the corpus as ETMv3 trace with data: what its truth says was loaded and
   stored.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: data-case CASE FOLDER KINDS [MIDDLE] [LATE] [SUPPRESSED] [OVERFLOW] [FLIP=N]
	  [MOVE=N]

   CASE is a name in $TB_SHARED/corpus/cases, of a core of 32 bits; KINDS has "a" for
   addresses, "v" for values.  LATE: some values come out of order, or never.  SUPPRESSED:
   some are, and data of the next instructions.  OVERFLOW: here and there some instructions are
   not traced.  FLIP: of the value of transfer N, and MOVE: of its address, one bit is wrong.
   FOLDER, which must be there, gets trace.bin, etm_0.ini, trace.ini;
   accesses.txt, with a line for each access of a step whose value the truth tells: step,
   l(oad), s(tore) or load from a d(evice), address, size, value; and with MIDDLE truth.bin, as
   the truth but that only the half in the middle is traced (case-run.h).  */

#include "config.h"

#include "generator/case-run.h"
#include "generator/v7-packets.h"

#define SYNC_STEPS 1500

struct encoder
{
  struct case_run run;
  bool addresses, values;
  struct gen_trace trace;
  struct gen_random random;
  struct gen_v7_last last;
  uint32_t data_address;
  bool full;
  uint32_t halt_pc;
  /* What is other than usual.  */
  bool middle, late, suppressed, overflow;
  unsigned flip, move;		/* Transfers, from 1; 0: none.  */
  unsigned transfers;		/* So many so far.  */
  struct late { unsigned wait; uint32_t value; } waits[4];	/* By tag; 0: none.  */
  unsigned quiet;		/* So many instructions have no data.  */
  /* accesses.txt, and the step of the trace that comes next.  */
  FILE *list;
  unsigned traced;
};

/* Packets.  */

static void
put_address (struct encoder *e, uint32_t address)
{
  unsigned n = 1;
  while (n < 5 && (e->full || (address ^ e->data_address) >> 7 * n != 0))
    n++;
  for (unsigned i = 0; i + 1 < n; i++)
    gen_put (&e->trace, 0x80 | (address >> 7 * i & 0x7f));
  gen_put (&e->trace, n == 5 ? address >> 28 : address >> 7 * (n - 1) & 0x7f);
  e->data_address = address;
  e->full = false;
}

/* The transfers that were found (IHI 0014, 7.4).  Those of several words are each a
   packet, one of several words is none that an instruction makes.  */
static void
put_value_packet (struct encoder *e, unsigned header, unsigned shift, uint32_t value)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };
  unsigned size = 0;
  while (size < 3 && value >> 8 * bytes[size] != 0)
	size++;
  gen_put (&e->trace, header | size << shift);
  gen_put_value (&e->trace, value, bytes[size]);
}

/* Values that waited for long enough.  */
static void
put_waiting (struct encoder *e, bool all)
{
  for (unsigned tag = 1; tag < 4; tag++)
    if (e->waits[tag].wait > 0 && (--e->waits[tag].wait == 0 || all))
      {
	put_value_packet (e, tag << 5, 2, e->waits[tag].value);
	e->waits[tag].wait = 0;
      }
}

/* May the value of transfer A come later?  Then its placeholder has a tag, else 0.  */
static unsigned
tag_of (struct encoder *e, const struct case_access *a)
{
  if (!e->late || !e->values || !a->known || gen_below (&e->random, 4) != 0)
    return 0;
  for (unsigned tag = 1; tag < 4; tag++)
    if (e->waits[tag].wait == 0)
      {
	e->waits[tag] = (struct late) { 1 + gen_below (&e->random, 20), a->value };
	return tag;
      }
  return 0;
}

static void
put_data (struct encoder *e)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };
  uint32_t before = 0;
  if (!e->addresses && !e->values)
    return;
  if (e->quiet > 0)
    {
      e->quiet--;
      return;
    }
  for (unsigned i = 0; i < e->run.naccesses; i++)
    {
      const struct case_access *a = &e->run.accesses[i];
      bool with = i == 0 || a->address != before + 4;
      unsigned size = 0;
      unsigned tag = tag_of (e, a);
      if (e->suppressed && e->values && gen_below (&e->random, 60) == 0)
	{
	  /* The packet itself is not of this instruction for certain.  */
	  gen_put (&e->trace, 0x62);
	  e->quiet = gen_below (&e->random, 4);
	  e->full = true;
	  return;
	}
      e->transfers++;
      while (size < 3 && a->value >> 8 * bytes[size] != 0)
	size++;
      gen_put (&e->trace, tag != 0 ? 0x50u | tag << 2 | with << 5
			  : a->known ? 0x02u | with << 5 | size << 2 : 0x6au | with << 4);
      size_t at = e->trace.nbytes;
      if (with && e->addresses)
	put_address (e, a->address);
      if (e->transfers == e->move && e->trace.nbytes != at)
	e->trace.bytes[at] ^= (uint8_t) (4u << e->move % 5);
      at = e->trace.nbytes;
      if (a->known && e->values && tag == 0)
	gen_put_value (&e->trace, a->value, bytes[size]);
      if (e->transfers == e->flip && e->trace.nbytes != at)
	e->trace.bytes[at] ^= (uint8_t) (1u << e->flip % 8);
      before = a->address;
    }
}

static void
put_sync (struct encoder *e, const struct corpus_step *s, unsigned reason)
{
  gen_v7_async (&e->trace, &e->random);
  gen_put (&e->trace, 0x08);
  gen_put (&e->trace, reason << 5 | 1);
  gen_put_value (&e->trace, s->pc | case_is_thumb (&e->run, s), 4);
  e->last = (struct gen_v7_last) { s->pc, case_is_thumb (&e->run, s) ? GEN_T32 : GEN_A32,
				   true };
  e->full = true;
}

static void
put_branch (struct encoder *e, uint32_t target, bool thumb, bool exception)
{
  gen_v7_address (&e->trace, GEN_V7_ALTERNATIVE, &e->last, target,
		  thumb ? GEN_T32 : GEN_A32, true, exception, &e->random);
}

/* DDI 0337, table 14-8.  */
static unsigned
exception_number (const struct encoder *e, unsigned number)
{
  static const uint8_t vectors[] = {
    [2] = 10, [3] = 19, [4] = 13, [5] = 21, [6] = 9, [11] = 11, [12] = 12,
    [14] = 14, [15] = 15, [16] = 8, [17] = 1, [18] = 2, [19] = 3, [20] = 4,
    [21] = 5, [22] = 6, [23] = 7 };
  static const uint8_t modes[16] = { [2] = 10, [3] = 9, [11] = 11, [12] = 12,
				     [14] = 14, [15] = 15 };
  if (!e->run.profile.is_m)
    return modes[number & 15];
  return number < sizeof vectors ? vectors[number] : number;
}

/* The exception before step I, which S was the step before of, or NULL.  */
static void
put_exception (struct encoder *e, size_t i, const struct corpus_step *before)
{
  const struct corpus_step *s = &e->run.c.steps[i];
  bool tail = s->flags & CORPUS_TAIL_CHAIN;
  unsigned count = 0;
  e->run.naccesses = 0;
  while (e->run.write < e->run.c.nwrites && e->run.c.writes[e->run.write].index == i
	 && e->run.c.writes[e->run.write].kind == 1)
    {
      const struct corpus_write *w = &e->run.c.writes[e->run.write++];
      case_note (&e->run, w->address, w->size, (uint32_t) w->value, true);
      corpus_apply (&e->run.c, w);
      count++;
    }
  if (before == NULL)
    return;
  /* Where the branch before it led.  A return of the M profile has a packet of its own.  */
  if (before->flags & CORPUS_TAKEN
      && !(before->flags & CORPUS_RETURN && e->run.profile.is_m))
    {
      uint32_t target = count == 8 ? e->run.accesses[6].value
			: s->r[14] - ((s->exception & 15) == 12 ? 8u : 4u);
      put_branch (e, target & ~1u, case_is_thumb (&e->run, before), false);
    }
  put_branch (e, s->pc, case_is_thumb (&e->run, s), true);
  gen_v7_exception (&e->trace, exception_number (e, s->exception), false,
		    false, &e->random);
  if (count > 0 && !tail && (e->addresses || e->values))
    {
      gen_put (&e->trace, 0x7e);
      put_data (e);
    }
}

/* The words that the return by step I loads, up to the SP of the one behind it.  */
static void
put_return (struct encoder *e, size_t i)
{
  gen_put (&e->trace, 0x76);
  if (i + 1 >= e->run.c.nsteps || e->run.c.steps[i + 1].flags & CORPUS_TAIL_CHAIN)
    return;
  uint32_t end = e->run.c.steps[i + 1].r[13], psr;
  bool padded = case_read (&e->run, end - 8, 4, &psr) && psr >> 9 & 1
		&& psr >> 24 & 1;
  uint32_t frame = end - (padded ? 36 : 32);
  e->run.naccesses = 0;
  for (unsigned k = 0; k < 8; k++)
    {
      uint32_t value;
      if (!case_read (&e->run, frame + 4 * k, 4, &value))
	return;
      case_note (&e->run, frame + 4 * k, 4, value, true);
    }
  put_data (e);
}

/* The accesses that were found are those of another step.  */
static void
list_accesses (struct encoder *e)
{
  for (unsigned i = 0; i < e->run.naccesses; i++)
    {
      const struct case_access *a = &e->run.accesses[i];
      uint32_t mask = a->size < 4 ? (1u << 8 * a->size) - 1 : UINT32_MAX;
      if (a->known)
	fprintf (e->list, "%u %c %x %u %x\n", e->traced,
		 a->is_store ? 's' : a->elsewhere ? 'd' : 'l', a->address, a->size,
		 a->value & mask);
    }
  e->traced++;
}

static void
put_step (struct encoder *e, size_t i, bool ends)
{
  const struct corpus_step *s = &e->run.c.steps[i];
  const struct corpus_step *next = i + 1 < e->run.c.nsteps ? s + 1 : NULL;
  /* CBZ and CBNZ pass always, in the truth.  */
  bool compares = case_is_thumb (&e->run, s) && s->length == 2
		  && (s->opcode & 0xf500) == 0xb100;
  bool passed = s->flags & (compares ? CORPUS_TAKEN : CORPUS_PASSED);
  put_waiting (e, false);
  gen_put (&e->trace, passed ? 0x84 : 0xc0);
  e->run.naccesses = 0;
  e->run.step = (uint32_t) i;
  if (passed)
    case_find_accesses (&e->run, s, next);
  list_accesses (e);
  put_data (e);
  while (e->run.write < e->run.c.nwrites && e->run.c.writes[e->run.write].index == i)
    corpus_apply (&e->run.c, &e->run.c.writes[e->run.write++]);
  bool returns = s->flags & CORPUS_RETURN;
  if (returns && e->run.profile.is_m)
    put_return (e, i);
  /* An exception says itself where it leads.  */
  if (next != NULL && next->flags & CORPUS_EXCEPTION && !ends)
    return;
  uint32_t target = next != NULL ? next->pc : e->halt_pc;
  /* Where it halted, the snapshot may not tell.  */
  if (target == 0)
    return;
  if (s->flags & CORPUS_TAKEN || target != s->pc + s->length)
    put_branch (e, target, next != NULL ? case_is_thumb (&e->run, next)
					: case_is_thumb (&e->run, s), false);
}

static void
encode (struct encoder *e)
{
  const struct corpus_step *before = NULL;
  unsigned since = 0;
  for (size_t i = 0; i < e->run.c.nsteps; i++)
    {
      const struct corpus_step *s = &e->run.c.steps[i];
      if (!(s->flags & CORPUS_IN_TRACE))
	{
	  while (e->run.write < e->run.c.nwrites && e->run.c.writes[e->run.write].index <= i)
	    corpus_apply (&e->run.c, &e->run.c.writes[e->run.write++]);
	  before = NULL;
	  continue;
	}
      bool ends = i + 1 < e->run.c.nsteps && !(s[1].flags & CORPUS_IN_TRACE);
      if (s->flags & CORPUS_EXCEPTION)
	put_exception (e, i, before);
      if (before == NULL || since++ == SYNC_STEPS)
	{
	  /* Trace that goes on behind an overflow.  */
	  bool lost = e->overflow && e->traced > 0 && before == NULL;
	  if (lost)
	    memset (e->waits, 0, sizeof e->waits);
	  e->quiet = 0;
	  put_sync (e, s, lost ? 2 : before == NULL);
	  since = 0;
	}
      put_step (e, i, ends);
      before = s;
    }
  put_waiting (e, true);
}

/* Files.  */

static bool
put_file (const char *folder, const char *name, const void *data, size_t size)
{
  char path[1024];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen (path, "wb");
  bool ok = file != NULL && fwrite (data, 1, size, file) == size;
  if (file != NULL && fclose (file) != 0)
    ok = false;
  if (!ok)
    fprintf (stderr, "data-case: cannot write %s\n", path);
  return ok;
}

static bool
put_snapshot (const struct encoder *e, const char *folder)
{
  static const char trace[]
    = "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=etb_0\n"
      "file=trace.bin\nformat=source_data\n[core_trace_sources]\n"
      "cpu_0=etm_0\n[source_buffers]\netm_0=etb_0\n";
  char etm[400];
  snprintf (etm, sizeof etm,
	    "[device]\nname=etm_0\nclass=trace_source\ntype=ETM3.5\n[regs]\n"
	    "ETMCR(0x000)=0x%x\nETMTRACEIDR(0x080)=0x10\n"
	    "ETMIDR(0x079)=0x4114F250\nETMCCER(0x07A)=0x18000800\n",
	    0x400u | e->values << 2 | e->addresses << 3);
  return put_file (folder, "trace.bin", e->trace.bytes, e->trace.nbytes)
	 && put_file (folder, "etm_0.ini", etm, strlen (etm))
	 && put_file (folder, "trace.ini", trace, strlen (trace));
}

/* Only the half in the middle is traced, or so much that some is lost here and there.  */
static bool
cut (struct encoder *e, const char *folder)
{
  size_t size, first = 0, end = e->run.c.nsteps;
  size_t lost = 0;
  if (e->middle)
    {
      first = e->run.c.nsteps / 4;
      end = first + e->run.c.nsteps / 2;
    }
  uint8_t *truth = corpus_file (e->run.c.directory, "truth.bin.xz", &size);
  if (truth == NULL)
    return false;
  for (size_t i = 0; i < e->run.c.nsteps; i++)
    {
      if (e->overflow && lost == 0 && gen_below (&e->random, 800) == 0)
	lost = 1 + gen_below (&e->random, 60);
      lost -= lost > 0;
      if (i >= first && i < end && lost == 0)
	continue;

      e->run.c.steps[i].flags &= ~CORPUS_IN_TRACE;
      truth[32 + i * sizeof e->run.c.steps[0]
	    + offsetof (struct corpus_step, flags)] = e->run.c.steps[i].flags;
    }
  bool ok = put_file (folder, "truth.bin", truth, size);
  free (truth);
  return ok;
}

/* Option WORD.  */
static bool
take_option (struct encoder *e, const char *word)
{
  const struct { const char *name; bool *yes; } flags[] = {
    { "MIDDLE", &e->middle }, { "LATE", &e->late }, { "SUPPRESSED", &e->suppressed },
    { "OVERFLOW", &e->overflow }
  };
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (strcmp (word, flags[i].name) == 0)
      return *flags[i].yes = true;
  return sscanf (word, "FLIP=%u", &e->flip) == 1 || sscanf (word, "MOVE=%u", &e->move) == 1;
}

int
main (int argc, char **argv)
{
  static struct encoder e;
  char text[64], path[1024];
  bool good = argc >= 4;
  for (int i = 4; i < argc; i++)
    good &= take_option (&e, argv[i]);
  if (!good)
    {
      fprintf (stderr, "usage: data-case CASE FOLDER KINDS [MIDDLE] [LATE] [SUPPRESSED] "
	       "[OVERFLOW] [FLIP=N] [MOVE=N]\n");
      return 2;
    }
  if (!case_open (&e.run, argv[1]))
    {
      fprintf (stderr, "data-case: no case %s\n", argv[1]);
      return 1;
    }
  e.halt_pc = (uint32_t) strtoul (case_core_value (&e.run, "\nPC=", text, sizeof text),
				  NULL, 0) & ~1u;
  e.addresses = strchr (argv[3], 'a') != NULL;
  e.values = strchr (argv[3], 'v') != NULL;
  if ((e.middle || e.overflow) && !cut (&e, argv[2]))
    return 1;
  snprintf (path, sizeof path, "%s/accesses.txt", argv[2]);
  e.list = fopen (path, "w");
  if (e.list == NULL)
    {
      fprintf (stderr, "data-case: cannot write %s\n", path);
      return 1;
    }
  gen_trace_init (&e.trace);
  encode (&e);
  bool ok = fclose (e.list) == 0 && put_snapshot (&e, argv[2]);
  gen_trace_free (&e.trace);
  corpus_close (&e.run.c);
  return !ok;
}
