/* Explanations: where what is known of a value comes from, and what is in the way
   of one that is not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_WHY_H
#define TB_STATE_EXPLAIN_WHY_H

#include "state/state.h"
#include "svd/svd.h"

/* Why a value is known.  */
enum tb_why_rule
{
  TB_WHY_UNKNOWN,		/* It is not, or not wholly: it was computed of
				   what is not.  */
  TB_WHY_TRACE,			/* The instruction or what the trace tells of
				   it says so: a branch, a target, a constant. */
  TB_WHY_LOG,			/* A line of the log says so, or that none says
				   otherwise.  */
  TB_WHY_FRAME,			/* The frame of a trace file has it.  */
  TB_WHY_MARKED,		/* So it has, marked as assumed.  */
  TB_WHY_DATA,			/* Data trace says so.  */
  TB_WHY_HALT,			/* The register is so at the halt.  */
  TB_WHY_BORDER,		/* It is so by the steps before or after those
				   that were worked out together with it.  */
  TB_WHY_START,			/* The user says so of the start.  */
  TB_WHY_FUNCTION,		/* Assumed: a constant of the function.  */
  TB_WHY_MEMORY,		/* Memory that does not change holds it, or the
				   dump does at the halt.  */
  TB_WHY_OPERATION,		/* It was computed, or a result and the other
				   operand leave no other choice.  */
  TB_WHY_SAME,			/* It is another one plus a constant.  */
  TB_WHY_ACCESS,		/* One access reads what another one wrote or
				   read.  */
  TB_WHY_KEPT,			/* Assumed: the call has kept it.  */
  TB_WHY_TASK,			/* Assumed: the task has.  */
  TB_WHY_SAVED,			/* Assumed: what was saved on a stack stayed.  */
  TB_WHY_OBJECT,		/* Assumed: the access is in an object.  */
  TB_WHY_CONDITION,		/* One of two, by a condition.  */
  TB_WHY_FEW,			/* No other of the few values it could have is
				   possible.  */
  /* Not known:  */
  TB_WHY_BEGIN,			/* Held since the window began, or since what the
				   trace does not tell (a gap, an exception), or
				   never told by the instruction.  */
  TB_WHY_LOADED,		/* It was loaded from an address that is not
				   known.  */
  TB_WHY_CONTENTS,		/* It was loaded where memory is not known.  */
  TB_WHY_DISPUTED,		/* The same, as data trace contradicts the rest
				   there.  */
  TB_WHY_TRACE_RAM,		/* The same, as the trace unit writes there.  */
  TB_WHY_STORE			/* This store, to who knows where, is in the way:
				   it may have written there.  */
};

#define TB_WHY_FROM 8

/* A value of the chain.  */
struct tb_why
{
  uint64_t step;		/* It was made by this step, or just before it
				   by an exception; the number of steps: at the
				   end.  */
  uint64_t value;		/* Meaningful where it is known.  */
  uint8_t rule;			/* enum tb_why_rule  */
  bool known;
  bool assumed;			/* In the state with assumptions.  */
  bool partly;			/* It also follows from what was known in part. */
  /* OPERATION: the operation (enum tb_op), OPERANDS[0] its result,
     and the bits of those that are in FROM, are this value or constants.  */
  uint8_t op, told;
  uint64_t operands[3];
  uint8_t from_count;
  uint16_t from[TB_WHY_FROM];	/* Items of the list that it follows from; not
				   known: that are not known, either.  */
};

/* What is asked for.  */
enum tb_why_kind
{
  TB_WHY_REGISTER,		/* NUMBER by arm/machine/regs.h: general, SP, LR.  */
  TB_WHY_FLAG,			/* NUMBER 0 .. 3: N Z C V.  */
  TB_WHY_BYTES,			/* SIZE bytes of memory at ADDRESS.  */
  /* SIZE bytes, 4 or 8, from byte ADDRESS on (0, 4 or 8) of the FP or vector register
     NUMBER (by arm/machine/regs.h).  */
  TB_WHY_VECTOR,
  /* SIZE bytes from byte ADDRESS on of the SVE register NUMBER (enum tb_sve_reg).  */
  TB_WHY_SVE
};

struct tb_why_query
{
  uint8_t kind;			/* enum tb_why_kind  */
  uint8_t number;
  uint8_t size;			/* Of memory or of the register, 1 .. 8.  */
  uint64_t address;
};

/* Explain what QUERY asks for, before STEP: ITEMS[0] is it, then come the values
   that it follows from, nearest first, at most CAPACITY together.  Returns how many;
   0 where nothing can be said (steps before the window, what the trace itself
   states).  What explanations need is worked out when the first one is asked for
   (see the option EXPLAIN).  */
size_t tb_state_why (struct tb_state *state, uint64_t step,
		     const struct tb_why_query *query, struct tb_why *items,
		     size_t capacity);

/* What is known of what was asked for.  */
struct tb_why_verdict
{
  uint64_t value;		/* Meaningful when WHOLE.  */
  bool whole;
  uint8_t origin;		/* enum tb_origin, of what is known of it.  */
};

struct tb_why_verdict
tb_why_find_verdict (struct tb_state *state, uint64_t step,
		     const struct tb_why_query *query,
		     const struct tb_profile *profile);

/* Of a recording of frames (tb_columns): has the frame what QUERY asks for, of which all is
   known, is that marked, or is it memory that does not change?  */
enum tb_why_rule tb_why_of_frame (const struct tb_why_query *query,
				  const struct tb_why_verdict *verdict);

/* Does STATE rely on lines of a log alone for what QUERY asks for, before STEP?  */
bool tb_why_is_told (struct tb_state *state, uint64_t step,
		     const struct tb_why_query *query);

/* What a value has to do with the premises (TB_PREMISE_...).  */
struct tb_why_grounds
{
  unsigned doubted;		/* By the options of the state.  */
  /* The value is known.  It is known by these premises alone, all others doubted; without
     one of them in addition it is not.  (There may be another set of premises that it is
     known by.)  */
  unsigned rests;
  /* It is not known, but it is OTHERWISE if these of the doubted ones are relied on.  */
  unsigned missing;
  struct tb_why_verdict otherwise;
  bool objects;			/* It is known by the assumption objects; without that it
				   is not.  */
  bool failed;			/* There was no memory to find out.  */
};

/* The grounds of what QUERY asks for, before STEP.  The steps are worked out several times
   without some premises, which is kept for the next question.  */
struct tb_why_grounds tb_why_find_grounds (struct tb_state *state, uint64_t step,
					   const struct tb_why_query *query);

/* The premises that the options of STATE doubt.  */
unsigned tb_why_doubted (const struct tb_state *state);

/* In words (why-text.c).  */

/* VERDICT: "0x12, certain", "not known".  */
void tb_why_verdict_text (char *text, size_t size,
			  const struct tb_why_verdict *verdict);

/* Lines that say GROUNDS; none where no premise plays a part.  */
void tb_why_grounds_text (struct tb_buffer *text, const struct tb_why_grounds *grounds);

/* The name of an origin (enum tb_origin), a word.  */
const char *tb_why_origin_name (unsigned origin);

/* Read REGISTER (by its name, or another that is usual for it; of vector registers
   a part: s0, d0, v0.d[1]), n, z, c, v, or
   ADDRESS[:SIZE] (SIZE 1 to 8; else that of a word of the core); false: it is
   none.  */
bool tb_why_parse (struct tb_why_query *query,
		   const struct tb_profile *profile, const char *text);

/* What a name stands for may be several things: a status register comes with its
   flags, nzcv is all four, vector registers (q0, v0) are two halves, Z registers as many
   parts of 64 bits as they have.  */
#define TB_WHY_NAMES (TB_SVE_MAX / 8)
struct tb_why_named
{
  struct tb_why_query query;
  char name[64];
};

/* How many TEXT stands for; 0: it is none.  SVE: the bytes of Z registers (sve.h), 0: there
   are none.  SVD, if not NULL, names the registers of peripherals ("GPIOA.ODR"), which are
   memory.  */
unsigned tb_why_parse_all (struct tb_why_named named[TB_WHY_NAMES],
			   const struct tb_profile *profile, unsigned sve,
			   const struct tb_svd *svd, const char *text);

/* Append why NAME, of which the above made 0, is none on a core called CORE.  */
void tb_why_unnamed (struct tb_buffer *text, const char *core, const struct tb_svd *svd,
		     const char *name);

/* One line for item NUMBER, without its end; RECORDING tells its PC, and SVD, if it is
   not NULL, what addresses of peripherals are called.  */
void tb_why_line (char *line, size_t size, struct tb_recording *recording,
		  const struct tb_svd *svd, const struct tb_why *items,
		  size_t number);

/* The name of RULE, a word; and what it says.  */
const char *tb_why_name (enum tb_why_rule rule);
const char *tb_why_words (enum tb_why_rule rule);

#endif /* TB_STATE_EXPLAIN_WHY_H */
