/* Where an operating system loaded a program, as notes of a core file or a snapshot's section
   tell.  The input is a byte that says how long a number is, and how many bytes the first note has,
   then that for a program's two segments which a loader reads, then the notes.  The program is
   called "p".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include <elf.h>

#include "fuzz-folder.h"
#include "snapshot/elf-image.h"
#include "snapshot/loaded.h"

#define SEGMENTS 2
/* Offset, address, size in the file, size in memory.  */
#define FIELDS 4

FUZZ_TARGET (loaded)
{
  struct
  {
    Elf64_Ehdr header;
    Elf64_Phdr segment[SEGMENTS];
    uint8_t code[64];
  } program = {
    .header = {
      .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
      .e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
      .e_phoff = sizeof program.header, .e_ehsize = sizeof program.header,
      .e_phentsize = sizeof program.segment[0], .e_phnum = SEGMENTS, .e_entry = 0x1000
    }
  };
  uint64_t fields[SEGMENTS * FIELDS];
  if (size < 1 + sizeof fields)
    return 0;
  size_t length = (data[0] >> 1) * 4u;
  struct tb_loaded loaded = { .word = data[0] & 1 ? 8 : 4 };
  memcpy (fields, data + 1, sizeof fields);
  for (size_t i = 0; i < SEGMENTS; i++)
    program.segment[i] = (Elf64_Phdr) {
      .p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_offset = fields[i * FIELDS],
      .p_vaddr = fields[i * FIELDS + 1], .p_filesz = fields[i * FIELDS + 2],
      .p_memsz = fields[i * FIELDS + 3]
    };
  data += 1 + sizeof fields;
  size -= 1 + sizeof fields;
  length = length < size ? length : size;
  /* Each ends where its memory does, so that a byte too many is seen.  */
  uint8_t *vector = malloc (length + 1), *files = malloc (size - length + 1);
  MUST (vector != NULL && files != NULL);
  memcpy (vector, data, length);
  memcpy (files, data + length, size - length);
  loaded.vector = vector;
  loaded.vector_size = length;
  loaded.files = files;
  loaded.files_size = size - length;
  char path[80];
  snprintf (path, sizeof path, "%s/p", fuzz_folder (NULL, 0));
  fuzz_put ("p", 1, (const uint8_t *) &program, sizeof program);
  struct tb_elf_image *image = tb_elf_image_open (path, NULL);
  if (image != NULL)
    {
      tb_elf_image_place (image, &loaded);
      uint64_t bias = tb_elf_image_bias (image);
      /* Nothing goes around the top of the address space.  */
      for (size_t i = 0; i < SEGMENTS && bias > 0; i++)
	MUST (program.segment[i].p_vaddr <= UINT64_MAX - bias
	      && program.segment[i].p_memsz
		 <= UINT64_MAX - bias - program.segment[i].p_vaddr);
      struct tb_memmap *map = tb_memmap_new ();
      if (tb_elf_image_map (image, map, TB_SPACE_ANY, NULL) == TB_OK)
	tb_memmap_seal (map, NULL);
      tb_memmap_free (map);
    }
  tb_elf_image_close (image);
  free (vector);
  free (files);
  return 0;
}
