/* What an ELF file says of names, types, places and frames, with changes by chance in its
   sections.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the sample; then changes: a section (1 byte), a place in it
   (2 bytes), a count of bytes (the low 3 bits of 1 byte), the bytes.  Bytes by chance make no
   ELF file; changes of sections keep what finds them.  */

#include "config.h"
#include "fuzz.h"

#include <elf.h>
#include <endian.h>

#include "cfi.h"
#include "snapshot/variables.h"

#define FILE_MOST 65536
#define SAMPLES 2

static uint8_t samples[SAMPLES][FILE_MOST];
static size_t sizes[SAMPLES];

static void
prepare (void)
{
  static const char *const names[SAMPLES] = { FUZZ_SAMPLES "/crash-o0/program.elf",
					      FUZZ_SAMPLES "/crash-o2/program.elf" };
  for (unsigned i = 0; i < SAMPLES; i++)
    {
      FILE *file = fopen (names[i], "rb");
      MUST (file != NULL);
      sizes[i] = fread (samples[i], 1, FILE_MOST, file);
      MUST (sizes[i] > sizeof (Elf32_Ehdr) && sizes[i] < FILE_MOST);
      fclose (file);
    }
}

/* Change what IN says in the sections of the SIZE bytes FILE, which is little-endian.  */
static void
change (uint8_t *file, size_t size, struct fuzz_reader *in)
{
  Elf32_Ehdr head;
  memcpy (&head, file, sizeof head);
  uint32_t headers = le32toh (head.e_shoff);
  while (in->at < in->end)
    {
      Elf32_Shdr section;
      unsigned number = fuzz_u8 (in) % le16toh (head.e_shnum);
      memcpy (&section, file + headers + number * sizeof section, sizeof section);
      uint32_t at = fuzz_u16 (in), place = le32toh (section.sh_offset);
      uint32_t length = le32toh (section.sh_size);
      size_t count = (fuzz_u8 (in) & 7) + 1;
      const uint8_t *bytes = fuzz_bytes (in, &count);
      if (le32toh (section.sh_type) == SHT_NOBITS || length == 0)
	continue;
      at %= length;
      if (count > length - at)
	count = length - at;
      MUST (place + at + count <= size);
      memcpy (file + place + at, bytes, count);
    }
}

struct taking
{
  struct tb_variables *variables;
  uint64_t pc;
  unsigned count;
};

/* Look at TYPE, and what it consists of, DEPTH deep.  */
static void
look_at (struct tb_variables *variables, const struct tb_type *type, unsigned depth)
{
  size_t count;
  if (depth == 0)
    return;
  const struct tb_member *members = tb_type_members (variables, type, &count);
  for (size_t i = 0; i < count && i < 10; i++)
    look_at (variables, members[i].type, depth - 1);
  if (type->kind == TB_TYPE_POINTER || type->kind == TB_TYPE_ARRAY)
    look_at (variables, tb_type_target (variables, type), depth - 1);
}

static bool
take (void *context, const struct tb_object *object)
{
  struct taking *t = context;
  struct tb_storage storage;
  const char *why = NULL;
  if (tb_object_storage (t->variables, object, t->pc, &storage, &why))
    MUST (storage.npieces <= TB_STORAGE_PIECES && storage.nops <= TB_STORAGE_OPS);
  else
    MUST (why != NULL);
  look_at (t->variables, object->type, 3);
  return ++t->count < 50;
}

static bool
take_line (void *context, const struct tb_line *line)
{
  size_t *sum = context;
  *sum += strlen (line->file) + line->line;
  return true;
}

static void
look_up (struct tb_symbols *symbols)
{
  static const char *const names[] = { "batch", "samples", "main", "state", "main::i" };
  struct tb_variables *variables = tb_variables_new (symbols, 4);
  size_t count;
  const struct tb_function *functions = tb_symbols_functions (symbols, &count);
  MUST (variables != NULL);
  for (size_t i = 0; i < count && i < 12; i++)
    {
      struct taking taking = { .variables = variables, .pc = functions[i].address + 8 };
      struct tb_storage storage;
      struct tb_object object;
      struct tb_line line;
      const char *why;
      tb_variables_list (variables, taking.pc, true, take, &taking);
      tb_variables_list (variables, taking.pc, false, take, &taking);
      tb_variables_return (variables, taking.pc, &storage, &why);
      tb_symbols_line_at (symbols, taking.pc, &line);
      for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
	if (tb_variables_find (variables, taking.pc, names[k], strlen (names[k]), &object))
	  take (&taking, &object);
      tb_variables_type (variables, taking.pc, TB_TYPES_STRUCT, "batch", 5);
      tb_variables_type (variables, taking.pc, TB_TYPES_NAMED, "uint32_t", 8);
    }
  tb_variables_free (variables);
}

FUZZ_TARGET (dwarf)
{
  static uint8_t file[FILE_MOST];
  if (sizes[0] == 0)
    prepare ();
  struct fuzz_reader in = { data, data + size };
  unsigned sample = fuzz_u8 (&in) % SAMPLES;
  memcpy (file, samples[sample], sizes[sample]);
  change (file, sizes[sample], &in);
  char path[40];
  int fd = fuzz_file (file, sizes[sample], path);
  struct tb_symbols *symbols = tb_symbols_new ();
  if (tb_symbols_add (symbols, path, 0, NULL) == TB_OK)
    {
      size_t sum = 0;
      tb_symbols_lines (symbols, take_line, &sum);
      look_up (symbols);
    }
  tb_symbols_free (symbols);
  struct cfi *cfi = NULL;
  if (cfi_open (&cfi, path, NULL) && cfi != NULL)
    cfi_close (cfi);
  close (fd);
  return 0;
}
