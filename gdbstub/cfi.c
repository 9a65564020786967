/* Call frame information.  See cfi.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 6.4.1 (.debug_frame); Linux Standard Base 5.0, 10.6
   (.eh_frame and its pointer encodings).  */

#include "config.h"
#include "cfi.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/filemap.h"
#include "util/search.h"

/* The code that one entry describes.  */
struct span
{
  uint64_t first, last;
};

struct cfi
{
  struct span *spans;		/* Sorted.  */
  size_t count, capacity;
};

/* A section being read.  */
struct reader
{
  const uint8_t *data;
  size_t size;
  uint64_t address;		/* Where it is loaded.  */
  unsigned pointer;		/* Bytes of an address.  */
  bool eh;
};

/* How the addresses of a CIE's entries are written.  */
struct encoding
{
  unsigned size;
  bool relative;		/* To where it stands.  */
  bool is_signed;
};

static uint64_t
get (const struct reader *r, size_t at, unsigned size)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++)
    value |= (uint64_t) r->data[at + i] << 8 * i;
  return value;
}

/* Pass over a LEB128 number at *AT; false: it does not end before END.  */
static bool
skip_leb (const struct reader *r, size_t *at, size_t end)
{
  while (*at < end)
    if ((r->data[(*at)++] & 128) == 0)
      return true;
  return false;
}

/* The format of DW_EH_PE_ byte CODE; false for those that are not used for
   code.  */
static bool
decode_encoding (uint8_t code, unsigned pointer, struct encoding *e)
{
  *e = (struct encoding) { .relative = (code & 0x70) == 0x10,
			   .is_signed = (code & 8) != 0 };
  if ((code & 0xf0) != 0 && (code & 0xf0) != 0x10)
    return false;
  switch (code & 7)
    {
    case 0: e->size = pointer; return true;
    case 2: e->size = 2; return true;
    case 3: e->size = 4; return true;
    case 4: e->size = 8; return true;
    default: return false;
    }
}

/* What the CIE from AT (behind its id) to END says of its entries.  */
static bool
read_cie (const struct reader *r, size_t at, size_t end, struct encoding *e)
{
  *e = (struct encoding) { .size = r->pointer };
  if (at >= end)
    return false;
  uint8_t version = r->data[at++];
  const uint8_t *zero = memchr (r->data + at, 0, end - at);
  if (zero == NULL)
    return false;
  const char *augmentation = (const char *) r->data + at;
  at = (size_t) (zero - r->data) + 1;
  if (version == 4 || version == 5)
    {
      if (end - at < 2)
	return false;
      e->size = r->data[at];
      at += 2;
    }
  if (!r->eh)
    return e->size == 4 || e->size == 8;
  if (augmentation[0] != 'z')
    return augmentation[0] == 0;
  /* Code and data alignment, return address register, length.  */
  if (!skip_leb (r, &at, end) || !skip_leb (r, &at, end)
      || !skip_leb (r, &at, end) || !skip_leb (r, &at, end))
    return false;
  for (const char *c = augmentation + 1; *c != 0 && at < end; c++)
    switch (*c)
      {
      case 'R':
	return decode_encoding (r->data[at], r->pointer, e);
      case 'L':
	at++;
	break;
      case 'P':
	{
	  struct encoding personality;
	  if (!decode_encoding (r->data[at] & 0x1f, r->pointer, &personality))
	    return false;
	  at += 1 + personality.size;
	}
	break;
      default:
	break;
      }
  return true;
}

/* The FDE from AT (behind its CIE pointer) to END.  */
static bool
read_fde (const struct reader *r, size_t at, size_t end,
	  const struct encoding *e, struct span *span)
{
  if (end - at < 2 * (size_t) e->size)
    return false;
  uint64_t first = get (r, at, e->size), length = get (r, at + e->size, e->size);
  unsigned unused = 64 - 8 * e->size;
  if (e->is_signed && unused != 0)
    first = (uint64_t) ((int64_t) (first << unused) >> unused);
  if (e->relative)
    first += r->address + at;
  if (r->pointer == 4)
    first &= UINT32_MAX;
  if (length == 0 || first + (length - 1) < first)
    return false;
  *span = (struct span) { first, first + (length - 1) };
  return true;
}

/* Where the entry at AT has its contents; false: it is cut short.  *NEXT is the
   entry after.  */
static bool
read_head (const struct reader *r, size_t at, size_t *contents, size_t *next,
	   unsigned *offset_size)
{
  if (at > r->size || r->size - at < 4)
    return false;
  uint64_t length = get (r, at, 4);
  *offset_size = 4;
  *contents = at + 4;
  if (length == UINT32_MAX)
    {
      if (r->size - at < 12)
	return false;
      length = get (r, at + 4, 8);
      *offset_size = r->eh ? 4 : 8;
      *contents = at + 12;
    }
  if (length > r->size - *contents)
    return false;
  *next = *contents + (size_t) length;
  return true;
}

/* Add what section R describes.  */
static bool
read_section (struct cfi *cfi, const struct reader *r)
{
  size_t contents, next;
  unsigned size;
  for (size_t at = 0; read_head (r, at, &contents, &next, &size); at = next)
    {
      if (next - contents < size)
	{
	  if (next == at)
	    break;
	  continue;
	}
      uint64_t id = get (r, contents, size);
      uint64_t cie_id = r->eh ? 0 : size == 8 ? UINT64_MAX : UINT32_MAX;
      if (id == cie_id)
	continue;
      uint64_t cie = r->eh ? contents - id : id;
      size_t cie_contents, cie_end;
      unsigned cie_size;
      struct encoding encoding;
      struct span span;
      if (cie >= r->size
	  || !read_head (r, (size_t) cie, &cie_contents, &cie_end, &cie_size)
	  || cie_end - cie_contents < cie_size
	  || !read_cie (r, cie_contents + cie_size, cie_end, &encoding)
	  || !read_fde (r, contents + size, next, &encoding, &span))
	continue;
      bool ok = TB_GROW (cfi->spans, cfi->capacity, cfi->count, 1);
      if (!ok)
	return false;
      cfi->spans[cfi->count++] = span;
    }
  return true;
}

static int
by_first (const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* False: no memory.  */
static bool
read_elf (struct cfi *cfi, Elf *elf)
{
  GElf_Ehdr header;
  size_t names;
  if (gelf_getehdr (elf, &header) == NULL
      || elf_getshdrstrndx (elf, &names) != 0)
    return true;
  unsigned pointer = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr s;
      if (gelf_getshdr (section, &s) == NULL || s.sh_type == SHT_NOBITS
	  || (s.sh_flags & SHF_COMPRESSED) != 0)
	continue;
      const char *name = elf_strptr (elf, names, s.sh_name);
      bool eh = name != NULL && strcmp (name, ".eh_frame") == 0;
      if (name == NULL || (!eh && strcmp (name, ".debug_frame") != 0))
	continue;
      Elf_Data *data = elf_rawdata (section, NULL);
      if (data == NULL || data->d_buf == NULL)
	continue;
      struct reader r = { data->d_buf, data->d_size, s.sh_addr, pointer, eh };
      if (!read_section (cfi, &r))
	return false;
    }
  return true;
}

bool
cfi_open (struct cfi **opened, const char *path, struct tb_diag *diag)
{
  struct tb_filemap map;
  bool readable = tb_filemap_open (&map, path, diag) == TB_OK, ok = true;
  if (!readable)
    tb_warning (diag, "%s: its call frame information is not used", path);
  errno = 0;
  struct cfi *cfi = readable ? calloc (1, sizeof *cfi) : NULL;
  Elf *elf = NULL;
  if (cfi != NULL && map.size > 0 && elf_version (EV_CURRENT) != EV_NONE)
    elf = elf_memory ((char *) map.data, map.size);
  if (elf != NULL && elf_kind (elf) == ELF_K_ELF)
    ok = read_elf (cfi, elf);
  /* Libelf leaves out what it has no memory for.  */
  ok = ok && (!readable || (cfi != NULL && errno != ENOMEM));
  if (elf != NULL)
    elf_end (elf);
  tb_filemap_close (&map);
  if (cfi != NULL && (cfi->count == 0 || !ok))
    {
      cfi_close (cfi);
      cfi = NULL;
    }
  if (cfi != NULL)
    qsort (cfi->spans, cfi->count, sizeof *cfi->spans, by_first);
  *opened = cfi;
  return ok;
}

void
cfi_close (struct cfi *cfi)
{
  if (cfi == NULL)
    return;
  free (cfi->spans);
  free (cfi);
}

void
cfi_move (struct cfi *cfi, uint64_t bias)
{
  for (size_t i = 0; cfi != NULL && i < cfi->count; i++)
    {
      cfi->spans[i].first += bias;
      cfi->spans[i].last += bias;
    }
}

bool
cfi_covers (const struct cfi *cfi, uint64_t pc)
{
  size_t low;
  TB_LOWER_BOUND (low, cfi->count, cfi->spans[low].first <= pc);
  return low != 0 && pc <= cfi->spans[low - 1].last;
}
