/* The memory of a device.  See device-memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/device-memory.h"

#include "arm/machine/halt-space.h"

/* The space to look at the dumps of DEVICE from, which was in HALT at the halt.  */
static enum tb_space
find_space (const struct tb_device *device, enum tb_space halt)
{
  enum tb_space space = halt;
  if (device->ndumps > 0)
    space = device->dumps[0].space;
  for (size_t i = 1; i < device->ndumps; i++)
    if (device->dumps[i].space != space)
      space = halt;
  return space;
}

enum tb_status
tb_device_memory_init (struct tb_device_memory *memory,
		       const struct tb_session *session,
		       const struct tb_device *device, enum tb_space space,
		       struct tb_diag *diag)
{
  enum tb_space halt = TB_SPACE_ANY;
  *memory = (struct tb_device_memory) { .alone = space != TB_SPACE_ANY };
  for (size_t i = 0; i < session->ncores; i++)
    if (session->cores[i].device == device)
      {
	memory->map = session->cores[i].map;
	halt = tb_halt_space (device, &session->cores[i].profile);
      }
  memory->space = memory->alone ? space : find_space (device, halt);
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
  return (memory->alone
	  ? tb_memmap_read (memory->map, memory->space, address, byte, 1)
	  : tb_memmap_read_from (memory->map, memory->space, address, byte, 1))
	 == 1;
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

bool
tb_device_has_space (const struct tb_device *device, enum tb_space space,
		     struct tb_buffer *text)
{
  bool there[TB_SPACE_COUNT] = { false };
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
  return false;
}
