/* An encoder of ETMv4 and ETE instruction trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Embedded Trace Macrocell Architecture Specification ETMv4
   (IHI 0064), chapters 2 "Trace elements" and 6 "Packets"; Arm Architecture
   Reference Manual (DDI 0487), chapter D, "ETE protocol descriptions".  */

#ifndef GEN_ENCODE_ETMV4_H
#define GEN_ENCODE_ETMV4_H

#include "generator/trace.h"

struct gen_etmv4_options
{
  bool ete;			/* MINOR is then that of ETE.  */
  bool markers;			/* Timestamps come with a marker.  */
  unsigned sources;		/* ETE, in 100th of taken branches: the address of
				   the branch instead of an atom.  */
  bool instrumentation, transactions, resets;	/* ETE  */
  bool start_is_p0;		/* TRCIDR0.COMMTRANS is 0.  */
  bool function_returns;	/* Armv8-M, from ETMv4.2 on.  */
  bool conditionals;		/* Packets of conditional instructions ...  */
  bool flags;			/* ... of which results are the flags ...  */
  unsigned keys, special;	/* ... with keys; 0: the registers do not say.  */
  bool loads, stores;		/* They have atoms, too: TRCCONFIGR.INSTP0.  */
  bool accesses_pass;		/* Whose atoms are E whatever the condition.  */
  unsigned q;			/* In 100th of waypoints: a Q element.  */
  bool return_stack, timestamps, cycle_counts, broadcast;
  bool context_id;
  bool commit_mode_1;		/* TRCIDR0.COMMOPT  */
  bool tail_returns;		/* An exception return packet comes before a tail
				   chain.  */
  bool wait_is_branch;		/* TRCIDR2.WFXMODE  */
  uint8_t vmid_bytes;		/* 0, 1, 2 or 4.  */
  uint8_t minor;		/* ETMv4.N  */
  uint8_t cycle_bits;		/* 12 to 20.  */
  uint32_t max_speculation;	/* TRCIDR8  */
  uint32_t threshold;		/* Cycle counts below are not traced.  */
  unsigned wrong_paths;		/* In 100th of branches.  */
};

#define GEN_ETMV4_REGISTERS 9

/* Random options that fit the architecture.  */
void gen_etmv4_choose (struct gen_etmv4_options *options, enum gen_arch arch,
		       struct gen_random *random);

void gen_etmv4_registers (const struct gen_etmv4_options *options,
			  enum gen_arch arch, unsigned trace_id,
			  struct gen_register registers[GEN_ETMV4_REGISTERS]);

/* Encode WALK.  */
void gen_etmv4_encode (struct gen_trace *trace, const struct gen_walk *walk,
		       const struct gen_etmv4_options *options,
		       struct gen_random *random);

#endif /* GEN_ENCODE_ETMV4_H */
