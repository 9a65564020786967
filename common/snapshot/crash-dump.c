/* Crash dumps that real-time kernels write.  See crash-dump.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/crash-dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "snapshot/crash-console.h"
#include "snapshot/m-frame.h"
#include "snapshot/maker.h"
#include "snapshot/zephyr-threads.h"
#include "util/number.h"
#include "util/search.h"

/* Zephyr's header, and which cores it names (enum coredump_tgt_code).  */
enum { ZEPHYR_HEAD = TB_ZEPHYR_HEAD, TARGET_M = 3, TARGET_A64 = 6 };

/* Mynewt's header, that of a part, and the types of parts.  */
enum { MYNEWT_HEAD = 8, MYNEWT_PART = 8, PART_IMAGE = 1, PART_MEMORY = 2, PART_REGISTERS = 3 };
#define MYNEWT_MAGIC UINT32_C (0x690c47c3)

/* So much of a file is looked through for the first line of a dump.  */
#define LOOKED ((size_t) 64 << 20)

/* A dump while it is read.  */
struct crash
{
  struct tb_maker maker;
  struct tb_diag *diag;
  const char *path;
  const uint8_t *data;		/* SIZE bytes.  */
  size_t size, at;
  size_t core;			/* Its device.  */
  unsigned pointer;		/* Bytes of an address.  */
  /* Of the M profile: where the words that the exception stored may be, and these.  */
  bool has_frame;
  uint32_t sp, frame[8];
  bool is_m;
  size_t parts;			/* Of memory.  */
  struct tb_console console;
  bool is_short;		/* There is less than it says, or something else.  */
  struct tb_zephyr zephyr;
};

static bool
is_well (const struct crash *c)
{
  return c->maker.reader.status == TB_OK;
}

static void
fail (struct crash *c)
{
  c->maker.reader.status = TB_ERR_INPUT;
}

/* The M profile's register NAME has VALUE.  */
static void
put32 (struct crash *c, const char *name, uint32_t value)
{
  tb_maker_reg (&c->maker, c->core, name, -1, 32, value);
}

static void
put_numbered (struct crash *c, char letter, unsigned n, unsigned bits, uint64_t value)
{
  char name[8];
  snprintf (name, sizeof name, "%c%u", letter, n);
  tb_maker_reg (&c->maker, c->core, name, -1, bits, value);
}

/* Zephyr's block of registers of the M profile: R0 to R3, R12, LR, PC, xPSR, SP; since
   version 2 R4 to R11, which version 3 says of whether they are any.  */
static void
take_m (struct crash *c, const uint8_t *data, unsigned version, size_t size)
{
  static const char *const names[] = { "R0", "R1", "R2", "R3", "R12", "LR", "PC", "xPSR" };
  enum { FIRST = 9, SAVED = 8 };
  size_t least = version == 1 ? FIRST * 4 : (FIRST + SAVED) * 4 + (version > 2 ? 4 : 0);
  if (size < least)
    {
      tb_error (c->diag, "%s, byte %#zx: expected %zu bytes of registers or more, of version "
		"%u, found %zu", c->path, c->at, least, version, size);
      fail (c);
      return;
    }
  for (unsigned i = 0; i < 8; i++)
    {
      c->frame[i] = (uint32_t) tb_number (data + 4 * i, 4);
      put32 (c, names[i], c->frame[i]);
    }
  c->sp = (uint32_t) tb_number (data + 32, 4);
  c->has_frame = true;
  bool any = false;
  for (unsigned i = 0; i < SAVED && version == 2; i++)
    any |= tb_number (data + 4 * (FIRST + i), 4) != 0;
  /* Version 2 leaves zeros where it was not built to have them.  */
  if (version > 2)
    any = tb_number (data + 4 * (FIRST + SAVED), 4) != 0;
  for (unsigned i = 0; i < SAVED && any; i++)
    put_numbered (c, 'R', 4 + i, 32, tb_number (data + 4 * (FIRST + i), 4));
  if (!any)
    tb_note (c->diag, "%s: the dump does not have R4 to R11", c->path);
}

/* That of AArch64: X0 to X18, LR, SPSR, ELR; since version 2 X29 and SP.  */
static void
take_a64 (struct crash *c, const uint8_t *data, unsigned version, size_t size)
{
  enum { LOW = 19, LR = 19, SPSR, ELR, FP, SP };
  size_t least = 8 * (version == 1 ? FP : SP + 1);
  if (size < least)
    {
      tb_error (c->diag, "%s, byte %#zx: expected %zu bytes of registers or more, of version "
		"%u, found %zu", c->path, c->at, least, version, size);
      fail (c);
      return;
    }
  for (unsigned i = 0; i < LOW; i++)
    put_numbered (c, 'X', i, 64, tb_number (data + 8 * i, 8));
  put_numbered (c, 'X', 30, 64, tb_number (data + 8 * LR, 8));
  tb_maker_reg (&c->maker, c->core, "PC", -1, 64, tb_number (data + 8 * ELR, 8));
  tb_maker_reg (&c->maker, c->core, "CPSR", -1, 32, tb_number (data + 8 * SPSR, 4));
  if (version > 1)
    {
      put_numbered (c, 'X', 29, 64, tb_number (data + 8 * FP, 8));
      tb_maker_reg (&c->maker, c->core, "SP", -1, 64, tb_number (data + 8 * SP, 8));
    }
}

/* How many of the LENGTH bytes from OFFSET on the dump has; says if that is not all of
   WHAT.  */
static uint64_t
present (struct crash *c, size_t offset, uint64_t length, const char *what)
{
  uint64_t left = offset < c->size ? c->size - offset : 0;
  c->is_short |= length > left;
  if (length > left)
    tb_warning (c->diag, "%s, byte %#zx: expected %" PRIu64 " bytes of %s, found %" PRIu64
		": the dump is cut", c->path, offset, length, what, left);
  return length < left ? length : left;
}

/* Memory from ADDRESS on, LENGTH bytes, stands at OFFSET.  */
static void
take_memory (struct crash *c, size_t offset, uint64_t length, uint64_t address)
{
  uint64_t here = present (c, offset, length, "memory");
  if (c->pointer == 4 && length > 0 && length - 1 > UINT32_MAX - address)
    {
      tb_error (c->diag, "%s, byte %#zx: expected memory inside of the address space, found %"
		PRIu64 " bytes at %#" PRIx64, c->path, offset, length, address);
      fail (c);
      return;
    }
  tb_maker_memory (&c->maker, c->core, c->path, c->data + offset, here, TB_SPACE_ANY,
		   address);
  c->parts++;
}

/* The eight words of the exception's frame are at ADDRESS.  */
static bool
is_frame (struct crash *c, uint32_t address)
{
  uint8_t bytes[32];
  size_t known = tb_maker_read (&c->maker, c->core, address, bytes, sizeof bytes);
  bool same = known == sizeof bytes;
  for (unsigned i = 0; i < 8 && same; i++)
    same = tb_number (bytes + 4 * i, 4) == c->frame[i];
  return same;
}

/* SP before the exception.  What Zephyr calls so was the place of the frame in its first
   versions, and is what lies behind it since, but for padding on ARMv8-M: where the frame
   is the memory tells.  */
static void
settle_sp (struct crash *c)
{
  enum { BASIC = TB_M_FRAME_SIZE, LONG = BASIC + TB_M_FRAME_FP };
  /* One that was moved has a word more.  */
  static const struct { uint8_t below, size; } places[] = {
    { BASIC, BASIC }, { BASIC + 4, BASIC }, { LONG, LONG }, { LONG + 4, LONG }
  };
  if (!c->has_frame || !is_well (c))
    return;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (c->sp >= places[i].below && is_frame (c, c->sp - places[i].below))
      {
	put32 (c, "SP", c->sp - places[i].below + places[i].size
			+ (c->frame[TB_M_FRAME_PSR] >> TB_M_FRAME_MOVED & 1 ? 4 : 0));
	return;
      }
  tb_warning (c->diag, "%s: the dump has 0x%08" PRIx32 " as SP, %s; it is left out", c->path,
	      c->sp, is_frame (c, c->sp)
	      ? "which is where the exception's frame is, of a length that is not known"
	      : "but does not have the exception's frame, by which that could be told");
}

/* How long the block is that may be at OFFSET of Zephyr's dump, with its head of *HEAD bytes; 0:
   there is none.  */
static uint64_t
block_length (const struct crash *c, size_t offset, size_t *head)
{
  const uint8_t *data = c->data + offset;
  size_t left = c->size - offset;
  *head = left > 0 && *data == 'M' ? 3 + 2 * c->pointer : 5;
  if (left < *head || (*data != 'A' && *data != 'T' && *data != 'M')
      || tb_number (data + 1, 2) < 1 || tb_number (data + 1, 2) > 3)
    return 0;
  if (*data != 'M')
    return tb_number (data + 3, 2);
  uint64_t start = tb_number (data + 3, c->pointer);
  uint64_t end = tb_number (data + 3 + c->pointer, c->pointer);
  return end > start ? end - start : 0;
}

/* Is the block at OFFSET of Zephyr's dump whole, as far as the lines tell that it is in?  */
static bool
is_whole (struct crash *c, size_t offset)
{
  size_t head;
  uint64_t length = block_length (c, offset, &head);
  return length > 0 && tb_console_is_run (&c->console, offset, head, false)
	 && tb_console_is_run (&c->console, offset + head, length, !c->console.ended);
}

/* If lines are lost of the block that is next, leave it out: go on with one that is whole.  */
static void
skip_damaged (struct crash *c)
{
  struct tb_console *console = &c->console;
  size_t head, at = c->at, i;
  if (!console->by_buffer || is_whole (c, at))
    return;
  uint64_t length = block_length (c, at, &head);
  char kind = length > 0 ? (char) c->data[at] : '?';
  TB_LOWER_BOUND (i, console->count, console->starts[i] <= at);
  while (i < console->count && !is_whole (c, console->starts[i]))
    i++;
  c->at = console->starts[i];
  tb_warning (c->diag, "%s, byte %#zx of its lines: expected the lines of a block, %s, found such "
	      "as come where one is lost, or two are exchanged; which is not known, and the %zu "
	      "bytes up to the next block that is whole are left out", c->path, at,
	      kind == 'A' ? "of registers (A)" : kind == 'T' ? "of threads (T)"
	      : kind == 'M' ? "of memory (M)" : "A, T or M", c->at - at);
}

/* Read a block of Zephyr's dump.  False: there is no more.  */
static bool
read_block (struct crash *c)
{
  if (c->at < c->size)
    skip_damaged (c);
  if (c->at >= c->size)
    return false;
  const uint8_t *data = c->data + c->at;
  char kind = (char) *data;
  size_t head = kind == 'M' ? 3 + 2 * c->pointer : 5;
  if (kind != 'A' && kind != 'T' && kind != 'M')
    {
      /* Flash that is erased, or a buffer's rest, may fill it up.  */
      for (size_t i = c->at; i < c->size; i++)
	if (c->data[i] != c->data[c->at] || (*data != 0 && *data != 0xff))
	  {
	    c->is_short = true;
	    tb_warning (c->diag, "%s, byte %#zx: expected a block of registers (A), threads (T) "
			"or memory (M), found 0x%02x; it and what follows is left out",
			c->path, c->at, *data);
	    return false;
	  }
      return false;
    }
  if (c->size - c->at < head)
    {
      present (c, c->at, head, "a block's head");
      return false;
    }
  unsigned version = (unsigned) tb_number (data + 1, 2);
  unsigned most = kind == 'A' ? c->is_m ? 3 : 2 : 1;
  if (version < 1 || version > most)
    {
      tb_error (c->diag, "%s, byte %#zx: expected a block %c of version 1 to %u, found one of %u",
		c->path, c->at, kind, most, version);
      fail (c);
      return false;
    }
  uint64_t length = tb_number (data + 3, 2);
  if (kind == 'M')
    {
      uint64_t start = tb_number (data + 3, c->pointer);
      uint64_t end = tb_number (data + 3 + c->pointer, c->pointer);
      if (end <= start)
	{
	  tb_error (c->diag, "%s, byte %#zx: expected memory that ends behind where it begins, "
		    "found %#" PRIx64 " to %#" PRIx64, c->path, c->at, start, end);
	  fail (c);
	  return false;
	}
      length = end - start;
      take_memory (c, c->at + head, length, start);
    }
  else if (kind == 'A')
    {
      size_t here = (size_t) present (c, c->at + head, length, "registers");
      if (c->is_m)
	take_m (c, data + head, version, here);
      else
	take_a64 (c, data + head, version, here);
    }
  else
    {
      c->zephyr.kernel = data + head;
      c->zephyr.size = (size_t) present (c, c->at + head, length, "the kernel's data");
    }
  if (length > c->size - c->at - head)
    c->at = c->size;
  else
    c->at += head + (size_t) length;
  return is_well (c);
}

static void
read_zephyr (struct crash *c)
{
  unsigned version = (unsigned) tb_number (c->data + 2, 2), bits = c->data[6];
  c->pointer = bits == 6 ? 8 : 4;
  if (version < 1 || version > 2 || bits != (c->is_m ? 5 : 6))
    {
      tb_error (c->diag, "%s: expected Zephyr's core dump of version 1 or 2, with addresses "
		"of 2^%d bits, found one of version %u, with such of 2^%u", c->path,
		c->is_m ? 5 : 6, version, bits);
      fail (c);
      return;
    }
  c->at = ZEPHYR_HEAD;
  while (read_block (c))
    ;
  /* Where they are joined a lost line moves all that is behind it.  */
  if (is_well (c) && c->console.ended && !c->console.by_buffer && c->is_short)
    {
      tb_error (c->diag, "%s: expected as many bytes as the blocks of the dump say, found others "
		"in the lines from %s to %s: some are lost, and where is not known", c->path, BEGIN,
		END);
      fail (c);
    }
}

/* Mynewt's parts.  Registers: R0 to R12, SP, LR, PC, PSR.  */
static void
read_mynewt (struct crash *c)
{
  uint64_t all = tb_number (c->data + 4, 4);
  c->pointer = 4;
  if (all >= MYNEWT_HEAD && all < c->size)
    c->size = (size_t) all;	/* The rest of the flash.  */
  else
    present (c, 0, all, "the dump");
  for (c->at = MYNEWT_HEAD; c->at < c->size && is_well (c);)
    {
      const uint8_t *data = c->data + c->at;
      if (c->size - c->at < MYNEWT_PART)
	{
	  present (c, c->at, MYNEWT_PART, "a part's head");
	  return;
	}
      unsigned type = data[0];
      uint64_t length = tb_number (data + 2, 2), offset = tb_number (data + 4, 4);
      c->at += MYNEWT_PART;
      if (type == PART_MEMORY)
	take_memory (c, c->at, length, offset);
      else if (type == PART_REGISTERS
	       && present (c, c->at, length, "registers") >= 17 * 4)
	{
	  static const char *const names[] = { "SP", "LR", "PC", "xPSR" };
	  for (unsigned i = 0; i < 17; i++)
	    if (i < 13)
	      put_numbered (c, 'R', i, 32, tb_number (data + MYNEWT_PART + 4 * i, 4));
	    else
	      put32 (c, names[i - 13], (uint32_t) tb_number (data + MYNEWT_PART + 4 * i, 4));
	}
      else if (type != PART_IMAGE)
	{
	  tb_warning (c->diag, "%s, byte %#zx: expected a part of type 1, 2 or 3 (17 registers), "
		      "found one of type %u, %" PRIu64 " bytes; it and what follows is left out",
		      c->path, c->at - MYNEWT_PART, type, length);
	  return;
	}
      c->at += length < c->size - c->at ? (size_t) length : c->size - c->at;
    }
}

/* What the SIZE bytes DATA begin with.  */
static enum tb_crash
kind_of (const uint8_t *data, size_t size)
{
  if (size >= ZEPHYR_HEAD && data[0] == 'Z' && data[1] == 'E')
    {
      unsigned target = (unsigned) tb_number (data + 4, 2);
      return target == TARGET_M ? TB_CRASH_ZEPHYR_M
	     : target == TARGET_A64 ? TB_CRASH_ZEPHYR_A64 : TB_CRASH_NONE;
    }
  return size >= MYNEWT_HEAD && tb_number (data, 4) == MYNEWT_MAGIC ? TB_CRASH_MYNEWT
								  : TB_CRASH_NONE;
}

enum tb_crash
tb_crash_kind (const char *path, bool *is_log)
{
  struct stat st;
  struct tb_filemap map;
  struct tb_diag silent = { 0 };
  if (is_log != NULL)
    *is_log = false;
  if (stat (path, &st) != 0 || !S_ISREG (st.st_mode)
      || tb_filemap_open (&map, path, &silent) != TB_OK)
    return TB_CRASH_NONE;
  enum tb_crash kind = kind_of (map.data, map.size);
  size_t looked = map.size < LOOKED ? map.size : LOOKED;
  /* The first lines show which cores it is of.  */
  const char *begin = kind == TB_CRASH_NONE && looked > 0
		      ? memmem (map.data, looked, BEGIN, strlen (BEGIN)) : NULL;
  if (begin != NULL)
    {
      enum { SHOWN = 4096 };
      uint8_t head[SHOWN];
      const char *bad, *all = (const char *) map.data + map.size;
      begin += strlen (BEGIN);
      size_t length = (size_t) (all - begin) < SHOWN ? (size_t) (all - begin) : SHOWN;
      kind = kind_of (head, tb_console_take (begin, begin + length, head, &bad, NULL, NULL));
      if (is_log != NULL)
	*is_log = kind != TB_CRASH_NONE;
    }
  tb_filemap_close (&map);
  return kind;
}

bool
tb_crash_is_whole (const char *path)
{
  struct tb_filemap map;
  struct tb_diag silent = { 0 };
  if (tb_filemap_open (&map, path, &silent) != TB_OK)
    return false;
  bool ended = tb_console_is_ended ((const char *) map.data, map.size);
  tb_filemap_close (&map);
  return ended;
}

const char *
tb_crash_name (enum tb_crash kind)
{
  return kind == TB_CRASH_MYNEWT ? "core dump of Mynewt" : "core dump of Zephyr";
}

enum tb_status
tb_crash_read (struct tb_snapshot *snapshot, const char *path, const char *type,
	       const char *program, struct tb_diag *diag)
{
  struct crash c = {
    .diag = diag, .path = path, .zephyr = { .path = path, .program = program }
  };
  bool is_log;
  enum tb_crash kind = tb_crash_kind (path, &is_log);
  tb_maker_init (&c.maker, snapshot, path, diag);
  const struct tb_file *file = tb_maker_file (&c.maker, path);
  c.core = tb_maker_device (&c.maker, TB_CLASS_CORE, "core", type, path);
  tb_maker_late (&c.maker, c.core);
  if (file != NULL && is_well (&c))
    {
      c.data = file->map.data;
      c.size = file->map.size;
      c.is_m = kind != TB_CRASH_ZEPHYR_A64;
      if (is_log)
	tb_console_unpack (&c.console, &c.data, &c.size, path, &c.maker.reader);
      /* Of several dumps the last one may be another core's, or cut; and the file may have
	 changed since it was looked at.  */
      if (is_well (&c) && (kind == TB_CRASH_NONE || kind_of (c.data, c.size) != kind))
	{
	  tb_error (diag, "%s: expected a %s in the lines behind %s, found %zu bytes of "
		    "something else", path, tb_crash_name (kind), BEGIN, c.size);
	  fail (&c);
	}
      if (is_well (&c) && kind == TB_CRASH_MYNEWT)
	read_mynewt (&c);
      else if (is_well (&c))
	read_zephyr (&c);
      settle_sp (&c);
      if (kind == TB_CRASH_ZEPHYR_M)
	tb_zephyr_threads (&c.maker, c.core, type, &c.zephyr);
      if (is_well (&c) && c.parts == 0)
	tb_warning (diag, "%s: the dump has no memory", path);
    }
  return tb_maker_finish (&c.maker);
}
