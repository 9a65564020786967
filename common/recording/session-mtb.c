/* An MTB that a snapshot or a core file does not name: looking for its packets in RAM.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "decode/mtb/find.h"

/* Is there nothing in S that could be trace?  */
static bool
has_no_trace (const struct tb_session *s)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  bool none = s->log == NULL && snapshot->nbuffers == 0 && snapshot->nstreams == 0;
  for (size_t i = 0; i < snapshot->ndevices && none; i++)
    none = snapshot->devices[i].class != TB_CLASS_TRACE_SOURCE;
  return none;
}

/* The PC of CORE at the halt; NULL: not known.  */
static const uint64_t *
halt_pc (const struct tb_device *core)
{
  if (core->late)
    return NULL;
  const struct tb_device_reg *pc = tb_device_reg (core, "PC");
  if (pc == NULL)
    pc = tb_device_reg (core, "R15");
  return pc != NULL ? &pc->value : NULL;
}

/* The longest row of packets in the dumps of CORE that EFFORT reaches: *AREA, and *DUMP
   where it is.  */
static enum tb_status
find_longest (const struct tb_session_core *core, struct tb_mtb_effort *effort,
	      struct tb_mtb_area *area, const struct tb_dump **dump)
{
  *dump = NULL;
  for (size_t i = 0; i < core->device->ndumps; i++)
    {
      const struct tb_dump *d = &core->device->dumps[i];
      struct tb_mtb_area found;
      int is = tb_mtb_find (&found, d->data, d->address, d->length,
			    halt_pc (core->device), core->map, &core->profile, effort);
      if (is < 0)
	return TB_ERR_MEMORY;
      if (is > 0 && (*dump == NULL || found.packets > area->packets))
	{
	  *area = found;
	  *dump = d;
	}
    }
  return TB_OK;
}

/* Add to S the packets that were found as AREA of DUMP, of CORE.  */
static enum tb_status
add_found (struct tb_session *s, const struct tb_session_core *core,
	   const struct tb_mtb_area *area, const struct tb_dump *dump,
	   struct tb_diag *diag)
{
  uint64_t at = dump->address + area->offset;
  tb_warning (diag, "%s: no trace is named, but the memory of %s at %#" PRIx64 " has %"
	      PRIu64 " packets of an MTB, each of which leads to the next one through the "
	      "program; %s", s->snapshot.path, core->device->name, at, area->packets,
	      area->round ? "the newest leads to the oldest, too, so that where they begin "
	      "is not known: --mtb=BASE,POSITION,MASTER tells"
	      : area->wrapped ? "they fill the buffer, and are taken for its trace"
	      : "they are taken for its trace");
  if (area->round)
    return TB_OK;
  uint64_t left = dump->length - area->offset;
  const struct tb_span span = {
    .data = dump->data + area->offset,
    .size = (size_t) (area->length < left ? area->length : left)
  };
  /* POSITION has the pointer, and WRAP in bit 2.  */
  const struct tb_mtb_registers registers = {
    .value = { (uint32_t) area->pointer | (area->wrapped ? 4 : 0) }, .known = 1
  };
  return tb_snapshot_add_mtb (&s->snapshot, core->device, &registers, &span)
	 ? TB_OK : TB_ERR_MEMORY;
}

/* Add to S the MTB that the user tells of.  */
static enum tb_status
add_told (struct tb_session *s, const char *text, struct tb_diag *diag)
{
  enum { BASE, POSITION, MASTER, COUNT };
  uint64_t numbers[COUNT];
  const char *p = text;
  unsigned n = 0;
  for (; n < COUNT; n++)
    {
      char *end;
      errno = 0;
      numbers[n] = strtoull (p, &end, 0);
      if (end == p || errno != 0 || *p == '-' || numbers[n] > UINT32_MAX
	  || *end != (n + 1 < COUNT ? ',' : 0))
	break;
      p = end + 1;
    }
  if (n < COUNT)
    {
      tb_error (diag, "--mtb=%s: expected BASE,POSITION,MASTER, three numbers of 32 bits, "
		"as the registers of the MTB have them", text);
      return TB_ERR_INPUT;
    }
  if (!has_no_trace (s))
    {
      tb_error (diag, "--mtb=%s: expected an input without trace, found one that has it: "
		"%s", text, s->snapshot.path);
      return TB_ERR_INPUT;
    }
  const struct tb_mtb_registers registers = {
    .value = { (uint32_t) numbers[POSITION], (uint32_t) numbers[MASTER], 0,
	       (uint32_t) numbers[BASE] },
    .known = 1u << 0 | 1u << 1 | 1u << 3
  };
  for (size_t i = 0; i < s->ncores; i++)
    if (s->cores[i].device != NULL && s->cores[i].profile.is_m)
      return tb_snapshot_add_mtb (&s->snapshot, s->cores[i].device, &registers, NULL)
	     ? TB_OK : TB_ERR_MEMORY;
  tb_error (diag, "--mtb=%s: expected a core of the M profile, found none in %s", text,
	    s->snapshot.path);
  return TB_ERR_INPUT;
}

enum tb_status
tb_session_find_mtb (struct tb_session *s, const char *told, struct tb_diag *diag)
{
  if (told != NULL)
    return add_told (s, told, diag);
  if (!has_no_trace (s))
    return TB_OK;
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  const struct tb_dump *looked = NULL, *dump = NULL;
  for (size_t i = 0; i < s->ncores && dump == NULL; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      struct tb_mtb_area area;
      /* Threads of a core file have the same dumps.  */
      if (core->device == NULL || !core->profile.is_m || core->device->dumps == looked)
	continue;
      looked = core->device->dumps;
      enum tb_status status = find_longest (core, &effort, &area, &dump);
      if (status == TB_OK && dump != NULL)
	status = add_found (s, core, &area, dump, diag);
      if (status != TB_OK)
	return status;
    }
  if (effort.spent)
    tb_warning (diag, "%s: no trace is named, and there is too much memory, or code in it, "
		"to look everywhere for packets of an MTB; --mtb=BASE,POSITION,MASTER tells "
		"where they are", s->snapshot.path);
  return TB_OK;
}
