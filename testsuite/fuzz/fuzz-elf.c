/* ELF files: images, symbols, lines of DWARF.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "snapshot/elf-image.h"
#include "snapshot/symbols.h"

static bool
take (void *context, const struct tb_line *line)
{
  size_t *sum = context;
  *sum += strlen (line->file) + line->line;
  return true;
}

FUZZ_TARGET (elf)
{
  char path[40];
  int fd = fuzz_file (data, size, path);
  struct tb_elf_image *image = tb_elf_image_open (path, NULL);
  struct tb_memmap *map = tb_memmap_new ();
  if (image != NULL && tb_elf_image_map (image, map, TB_SPACE_ANY, NULL) == TB_OK)
    tb_memmap_seal (map, NULL);
  tb_memmap_free (map);
  tb_elf_image_close (image);
  struct tb_symbols *symbols = tb_symbols_new ();
  if (tb_symbols_add (symbols, path, 0, NULL) == TB_OK)
    {
      struct tb_line line;
      size_t count, sum = 0;
      const struct tb_function *f = tb_symbols_functions (symbols, &count);
      for (size_t i = 0; i < count && i < 100; i++)
	tb_symbols_line_at (symbols, f[i].address, &line);
      tb_symbols_lines (symbols, take, &sum);
    }
  tb_symbols_free (symbols);
  close (fd);
  return 0;
}
