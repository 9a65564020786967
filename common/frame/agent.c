/* Agent expressions.  See agent.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/agent.h"

#include "frame/agent-ops.h"
#include "util/number.h"

/* The longest string that "tracenz" looks for the end of.  */
#define STRING_MAX 65536

/* How many conditions that are not known are tried both ways, one in the other. */
#define FORKS_MAX 8

struct agent_machine
{
  const uint8_t *code;
  size_t length, at;
  const struct tb_agent_world *world;
  struct tb_value stack[TB_AGENT_STACK];
  unsigned depth;
  unsigned forks;		/* That it is in.  */
  uint8_t decided;		/* The weakest origin that a condition was of.  */
  unsigned *operations;		/* Executed so far, in all forks.  */
};

static struct tb_value *
top (struct agent_machine *m)
{
  return &m->stack[m->depth - 1];
}

/* LENGTH bytes at ADDRESS as a value.  */
static struct tb_value
load (const struct agent_machine *m, const struct tb_value *address,
      unsigned length)
{
  uint8_t bytes[8], origins[8];
  uint64_t bits = m->world->address_mask;
  struct tb_value value
    = tb_value_stated (0, 8 * length == 64 ? 0 : UINT64_MAX << 8 * length);
  if ((address->mask & bits) != bits)
    {
      value.origin = TB_UNKNOWN;
      return value;
    }
  uint8_t origin = address->origin;
  m->world->memory (m->world->data, address->bits & bits, bytes, origins,
		    length);
  for (unsigned i = 0; i < length; i++)
    if (origins[i] != TB_UNKNOWN)
      {
	value.bits |= (uint64_t) bytes[i] << 8 * i;
	value.mask |= UINT64_C (0xff) << 8 * i;
	origin = tb_agent_weaker (origin, origins[i]);
      }
  tb_value_set_origin (&value, origin);
  return value;
}

static void
leave_out (struct agent_machine *m)
{
  if (m->world->leave_out != NULL)
    m->world->leave_out (m->world->data);
}

static void
collect (struct agent_machine *m, const struct tb_value *address, uint64_t length)
{
  uint64_t bits = m->world->address_mask;
  if ((address->mask & bits) != bits)
    leave_out (m);
  else if (m->world->collect != NULL)
    m->world->collect (m->world->data, address->bits & bits, length);
}

/* Collect up to the zero byte, but no more than LIMIT bytes.  */
static void
collect_string (struct agent_machine *m, const struct tb_value *address,
		const struct tb_value *limit)
{
  if (m->world->collect == NULL)
    return;
  uint64_t most = limit->mask == UINT64_MAX && limit->bits < STRING_MAX
		  ? limit->bits : STRING_MAX;
  uint64_t length = 0;
  struct tb_value at = *address;
  while (length < most)
    {
      struct tb_value byte = load (m, &at, 1);
      if (byte.mask != UINT64_MAX)
	break;
      length++;
      if (byte.bits == 0)
	break;
      at.bits++;
    }
  collect (m, address, length);
}

/* The operand of OP, behind it.  */
static uint64_t
operand (const struct agent_machine *m, const struct tb_agent_op *op)
{
  return tb_number_big (m->code + m->at + 1, op->operand);
}

/* printf: a count of arguments, the length of a string (2 bytes), the string; on
   the stack a function, a channel and the arguments.  Nothing is printed: the
   program that would is not there.  */
static enum tb_agent_status
skip_printf (struct agent_machine *m, size_t *next)
{
  if (m->length - m->at < 4)
    return TB_AGENT_MALFORMED;
  unsigned pops = m->code[m->at + 1] + 2u;
  size_t string = tb_number_big (m->code + m->at + 2, 2);
  if (m->length - m->at - 4 < string)
    return TB_AGENT_MALFORMED;
  if (m->depth < pops)
    return TB_AGENT_STACK_ERROR;
  m->depth -= pops;
  *next = m->at + 4 + string;
  return TB_AGENT_DONE;
}

/* Execute the operation CODE, OP, whose needs are met, on the values that it takes
   from the stack and leaves there; *NEXT is where the following one is.  */
static enum tb_agent_status
execute (struct agent_machine *m, enum tb_agent_code code,
	 const struct tb_agent_op *op, size_t *next)
{
  const struct tb_agent_world *w = m->world;
  uint64_t number = operand (m, op);
  struct tb_value *a = m->stack + m->depth - op->pops, swapped;
  switch (code)
    {
    case AGENT_TRACE:
      if (a[1].mask == UINT64_MAX)
	collect (m, &a[0], a[1].bits);
      else
	leave_out (m);
      break;
    case AGENT_TRACE_QUICK:
    case AGENT_TRACE16:
      collect (m, &a[0], number);
      break;
    case AGENT_TRACENZ:
      collect_string (m, &a[0], &a[1]);
      break;
    case AGENT_REF8: case AGENT_REF16: case AGENT_REF32: case AGENT_REF64:
      a[0] = load (m, &a[0], 1u << (code - AGENT_REF8));
      break;
    case AGENT_IF_GOTO:
      if (tb_agent_truth (&a[0]) == TB_MAYBE)
	return TB_AGENT_UNKNOWN;
      m->decided = tb_agent_weaker (m->decided, a[0].origin);
      if (tb_agent_truth (&a[0]) == TB_TRUE)
	*next = (size_t) number;
      break;
    case AGENT_GOTO:
      *next = (size_t) number;
      break;
    case AGENT_CONST8: case AGENT_CONST16: case AGENT_CONST32:
    case AGENT_CONST64:
      a[0] = tb_value_stated (number, UINT64_MAX);
      break;
    case AGENT_REG:
      if (!w->reg (w->data, (unsigned) number, &a[0]))
	return TB_AGENT_NO_REGISTER;
      break;
    case AGENT_GETV:
      if (!w->get (w->data, (unsigned) number, &a[0]))
	return TB_AGENT_NO_VARIABLE;
      break;
    case AGENT_SETV:
      if (!w->set (w->data, (unsigned) number, &a[0]))
	return TB_AGENT_NO_VARIABLE;
      break;
    case AGENT_TRACEV:		/* Every frame has all variables.  */
      break;
    case AGENT_DUP:
      a[1] = a[0];
      break;
    case AGENT_SWAP:
      swapped = a[0];
      a[0] = a[1];
      a[1] = swapped;
      break;
    case AGENT_ROT:		/* a b c to c a b.  */
      swapped = a[2];
      a[2] = a[1];
      a[1] = a[0];
      a[0] = swapped;
      break;
    case AGENT_PICK:
      if (number >= m->depth)
	return TB_AGENT_STACK_ERROR;
      a[0] = m->stack[m->depth - 1 - number];
      break;
    case AGENT_POP:
      break;
    case AGENT_EXT: case AGENT_ZERO_EXT:
      if (number == 0 || number > 64)
	return TB_AGENT_MALFORMED;
      tb_agent_extend (&a[0], (unsigned) number, code == AGENT_EXT);
      break;
    case AGENT_PRINTF:
      return skip_printf (m, next);
    default:
      return tb_agent_compute (code, &a[0], &a[op->pops - 1]);
    }
  return TB_AGENT_DONE;
}

/* Execute one operation; *ENDED: it was "end".  */
static enum tb_agent_status
step (struct agent_machine *m, bool *ended)
{
  if (m->at >= m->length)
    return TB_AGENT_MALFORMED;
  enum tb_agent_code code = m->code[m->at];
  const struct tb_agent_op *op = tb_agent_op (code);
  if (op == NULL || m->length - m->at - 1 < op->operand)
    return TB_AGENT_MALFORMED;
  if (op->is_float)
    return TB_AGENT_NO_FLOAT;
  if (code == AGENT_END)
    {
      *ended = true;
      return TB_AGENT_DONE;
    }
  if (m->depth < op->pops
      || m->depth - op->pops + op->pushes > TB_AGENT_STACK)
    return TB_AGENT_STACK_ERROR;
  size_t next = m->at + 1 + op->operand;
  enum tb_agent_status status = execute (m, code, op, &next);
  if (status == TB_AGENT_UNKNOWN)
    return status;		/* It stands there still.  */
  m->depth = m->depth - op->pops + op->pushes;
  m->at = next;
  return status;
}

static enum tb_agent_status run (struct agent_machine *m, struct tb_value *value);

/* Where M goes on depends on what is not known: go on both ways from the "if_goto"
   that it stands at.  What comes out is known as far as both ways agree.  */
static enum tb_agent_status
run_both (const struct agent_machine *m, struct tb_value *value)
{
  struct agent_machine other = *m;
  struct tb_value taken, not_taken;
  if (m->forks == FORKS_MAX || tb_agent_sets (m->code, m->length))
    return TB_AGENT_UNKNOWN;
  other.forks++;
  other.depth--;
  other.at = tb_number_big (m->code + m->at + 1, 2);
  enum tb_agent_status status = run (&other, &taken);
  if (status != TB_AGENT_DONE)
    return status;
  other = *m;
  other.forks++;
  other.depth--;
  other.at += 3;
  status = run (&other, &not_taken);
  if (status != TB_AGENT_DONE)
    return status;
  value->mask = taken.mask & not_taken.mask & ~(taken.bits ^ not_taken.bits);
  value->bits = taken.bits & value->mask;
  tb_value_set_origin (value, tb_agent_weaker (taken.origin, not_taken.origin));
  return TB_AGENT_DONE;
}

/* Run M to the end; *VALUE is what is then on top of the stack.  */
static enum tb_agent_status
run (struct agent_machine *m, struct tb_value *value)
{
  enum tb_agent_status status = TB_AGENT_DONE;
  bool ended = false;
  *value = (struct tb_value) { 0 };
  while (status == TB_AGENT_DONE && !ended)
    status = (*m->operations)++ < TB_AGENT_OPERATIONS ? step (m, &ended)
						      : TB_AGENT_TOO_LONG;
  if (status == TB_AGENT_UNKNOWN)
    return run_both (m, value);
  if (status == TB_AGENT_DONE && m->depth != 0)
    {
      *value = *top (m);
      if (m->decided > value->origin)
	tb_value_set_origin (value, m->decided);
    }
  return status;
}

enum tb_agent_status
tb_agent_run (const uint8_t *code, size_t length,
	      const struct tb_agent_world *world, struct tb_value *value)
{
  unsigned operations = 0;
  struct agent_machine m = { .code = code, .length = length, .world = world,
		       .operations = &operations };
  enum tb_agent_status status = run (&m, value);
  if (status != TB_AGENT_DONE)
    *value = (struct tb_value) { 0 };
  return status;
}

size_t
tb_agent_next (const uint8_t *code, size_t length, size_t at)
{
  size_t skip = 0;
  if (code[at] == AGENT_PRINTF && length - at >= 4)
    skip = tb_number_big (code + at + 2, 2);
  return at + skip + 1u + tb_agent_op (code[at])->operand;
}

/* Does CODE have an operation from FIRST to LAST?  */
static bool
has_operation (const uint8_t *code, size_t length, enum tb_agent_code first,
	       enum tb_agent_code last)
{
  for (size_t at = 0; at < length && tb_agent_op (code[at]) != NULL;
       at = tb_agent_next (code, length, at))
    if (code[at] >= first && code[at] <= last)
      return true;
  return false;
}

bool
tb_agent_sets (const uint8_t *code, size_t length)
{
  return has_operation (code, length, AGENT_SETV, AGENT_SETV);
}

bool
tb_agent_reads_registers (const uint8_t *code, size_t length)
{
  return has_operation (code, length, AGENT_REG, AGENT_REG);
}

bool
tb_agent_reads (const uint8_t *code, size_t length)
{
  return has_operation (code, length, AGENT_REG, AGENT_REG)
	 || has_operation (code, length, AGENT_REF8, AGENT_REF64);
}

enum tb_truth
tb_agent_truth (const struct tb_value *value)
{
  if ((value->bits & value->mask) != 0)
    return TB_TRUE;
  return value->mask == UINT64_MAX ? TB_FALSE : TB_MAYBE;
}

const char *
tb_agent_text (enum tb_agent_status status)
{
  static const char *const texts[] = {
    [TB_AGENT_DONE] = "no error",
    [TB_AGENT_UNKNOWN] = "data that are not known",
    [TB_AGENT_MALFORMED] = "malformed expression",
    [TB_AGENT_STACK_ERROR] = "stack of the expression",
    [TB_AGENT_NO_FLOAT] = "floating point is not supported",
    [TB_AGENT_DIVIDED_BY_ZERO] = "division by zero",
    [TB_AGENT_NO_REGISTER] = "no such register",
    [TB_AGENT_NO_VARIABLE] = "no such state variable",
    [TB_AGENT_TOO_LONG] = "the expression does not end"
  };
  return texts[status];
}
