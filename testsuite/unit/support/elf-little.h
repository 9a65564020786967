/* Structures of ELF files that a test makes, as the file has them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_TESTS_UNIT_SUPPORT_ELF_LITTLE_H
#define TB_TESTS_UNIT_SUPPORT_ELF_LITTLE_H

#include <libelf.h>

#include "check.h"

/* The structures of TYPE and of CLASS in the SIZE BYTES become those of a file that has the
   lowest byte of a number first, whatever machine this is.  */
static inline void
elf_little (void *bytes, size_t size, Elf_Type type, int class)
{
  Elf_Data data = { .d_buf = bytes, .d_size = size, .d_type = type,
		    .d_version = EV_CURRENT };
  elf_version (EV_CURRENT);
  CHECK ((class == ELFCLASS32 ? elf32_xlatetof (&data, &data, ELFDATA2LSB)
	  : elf64_xlatetof (&data, &data, ELFDATA2LSB)) != NULL);
}

#endif /* TB_TESTS_UNIT_SUPPORT_ELF_LITTLE_H */
