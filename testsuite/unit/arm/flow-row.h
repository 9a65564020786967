/* The rows of the flow tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_FLOW_ROW_H
#define TB_UNIT_FLOW_ROW_H

#include "arm/flow/flow.h"
#include "check.h"

/* What an instruction must decode to, in few letters.  Kind: "-" other, "B"
   direct branch, "I" indirect, "ISB", "BAR", "WAIT", "TSTART", "UND", "SVC", "BRK".  Then, in
   any order, for the sub-type "l" link, "r" return, "e" exception return, "7"
   idiom of return; "c" conditional and marked so; "u" conditional, but not
   marked; "a", "t", "x" the branch goes to A32, T32, ThumbEE.  */
static inline void
check_flow (const struct tb_flow *flow, const char *want, uint64_t target,
	    unsigned size, enum tb_isa isa, const char *text)
{
  static const struct
  {
    const char *name;
    enum tb_flow_kind kind;
  } kinds[] =
  {
    { "-", TB_FLOW_OTHER }, { "BAR", TB_FLOW_BARRIER },
    { "BRK", TB_FLOW_BREAK }, { "SVC", TB_FLOW_SERVICE },
    { "B", TB_FLOW_BRANCH }, { "ISB", TB_FLOW_ISB },
    { "I", TB_FLOW_INDIRECT }, { "WAIT", TB_FLOW_WAIT },
    { "TSTART", TB_FLOW_TSTART }, { "UND", TB_FLOW_UNDEFINED },
  };
  struct tb_flow w = { .kind = 0xff, .size = size, .target_isa = isa };

  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    {
      size_t length = strlen (kinds[i].name);
      if (strncmp (want, kinds[i].name, length) == 0)
	{
	  w.kind = kinds[i].kind;
	  want += length;
	  break;
	}
    }
  for (; *want != '\0'; want++)
    switch (*want)
      {
      case 'l': w.sub = TB_SUB_LINK; break;
      case 'r': w.sub = TB_SUB_RETURN; break;
      case 'e': w.sub = TB_SUB_ERET; break;
      case '7': w.sub = TB_SUB_V7RETURN; break;
      case 'c': w.conditional = w.marked_conditional = true; break;
      case 'u': w.conditional = true; break;
      case 'a': w.target_isa = TB_ISA_A32; break;
      case 't': w.target_isa = TB_ISA_T32; break;
      case 'x': w.target_isa = TB_ISA_T32EE; break;
      case ' ': break;
      default: check_that (false, text, 0, "a row of the test is wrong");
      }
  check_int (flow->kind, w.kind, text, 0, "kind");
  check_int (flow->sub, w.sub, text, 0, "sub-type");
  check_int (flow->size, w.size, text, 0, "size");
  check_int (flow->target, target, text, 0, "target");
  check_int (flow->target_isa, w.target_isa, text, 0, "ISA of the target");
  check_int (flow->conditional, w.conditional, text, 0, "conditional");
  check_int (flow->marked_conditional, w.marked_conditional, text, 0,
	     "marked conditional");
}

#endif /* TB_UNIT_FLOW_ROW_H */
