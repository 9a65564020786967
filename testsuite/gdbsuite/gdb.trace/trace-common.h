/* In place of the file of this name in GDB's test suite, which has no Arm cores of 32 bits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#define FAST_TRACEPOINT_LABEL(name) \
  __asm volatile (".global " #name "\n" \
		  "\t.type " #name ", %function\n" \
		  #name ":\n" \
		  "\tnop")
