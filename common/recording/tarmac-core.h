/* Inside of what makes facts of one core's lines of a Tarmac log.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TARMAC_CORE_H
#define TB_RECORDING_TARMAC_CORE_H

#include "recording/facts-build.h"
#include "recording/step-flow.h"
#include "recording/tarmac-sp.h"
#include "recording/tarmac.h"

/* Serial numbers remembered: lines are tied to no older instruction.  */
#define TB_TARMAC_TAGS 64

/* Names of registers remembered, each in the one place that it may have.  */
#define TB_TARMAC_NAMES 256

/* What a name of a register has come to.  */
struct tb_tarmac_known
{
  char text[24];
  uint8_t length;
  uint8_t role;
  uint8_t number;		/* Of a general register of 32 bits; else 16.  */
  uint16_t told;		/* TB_TOLD_...  */
  uint8_t mode;			/* BANKED: for this mode.  */
  uint8_t lanes;
  uint32_t psr_mask;
  size_t reg;
};

/* Registers for which there was a line since the last instruction, or the event behind
   it.  */
enum
{
  TB_TOLD_PSR = 1, TB_TOLD_LR = 2, TB_TOLD_SP = 4, TB_TOLD_MSP = 8,
  TB_TOLD_PSP = 16, TB_TOLD_CONTROL = 32,
  TB_TOLD_R0 = 64,		/* To R3.  */
  TB_TOLD_R12 = 1024,
  TB_TOLD_BASEPRI = 2048, TB_TOLD_FAULTMASK = 4096
};

/* Events at one place, and words of the frame that they stored, at most.  */
#define TB_TARMAC_PENDING 4
#define TB_TARMAC_FRAME 40

/* What is known of the place between the last instruction and the next one.  */
struct tb_tarmac_between
{
  uint16_t class;		/* Of the last instruction: TB_CLASS_...  */
  uint16_t told, told_before;	/* TB_TOLD_..., since and before the last event. */
  uint16_t lines;		/* General registers, a bit each, since the instruction.  */
  uint16_t number;		/* Of the last exception there.  */
  bool exceptions, reset, debug;
  bool fault;			/* An instruction at FAULT_AT was not done; no event
				   has told of it.  */
  bool tells;			/* The last entry had a line of the PSR.  */
  uint64_t fault_at;
  struct tb_event pending[TB_TARMAC_PENDING];
  uint32_t npending;
  /* Words stored behind the last event.  */
  struct { uint32_t address, value; } frame[TB_TARMAC_FRAME];
  uint32_t nframe;
  /* M profile: where the last instruction, an indirect branch, goes; loaded from.  */
  bool target_known, target_told;	/* TOLD: by the loads so far, LOADS.  */
  uint32_t target, loads;
  uint64_t target_at;
  /* Events of names that are not known, and the first of these.  */
  uint32_t nunknown;
  uint8_t unknown_length;
  char unknown[40];
  uint64_t unknown_line, unknown_offset;
  uint64_t ran_line;		/* The number of the last instruction's line.  */
  uint64_t next_offset;		/* Of the next instruction's line.  */
};

/* A scalar FP register of which a line tells before the first instruction.  */
struct tb_tarmac_early
{
  uint32_t values[2], masks[2];
  char letter;
  uint8_t number, first, n, written;
};

/* P0 to P15 and FFR.  */
#define TB_TARMAC_PREDICATES 17

struct tb_tarmac_core
{
  struct tb_facts_builder *builder;
  struct tb_columns *facts;	/* What it makes.  */
  struct tb_tarmac_known names[TB_TARMAC_NAMES];
  uint64_t tags[TB_TARMAC_TAGS];		/* Of step N at N % TB_TARMAC_TAGS.  */
  uint64_t last_tag;
  uint32_t counted, jumps;
  bool has_tag;
  bool in_order;		/* The last one says that no instruction is missing.  */
  bool own;			/* tracebridge wrote the log.  */
  bool lost;			/* An instruction's line, at LOST_OFFSET, could not be
				   read.  */
  uint64_t lost_offset;
  bool reversed;		/* M lines show bytes in the order of addresses.  */
  uint32_t finer;		/* Times are kept in so many parts of the log's unit; 0: 1. */
  bool after_event;		/* Since the last instruction.  */
  bool stores;			/* The last line of lanes is a store.  */
  uint8_t mode;			/* Of the last instruction.  */
  /* The last one that was told: its text, copied, and number.  */
  char mode_text[16];
  uint32_t mode_length;
  uint8_t mode_number;
  struct tb_sp_finder sp;
  size_t active;		/* The pseudo register; SIZE_MAX: none yet.  */
  struct tb_tarmac_between between;
  /* FP and vector registers: whether there are lines of any, their numbers among the
     facts' registers, whether the last instruction is one of A64.  */
  struct
  {
    bool any, a64;
    size_t numbers[32];
    /* Those of predicates, among the first LOOKED of the facts' registers.  */
    size_t predicates[TB_TARMAC_PREDICATES], looked;
    unsigned npredicates, nearly;
    struct tb_tarmac_early early[80];
  } vectors;
  /* The M profile's vector table: where it is; the address read last; where its two first
     words were read, one behind the other, and the second one, START (0: they were
     not).  */
  struct
  {
    bool known;
    uint32_t value, table, start;
    uint64_t next;		/* The word behind the last one fetched.  */
  } vtor;
  size_t general[16];		/* Numbers of r0 ..., of the M profile; SIZE_MAX.  */
  struct tb_column classes;	/* uint16_t each, of distinct instructions.  */
  struct tb_tarmac_remark remarks[TB_TARMAC_REMARKS];
  unsigned nremarks;
};

/* tarmac-core.c: what ran here is not known.  */
void tb_tarmac_core_gap (struct tb_tarmac_core *core, uint64_t offset);

/* tarmac-unread.c: an instruction ran of which nothing is known.  */
void tb_tarmac_core_lose (struct tb_tarmac_core *core);

/* tarmac-time.c: the time of LINE in the unit that the core's times have, which becomes
   finer where a fraction of the log's unit needs it.  */
uint64_t tb_tarmac_core_time (struct tb_tarmac_core *core,
			      const struct tb_tarmac_line *line);

/* tarmac-class.c  */

/* What follows from the opcode of an instruction.  */
enum
{
  TB_CLASS_KNOWN = 1,
  TB_CLASS_REGISTER = 2,		/* A branch to what a register has, number
				   CLASS >> TB_CLASS_NUMBER; ...  */
  TB_CLASS_LOAD = 4,		/* ... to what it loads last of so many words.  */
  TB_CLASS_ERET = 8,		/* A return from an exception of the A profile.  */
  TB_CLASS_LOADS_ONLY = 16, TB_CLASS_EFFECT_KNOWN = 32,
  TB_CLASS_VECTORS = 64,		/* It may write FP or vector registers.  */
  TB_CLASS_PUSH = 128,		/* It stores below SP, which it changes.  */
  TB_CLASS_MASKS = 8192,	/* It may write BASEPRI and FAULTMASK.  */
  TB_CLASS_NUMBER = 8,
  TB_CLASS_ANYWHERE = 4096	/* It may lead anywhere.  */
};

/* CODE as a step; and the profile that the log tells so far.  */
struct tb_step tb_tarmac_step_of (const struct tb_facts_code *code);
struct tb_profile tb_tarmac_profile_of (const struct tb_columns *facts);

/* The place for the class of CODE, which is one of the facts'; NULL: no memory.  */
uint16_t *tb_tarmac_core_class (struct tb_tarmac_core *core,
				const struct tb_facts_code *code);

/* The general registers, a bit each, that the last instruction, of T32, may have
   written; those that are modelled, else all.  */
uint32_t tb_tarmac_core_may_write (const struct tb_tarmac_core *core);

/* Does the instruction of STEP load, and store nothing, as far as is known?  */
bool tb_tarmac_core_only_loads (struct tb_tarmac_core *core, uint64_t step);

/* tarmac-between.c  */

/* The step that was built last is the last instruction now, of line number LINE.  */
void tb_tarmac_core_ran (struct tb_tarmac_core *core, uint64_t line);

/* LINE, IE or IA, is an instruction that was not done.  */
void tb_tarmac_core_faulted (struct tb_tarmac_core *core,
			     const struct tb_tarmac_line *line,
			     const struct tb_tarmac_where *where);

/* LINE is a store behind an event.  */
void tb_tarmac_core_stacked (struct tb_tarmac_core *core,
			     const struct tb_tarmac_line *line);

/* LINE is a read of the last instruction.  */
void tb_tarmac_core_loaded (struct tb_tarmac_core *core,
			    const struct tb_tarmac_line *line);

/* LINE is an event.  */
void tb_tarmac_core_event (struct tb_tarmac_core *core,
			   const struct tb_tarmac_line *line,
			   const struct tb_tarmac_where *where);

/* Before the step of NEXT, in MODE, or at the end (NULL): events, and what the core
   wrote without a line.  There was a step before.  */
void tb_tarmac_core_between (struct tb_tarmac_core *core,
			     const struct tb_tarmac_line *next,
			     const char *mode);

/* Tell of EVENT, which is at the place between the last instruction and the next.  */
void tb_tarmac_core_put_event (struct tb_tarmac_core *core,
			       const struct tb_event *event);

/* tarmac-handlers.c, of the M profile  */

/* VTOR is VALUE now or, unless KNOWN, may be anything.  */
void tb_tarmac_core_vtor (struct tb_tarmac_core *core, bool known,
			  uint32_t value);

/* LINE is an access to the system's registers, of whose bytes so many are KNOWN.  */
void tb_tarmac_core_vtor_access (struct tb_tarmac_core *core,
				 const struct tb_tarmac_line *line,
				 unsigned known);

/* A word was read at ADDRESS before the first instruction, or behind a reset.  */
void tb_tarmac_core_fetched (struct tb_tarmac_core *core, uint64_t address,
			     uint32_t value);

/* The first instruction there is at PC.  */
void tb_tarmac_core_started (struct tb_tarmac_core *core, uint64_t pc);

/* NEXT may be the first instruction of the handler of an exception that is told of; the
   last one LEADS to it.  */
void tb_tarmac_core_handler (struct tb_tarmac_core *core,
			     const struct tb_tarmac_line *next, bool leads);

/* tarmac-jump.c  */

/* Does the last instruction lead to PC?  */
bool tb_tarmac_core_leads_to (const struct tb_tarmac_core *core, uint64_t pc);

/* There was an exception, NUMBER, that no event names; OFFSET is where the log tells of
   it.  */
void tb_tarmac_core_take (struct tb_tarmac_core *core, uint16_t number,
			  uint64_t offset);

/* The next instruction is not where the last one leads to, and no event tells why.
   Serial numbers in order say that nothing ran in between: then it was an exception.  */
void tb_tarmac_core_jump (struct tb_tarmac_core *core);

/* tarmac-registers.c: the number of register NAME; SIZE_MAX: the log has not told of
   it.  */
size_t tb_tarmac_core_number (const struct tb_tarmac_core *core,
			      const char *name);

/* tarmac-registers.c: 32 bits of the value of LINE.  */
uint32_t tb_tarmac_core_lane (const struct tb_tarmac_line *line, unsigned lane);

/* tarmac-vectors.c  */

/* Is NAME, in lower case, that of an FP or vector register; of a predicate of SVE, or of
   FFR?  */
bool tb_tarmac_is_vector (const char *name);
bool tb_tarmac_is_predicate (const char *name);

/* Some line tells of one of these.  */
void tb_tarmac_core_vectors_told (struct tb_tarmac_core *core);

/* LINE tells of the one called NAME before step AT.  */
void tb_tarmac_core_vector (struct tb_tarmac_core *core, const char *name,
			    const struct tb_tarmac_line *line, uint64_t at);

/* OWN tells of one.  */
void tb_tarmac_core_own_vector (struct tb_tarmac_core *core,
				const struct tb_tarmac_own *own);

/* May CODE, of the M profile or another, write any?  DDI 0403, A5.3.18; DDI 0553,
   C2.4; DDI 0487, C4.1 and F4.1.  */
bool tb_tarmac_uses_vectors (const struct tb_facts_code *code, bool is_m);

/* Such a CODE is the last instruction now.  */
void tb_tarmac_core_vectors_ran (struct tb_tarmac_core *core,
				 const struct tb_facts_code *code);

/* Lines of scalars stood before the first instruction, of which it is known now whether
   it is one of A64.  */
void tb_tarmac_core_vectors_start (struct tb_tarmac_core *core);

/* A return from an exception of the M profile took some from the stack.  */
void tb_tarmac_core_vectors_popped (struct tb_tarmac_core *core);

/* tarmac-remarks.c: keep a remark on WORD of line number LINE.  */
void tb_tarmac_core_remark (struct tb_tarmac_core *core,
			    enum tb_tarmac_remark_kind kind,
			    struct tb_tarmac_word word, uint64_t line);

/* tarmac-registers.c  */

/* The step that LINE is of, by its serial number or else the last one.  When there
   is none yet it is UINT64_MAX, whose successor is 0.  */
uint64_t tb_tarmac_core_step (const struct tb_tarmac_core *core,
			      const struct tb_tarmac_line *line);

/* What stands for TEXT now.  NULL: it is no name, or no memory.  */
const struct tb_tarmac_known *
tb_tarmac_core_name (struct tb_tarmac_core *core, struct tb_tarmac_word text);

/* Has the register of LINE, an R line, room for its value?  */
bool tb_tarmac_core_fits (const struct tb_tarmac_core *core,
			  const struct tb_tarmac_line *line);
/* Add LINE, which it has room for.  */
void tb_tarmac_core_register (struct tb_tarmac_core *core,
			      const struct tb_tarmac_line *line);

#endif /* TB_RECORDING_TARMAC_CORE_H */
