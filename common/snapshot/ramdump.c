/* Trace that Linux left in memory.  See ramdump.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/ramdump.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot/segments.h"
#include "snapshot/tiles.h"
#include "util/buffer.h"
#include "util/readall.h"
#include "util/number.h"

/* struct tmc_crash_metadata, all little-endian: where its fields are.  */
enum
{
  MDATA_CRC = 0, TDATA_CRC = 4, MDATA_VERSION = 8, VALID = 12, RAM_WORDS = 16, STS = 20,
  FFCR = 28, RRP = 40, RWP = 48, DBA = 56, TRACE_ADDRESS = 64, METADATA = 96
};

/* Bits 31:16 are the major version.  */
#define MAJOR_VERSION 1
#define STS_FULL UINT32_C (1)
#define FFCR_FORMAT UINT32_C (1)

/* Regions of reserved memory are whole pages.  */
#define PAGE UINT64_C (4096)

/* Compressed dumps: what diskdump's and makedumpfile's begin with.  */
static const char *const compressed[] = { "KDUMP   ", "makedumpfile" };

/* Traces of sinks are in memory of their own: together they may be as long as all of it, and
   each has a CRC over all of it to be worked out.  */
struct ram_places
{
  struct tb_tiles tiles;	/* Which piece has what address.  */
  struct tb_region *regions;	/* Of each piece.  */
  const struct tb_ramdump *ram;
  uint64_t left;		/* Bytes that traces may still have.  */
  uint32_t table[256];		/* The CRC of each byte.  */
};

static void
make_table (uint32_t *table)
{
  for (uint32_t i = 0; i < 256; i++)
    {
      table[i] = i;
      for (int bit = 0; bit < 8; bit++)
	table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C (0xedb88320) : 0);
    }
}

/* CRC-32 of IEEE 802.3 as Linux' crc32_le goes on from CRC: bits reversed, nothing inverted.  */
static uint32_t
crc32_of (const uint32_t *table, uint32_t crc, const uint8_t *data, uint64_t length)
{
  for (uint64_t i = 0; i < length; i++)
    crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
  return crc;
}

/* Does NAME tell an address, behind its last "@"?  */
static bool
has_address (const char *name, uint64_t *address)
{
  const char *at = strrchr (name, '@');
  if (at == NULL || at[1] != '0' || (at[2] | 0x20) != 'x')
    return false;
  size_t length = strspn (at + 3, "0123456789abcdefABCDEF") + 2;
  const char *rest = at + 1 + length;
  return (*rest == '\0' || strcmp (rest, ".bin") == 0)
	 && tb_parse_u64 (at + 1, length, address);
}

bool
tb_ramdump_is_file (const char *folder, const char *name)
{
  char head[20] = "";
  uint64_t address;
  struct stat st;
  char *path = NULL;
  bool is_image = has_address (name, &address);
  if ((!is_image && strncmp (name, "vmcore", 6) != 0)
      || asprintf (&path, "%s/%s", folder, name) < 0)
    return false;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t length = fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode)
		   ? tb_read_all (fd, head, sizeof head) : -1;
  if (fd >= 0)
    close (fd);
  free (path);
  if (length < 0 || is_image)
    return is_image && length >= 0;
  /* Core files of other names are inputs of their own.  */
  for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
    if (memcmp (head, compressed[i], strlen (compressed[i])) == 0)
      return true;
  /* e_type is ET_CORE, 4, in either order.  */
  return length == sizeof head && memcmp (head, ELFMAG, SELFMAG) == 0
	 && head[head[EI_DATA] == ELFDATA2MSB ? 17 : 16] == ET_CORE;
}

/* Memory that is added to RAM, out of FILE.  */
struct ram_adding
{
  struct tb_ramdump *ram;
  struct tb_maker *maker;
  const struct tb_file *file;
};

static void
add_piece (struct tb_ramdump *ram, struct tb_maker *maker, uint64_t address,
	   const uint8_t *data, uint64_t length)
{
  if (!TB_GROW (ram->pieces, ram->capacity, ram->count, 1))
    tb_no_memory (&maker->reader);
  else
    {
      ram->pieces[ram->count++] = (struct tb_ramdump_piece) { address, data, length };
    }
}

/* Add the memory of SEGMENT.  */
static void
add_segment (void *context, const struct tb_segment *segment)
{
  struct ram_adding *adding = context;
  uint64_t address = segment->header.p_paddr;
  if (segment->size - 1 <= UINT64_MAX - address)
    add_piece (adding->ram, adding->maker, address,
	       adding->file->map.data + segment->header.p_offset, segment->size);
}

void
tb_ramdump_add (struct tb_ramdump *ram, struct tb_maker *maker, const char *path)
{
  const struct tb_file *file = tb_maker_file (maker, path);
  const char *slash = strrchr (path, '/');
  uint64_t address;
  if (file == NULL || file->map.size == 0)
    return;
  for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
    if (file->map.size >= strlen (compressed[i])
	&& memcmp (file->map.data, compressed[i], strlen (compressed[i])) == 0)
      {
	tb_error (maker->reader.diag, "%s: expected an ELF core file, found a dump that is "
		  "compressed (\"%.8s\"); \"makedumpfile -E\" writes ELF", path, compressed[i]);
	maker->reader.status = TB_ERR_INPUT;
	return;
      }
  if (!has_address (slash != NULL ? slash + 1 : path, &address))
    {
      struct ram_adding adding = { ram, maker, file };
      enum tb_status status = tb_segments (&file->map, path, PT_LOAD, 0, maker->reader.diag,
					   TB_ERROR, add_segment, &adding);
      if (maker->reader.status == TB_OK)
	maker->reader.status = status;
    }
  else if (file->map.size - 1 > UINT64_MAX - address)
    {
      tb_error (maker->reader.diag, "%s: expected %zu bytes at %#" PRIx64 " inside of the "
		"address space", path, file->map.size, address);
      maker->reader.status = TB_ERR_INPUT;
    }
  else
    add_piece (ram, maker, address, file->map.data, file->map.size);
}

/* Find out which piece of RAM has what; of memory that several have the first counts.  False: no
   memory.  */
static bool
find_places (const struct tb_ramdump *ram, struct ram_places *places)
{
  const struct tb_region **list = calloc (ram->count + 1, sizeof *list);
  *places = (struct ram_places) {
    .ram = ram, .regions = calloc (ram->count + 1, sizeof *places->regions)
  };
  make_table (places->table);
  for (size_t i = 0; i < ram->count && list != NULL && places->regions != NULL; i++)
    {
      places->regions[i] = (struct tb_region) {
	.address = ram->pieces[i].address, .length = ram->pieces[i].length
      };
      list[i] = &places->regions[i];
    }
  bool good = list != NULL && places->regions != NULL
	      && tb_tiles_resolve (&places->tiles, list, ram->count, NULL, NULL);
  for (size_t i = 0; i < places->tiles.count && good; i++)
    places->left += places->tiles.items[i].last - places->tiles.items[i].first + 1;
  free (list);
  return good;
}

static void
places_fini (struct ram_places *places)
{
  tb_tiles_fini (&places->tiles);
  free (places->regions);
}

/* What is at ADDRESS of PLACES, at most *LENGTH bytes, which becomes how many there are; NULL:
   none.  */
static const uint8_t *
memory_at (const struct ram_places *places, uint64_t address, uint64_t *length)
{
  const struct tb_tile *tile = tb_tiles_from (&places->tiles, address);
  if (tile == NULL || tile->first > address)
    return NULL;
  if (*length - 1 > tile->last - address)
    *length = tile->last - address + 1;
  return places->ram->pieces[tile->region - places->regions].data
	 + (address - tile->region->address);
}

/* A sink's trace: of the SIZE bytes at ADDRESS, LENGTH from OFFSET on, around the end.  */
struct left_trace
{
  uint64_t address, size, offset, length;
  uint32_t crc;
  bool formatted;
};

/* Read the metadata BYTES; false if they are none.  */
static bool
is_metadata (const uint32_t *table, const uint8_t *bytes, struct left_trace *found)
{
  if (tb_number_32 (bytes + MDATA_VERSION) >> 16 != MAJOR_VERSION
      || tb_number_32 (bytes + VALID) == 0
      || crc32_of (table, 0, bytes + TDATA_CRC, METADATA - TDATA_CRC)
	 != tb_number_32 (bytes + MDATA_CRC))
    return false;
  uint64_t rrp = tb_number_64 (bytes + RRP), rwp = tb_number_64 (bytes + RWP);
  *found = (struct left_trace) {
    .address = tb_number_64 (bytes + TRACE_ADDRESS),
    .size = (uint64_t) tb_number_32 (bytes + RAM_WORDS) * 4,
    .offset = rrp - tb_number_64 (bytes + DBA), .crc = tb_number_32 (bytes + TDATA_CRC),
    .formatted = tb_number_32 (bytes + FFCR) & FFCR_FORMAT
  };
  found->length = tb_number_32 (bytes + STS) & STS_FULL ? found->size : rwp - rrp;
  return true;
}

/* Has PLACES all of FOUND, and is it what its CRC says?  WHY becomes what is not so.  */
static bool
is_whole (struct ram_places *places, const struct left_trace *found, struct tb_buffer *why)
{
  uint32_t crc = 0;
  if (found->offset > found->size || found->length > found->size
      || found->size > UINT64_MAX - found->address)
    {
      tb_buffer_printf (why, "expected its pointers inside of the %" PRIu64 " bytes at %#" PRIx64
			", found %" PRIu64 " bytes from %#" PRIx64 " of them", found->size,
			found->address, found->length, found->offset);
      return false;
    }
  if (found->size > places->left)
    {
      tb_buffer_printf (why, "expected traces of no more bytes together than there are of memory, "
			"found %" PRIu64 " where %" PRIu64 " are left", found->size, places->left);
      return false;
    }
  places->left -= found->size;
  for (uint64_t at = 0, length; at < found->size; at += length)
    {
      length = found->size - at;
      const uint8_t *data = memory_at (places, found->address + at, &length);
      if (data == NULL)
	{
	  tb_buffer_printf (why, "expected memory of its %" PRIu64 " bytes at %#" PRIx64 ", found "
			    "none at %#" PRIx64, found->size, found->address, found->address + at);
	  return false;
	}
      crc = crc32_of (places->table, crc, data, length);
    }
  if (crc != found->crc)
    tb_buffer_printf (why, "expected %#010" PRIx32 " as the CRC of its %" PRIu64 " bytes at %#"
		      PRIx64 ", found %#010" PRIx32 ": they were overwritten", found->crc,
		      found->size, found->address, crc);
  return crc == found->crc;
}

/* The bytes of FOUND from OFFSET to END become part of BUFFER.  */
static void
add_spans (const struct ram_places *places, struct tb_maker *maker, size_t buffer,
	   const struct left_trace *found, uint64_t offset, uint64_t end)
{
  for (uint64_t length; offset < end; offset += length)
    {
      length = end - offset;
      const uint8_t *data = memory_at (places, found->address + offset, &length);
      tb_maker_span (maker, buffer, data, length);
    }
}

size_t
tb_ramdump_buffers (const struct tb_ramdump *ram, struct tb_maker *maker, const char *path,
		    size_t *buffers, size_t most)
{
  size_t count = 0, seen = 0;
  struct ram_places places;
  if (!find_places (ram, &places))
    tb_no_memory (&maker->reader);
  for (size_t i = 0; i < ram->count && seen < most; i++)
    {
      const struct tb_ramdump_piece *piece = &ram->pieces[i];
      uint64_t at = -piece->address & (PAGE - 1);
      for (; at + METADATA <= piece->length && seen < most; at += PAGE)
	{
	  struct left_trace found;
	  struct tb_buffer why = { 0 };
	  uint64_t room = METADATA;
	  if (maker->reader.status != TB_OK
	      || !is_metadata (places.table, piece->data + at, &found))
	    continue;
	  /* Of memory that several images have the first counts.  */
	  if (memory_at (&places, piece->address + at, &room) != piece->data + at)
	    continue;
	  if (++seen == most)
	    tb_warning (maker->reader.diag, "%s: expected less than %zu sinks in memory, found as "
			"many; others are left out", path, most);
	  if (!is_whole (&places, &found, &why))
	    tb_warning (maker->reader.diag, "%s: the trace of which memory at %#" PRIx64
			" tells is left out: %.*s", path, piece->address + at, (int) why.size,
			why.data != NULL ? (const char *) why.data : "no memory");
	  else if (found.length > 0)
	    {
	      char name[32];
	      snprintf (name, sizeof name, "crash_tmc%zu", count);
	      size_t buffer = tb_maker_buffer (maker, name, found.formatted ? TB_FORMAT_CORESIGHT
					       : TB_FORMAT_SOURCE_DATA);
	      uint64_t first = found.size - found.offset;
	      first = first < found.length ? first : found.length;
	      add_spans (&places, maker, buffer, &found, found.offset, found.offset + first);
	      add_spans (&places, maker, buffer, &found, 0, found.length - first);
	      buffers[count++] = buffer;
	    }
	  tb_buffer_fini (&why);
	}
    }
  places_fini (&places);
  return count;
}

void
tb_ramdump_fini (struct tb_ramdump *ram)
{
  free (ram->pieces);
  *ram = (struct tb_ramdump) { 0 };
}
