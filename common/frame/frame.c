/* One trace frame as bytes.  See frame.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/frame.h"

#include <assert.h>
#include <string.h>

void
tb_frame_fini (struct tb_frame *frame)
{
  tb_buffer_fini (&frame->bytes);
}

void
tb_frame_clear (struct tb_frame *frame)
{
  tb_buffer_clear (&frame->bytes);
}

static void
put_le (uint8_t *to, uint64_t value, unsigned length)
{
  for (unsigned i = 0; i < length; i++)
    to[i] = (uint8_t) (value >> 8 * i);
}

void
tb_frame_registers (struct tb_frame *frame, const uint8_t *bytes,
		    size_t length)
{
  uint8_t *room = tb_buffer_extend (&frame->bytes, TB_BLOCK_R_HEAD + length);
  if (room == NULL)
    return;
  room[0] = 'R';
  memcpy (room + TB_BLOCK_R_HEAD, bytes, length);
}

/* An M block of LENGTH bytes.  */
static void
memory_block (struct tb_frame *frame, uint64_t address, const uint8_t *bytes,
	      size_t length)
{
  uint8_t *room = tb_buffer_extend (&frame->bytes, TB_BLOCK_M_HEAD + length);
  if (room == NULL)
    return;
  room[0] = 'M';
  put_le (room + 1, address, 8);
  put_le (room + 9, length, 2);
  if (length != 0)
    memcpy (room + TB_BLOCK_M_HEAD, bytes, length);
}

void
tb_frame_memory (struct tb_frame *frame, uint64_t address,
		 const uint8_t *bytes, size_t length)
{
  while (length != 0)
    {
      size_t part = length < TB_BLOCK_M_LIMIT ? length : TB_BLOCK_M_LIMIT;
      memory_block (frame, address, bytes, part);
      address += part;
      bytes += part;
      length -= part;
    }
}

void
tb_frame_variable (struct tb_frame *frame, unsigned number, int64_t value)
{
  uint8_t *room = tb_buffer_extend (&frame->bytes, TB_BLOCK_V_SIZE);
  if (room == NULL)
    return;
  room[0] = 'V';
  put_le (room + 1, number, 4);
  put_le (room + 5, (uint64_t) value, 8);
}

bool
tb_frame_can_pad (size_t length)
{
  /* V blocks until empty M blocks do the rest; 13 and 11 have no common
     divisor, so that at most ten are needed.  */
  while (length % TB_BLOCK_M_HEAD != 0)
    {
      if (length < TB_BLOCK_V_SIZE)
	return false;
      length -= TB_BLOCK_V_SIZE;
    }
  return true;
}

void
tb_frame_pad (struct tb_frame *frame, size_t size, unsigned variable,
	      int64_t value)
{
  if (frame->bytes.failed)
    return;
  assert (size >= frame->bytes.size);
  size_t rest = size - frame->bytes.size;
  assert (tb_frame_can_pad (rest));

  /* As few V blocks as possible: GDB shows empty M blocks nowhere, but the
     variable once more in MI's -trace-frame-collected.  */
  while (rest % TB_BLOCK_M_HEAD != 0)
    {
      tb_frame_variable (frame, variable, value);
      rest -= TB_BLOCK_V_SIZE;
    }
  for (; rest != 0; rest -= TB_BLOCK_M_HEAD)
    memory_block (frame, 0, NULL, 0);
}
