/* What perf.data says of trace units.  See units.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/buffer.h"
#include "util/number.h"

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
struct tb_perf_unit_kind
{
  uint64_t magic;
  const struct unit_register *regs;
  unsigned nregs;
  const char *prefix;		/* Of their names.  */
  unsigned plain;		/* Words without a count: version 0; 0: it has no such.  */
};
static const struct tb_perf_unit_kind kinds[] = {
  { UINT64_C (0x3030303030303030), etmv3, 4, "etm", 4 },
  { UINT64_C (0x4040404040404040), etmv4, 7, "etm", 7 },
  { UINT64_C (0x5050505050505050), etmv4, 8, "ete", 0 }
};

/* The place of the trace ID among the registers of all kinds.  */
#define ID_REGISTER 1

/* Places among the registers of ETMv3 and PTM, and of the newer ones.  */
enum
{
  ETMCR, ETMIDR = 3,
  TRCCONFIGR = 0, TRCAUTHSTATUS = 6
};

/* Add to MAKER the devices of UNIT, called after NUMBER and CORE_NAME.  */
static void
add_devices (const struct tb_perf_units *units, struct tb_maker *maker,
	     struct tb_perf_unit *unit, const char *core_name, uint64_t number)
{
  char name[32], type[16];
  const struct tb_perf_unit_kind *kind = unit->kind;
  bool old = kind->regs == etmv3;
  uint32_t idr = old && unit->count >= 4 ? unit->values[ETMIDR] : 0;
  /* ETMIDR: bits 11:8 are 2 for ETMv3, 3 for PTM; bits 7:4 the minor version.  */
  if (old)
    snprintf (type, sizeof type, "%s.%u", (idr >> 8 & 0xf) == 3 ? "PTM1" : "ETM3",
	      (unsigned) (idr >> 4 & 0xf));
  else
    snprintf (type, sizeof type, "%s", kind->plain == 0 ? "ETE" : "ETM4");
  unit->core = tb_maker_device (maker, TB_CLASS_CORE, core_name,
				units->type != NULL ? units->type
				: old ? "ARMv7-A" : "ARMv8-A", units->path);
  snprintf (name, sizeof name, "%s%" PRIu64, kind->prefix, number);
  unit->source = tb_maker_device (maker, TB_CLASS_TRACE_SOURCE, name, type, units->path);
  for (size_t i = 0; i < unit->count; i++)
    tb_maker_reg (maker, unit->source, kind->regs[i].name, kind->regs[i].id, 32,
		  unit->values[i]);
}

/* Add the unit of KIND of CPU, whose registers are the COUNT words at VALUES.  */
static void
add_unit (struct tb_perf_units *units, struct tb_maker *maker,
	  const struct tb_perf_unit_kind *kind, uint64_t cpu, const uint8_t *values,
	  size_t count)
{
  char name[32];
  struct tb_perf_unit unit = {
    .cpu = cpu, .kind = kind, .count = count < kind->nregs ? count : kind->nregs
  };
  if (!TB_GROW (units->items, units->capacity, units->count, 1))
    {
      tb_no_memory (&maker->reader);
      return;
    }
  for (size_t i = 0; i < unit.count; i++)
    {
      uint64_t value = tb_number (values + i * WORD, WORD);
      unit.values[i] = i == ID_REGISTER ? value & 0x7f : (uint32_t) value;
    }
  snprintf (name, sizeof name, "cpu%" PRIu64, cpu);
  add_devices (units, maker, &unit, name, cpu);
  units->items[units->count++] = unit;
}

/* Has one of UNITS CPU?  A record has room for about a thousand.  */
static bool
has_cpu (const struct tb_perf_units *units, uint64_t cpu)
{
  for (size_t i = 0; i < units->count; i++)
    if (units->items[i].cpu == cpu)
      return true;
  return false;
}

void
tb_perf_units_set_id (struct tb_perf_units *units, struct tb_maker *maker, uint32_t cpu,
		      uint32_t id, uint64_t sink)
{
  for (size_t i = 0; i < units->count; i++)
    {
      struct tb_perf_unit *unit = &units->items[i];
      if (unit->cpu != cpu)
	continue;
      unit->sink = sink;
      if (unit->values[ID_REGISTER] == id)
	continue;
      unit->values[ID_REGISTER] = id;
      tb_maker_reg (maker, unit->source, unit->kind->regs[ID_REGISTER].name,
		    unit->kind->regs[ID_REGISTER].id, 32, id);
    }
}

bool
tb_perf_units_alike (const struct tb_perf_units *units)
{
  for (size_t i = 1; i < units->count; i++)
    {
      const struct tb_perf_unit *a = &units->items[0], *b = &units->items[i];
      if (a->kind != b->kind || a->count != b->count)
	return false;
      for (size_t k = 0; k < a->count; k++)
	if (a->values[k] != b->values[k] && k != ID_REGISTER
	    && (a->kind->regs == etmv3 || k != TRCAUTHSTATUS))
	  return false;
    }
  return true;
}

struct tb_perf_unit
tb_perf_units_copy (const struct tb_perf_units *units, struct tb_maker *maker,
		    const struct tb_perf_unit *unit, uint32_t tid)
{
  char name[32];
  struct tb_perf_unit copy = *unit;
  snprintf (name, sizeof name, "thread%" PRIu32, tid);
  add_devices (units, maker, &copy, name, tid);
  return copy;
}

enum tb_perf_naming
tb_perf_units_naming (const struct tb_perf_units *units)
{
  /* ETMCR bits 15:14, TRCCONFIGR.CID, .VMID and .VMIDOPT (IHI 0014, 3.5.1; IHI 0064,
     7.3.72).  One kernel runs on all CPUs.  */
  enum tb_perf_naming naming = TB_PERF_BY_NOTHING;
  for (size_t i = 0; i < units->count; i++)
    {
      const struct tb_perf_unit *unit = &units->items[i];
      uint32_t config = unit->values[TRCCONFIGR];
      bool old = unit->kind->regs == etmv3;
      if (!old && config & (1u << 7 | 1u << 15))
	return TB_PERF_BY_VMID;
      if (old ? (unit->values[ETMCR] >> 14 & 3) != 0 : (config >> 6 & 1) != 0)
	naming = TB_PERF_BY_CID;
    }
  return naming;
}

void
tb_perf_units_read (struct tb_perf_units *units, struct tb_maker *maker,
		    const uint8_t *data, size_t length, uint64_t at)
{
  size_t words = length / WORD, i = HEAD_WORDS;
  uint64_t version = words >= HEAD_WORDS ? tb_number (data, WORD) : UINT64_MAX;
  uint64_t cpus = words >= HEAD_WORDS ? tb_number (data + WORD, 4) : 0;
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
      const struct tb_perf_unit_kind *kind = NULL;
      uint64_t magic = i + head <= words ? tb_number (data + i * WORD, WORD) : 0;
      for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
	if (kinds[k].magic == magic && (version > 0 || kinds[k].plain > 0))
	  kind = &kinds[k];
      if (kind != NULL)
	{
	  uint64_t told = version == 0 ? kind->plain
			  : tb_number (data + (i + 2) * WORD, WORD);
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
      uint64_t cpu = tb_number (data + (start + 1) * WORD, WORD);
      if (has_cpu (units, cpu))
	{
	  tb_error (diag, "%s: byte %#" PRIx64 ": expected trace unit %" PRIu64 " of %" PRIu64
		    " on a CPU of its own, found CPU %" PRIu64 " again", units->path,
		    at + (start + 1) * WORD, n + 1, cpus, cpu);
	  maker->reader.status = TB_ERR_INPUT;
	  return;
	}
      /* A word behind the registers says what timestamps are of, 1: the virtual counter.  */
      bool virtual = kind->regs == etmv4 && count > kind->nregs
		     && tb_number (data + (i + kind->nregs) * WORD, WORD) == 1;
      units->virtual_time = virtual && (units->virtual_time || units->count == 0);
      add_unit (units, maker, kind, cpu, data + i * WORD, count);
      i += count;
    }
}

void
tb_perf_units_fini (struct tb_perf_units *units)
{
  free (units->items);
}
