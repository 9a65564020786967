/* What an ELF file says of the architecture it was built for.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: "Addenda to, and Errata in, the ABI for the Arm Architecture", build
   attributes.  */

#ifndef TB_SNAPSHOT_ELF_ATTRIBUTES_H
#define TB_SNAPSHOT_ELF_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

/* Tag_CPU_arch_profile in the SIZE bytes of the section .ARM.attributes: 'A', 'R', 'M',
   'S' (A or R), or 0 where they do not tell.  */
char tb_elf_attributes_profile (const uint8_t *data, size_t size);

/* The number of the architecture, Tag_CPU_arch; 0: they do not tell.  */
unsigned tb_elf_attributes_arch (const uint8_t *data, size_t size);

#endif /* TB_SNAPSHOT_ELF_ATTRIBUTES_H */
