/* What ETMv3 and PTM have in common: registers, branch addresses, timestamps
   and contexts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: Embedded Trace Macrocell Architecture Specification (IHI 0014Q),
   chapters 3 and 7; CoreSight Program Flow Trace Architecture Specification
   (IHI 0035B), chapters 3 and 4.  */

#ifndef TB_DECODE_V7TRACE_H
#define TB_DECODE_V7TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "decode/decoder.h"
#include "decode/element.h"
#include "decode/unit.h"
#include "snapshot/memmap.h"
#include "snapshot/snapshot.h"
#include "util/diag.h"

/* Registers.  */

/* The registers that matter, and the core.  Ask them by the functions below.
   The specifications number registers by word.  */
struct tb_v7_settings
{
  uint32_t cr;			/* ETMCR, 0x000  */
  uint32_t idr;			/* ETMIDR, 0x079  */
  uint32_t ccer;		/* ETMCCER, 0x07a  */
  bool is_ptm;
  bool is_m;			/* The core is of the M profile.  */
};

/* Read the registers of REPORT->source.  What is missing takes the value that such
   trace units have, and is reported.  PROFILE may be NULL.  */
void tb_v7_settings_read (struct tb_v7_settings *settings,
			  const struct tb_profile *profile, bool is_ptm,
			  struct tb_unit_report *report);

/* ETMTRACEIDR, 0x080; TB_ID_NONE where there is none.  */
unsigned tb_v7_trace_id (const struct tb_device *source);

/* The bytes of CONFIG's source.  NULL after a diagnostic.  */
struct tb_stream *tb_v7_stream_open (const struct tb_decoder_config *config,
				     struct tb_diag *diag);

/* Does TYPE begin with NAME and then, perhaps after a "v" or a separator, the
   digit MAJOR ("ETM3.5", "etm-v3.5", "PTM1.1")?  With MAJOR 0 the rest does not
   matter, as long as it is no letter.  */
bool tb_v7_type_matches (const char *type, const char *name, int major);

/* Y of version X.Y.  */
static inline unsigned
tb_v7_minor (const struct tb_v7_settings *s)
{
  return s->idr >> 4 & 0xf;
}

static inline bool
tb_v7_cycle_accurate (const struct tb_v7_settings *s)
{
  return s->cr >> 12 & 1;
}

static inline unsigned
tb_v7_context_id_bytes (const struct tb_v7_settings *s)
{
  static const uint8_t bytes[] = { 0, 1, 2, 4 };

  return bytes[s->cr >> 14 & 3];
}

/* Bits of a timestamp: PTM before 1.1 knows only the short form.  */
static inline unsigned
tb_v7_timestamp_bits (const struct tb_v7_settings *s)
{
  bool wide = s->ccer >> 29 & 1;

  return wide && !(s->is_ptm && tb_v7_minor (s) == 0) ? 64 : 48;
}

/* Timestamps are Gray coded; PTM before 1.1 knows nothing else.  */
static inline bool
tb_v7_timestamp_is_gray (const struct tb_v7_settings *s)
{
  return !(s->ccer >> 28 & 1) || (s->is_ptm && tb_v7_minor (s) == 0);
}

static inline bool
tb_v7_has_virtualization (const struct tb_v7_settings *s)
{
  return s->ccer >> 26 & 1;
}

/* Timestamps.  */

/* BITS low bits of a timestamp packet's VALUE replace those of *RAW, which is
   what was sent so far.  Returns the time as a number.  */
uint64_t tb_v7_timestamp (uint64_t *raw, uint64_t value, unsigned bits,
			  const struct tb_v7_settings *settings);

/* Branch addresses.  */

/* How the last address byte is told from the ones before, and what follows.  */
enum tb_v7_address_form
{
  TB_V7_ORIGINAL,	/* ETMv3.0: exceptions only after five bytes.  */
  TB_V7_ALTERNATIVE,	/* ETMv3.4 on request, PTM: bit 6 of the last byte
			   says that exception information follows.  */
  TB_V7_WAYPOINT	/* PTM waypoint update: after five bytes only.  */
};

/* Why an I-sync packet was sent (IHI 0014Q, 7.10.5, "Reason codes"; IHI 0035B, 4.5.2).  */
enum tb_v7_reason
{
  TB_V7_PERIODIC, TB_V7_TRACE_ON, TB_V7_OVERFLOW, TB_V7_DEBUG_EXIT
};

/* What elements call it where trace begins with it.  */
static inline enum tb_reason
tb_v7_trace_on_reason (unsigned reason)
{
  return reason == TB_V7_OVERFLOW ? TB_REASON_OVERFLOW
	 : reason == TB_V7_DEBUG_EXIT ? TB_REASON_DEBUG : TB_REASON_BEGIN;
}

/* The address bytes of a packet.  */
struct tb_v7_address
{
  uint32_t field;		/* The BITS low bits of the address, without
				   those that are zero in the ISA.  */
  uint8_t bits;
  uint8_t size;			/* Bytes read.  */
  bool full;			/* Five bytes: ISA is given.  */
  uint8_t isa;			/* enum tb_isa; TB_ISA_UNKNOWN is Jazelle.  */
  bool more;			/* Exception information follows.  */
  /* ETMv3 original form: five bytes with an exception of ARM state in the
     fifth (deprecated).  */
  bool old_exception;
  uint8_t old_number;
  bool old_cancel;
};

/* Read the address bytes at BYTES.  False: they go on after LENGTH.  */
bool tb_v7_address_read (struct tb_v7_address *address,
			 enum tb_v7_address_form form, const uint8_t *bytes,
			 size_t length);

/* Address bytes as most are: one or two, nothing after them.  Returns how
   many, 0 if they are others or end after LENGTH.  */
static inline unsigned
tb_v7_address_short (struct tb_v7_address *address,
		     enum tb_v7_address_form form, const uint8_t *bytes,
		     size_t length)
{
  address->full = false;
  address->field = bytes[0] >> 1 & 0x3f;
  if ((bytes[0] & 0x80) == 0)
    {
      address->bits = 6;
      return 1;
    }
  if (length < 2 || (bytes[1] & 0x80) != 0
      || (form == TB_V7_ALTERNATIVE && (bytes[1] & 0x40) != 0))
    return 0;
  address->field |= (uint32_t) bytes[1] << 6;
  address->bits = form == TB_V7_ORIGINAL ? 13 : 12;
  return 2;
}

/* The address that ADDRESS gives in ISA after one at LAST.  */
static inline uint32_t
tb_v7_address_apply (const struct tb_v7_address *address, uint32_t last,
		     enum tb_isa isa)
{
  unsigned shift = isa == TB_ISA_A32 ? 2 : isa == TB_ISA_UNKNOWN ? 0 : 1;
  unsigned bits = address->bits + shift;
  uint32_t mask = bits >= 32 ? UINT32_MAX : (UINT32_C (1) << bits) - 1;

  return (last & ~mask) | (address->field << shift & mask);
}

/* Exception information bytes (IHI 0014, 7.3.5; IHI 0035, 4.5.4).  */
struct tb_v7_exception
{
  uint16_t number;		/* 0: none, only the state is given.  */
  uint8_t size;			/* Bytes read.  */
  uint8_t resume;		/* ETMv3, M profile: LSM to be resumed.  */
  bool nonsecure;
  bool alternative;		/* ThumbEE is the T32 state.  */
  bool cancel;			/* ETMv3: the instruction before did not
				   run.  */
  bool has_hyp, hyp;
};

/* False: they go on after LENGTH.  */
bool tb_v7_exception_read (struct tb_v7_exception *exception,
			   const uint8_t *bytes, size_t length);

/* Values of up to SIZE bytes with a continuation bit: seven bits a byte, all
   eight of the last one possible if WHOLE.  Returns the number of bytes; 0:
   they go on after LENGTH.  BITS may be NULL.  */
size_t tb_v7_number_read (uint64_t *value, unsigned *bits,
			  const uint8_t *bytes, size_t length, size_t size,
			  bool whole);

/* The timestamp of a packet, of 48 bits in up to 7 bytes or of 64 in 9 as SIZE says: how
   many of its low bits are told.  Returns the number of bytes; 0: they go on after
   LENGTH.  */
size_t tb_v7_timestamp_read (uint64_t *value, uint8_t *told,
			     const uint8_t *bytes, size_t length, size_t size);

/* Contexts.  */

struct tb_v7_context
{
  uint32_t cid, vmid;
  bool has_cid, has_vmid;
  bool nonsecure, hyp;
  uint8_t space;		/* That its IDs name; ANY: none.  */
};

/* Where code is looked for: indexed by secure, non-secure, Hyp.  */
struct tb_v7_spaces
{
  uint8_t space[3];
  uint8_t unnamed;		/* Until the trace names a context.  */
  const struct tb_memmap *map;
};

/* A space that MAP has no region of is ANY, so that all states share what has
   been decoded.  */
void tb_v7_spaces_find (struct tb_v7_spaces *spaces,
			const struct tb_memmap *map, enum tb_space unnamed);

static inline enum tb_space
tb_v7_space (const struct tb_v7_spaces *spaces,
	     const struct tb_v7_context *context)
{
  uint8_t own = spaces->space[context->hyp ? 2 : context->nonsecure];
  /* A context has what the non-secure state has, and not what others have.  */
  bool is_context = context->space != TB_SPACE_ANY && !context->hyp
		    && (context->nonsecure || own == TB_SPACE_ANY);
  return (enum tb_space) (is_context ? context->space : own);
}

/* E becomes the context element for CONTEXT.  */
void tb_v7_context_element (struct tb_element *e,
			    const struct tb_v7_context *context,
			    enum tb_isa isa, uint64_t index);

/* Alignment synchronisation.  */

/* The zeros of an A-sync packet; more may stand before them.  */
#define TB_V7_ASYNC_ZEROS 5

#define TB_V7_ASYNC_SIZE (TB_V7_ASYNC_ZEROS + 1)

/* Find an A-sync packet in the LENGTH bytes at BYTES.  *FOUND: returns how many
   bytes there are up to its end.  Else returns how many bytes cannot be part of
   one that goes on after LENGTH.  */
size_t tb_v7_async_find (const uint8_t *bytes, size_t length, bool *found);

/* The A-sync packet that begins at BYTES with a zero: its size; 0: it goes on
   after LENGTH; *BAD: it is none.  Never longer than 16 bytes.  */
size_t tb_v7_async_read (const uint8_t *bytes, size_t length, bool *bad);

#endif /* TB_DECODE_V7TRACE_H */
