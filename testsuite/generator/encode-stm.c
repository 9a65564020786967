/* Random writes as STPv2 packets.  See encode-stm.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/encode-stm.h"

#include <string.h>

struct stm
{
  struct gen_trace *trace;
  const struct gen_stm_options *options;
  struct gen_random *random;
  bool half;			/* The last byte has room for a nibble.  */
  bool sender;			/* MASTER and CHANNEL are told.  */
  uint16_t master, channel;
  uint64_t time;
  uint64_t code;		/* The newest timestamp as it is written.  */
  bool all;			/* The next timestamp has all of its bits.  */
};

void
gen_stm_choose (struct gen_stm_options *o, struct gen_random *r)
{
  memset (o, 0, sizeof *o);
  o->times = gen_chance (r, 70) ? gen_between (r, GEN_STM_BINARY, GEN_STM_GRAY)
	     : gen_below (r, GEN_STM_BINARY);
  o->extended = gen_chance (r, 30);
  o->low_first = o->extended && gen_chance (r, 60);
  o->packets = gen_between (r, 1, 2000);
  o->timed = gen_below (r, 101);
  o->marked = gen_below (r, 101);
  o->nulls = gen_chance (r, 50) ? gen_below (r, 60) : 0;
  o->senders = gen_scaled (r, 9);
  o->errors = gen_scaled (r, 6);
  o->syncs = gen_scaled (r, 7);
}

/* Nibbles.  */

static void
put_nibble (struct stm *e, unsigned nibble)
{
  if (e->half)
    e->trace->bytes[e->trace->nbytes - 1] |= (uint8_t) (nibble << 4);
  else
    gen_put (e->trace, nibble);
  e->half = !e->half;
}

/* An opcode, as one reads it: 0xf04 is f, 0, 4.  */
static void
put_opcode (struct stm *e, unsigned opcode, unsigned nibbles)
{
  while (nibbles-- > 0)
    put_nibble (e, opcode >> 4 * nibbles & 0xf);
}

static void
put_value (struct stm *e, uint64_t value, unsigned nibbles)
{
  for (unsigned i = 0; i < nibbles; i++)
    {
      unsigned at = e->options->low_first ? i : nibbles - 1 - i;
      put_nibble (e, value >> 4 * at & 0xf);
    }
}

/* Timestamps.  */

static void
put_time (struct stm *e)
{
  /* How many nibbles the sizes 0 to 14 stand for.  */
  static const uint8_t counts[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
				    14, 16 };
  struct gen_random *r = e->random;
  uint64_t changed = 0;
  unsigned size = 0;
  if (e->options->times < GEN_STM_DELTA)
    {
      put_value (e, gen_next (r), 2);
      return;
    }
  if (e->options->times == GEN_STM_DELTA)
    size = gen_below (r, 15);
  else
    {
      e->time += gen_scaled (r, gen_chance (r, 2) ? 62 : 16);
      uint64_t code = e->options->times == GEN_STM_GRAY
		      ? e->time ^ e->time >> 1 : e->time;
      changed = e->all ? UINT64_MAX : e->code ^ code;
      while (size < 14
	     && (gen_chance (r, 5)
		 || (counts[size] < 16 && changed >> 4 * counts[size] != 0)))
	size++;
      e->code = code;
      e->all = false;
    }
  put_nibble (e, size);
  put_value (e, e->options->times == GEN_STM_DELTA ? gen_next (r) : e->code,
	     counts[size]);
}

/* Packets.  */

/* The packet just put says DATA, of BITS bits.  */
static void
add_fact (struct stm *e, uint64_t data, unsigned bits, unsigned flags,
	  bool timed)
{
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_SOFTWARE, data);
  f->isa = bits;
  f->number = (uint32_t) e->master << 16 | e->channel;
  f->flags = flags | (e->sender ? GEN_SOFTWARE_SENDER : 0);
  f->known_at = e->trace->nbytes;
  if (timed && e->options->times >= GEN_STM_BINARY)
    gen_add_fact (e->trace, GEN_FACT_TIME, e->time)->known_at
      = e->trace->nbytes;
}

static void
put_packet (struct stm *e, unsigned opcode, unsigned nibbles, uint64_t data,
	    unsigned data_nibbles, unsigned flags, bool timed)
{
  put_opcode (e, opcode, nibbles);
  put_value (e, data, data_nibbles);
  if (timed)
    put_time (e);
  add_fact (e, data, 4 * data_nibbles, flags, timed);
}

/* 4 to 64 bits of data.  */
static void
put_data (struct stm *e, bool timed, bool marked)
{
  static const struct
  {
    uint8_t nibbles;
    uint8_t opcodes[4];		/* By timed and marked; f before it ...  */
    uint8_t sizes[4];		/* ... if this is 2.  */
  } packets[] = {
    { 1, { 0xc, 0xd, 0xc, 0xd }, { 1, 2, 2, 1 } },
    { 2, { 0x4, 0x8, 0x4, 0x8 }, { 1, 2, 2, 1 } },
    { 4, { 0x5, 0x9, 0x5, 0x9 }, { 1, 2, 2, 1 } },
    { 8, { 0x6, 0xa, 0x6, 0xa }, { 1, 2, 2, 1 } },
    { 16, { 0x7, 0xb, 0x7, 0xb }, { 1, 2, 2, 1 } }
  };
  unsigned which = gen_below (e->random, 5), how = 2 * timed + marked;
  unsigned nibbles = packets[which].nibbles;
  uint64_t data = gen_chance (e->random, 10) ? UINT64_MAX
		  : gen_next (e->random);
  put_packet (e, 0xf0 | packets[which].opcodes[how],
	      packets[which].sizes[how], data >> (64 - 4 * nibbles), nibbles,
	      marked ? GEN_SOFTWARE_MARKED : 0, timed);
}

/* Something else that makes an element.  */
static void
put_other (struct stm *e, bool timed)
{
  uint64_t data = gen_next (e->random);
  switch (gen_below (e->random, 5))
    {
    case 0:
      put_packet (e, timed ? 0xe : 0xfe, timed ? 1 : 2, 0, 0,
		  GEN_SOFTWARE_MARKED, timed);
      break;
    case 1:
      put_packet (e, 0xf06 + timed, 3, data >> 56, 2, GEN_SOFTWARE_TRIGGER,
		  timed);
      break;
    case 2:
      put_packet (e, 0xf08 + timed, 3, data >> 32, 8, GEN_SOFTWARE_FREQUENCY,
		  timed);
      break;
    case 3:
      put_packet (e, 0xf0f0 + timed, 4, data >> 24, 10,
		  GEN_SOFTWARE_FREQUENCY, timed);
      break;
    default:
      put_packet (e, 0xf01, 3, 0, 0, 0, true);
      break;
    }
}

static void
put_master (struct stm *e)
{
  uint16_t master = gen_scaled (e->random, 16);
  bool near = (master ^ e->master) < 0x100 && gen_chance (e->random, 80);
  put_opcode (e, near ? 0x1 : 0xf1, near ? 1 : 2);
  put_value (e, master, near ? 2 : 4);
  e->master = master;
  e->channel = 0;
  e->sender = true;
}

static void
put_channel (struct stm *e)
{
  uint16_t channel = gen_scaled (e->random, 16);
  bool near = (channel ^ e->channel) < 0x100 && gen_chance (e->random, 80);
  put_opcode (e, near ? 0x3 : 0xf3, near ? 1 : 2);
  put_value (e, channel, near ? 2 : 4);
  e->channel = channel;
}

/* Master and global errors.  After the latter all begins anew.  */
static void
put_error (struct stm *e)
{
  bool global = gen_chance (e->random, 50);
  e->channel = 0;
  if (global)
    {
      e->master = 0;
      e->sender = false;
    }
  put_packet (e, global ? 0xf2 : 0x2, global ? 2 : 1,
	      gen_below (e->random, 256), 2,
	      global ? GEN_SOFTWARE_GLOBAL_ERROR : GEN_SOFTWARE_MASTER_ERROR,
	      false);
}

/* ASYNC, VERSION and the sender, which is none until it is told.  */
static void
synchronise (struct stm *e)
{
  const struct gen_stm_options *o = e->options;
  struct gen_trace *t = e->trace;
  t->syncs = gen_grow (t->syncs, &t->sync_capacity, t->nsyncs,
		       sizeof *t->syncs);
  t->syncs[t->nsyncs++] = (struct gen_sync) {
    .offset = t->nbytes - e->half, .fact = t->nfacts, .address = t->nfacts };
  for (unsigned i = 0; i < 21; i++)
    put_nibble (e, 0xf);
  put_nibble (e, 0);
  put_opcode (e, 0xf00, 3);
  put_nibble (e, o->times | o->extended << 3);
  if (o->extended)
    put_opcode (e, o->low_first << 7 | gen_below (e->random, 128), 2);
  e->master = e->channel = 0;
  e->all = true;
  put_master (e);
}

void
gen_stm_encode (struct gen_trace *trace, const struct gen_stm_options *o,
		struct gen_random *r)
{
  struct stm e = { .trace = trace, .options = o, .random = r,
		   .time = gen_scaled (r, 50) };
  gen_trace_init (trace);
  synchronise (&e);
  for (unsigned i = 0; i < o->packets; i++)
    {
      bool timed = gen_chance (r, o->timed);
      if (gen_below (r, 1000) < o->syncs)
	synchronise (&e);
      if (gen_below (r, 1000) < o->senders)
	put_master (&e);
      if (gen_below (r, 1000) < o->senders)
	put_channel (&e);
      if (gen_below (r, 1000) < o->errors)
	put_error (&e);
      if (gen_chance (r, o->nulls))
	for (unsigned n = gen_scaled (r, 5); n > 0; n--)
	  put_nibble (&e, 0);
      if (gen_chance (r, 85))
	put_data (&e, timed, gen_chance (r, o->marked));
      else
	put_other (&e, timed);
    }
}
