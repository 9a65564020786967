/* Random events as ITM packets.  See encode-itm.h; section numbers are those of
   DDI 0403.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/encode-itm.h"

#include <string.h>

struct itm
{
  struct gen_trace *trace;
  const struct gen_itm_options *options;
  struct gen_random *random;
  unsigned page;
  bool lost;			/* Packets were, which the next one tells.  */
  uint64_t time;		/* Global.  */
  bool high_due;		/* Bits 26 up of it have to be told.  */
  bool clock_changed;		/* To be told.  */
};

void
gen_itm_choose (struct gen_itm_options *o, struct gen_random *r)
{
  memset (o, 0, sizeof *o);
  o->prescaler = gen_below (r, 4);
  o->packets = gen_between (r, 1, 2000);
  o->local = gen_chance (r, 70) ? gen_below (r, 101) : 0;
  o->global = gen_chance (r, 50) ? gen_below (r, 50) : 0;
  o->pages = gen_chance (r, 50) ? gen_scaled (r, 8) : 0;
  o->losses = gen_scaled (r, 6);
  o->syncs = gen_scaled (r, 7);
  o->extensions = gen_scaled (r, 6);
  o->dwt = gen_below (r, 101);
}

struct gen_register
gen_itm_register (const struct gen_itm_options *o, unsigned trace_id)
{
  return (struct gen_register) {
    "ITMTCR", 0x3a0, trace_id << 16 | (uint32_t) o->prescaler << 8 | 0xd };
}

/* Note what the packets up to here tell.  */
static struct gen_fact *
add_fact (struct itm *e, enum gen_fact_kind kind, uint64_t a, uint32_t number)
{
  struct gen_fact *f = gen_add_fact (e->trace, kind, a);
  f->number = number;
  f->flags = e->lost ? GEN_AFTER_LOSS : 0;
  f->known_at = e->trace->nbytes;
  e->lost = false;
  return f;
}

/* 1, 2 or 4 bytes of VALUE after a header with ID (D4.2.8).  */
static void
put_source (struct itm *e, unsigned id, bool hardware, uint32_t value,
	    unsigned bytes)
{
  gen_put (e->trace, id << 3 | hardware << 2 | (bytes == 4 ? 3 : bytes));
  gen_put_value (e->trace, value, bytes);
}

static unsigned
any_size (struct itm *e)
{
  return 1u << gen_below (e->random, 3);
}

/* A value of BYTES bytes; 0 is one that looks like a sync packet.  */
static uint32_t
any_value (struct itm *e, unsigned bytes)
{
  return gen_chance (e->random, 10) ? 0
	 : (uint32_t) gen_next (e->random) >> (32 - 8 * bytes);
}

static void
put_stimulus (struct itm *e)
{
  unsigned bytes = any_size (e), port = gen_below (e->random, 32);
  uint32_t value = any_value (e, bytes);
  put_source (e, port, false, value, bytes);
  add_fact (e, GEN_FACT_ITM, value | (uint64_t) bytes << 32,
	    32 * e->page + port);
}

/* D4.3.4: a match of a comparator, the PC or the address and then the value.  */
static void
put_match (struct itm *e)
{
  struct gen_random *r = e->random;
  unsigned comparator = gen_below (r, 4);
  bool pc = gen_chance (r, 50), write = gen_chance (r, 50);
  unsigned id = 8 + 2 * comparator + !pc, bytes = pc ? 4 : 2;
  uint32_t value = any_value (e, bytes);
  put_source (e, id, true, value, bytes);
  add_fact (e, GEN_FACT_DWT, value | (uint64_t) bytes << 32,
	    id | comparator << 8
	    | (pc ? GEN_DWT_DATA_PC : GEN_DWT_DATA_ADDRESS) << 24);
  if (gen_chance (r, 20))
    put_stimulus (e);
  id = 16 + 2 * comparator + write;
  bytes = any_size (e);
  value = any_value (e, bytes);
  put_source (e, id, true, value, bytes);
  add_fact (e, GEN_FACT_DWT, value | (uint64_t) bytes << 32,
	    id | comparator << 8
	    | (write ? GEN_DWT_DATA_WRITE : GEN_DWT_DATA_READ) << 24);
}

/* D4.3, and DDI 0553, F1.2: what the DWT may say.  */
static void
put_dwt (struct itm *e)
{
  struct gen_random *r = e->random;
  unsigned id, bytes, comparator = 0, meaning, action = 0, exception = 0;
  uint32_t value;
  switch (gen_below (r, 7))
    {
    case 0:
      id = 0, bytes = 1, value = gen_below (r, 64);
      meaning = value != 0 ? GEN_DWT_EVENTS : GEN_DWT_NOTHING;
      break;
    case 1:
      id = 1, bytes = 2, meaning = GEN_DWT_EXCEPTION;
      exception = gen_below (r, 512);
      action = gen_between (r, 1, 3);
      value = exception | action << 12;
      break;
    case 2:
      id = 2, bytes = 4, value = any_value (e, 4), meaning = GEN_DWT_PC;
      if (gen_chance (r, 30))
	{
	  bool sleeps = gen_chance (r, 50);
	  bytes = 1, value = sleeps ? 0 : 0xff;
	  meaning = sleeps ? GEN_DWT_SLEEP : GEN_DWT_PROHIBITED;
	}
      break;
    case 3:
      id = 3, bytes = 1, value = gen_below (r, 256);
      meaning = value != 0 ? GEN_DWT_PMU : GEN_DWT_NOTHING;
      break;
    case 4:
      comparator = gen_below (r, 4);
      id = 8 + 2 * comparator, bytes = 4, value = any_value (e, 4);
      meaning = GEN_DWT_DATA_PC;
      if (gen_chance (r, 30))
	bytes = 1, value = 1, meaning = GEN_DWT_DATA_MATCH;
      else if (gen_chance (r, 30))
	bytes = 1 + gen_below (r, 2), value = any_value (e, bytes) & ~1u;
      break;
    case 5:
      comparator = gen_below (r, 4);
      id = 9 + 2 * comparator, bytes = any_size (e);
      value = any_value (e, bytes), meaning = GEN_DWT_DATA_ADDRESS;
      break;
    default:
      {
	bool write = gen_chance (r, 50);
	comparator = gen_below (r, 4);
	id = 16 + 2 * comparator + write, bytes = any_size (e);
	value = any_value (e, bytes);
	meaning = write ? GEN_DWT_DATA_WRITE : GEN_DWT_DATA_READ;
      }
    }
  if (gen_chance (r, 5))
    {
      /* No discriminator of the architecture.  */
      id = gen_between (r, 24, 31), meaning = GEN_DWT_NOTHING;
      comparator = action = exception = 0;
    }
  put_source (e, id, true, value, bytes);
  add_fact (e, GEN_FACT_DWT,
	    value | (uint64_t) bytes << 32 | (uint64_t) exception << 48,
	    id | comparator << 8 | action << 16 | meaning << 24);
}

/* D4.2.4.  */
static void
put_local_time (struct itm *e)
{
  uint32_t delta = gen_scaled (e->random, 28);
  unsigned relation = gen_below (e->random, 4);
  if (delta >= 1 && delta <= 6 && gen_chance (e->random, 80))
    {
      relation = 0;
      gen_put (e->trace, delta << 4);
    }
  else
    {
      gen_put (e->trace, 0xc0 | relation << 4);
      gen_put_continued (e->trace, delta);
    }
  add_fact (e, GEN_FACT_LOCAL_TIME,
	    (uint64_t) delta << 2 * e->options->prescaler,
	    delta | relation << 28);
}

/* D4.2.5: the low 26 bits, the others where they changed.  */
static void
put_global_time (struct itm *e)
{
  struct gen_random *r = e->random;
  uint64_t before = e->time;
  e->time += gen_scaled (r, gen_chance (r, 5) ? 60 : 18);
  bool high = e->high_due || e->time >> 26 != before >> 26;
  uint32_t low = e->time & 0x3ffffff, changed = low ^ (before & 0x3ffffff);
  e->clock_changed |= gen_chance (r, 5);
  unsigned bytes = 1;
  while (bytes < 4 && (changed >> 7 * bytes != 0 || gen_chance (r, 5)))
    bytes++;
  if (high || e->clock_changed)
    bytes = 4;
  gen_put (e->trace, 0x94);
  for (unsigned i = 0; i < bytes; i++)
    gen_put (e->trace, i == 3 ? (low >> 21) | e->clock_changed << 5 | high << 6
			      : (low >> 7 * i & 0x7f) | (i < bytes - 1) << 7);
  if (high)
    {
      gen_put (e->trace, 0xb4);
      gen_put_continued (e->trace, e->time >> 26);
    }
  struct gen_fact *f = add_fact (e, GEN_FACT_GLOBAL_TIME, e->time, 0);
  if (e->clock_changed)
    f->flags |= GEN_CLOCK_CHANGED;
  e->high_due = e->clock_changed = false;
}

/* D4.2.6: a page of stimulus ports, or nothing that is known.  */
static void
put_page (struct itm *e)
{
  e->page = gen_below (e->random, 8);
  gen_put (e->trace, 0x08 | e->page << 4);
}

static void
put_extension (struct itm *e)
{
  if (gen_chance (e->random, 30))
    gen_put (e->trace, 0x0c | gen_below (e->random, 8) << 4);
  else
    {
      gen_put (e->trace, 0x8c | gen_below (e->random, 8) << 4);
      gen_put_continued (e->trace, gen_scaled (e->random, 28));
    }
}

/* D4.2.1.  What follows depends on nothing before: a new page, if it is not
   the first, and all of the time.  */
static void
synchronise (struct itm *e)
{
  struct gen_trace *t = e->trace;
  if (e->lost)
    return;			/* Who begins here would not know.  */
  if (gen_chance (e->random, 10))
    for (unsigned zeros = gen_scaled (e->random, 8); zeros > 0; zeros--)
      gen_put (t, 0);
  t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
		       sizeof *t->syncs);
  t->syncs[t->nsyncs++] = (struct gen_sync) {
    .offset = t->nbytes, .fact = t->nfacts, .address = t->nfacts };
  for (unsigned i = 0; i < 5; i++)
    gen_put (t, 0);
  gen_put (t, 0x80);
  e->page = 0;
  e->high_due = true;
}

void
gen_itm_encode (struct gen_trace *trace, const struct gen_itm_options *o,
		struct gen_random *r)
{
  struct itm e = { .trace = trace, .options = o, .random = r,
		   .time = gen_scaled (r, 40) };
  gen_trace_init (trace);
  synchronise (&e);
  for (unsigned i = 0; i < o->packets; i++)
    {
      if (gen_below (r, 1000) < o->syncs)
	synchronise (&e);
      if (gen_below (r, 1000) < o->pages)
	put_page (&e);
      if (gen_below (r, 1000) < o->extensions)
	put_extension (&e);
      if (gen_below (r, 1000) < o->losses)
	{
	  gen_put (trace, 0x70);
	  e.lost = true;
	}
      if (gen_chance (r, o->dwt))
	{
	  if (gen_chance (r, 20))
	    put_match (&e);
	  else
	    put_dwt (&e);
	}
      else
	put_stimulus (&e);
      if (gen_chance (r, o->local))
	put_local_time (&e);
      if (gen_chance (r, o->global))
	put_global_time (&e);
    }
}
