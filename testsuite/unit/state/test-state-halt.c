/* State: a halt counts where more than its PC shows that the trace ends there.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"
#include "state/evidence/halt.h"

/* A trace unit, and what its registers say: ETMs that are enabled, disabled, and
   stopped by start/stop logic, and MTBs.  Behind an ETM that is enabled the buffer may
   have stopped.  */
enum unit
{
  NO_UNIT, SILENT, ENABLED, DISABLED, STOPPED,
  MTB_SILENT, MTB_ENABLED, MTB_OFF, MTB_STOPPABLE, MTB_SWITCHED
};

static struct tb_device_reg regs[3];
static struct tb_device unit_device;

static void
set_unit (struct tb_recording *f, enum unit unit)
{
  static const struct
  {
    char *name;
    uint64_t value;
  } values[MTB_SWITCHED + 1][3] = {
    [ENABLED] = { { "TRCPRGCTLR", 1 }, { "TRCSTATR", 2 },
		  { "TRCVICTLR", 0x201 } },
    [DISABLED] = { { "TRCPRGCTLR", 0 }, { "TRCSTATR", 3 },
		   { "TRCVICTLR", 0x201 } },
    [STOPPED] = { { "TRCPRGCTLR", 1 }, { "TRCSTATR", 2 }, { "TRCVICTLR", 1 } },
    [MTB_ENABLED] = { { "MASTER", 0x80000003 } },
    [MTB_OFF] = { { "MASTER", 3 } },
    [MTB_STOPPABLE] = { { "MASTER", 0x80000043 } },
    [MTB_SWITCHED] = { { "MTB_MASTER", 0x80000063 } }
  };
  unit_device = (struct tb_device) { .regs = regs };
  for (unsigned i = 0; i < 3 && values[unit][i].name != NULL; i++)
    {
      regs[i] = (struct tb_device_reg) { .name = values[unit][i].name,
					 .value = values[unit][i].value };
      unit_device.nregs++;
    }
  f->options.source = unit != NO_UNIT ? &unit_device : NULL;
  if (unit >= MTB_SILENT)
    f->decoder = &fake_mtb;
}

static struct tb_state *
open (struct tb_recording *f, bool used, unsigned warnings)
{
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    abort ();
  CHECK_INT (tb_state_halt (s), used ? TB_HALT_USED : TB_HALT_UNCONFIRMED);
  CHECK_INT (f->diag.warnings, warnings);
  return s;
}

/* A trace that ends where execution may come again.  */
static void
one_visit (enum unit unit, bool halt_traced, bool used)
{
  struct tb_recording *f = BEGIN (0x46c0,	/* nop  */
				  0x46c0,
				  0x4770);	/* bx lr  */
  set_unit (f, unit);
  fake_step (f, MAIN, 0);
  fake_reg (f, "R4", 0x44);
  fake_end (f, MAIN + 2, true);
  if (halt_traced)
    fake_event (f, TB_EVENT_HALT, MAIN + 2);
  struct tb_state *s = open (f, used, !used);
  if (used)
    KNOWN (s, 0, TB_R4, 0x44);
  else
    UNKNOWN (s, 0, TB_R4);
  end (f, s);
}

/* It is assumed where the user says so.  */
static void
assumed (void)
{
  struct tb_recording *f = BEGIN (0x46c0, 0x46c0, 0x4770);
  struct tb_value v[TB_NREGS_MAX];
  set_unit (f, SILENT);
  fake_step (f, MAIN, 0);
  fake_reg (f, "R4", 0x44);
  fake_end (f, MAIN + 2, true);
  f->options.assume = TB_ASSUME_HALT;
  struct tb_state *s = open (f, false, 1);
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].origin, TB_ASSUMED);
  CHECK_INT (v[TB_R4].bits, 0x44);
  end (f, s);
}

/* The code at the halt, and whether it may come back there; REG is VALUE then, unless NULL, and
   the packets of an MTB were found.  */
static void
code_with (const char *what, uint16_t first, uint16_t second, uint16_t third,
	   const char *reg, uint32_t value, bool used)
{
  static const struct tb_device mtb = { .name = "mtb", .type = "MTB", .evidence = "packets" };
  struct tb_recording *f = BEGIN (0x46c0, first, second, third);
  set_unit (f, SILENT);
  fake_step (f, MAIN, 0);
  fake_reg (f, "R4", 0x44);
  if (reg != NULL)
    {
      fake_reg (f, reg, value);
      f->options.source = &mtb;
    }
  fake_end (f, MAIN + 2, true);
  struct tb_state *s = fake_open (f);
  if (!CHECK_INT (tb_state_halt (s), used ? TB_HALT_USED
					   : TB_HALT_UNCONFIRMED))
    fprintf (stderr, "%s\n", what);
  end (f, s);
}

static void
code (const char *what, uint16_t first, uint16_t second, uint16_t third,
      bool used)
{
  code_with (what, first, second, third, NULL, 0, used);
}

/* A loop that ran ROUNDS times: what it counts in r1 up from 0 is in the halt's r1, or
   it began before the trace.  */
static void
loop (unsigned rounds, bool begins, uint32_t r1, enum tb_halt want)
{
  struct tb_recording *f = BEGIN (0x2100,	/* movs r1,#0  */
				  0x3101,	/* adds r1,#1  */
				  0x2964,	/* cmp r1,#100  */
				  0xd1fc);	/* bne MAIN + 2  */
  set_unit (f, SILENT);
  if (begins)
    fake_step (f, MAIN, 0);
  for (unsigned i = 0; i < rounds; i++)
    {
      fake_run (f, MAIN + 2, 2);
      fake_step (f, MAIN + 6, TB_STEP_TAKEN);
    }
  fake_reg (f, "R1", r1);
  fake_reg (f, "R4", 0x44);
  fake_end (f, MAIN + 2, true);
  struct tb_state *s = fake_open (f);
  CHECK_INT (tb_state_halt (s), want);
  CHECK_INT (f->diag.warnings, want != TB_HALT_USED);
  if (want == TB_HALT_USED)
    KNOWN (s, 0, TB_R4, 0x44);
  else
    UNKNOWN (s, 0, TB_R4);
  end (f, s);
}

/* A trace that stores 1 to COUNT places and then 2 to six, in each of which RAM at the
   halt has VALUE.  */
static void
places (unsigned count, uint32_t value, bool used)
{
  struct tb_recording *f = BEGIN (0x4807,	/* ldr r0,[pc,#28]  */
				  0x2101,	/* movs r1,#1  */
				  0x6001, 0x6041, 0x6081, 0x60c1, 0x6101,
				  0x6141,	/* str r1,[r0,#20]  */
				  0x2102,	/* movs r1,#2  */
				  0x6001, 0x6041, 0x6081, 0x60c1, 0x6101,
				  0x6141, 0x4770,
				  0, FAKE_RAM >> 16);
  set_unit (f, SILENT);
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, 0);
  fake_run (f, MAIN + 4, count);
  fake_run (f, MAIN + 16, 1);
  fake_run (f, MAIN + 18, 6);
  for (unsigned i = 0; i < 6; i++)
    ram[i] = value;
  fake_reg (f, "R4", 0x44);
  fake_end (f, MAIN + 30, true);
  struct tb_state *s = fake_open (f);
  CHECK_INT (tb_state_halt (s), used ? TB_HALT_USED : TB_HALT_UNCONFIRMED);
  end (f, s);
}

/* SP at the halt, MSP as well, and whether it counts.  */
static void
stack (uint32_t sp, bool dumped)
{
  struct tb_recording *f = BEGIN (0x46c0, 0xe7fe /* b .  */);
  set_unit (f, SILENT);
  fake_step (f, MAIN, 0);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", sp);
  fake_reg (f, "MSP", sp);
  fake_end (f, MAIN + 2, true);
  struct tb_state *s = open (f, true, !dumped);
  KNOWN (s, 0, TB_R4, 0x44);
  if (dumped)
    KNOWN (s, 0, TB_SP, sp);
  else
    UNKNOWN (s, 0, TB_SP);
  end (f, s);
}

/* What tells of stacks stays of the registers of a halt, of CORE, which has the COUNT registers
   KEPT of them.  */
static void
keep_stack (const char *core, const unsigned *kept, size_t count)
{
  struct tb_profile profile;
  struct tb_value values[TB_NREGS_MAX];
  if (!CHECK (tb_profile_find (&profile, core)))
    return;
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    values[i] = tb_value_stated (i, UINT32_MAX);
  tb_halt_keep_stack (&profile, values);
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    {
      bool keeps = false;
      for (size_t k = 0; k < count; k++)
	keeps |= kept[k] == i;
      CHECK_INT (values[i].origin, keeps ? TB_STATED : TB_UNKNOWN);
      /* Of the flags nothing.  */
      bool whole = keeps && (profile.has_a64 || i != TB_PSR);
      CHECK_INT (values[i].mask, whole ? UINT32_MAX : 0);
      CHECK_INT (values[i].bits, whole ? i : 0);
    }
}

int
main (void)
{
  static const unsigned of_m[] = { TB_SP, TB_PC, TB_PSR, TB_MSP, TB_PSP, TB_CONTROL },
			of_a64[] = { TB_SP64, TB_PC64 };
  keep_stack ("Cortex-M4", of_m, sizeof of_m / sizeof of_m[0]);
  keep_stack ("Cortex-A57", of_a64, sizeof of_a64 / sizeof of_a64[0]);
  one_visit (NO_UNIT, false, true);
  one_visit (SILENT, false, false);
  one_visit (SILENT, true, true);
  one_visit (ENABLED, false, false);
  one_visit (ENABLED, true, true);
  one_visit (DISABLED, false, false);
  one_visit (STOPPED, false, false);
  one_visit (MTB_SILENT, false, false);
  one_visit (MTB_ENABLED, false, true);
  one_visit (MTB_OFF, false, false);
  one_visit (MTB_STOPPABLE, false, true);
  one_visit (MTB_SWITCHED, false, false);
  assumed ();
  code ("bx lr", 0x46c0, 0x4770, 0, false);
  code ("b .", 0xe7fe, 0, 0, true);
  code_with ("b ., masked", 0xe7fe, 0, 0, "PRIMASK", 1, true);
  code_with ("b ., not masked", 0xe7fe, 0, 0, "PRIMASK", 0, false);
  code_with ("b ., in HardFault", 0xe7fe, 0, 0, "xPSR", 0x01000003, true);
  code_with ("b ., in SVCall", 0xe7fe, 0, 0, "xPSR", 0x0100000b, false);
  code_with ("nop; b .", 0x46c0, 0xe7fe, 0, "PRIMASK", 0, true);
  code ("cpsid i; b .", 0xb672, 0xe7fe, 0, true);
  code ("nop; b back", 0x46c0, 0xe7fd, 0, false);
  code ("bl", 0xf000, 0xf800, 0xe7fe, false);
  code ("svc; b .", 0xdf00, 0xe7fe, 0, false);
  code ("beq .; b .", 0xd0fe, 0xe7fe, 0, false);
  loop (12, true, 12, TB_HALT_USED);
  loop (12, true, 20, TB_HALT_CONTRADICTED);
  loop (12, false, 12, TB_HALT_UNCONFIRMED);
  places (6, 2, true);
  places (6, 1, false);
  places (5, 2, false);
  stack (FAKE_RAM + 0x80, true);
  stack (FAKE_RAM + sizeof ram, true);
  stack (FAKE_RAM + 0x100080, false);
  return check_done ();
}
