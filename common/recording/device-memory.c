/* The memory of a device.  See device-memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/device-memory.h"

#include "arm/machine/fault-registers.h"
#include "arm/machine/halt-space.h"

enum tb_status
tb_device_memory_init (struct tb_device_memory *memory,
		       const struct tb_session *session,
		       const struct tb_device *device, enum tb_space space,
		       struct tb_diag *diag)
{
  static const struct tb_profile none = { 0 };
  const struct tb_profile *profile = &none;
  *memory = (struct tb_device_memory) { 0 };
  for (size_t i = 0; i < session->ncores; i++)
    if (session->cores[i].device == device)
      {
	memory->map = session->cores[i].map;
	profile = &session->cores[i].profile;
      }
  memory->space = space != TB_SPACE_ANY ? space : tb_halt_view (device, profile);
  if (memory->map != NULL)
    return TB_OK;
  memory->map = memory->own = tb_memmap_new ();
  enum tb_status status = TB_ERR_MEMORY;
  if (memory->own == NULL)
    tb_error (diag, "no memory to read the dumps of %s", device->name);
  else
    status = tb_memmap_add_device (memory->own, device, diag);
  if (status == TB_OK)
    status = tb_memmap_seal (memory->own, diag);
  if (status != TB_OK)
    tb_device_memory_fini (memory);
  return status;
}

void
tb_device_memory_fini (struct tb_device_memory *memory)
{
  tb_memmap_free (memory->own);
  memory->own = NULL;
}

bool
tb_device_memory_byte (const struct tb_device_memory *memory, uint64_t address,
		       uint8_t *byte)
{
  return tb_memmap_read (memory->map, memory->space, address, byte, 1) == 1;
}

bool
tb_device_heading (const struct tb_device *device, enum tb_space space,
		   struct tb_buffer *text)
{
  tb_buffer_printf (text, "%s", device->name);
  size_t name = text->size;
  if (device->class == TB_CLASS_MEMORY_SPACE)
    tb_buffer_printf (text, ", %s", device->class_name);
  if (*device->cluster != '\0')
    tb_buffer_printf (text, ", cluster %s", device->cluster);
  if (space != TB_SPACE_ANY)
    tb_buffer_printf (text, ", space %s", tb_space_name (space));
  return !text->failed && text->size > name;
}

/* Is one of THERE that of a context?  Such a space cannot be asked for.  */
static bool
has_contexts (const bool there[TB_SPACE_LIMIT])
{
  for (unsigned i = TB_SPACE_COUNT; i < TB_SPACE_LIMIT; i++)
    if (there[i])
      return true;
  return false;
}

bool
tb_device_has_space (const struct tb_device *device, enum tb_space space,
		     struct tb_buffer *text)
{
  bool there[TB_SPACE_LIMIT] = { false };
  for (size_t i = 0; i < device->ndumps; i++)
    {
      enum tb_space of = device->dumps[i].space;
      if (tb_space_regime (of) == tb_space_regime (space))
	return true;
      there[of] = true;
    }
  tb_buffer_printf (text, "%s has no dump of space %s", device->name,
		    tb_space_name (space));
  const char *separator = "; there are dumps of ";
  for (unsigned i = TB_SPACE_ANY; i < TB_SPACE_COUNT; i++)
    if (there[i])
      {
	tb_buffer_printf (text, "%s%s", separator, i == TB_SPACE_ANY
			  ? "no space, which all see"
			  : tb_space_name ((enum tb_space) i));
	separator = ", ";
      }
  if (has_contexts (there))
    tb_buffer_printf (text, "%scontexts", separator);
  return false;
}

bool
tb_device_other_spaces (const struct tb_device *device, enum tb_space space,
			uint64_t address, uint64_t length, const char *how,
			struct tb_buffer *text)
{
  bool there[TB_SPACE_LIMIT] = { false }, any = false;
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      if (d->space != TB_SPACE_ANY && d->length > 0
	  && tb_space_regime (d->space) != tb_space_regime (space)
	  && (d->address <= address ? address - d->address < d->length
	      : d->address - address < length))
	there[d->space] = true;
    }
  for (unsigned i = TB_SPACE_ANY + 1; i < TB_SPACE_COUNT; i++)
    if (there[i])
      {
	tb_buffer_printf (text, "%s%s%s", any ? ", "
			  : "other address spaces have dumps here, too: ", how,
			  tb_space_name ((enum tb_space) i));
	any = true;
      }
  if (has_contexts (there))
    {
      tb_buffer_printf (text, any ? ", and so have contexts"
			: "contexts have dumps here, too, which cannot be shown by address");
      any = true;
    }
  return any;
}

void
tb_device_faults (const struct tb_session *session, const struct tb_device *device,
		  const char *prefix, struct tb_buffer *text)
{
  const struct tb_device *first = session->snapshot.devices;
  while (first->dumps != device->dumps)
    first++;
  if (first != device && device->ndumps > 0)
    return;
  for (size_t i = 0; i < session->ncores; i++)
    if (session->cores[i].device == device)
      tb_fault_registers_text (text, device, session->cores[i].map,
			       &session->cores[i].profile, prefix);
}
