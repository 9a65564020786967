/* Where an ELF file has call frame information.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB unwinds such code with nothing but the PC; in any other 32-bit Arm code
   it needs SP, LR, the status register and the frame pointer, or gets stuck.  */

#ifndef TB_GDBSTUB_CFI_H
#define TB_GDBSTUB_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct cfi;

/* Read .debug_frame and .eh_frame of the ELF file PATH into *CFI; NULL: it has neither,
   or cannot be read, which a warning tells.  False: no memory.  */
bool cfi_open (struct cfi **cfi, const char *path, struct tb_diag *diag);
void cfi_close (struct cfi *cfi);

/* What CFI, which may be NULL, is of was loaded BIAS above the addresses in its file.  */
void cfi_move (struct cfi *cfi, uint64_t bias);

bool cfi_covers (const struct cfi *cfi, uint64_t pc);

#endif /* TB_GDBSTUB_CFI_H */
