/* Levels where exceptions come in between, told by trace or by logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "level-scenario.h"

static void
test_exceptions (void)
{
  begin ("an exception before the first instruction of a call", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, BX_LR);
  half (0x180, NOP);
  half (0x182, BX_LR);
  step (0x100, TAKEN, "main");
  exception (15, 0x140, 0);
  step (0x180, 0, "main;f;[15];g");
  step (0x182, TAKEN, "main;f;[15];g");
  returned ();
  step (0x140, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("an exception before a call that was not told of", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, NOP);
  half (0x180, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x100, 0);
  step (0x180, TAKEN, "main;[15];g");
  returned ();
  step (0x100, TAKEN, "main");
  step (0x140, 0, "main;f");
  end ("", true);

  begin ("an exception before the first step", TB_ARCH_V7M);
  half (0x102, NOP);
  half (0x180, BX_LR);
  exception (15, 0x102, 0);
  step (0x180, TAKEN, "[15];g");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("a fault handler that steps over an instruction", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, UDF);
  half (0x142, BX_LR);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  exception (6, 0x140, 0);
  step (0x180, TAKEN, "main;f;[6];g");
  returned ();
  step (0x142, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("2", true);

  begin ("a fault handler that goes on elsewhere in the function", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, UDF);
  half (0x170, NOP);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  exception (6, 0x140, 0);
  step (0x180, TAKEN, "main;f;[6];g");
  returned ();
  step (0x170, 0, "main;f");
  end ("", true);

  begin ("one exception interrupts another, one follows another", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, NOP);
  half (0x142, BX_LR);
  half (0x180, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  step (0x140, 0, "main;[15];f");
  exception (16, 0x142, 0);
  step (0x180, TAKEN, "main;[15];f;[16];g");
  returned ();
  step (0x142, TAKEN, "main;[15];f");
  exception (14, 0xfffffffe, TB_EXCEPTION_TAIL_CHAIN);
  step (0x1c0, TAKEN, "main;[14];h");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("an exception that is told to return to an EXC_RETURN", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  step (0x140, TAKEN, "main;[15];f");
  exception (14, 0xfffffffe, 0);
  step (0x1c0, TAKEN, "main;[14];h");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("an exception out of a lockup", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, NOP);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (3, 0x102, 0);
  step (0x140, 0, "main;[3];f");
  exception (2, 0xfffffffe, 0);
  step (0x1c0, 0, "main;[3];f;[2];h");
  end ("", true);

  begin ("FP registers that are saved late", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, NOP);
  half (0x142, BX_LR);
  bl (0x180, 0x1c0);
  half (0x184, BX_LR);
  half (0x1c0, NOP);
  half (0x1c2, BX_LR);
  step (0x100, TAKEN, "main");
  exception (16, 0x140, 0);
  step (0x180, TAKEN, "main;f;[16];g");
  no_entry (TB_EXC_FP_SAVED, 0x1c0);
  step (0x1c0, 0, "main;f;[16];g;h");
  no_entry (TB_EXC_FP_SAVED, 0x1c2);
  step (0x1c2, TAKEN, "main;f;[16];g;h");
  step (0x184, TAKEN, "main;f;[16];g");
  returned ();
  step (0x140, 0, "main;f");
  step (0x142, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("3 6", true);

  begin ("an exception right behind FP registers that are saved late", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x140, BX_LR);
  half (0x102, NOP);
  step (0x100, 0, "main");
  no_entry (TB_EXC_FP_SAVED, 0x102);
  exception (16, 0x102, 0);
  step (0x140, TAKEN, "main;[16];f");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("a lockup that an NMI interrupts", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x140, NOP);
  half (0x1c0, NOP);
  step (0x100, 0, "main");
  exception (3, 0x102, 0);
  step (0x140, 0, "main;[3];f");
  no_entry (TB_EXC_LOCKUP, 0xeffffffe);
  exception (2, 0xeffffffe, 0);
  step (0x1c0, 0, "main;[3];f;[2];h");
  end ("", true);

  begin ("a handler of a higher priority comes first", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, BX_LR);
  half (0x180, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  exception (16, 0x140, 0);
  step (0x180, TAKEN, "main;[15];[16];g");
  returned ();
  step (0x140, TAKEN, "main;[15];f");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("a return to another thread", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, NOP);
  half (0x142, NOP);
  half (0x180, BX_LR);
  half (0x1d0, NOP);
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  exception (14, 0x142, 0);
  step (0x180, TAKEN, "T1;main;f;[14];g");
  returned ();
  step (0x1d0, 0, "T2;h");
  end ("", true);

  begin ("the trace begins in a handler", TB_ARCH_V7M);
  half (0x182, BX_LR);
  half (0x110, NOP);
  step (0x182, TAKEN, "g");
  returned ();
  step (0x110, 0, "main");
  end ("", true);

  begin ("an exception that is never over", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, NOP);
  half (0x182, NOP);
  step (0x100, 0, "main");
  for (unsigned i = 0; i < 40; i++)
    {
      exception (15, 0x102, 0);
      step (0x180, 0, "main;[15];g");
    }
  end ("", true);

  begin ("ERET", TB_ARCH_V8A);
  word (0x100, 0xd503201f);
  word (0x104, 0xd503201f);
  word (0x140, 0xd69f03e0);
  word (0x210, 0xd503201f);
  step (0x100, 0, "main");
  exception (1, 0x104, 0);
  step (0x140, TAKEN, "main;[1];f");
  step (0x104, 0, "main");
  exception (1, 0x104, 0);
  step (0x140, TAKEN, "main;[1];f");
  step (0x210, 0, "i");
  end ("", true);
}

/* As logs tell of exceptions: not where they return to, nor when.  */
static void
test_untold (void)
{
  begin ("a log's exception", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, NOP);
  half (0x182, BX_LR);
  for (unsigned i = 0; i < 3; i++)
    {
      step (0x100, 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, 0, "main;[15];g");
      step (0x182, TAKEN, "main;[15];g");
      step (0x102, 0, "main");
    }
  end (NULL, true);

  /* Before an exception a log does not tell that a branch was taken.  */
  for (unsigned told = 0; told < 2; told++)
    {
      begin ("a log's exception behind a call", TB_ARCH_V7M);
      bl (0x100, 0x140);
      half (0x104, NOP);
      half (0x140, BX_LR);
      half (0x180, BX_LR);
      step (0x100, told ? TAKEN : 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;f;[15];g");
      step (0x140, TAKEN, "main;f");
      step (0x104, 0, "main");
      end ("2", true);
    }

  for (unsigned told = 0; told < 2; told++)
    {
      begin ("a log's exception behind a return", TB_ARCH_V7M);
      bl (0x100, 0x140);
      half (0x104, NOP);
      half (0x140, BX_LR);
      half (0x180, BX_LR);
      step (0x100, TAKEN, "main");
      step (0x140, told ? TAKEN : 0, "main;f");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;f;[15];g");
      returned ();
      step (0x104, 0, "main");
      end ("1", true);
    }

  begin ("a log's exception behind a conditional branch", TB_ARCH_V7M);
  half (0x100, 0xd01e);		/* beq 0x140 */
  b (0x102, 0x100);
  half (0x140, NOP);
  half (0x180, BX_LR);
  for (unsigned i = 0; i < 2; i++)
    {
      step (0x100, 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;[15];g");
      returned ();
      step (i == 0 ? 0x102 : 0x140, i == 0 ? TAKEN : 0, i == 0 ? "main" : "f");
    }
  end ("", true);

  begin ("a log's exception behind a call tells its return", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, BX_LR);
  half (0x180, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x140, 0);
  step (0x180, TAKEN, "main;f;[15];g");
  returned ();
  step (0x140, 0, "main;f");
  exception (15, 0x104, 0);
  step (0x180, TAKEN, "main;[15];g");
  returned ();
  step (0x104, 0, "main");
  end ("2", true);

  begin ("a log's exception behind ERET", TB_ARCH_V8A);
  word (0x100, 0xd503201f);
  word (0x104, 0xd503201f);
  word (0x140, 0xd69f03e0);
  word (0x180, 0xd69f03e0);
  step (0x100, 0, "main");
  exception (1, 0, TB_EXCEPTION_NO_RETURN);
  step (0x140, 0, "main;[1];f");
  exception (2, 0, TB_EXCEPTION_NO_RETURN);
  step (0x180, TAKEN, "main;[2];g");
  step (0x104, 0, "main");
  end ("", true);

  begin ("a log's exceptions, one behind the other", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0, TB_EXCEPTION_NO_RETURN);
  step (0x180, TAKEN, "main;[15];g");
  exception (14, 0, TB_EXCEPTION_NO_RETURN);
  step (0x1c0, TAKEN, "main;[14];h");
  step (0x102, 0, "main");
  end ("", true);
}

int
main (void)
{
  test_exceptions ();
  test_untold ();
  return check_done ();
}
