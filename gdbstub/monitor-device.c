/* Monitor commands about the snapshot's devices: their registers and memory, which
   GDB has no place for.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "monitor.h"

/* Bytes that one "memory" shows at most.  */
#define SHOWN_MAX 4096

static bool
devices (const struct monitor_call *call)
{
  const struct tb_snapshot *s = &call->client->target->session->snapshot;
  if (call->count != 1)
    return false;
  for (size_t i = 0; i < s->ndevices; i++)
    {
      const struct tb_device *d = &s->devices[i];
      monitor_print (call, "%s: %s%s%s, %zu registers, %zu dumps\n", d->name,
		     d->class_name, *d->type != 0 ? ", " : "", d->type,
		     d->nregs, d->ndumps);
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
  for (size_t i = 0; i < d->nregs; i++)
    show_register (call, &d->regs[i]);
  for (size_t i = 0; i < d->ndumps; i++)
    monitor_print (call, "memory 0x%" PRIx64 " to 0x%" PRIx64 ", space %s\n",
		   d->dumps[i].address,
		   d->dumps[i].address + (d->dumps[i].length - 1),
		   tb_space_name (d->dumps[i].space));
  if (d->nregs == 0 && d->ndumps == 0)
    monitor_print (call, "%s has neither registers nor memory.\n", d->name);
  return true;
}

/* The byte at ADDRESS of the first dump of D that has it.  */
static bool
dumped (const struct tb_device *d, uint64_t address, uint8_t *byte)
{
  for (size_t i = 0; i < d->ndumps; i++)
    if (address - d->dumps[i].address < d->dumps[i].length)
      {
	*byte = d->dumps[i].data[address - d->dumps[i].address];
	return true;
      }
  return false;
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
  for (uint64_t at = 0; at < length; at += 16)
    {
      char line[100];
      int used = snprintf (line, sizeof line, "0x%" PRIx64 ":", address + at);
      for (uint64_t i = at; i < at + 16 && i < length; i++)
	{
	  uint8_t byte;
	  used += dumped (d, address + i, &byte)
		  ? snprintf (line + used, sizeof line - (size_t) used, " %02x",
			      byte)
		  : snprintf (line + used, sizeof line - (size_t) used, " --");
	}
      monitor_print (call, "%s\n", line);
    }
  return true;
}

const struct monitor_verb verbs_device[] = {
  { "devices", "", "List the snapshot's devices.", devices },
  { "registers", "DEVICE [REGISTER]",
    "Show registers of a device at the halt.", registers },
  { "memory", "DEVICE ADDRESS [BYTES]",
    "Show memory of a device, such as a memory space, at the halt.", memory },
  { NULL, NULL, NULL, NULL }
};
