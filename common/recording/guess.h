/* Working out from trace what unit sent it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each kind of unit (decode/kind.h) is tried, and of the likeliest each setting: with what
   the trace was not made by, there are reserved packets, bytes without synchronisation,
   and paths that the code does not have.  What makes no difference keeps the value that
   most units have.  */

#ifndef TB_RECORDING_GUESS_H
#define TB_RECORDING_GUESS_H

#include "decode/decoder.h"

/* What came of decoding with some registers.  */
struct tb_trial
{
  uint64_t bytes;		/* Of the source, as many as were tried.  */
  uint64_t skipped;		/* Of them, without synchronisation.  */
  uint64_t packets, bad, syncs;
  uint64_t contradictions;	/* Where the code cannot have run so.  */
  uint64_t lost;		/* Where no code is, or no address.  */
  uint64_t waypoints;		/* That were followed, or lost.  */
  uint64_t returns;		/* From exceptions, of which the trace does not tell.  */
  uint64_t told_returns;	/* Of which it does, or that a unit of KIND tells by the code.  */
  bool own_registers;		/* The code that ran has accesses to the unit's registers.  */
  uint64_t instructions;
  uint64_t packet_types;	/* TB_KIND_PACKET of those that there are.  */
};

/* Is the core what it is called?  */
enum tb_guess_core
{
  TB_GUESS_CORE_FITS,		/* It is, or nothing says that it is not.  */
  TB_GUESS_CORE_MISNAMED,	/* It is not: its code does what that core cannot do.  */
  TB_GUESS_CORE_OPEN		/* M profile: it has no unit of the kind that the trace is of;
				   which of the two is wrong is open.  */
};

/* A kind of unit with its settings.  */
struct tb_guess
{
  const struct tb_protocol *protocol;
  const struct tb_kind *kind;
  uint32_t values[TB_KIND_REGISTERS];	/* Of the kind's registers.  */
  bool given[TB_KIND_REGISTERS];	/* It was told, not tried.  */
  struct tb_trial trial;
  /* What speaks against it, of packets and of the path through the code; 0: nothing.  */
  uint64_t cost, path_cost;
  /* By setting of the kind: what came of the value before, where another one than the
     likeliest was taken; no value made a difference.  */
  struct tb_trial instead[16];
  bool changed[16], idle[16];
  enum tb_guess_core core;
  /* Another kind of the protocol, which nobody excluded, has all the packets, too; NULL: none.  */
  const struct tb_kind *rival;
};

/* The unit of a guess, as a device.  */
struct tb_guess_source
{
  struct tb_device device;
  struct tb_device_reg regs[TB_KIND_REGISTERS];
  uint8_t bytes[TB_KIND_REGISTERS][4];
};

/* How much may be decoded to work out what sent trace; what was decoded is taken off.  Many
   buffers, IDs and cores, which a small file may have, could else keep that busy for hours.  */
struct tb_guess_effort
{
  uint64_t bytes;
  bool spent;			/* There was more to decode.  */
};
/* Some minutes; hundreds of buffers with some sources each need less.  */
#define TB_GUESS_EFFORT { .bytes = UINT64_C (64) << 30 }

/* Find the unit whose trace CONFIG->buffer has: the bytes of ID, or all where that is
   TB_ID_NONE.  CONFIG says the core and its code.  Where CONFIG->protocol is not NULL it is
   of that protocol; where CONFIG->source is not NULL it has that type, unless that is
   empty, and those registers.  A kind that the core does not have is found only where there
   are packets that the others do not have, or the code that ran is not of such a core.  1: *GUESS
   is the one that least speaks against; 0: everything speaks against all, and *GUESS is what
   synchronises, or has a protocol of NULL; -1: no memory, or EFFORT was spent.  */
int tb_guess_find (struct tb_guess *guess, const struct tb_decoder_config *config,
		   unsigned id, struct tb_guess_effort *effort);

/* Decode as GUESS says, with the core and buffer of CONFIG, and note in GUESS what that
   shows.  False: no memory, or EFFORT was spent.  */
bool tb_guess_try (struct tb_guess *guess, const struct tb_decoder_config *config,
		   unsigned id, struct tb_guess_effort *effort);

/* Let *SOURCE be the unit that GUESS says, for a decoder; it must not be moved.  */
void tb_guess_make_source (const struct tb_guess *guess, struct tb_guess_source *source);

/* Is what decoding as GUESS says showed more than chance?  */
bool tb_guess_is_likely (const struct tb_guess *guess);

/* Append what GUESS rests on, a sentence a line, each after PREFIX.  */
void tb_guess_text (struct tb_buffer *text, const struct tb_guess *guess,
		    const char *prefix);

/* Do the COUNT instructions of A64 CODE access registers of a trace unit by MRS or MSR?  */
bool tb_guess_reads_unit (const uint8_t *code, uint64_t count);

/* The number of the register of KIND that has ID, which there is.  */
unsigned tb_guess_register (const struct tb_kind *kind, uint32_t id);

/* Append what --protocol calls KIND of PROTOCOL.  */
void tb_guess_option (struct tb_buffer *text, const struct tb_protocol *protocol,
		      const struct tb_kind *kind);

#endif /* TB_RECORDING_GUESS_H */
