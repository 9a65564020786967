/* What perf.data says of trace units.  See perf-units.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf-units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/buffer.h"

#define WORD 8
/* The words before the units: version, how many, whether it is a perf snapshot.  */
#define HEAD_WORDS 3
#define NEWEST_VERSION 2

struct unit_register
{
  const char *name;
  uint32_t id;
};

static const struct unit_register etmv3[] = {
  { "ETMCR", 0x000 }, { "ETMTRACEIDR", 0x080 }, { "ETMCCER", 0x07a }, { "ETMIDR", 0x079 }
};
static const struct unit_register etmv4[] = {
  { "TRCCONFIGR", 0x004 }, { "TRCTRACEIDR", 0x010 }, { "TRCIDR0", 0x078 },
  { "TRCIDR1", 0x079 }, { "TRCIDR2", 0x07a }, { "TRCIDR8", 0x060 },
  { "TRCAUTHSTATUS", 0x3ee }, { "TRCDEVARCH", 0x3ef }
};

/* A kind of unit: the word that its part begins with, and its registers in their order.  */
struct unit_kind
{
  uint64_t magic;
  const struct unit_register *regs;
  unsigned nregs;
  unsigned plain;		/* Words without a count: version 0; 0: it has no such.  */
};
static const struct unit_kind kinds[] = {
  { UINT64_C (0x3030303030303030), etmv3, 4, 4 },
  { UINT64_C (0x4040404040404040), etmv4, 7, 7 },
  { UINT64_C (0x5050505050505050), etmv4, 8, 0 }
};

/* The place of the trace ID among the registers of all kinds.  */
#define ID_REGISTER 1

/* Add the unit of KIND of CPU, whose registers are the COUNT words at VALUES.  */
static void
add_unit (struct tb_perf_units *units, struct tb_maker *maker,
	  const struct unit_kind *kind, uint64_t cpu, const uint8_t *values, size_t count)
{
  char name[32], type[16];
  bool old = kind->regs == etmv3;
  uint64_t idr = old && count >= 4 ? tb_perf_number (values + 3 * WORD, WORD) : 0;
  /* ETMIDR: bits 11:8 are 2 for ETMv3, 3 for PTM; bits 7:4 the minor version.  */
  if (old)
    snprintf (type, sizeof type, "%s.%u", (idr >> 8 & 0xf) == 3 ? "PTM1" : "ETM3",
	      (unsigned) (idr >> 4 & 0xf));
  else
    snprintf (type, sizeof type, "%s", kind->plain == 0 ? "ETE" : "ETM4");
  void *items = units->items;
  if (!tb_grow (&items, &units->capacity, units->count, 1, sizeof *units->items))
    {
      tb_no_memory (&maker->reader);
      return;
    }
  units->items = items;
  snprintf (name, sizeof name, "cpu%" PRIu64, cpu);
  size_t core = tb_maker_device (maker, TB_CLASS_CORE, name,
				 units->type != NULL ? units->type
				 : old ? "ARMv7-A" : "ARMv8-A", units->path);
  snprintf (name, sizeof name, "%s%" PRIu64, old ? "etm" : kind->plain == 0 ? "ete" : "etm",
	    cpu);
  size_t source = tb_maker_device (maker, TB_CLASS_TRACE_SOURCE, name, type, units->path);
  for (size_t i = 0; i < count && i < kind->nregs; i++)
    {
      uint64_t value = tb_perf_number (values + i * WORD, WORD);
      tb_maker_reg (maker, source, kind->regs[i].name, kind->regs[i].id, 32,
		    i == ID_REGISTER ? value & 0x7f : (uint32_t) value);
    }
  units->items[units->count++]
    = (struct tb_perf_unit) { .cpu = cpu, .source = source, .core = core };
}

void
tb_perf_units_read (struct tb_perf_units *units, struct tb_maker *maker,
		    const uint8_t *data, size_t length, uint64_t at)
{
  size_t words = length / WORD, i = HEAD_WORDS;
  uint64_t version = words >= HEAD_WORDS ? tb_perf_number (data, WORD) : UINT64_MAX;
  uint64_t cpus = words >= HEAD_WORDS ? tb_perf_number (data + WORD, 4) : 0;
  struct tb_diag *diag = maker->reader.diag;
  if (words < HEAD_WORDS || version > NEWEST_VERSION)
    {
      tb_error (diag, "%s: byte %#" PRIx64 ": expected metadata of trace units, of version 0 "
		"to %d, found %zu words, version %" PRIu64, units->path, at, NEWEST_VERSION,
		words, version);
      maker->reader.status = TB_ERR_INPUT;
      return;
    }
  /* The numbers of CPUs decide nothing by themselves; each unit needs three words.  */
  for (uint64_t n = 0; n < cpus && maker->reader.status == TB_OK; n++)
    {
      size_t start = i, head = version == 0 ? 2 : 3, count = 0;
      const struct unit_kind *kind = NULL;
      uint64_t magic = i + head <= words ? tb_perf_number (data + i * WORD, WORD) : 0;
      for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
	if (kinds[k].magic == magic && (version > 0 || kinds[k].plain > 0))
	  kind = &kinds[k];
      if (kind != NULL)
	{
	  uint64_t told = version == 0 ? kind->plain
			  : tb_perf_number (data + (i + 2) * WORD, WORD);
	  i += head;
	  if (told <= words - i)
	    count = (size_t) told;
	  else
	    kind = NULL;
	}
      if (kind == NULL || count < 3)
	{
	  tb_error (diag, "%s: byte %#" PRIx64 ": expected the registers of trace unit %" PRIu64
		    " of %" PRIu64 ", found none that are known, or that are whole",
		    units->path, at + start * WORD, n + 1, cpus);
	  maker->reader.status = TB_ERR_INPUT;
	  return;
	}
      add_unit (units, maker, kind, tb_perf_number (data + (start + 1) * WORD, WORD),
		data + i * WORD, count);
      i += count;
    }
}

void
tb_perf_units_fini (struct tb_perf_units *units)
{
  free (units->items);
}
