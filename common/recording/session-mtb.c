/* An MTB that a snapshot or a core file does not name: looking for its packets in RAM, first where
   the program has an object that could be its buffer.  Nothing fixes what programs call that: the
   tools of Code Red and NXP take __mtb_buffer__, others mtb, micro_trace_buffer, __tracebuffer__.
   So any object of the size of a buffer is looked at, and what it holds decides.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The dump of DEVICE that has all LENGTH bytes at ADDRESS; NULL: none.  */
static const struct tb_dump *
dump_of (const struct tb_device *device, uint64_t address, uint64_t length)
{
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      if (address >= d->address && address - d->address < d->length
	  && d->length - (address - d->address) >= length)
	return d;
    }
  return NULL;
}

/* The longest row of packets that was found so far.  */
struct longest
{
  const struct tb_session_core *core;
  struct tb_mtb_effort *effort;
  struct tb_mtb_area area;
  const struct tb_dump *dump;	/* Where it is; NULL: there is none.  */
  char name[64];		/* What the program calls the buffer; empty: nothing.  */
  enum tb_status status;
};

/* Look for packets in the LENGTH bytes from OFFSET of DUMP, which the program calls NAME (NULL:
   nothing).  */
static void
look (struct longest *longest, const struct tb_dump *dump, uint64_t offset, uint64_t length,
      const char *name)
{
  const struct tb_session_core *core = longest->core;
  struct tb_mtb_area found;
  if (longest->status != TB_OK)
    return;
  int is = tb_mtb_find (&found, dump->data + offset, dump->address + offset, length, name != NULL,
			halt_pc (core->device), core->map, &core->profile, longest->effort);
  if (is < 0)
    longest->status = TB_ERR_MEMORY;
  if (is <= 0 || (longest->dump != NULL && found.packets <= longest->area.packets))
    return;
  longest->area = found;
  longest->area.offset += offset;
  longest->dump = dump;
  snprintf (longest->name, sizeof longest->name, "%s", name != NULL ? name : "");
}

/* The program has an object called NAME: the size of a buffer is a power of two.  */
static void
look_at_object (void *context, const char *name, uint64_t address, uint64_t size)
{
  struct longest *longest = context;
  const struct tb_dump *dump = dump_of (longest->core->device, address, size);
  if ((size & (size - 1)) == 0 && size >= TB_MTB_FIND_LEAST * TB_MTB_PACKET_SIZE
      && address % TB_MTB_PACKET_SIZE == 0 && dump != NULL)
    look (longest, dump, address - dump->address, size, name);
}

/* Find the longest row of packets in what LONGEST's core has.  */
static enum tb_status
find_longest (struct longest *longest)
{
  const struct tb_session_core *core = longest->core;
  for (size_t i = 0; i < core->nelves; i++)
    tb_elf_image_objects (core->elves[i], look_at_object, longest);
  for (size_t i = 0; i < core->device->ndumps; i++)
    look (longest, &core->device->dumps[i], 0, core->device->dumps[i].length, NULL);
  return longest->status;
}

/* The registers of an MTB that a dump of DEVICE has, whose trace area is in a dump, too.  */
static bool
find_registers (const struct tb_device *device, struct tb_mtb_block *block)
{
  struct tb_mtb_block one;
  bool found = false;
  for (size_t i = 0; i < device->ndumps && !(found && block->identified); i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      uint64_t address, length;
      if (!tb_mtb_find_registers (&one, d->data, d->address, d->length)
	  || (found && !one.identified) || !tb_mtb_block_area (&one, &address, &length)
	  || dump_of (device, address, length) == NULL)
	continue;
      *block = one;
      found = true;
    }
  return found;
}

static bool
is_on (const struct tb_mtb_block *block)
{
  return (block->value[1] & UINT32_C (1) << 31) != 0;
}

/* Do the registers BLOCK tell of the packets AREA of DUMP, of DEVICE, and of the same one as the
   newest?  */
static bool
is_of (const struct tb_mtb_block *block, const struct tb_mtb_area *area, const struct tb_dump *dump,
       const struct tb_device *device)
{
  uint64_t address, length, at = dump->address + area->offset;
  if (!tb_mtb_block_area (block, &address, &length) || at < address || at - address >= length)
    return false;
  /* Of a circle nothing else tells which is the newest; where the memory was dumped later, there
     may be newer ones by then.  */
  if (area->round)
    return at == address && area->length == length && !(device->late && is_on (block));
  uint64_t pointer = address + (block->value[0] & 0xfffffff8u & (length - 1));
  /* Behind the last place comes the first one.  */
  return ((at + area->pointer - address) & (length - 1)) == pointer - address;
}

/* Can the registers BLOCK be believed by themselves?  Those of an MTB that nobody set up have
   anything (DDI 0486, 3.2).  */
static bool
is_tracing (const struct tb_mtb_block *block)
{
  return block->identified && is_on (block) && (block->value[0] & ~UINT32_C (3)) != 0;
}

/* Add to S the MTB of CORE whose registers are BLOCK; PACKETS were found by themselves, too (0:
   none were).  */
static enum tb_status
add_block (struct tb_session *s, const struct tb_session_core *core,
	   const struct tb_mtb_block *block, uint64_t packets, struct tb_diag *diag)
{
  struct tb_mtb_registers registers = { .known = (1u << TB_MTB_NREGS) - 1 };
  uint64_t address, length;
  memcpy (registers.value, block->value, sizeof registers.value);
  tb_mtb_block_area (block, &address, &length);
  tb_warning (diag, "%s: no trace is named, but the memory of %s has the registers of an MTB at %#"
	      PRIx64 ", by which its packets are in the %" PRIu64 " bytes at %#" PRIx64 "%s",
	      s->snapshot.path, core->device->name, block->address, length, address,
	      packets > 0 ? "; they lead to each other through the program" : "");
  return tb_snapshot_add_mtb (&s->snapshot, core->device, &registers, NULL)
	 ? TB_OK : TB_ERR_MEMORY;
}

/* Add to S the packets that were FOUND.  */
static enum tb_status
add_found (struct tb_session *s, const struct longest *found, struct tb_diag *diag)
{
  const struct tb_session_core *core = found->core;
  const struct tb_mtb_area *area = &found->area;
  const struct tb_dump *dump = found->dump;
  uint64_t at = dump->address + area->offset;
  bool named = *found->name != '\0';
  tb_warning (diag, "%s: no trace is named, but the memory of %s at %#" PRIx64 "%s%s%s has %"
	      PRIu64 " packets of an MTB, each of which leads to the next one through the "
	      "program; %s", s->snapshot.path, core->device->name, at,
	      named ? ", which the program calls " : "", found->name, named ? "," : "",
	      area->packets,
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
  const struct tb_dump *looked = NULL;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      struct longest longest = { .core = core, .effort = &effort };
      /* Threads of a core file have the same dumps.  */
      if (core->device == NULL || !core->profile.is_m || core->device->dumps == looked)
	continue;
      looked = core->device->dumps;
      struct tb_mtb_block block;
      enum tb_status status = find_longest (&longest);
      const struct tb_mtb_area *area = &longest.area;
      const struct tb_dump *dump = longest.dump;
      if (status != TB_OK)
	return status;
      bool has_registers = find_registers (core->device, &block);
      if (has_registers && dump == NULL ? is_tracing (&block) && !core->device->late
	  : has_registers && is_of (&block, area, dump, core->device))
	return add_block (s, core, &block, dump != NULL ? area->packets : 0, diag);
      if (has_registers && dump != NULL && !area->round)
	tb_warning (diag, "%s: the registers of an MTB that the memory of %s has at %#" PRIx64
		    " do not tell of the packets in it, and are not used", s->snapshot.path,
		    core->device->name, block.address);
      if (dump != NULL)
	return add_found (s, &longest, diag);
    }
  if (effort.spent)
    tb_warning (diag, "%s: no trace is named, and there is too much memory, or code in it, "
		"to look everywhere for packets of an MTB; --mtb=BASE,POSITION,MASTER tells "
		"where they are", s->snapshot.path);
  return TB_OK;
}
