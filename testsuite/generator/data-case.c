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
   the truth but that only the half in the middle is traced.  What an access's address is, is
   worked out of the registers of the truth; what it moved, of the truth's memory, or of the
   register that a load from elsewhere changed.  */

#include "config.h"

#include "arm/ir/semantics.h"
#include "corpus.h"
#include "generator/v7-packets.h"

#define MOST 40
#define SYNC_STEPS 1500

struct access
{
  uint32_t address, value;
  unsigned size;
  bool known;			/* The value.  */
  bool is_store;
  bool elsewhere;		/* Of no memory of the truth: the value is that of the
				   register that it was loaded to.  */
};

struct encoder
{
  struct corpus_case c;
  struct tb_profile profile;
  bool addresses, values;
  struct gen_trace trace;
  struct gen_random random;
  struct gen_v7_last last;
  uint32_t data_address;
  bool full;
  size_t write;			/* The next one to apply.  */
  uint32_t step;		/* That is run.  */
  uint32_t halt_pc;
  /* Of the instruction that is run.  */
  struct access accesses[MOST];
  unsigned naccesses;
  uint32_t filler;		/* What loads from elsewhere give.  */
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

/* What the truth's memory holds.  */
static bool
read_memory (const struct encoder *e, uint32_t address, unsigned size,
	     uint32_t *value)
{
  const struct corpus_case *c = &e->c;
  uint32_t in_ram = address - c->ram_base, in_flash = address - c->flash_base;
  *value = 0;
  if (in_ram <= c->ram_size - size)
    memcpy (value, c->ram + in_ram, size);
  else if (in_flash <= c->flash_size - size)
    memcpy (value, c->flash + in_flash, size);
  else
    return false;
  return true;
}

static void
note (struct encoder *e, uint32_t address, unsigned size, uint32_t value,
      bool known)
{
  if (e->naccesses < MOST)
    e->accesses[e->naccesses++] = (struct access) {
      .address = address, .value = value, .size = size, .known = known
    };
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct encoder *e = context;
  uint32_t value;
  bool known = read_memory (e, address, size, &value);
  note (e, address, size, value, known);
  return known ? value : e->filler;
}

/* What is stored is what the truth says, if it does.  */
static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct encoder *e = context;
  bool known = false;
  for (size_t i = e->write; i < e->c.nwrites
			    && e->c.writes[i].index == e->step; i++)
    if (e->c.writes[i].address == address && e->c.writes[i].size == size)
      {
	value = (uint32_t) e->c.writes[i].value;
	known = true;
      }
  unsigned number = e->naccesses;
  note (e, address, size, value, known);
  if (number < MOST)
    e->accesses[number].is_store = true;
}

static void
run (struct encoder *e, const struct corpus_step *s,
     const struct tb_semantics *semantics, uint32_t *places)
{
  struct tb_semantics_memory memory = { load, store, e };
  struct tb_semantics_result result;
  memset (places, 0, TB_PLACE_END * sizeof *places);
  memcpy (places, s->r, sizeof s->r);
  for (unsigned i = 0; i < 4; i++)
    places[TB_SLOT_N + i] = s->psr >> (31 - i) & 1;
  if (!e->profile.is_m)
    {
      places[TB_SLOT_MODE] = s->psr & 31;
      places[TB_SLOT_MASKS] = s->psr >> 6 & 7;
    }
  e->naccesses = 0;
  tb_semantics_run (semantics, places, &memory, &result);
  /* Registers of other modes are not in the truth.  */
  if (result.banked)
    e->naccesses = 0;
}

/* Find what S, which passed its condition, loaded and stored; NEXT is the step behind
   it, or NULL.  */
static void
find_accesses (struct encoder *e, const struct corpus_step *s,
	       const struct corpus_step *next)
{
  struct tb_semantics semantics;
  uint32_t zeros[TB_PLACE_END], ones[TB_PLACE_END];
  bool thumb = e->profile.is_m || s->flags & CORPUS_THUMB;
  e->naccesses = 0;
  if (thumb)
    tb_semantics_t32 (&semantics, s->opcode, s->length, s->pc, &e->profile);
  else
    tb_semantics_a32 (&semantics, s->opcode, s->pc, &e->profile);
  if (!semantics.modelled)
    return;
  e->filler = UINT32_MAX;
  run (e, s, &semantics, ones);
  e->filler = 0;
  run (e, s, &semantics, zeros);
  if (e->naccesses != 1 || e->accesses[0].known || next == NULL
      || next->flags & CORPUS_EXCEPTION)
    return;
  /* The register that it shows in.  */
  for (unsigned i = 0; i < 15; i++)
    if (zeros[i] != ones[i])
      {
	unsigned size = e->accesses[0].size;
	e->accesses[0].value
	  = size < 4 ? next->r[i] & ((1u << 8 * size) - 1) : next->r[i];
	e->accesses[0].known = e->accesses[0].elsewhere = true;
      }
}

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
tag_of (struct encoder *e, const struct access *a)
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
  for (unsigned i = 0; i < e->naccesses; i++)
    {
      const struct access *a = &e->accesses[i];
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

static bool
is_thumb (const struct encoder *e, const struct corpus_step *s)
{
  return e->profile.is_m || s->flags & CORPUS_THUMB;
}

static void
put_sync (struct encoder *e, const struct corpus_step *s, unsigned reason)
{
  gen_v7_async (&e->trace, &e->random);
  gen_put (&e->trace, 0x08);
  gen_put (&e->trace, reason << 5 | 1);
  gen_put_value (&e->trace, s->pc | is_thumb (e, s), 4);
  e->last = (struct gen_v7_last) { s->pc, is_thumb (e, s) ? GEN_T32 : GEN_A32,
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
  if (!e->profile.is_m)
    return modes[number & 15];
  return number < sizeof vectors ? vectors[number] : number;
}

/* The exception before step I, which S was the step before of, or NULL.  */
static void
put_exception (struct encoder *e, size_t i, const struct corpus_step *before)
{
  const struct corpus_step *s = &e->c.steps[i];
  bool tail = s->flags & CORPUS_TAIL_CHAIN;
  unsigned count = 0;
  e->naccesses = 0;
  while (e->write < e->c.nwrites && e->c.writes[e->write].index == i
	 && e->c.writes[e->write].kind == 1)
    {
      const struct corpus_write *w = &e->c.writes[e->write++];
      note (e, w->address, w->size, (uint32_t) w->value, true);
      corpus_apply (&e->c, w);
      count++;
    }
  if (before == NULL)
    return;
  /* Where the branch before it led.  A return of the M profile has a packet of its own.  */
  if (before->flags & CORPUS_TAKEN
      && !(before->flags & CORPUS_RETURN && e->profile.is_m))
    {
      uint32_t target = count == 8 ? e->accesses[6].value
			: s->r[14] - ((s->exception & 15) == 12 ? 8u : 4u);
      put_branch (e, target & ~1u, is_thumb (e, before), false);
    }
  put_branch (e, s->pc, is_thumb (e, s), true);
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
  if (i + 1 >= e->c.nsteps || e->c.steps[i + 1].flags & CORPUS_TAIL_CHAIN)
    return;
  uint32_t end = e->c.steps[i + 1].r[13], psr;
  bool padded = read_memory (e, end - 8, 4, &psr) && psr >> 9 & 1
		&& psr >> 24 & 1;
  uint32_t frame = end - (padded ? 36 : 32);
  e->naccesses = 0;
  for (unsigned k = 0; k < 8; k++)
    {
      uint32_t value;
      if (!read_memory (e, frame + 4 * k, 4, &value))
	return;
      note (e, frame + 4 * k, 4, value, true);
    }
  put_data (e);
}

/* The accesses that were found are those of another step.  */
static void
list_accesses (struct encoder *e)
{
  for (unsigned i = 0; i < e->naccesses; i++)
    {
      const struct access *a = &e->accesses[i];
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
  const struct corpus_step *s = &e->c.steps[i];
  const struct corpus_step *next = i + 1 < e->c.nsteps ? s + 1 : NULL;
  /* CBZ and CBNZ pass always, in the truth.  */
  bool compares = is_thumb (e, s) && s->length == 2
		  && (s->opcode & 0xf500) == 0xb100;
  bool passed = s->flags & (compares ? CORPUS_TAKEN : CORPUS_PASSED);
  put_waiting (e, false);
  gen_put (&e->trace, passed ? 0x84 : 0xc0);
  e->naccesses = 0;
  e->step = (uint32_t) i;
  if (passed)
    find_accesses (e, s, next);
  list_accesses (e);
  put_data (e);
  while (e->write < e->c.nwrites && e->c.writes[e->write].index == i)
    corpus_apply (&e->c, &e->c.writes[e->write++]);
  bool returns = s->flags & CORPUS_RETURN;
  if (returns && e->profile.is_m)
    put_return (e, i);
  /* An exception says itself where it leads.  */
  if (next != NULL && next->flags & CORPUS_EXCEPTION && !ends)
    return;
  uint32_t target = next != NULL ? next->pc : e->halt_pc;
  /* Where it halted, the snapshot may not tell.  */
  if (target == 0)
    return;
  if (s->flags & CORPUS_TAKEN || target != s->pc + s->length)
    put_branch (e, target, next != NULL ? is_thumb (e, next)
					: is_thumb (e, s), false);
}

static void
encode (struct encoder *e)
{
  const struct corpus_step *before = NULL;
  unsigned since = 0;
  for (size_t i = 0; i < e->c.nsteps; i++)
    {
      const struct corpus_step *s = &e->c.steps[i];
      if (!(s->flags & CORPUS_IN_TRACE))
	{
	  while (e->write < e->c.nwrites && e->c.writes[e->write].index <= i)
	    corpus_apply (&e->c, &e->c.writes[e->write++]);
	  before = NULL;
	  continue;
	}
      bool ends = i + 1 < e->c.nsteps && !(s[1].flags & CORPUS_IN_TRACE);
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

/* What the file cpu_0.ini has behind "KEY=".  */
static char *
core_value (const struct encoder *e, const char *key, char *to, size_t room)
{
  size_t size;
  char *text = (char *) corpus_file (e->c.directory, "cpu_0.ini", &size);
  to[0] = 0;
  if (text != NULL && size > 0)
    {
      text[size - 1] = 0;
      char *at = strstr (text, key);
      if (at != NULL)
	snprintf (to, room, "%.*s", (int) strcspn (at + strlen (key), "\r\n"),
		  at + strlen (key));
    }
  free (text);
  return to;
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
  size_t size, first = 0, end = e->c.nsteps;
  size_t lost = 0;
  if (e->middle)
    {
      first = e->c.nsteps / 4;
      end = first + e->c.nsteps / 2;
    }
  uint8_t *truth = corpus_file (e->c.directory, "truth.bin.xz", &size);
  if (truth == NULL)
    return false;
  for (size_t i = 0; i < e->c.nsteps; i++)
    {
      if (e->overflow && lost == 0 && gen_below (&e->random, 800) == 0)
	lost = 1 + gen_below (&e->random, 60);
      lost -= lost > 0;
      if (i >= first && i < end && lost == 0)
	continue;

      e->c.steps[i].flags &= ~CORPUS_IN_TRACE;
      truth[32 + i * sizeof e->c.steps[0]
	    + offsetof (struct corpus_step, flags)] = e->c.steps[i].flags;
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
  if (!corpus_open (&e.c, argv[1]))
    {
      fprintf (stderr, "data-case: no case %s\n", argv[1]);
      return 1;
    }
  tb_profile_find (&e.profile, core_value (&e, "type=", text, sizeof text));
  e.halt_pc = (uint32_t) strtoul (core_value (&e, "\nPC=", text, sizeof text),
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
  corpus_close (&e.c);
  return !ok;
}
