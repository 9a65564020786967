/* Making facts: accesses, and what is said of memory.  See facts-build.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts-builder.h"

#include "recording/facts-memory.h"
#include "util/number.h"

/* Put an access into the list.  */
static void
list_access (struct tb_facts_builder *b, uint64_t step, uint64_t address,
	     unsigned length, unsigned flags)
{
  struct tb_columns *f = b->facts;
  if (step < b->access_step)
    {
      struct tb_facts_access *late = tb_column_extend (&f->late_accesses,
						       sizeof *late);
      if (late == NULL)
	b->failed = true;
      else
	*late = (struct tb_facts_access) { .step = (uint32_t) step,
					   .address = address,
					   .length = (uint16_t) length,
					   .flags = (uint8_t) flags };
      f->totals.late++;
      return;
    }
  size_t n = f->access_marks.size;
  struct tb_facts_access_mark *mark
    = n == 0 ? NULL
      : (struct tb_facts_access_mark *) (f->access_marks.data + n) - 1;
  if (mark == NULL || mark->count == TB_ACCESSES_MARK)
    {
      mark = tb_column_extend (&f->access_marks, sizeof *mark);
      if (mark == NULL)
	{
	  b->failed = true;
	  return;
	}
      *mark = (struct tb_facts_access_mark) { .address = b->access_address,
					      .offset = f->accesses.size,
					      .step = (uint32_t) step };
      b->access_step = step;
    }
  mark->count++;
  unsigned log2 = (unsigned) __builtin_ctz (length);
  uint8_t what = (uint8_t) (log2 << TB_ACCESS_SIZE_BIT | flags);
  b->failed |= !tb_varint_put (&f->accesses, step - b->access_step);
  uint8_t *room = tb_column_extend (&f->accesses, 1);
  if (room != NULL)
    *room = what;
  b->failed |= room == NULL
	       || !tb_varint_put (&f->accesses,
				  tb_zigzag ((int64_t) (address
							- b->access_address)));
  b->access_step = step;
  b->access_address = address;
}

static void
add_other (struct tb_facts_builder *b, uint64_t step, uint64_t address,
	   const uint8_t *bytes, unsigned length, unsigned flags, bool device)
{
  struct tb_facts_other *o = tb_column_extend (&b->facts->others, sizeof *o);
  if (o == NULL)
    {
      b->failed = true;
      return;
    }
  *o = (struct tb_facts_other) { .address = address, .step = (uint32_t) step,
				 .length = (uint8_t) length,
				 .flags = (uint8_t) flags, .device = device,
				 .value = tb_number (bytes, length) };
}

/* A piece of an access whose bytes are all known, of 1, 2, 4 or 8 bytes within a
   line.  */
static void
add_piece (struct tb_facts_builder *b, uint64_t step, uint64_t address,
	   const uint8_t *bytes, unsigned length, unsigned flags, bool device)
{
  struct tb_columns *f = b->facts;
  bool late = f->steps > 0 && step + 1 < f->steps;
  if (device)
    {
      f->totals.devices++;
      add_other (b, step, address, bytes, length, flags, true);
      if (flags & TB_FACTS_BUS)
	b->failed |= !tb_memory_build_bus (&b->memory, step, address, bytes,
					   length, flags & TB_FACTS_WRITE);
    }
  else if (flags & TB_FACTS_WRITE)
    b->failed |= !tb_memory_build_write (&b->memory, step, address, bytes,
					 length, late);
  else
    switch (tb_memory_build_read (&b->memory, step, address, bytes, length,
				  late))
      {
      case TB_MEMORY_DIFFERS:
	f->totals.others++;
	add_other (b, step, address, bytes, length, flags, false);
	break;
      case TB_MEMORY_FAILED:
	b->failed = true;
	break;
      case TB_MEMORY_FITS:
	break;
      }
}

/* The largest size that a piece at ADDRESS of LEFT bytes may have.  */
static unsigned
piece_size (uint64_t address, unsigned left)
{
  unsigned in_line = TB_LINE_SIZE - (unsigned) (address % TB_LINE_SIZE);
  unsigned size = 8;
  while (size > left || size > in_line)
    size /= 2;
  return size;
}

void
tb_facts_build_access (struct tb_facts_builder *b, uint64_t step,
		       uint64_t address, const uint8_t *value,
		       unsigned length, unsigned known, unsigned flags,
		       bool device)
{
  struct tb_columns *f = b->facts;
  if (b->failed)
    return;
  if (flags & TB_FACTS_BUS)
    f->totals.bus++;
  else if (flags & TB_FACTS_WRITE)
    f->totals.writes++;
  else
    f->totals.reads++;
  for (unsigned at = 0; at < length; at += 8)
    {
      unsigned n = length - at < 8 ? length - at : 8;
      uint64_t here = address + at;
      for (unsigned done = 0; done < n;)
	{
	  /* In the list a whole access stays whole, whatever line it is in.  */
	  unsigned size = (n & (n - 1)) == 0 ? n : piece_size (0, n - done);
	  list_access (b, step, here + done, size, flags);
	  done += size;
	}
    }
  if (flags & TB_FACTS_ABORTED)
    return;
  for (unsigned at = 0; at < length && at < known;)
    {
      unsigned size = piece_size (address + at, known - at < length - at
						? known - at : length - at);
      add_piece (b, step, address + at, value + at, size, flags, device);
      at += size;
    }
  /* What was written with a value not told is not what was there before.  */
  if (known < length && (flags & TB_FACTS_WRITE)
      && (!device || (flags & TB_FACTS_BUS)))
    for (unsigned at = known; at < length; at++)
      b->failed |= !(flags & TB_FACTS_BUS
		     ? tb_memory_build_bus (&b->memory, step, address + at,
					    NULL, 1, true)
		     : tb_memory_build_write (&b->memory, step, address + at,
					      NULL, 1, false));
}

void
tb_facts_build_literal (struct tb_facts_builder *b)
{
  b->memory.no_hindsight = true;
}

void
tb_facts_build_memory (struct tb_facts_builder *b, uint64_t at,
		       uint64_t address, const uint8_t *bytes,
		       unsigned length)
{
  for (unsigned done = 0; done < length && !b->failed;)
    {
      unsigned size = piece_size (address + done, length - done);
      b->failed = bytes == NULL
		  ? !tb_memory_build_write (&b->memory, at - 1,
					    address + done, NULL, size, false)
		  : tb_memory_build_read (&b->memory, at, address + done,
					  bytes + done, size, false)
		    == TB_MEMORY_FAILED;
      done += size;
    }
}

void
tb_facts_build_fetched (struct tb_facts_builder *b, uint64_t at,
			uint64_t address, const uint8_t *bytes, unsigned length)
{
  if (b->failed)
    return;
  switch (tb_memory_build_read (&b->memory, at, address, bytes, length, false))
    {
    case TB_MEMORY_DIFFERS:
      tb_facts_build_memory (b, at, address, NULL, length);
      break;
    case TB_MEMORY_FAILED:
      b->failed = true;
      break;
    case TB_MEMORY_FITS:
      break;
    }
}

void
tb_facts_build_anywhere (struct tb_facts_builder *b, uint64_t step)
{
  struct tb_facts_access *a = tb_column_extend (&b->facts->late_accesses,
						sizeof *a);
  if (a == NULL)
    b->failed = true;
  else
    *a = (struct tb_facts_access) { .step = (uint32_t) step,
				    .flags = TB_FACTS_WRITE
					     | TB_FACTS_ANYWHERE };
}

void
tb_facts_build_forget_memory (struct tb_facts_builder *b, uint64_t at)
{
  b->failed |= !tb_memory_build_forget (&b->memory, at);
}
