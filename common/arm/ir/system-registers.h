/* System registers of A32 and T32: which of their bits are which slots.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The same rows describe MRS, MSR and exception returns (arm/lift/system.c), and what
   exceptions save and restore (state/window/system.c).

   Source: DDI 0419, B1.4.2 (xPSR), B1.4.4 (CONTROL); DDI 0403 and DDI 0553, the same
   registers; DDI 0406, B1.3.3 (CPSR).  */

#ifndef TB_ARM_IR_SYSTEM_REGISTERS_H
#define TB_ARM_IR_SYSTEM_REGISTERS_H

#include "arm/ir/semantics.h"

/* WIDTH bits of a register, from bit AT up, are the value of SLOT (enum tb_place).  */
struct tb_system_field
{
  uint8_t slot, at, width;
  bool system;			/* Only privileged code writes it.  */
};

/* A register: COUNT fields.  Of its other bits those of ZERO are always 0.  */
struct tb_system_register
{
  const struct tb_system_field *fields;
  unsigned count;
  uint32_t zero;
};

/* Those of the CPSR, of all architectures; the last one is the mode.  */
enum { TB_CPSR_FIELDS = 8 };
extern const struct tb_system_field tb_cpsr_fields[TB_CPSR_FIELDS];

/* The CPSR (M profile: xPSR) of PROFILE, as exceptions save it.  Little-endian data is
   taken for granted.  The last field is the mode (the exception's number).  */
struct tb_system_register tb_system_psr (const struct tb_profile *profile);

/* CONTROL of PROFILE, one of M.  The last field is SPSEL.  */
struct tb_system_register tb_system_control (const struct tb_profile *profile);

/* Bits of the CPSR that are of the execution state: MRS reads them as 0 (DDI 0406,
   B9.3.8).  */
#define TB_CPSR_EXECUTION UINT32_C (0x0700fc20)

/* The immediate of TB_OP_FIELD.  */
#define TB_FIELD(at, width) ((uint32_t) (at) | (uint32_t) (width) << 8)
#define TB_FIELD_AT(imm) ((unsigned) (imm) & 255)
#define TB_FIELD_WIDTH(imm) ((unsigned) (imm) >> 8)

/* So many low bits.  */
static inline uint32_t
tb_field_ones (unsigned width)
{
  return (UINT32_C (1) << width) - 1;
}

#endif /* TB_ARM_IR_SYSTEM_REGISTERS_H */
