/* Exception types of ETMv4 and ETE (IHI 0064, 6.4 "Exception packet").

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ETMV4_EXCEPTION_H
#define TB_DECODE_ETMV4_EXCEPTION_H

#include <stdbool.h>

/* The number in IPSR of the M-profile exception TYPE; TB_EXCEPTION_UNKNOWN for
   what is no exception of the core (debug halt, lazy floating-point state
   preservation, lockup) and reserved types.  */
unsigned tb_etmv4_m_vector (unsigned type);

/* Does TYPE say that the core stopped for the debugger?  */
bool tb_etmv4_is_halt (unsigned type, bool is_m);

/* A, R and M profile: the type's name in the specification; NULL if it is
   reserved.  IRQs from 8 on of the M profile are "IRQ".  */
const char *tb_etmv4_exception_name (unsigned type, bool is_m);

/* The address of an M-profile exception that was taken when another one ended:
   no instruction ran in between.  */
#define TB_ETMV4_TAIL_CHAIN 0xfffffffeu

#endif /* TB_DECODE_ETMV4_EXCEPTION_H */
