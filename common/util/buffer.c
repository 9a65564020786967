/* A growable run of bytes.  See buffer.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes from which on an array grows by an eighth, not by half.  */
#define LARGE (UINT32_C (1) << 20)

bool
tb_grow_now (void *array, size_t *capacity, size_t count, size_t extra,
	     size_t size)
{
  if (extra > SIZE_MAX / 2 - count)
    return false;
  size_t want = count + extra;
  size_t more_room = *capacity / (*capacity < LARGE / size ? 2 : 8);
  size_t grown = *capacity < 16 ? 16 : *capacity + more_room;
  if (grown < want)
    grown = want;
  void *items, *moved = NULL;
  memcpy (&items, array, sizeof items);
  if (grown <= SIZE_MAX / 2 / size)
    moved = realloc (items, grown * size);
  if (moved != NULL)
    {
      memcpy (array, &moved, sizeof moved);
      *capacity = grown;
    }
  return moved != NULL;
}

void
tb_fit (void *array, size_t *capacity, size_t want, size_t size)
{
  void *items, *moved = NULL;
  memcpy (&items, array, sizeof items);
  if (want != 0 && want <= SIZE_MAX / 2 / size)
    moved = realloc (items, want * size);
  if (moved != NULL)
    {
      memcpy (array, &moved, sizeof moved);
      *capacity = want;
    }
}

void
tb_buffer_fini (struct tb_buffer *buffer)
{
  free (buffer->data);
  *buffer = (struct tb_buffer) { 0 };
}

void
tb_buffer_clear (struct tb_buffer *buffer)
{
  buffer->size = 0;
  buffer->failed = false;
}

uint8_t *
tb_buffer_extend (struct tb_buffer *buffer, size_t length)
{
  if (buffer->failed)
    return NULL;
  if (!TB_GROW (buffer->data, buffer->capacity, buffer->size, length))
    {
      buffer->failed = true;
      return NULL;
    }
  uint8_t *room = buffer->data + buffer->size;
  buffer->size += length;
  return room;
}

void
tb_buffer_append (struct tb_buffer *buffer, const void *bytes, size_t length)
{
  if (length == 0)
    return;
  uint8_t *room = tb_buffer_extend (buffer, length);
  if (room != NULL)
    memcpy (room, bytes, length);
}

void
tb_buffer_printf (struct tb_buffer *buffer, const char *format, ...)
{
  va_list args, again;
  va_start (args, format);
  va_copy (again, args);
  int length = vsnprintf (NULL, 0, format, args);
  va_end (args);
  if (length >= 0)
    {
      /* One byte more for vsnprintf's zero, given back at once.  */
      uint8_t *room = tb_buffer_extend (buffer, (size_t) length + 1);
      if (room != NULL)
	{
	  vsnprintf ((char *) room, (size_t) length + 1, format, again);
	  buffer->size--;
	}
    }
  va_end (again);
}

void
tb_buffer_append_le (struct tb_buffer *buffer, uint64_t value, unsigned length)
{
  uint8_t *room = tb_buffer_extend (buffer, length);
  for (unsigned i = 0; room != NULL && i < length; i++)
    room[i] = (uint8_t) (value >> 8 * i);
}
