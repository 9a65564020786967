/* How the parts of an ELF core file lie in it.  See core-layout.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/core-layout.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "snapshot/segments.h"
#include "util/buffer.h"

/* Linux has the tags of memory (MTE) in segments of their own; libelf may not know the type.  */
#define PT_TAGS 0x70000002

/* No page is larger, so that nothing fills up more.  */
#define MOST_FILLING 65536

/* Bytes of the file that are one thing.  */
struct core_part
{
  uint64_t start, end;		/* END is behind the last one, and behind START.  */
  bool shared;			/* A section: it mostly describes a part of a segment.  */
};

/* Such bytes, and the layout while it is worked out.  */
struct core_parts
{
  struct core_part *items;
  size_t count, room;
};
struct core_layout
{
  Elf *elf;
  const struct tb_filemap *map;
  struct core_parts bytes, memory;	/* Those of MEMORY are addresses.  */
  bool no_memory;
};

static void
add_part (struct core_layout *layout, struct core_parts *parts, const struct core_part *part)
{
  void *items = parts->items;
  layout->no_memory |= !tb_grow (&items, &parts->room, parts->count, 1, sizeof *part);
  parts->items = items;
  if (!layout->no_memory)
    parts->items[parts->count++] = *part;
}

/* Add the SIZE bytes at OFFSET, as far as the file has them.  */
static void
add (struct core_layout *layout, uint64_t offset, uint64_t size, bool shared)
{
  uint64_t there = offset < layout->map->size ? layout->map->size - offset : 0;
  const struct core_part part = { offset, offset + (size < there ? size : there), shared };
  if (part.end > part.start)
    add_part (layout, &layout->bytes, &part);
}

/* Add the COUNT segments.  What is of another kind is told DIAG.  */
static void
add_segments (struct core_layout *layout, size_t count, const char *path, struct tb_diag *diag)
{
  size_t others = 0, first = 0;
  uint32_t first_type = 0;
  GElf_Phdr header;
  for (size_t i = 0; i < count && gelf_getphdr (layout->elf, (int) i, &header) != NULL; i++)
    {
      add (layout, header.p_offset, header.p_filesz, false);
      uint64_t most = UINT64_MAX - header.p_vaddr;
      uint64_t size = header.p_memsz > header.p_filesz ? header.p_memsz : header.p_filesz;
      const struct core_part memory = {
	header.p_vaddr, header.p_vaddr + (size < most ? size : most), false
      };
      if (header.p_type == PT_LOAD && memory.end > memory.start)
	add_part (layout, &layout->memory, &memory);
      if (header.p_filesz > 0 && header.p_type != PT_LOAD && header.p_type != PT_NOTE
	  && header.p_type != PT_TAGS && others++ == 0)
	{
	  first = i;
	  first_type = header.p_type;
	}
    }
  if (others > 0)
    tb_warning (diag, "%s: expected segments of memory (type 1) and of notes (4); found %zu of "
		"another type, the first number %zu, of type %#" PRIx32 ": they are left out", path,
		others, first, first_type);
}

/* Add the sections, and the table of their headers.  */
static void
add_sections (struct core_layout *layout, const GElf_Ehdr *head)
{
  size_t count = 0;
  if (head->e_shoff == 0 || elf_getshdrnum (layout->elf, &count) != 0
      || count > TB_MOST_SEGMENTS)
    return;
  add (layout, head->e_shoff, (uint64_t) count * head->e_shentsize, false);
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (layout->elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) != NULL && header.sh_type != SHT_NOBITS)
	add (layout, header.sh_offset, header.sh_size, true);
    }
}

static int
by_start (const void *a, const void *b)
{
  const struct core_part *one = a, *other = b;
  return one->start < other->start ? -1 : one->start > other->start;
}

static void
sort (struct core_parts *parts)
{
  if (parts->count > 0)
    qsort (parts->items, parts->count, sizeof *parts->items, by_start);
}

/* May the bytes of MAP from START to END fill up what is before the next part?  */
static bool
is_filling (const struct tb_filemap *map, uint64_t start, uint64_t end)
{
  uint8_t byte = map->data[start];
  if (end - start >= MOST_FILLING || (byte != 0 && byte != 0xff))
    return false;
  while (start < end && map->data[start] == byte)
    start++;
  return start == end;
}

/* Tell DIAG which bytes of LAYOUT are of two parts, and which of none.  */
static void
check_parts (const struct core_layout *layout, const char *path, struct tb_diag *diag)
{
  uint64_t all = 0, owned = 0, twice = 0, at_twice = 0, counted = 0, lone = 0, at_lone = 0;
  const struct tb_filemap *map = layout->map;
  for (size_t i = 0; i <= layout->bytes.count; i++)
    {
      /* What lies behind all parts is looked at last.  */
      const struct core_part end = { map->size, map->size, true };
      const struct core_part *part = i < layout->bytes.count ? &layout->bytes.items[i] : &end;
      if (part->start > all && !is_filling (map, all, part->start))
	{
	  at_lone = lone == 0 ? all : at_lone;
	  lone += part->start - all;
	}
      uint64_t from = part->start > counted ? part->start : counted;
      uint64_t to = part->end < owned ? part->end : owned;
      if (!part->shared && from < to)
	{
	  at_twice = twice == 0 ? from : at_twice;
	  twice += to - from;
	  counted = to;
	}
      if (part->end > all)
	all = part->end;
      if (!part->shared && part->end > owned)
	owned = part->end;
    }
  if (twice > 0)
    tb_warning (diag, "%s: expected segments that lie one behind the other, found %" PRIu64
		" bytes that are of two of them, or of one and the headers, the first at %#" PRIx64
		": a header is damaged, and some of the memory may be other than it was", path,
		twice, at_twice);
  if (lone > 0)
    tb_warning (diag, "%s: expected each byte to be of a segment, found %" PRIu64 " of none, the "
		"first at %#" PRIx64 ": they are left out; if a header is damaged, some of the "
		"memory may be other than it was", path, lone, at_lone);
}

enum tb_status
tb_core_layout_check (const struct tb_filemap *map, const char *path, struct tb_extents *memory,
		      struct tb_diag *diag)
{
  elf_version (EV_CURRENT);
  struct core_layout layout = {
    .map = map, .elf = map->size > 0 ? elf_memory ((char *) map->data, map->size) : NULL
  };
  GElf_Ehdr head;
  size_t count = 0;
  if (layout.elf != NULL && elf_kind (layout.elf) == ELF_K_ELF
      && gelf_getehdr (layout.elf, &head) != NULL
      && elf_getphdrnum (layout.elf, &count) == 0 && count > 0 && count <= TB_MOST_SEGMENTS)
    {
      add (&layout, 0, head.e_ehsize, false);
      add (&layout, head.e_phoff, (uint64_t) count * head.e_phentsize, false);
      add_segments (&layout, count, path, diag);
      add_sections (&layout, &head);
      sort (&layout.bytes);
      sort (&layout.memory);
      if (!layout.no_memory)
	check_parts (&layout, path, diag);
    }
  for (size_t i = 0; i < layout.memory.count && !layout.no_memory; i++)
    {
      const struct core_part *part = &layout.memory.items[i];
      layout.no_memory = !tb_extents_add (memory, part->start, part->end - part->start);
    }
  elf_end (layout.elf);
  free (layout.bytes.items);
  free (layout.memory.items);
  return layout.no_memory ? TB_ERR_MEMORY : TB_OK;
}
