/* What kinds of trace units there are, for trace whose unit nothing tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Trace without the registers of its unit can be decoded where it shows them: with wrong
   ones there are reserved packets, or paths that the code does not have.  Each protocol
   has a list of the kinds of units that send it; each kind has the registers that such a
   unit has, and those of their bits that differ between units and that trace may show.  */

#ifndef TB_DECODE_KIND_H
#define TB_DECODE_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct tb_kind_register
{
  uint32_t id;
  const char *name;
  uint32_t value;
};

/* The most registers of a kind, that of the trace ID with them.  */
#define TB_KIND_REGISTERS 8
#define TB_KIND_VALUES 10

#define TB_KIND_PACKET(type) (UINT64_C (1) << (type))

/* A setting: bits of a register.  */
struct tb_kind_setting
{
  const char *says;		/* "the return stack"  */
  uint32_t id;			/* Of one of the kind's registers.  */
  uint32_t mask;
  /* Bits of packet types (TB_KIND_PACKET) without which there is nothing to try; 0: it is
     always tried.  */
  uint64_t packets;
  uint8_t nvalues;		/* 0: any number from the first value to the second.  */
  /* What the bits may be, the likeliest first, which is what the kind's register has.  Of
     numbers the least that makes as much sense of the trace as the greatest.  */
  uint32_t values[TB_KIND_VALUES];
};

struct tb_kind
{
  const char *type;		/* As a snapshot calls the device.  */
  /* Cores of which profile it traces: 'M', 'A' (and R), 0: any.  */
  char profile;
  uint8_t nregisters, nsettings;
  /* The first one has the trace ID, from bit ID_SHIFT on.  */
  uint8_t id_shift;
  const struct tb_kind_register *registers;
  const struct tb_kind_setting *settings;
};

#endif /* TB_DECODE_KIND_H */
