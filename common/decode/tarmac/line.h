/* Tarmac logs: one line to what it says.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Tarmac has no specification; what is read here is what simulators write: the
   test benches of the Cortex-M (T16, T32 after the opcode; R, E, B and M lines
   whose kind is spelt in letters), and models (cpuN, a mode after the instruction
   set, MR and MW lines; R08 and W08 of others), and cycle models ("Tarmac Text Rev 3t":
   ES, EXC, LD, ST and lines that continue these).  Logs that tracebridge writes
   have lines of a kind of their own, TB, for what Tarmac cannot say; other readers
   take them for a kind that they do not know.  Where a leniency is owed to one of
   them, a comment says to which.  */

#ifndef TB_DECODE_TARMAC_LINE_H
#define TB_DECODE_TARMAC_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"

enum tb_tarmac_kind
{
  TB_TARMAC_BLANK,
  TB_TARMAC_STEP,		/* IT IS IF IE IA  */
  TB_TARMAC_REGISTER,		/* R  */
  TB_TARMAC_MEMORY,		/* M....., MR, MW  */
  TB_TARMAC_BUS,		/* B.....  */
  TB_TARMAC_EVENT,		/* E  */
  TB_TARMAC_OWN,		/* TB: of logs that tracebridge wrote; TEXT.  */
  TB_TARMAC_NOTE,		/* Of a kind that tells of something else: CACHE,
				   TLB, SIGNAL ...  */
  TB_TARMAC_TEXT,		/* Not a record at all.  */
  TB_TARMAC_UNKNOWN,		/* A record of a kind not known.  */
  TB_TARMAC_BAD,		/* Of a known kind, but not as that is written. */
  TB_TARMAC_KINDS
};

/* Why a line is BAD.  */
enum tb_tarmac_problem
{
  TB_TARMAC_FINE,
  TB_TARMAC_NO_ADDRESS, TB_TARMAC_NO_OPCODE, TB_TARMAC_NO_NAME,
  TB_TARMAC_NO_VALUE, TB_TARMAC_NO_DATA, TB_TARMAC_NO_SIZE,
  TB_TARMAC_TOO_LONG,
  TB_TARMAC_WIDE_ADDRESS,	/* Of an instruction of A32 or T32.  */
  TB_TARMAC_PROBLEMS
};

/* "an address was expected here" ...  */
const char *tb_tarmac_problem_text (enum tb_tarmac_problem problem);

/* "instruction" ...: the kinds as a listing names them.  */
const char *tb_tarmac_kind_name (enum tb_tarmac_kind kind);

/* A part of the line.  */
struct tb_tarmac_word
{
  const char *text;
  uint32_t length;
};

/* The name of exceptions in logs of ours, where none says more.  */
#define TB_TARMAC_EXCEPTION "CoreEvent_Exception"

/* The widest value: a vector register of 2048 bits.  */
#define TB_TARMAC_VALUE 256

/* Ports of accesses.  */
enum tb_tarmac_port
{
  TB_TARMAC_PORT_CORE,		/* D, or not said.  */
  TB_TARMAC_PORT_FETCH,		/* I  */
  TB_TARMAC_PORT_DEBUG,		/* A of a memory line: the debugger.  */
  TB_TARMAC_PORT_SYSTEM		/* S of a bus line.  */
};

struct tb_tarmac_line
{
  uint8_t kind;			/* enum tb_tarmac_kind  */
  uint8_t problem;		/* enum tb_tarmac_problem, of BAD.  */
  uint8_t begins;		/* The kind that the line begins as, of BAD, too; ...  */
  struct tb_tarmac_word begun;	/* ... and by which word.  */
  bool has_time, has_tag, tag_is_hex, has_physical;
  const char *at;		/* BAD and UNKNOWN: where in the line.  */
  uint64_t time;
  uint32_t fraction;		/* Of TIME, in 1/1,000,000,000 of its unit.  */
  struct tb_tarmac_word unit, cpu;	/* Length 0: not said.  */
  uint64_t tag;			/* The serial number.  */
  uint64_t address, physical;
  /* STEP  */
  char how;			/* T S F E A  */
  uint8_t size, isa;		/* SIZE 0: the opcode is not known.  */
  bool rtl;			/* T16, T32 or X: the Cortex-M test benches.  */
  uint32_t opcode;		/* 32-bit Thumb: first halfword on top.  */
  struct tb_tarmac_word mode;
  /* REGISTER: the name (a kind of EVENT and NOTE: what it is), and which bits.  */
  struct tb_tarmac_word name;
  uint16_t first_bit;
  /* MEMORY and BUS  */
  uint16_t length;		/* Bytes transferred.  */
  bool write, aborted, speculative;
  /* LD and ST lines show 16 bytes: those that were accessed, and those of them whose
     value is shown, a bit each.  CONTINUED: one that leaves out whether it is LD or ST,
     as the line before says that.  */
  bool lanes, continued;
  uint16_t touched, shown;
  uint8_t port;			/* enum tb_tarmac_port  */
  /* EVENT: the number that a model gives it, and its text.  REGISTER, MEMORY and BUS:
     TEXT is the value's digits.  */
  bool has_number;
  bool exception;		/* It is one, whatever its name (EXC); ...  */
  bool has_vector;		/* ... whose vector is at this offset of the table.  */
  uint16_t vector;
  uint32_t number;
  struct tb_tarmac_word text;
  /* The value of REGISTER, MEMORY and BUS: so many bytes of it were written
     out, lowest first; whether all of their digits are known.  */
  uint16_t bytes;
  bool unknown;
  uint64_t value;		/* The low 8 bytes.  */
  uint8_t *wide;		/* BYTES > 8: all of them, in the caller's room. */
  const char *rest;		/* Behind what was read of it: a newline, or what a
				   line that ran together with the next one has
				   more.  */
};

/* Parse the line from TEXT to END, where a newline stands, into LINE.  WIDE has
   room for TB_TARMAC_VALUE bytes.  */
void tb_tarmac_parse (struct tb_tarmac_line *line, const char *text,
		      const char *end, uint8_t *wide);

/* Which of the 32 bits of LANE of LINE's value the line tells.  *WRITTEN: it does
   not leave them as they are (dashes, of cores that show a part of a register).  */
uint32_t tb_tarmac_known (const struct tb_tarmac_line *line, unsigned lane,
			  bool *written);

/* Does LINE's value fit into so many DIGITS?  Zeros and dashes in front of them do.  */
bool tb_tarmac_fits (const struct tb_tarmac_line *line, unsigned digits);

#endif /* TB_DECODE_TARMAC_LINE_H */
