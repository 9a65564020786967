/* Finding the packets of a Micro Trace Buffer in memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A dump of a core's RAM has the packets of its MTB, but nothing says where.  Packets tell
   by themselves what they are: each begins at a branch of the program, ends where that
   branch leads, and from there the code leads to the next one's.  So many of them in a row
   are no accident.  */

#ifndef TB_DECODE_MTB_FIND_H
#define TB_DECODE_MTB_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "snapshot/memmap.h"
#include "snapshot/snapshot.h"

/* So many packets must follow each other.  */
#define TB_MTB_FIND_LEAST 8

#define TB_MTB_PACKET_SIZE 8	/* Bytes.  */

struct tb_mtb_area
{
  uint64_t offset;		/* Of the area in the memory that was searched.  */
  uint64_t length;		/* Its size, a power of two, bytes.  */
  uint64_t pointer;		/* Behind the newest packet, from the area's begin.  */
  bool wrapped;			/* The packets from there on are older ones.  */
  /* They lead to each other all around, and which is the newest is not known: POINTER
     is not.  */
  bool round;
  /* Where several of them lead to the halt, one of these is the newest: SURE packets, from that
     at SURE_FIRST on and round again, come behind each other whichever it is, and lead up to one of
     these.  0: none.  */
  uint64_t sure_first, sure;
  /* Nothing tells where the buffer begins and how large it is: OFFSET is that of the oldest packet,
     and LENGTH may be more than there is behind it.  */
  bool open;
  bool cut;			/* They reach the end of what was searched: newer ones may lie
				   behind it.  */
  bool at_halt;			/* The newest packet leads to the PC at the halt.  */
  uint64_t packets;
  uint64_t older;		/* Packets that lead to the oldest of these, and are no part of the
				   area.  */
  uint64_t pauses;		/* Of tracing, between the packets.  */
};

/* How much may be looked at; what was looked at is taken off.  Memory that was made for it
   could else keep the search busy for hours.  */
struct tb_mtb_effort
{
  uint64_t bytes;		/* Of memory.  */
  uint64_t instructions;	/* Of code between packets.  */
  bool spent;			/* There was more to look at.  */
};
/* Far more than a core of the M profile has, and than real packets need.  */
#define TB_MTB_EFFORT { .bytes = 128 << 20, .instructions = 48 << 20 }

/* Take what COUNT instructions cost to look at off EFFORT, or NULL; false: not so much is left.
   (path.c)  */
bool tb_mtb_spend (struct tb_mtb_effort *effort, uint64_t count);

/* Look for packets in the LENGTH bytes DATA, which lie at ADDRESS of a core of PROFILE,
   whose code MAP, sealed, has.  EXACT: if an MTB writes round and round there, then through all of
   these bytes; else through any part of them, at a place that its size divides.  Where all
   packets lead to each other the newest is the one that leads to HALT_PC, if that is not NULL and
   only one does.  What EFFORT does not reach is not looked at.  The number of rows in AREAS, which
   has room for MOST, the longest first; -1: no memory.  */
int tb_mtb_find (struct tb_mtb_area *areas, int most, const uint8_t *data, uint64_t address,
		 uint64_t length, bool exact, const uint64_t *halt_pc,
		 const struct tb_memmap *map, const struct tb_profile *profile,
		 struct tb_mtb_effort *effort);

/* Does PACKET, as it is in memory, lead to PC, without another one?  Of MAP, PROFILE and EFFORT as
   above.  -1: no memory.  */
int tb_mtb_leads_to (const uint8_t packet[TB_MTB_PACKET_SIZE], uint64_t pc,
		     const struct tb_memmap *map, const struct tb_profile *profile,
		     struct tb_mtb_effort *effort);

/* The registers of an MTB that memory has.  */
struct tb_mtb_block
{
  uint64_t address;
  uint32_t value[TB_MTB_NREGS];	/* POSITION, MASTER, FLOW, BASE.  */
  bool identified;		/* The identification registers are there, and are an MTB's.  */
};

/* Look for them in the LENGTH bytes DATA, which lie at ADDRESS: in pages that end with the
   identification registers of an MTB (DDI 0486, 3.2.6 and on; DDI 0574), and where Cortex-M23 and
   Cortex-M33 have theirs, if no page of registers is there.  A block that is identified comes
   first.  */
bool tb_mtb_find_registers (struct tb_mtb_block *block, const uint8_t *data, uint64_t address,
			    uint64_t length);

/* The size of the trace area that MASTER of REGISTERS says, bytes.  */
uint64_t tb_mtb_length (const struct tb_mtb_registers *registers);

/* The trace area that BLOCK tells of.  False: none, BASE is 0, which stands for "not known" in
   parts that do not have it.  */
bool tb_mtb_block_area (const struct tb_mtb_block *block, uint64_t *address, uint64_t *length);

#endif /* TB_DECODE_MTB_FIND_H */
