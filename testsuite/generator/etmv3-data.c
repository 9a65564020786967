/* ETMv3 data trace, written.  See etmv3-encoder.h; section numbers are those of IHI
   0014.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv3-encoder.h"

static const struct gen_etmv3_transfer nobody = { .owner = GEN_NOBODY };

void
gen_etmv3_own_data (struct gen_etmv3 *e, enum gen_etmv3_owner owner,
		    uint32_t pc)
{
  e->data.next = (struct gen_etmv3_transfer) {
    .owner = owner, .pc = pc, .at = e->data.told };
  e->data.mute = false;
}

void
gen_etmv3_sync_data (struct gen_etmv3 *e, bool starts, bool begin)
{
  if (starts || begin)
    {
      e->data.next = nobody;
      e->data.mute = !starts;
    }
  if (begin)
    {
      for (unsigned i = 0; i < 4; i++)
	e->data.late[i] = nobody;
      e->data.full = true;
    }
}

static void
add_fact (struct gen_etmv3 *e, enum gen_fact_kind kind,
	  const struct gen_etmv3_transfer *t, uint32_t value, unsigned flags)
{
  uint64_t back = t->owner == GEN_NOBODY ? 0 : e->data.told - t->at;
  struct gen_fact *f
    = gen_add_fact (e->trace, kind,
		    value | back << 32 | (uint64_t) t->part << 56);
  f->number = t->owner == GEN_INSN ? t->pc : 0;
  f->flags = flags | (t->owner == GEN_NOBODY ? GEN_DATA_UNTIED
		      : t->owner == GEN_ENTRY ? GEN_DATA_PUSHED
		      : t->owner == GEN_EXIT ? GEN_DATA_POPPED : 0);
}

/* 7.4.2: the bits that differ from the last one sent, or more.  */
static void
put_address (struct gen_etmv3 *e, uint32_t address)
{
  struct gen_etmv3_data *d = &e->data;
  struct gen_random *r = e->random;
  unsigned n = 1;
  while (n < 5 && ((address ^ d->address) >> 7 * n) != 0)
    n++;
  n = d->full || gen_chance (r, 10) ? 5 : gen_between (r, n, 5);
  for (unsigned i = 0; i + 1 < n; i++)
    gen_put (e->trace, 0x80 | (address >> 7 * i & 0x7f));
  if (n == 5)
    d->big_endian = gen_chance (r, 5);
  gen_put (e->trace, n == 5 ? address >> 28 | (unsigned) d->big_endian << 4
			    : address >> 7 * (n - 1) & 0x7f);
  d->address = address;
  d->full = false;
}

/* The address of the next transfer, if WITH is set by a packet of its own.  */
static void
tell_address (struct gen_etmv3 *e, bool with)
{
  struct gen_etmv3_data *d = &e->data;
  uint32_t address = d->follows;
  if (with && d->next.owner == GEN_NOBODY)
    d->next.part = 0;
  if (with)
    {
      /* Nothing here looks like synchronisation.  */
      address = gen_chance (e->random, 50)
		? d->address ^ gen_scaled (e->random, 31) : gen_next (e->random);
      address |= 1;
      put_address (e, address);
    }
  d->follows = address + 4;
  if (with || d->next.part > 0)
    add_fact (e, GEN_FACT_DATA_ADDRESS, &d->next, address,
	      d->big_endian ? GEN_DATA_BIG_ENDIAN : 0);
}

/* A value, which a header that went before has the SIZE code of; it may be followed
   by a packet that says that it was not stored (7.4.7).  */
static void
put_value (struct gen_etmv3 *e, const struct gen_etmv3_transfer *t,
	   unsigned size, unsigned flags)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };
  uint32_t value = gen_next (e->random) | 0x01010101;
  unsigned n = bytes[size];
  if (n < 4)
    value &= (UINT32_C (1) << 8 * n) - 1;
  gen_put_value (e->trace, value, n);
  if (gen_chance (e->random, 10))
    {
      size_t from = e->trace->nbytes - 1;
      gen_put (e->trace, 0x50);
      gen_add_doubt (e->trace, from, e->trace->nbytes);
      flags |= GEN_DATA_FAILED;
    }
  add_fact (e, GEN_FACT_DATA_VALUE, t, value, flags);
}

static void
put_late (struct gen_etmv3 *e)
{
  unsigned tag = gen_between (e->random, 1, 3), size = gen_below (e->random, 4);
  struct gen_etmv3_transfer *t = &e->data.late[tag];
  if (!t->waits)
    return;
  gen_put (e->trace, tag << 5 | size << 2);	/* 0TT0SS00  */
  put_value (e, t, size, GEN_DATA_LATE);
  *t = nobody;
}

/* A transfer of the owner.  The first one has an address, if those are traced.  */
static void
put_transfer (struct gen_etmv3 *e)
{
  const struct gen_etmv3_options *o = e->options;
  struct gen_etmv3_data *d = &e->data;
  struct gen_random *r = e->random;
  unsigned size = gen_below (r, 4), tag = gen_between (r, 1, 3);
  unsigned kind = gen_below (r, 6);
  bool with = d->next.part == 0 || gen_chance (r, 30);
  if (kind < 3)
    gen_put (e->trace, 0x02 | with << 5 | size << 2);	/* 00A0SS10  */
  else if (kind == 3)
    gen_put (e->trace, 0x50 | with << 5 | tag << 2);	/* 01A1TT00  */
  else
    gen_put (e->trace, 0x6a | with << 4);		/* 011A1010  */
  if (o->data_addresses)
    tell_address (e, with);
  if (kind == 3)
    {
      d->late[tag] = d->next;
      d->late[tag].waits = true;
    }
  else if (o->data_values && kind < 3)
    put_value (e, &d->next, size, 0);
  else if (o->data_values)
    add_fact (e, GEN_FACT_DATA_VALUE, &d->next, 0, GEN_DATA_NOT_TRACED);
  d->next.part++;
}

void
gen_etmv3_put_data (struct gen_etmv3 *e)
{
  const struct gen_etmv3_options *o = e->options;
  struct gen_etmv3_data *d = &e->data;
  if ((!o->data_addresses && !o->data_values) || d->mute)
    return;
  while (gen_chance (e->random, 50) && d->next.part < 200)
    if (gen_chance (e->random, 30))
      {
	if (o->data_values)
	  put_late (e);
      }
    else if (gen_chance (e->random, 5))
      {
	gen_put (e->trace, 0x62);
	add_fact (e, GEN_FACT_DATA_VALUE, &d->next, 0, GEN_DATA_SUPPRESSED);
	d->next = nobody;
      }
    else
      put_transfer (e);
  gen_etmv3_note (e);
}
