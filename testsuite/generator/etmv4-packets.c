/* ETMv4 packets, written.  See etmv4-encoder.h; section numbers are those of
   IHI 0064.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv4-encoder.h"

/* Atoms (6.4, "Atom instruction trace packets").  A format fits where its
   atoms are the oldest of those that wait.  */

/* How many of the oldest atoms are E, at most LIMIT.  */
static unsigned
run_of_e (const struct gen_etmv4 *e, unsigned limit)
{
  unsigned n = 0;
  while (n < limit && n < e->natoms && e->atoms[n])
    n++;
  return n;
}

static unsigned
bits_of (const struct gen_etmv4 *e, unsigned count)
{
  unsigned bits = 0;
  for (unsigned i = 0; i < count; i++)
    bits |= (unsigned) e->atoms[i] << i;
  return bits;
}

/* Put a packet of the oldest atoms; FORMAT 1 to 6.  Returns how many it took,
   0: the format does not fit.  */
static unsigned
put_format (struct gen_etmv4 *e, unsigned format)
{
  static const struct { uint8_t bits, header; } four[] = {
    { 0xe, 0xdc }, { 0x0, 0xdd }, { 0xa, 0xde }, { 0x5, 0xdf }
  };
  static const struct { uint8_t bits, header; } five[] = {
    { 0x1e, 0xf5 }, { 0x00, 0xd5 }, { 0x0a, 0xd6 }, { 0x15, 0xd7 }
  };
  if (format < 6 && e->natoms < format)
    return 0;
  unsigned bits = bits_of (e, format < 6 ? format : 0);
  switch (format)
    {
    case 1:
      gen_put (e->trace, 0xf6 | bits);
      return 1;
    case 2:
      gen_put (e->trace, 0xd8 | bits);
      return 2;
    case 3:
      gen_put (e->trace, 0xf8 | bits);
      return 3;
    case 4:
      for (unsigned i = 0; i < 4; i++)
	if (four[i].bits == bits)
	  {
	    gen_put (e->trace, four[i].header);
	    return 4;
	  }
      return 0;
    case 5:
      for (unsigned i = 0; i < 4; i++)
	if (five[i].bits == bits)
	  {
	    gen_put (e->trace, five[i].header);
	    return 5;
	  }
      return 0;
    default:
      {
	/* 3 to 23 times E, then an E or an N.  */
	unsigned run = run_of_e (e, 23);
	if (run == e->natoms)
	  run--;
	if (run < 3 || run >= e->natoms)
	  return 0;
	if (run > 3 && gen_chance (e->random, 20))
	  run = gen_between (e->random, 3, run);
	gen_put (e->trace, (e->atoms[run] ? 0xc0 : 0xe0) + (run - 3));
	return run + 1;
      }
    }
}

void
gen_etmv4_flush (struct gen_etmv4 *e)
{
  bool greedy = gen_chance (e->random, 60);
  while (e->natoms > 0)
    {
      unsigned taken = 0;
      for (unsigned format = 6; format > 0 && taken == 0; format--)
	if (format == 1 || greedy || gen_chance (e->random, 30))
	  taken = put_format (e, format);
      e->natoms -= taken;
      for (unsigned i = 0; i < e->natoms; i++)
	e->atoms[i] = e->atoms[i + taken];
      gen_etmv4_note_excess (e);
    }
  /* Ignore (ETMv4.3).  */
  if ((e->options->ete || e->options->minor >= 3) && gen_chance (e->random, 2))
    gen_put (e->trace, 0x70);
  if (e->options->conditionals && !e->quiet && !(e->off && e->sync_due)
      && gen_chance (e->random, 20))
    gen_etmv4_conditional (e);
}

void
gen_etmv4_add_p0 (struct gen_etmv4 *e)
{
  for (size_t i = 0; i < e->nopen; i++)
    *gen_add_fact (e->trace, GEN_FACT_STEP, 0) = e->open[i];
  e->nopen = 0;
  e->p0 = gen_grow (e->p0, &e->p0_capacity, e->depth, sizeof *e->p0);
  e->p0[e->depth++] = e->trace->nfacts;
}

/* Addresses (6.4, "Address and Context tracing packets").  */

/* Bits 31:2 or 31:1 in the way that long packets hold them.  */
static void
put_long (struct gen_etmv4 *e, uint64_t address, unsigned is, unsigned bytes)
{
  if (is)
    {
      gen_put (e->trace, address >> 1 & 0x7f);
      gen_put (e->trace, address >> 8 & 0xff);
    }
  else
    {
      gen_put (e->trace, address >> 2 & 0x7f);
      gen_put (e->trace, address >> 9 & 0x7f);
    }
  gen_put_value (e->trace, address >> 16, bytes - 2);
}

static void
put_context_payload (struct gen_etmv4 *e, const struct gen_context *c)
{
  const struct gen_etmv4_options *o = e->options;
  bool sf = e->arch == GEN_AARCH64;
  uint32_t vmid = o->vmid_bytes == 4 ? c->vmid
		  : c->vmid & ((1u << 8 * o->vmid_bytes) - 1);
  bool v = o->vmid_bytes > 0
	   && (!e->vmid_sent || c->vmid != e->sent.vmid
	       || gen_chance (e->random, 10));
  bool cid = o->context_id && (!e->cid_sent || c->cid != e->sent.cid
			       || gen_chance (e->random, 10));
  gen_put (e->trace, c->el | sf << 4 | c->nonsecure << 5 | v << 6 | cid << 7);
  if (v)
    gen_put_value (e->trace, vmid, o->vmid_bytes);
  if (cid)
    gen_put_value (e->trace, c->cid, 4);
}

/* The headers of a kind of address packet: three in a row for exact matches,
   else the one for IS0.  */
struct headers
{
  uint8_t exact, low, mid, high;
};

static const struct headers target_headers = { 0x90, 0x95, 0x9a, 0x9d };
static const struct headers context_headers = { 0, 0, 0x82, 0x85 };
static const struct headers source_headers = { 0xb0, 0xb4, 0xb6, 0xb8 };
static const struct headers q_headers = { 0xa0, 0xa5, 0xaa, 0 };

/* The address packet proper.  */
static void
put_address (struct gen_etmv4 *e, const struct headers *h, uint64_t address,
	     unsigned is, const struct gen_context *with)
{
  struct gen_random *r = e->random;
  if (with == NULL)
    {
      for (unsigned i = 0; i < 3; i++)
	if (e->value[i] == address && e->is[i] == is && gen_chance (r, 90))
	  {
	    gen_put (e->trace, h->exact + i);
	    return;
	  }
      unsigned shift = is ? 1 : 2;
      uint64_t changed = (address ^ e->value[0]) >> shift;
      if (changed >> 15 == 0 && gen_chance (r, 95))
	{
	  bool two = changed >> 7 != 0 || gen_chance (r, 10);
	  gen_put (e->trace, h->low + is);
	  gen_put (e->trace, (address >> shift & 0x7f) | two << 7);
	  if (two)
	    gen_put (e->trace, address >> (shift + 7) & 0xff);
	  return;
	}
    }
  bool wide = (address ^ e->value[0]) >> 32 != 0
	      || (e->arch == GEN_AARCH64 && h->high != 0
		  && gen_chance (r, 10));
  gen_put (e->trace, (wide ? h->high : h->mid) + is);
  put_long (e, address, is, wide ? 8 : 4);
  if (with != NULL)
    put_context_payload (e, with);
}

/* ADDRESS is the newest one given.  */
static void
note_address (struct gen_etmv4 *e, uint64_t address, unsigned is)
{
  for (unsigned i = 2; i > 0; i--)
    {
      e->value[i] = e->value[i - 1];
      e->is[i] = e->is[i - 1];
    }
  e->value[0] = address;
  e->is[0] = is;
}

void
gen_etmv4_address (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa,
		   const struct gen_context *with)
{
  unsigned is = isa == GEN_T32;
  gen_etmv4_flush (e);
  e->awaited = false;
  put_address (e, with != NULL ? &context_headers : &target_headers, address,
	       is, with);
  note_address (e, address, is);
}

void
gen_etmv4_source (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa)
{
  unsigned is = isa == GEN_T32;
  gen_etmv4_flush (e);
  put_address (e, &source_headers, address, is, NULL);
  note_address (e, address, is);
}

void
gen_etmv4_q (struct gen_etmv4 *e, uint32_t count, uint64_t address,
	     enum gen_isa isa)
{
  unsigned is = isa == GEN_T32;
  gen_etmv4_flush (e);
  if (count > 0 && (address ^ e->value[0]) >> 32 == 0
      && gen_chance (e->random, 60))
    {
      put_address (e, &q_headers, address, is, NULL);
      note_address (e, address, is);
      gen_put_continued (e->trace, count);
      return;
    }
  gen_put (e->trace, count > 0 ? 0xac : 0xaf);
  if (count > 0)
    gen_put_continued (e->trace, count);
  e->awaited = true;
  gen_etmv4_address (e, address, isa, NULL);
}

void
gen_etmv4_context (struct gen_etmv4 *e, const struct gen_context *c)
{
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x81);
  put_context_payload (e, c);
}

/* Others.  */

void
gen_etmv4_exception_header (struct gen_etmv4 *e, unsigned type, bool same)
{
  bool two = type > 0x1f || gen_chance (e->random, 5);
  gen_etmv4_flush (e);
  e->awaited = true;
  gen_put (e->trace, 0x06);
  gen_put (e->trace, (same ? 0x40 : 0x01) | (type & 0x1f) << 1 | two << 7);
  if (two)
    /* Bit 5, P, M profile: a fault is pending.  */
    gen_put (e->trace, type >> 5
		       | (gen_is_m (e->arch) && gen_chance (e->random, 20))
			 << 5);
}

void
gen_etmv4_timestamp (struct gen_etmv4 *e, uint64_t value)
{
  struct gen_random *r = e->random;
  uint32_t mask = (UINT32_C (1) << e->options->cycle_bits) - 1;
  bool counts = e->options->cycle_counts && gen_chance (r, 40);
  uint64_t changed = value ^ e->timestamp;
  unsigned bytes = 1;
  gen_etmv4_flush (e);
  if (e->options->markers)
    {
      gen_put (e->trace, 0x88);
      gen_add_fact (e->trace, GEN_FACT_MARKER, 0);
    }
  while (bytes < 9 && (changed >> 7 * bytes != 0 || gen_chance (r, 5)))
    bytes++;
  gen_put (e->trace, 0x02 | counts);
  for (unsigned i = 0; i < bytes; i++)
    if (i == 8)
      gen_put (e->trace, value >> 56);
    else
      gen_put (e->trace, (value >> 7 * i & 0x7f) | (i < bytes - 1) << 7);
  e->timestamp = value;
  gen_add_fact (e->trace, GEN_FACT_TIME, value);
  if (counts)
    {
      uint32_t count = e->cycles < mask ? (uint32_t) e->cycles : mask;
      gen_put_continued (e->trace, count);
      gen_add_fact (e->trace, GEN_FACT_CYCLES, count)->flags
	= GEN_WITH_PREVIOUS;
    }
}

void
gen_etmv4_trigger (struct gen_etmv4 *e, unsigned number)
{
  gen_etmv4_flush (e);
  gen_put (e->trace, 0x70 | number);
  gen_add_fact (e->trace, GEN_FACT_TRIGGER, 0)->number = number;
}

void
gen_etmv4_async (struct gen_etmv4 *e)
{
  for (unsigned i = 0; i < 11; i++)
    gen_put (e->trace, 0);
  gen_put (e->trace, 0x80);
}

/* Trace Info: a control byte says which sections follow.  */
void
gen_etmv4_info (struct gen_etmv4 *e)
{
  enum { INFO = 1, SPECULATION = 4, CYCLES = 8 };
  const struct gen_etmv4_options *o = e->options;
  size_t told = gen_etmv4_told (e);
  unsigned control = 0;
  if (o->cycle_counts || e->in_transaction || gen_chance (e->random, 50))
    control |= INFO;
  if (told > 0 || gen_chance (e->random, 30))
    control |= SPECULATION;
  if (o->cycle_counts)
    control |= CYCLES;
  gen_put (e->trace, 0x01);
  gen_put (e->trace, control);
  if (control & INFO)
    gen_put (e->trace, o->cycle_counts | e->in_transaction << 6);
  if (control & SPECULATION)
    gen_put_continued (e->trace, told);
  if (control & CYCLES)
    gen_put_continued (e->trace, o->threshold);
  for (unsigned i = 0; i < 3; i++)
    {
      e->value[i] = 0;
      e->is[i] = 0;
    }
  e->timestamp = 0;
  gen_etmv4_forget_keys (e);
}

void
gen_etmv4_cycles (struct gen_etmv4 *e, uint32_t count, unsigned commit)
{
  const struct gen_etmv4_options *o = e->options;
  uint32_t value = count - o->threshold;
  bool known = gen_chance (e->random, 95);
  bool says = !o->commit_mode_1;
  int64_t down = (int64_t) commit + 15 - o->max_speculation;
  if (!says)
    commit = 0;
  if (known && value <= 3 && (!says || (commit >= 1 && commit <= 4))
      && gen_chance (e->random, 80))
    gen_put (e->trace, 0x10 | (says ? commit - 1 : 0) << 2 | value);
  else if (known && value <= 15 && (!says || (commit >= 1 && commit <= 16))
	   && gen_chance (e->random, 70))
    {
      gen_put (e->trace, 0x0c);
      gen_put (e->trace, (says ? commit - 1 : 0) << 4 | value);
    }
  else if (known && value <= 15 && says && down >= 0 && down <= 15
	   && gen_chance (e->random, 80))
    {
      gen_put (e->trace, 0x0d);
      gen_put (e->trace, (unsigned) down << 4 | value);
    }
  else
    {
      gen_put (e->trace, known ? 0x0e : 0x0f);
      if (says)
	gen_put_continued (e->trace, commit);
      if (known)
	gen_put_continued (e->trace, value);
    }
  gen_add_fact (e->trace, GEN_FACT_CYCLES, known ? count : 0);
}
