/* The cores of a session.  See session-cores.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-cores.h"

#include <stdlib.h>
#include <string.h>

#include "recording/breakpoints.h"
#include "recording/facts.h"
#include "recording/session-contexts.h"
#include "recording/session-log.h"
#include "util/buffer.h"

/* The registers say whether a core that can do both is in AArch64 state: a
   snapshot of AArch32 state names R0 and not X0.  Its register file is then
   that of AArch32.  */
static void
settle_state (struct tb_profile *profile, const struct tb_device *device)
{
  if (profile->has_a64 && tb_device_reg (device, "R0") != NULL
      && tb_device_reg (device, "X0") == NULL)
    profile->has_a64 = false;
}

/* CORE has its programs, and nothing else tells in which state it ran: where all of them are of
   AArch32, it is that one.  */
static void
settle_by_programs (struct tb_session_core *core)
{
  bool any_a64 = core->nelves == 0 || core->device == NULL || core->device->nregs > 0;
  for (size_t i = 0; i < core->nelves && !any_a64; i++)
    any_a64 = tb_elf_image_is_a64 (core->elves[i]);
  if (core->profile.has_a64 && !any_a64)
    core->profile.has_a64 = false;
}

bool
tb_session_can_run (const struct tb_device *device, const struct tb_elf_image *elf)
{
  struct tb_profile profile;
  if (!tb_profile_find (&profile, device->type))
    return true;
  char built = tb_elf_image_profile (elf);
  if (tb_elf_image_is_a64 (elf))
    return profile.has_a64;
  return built == 0 || (built == 'M') == profile.is_m;
}

/* Has DEVICE all the memory of the core before CORE, and none of an ELF file or a log of its
   own?  Then one map serves both: there may be hundreds of each.  */
static bool
has_same_map (const struct tb_session *s, const struct tb_session_core *core,
	      const struct tb_device *device, const struct tb_session_options *options)
{
  const struct tb_device *before = core > s->cores ? core[-1].device : NULL;
  if (device == NULL || before == NULL || device->ndumps == 0
      || device->dumps != before->dumps || strcmp (device->type, before->type) != 0
      || device->nregs > 0 || before->nregs > 0 || s->log != NULL)
    return false;
  for (size_t i = 0; i < s->nelves; i++)
    if (options->elves[i].core != NULL)
      return false;
  return true;
}

bool
tb_session_shares_dumps (const struct tb_session_core *core, const struct tb_session_core *other)
{
  return other != NULL && other->device != NULL && core->device->ndumps > 0
	 && core->device->dumps == other->device->dumps;
}

/* What objects of data there are of CORE.  */
struct objects
{
  struct tb_session_core *core;
  size_t room;
  bool failed;
};

static void
take_object (void *context, const char *name, uint64_t address, uint64_t size)
{
  struct objects *o = context;
  struct tb_session_core *core = o->core;
  if (address + size < address)
    return;
  o->failed |= !TB_GROW (core->objects, o->room, core->nobjects, 1);
  if (o->failed)
    return;
  core->objects[core->nobjects++] = (struct tb_elf_object) { address, address + size, name };
}

static int
by_address (const void *x, const void *y)
{
  const struct tb_elf_object *a = x, *b = y;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->end > b->end ? -1 : a->end < b->end;
}

/* Add the objects that ELF names to those of CORE.  False: no memory.  */
static bool
add_objects (struct tb_session_core *core, struct tb_elf_image *elf)
{
  struct objects all = { .core = core, .room = core->nobjects };
  size_t n = 0;
  tb_elf_image_objects (elf, take_object, &all);
  if (all.failed)
    return false;
  if (core->nobjects > 0)
    qsort (core->objects, core->nobjects, sizeof *core->objects, by_address);
  for (size_t i = 0; i < core->nobjects; i++)
    if (n == 0 || core->objects[i].end > core->objects[n - 1].end)
      core->objects[n++] = core->objects[i];
  core->nobjects = n;
  return true;
}

/* What kind of core CORE of S is, whose device is known.  Trace of a session without cores is of
   the kind that OPTIONS name, if they do.  */
static const char *
type_of (const struct tb_session *s, const struct tb_session_core *core,
	 const struct tb_session_options *options)
{
  if (core->device != NULL)
    return core->device->type;
  return core == s->cores && options != NULL && options->core_type != NULL ? options->core_type
	 : "";
}

static enum tb_status
make_core (struct tb_session *s, struct tb_session_core *core,
	   const struct tb_device *device,
	   const struct tb_session_options *options, struct tb_diag *diag)
{
  core->device = device;
  if (!tb_profile_find (&core->profile, type_of (s, core, options)) && device != NULL)
    tb_warning (diag, "%s: [device] type: \"%s\" is no core known here; taken "
		"for an Armv8-A", device->file, device->type);
  const struct tb_columns *facts = tb_session_log_facts (s, device);
  if (facts != NULL && facts->steps > 0 && !facts->has_a64)
    core->profile.has_a64 = false;
  if (device != NULL)
    {
      settle_state (&core->profile, device);
      if (!tb_session_check_registers (s, device, &core->profile, diag))
	return TB_ERR_MEMORY;
    }
  core->same_map = has_same_map (s, core, device, options);
  core->map = core->same_map ? core[-1].map : tb_memmap_new ();
  if (core->map == NULL)
    return TB_ERR_MEMORY;
  enum tb_status status = TB_OK;
  core->elves = calloc (s->nelves + 1, sizeof *core->elves);
  if (core->elves == NULL)
    return TB_ERR_MEMORY;
  if (device != NULL && !core->same_map)
    status = tb_memmap_add_device (core->map, device, diag);
  if (status == TB_OK && !core->same_map)
    status = tb_session_map_contexts (s, device, core->map, diag);
  for (size_t i = 0; i < s->nelves && status == TB_OK; i++)
    {
      const char *only = options->elves[i].core;
      if (only != NULL && (device == NULL || strcmp (only, device->name) != 0))
	continue;
      /* It is another core's then.  */
      if (only == NULL && device != NULL && !tb_session_can_run (device, s->elves[i]))
	continue;
      enum tb_space space = tb_session_elf_space (s, &options->elves[i]);
      if (space == TB_SPACE_LIMIT)
	continue;
      core->elves[core->nelves++] = s->elves[i];
      if (!core->same_map)
	status = tb_elf_image_map (s->elves[i], core->map, space, diag);
      /* What others have at its addresses is something else.  */
      if (status == TB_OK && space == TB_SPACE_ANY
	  && (!add_objects (core, s->elves[i])
	      || !tb_elf_image_functions (s->elves[i], &core->functions,
				       &core->nfunctions)
	      || !tb_elf_image_initial (s->elves[i], &core->initial,
					&core->ninitial)))
	status = TB_ERR_MEMORY;
    }
  /* Each process of a file of perf has code of its own.  */
  if (facts == NULL && s->snapshot.ncontexts == 0 && s->snapshot.nthreads == 0)
    settle_by_programs (core);
  if (core->same_map)
    {
      core->without_breakpoints = core[-1].without_breakpoints;
      core->nwithout_breakpoints = core[-1].nwithout_breakpoints;
      return status;
    }
  if (status == TB_OK)
    status = tb_breakpoints_take_out (core, diag);
  if (facts != NULL && status == TB_OK)
    status = tb_session_log_map (s, facts, core->map, diag);
  if (status == TB_OK)
    status = tb_memmap_seal (core->map, diag);
  if (facts != NULL && status == TB_OK)
    tb_session_log_read_code (s, facts, core->map);
  return status;
}

/* What a device description says are peripherals changes by itself, unless the user
   says that it does not.  */
static enum tb_status
add_peripherals (const struct tb_session *s, struct tb_session_core *core)
{
  size_t count = 0;
  const struct tb_svd_peripheral *p
    = s->svd != NULL ? tb_svd_peripherals (s->svd, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < p[i].nblocks; k++)
      if (!tb_extents_hold (&core->privates, p[i].blocks[k].address,
			    p[i].blocks[k].length)
	  && !tb_extents_add (&core->volatiles, p[i].blocks[k].address,
			      p[i].blocks[k].length))
	return TB_ERR_MEMORY;
  return TB_OK;
}

/* Who changes the memory of CORE.  */
static enum tb_status
settle_memory (struct tb_session *s, struct tb_session_core *core,
	       const struct tb_session_options *options, struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  if (options == NULL || core->device == NULL)
    return TB_OK;
  for (size_t k = 0; k < options->nvolatiles && status == TB_OK; k++)
    status = tb_session_add_extents (s, core, "--volatile", options->volatiles[k],
				     &core->volatiles, diag);
  for (size_t k = 0; k < options->nprivates && status == TB_OK; k++)
    status = tb_session_add_extents (s, core, "--private", options->privates[k],
				     &core->privates, diag);
  return status == TB_OK ? add_peripherals (s, core) : status;
}

enum tb_status
tb_session_make_cores (struct tb_session *s, const struct tb_session_options *options,
		       struct tb_diag *diag)
{
  size_t threads = s->snapshot.nthreads < TB_MOST_THREAD_CORES ? s->snapshot.nthreads
		   : TB_MOST_THREAD_CORES;
  enum tb_status status = TB_OK;
  s->cores = calloc (s->snapshot.ndevices + 1 + threads, sizeof *s->cores);
  if (s->cores == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i <= s->snapshot.ndevices && status == TB_OK; i++)
    {
      const struct tb_device *device
	= i < s->snapshot.ndevices ? &s->snapshot.devices[i] : NULL;
      if (device != NULL && device->class != TB_CLASS_CORE)
	continue;
      status = make_core (s, &s->cores[s->ncores++], device, options, diag);
    }
  /* Symbols of any core may name the memory of each.  */
  for (size_t i = 0; i < s->ncores && status == TB_OK; i++)
    status = settle_memory (s, &s->cores[i], options, diag);
  return status;
}

enum tb_status
tb_session_add_core (struct tb_session *s, const struct tb_device *device,
		     const struct tb_session_options *options, struct tb_diag *diag)
{
  struct tb_session_core *core = &s->cores[s->ncores - 1];
  for (size_t i = 0; i < s->nstreams; i++)
    s->streams[i].core += s->streams[i].core == core;
  core[1] = *core;
  *core = (struct tb_session_core) { 0 };
  s->ncores++;
  enum tb_status status = make_core (s, core, device, options, diag);
  return status == TB_OK ? settle_memory (s, core, options, diag) : status;
}
