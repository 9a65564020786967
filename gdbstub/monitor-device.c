/* Monitor commands about the snapshot's devices: their registers and memory, which
   GDB has no place for.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arm/machine/halt-space.h"
#include "monitor.h"
#include "recording/device-memory.h"

/* Bytes that one "memory" shows at most.  */
#define SHOWN_MAX 4096

/* Tell what the fault registers of D have.  */
static void
show_faults (const struct monitor_call *call, const struct tb_device *d)
{
  struct tb_buffer text = { 0 };
  tb_device_faults (call->client->target->session, d, "  faults: ", &text);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    monitor_print (call, "%s", (const char *) text.data);
  tb_buffer_fini (&text);
}

static bool
devices (const struct monitor_call *call)
{
  const struct tb_snapshot *s = &call->client->target->session->snapshot;
  if (call->count != 1)
    return false;
  for (size_t i = 0; i < s->ndevices; i++)
    {
      const struct tb_device *d = &s->devices[i];
      monitor_print (call, "%s: %s%s%s%s%s%s%s, %zu registers, %zu dumps\n",
		     d->name, d->class_name, *d->type != 0 ? ", " : "", d->type,
		     *d->cluster != 0 ? ", cluster " : "", d->cluster,
		     *d->location != 0 ? ", at " : "", d->location, d->nregs,
		     d->ndumps);
      show_faults (call, d);
    }
  return true;
}

/* The device that the first word after the verb names; NULL after a message.  */
static const struct tb_device *
named (const struct monitor_call *call)
{
  const struct tb_device *d
    = tb_snapshot_device (&call->client->target->session->snapshot,
			  call->words[1]);
  if (d == NULL)
    monitor_print (call, "No device is named \"%.100s\"; \"monitor devices\" "
		   "lists them.\n", call->words[1]);
  return d;
}

/* A line that says what is shown: D, as it is seen from SPACE; none where its name
   is all that there is to say.  */
static void
show_heading (const struct monitor_call *call, const struct tb_device *d,
	      enum tb_space space)
{
  struct tb_buffer text = { 0 };
  bool more = tb_device_heading (d, space, &text);
  tb_buffer_append (&text, "", 1);
  if (more && !text.failed)
    monitor_print (call, "%s:\n", (const char *) text.data);
  tb_buffer_fini (&text);
}

/* Say which spaces other than SPACE have dumps of D in the LENGTH bytes from ADDRESS on.  */
static void
show_others (const struct monitor_call *call, const struct tb_device *d,
	     enum tb_space space, uint64_t address, uint64_t length)
{
  struct tb_buffer text = { 0 };
  bool any = tb_device_other_spaces (d, space, address, length, "monitor space ",
				     &text);
  tb_buffer_append (&text, "", 1);
  if (any && !text.failed)
    monitor_print (call, "(%s)\n", (const char *) text.data);
  tb_buffer_fini (&text);
}

static void
show_register (const struct monitor_call *call,
	       const struct tb_device_reg *reg)
{
  monitor_print (call, "%-16s 0x", reg->name);
  for (unsigned i = (reg->bits + 7) / 8; i-- > 0;)
    monitor_print (call, "%02x", reg->bytes[i]);
  monitor_print (call, "\n");
}

static bool
registers (const struct monitor_call *call)
{
  if (call->count < 2 || call->count > 3)
    return false;
  const struct tb_device *d = named (call);
  if (d == NULL)
    return true;
  if (call->count == 3)
    {
      const struct tb_device_reg *reg = tb_device_reg (d, call->words[2]);
      if (reg != NULL)
	show_register (call, reg);
      else
	monitor_print (call, "%s has no register \"%.100s\".\n", d->name,
		       call->words[2]);
      return true;
    }
  show_heading (call, d, TB_SPACE_ANY);
  for (size_t i = 0; i < d->nregs; i++)
    show_register (call, &d->regs[i]);
  const struct tb_snapshot *s = &call->client->target->session->snapshot;
  char text[64];
  for (size_t i = 0; i < d->ndumps; i++)
    monitor_print (call, "memory 0x%" PRIx64 " to 0x%" PRIx64 ", space %s\n",
		   d->dumps[i].address,
		   d->dumps[i].address + (d->dumps[i].length - 1),
		   tb_space_text (s, d->dumps[i].space, text, sizeof text));
  if (d->nregs == 0 && d->ndumps == 0)
    monitor_print (call, "%s has neither registers nor memory.\n", d->name);
  return true;
}

static bool
memory (const struct monitor_call *call)
{
  uint64_t address, length = 64;
  if (call->count < 3 || call->count > 4
      || !monitor_number (call->words[2], &address)
      || (call->count == 4 && !monitor_number (call->words[3], &length)))
    return false;
  const struct tb_device *d = named (call);
  if (d == NULL)
    return true;
  if (length > SHOWN_MAX)
    length = SHOWN_MAX;
  struct target *t = call->client->target;
  struct tb_device_memory seen;
  if (tb_device_memory_init (&seen, t->session, d, t->space, t->diag) != TB_OK)
    {
      monitor_print (call, "There is no memory to look at %s.\n", d->name);
      return true;
    }
  show_heading (call, d, seen.space);
  for (uint64_t at = 0; at < length; at += 16)
    {
      char line[100];
      int used = snprintf (line, sizeof line, "0x%" PRIx64 ":", address + at);
      for (uint64_t i = at; i < at + 16 && i < length; i++)
	{
	  uint8_t byte;
	  used += tb_device_memory_byte (&seen, address + i, &byte)
		  ? snprintf (line + used, sizeof line - (size_t) used, " %02x",
			      byte)
		  : snprintf (line + used, sizeof line - (size_t) used, " --");
	}
      monitor_print (call, "%s\n", line);
    }
  show_others (call, d, seen.space, address, length);
  tb_device_memory_fini (&seen);
  return true;
}

/* Say from which address space T's dumps are looked at.  */
static void
show_space (const struct monitor_call *call)
{
  const struct target *t = call->client->target;
  const struct tb_device *device = t->core->device;
  if (t->space != TB_SPACE_ANY)
    monitor_print (call, "Space %s is looked at.\n", tb_space_name (t->space));
  else if (t->steps != 0)
    monitor_print (call, "The trace says which spaces it ran in.\n");
  else
    {
      enum tb_space halt = tb_halt_space (device, target_profile (t));
      enum tb_space view = tb_halt_view (device, target_profile (t));
      if (view == halt)
	monitor_print (call, "Space %s is looked at, in which the core was at the "
		       "halt.\n", halt != TB_SPACE_ANY ? tb_space_name (halt)
		       : "of no name");
      else
	monitor_print (call, "Space %s is looked at, which all dumps are of.\n",
		       view != TB_SPACE_ANY ? tb_space_name (view) : "of no name");
      if (device != NULL)
	show_others (call, device, view, 0, UINT64_MAX);
    }
}

/* space [NAME|halt]  */
static bool
space (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  enum tb_space space = TB_SPACE_ANY;
  if (call->count > 2
      || (call->count == 2 && strcmp (call->words[1], "halt") != 0
	  && !tb_space_parse (call->words[1], strlen (call->words[1]), &space)))
    return false;
  if (call->count == 2)
    {
      struct tb_buffer text = { 0 };
      target_look_from (t, space);
      client_forget (call->client);
      if (space != TB_SPACE_ANY && t->steps != 0)
	monitor_print (call, "Only \"monitor memory\" shows this space: the trace "
		       "says itself which spaces it ran in.\n");
      if (space != TB_SPACE_ANY && t->core->device != NULL
	  && !tb_device_has_space (t->core->device, space, &text))
	{
	  tb_buffer_append (&text, ".\n", sizeof ".\n");
	  if (!text.failed)
	    monitor_print (call, "%s", (const char *) text.data);
	}
      tb_buffer_fini (&text);
    }
  show_space (call);
  return true;
}

const struct monitor_verb verbs_device[] = {
  { "devices", "", "List the snapshot's devices.", devices },
  { "registers", "DEVICE [REGISTER]",
    "Show registers of a device at the halt.", registers },
  { "memory", "DEVICE ADDRESS [BYTES]",
    "Show memory of a device, such as a memory space, at the halt.", memory },
  { "space", "[" TB_SPACE_NAMES "|halt]",
    "Tell or set the address space whose dumps are shown.", space },
  { NULL, NULL, NULL, NULL }
};
