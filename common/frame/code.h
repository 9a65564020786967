/* Code that ran near a step, as bytes that are certain.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The state knows bytes of read-only memory.  Of code that is in a dump of which
   it is not known whether the program writes it, it does not; but what ran was
   what the trace was followed by, so the bytes of instructions that ran near a
   step are as certain as the trace is.  Those of others are not: data may stand
   beside code.  */

#ifndef TB_FRAME_CODE_H
#define TB_FRAME_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"

struct tb_code;

/* RECORDING is borrowed.  NULL: no memory.  */
struct tb_code *tb_code_new (struct tb_recording *recording);
void tb_code_free (struct tb_code *code);

/* Find out what ran near step NUMBER, some hundred steps on either side.  */
void tb_code_near (struct tb_code *code, uint64_t number);

/* Where ORIGINS says TB_UNKNOWN of the LENGTH bytes from ADDRESS on and an
   instruction is known to have run there, set the byte and its origin.  */
void tb_code_fill (const struct tb_code *code, enum tb_space space,
		   uint64_t address, uint8_t *bytes, uint8_t *origins,
		   size_t length);

#endif /* TB_FRAME_CODE_H */
