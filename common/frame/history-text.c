/* Histories: what is told of them.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/history-internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fewest digits that are read back as the same number.  */
static void
put_float (struct tb_buffer *text, uint64_t bits, uint64_t size)
{
  char digits[40];
  double number;
  float narrow = 0;
  uint32_t low = (uint32_t) bits;
  if (size == 4)
    memcpy (&narrow, &low, sizeof narrow);
  memcpy (&number, &bits, sizeof number);
  if (size == 4)
    number = (double) narrow;
  int first = size == 4 ? 6 : 15, last = size == 4 ? 9 : 17;
  if (isnan (number))
    snprintf (digits, sizeof digits, "%snan", signbit (number) ? "-" : "");
  else
    for (int precision = first; precision <= last; precision++)
      {
	snprintf (digits, sizeof digits, "%.*g", precision, number);
	if (size == 4 ? strtof (digits, NULL) == narrow : strtod (digits, NULL) == number)
	  break;
      }
  tb_buffer_append (text, digits, strlen (digits));
}

bool
tb_history_is_number (const struct tb_value *value, const struct tb_type *type)
{
  uint64_t exponent = type->size == 4 ? UINT64_C (0x7f800000) : UINT64_C (0x7ff) << 52;
  return type->kind != TB_TYPE_FLOAT || (value->bits & exponent) != exponent;
}

void
tb_history_put_value (struct tb_buffer *text, const struct tb_value *value,
		      const struct tb_type *type)
{
  uint64_t mask = tb_history_mask (type), bits = value->bits & mask;
  if ((value->mask & mask) != mask || value->origin == TB_UNKNOWN)
    tb_buffer_append (text, "?", 1);
  else if (type->kind == TB_TYPE_POINTER || type->kind == TB_TYPE_REFERENCE)
    tb_buffer_printf (text, "0x%" PRIx64, bits);
  else if (type->kind == TB_TYPE_FLOAT)
    put_float (text, bits, type->size);
  else if (type->is_signed && (bits & (mask ^ mask >> 1)) != 0)
    tb_buffer_printf (text, "%" PRId64, (int64_t) (bits | ~mask));
  else
    tb_buffer_printf (text, "%" PRIu64, bits);
}

const char *
tb_history_tier (const struct tb_history_change *change, const struct tb_type *type)
{
  if (change->maybe)
    return "perhaps";
  switch (tb_value_origin (&change->after, tb_history_mask (type)))
    {
    case TB_UNKNOWN: return "unknown";
    case TB_ASSUMED: return "assumed";
    default: return "certain";
    }
}

void
tb_history_put_change (struct tb_buffer *text, const struct tb_history_change *change,
		       const struct tb_type *type)
{
  if (change->is_over)
    {
      tb_buffer_printf (text, "the call is over");
      return;
    }
  if (!change->is_first)
    {
      tb_history_put_value (text, &change->before, type);
      tb_buffer_append (text, " -> ", 4);
    }
  tb_history_put_value (text, &change->after, type);
  tb_buffer_printf (text, ", %s", tb_history_tier (change, type));
}

void
tb_history_put_remark (struct tb_buffer *text, const struct tb_history_expression *expression)
{
  const struct tb_expression_traits *traits = &expression->traits;
  if (traits->is_outside)
    tb_buffer_printf (text, "element %" PRId64 " is outside of the array, which has %" PRIu64
		      "; what is told is the memory there", traits->index, traits->count);
}

void
tb_history_put_missed (struct tb_buffer *text, const char *lead,
		       const struct tb_history_missed *missed)
{
  if (missed->unchanged && !missed->no_call)
    tb_buffer_printf (text, "%sNothing is known to change it in these steps.\n", lead);
  if (missed->stores != 0)
    tb_buffer_printf (text, "%s%" PRIu64 " stores to addresses that are not known may "
		      "have changed it, too.\n", lead, missed->stores);
  if (missed->steps != 0)
    tb_buffer_printf (text, "%s%" PRIu64 " instructions of which it is not known what they "
		      "access may have changed it, too.\n", lead, missed->steps);
  if (missed->gaps != 0)
    tb_buffer_printf (text, "%s%" PRIu64 " gaps are in the trace; what ran there may have "
		      "changed it.\n", lead, missed->gaps);
  if (missed->no_call)
    tb_buffer_printf (text, "%sThe function does not run in these steps, or is a part of "
		      "others (inlined).\n", lead);
  if (missed->places)
    tb_buffer_printf (text, "%sMore than %d places are read; what changes others is not "
		      "told.\n", lead, TB_HISTORY_RANGES);
}
