/* The registers of a trace unit that its trace is decoded by.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each protocol has one table of the registers that it reads.  Where a snapshot lacks
   a register, decoding assumes a value in its place.  A report lists the registers that
   are missing and the values assumed.  */

#ifndef TB_DECODE_UNIT_H
#define TB_DECODE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/snapshot.h"
#include "util/buffer.h"
#include "util/diag.h"

struct tb_unit_register
{
  uint32_t id;
  const char *name;
  const char *tells;		/* What decoding needs it for.  */
};

/* A register that is not there.  */
struct tb_unit_missing
{
  const struct tb_unit_register *reg;
  bool matters;			/* Trace may be decoded wrongly without it.  */
  uint32_t value;		/* Taken in its place ...  */
  const char *taken;		/* ... or, unless NULL, what is instead.  */
};

#define TB_UNIT_MISSING 12

struct tb_unit_report
{
  const struct tb_device *source;
  unsigned count;
  struct tb_unit_missing missing[TB_UNIT_MISSING];
  /* The unit sends data as well.  */
  bool sends_addresses, sends_values;
  /* What the authentication status register said, and that it did.  */
  bool has_permissions;
  uint32_t permissions;
};

/* The value of REG of REPORT->source, the low 32 bits; ABSENT where there is none,
   which is reported, and whether it MATTERS.  */
uint32_t tb_unit_read (struct tb_unit_report *report,
		       const struct tb_unit_register *reg, uint32_t absent,
		       bool matters);

/* Report that REG is missing, and in words what is TAKEN.  */
void tb_unit_lacks (struct tb_unit_report *report,
		    const struct tb_unit_register *reg, const char *taken,
		    bool matters);

/* Read which states the system lets be traced (TRCAUTHSTATUS, ETMAUTHSTATUS: both
   0x3ee).  */
void tb_unit_read_permissions (struct tb_unit_report *report);

/* Append the states that could not be traced when the registers were read: "secure,
   hypervisor"; nothing if that is not known, or there are none.  What ran there is
   in no trace: it is in its gaps.  */
void tb_unit_untraced (struct tb_buffer *text,
		       const struct tb_unit_report *report);

/* Append what is MISSING, what is taken and what that is for: "ETMCR (0x000),
   0x00000000 is taken: ...".  */
void tb_unit_text (struct tb_buffer *text,
		   const struct tb_unit_missing *missing);

/* Tell DIAG (warnings where it matters, else notes) what is missing.  */
void tb_unit_say (const struct tb_unit_report *report, struct tb_diag *diag);

#endif /* TB_DECODE_UNIT_H */
