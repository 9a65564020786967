/* Generated Tarmac logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_BENCH_TARMAC_GENERATE_H
#define TB_BENCH_TARMAC_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

/* Where the program's data lie.  */
#define TARMAC_ARRAY UINT32_C (0x20000000)
#define TARMAC_ARRAY_SIZE 65536

/* Write a log of SIZE bytes, about, into the file PATH: of the Cortex-M test benches
   (RTL), or of a model of a core with A64.  The lines tell of one machine, whose
   program calls functions that go through loops and change an array and the
   stack.  */
bool tarmac_generate (const char *path, bool rtl, uint64_t size);

#endif /* TB_BENCH_TARMAC_GENERATE_H */
