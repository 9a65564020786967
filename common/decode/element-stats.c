/* What the elements of a trace amount to.  See element-stats.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/element-stats.h"

static void
add_range (struct tb_element_stats *stats, const struct tb_element *e)
{
  bool branch = e->last_kind == TB_FLOW_BRANCH
		|| e->last_kind == TB_FLOW_INDIRECT;
  stats->instructions += e->u.range.count;
  if (!(e->flags & TB_RANGE_EXECUTED))
    *(branch ? &stats->not_taken : &stats->failed) += 1;
  else if (branch)
    *(e->last_kind == TB_FLOW_BRANCH ? &stats->taken : &stats->indirect) += 1;
}

static void
add_exception (struct tb_element_stats *stats, unsigned number)
{
  if (number == TB_EXCEPTION_UNKNOWN)
    stats->unknown_exceptions++;
  else if (number < TB_EXCEPTION_NUMBERS)
    stats->exceptions[number]++;
  else
    stats->other_exceptions++;
}

void
tb_element_stats_add (struct tb_element_stats *stats,
		      const struct tb_element *e)
{
  stats->elements[e->kind] += tb_element_lines (e);
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_RANGE:
      add_range (stats, e);
      break;
    case TB_ELEMENT_EXCEPTION:
      add_exception (stats, e->u.exception.number);
      break;
    case TB_ELEMENT_NO_SYNC:
      stats->no_sync[e->reason]++;
      break;
    case TB_ELEMENT_TRACE_ON:
      stats->trace_on[e->reason]++;
      break;
    case TB_ELEMENT_NO_CODE:
      *(e->flags & TB_NO_CODE_UNKNOWN ? &stats->unknown
				      : &stats->unreadable) += 1;
      break;
    default:
      break;
    }
}

const char *
tb_element_kind_name (enum tb_element_kind kind)
{
  static const char *const names[TB_ELEMENT_KINDS] = {
    [TB_ELEMENT_NO_SYNC] = "no-sync", [TB_ELEMENT_TRACE_ON] = "trace-on",
    [TB_ELEMENT_CONTEXT] = "context", [TB_ELEMENT_RANGE] = "range",
    [TB_ELEMENT_NO_CODE] = "no-code", [TB_ELEMENT_EXCEPTION] = "exception",
    [TB_ELEMENT_EXCEPTION_RETURN] = "exception-return",
    [TB_ELEMENT_TIMESTAMP] = "timestamp", [TB_ELEMENT_CYCLES] = "cycles",
    [TB_ELEMENT_EVENT] = "event", [TB_ELEMENT_Q] = "q",
    [TB_ELEMENT_TRANSACTION] = "transaction", [TB_ELEMENT_MARKER] = "marker",
    [TB_ELEMENT_INSTRUMENTATION] = "instrumentation",
    [TB_ELEMENT_SOFTWARE] = "software", [TB_ELEMENT_ITM] = "itm",
    [TB_ELEMENT_DWT] = "dwt",
    [TB_ELEMENT_ITM_LOCAL_TIME] = "itm-local-time",
    [TB_ELEMENT_ITM_GLOBAL_TIME] = "itm-global-time",
    [TB_ELEMENT_DATA_ADDRESS] = "data-address",
    [TB_ELEMENT_DATA_VALUE] = "data-value",
    [TB_ELEMENT_CONDITIONAL] = "conditional",
    [TB_ELEMENT_CONDITIONAL_RESULT] = "conditional-result",
    [TB_ELEMENT_CONDITIONAL_FLUSH] = "conditional-flush",
    [TB_ELEMENT_BAD_PACKET] = "bad-packet", [TB_ELEMENT_END] = "end"
  };
  return names[kind];
}

const char *
tb_reason_name (enum tb_reason reason)
{
  static const char *const names[TB_REASONS] = {
    [TB_REASON_NONE] = "unknown", [TB_REASON_INIT] = "start",
    [TB_REASON_BEGIN] = "begin-or-filter",
    [TB_REASON_OVERFLOW] = "overflow", [TB_REASON_DEBUG] = "debug",
    [TB_REASON_DISCARD] = "discard", [TB_REASON_BAD_PACKET] = "bad-packet",
    [TB_REASON_BAD_IMAGE] = "bad-image", [TB_REASON_RESET] = "reset",
    [TB_REASON_PAUSED] = "paused"
  };
  return names[reason];
}
