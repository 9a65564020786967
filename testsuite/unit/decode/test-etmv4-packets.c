/* Tests of reading ETMv4 and ETE packets: decode/etmv4/packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "decode/etmv4/packet.h"

/* Trace units.  */
enum unit
{
  PLAIN,			/* ETMv4.2, A profile, no speculation.  */
  NEWER,			/* ETMv4.6 with Q elements.  */
  SPECULATING,			/* COMMOPT 0, 64 P0 elements, 12-bit counts.  */
  SMALL,			/* No context IDs.  */
  CONDITIONAL, DATA, M33, ETE13,
  NUNITS
};

static const struct tb_etmv4_config units[NUNITS] =
{
  [PLAIN] = { .configr = 1, .idr0 = 0x28000ea1, .idr2 = 0x488,
	      .version = 0x42, .is_v8 = true },
  [NEWER] = { .configr = 1, .idr0 = 0x28018ea1, .idr2 = 0x1088,
	      .version = 0x46, .is_v8 = true },
  [SPECULATING] = { .configr = 0x11, .idr0 = 0x08000ea1, .idr2 = 0x888,
		    .max_speculation = 64, .version = 0x42, .is_v8 = true },
  [SMALL] = { .configr = 1, .idr0 = 0x28000ea1, .idr2 = 8, .version = 0x40,
	      .is_v8 = true },
  [CONDITIONAL] = { .configr = 0x701, .idr0 = 0x28000ee1, .idr2 = 0x488,
		    .version = 0x42 },
  [DATA] = { .configr = 0x30007, .idr0 = 0x28000eff, .idr2 = 0x488,
	     .version = 0x42 },
  [M33] = { .configr = 1, .idr0 = 0x28000ea1, .idr2 = 4, .version = 0x42,
	    .is_m = true, .is_v8 = true },
  [ETE13] = { .configr = 1, .idr0 = 0x2881cea1, .idr2 = 0xd0001088,
	      .version = 0x53, .is_v8 = true },
};

/* Context information, for rows that have it.  */
#define CONTEXT(...) .context = { .present = true, __VA_ARGS__ }

static const struct row
{
  uint8_t bytes[20];
  uint8_t length;		/* All of them are one packet.  */
  uint8_t unit;			/* enum unit  */
  struct tb_etmv4_packet want;
} rows[] =
{
  /* Extension: alignment synchronisation, discard, overflow.  */
  { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 }, 12, PLAIN,
    { .type = TB_ETMV4_ASYNC } },
  { { 0x00, 0x03 }, 2, PLAIN, { .type = TB_ETMV4_DISCARD } },
  { { 0x00, 0x05 }, 2, PLAIN, { .type = TB_ETMV4_OVERFLOW } },
  /* Trace Info: nothing; everything; a longer control field.  */
  { { 0x01, 0x00 }, 2, PLAIN, { .type = TB_ETMV4_TRACE_INFO } },
  { { 0x01, 0x01, 0x01 }, 3, PLAIN, { .type = TB_ETMV4_TRACE_INFO } },
  { { 0x01, 0x0f, 0xc1, 0x00, 0x07, 0x85, 0x01, 0x80, 0x02 }, 9, PLAIN,
    { .type = TB_ETMV4_TRACE_INFO, .count = 133, .cycles = 256,
      .in_transaction = true } },
  { { 0x01, 0x9f, 0x00, 0x00, 0x00, 0x09, 0x03, 0x01 }, 8, PLAIN,
    { .type = TB_ETMV4_TRACE_INFO, .count = 9, .cycles = 3 } },
  /* Timestamps.  */
  { { 0x02, 0x7f }, 2, PLAIN,
    { .type = TB_ETMV4_TIMESTAMP, .value = 0x7f, .bits = 7 } },
  { { 0x02, 0x81, 0x82, 0x03 }, 4, PLAIN,
    { .type = TB_ETMV4_TIMESTAMP, .value = 0xc101, .bits = 21 } },
  { { 0x02, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xff }, 10, PLAIN,
    { .type = TB_ETMV4_TIMESTAMP, .value = UINT64_C (0xff) << 56,
      .bits = 64 } },
  { { 0x03, 0x05, 0x85, 0x01 }, 4, PLAIN,
    { .type = TB_ETMV4_TIMESTAMP, .value = 5, .bits = 7, .has_cycles = true,
      .cycles = 133 } },
  { { 0x03, 0x05, 0xff, 0xff, 0x7f }, 5, PLAIN,
    { .type = TB_ETMV4_TIMESTAMP, .value = 5, .bits = 7, .has_cycles = true,
      .cycles = 0xfff } },
  /* A count has no fourth byte.  */
  { { 0x03, 0x05, 0xff, 0xff, 0xff }, 5, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x04 }, 1, PLAIN, { .type = TB_ETMV4_TRACE_ON } },
  /* Function return: only Armv8-M.  */
  { { 0x05 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x05 }, 1, M33, { .type = TB_ETMV4_FUNCTION_RETURN } },
  /* Exceptions: one and two information bytes.  */
  { { 0x06, 0x1d }, 2, PLAIN,
    { .type = TB_ETMV4_EXCEPTION, .exception = 14 } },
  { { 0x06, 0x5c }, 2, PLAIN,
    { .type = TB_ETMV4_EXCEPTION, .exception = 14, .same_address = true } },
  { { 0x06, 0x5d }, 2, PLAIN,
    { .type = TB_ETMV4_EXCEPTION, .exception = 14 } },
  { { 0x06, 0x91, 0x10 }, 3, M33,
    { .type = TB_ETMV4_EXCEPTION, .exception = 0x208 } },
  { { 0x06, 0x81, 0x3f }, 3, M33,
    { .type = TB_ETMV4_EXCEPTION, .exception = 0x3e0 } },
  { { 0x07 }, 1, PLAIN, { .type = TB_ETMV4_EXCEPTION_RETURN } },
  { { 0x07 }, 1, ETE13, { .type = TB_ETMV4_BAD } },
  { { 0x06, 0x01, 0x00 }, 3, ETE13, { .type = TB_ETMV4_PE_RESET } },
  { { 0x06, 0x31, 0x00 }, 3, ETE13,
    { .type = TB_ETMV4_TRANSACTION_FAIL, .exception = 0x18 } },
  { { 0x06, 0x1d }, 2, ETE13,
    { .type = TB_ETMV4_EXCEPTION, .exception = 14 } },
  /* ETE's own.  */
  { { 0x09, 0x01, 1, 2, 3, 4, 5, 6, 7, 8 }, 10, ETE13,
    { .type = TB_ETMV4_INSTRUMENTATION, .el = 1,
      .value = UINT64_C (0x0807060504030201) } },
  { { 0x09 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x0a }, 1, ETE13, { .type = TB_ETMV4_TRANSACTION_START } },
  { { 0x0b }, 1, ETE13, { .type = TB_ETMV4_TRANSACTION_COMMIT } },
  { { 0x0a }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x88 }, 1, NEWER, { .type = TB_ETMV4_TIMESTAMP_MARKER } },
  { { 0x88 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0xb1 }, 1, ETE13, { .type = TB_ETMV4_SOURCE_EXACT, .is = 1 } },
  { { 0xb4, 0x41 }, 2, ETE13,
    { .type = TB_ETMV4_SOURCE_SHORT, .value = 0x104, .bits = 9 } },
  { { 0xb5, 0x81, 0x01 }, 3, ETE13,
    { .type = TB_ETMV4_SOURCE_SHORT, .value = 0x102, .bits = 16, .is = 1 } },
  { { 0xb6, 0x01, 0x01, 0x03, 0x04 }, 5, ETE13,
    { .type = TB_ETMV4_SOURCE_32, .value = 0x04030204, .bits = 32 } },
  { { 0xb9, 0x01, 2, 3, 4, 5, 6, 7, 8 }, 9, ETE13,
    { .type = TB_ETMV4_SOURCE_64, .value = UINT64_C (0x0807060504030202),
      .bits = 64, .is = 1 } },
  { { 0xb0 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  /* Cycle counts.  With COMMOPT 1 nothing is committed.  */
  { { 0x0c, 0x35 }, 2, PLAIN,
    { .type = TB_ETMV4_CYCLES_2, .has_cycles = true, .plus_threshold = true,
      .cycles = 5 } },
  { { 0x0c, 0x35 }, 2, SPECULATING,
    { .type = TB_ETMV4_CYCLES_2, .has_cycles = true, .plus_threshold = true,
      .cycles = 5, .count = 4 } },
  { { 0x0d, 0x35 }, 2, SPECULATING,
    { .type = TB_ETMV4_CYCLES_2, .has_cycles = true, .plus_threshold = true,
      .cycles = 5, .count = 52 } },
  { { 0x0e, 0x85, 0x01 }, 3, PLAIN,
    { .type = TB_ETMV4_CYCLES_1, .has_cycles = true, .plus_threshold = true,
      .cycles = 133 } },
  { { 0x0e, 0x07, 0x85, 0x01 }, 4, SPECULATING,
    { .type = TB_ETMV4_CYCLES_1, .has_cycles = true, .plus_threshold = true,
      .cycles = 133, .count = 7 } },
  { { 0x0f }, 1, PLAIN, { .type = TB_ETMV4_CYCLES_1 } },
  { { 0x0f, 0x07 }, 2, SPECULATING,
    { .type = TB_ETMV4_CYCLES_1, .count = 7 } },
  { { 0x16 }, 1, PLAIN,
    { .type = TB_ETMV4_CYCLES_3, .has_cycles = true, .plus_threshold = true,
      .cycles = 2 } },
  { { 0x16 }, 1, SPECULATING,
    { .type = TB_ETMV4_CYCLES_3, .has_cycles = true, .plus_threshold = true,
      .cycles = 2, .count = 2 } },
  /* Data synchronisation markers.  */
  { { 0x23 }, 1, DATA, { .type = TB_ETMV4_DATA_SYNC_MARKER, .value = 3 } },
  { { 0x2c }, 1, DATA, { .type = TB_ETMV4_DATA_SYNC_MARKER, .value = 12 } },
  { { 0x23 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  /* Speculation.  */
  { { 0x2d, 0x83, 0x01 }, 3, SPECULATING,
    { .type = TB_ETMV4_COMMIT, .count = 131 } },
  { { 0x2e, 0x05 }, 2, SPECULATING,
    { .type = TB_ETMV4_CANCEL_1, .count = 5 } },
  { { 0x2f, 0x05 }, 2, SPECULATING,
    { .type = TB_ETMV4_CANCEL_1_MISPREDICT, .count = 5 } },
  { { 0x30 }, 1, SPECULATING, { .type = TB_ETMV4_MISPREDICT } },
  { { 0x31 }, 1, SPECULATING,
    { .type = TB_ETMV4_MISPREDICT, .natoms = 1, .atoms = 1 } },
  { { 0x32 }, 1, SPECULATING,
    { .type = TB_ETMV4_MISPREDICT, .natoms = 2, .atoms = 3 } },
  { { 0x33 }, 1, SPECULATING, { .type = TB_ETMV4_MISPREDICT, .natoms = 1 } },
  { { 0x36 }, 1, SPECULATING,
    { .type = TB_ETMV4_CANCEL_2, .count = 1, .natoms = 2, .atoms = 3 } },
  { { 0x3c }, 1, SPECULATING, { .type = TB_ETMV4_CANCEL_3, .count = 4 } },
  { { 0x3f }, 1, SPECULATING,
    { .type = TB_ETMV4_CANCEL_3, .count = 5, .natoms = 1, .atoms = 1 } },
  /* Conditional instructions.  */
  { { 0x41 }, 1, CONDITIONAL, { .type = TB_ETMV4_CONDITIONAL_2, .value = 1 } },
  { { 0x43 }, 1, CONDITIONAL, { .type = TB_ETMV4_CONDITIONAL_FLUSH } },
  { { 0x46 }, 1, CONDITIONAL, { .type = TB_ETMV4_RESULT_4, .value = 2 } },
  { { 0x47 }, 1, CONDITIONAL, { .type = TB_ETMV4_BAD } },
  { { 0x4a }, 1, CONDITIONAL, { .type = TB_ETMV4_RESULT_2, .value = 2 } },
  { { 0x4d }, 1, CONDITIONAL, { .type = TB_ETMV4_RESULT_2, .value = 5 } },
  { { 0x5a, 0xff }, 2, CONDITIONAL, { .type = TB_ETMV4_RESULT_3, .value = 0xaff } },
  { { 0x69, 0x81, 0x02, 0x93, 0x84, 0x05 }, 6, CONDITIONAL,
    { .type = TB_ETMV4_RESULT_1, .natoms = 2, .atoms = 0x0311,
      .value = 0x10 | UINT64_C (0x1421) << 32 } },
  { { 0x6e, 0x81, 0x02 }, 3, CONDITIONAL,
    { .type = TB_ETMV4_RESULT_1, .natoms = 1, .atoms = 0x01, .value = 0x10 } },
  { { 0x6c, 0x81, 0x02 }, 3, CONDITIONAL,
    { .type = TB_ETMV4_CONDITIONAL_1, .value = 0x101 } },
  { { 0x6d, 0x85 }, 2, CONDITIONAL,
    { .type = TB_ETMV4_CONDITIONAL_3, .value = 0x85 } },
  { { 0x6d }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  /* Ignore from ETMv4.3 on; events.  */
  { { 0x70 }, 1, NEWER, { .type = TB_ETMV4_IGNORE } },
  { { 0x70 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x71 }, 1, PLAIN, { .type = TB_ETMV4_EVENT, .value = 1 } },
  { { 0x7f }, 1, PLAIN, { .type = TB_ETMV4_EVENT, .value = 15 } },
  /* Context: as before; EL1, non-secure, A64; with IDs; with IDs that this
     trace unit does not have.  */
  { { 0x80 }, 1, PLAIN, { .type = TB_ETMV4_CONTEXT } },
  { { 0x81, 0x31 }, 2, PLAIN,
    { .type = TB_ETMV4_CONTEXT, CONTEXT (.el = 1, .ns = true, .sf = true) } },
  { { 0x81, 0xf2, 0x12, 1, 2, 3, 4 }, 7, PLAIN,
    { .type = TB_ETMV4_CONTEXT,
      CONTEXT (.el = 2, .ns = true, .sf = true, .has_vmid = true,
	       .has_cid = true, .vmid = 0x12, .cid = 0x04030201) } },
  { { 0x81, 0x42, 0x12, 0x34 }, 4, SPECULATING,
    { .type = TB_ETMV4_CONTEXT,
      CONTEXT (.el = 2, .has_vmid = true, .vmid = 0x3412) } },
  { { 0x81, 0xc3 }, 2, SMALL,
    { .type = TB_ETMV4_CONTEXT, CONTEXT (.el = 3) } },
  { { 0x81, 0x3a }, 2, ETE13,
    { .type = TB_ETMV4_CONTEXT,
      CONTEXT (.el = 2, .ns = true, .nse = true, .sf = true) } },
  /* Addresses.  */
  { { 0x92 }, 1, PLAIN, { .type = TB_ETMV4_ADDRESS_EXACT, .is = 2 } },
  { { 0x93 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x95, 0x41 }, 2, PLAIN,
    { .type = TB_ETMV4_ADDRESS_SHORT, .value = 0x104, .bits = 9 } },
  { { 0x95, 0xc1, 0xff }, 3, PLAIN,
    { .type = TB_ETMV4_ADDRESS_SHORT, .value = 0x1ff04, .bits = 17 } },
  { { 0x96, 0xc1, 0xff }, 3, PLAIN,
    { .type = TB_ETMV4_ADDRESS_SHORT, .value = 0xff82, .bits = 16,
      .is = 1 } },
  { { 0x9a, 0x01, 0x81, 0x03, 0x04 }, 5, PLAIN,
    { .type = TB_ETMV4_ADDRESS_32, .value = 0x04030204, .bits = 32 } },
  { { 0x9b, 0x01, 0x81, 0x03, 0x04 }, 5, PLAIN,
    { .type = TB_ETMV4_ADDRESS_32, .value = 0x04038102, .bits = 32,
      .is = 1 } },
  { { 0x9d, 0x7f, 0x7f, 3, 4, 5, 6, 7, 8 }, 9, PLAIN,
    { .type = TB_ETMV4_ADDRESS_64, .value = UINT64_C (0x080706050403fffc),
      .bits = 64 } },
  { { 0x9e, 0x7f, 0xff, 3, 4, 5, 6, 7, 8 }, 9, PLAIN,
    { .type = TB_ETMV4_ADDRESS_64, .value = UINT64_C (0x080706050403fffe),
      .bits = 64, .is = 1 } },
  { { 0x82, 0x01, 0x01, 0x03, 0x04, 0x31 }, 6, PLAIN,
    { .type = TB_ETMV4_ADDRESS_CONTEXT_32, .value = 0x04030204, .bits = 32,
      CONTEXT (.el = 1, .ns = true, .sf = true) } },
  { { 0x83, 0x01, 0x01, 0x03, 0x04, 0x20 }, 6, PLAIN,
    { .type = TB_ETMV4_ADDRESS_CONTEXT_32, .value = 0x04030102, .bits = 32,
      .is = 1, CONTEXT (.ns = true) } },
  { { 0x85, 1, 1, 3, 4, 5, 6, 7, 8, 0xb1, 9, 0, 0, 0 }, 14, PLAIN,
    { .type = TB_ETMV4_ADDRESS_CONTEXT_64,
      .value = UINT64_C (0x0807060504030204), .bits = 64,
      CONTEXT (.el = 1, .ns = true, .sf = true, .has_cid = true,
	       .cid = 9) } },
  { { 0x84 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  /* Q elements.  */
  { { 0xa0, 0x05 }, 2, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true,
      .address_type = TB_ETMV4_ADDRESS_EXACT, .count = 5 } },
  { { 0xa2, 0x85, 0x01 }, 3, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true, .is = 2,
      .address_type = TB_ETMV4_ADDRESS_EXACT, .count = 133 } },
  { { 0xa5, 0x41, 0x02 }, 3, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true, .value = 0x104, .bits = 9,
      .address_type = TB_ETMV4_ADDRESS_SHORT, .count = 2 } },
  { { 0xa6, 0xc1, 0x01, 0x02 }, 4, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true, .value = 0x182, .bits = 16,
      .is = 1, .address_type = TB_ETMV4_ADDRESS_SHORT, .count = 2 } },
  { { 0xaa, 1, 1, 3, 4, 0x02 }, 6, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true, .value = 0x04030204,
      .bits = 32, .address_type = TB_ETMV4_ADDRESS_32, .count = 2 } },
  { { 0xab, 1, 1, 3, 4, 0x02 }, 6, NEWER,
    { .type = TB_ETMV4_Q, .has_address = true, .value = 0x04030102,
      .bits = 32, .is = 1, .address_type = TB_ETMV4_ADDRESS_32,
      .count = 2 } },
  { { 0xac, 0x02 }, 2, NEWER, { .type = TB_ETMV4_Q, .count = 2 } },
  { { 0xaf }, 1, NEWER, { .type = TB_ETMV4_Q } },
  { { 0xa3 }, 1, NEWER, { .type = TB_ETMV4_BAD } },
  { { 0xa0 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  /* Atoms; the oldest is bit 0.  */
  { { 0xf6 }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 1 } },
  { { 0xf7 }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 1, .atoms = 1 } },
  { { 0xd9 }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 2, .atoms = 1 } },
  { { 0xda }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 2, .atoms = 2 } },
  { { 0xfc }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 3, .atoms = 4 } },
  { { 0xdc }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 4, .atoms = 0xe } },
  { { 0xdd }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 4 } },
  { { 0xde }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 4, .atoms = 0xa } },
  { { 0xdf }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 4, .atoms = 0x5 } },
  { { 0xd5 }, 1, PLAIN, { .type = TB_ETMV4_ATOM, .natoms = 5 } },
  { { 0xd6 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 5, .atoms = 0x0a } },
  { { 0xd7 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 5, .atoms = 0x15 } },
  { { 0xf5 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 5, .atoms = 0x1e } },
  { { 0xc0 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 4, .atoms = 0xf } },
  { { 0xe0 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 4, .atoms = 0x7 } },
  { { 0xd4 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 24, .atoms = 0xffffff } },
  { { 0xf4 }, 1, PLAIN,
    { .type = TB_ETMV4_ATOM, .natoms = 24, .atoms = 0x7fffff } },
  /* Reserved headers.  */
  { { 0x08 }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0x60 }, 1, CONDITIONAL, { .type = TB_ETMV4_BAD } },
  { { 0x8f }, 1, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0xbf }, 1, ETE13, { .type = TB_ETMV4_BAD } },
  /* What must follow does not.  */
  { { 0x00, 0x07 }, 2, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0, 0, 0, 0, 0, 1 }, 6, PLAIN, { .type = TB_ETMV4_BAD } },
  { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x81 }, 12, PLAIN,
    { .type = TB_ETMV4_BAD } },
  { { 0x2d, 0x80, 0x80, 0x80, 0x80, 0x80 }, 6, SPECULATING,
    { .type = TB_ETMV4_BAD } },
};

static bool
same_packet (const struct tb_etmv4_packet *got,
	     const struct tb_etmv4_packet *want)
{
  const struct tb_etmv4_context *c = &got->context, *w = &want->context;
  if (!CHECK_INT (got->type, want->type))
    return false;
  if (want->type == TB_ETMV4_BAD)
    return true;
  bool same = CHECK_INT (got->natoms, want->natoms);
  same &= CHECK_INT (got->atoms, want->atoms);
  same &= CHECK_INT (got->is, want->is);
  same &= CHECK_INT (got->bits, want->bits);
  same &= CHECK_INT (got->value, want->value);
  same &= CHECK_INT (got->count, want->count);
  same &= CHECK_INT (got->cycles, want->cycles);
  same &= CHECK_INT (got->has_cycles, want->has_cycles);
  same &= CHECK_INT (got->plus_threshold, want->plus_threshold);
  same &= CHECK_INT (got->in_transaction, want->in_transaction);
  same &= CHECK_INT (got->same_address, want->same_address);
  same &= CHECK_INT (got->has_address, want->has_address);
  same &= CHECK_INT (got->address_type, want->address_type);
  same &= CHECK_INT (got->exception, want->exception);
  same &= CHECK_INT (got->el, want->el);
  same &= CHECK_INT (c->present, w->present);
  same &= CHECK_INT (c->has_vmid, w->has_vmid);
  same &= CHECK_INT (c->has_cid, w->has_cid);
  same &= CHECK_INT (c->sf, w->sf);
  same &= CHECK_INT (c->ns, w->ns);
  same &= CHECK_INT (c->nse, w->nse);
  same &= CHECK_INT (c->el, w->el);
  same &= CHECK_INT (c->vmid, w->vmid);
  same &= CHECK_INT (c->cid, w->cid);
  return same;
}

static struct tb_etmv4_table tables[NUNITS];

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct row *row = &rows[i];
      const struct tb_etmv4_table *table = &tables[row->unit];
      struct tb_etmv4_packet packet;
      /* In memory of its own length, so that reading on would be noticed.  */
      uint8_t *bytes = malloc (row->length);
      if (!CHECK (bytes != NULL))
	return;
      memcpy (bytes, row->bytes, row->length);
      size_t size = tb_etmv4_packet_read (table, bytes, row->length, &packet);
      bool right = same_packet (&packet, &row->want);
      right &= CHECK_INT (size, row->length);
      if (!right)
	fprintf (stderr, "row %zu: %02x %02x ..., unit %d\n", i, bytes[0],
		 row->length > 1 ? bytes[1] : 0, row->unit);
      free (bytes);

      /* Cut short it is not whole; what is not a packet may be known earlier. */
      for (size_t cut = 1; cut < row->length; cut++)
	{
	  bytes = malloc (cut);
	  if (!CHECK (bytes != NULL))
	    return;
	  memcpy (bytes, row->bytes, cut);
	  CHECK_INT (tb_etmv4_packet_read (table, bytes, cut, &packet), 0);
	  free (bytes);
	}
    }
}

/* No two bytes and whatever follows them make a packet longer than said.  */
static void
test_longest (void)
{
  uint8_t bytes[64];
  for (int unit = 0; unit < NUNITS; unit++)
    for (unsigned first = 0; first < 256; first++)
      for (unsigned fill = 0; fill < 256; fill++)
	{
	  struct tb_etmv4_packet packet;
	  memset (bytes, (int) fill, sizeof bytes);
	  bytes[0] = (uint8_t) first;
	  size_t size = tb_etmv4_packet_read (&tables[unit], bytes,
					      TB_ETMV4_PACKET_MAX, &packet);
	  if (!CHECK (size > 0 && size <= TB_ETMV4_PACKET_MAX))
	    return;
	}
}

int
main (void)
{
  for (int unit = 0; unit < NUNITS; unit++)
    tb_etmv4_table_init (&tables[unit], &units[unit]);
  test_rows ();
  test_longest ();
  return check_done ();
}
