/* Generic trace elements: what every protocol decodes to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: decoder design (ARM-ECM-0398495), table 3; the text form of
   element-text.h shows each.  */

#ifndef TB_DECODE_ELEMENT_H
#define TB_DECODE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/flow/flow.h"
#include "snapshot/snapshot.h"
#include "util/number.h"

enum tb_element_kind
{
  TB_ELEMENT_NO_SYNC,		/* Y: the decoder is not synchronised.  */
  TB_ELEMENT_TRACE_ON,		/* T: trace starts here, maybe after a gap.  */
  TB_ELEMENT_CONTEXT,		/* P: context of what follows.  */
  TB_ELEMENT_RANGE,		/* R: instructions executed in sequence.  */
  TB_ELEMENT_NO_CODE,		/* A: address not accessible, or unknown.  */
  TB_ELEMENT_EXCEPTION,		/* X: taken after what came before.  */
  TB_ELEMENT_EXCEPTION_RETURN,	/* E */
  TB_ELEMENT_TIMESTAMP,		/* S */
  TB_ELEMENT_CYCLES,		/* C: cycle count since the one before.  */
  TB_ELEMENT_EVENT,		/* V */
  TB_ELEMENT_Q,			/* Q: instructions by a path not told.  */
  TB_ELEMENT_TRANSACTION,	/* M: transactional memory.  */
  TB_ELEMENT_MARKER,		/* K */
  TB_ELEMENT_INSTRUMENTATION,	/* L: FEAT_ITE.  */
  TB_ELEMENT_SOFTWARE,		/* W: software's data, and more, by an STM.  */
  TB_ELEMENT_ITM,		/* I swit: a write to a stimulus port.  */
  TB_ELEMENT_DWT,		/* I dwt: what the DWT watched.  */
  TB_ELEMENT_ITM_LOCAL_TIME,	/* I lts: ticks since the one before.  */
  TB_ELEMENT_ITM_GLOBAL_TIME,	/* I gts: system time.  */
  TB_ELEMENT_DATA_ADDRESS,	/* D addr: where an instruction read or wrote.  */
  TB_ELEMENT_DATA_VALUE,	/* D val: what was read or written.  */
  TB_ELEMENT_CONDITIONAL,	/* N inst: conditional instructions, no branches.  */
  TB_ELEMENT_CONDITIONAL_RESULT,	/* N result: did the condition hold?  */
  TB_ELEMENT_CONDITIONAL_FLUSH,	/* N flush: no results of those before come.  */
  TB_ELEMENT_BAD_PACKET,	/* !: bytes that are no packet; counted.  */
  TB_ELEMENT_END		/* Z: end of the trace.  */
};

/* Why there is no synchronisation, or why trace (re)starts.  */
enum tb_reason
{
  TB_REASON_NONE,
  TB_REASON_INIT,		/* Y init-decoder: nothing seen so far.  */
  TB_REASON_BEGIN,		/* T begin-or-filter.  */
  TB_REASON_OVERFLOW,		/* The trace unit lost data.  */
  TB_REASON_DEBUG,		/* T debug-restart.  */
  TB_REASON_DISCARD,		/* ETE/ETMv4 Discard packet.  */
  TB_REASON_BAD_PACKET,		/* Or it does not come from where the last one led
				   to, or not lead where its branch does.  */
  TB_REASON_BAD_IMAGE,		/* The code is not what ran.  */
  TB_REASON_RESET,		/* Decoder reset: a break in the buffer.  */
  TB_REASON_PAUSED		/* MTB: tracing was stopped and restarted.  */
};

/* What a DWT element says (DDI 0403, D4.3; DDI 0553, F1.2).  */
enum tb_dwt
{
  TB_DWT_RESERVED,		/* No packet of the architecture.  */
  TB_DWT_EVENTS,		/* Counters that wrapped: bits TB_DWT_CPI ...  */
  TB_DWT_EXCEPTION,		/* ACTION and EXCEPTION.  */
  TB_DWT_PC_SAMPLE,		/* VALUE is the PC.  */
  TB_DWT_SLEEP,			/* A PC sample while the core slept.  */
  TB_DWT_PROHIBITED,		/* A PC sample where tracing is not allowed.  */
  TB_DWT_PMU_OVERFLOW,		/* A bit an event counter.  */
  /* Of COMPARATOR: */
  TB_DWT_DATA_PC,		/* Low BYTES bytes of the PC of the instruction that matched.  */
  TB_DWT_DATA_ADDRESS,		/* The low BYTES bytes of the address.  */
  TB_DWT_DATA_MATCH,		/* It matched.  */
  TB_DWT_DATA_READ,		/* The value read, BYTES long.  */
  TB_DWT_DATA_WRITE
};

/* Bits of a TB_DWT_EVENTS value.  */
enum
{
  TB_DWT_CPI = 1, TB_DWT_EXCEPTION_OVERHEAD = 2, TB_DWT_SLEEP_CYCLES = 4,
  TB_DWT_LSU = 8, TB_DWT_FOLDED = 16, TB_DWT_CYCLES = 32,
  TB_DWT_EVENTS_KNOWN = 63	/* All; others are reserved.  */
};

/* Bits of a TB_DWT_EXCEPTION value: its number and an action; others are reserved.  */
enum { TB_DWT_EXCEPTION_NUMBER = 0x1ff, TB_DWT_EXCEPTION_KNOWN = 0x31ff };

/* What the core did with an exception.  */
enum tb_dwt_action
{
  TB_DWT_ACTION_RESERVED, TB_DWT_ENTER, TB_DWT_EXIT, TB_DWT_RETURN
};

/* How late a local timestamp is (DDI 0403, D4.2.4, field TC).  */
enum tb_itm_relation
{
  TB_ITM_SYNCHRONOUS,		/* With the packet before it.  */
  TB_ITM_TIME_DELAYED, TB_ITM_PACKET_DELAYED, TB_ITM_BOTH_DELAYED
};

/* What a CONDITIONAL_RESULT says; or, from TB_CONDITION_FLAGS on, that N, Z, C and V
   are the four bits below, from the top.  */
enum tb_condition_result
{
  TB_CONDITION_FAILED, TB_CONDITION_PASSED, TB_CONDITION_NOT_TOLD,
  TB_CONDITION_FLAGS = 16
};

/* An index of an element that no known byte of its input made.  */
#define TB_INDEX_UNKNOWN UINT64_MAX

/* Exception numbers are the protocol's own; this one says that the trace does
   not tell (MTB).  */
#define TB_EXCEPTION_UNKNOWN 0xffff

/* CONTEXT: the trace does not tell the exception level.  */
#define TB_EL_UNKNOWN 0xff

/* Bits of tb_element.flags.  */
enum
{
  /* RANGE: the last instruction's atom was E (condition passed, taken).  */
  TB_RANGE_EXECUTED = 1,
  TB_RANGE_CONDITIONAL = 2,	/* The last instruction is conditional.  */
  /* ... but listings do not mark it so (struct tb_flow).  */
  TB_RANGE_UNMARKED = 4,
  /* ... and listings have each of its instructions as a range of its own: the
     trace has an atom for each (ETMv3).  All but the last one ran, are no branches
     and have no condition in their opcode.  See tb_element_line.  */
  TB_RANGE_SINGLES = 8,
  /* EXCEPTION: the return address was the target of the branch before it. */
  TB_EXCEPTION_BRANCH_TARGET = 4,
  TB_EXCEPTION_TAIL_CHAIN = 8,	/* M profile: no return in between.  */
  TB_EXCEPTION_HALT = 16,	/* Debug halt, not an exception.  */
  TB_EXCEPTION_NO_RETURN = 32,	/* The return address is not known.  */
  /* CYCLES: carried by the same packet as the element before it.  */
  TB_CYCLES_WITH_PREVIOUS = 1,
  /* CYCLES: of a Timestamp packet of ETMv4, since the last Cycle Count.  The next one is taken
     to have these, too: if it has not, sums are too small, and bounds of time still hold.  */
  TB_CYCLES_BESIDE = 2,
  /* CONTEXT: which parts are valid.  */
  TB_CONTEXT_VMID = 1, TB_CONTEXT_CID = 2, TB_CONTEXT_A64 = 4,
  /* NO_CODE: the address itself is not known; reference listings pass over
     that in silence, and so do ours and searches.  */
  TB_NO_CODE_UNKNOWN = 1, TB_NO_CODE_SILENT = 2,
  /* EVENT: a trigger, not a numbered event.  */
  TB_EVENT_TRIGGER = 1,
  /* END: the address of the instruction that would have come next is known
     (u.address).  */
  TB_END_ADDRESS = 1,
  /* TRACE_ON: u.address is the branch that led to the first instruction; it
     ran, but is no step of the trace (MTB).  */
  TB_TRACE_ON_SOURCE = 1,
  /* SOFTWARE: which parts are valid, and what kind of packet it was.  No flag
     but these two: plain data.  */
  TB_SOFTWARE_TIMESTAMP = 1, TB_SOFTWARE_ID = 2,
  TB_SOFTWARE_MARKER = 4,	/* Marked; without data: a flag.  */
  TB_SOFTWARE_TRIGGER = 8, TB_SOFTWARE_FREQUENCY = 16,
  TB_SOFTWARE_MASTER_ERROR = 32, TB_SOFTWARE_GLOBAL_ERROR = 64,
  /* ITM, DWT and their timestamps: packets before it were lost.  */
  TB_ITM_OVERFLOW = 1,
  TB_ITM_CLOCK_CHANGED = 2,	/* ITM_GLOBAL_TIME: its clock may have.  */
  /* DATA_ADDRESS, DATA_VALUE: which instruction it was is not told ...  */
  TB_DATA_UNTIED = 1,
  /* ... or it was none, but an exception that was taken (or from which the core
     returned) before the instruction BACK.  */
  TB_DATA_PUSHED = 2, TB_DATA_POPPED = 4,
  TB_DATA_BIG_ENDIAN = 8,	/* DATA_ADDRESS  */
  /* DATA_VALUE: it is not told; nor are others of the instruction, and which of its
     transfers those before were is in doubt.  */
  TB_DATA_NOT_TRACED = 16, TB_DATA_SUPPRESSED = 32,
  TB_DATA_FAILED = 64,		/* DATA_VALUE: an exclusive store did not store.  */
  TB_DATA_LATE = 128,		/* DATA_VALUE: out of order.  */
  /* CONDITIONAL, CONDITIONAL_RESULT: the key is known.  CONDITIONAL: the last one has
     the key of the one before it.  */
  TB_CONDITIONAL_KEY = 1, TB_CONDITIONAL_SHARED = 2
};

/* Security state of a context.  */
enum tb_security
{
  TB_SECURE, TB_NONSECURE, TB_REALM, TB_ROOT
};

/* Fixed size, no allocation.  */
struct tb_element
{
  uint64_t index;		/* Byte in the trace buffer, or log, of the packet;
				   or TB_INDEX_UNKNOWN.  */
  uint8_t kind;			/* enum tb_element_kind  */
  uint8_t reason;		/* enum tb_reason (NO_SYNC, TRACE_ON).  */
  uint8_t flags;
  uint8_t isa;			/* enum tb_isa (RANGE, CONTEXT).  */
  /* RANGE: the last instruction.  */
  uint8_t last_kind;		/* enum tb_flow_kind  */
  uint8_t last_sub;		/* enum tb_flow_sub  */
  uint8_t last_size;		/* Bytes.  */
  uint8_t space;		/* enum tb_space where the code was read.  */
  union
  {
    /* RANGE: COUNT instructions from START up to, not including, END.
       TB_RANGE_SINGLES: WIDE has bit N where instruction N is of four bytes; COUNT
       is 32 at most.  */
    struct { uint64_t start, end; uint32_t count, wide; } range;
    /* CONTEXT  */
    struct { uint32_t vmid, cid; uint8_t el, security; } context;
    /* EXCEPTION: RETURN_ADDRESS is the preferred return address.  */
    struct { uint64_t return_address; uint16_t number; } exception;
    /* EXCEPTION_RETURN: M profile EXC_RETURN where the trace tells, else 0.
       MTB: RESUME is where execution goes on.  */
    struct { uint64_t exc_return, resume; } ret;
    uint64_t address;		/* NO_CODE, END, TRACE_ON  */
    uint64_t value;		/* TIMESTAMP, MARKER, EVENT number, CYCLES,
				   TRANSACTION (0 init 1 start 2 commit 3
				   fail)  */
    struct { uint64_t first, next; uint32_t count; } q;
    struct { uint64_t value; uint8_t el; } instrumentation;
    /* SOFTWARE: the low BITS bits of DATA.  */
    struct
    {
      uint64_t data, timestamp;
      uint16_t master, channel;
      uint8_t bits;
    } software;
    /* ITM: CHANNEL is the port, counted through the pages.  DWT: the
       discriminator.  */
    struct
    {
      uint32_t value;
      uint16_t channel;
      uint16_t exception;	/* Number: IPSR.  */
      uint8_t bytes;		/* Of VALUE.  */
      uint8_t dwt;		/* enum tb_dwt  */
      uint8_t comparator;
      uint8_t action;		/* enum tb_dwt_action  */
    } itm;
    /* ITM_GLOBAL_TIME: VALUE.  ITM_LOCAL_TIME: VALUE is the sum, with the
       prescaler, since the trace began or packets were lost.  */
    struct { uint64_t value; uint32_t delta; uint8_t relation; } time;
    /* DATA_ADDRESS: the low BITS bits of VALUE are told.  DATA_VALUE: VALUE, which
       BITS wide and as wide transfers are; trace leaves out zeros on top.  The
       instruction at PC made it, after which BACK others were listed before
       this element.  PART numbers its transfers, as far as trace has them, from
       0; ENTRY those exceptions that were taken between the same two instructions, from
       0.  SENT low bits of an address are of its own packet, those above of others
       before it; of a value it is not 0 where another packet was seen to follow than one
       that says that nothing was stored.  */
    struct
    {
      uint64_t value, pc;
      uint32_t back;
      uint8_t part, bits, entry, sent;
    } data;
    /* CONDITIONAL: COUNT instructions (0: how many is not told), of which the last
       one has KEY and those before the keys below it.  CONDITIONAL_RESULT: of the
       instructions of KEY.  */
    struct
    {
      uint32_t key;
      uint16_t count;
      uint8_t result;		/* enum tb_condition_result  */
    } conditional;
  } u;
};

/* Begin *E with what all kinds have, no reason and no last instruction; U is left as it is.
   The eight bytes from KIND on are stored at once: one by one they take a good part of the time
   of an element.  */
static inline void
tb_element_begin (struct tb_element *e, uint64_t index, enum tb_element_kind kind,
		  unsigned flags, unsigned isa)
{
  _Static_assert (offsetof (struct tb_element, flags) == offsetof (struct tb_element, kind) + 2
		  && offsetof (struct tb_element, isa) == offsetof (struct tb_element, kind) + 3
		  && offsetof (struct tb_element, space)
		     == offsetof (struct tb_element, kind) + 7, "eight bytes");
  e->index = index;
  tb_number_put_64 ((uint8_t *) e + offsetof (struct tb_element, kind),
		    kind | (uint64_t) (uint8_t) flags << 16 | (uint64_t) (uint8_t) isa << 24);
}

/* How many elements a listing has of E: its lines.  */
static inline uint32_t
tb_element_lines (const struct tb_element *e)
{
  if (e->kind == TB_ELEMENT_RANGE)
    return e->flags & TB_RANGE_SINGLES ? e->u.range.count : 1;
  return !(e->kind == TB_ELEMENT_NO_CODE && e->flags & TB_NO_CODE_SILENT);
}

/* Let *LINE be the one of number N of them; E itself where there is but one.  */
static inline void
tb_element_line (struct tb_element *line, const struct tb_element *e, uint32_t n)
{
  *line = *e;
  if (tb_element_lines (e) == 1)
    return;
  uint32_t before = e->u.range.wide & ((UINT32_C (1) << n) - 1);
  unsigned size = e->u.range.wide >> n & 1 ? 4 : 2;
  line->flags &= (uint8_t) ~TB_RANGE_SINGLES;
  line->u.range.start += UINT64_C (2) * (n + (unsigned) __builtin_popcount (before));
  line->u.range.end = line->u.range.start + size;
  line->u.range.count = 1;
  if (n + 1 == e->u.range.count)
    return;
  line->flags = TB_RANGE_EXECUTED;
  line->last_kind = TB_FLOW_OTHER;
  line->last_sub = TB_SUB_NONE;
  line->last_size = (uint8_t) size;
}

#endif /* TB_DECODE_ELEMENT_H */
