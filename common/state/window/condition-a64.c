/* State of A64 code: a value for a condition.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All flags have names.  Of a comparison its operands say more than those.  */

#include "config.h"
#include "state/window/a64.h"

tb_vid
tb_a64_holds (struct tb_builder *b, unsigned cc)
{
  struct tb_names *n = b->names;
  const tb_vid *flag = &n->slot[TB_A64_N];
  tb_vid x = n->x, y = n->y, value, differ, zero;
  bool invert = cc & 1, compared = n->bits != 0;

  if (compared && cc >= 10 && cc < 14 && n->bits == 32)
    {
      x = tb_namer_value (&b->n, TB_OP_SXTW, x, 0);
      y = tb_namer_value (&b->n, TB_OP_SXTW, y, 0);
    }
  switch (cc >> 1)
    {
    case 0:
      value = flag[1];
      break;
    case 1:
      value = flag[2];
      break;
    case 2:
      value = flag[0];
      break;
    case 3:
      value = flag[3];
      break;
    case 4:			/* C and not Z.  */
      if (compared)
	value = tb_namer_value (&b->n, TB_OP_LTU, y, x);
      else
	{
	  zero = tb_namer_valuei (&b->n, TB_OP_EOR, flag[1], 1);
	  value = tb_namer_value (&b->n, TB_OP_AND, flag[2], zero);
	}
      break;
    case 5:			/* N is V.  */
      value = compared ? tb_namer_value (&b->n, TB_OP_LTS, x, y)
	      : tb_namer_value (&b->n, TB_OP_EOR, flag[0], flag[3]);
      invert = !invert;
      break;
    case 6:			/* N is V, and not Z.  */
      if (compared)
	value = tb_namer_value (&b->n, TB_OP_LTS, y, x);
      else
	{
	  differ = tb_namer_value (&b->n, TB_OP_EOR, flag[0], flag[3]);
	  value = tb_namer_value (&b->n, TB_OP_ORR, differ, flag[1]);
	  invert = !invert;
	}
      break;
    default:			/* Always.  */
      return tb_namer_constant (&b->n, 1);
    }
  return invert ? tb_namer_valuei (&b->n, TB_OP_EOR, value, 1) : value;
}
