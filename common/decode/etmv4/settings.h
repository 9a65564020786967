/* What the registers of an ETMv4 or ETE trace unit say about its trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Embedded Trace Macrocell Architecture Specification ETMv4
   (IHI 0064), chapter 7, "Register descriptions"; ETE: Arm Architecture
   Reference Manual (DDI 0487), chapter D.  */

#ifndef TB_DECODE_ETMV4_SETTINGS_H
#define TB_DECODE_ETMV4_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "decode/accesses.h"
#include "decode/unit.h"
#include "snapshot/snapshot.h"

/* The registers that matter, and the core.  Ask them by the functions below. */
struct tb_etmv4_config
{
  uint32_t configr;		/* TRCCONFIGR  */
  uint32_t idr0, idr1, idr2;	/* TRCIDR0 to 2  */
  uint32_t max_speculation;	/* TRCIDR8.MAXSPEC: P0 elements.  */
  /* TRCIDR12, 13: how many keys tie results to conditional instructions, and how many
     of these are special; 0: not known.  */
  uint32_t condition_keys, special_keys;
  uint8_t version;		/* 0x40 to 0x4f ETMv4.0 to v4.15; 0x50 and up
				   ETE.  */
  bool is_m;			/* The core is of the M profile.  */
  bool is_v8;			/* Armv8 or later.  */
};

/* TRCTRACEIDR.  */
extern const struct tb_unit_register *const tb_etmv4_traceidr;

/* Read the registers of REPORT->source.  What is missing takes the value that a plain
   trace unit has, and is reported.  */
void tb_etmv4_config_read (struct tb_etmv4_config *config,
			   const struct tb_profile *profile,
			   struct tb_unit_report *report);

static inline bool
tb_etmv4_is_ete (const struct tb_etmv4_config *c)
{
  return c->version >= 0x50;
}

/* TRCIDR0.  */

static inline bool
tb_etmv4_has_conditional_trace (const struct tb_etmv4_config *c)
{
  return c->idr0 >> 6 & 1;	/* TRCCOND  */
}

static inline bool
tb_etmv4_has_cycle_counts (const struct tb_etmv4_config *c)
{
  return c->idr0 >> 7 & 1;	/* TRCCCI  */
}

static inline bool
tb_etmv4_has_q (const struct tb_etmv4_config *c)
{
  return (c->idr0 >> 15 & 3) != 0;	/* QSUPP  */
}

/* Cycle count packets do not say how many elements they commit.  */
static inline bool
tb_etmv4_commit_mode_1 (const struct tb_etmv4_config *c)
{
  return (c->idr0 >> 29 & 1) && tb_etmv4_has_cycle_counts (c);	/* COMMOPT  */
}

/* A transaction start is a P0 element.  */
static inline bool
tb_etmv4_transaction_is_p0 (const struct tb_etmv4_config *c)
{
  return !(c->idr0 >> 30 & 1);	/* COMMTRANS  */
}

/* ETMv4.6, ETEv1.1: timestamps belong to timestamp marker elements.  */
static inline bool
tb_etmv4_has_timestamp_marker (const struct tb_etmv4_config *c)
{
  return c->version >= 0x46 && (c->idr0 >> 23 & 1);	/* TSMARK  */
}

/* TRCIDR2.  */

/* Bytes of a context ID in packets.  */
static inline unsigned
tb_etmv4_context_id_bytes (const struct tb_etmv4_config *c)
{
  return (c->idr2 >> 5 & 0x1f) == 4 ? 4 : 0;	/* CIDSIZE  */
}

/* Bytes of a virtual context ID in packets.  */
static inline unsigned
tb_etmv4_vmid_bytes (const struct tb_etmv4_config *c)
{
  unsigned size = c->idr2 >> 10 & 0x1f;		/* VMIDSIZE  */
  return size == 1 || size == 2 || size == 4 ? size : 0;
}

/* Bits of a cycle count.  */
static inline unsigned
tb_etmv4_cycle_bits (const struct tb_etmv4_config *c)
{
  return (c->idr2 >> 25 & 0xf) + 12;	/* CCSIZE  */
}

/* WFI and WFE are P0 elements: waypoints.  */
static inline bool
tb_etmv4_wait_is_branch (const struct tb_etmv4_config *c)
{
  return c->version >= 0x43 && (c->idr2 >> 31);	/* WFXMODE  */
}

/* TRCCONFIGR.  */

/* Which of loads and stores are P0 elements, too: TB_ACCESSES_LOAD,
   TB_ACCESSES_STORE.  */
static inline unsigned
tb_etmv4_accesses (const struct tb_etmv4_config *c)
{
  unsigned instp0 = tb_etmv4_is_ete (c) ? 0 : c->configr >> 1 & 3;	/* INSTP0  */
  return (instp0 & 1 ? TB_ACCESSES_LOAD : 0)
	 | (instp0 & 2 ? TB_ACCESSES_STORE : 0);
}

static inline bool
tb_etmv4_traces_cycles (const struct tb_etmv4_config *c)
{
  return c->configr >> 4 & 1;	/* CCI  */
}

/* Conditional instructions other than branches are traced.  */
static inline bool
tb_etmv4_traces_conditionals (const struct tb_etmv4_config *c)
{
  return tb_etmv4_has_conditional_trace (c)
	 && (c->configr >> 8 & 7) != 0;	/* COND  */
}

/* Their results are the flags, not whether they passed.  */
static inline bool
tb_etmv4_results_are_flags (const struct tb_etmv4_config *c)
{
  return (c->idr0 >> 12 & 3) == 1;	/* CONDTYPE  */
}

static inline bool
tb_etmv4_uses_return_stack (const struct tb_etmv4_config *c)
{
  return c->configr >> 12 & 1;	/* RS  */
}

/* Data address or data value trace comes along.  */
static inline bool
tb_etmv4_traces_data (const struct tb_etmv4_config *c)
{
  return (c->idr0 >> 3 & 3) == 3 && tb_etmv4_accesses (c) != 0
	 && (c->configr >> 16 & 3) != 0;	/* DA, DV  */
}

/* The core.  */

/* An exception return packet is a P0 element (Armv7-M, 6.4 "Exception
   Return packet").  */
static inline bool
tb_etmv4_return_is_p0 (const struct tb_etmv4_config *c)
{
  return c->is_m && !c->is_v8;
}

/* Function return packets exist, and are P0 elements (Armv8-M).  */
static inline bool
tb_etmv4_has_function_return (const struct tb_etmv4_config *c)
{
  return c->is_m && c->is_v8 && c->version >= 0x42;
}

#endif /* TB_DECODE_ETMV4_SETTINGS_H */
