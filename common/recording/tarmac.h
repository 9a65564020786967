/* Tarmac logs: a file to the facts of each core.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Lines tell of the instruction before them; one with the serial number of an
   instruction tells of that one.  What comes before the first instruction held at
   the start.  Where serial numbers, which count by one, make a jump, the log was
   off: a gap, behind which nothing is known until it is told again.

   An access in a part of the M profile's memory map that is for devices (DDI 0403,
   B3.1) tells nothing of what is there at other times.  Transfers on the bus are
   late by an unknown time, so they are no state of memory, save fetches of code. */

#ifndef TB_RECORDING_TARMAC_H
#define TB_RECORDING_TARMAC_H

#include "decode/tarmac/line.h"
#include "recording/facts.h"
#include "util/diag.h"
#include "util/filemap.h"
#include "util/status.h"

/* Cores that a log may have.  */
#define TB_TARMAC_CORES 1024

struct tb_tarmac_log
{
  char *path;
  const char *packing;		/* "gzip" ...; NULL: none.  */
  struct tb_columns **cores;	/* In the order of their first lines.  */
  size_t ncores;
  uint64_t lines, bytes;	/* Unpacked.  */
  uint64_t kinds[TB_TARMAC_KINDS];	/* Lines by kind; those of no core
						   count as the first one's.  */
  bool damaged;			/* Compressed, and cut off or broken.  */
  struct tb_filemap index;	/* Where the columns are, if they were not made.  */
  bool indexed;
};

/* Is the file PATH a Tarmac log, compressed or not?  False too where it cannot be
   read.  */
bool tb_tarmac_recognise (const char *path);

/* Read the log PATH, by an index if INDEX (which may be NULL) says where one may be.  A
   line that is not understood is a warning, the first of each kind, and at the end how
   many there were; with an index that was shown before.  JOBS: threads.  Anything
   but TB_OK: a diagnostic said why, and *LOG is zero.  */
enum tb_status tb_tarmac_read (struct tb_tarmac_log *log, const char *path,
			       const struct tb_index_options *index,
			       unsigned jobs, struct tb_diag *diag);
void tb_tarmac_close (struct tb_tarmac_log *log);

/* The number, from 1, of the line in which the instruction of STEP of the core of FACTS
   is, found by reading the log again up to there; 0: it is not found.  */
uint64_t tb_tarmac_line_of (const struct tb_columns *facts, uint64_t step);

/* tarmac-order.c: do M lines of the log PATH, of a test bench, show bytes in the order of
   addresses, not numbers?  As loads and stores at its beginning tell, whose registers
   have lines.  */
bool tb_tarmac_in_memory_order (const char *path);

/* The low LENGTH bytes of VALUE, the other way round.  */
uint32_t tb_tarmac_reverse (uint32_t value, unsigned length);

/* tarmac-core.c: what the lines of one core make.  */
struct tb_tarmac_core;

/* REVERSED: the log's data is in the order of addresses (tb_tarmac_in_memory_order).  */
struct tb_tarmac_core *tb_tarmac_core_new (const char *name, size_t length,
					   bool reversed);
void tb_tarmac_core_free (struct tb_tarmac_core *core);
bool tb_tarmac_core_is (const struct tb_tarmac_core *core, const char *name,
			size_t length);

/* Where a line is.  */
struct tb_tarmac_where
{
  uint64_t offset;		/* Its first byte in the log; ...  */
  uint64_t line;		/* ... its number, from 1.  */
  uint64_t global;		/* Serial number of the last instruction of any
				   core.  */
};

/* Add LINE.  False: it is none that is understood after all.  */
bool tb_tarmac_core_add (struct tb_tarmac_core *core,
			 const struct tb_tarmac_line *line,
			 const struct tb_tarmac_where *where);

/* LINE, up to END, is not understood (BAD or UNKNOWN): what it may have changed is not
   known until it is told again.  */
void tb_tarmac_core_unread (struct tb_tarmac_core *core,
			    const struct tb_tarmac_line *line,
			    const struct tb_tarmac_where *where,
			    const char *end);

/* What was taken for something that the log does not say outright, or not believed:
   each once, with the first line and how many there were.  */
enum tb_tarmac_remark_kind
{
  TB_TARMAC_REMARK_EVENT,	/* An event of this name was an exception.  */
  TB_TARMAC_REMARK_STORE,	/* A store at an instruction that only loads.  */
  TB_TARMAC_REMARK_JUMP,	/* Execution goes on elsewhere without a word.  */
  TB_TARMAC_REMARK_STACK	/* A push without a line of the register.  */
};

struct tb_tarmac_remark
{
  char text[40];
  uint64_t line, count;
  uint8_t kind;			/* enum tb_tarmac_remark_kind  */
};

/* The most remarks that are kept.  */
#define TB_TARMAC_REMARKS 16

/* The remarks on CORE so far; returns how many.  */
unsigned tb_tarmac_core_remarks (const struct tb_tarmac_core *core,
				 const struct tb_tarmac_remark **remarks);
/* Count LINES of KIND with so many BYTES as its own.  */
void tb_tarmac_core_count (struct tb_tarmac_core *core, unsigned kind,
			   uint64_t lines, uint64_t bytes);
/* tarmac-time.c: in how many parts of the log's unit CORE keeps times: 1, or a power of
   1000; and let it keep them in so many parts at least, and name the unit for it.  */
uint32_t tb_tarmac_core_finer (const struct tb_tarmac_core *core);
void tb_tarmac_core_set_unit (struct tb_tarmac_core *core, uint32_t finer);
/* How many instructions of CORE were told of so far.  */
uint64_t tb_tarmac_core_steps (const struct tb_tarmac_core *core);
bool tb_tarmac_core_failed (const struct tb_tarmac_core *core);

/* The facts; CORE is gone.  NULL: no memory.  */
struct tb_columns *tb_tarmac_core_finish (struct tb_tarmac_core *core);

/* tarmac-own.c: a line of kind OWN, one of:

     TB log 1			  tracebridge wrote the log: names of registers are
				  those of the moment, nothing is to be concluded
				  from what lines do not say
     TB core TYPE		  what kind of core it is of
     TB gap			  what ran here is not known, nor what it did
     TB step ADDRESS STATE	  an instruction whose opcode is not known
     TB end ADDRESS		  where execution goes on behind the last one
     TB REGISTER ?		  it is not known any more
     TB REGISTER VALUE MASK	  the bits of MASK, perhaps all, are known now, but not
				  to the end: that has R lines
     TB memory ?		  what it holds is not known any more
     TB memory ADDRESS SIZE VALUE  it holds that now
     TB read ADDRESS SIZE	  an access whose value is not known
     TB write ADDRESS SIZE
     TB write ?			  the instruction may have written anywhere

   False: it is none of these.  */
struct tb_tarmac_own
{
  enum
  {
    TB_OWN_LOG, TB_OWN_CORE, TB_OWN_GAP, TB_OWN_STEP, TB_OWN_END,
    TB_OWN_REGISTER, TB_OWN_FORGET, TB_OWN_MEMORY, TB_OWN_READ, TB_OWN_WRITE,
    TB_OWN_ANYWHERE
  } what;
  struct tb_tarmac_word word;	/* CORE, REGISTER.  */
  uint64_t address, value, mask;	/* REGISTER: the low 64 bits of these; ...  */
  struct tb_tarmac_word digits, mask_digits;	/* ... and all of their digits.  */
  unsigned size;		/* MEMORY, READ, WRITE: 1 to 8; REGISTER: bytes that
				   VALUE is written with, 0: none.  */
  uint8_t isa;			/* STEP  */
};
bool tb_tarmac_own (struct tb_tarmac_own *own,
		    const struct tb_tarmac_line *line);

/* 32 bits, number LANE from the lowest, of the number that WORD is.  */
uint32_t tb_tarmac_own_lane (struct tb_tarmac_word word, unsigned lane);

/* tarmac-names.c: what a register's name means.  */
enum tb_tarmac_role
{
  TB_ROLE_PLAIN,
  TB_ROLE_PC,			/* Told by the steps.  */
  TB_ROLE_PSR,			/* Bits PSR_MASK of it.  */
  TB_ROLE_BANKED,		/* SP, LR, r8 to r12 of the current mode.  */
  TB_ROLE_MSP, TB_ROLE_PSP, TB_ROLE_CONTROL, TB_ROLE_VTOR,
  TB_ROLE_VECTOR		/* tarmac-vectors.c  */
};

struct tb_tarmac_name
{
  char name[40];		/* Canonical.  */
  uint8_t role;
  uint8_t lanes;		/* At least so many.  */
  uint32_t psr_mask;
};

/* False: the name is too long to be one.  */
bool tb_tarmac_name (struct tb_tarmac_name *to, const char *text,
		     size_t length);

/* What an event is, by its number or its name.  */
enum tb_tarmac_event
{
  TB_TARMAC_EVENT_NONE,		/* Nothing that changes what runs.  */
  TB_TARMAC_EVENT_EXCEPTION, TB_TARMAC_EVENT_RESET,
  TB_TARMAC_EVENT_DEBUG,	/* A debugger stops the core, or lets it go on.  */
  TB_TARMAC_EVENT_UNKNOWN
};

/* *NUMBER: of an exception, the vector's on the M profile; on others
   TB_EXCEPTION_AARCH64 (models number them so) or _AARCH32 and which of these, or what
   the log numbers it; or TB_EXCEPTION_UNKNOWN.  */
enum tb_tarmac_event tb_tarmac_event (const struct tb_tarmac_line *line,
				      uint16_t *number);

#endif /* TB_RECORDING_TARMAC_H */
