/* Where an operating system loaded programs, as a core file tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs that are independent of their position, and shared libraries, do not lie where their
   files say.  Source: Linux, fs/binfmt_elf.c: the notes NT_AUXV, which is what the kernel told the
   program when it started it, and NT_FILE, the files that were mapped.  */

#ifndef TB_SNAPSHOT_LOADED_H
#define TB_SNAPSHOT_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The contents of the two notes, as they are in the file; NULL: there is none.  */
struct tb_loaded
{
  const uint8_t *vector, *files;
  size_t vector_size, files_size;
  unsigned word;		/* Bytes of a number in them, 4 or 8.  */
};

struct Elf;			/* Of libelf.  */

/* In a snapshot that was written of a core file the section [loaded] of snapshot.ini, which others
   pass over, has the size of a number as "word", and the files that have the notes' contents.  */
#define TB_LOADED_VECTOR "loaded-vector.bin"
#define TB_LOADED_FILES "loaded-files.bin"

/* By how much the addresses of ELF, read from PATH, are lower than where it was loaded: as the
   program that the kernel started, where the places of its entry and its program headers agree;
   or as one of the files that were mapped, by the name of PATH without folders, if all maps of
   its first page that are called so lie where one place of it has them.  0: it lies where its file
   says, or below, or its segments would not fit there, or nothing tells.  */
uint64_t tb_loaded_bias (const struct tb_loaded *loaded, struct Elf *elf, const char *path);

#endif /* TB_SNAPSHOT_LOADED_H */
