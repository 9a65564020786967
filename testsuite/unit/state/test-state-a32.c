/* State of A32 code, and of T32 on the A profile: modes and the registers that they
   bank, exceptions, conditions, and what makes memory unknown.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "fake-recording.h"

/* Exception numbers of PTM.  */
enum { UNDEFINED = 9, SVC = 10, IRQ = 14, FIQ = 15 };

#define NOP 0xe320f000u
#define MAIN 0x100u
#define HANDLER 0x180u

/* Flash from 0 with a vector table, RAM from FAKE_RAM.  */
static uint32_t flash[128];
static uint32_t ram[128];

/* A recording of the code MAIN and HANDLER.  */
static struct tb_recording *
begin (const uint32_t *code, size_t count, const uint32_t *handler,
       size_t nhandler)
{
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  f->decoder = &fake_ptm;
  memset (ram, 0, sizeof ram);
  for (size_t i = 0; i < sizeof flash / sizeof flash[0]; i++)
    flash[i] = NOP;
  for (size_t i = 0; i < count; i++)
    flash[MAIN / 4 + i] = code[i];
  for (size_t i = 0; i < nhandler; i++)
    flash[HANDLER / 4 + i] = handler[i];
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  return f;
}

#define WORDS(...) \
  (const uint32_t[]) { __VA_ARGS__ }, sizeof (uint32_t[]) { __VA_ARGS__ } / 4

/* Exception NUMBER, which returns to BACK, by the vector at VECTOR.  */
static void
except (struct tb_recording *f, unsigned number, uint32_t back,
	uint32_t vector)
{
  fake_event (f, TB_EVENT_EXCEPTION, back)->exception = (uint16_t) number;
  fake_step (f, vector, 0);
}

/* Steps of a window; 0: one has all.  */
static uint64_t window;

static struct tb_state *
finish (struct tb_recording *f)
{
  f->options.window = window;
  struct tb_state *state = fake_open (f);
  if (!CHECK (state != NULL))
    abort ();
  CHECK (tb_state_prepare (state, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, 0);
  return state;
}

static void
end (struct tb_recording *f, struct tb_state *state)
{
  tb_state_close (state);
  fake_free (f);
}

#define KNOWN(state, step, reg, want) \
  do \
    { \
      uint32_t got_ = 0; \
      CHECK (fake_known ((state), (step), (reg), &got_)); \
      CHECK_INT (got_, (want)); \
    } \
  while (0)

#define UNKNOWN(state, step, reg) \
  do \
    { \
      uint32_t got_; \
      CHECK (!fake_known ((state), (step), (reg), &got_)); \
    } \
  while (0)

/* The bits MASK of CPSR before STEP.  */
static uint32_t
psr (struct tb_state *state, uint64_t step, uint32_t mask)
{
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (state, step, values);
  CHECK_INT (values[TB_PSR].mask & mask, mask);
  return (uint32_t) values[TB_PSR].bits & mask;
}

/* What SETUP loads.  */
#define LITERAL (MAIN + 6 * 4 + 8 + 220)

/* Stacks for IRQ, FIQ and System mode; then r8 is 8.  Nine steps.  */
#define SETUP \
  0xee110f10,			/* mrc: not User mode  */ \
  0xf1020012,			/* cps #18  */ \
  0xe3a0d202,			/* mov sp, #0x20000000  */ \
  0xf1020011,			/* cps #17  */ \
  0xe3a0d302,			/* mov sp, #0x08000000  */ \
  0xf102001f,			/* cps #31  */ \
  0xe59fd0dc,			/* ldr sp, [pc, #220]  */ \
  0xe3a08008,			/* mov r8, #8  */ \
  0xe3a0e00e			/* mov lr, #14  */

static void
test_irq (void)
{
  struct tb_recording *f
    = begin (WORDS (SETUP, NOP, NOP),
	     WORDS (0xe24ee004,		/* sub lr, lr, #4  */
		    0xe28dd040,		/* add sp, sp, #64  */
		    0xf96d0512,		/* srsdb sp!, #18  */
		    0xe3a08003,		/* mov r8, #3  */
		    0xe3a0e000,		/* mov lr, #0  */
		    0xf8bd0a00));	/* rfeia sp!  */
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 10);
  except (f, IRQ, MAIN + 40, 0x18);		/* Step 10.  */
  fake_run (f, HANDLER, 5);
  fake_step (f, HANDLER + 20, TB_STEP_TAKEN);	/* Step 16.  */
  fake_step (f, MAIN + 40, 0);
  struct tb_state *state = finish (f);
  KNOWN (state, 10, TB_SP, 0x20000000);
  KNOWN (state, 10, TB_LR, MAIN + 44);
  KNOWN (state, 10, 8, 8);
  CHECK_INT (psr (state, 10, 0x9f), 0x92);
  KNOWN (state, 13, TB_SP, 0x20000040);
  KNOWN (state, 14, TB_SP, 0x20000038);
  uint32_t word;
  CHECK (fake_word (state, 14, 0x20000038, &word));
  CHECK_INT (word, MAIN + 40);
  KNOWN (state, 17, TB_SP, 0x20000100);
  KNOWN (state, 17, TB_LR, 14);
  KNOWN (state, 17, 8, 3);		/* It is not banked.  */
  CHECK_INT (psr (state, 17, 0x1f), 0x1f);
  end (f, state);
}

static void
test_fiq (void)
{
  struct tb_recording *f
    = begin (WORDS (SETUP, NOP, NOP),
	     WORDS (0xe3a08003,		/* mov r8, #3  */
		    0xe3a07007,		/* mov r7, #7  */
		    0xe25ef004));	/* subs pc, lr, #4  */
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 10);
  except (f, FIQ, MAIN + 40, 0x1c);		/* Step 10.  */
  fake_run (f, HANDLER, 2);
  fake_step (f, HANDLER + 8, TB_STEP_TAKEN);
  fake_step (f, MAIN + 40, 0);			/* Step 14.  */
  struct tb_state *state = finish (f);
  UNKNOWN (state, 10, 8);		/* FIQ mode has its own.  */
  KNOWN (state, 10, TB_SP, 0x08000000);
  KNOWN (state, 10, TB_LR, MAIN + 44);
  KNOWN (state, 12, 8, 3);
  KNOWN (state, 14, 8, 8);
  KNOWN (state, 14, 7, 7);
  KNOWN (state, 14, TB_SP, 0x20000100);
  end (f, state);
}

/* SVC and undefined instructions, in A32 and T32.  */
static void
test_calls (void)
{
  struct tb_recording *f
    = begin (WORDS (0xee110f10, 0xf102001f, 0xef000001, NOP),
	     WORDS (0xe14f0000,		/* mrs r0, spsr  */
		    0xe1b0f00e));	/* movs pc, lr  */
  fake_run (f, MAIN, 3);
  except (f, SVC, MAIN + 12, 0x08);		/* Step 3.  */
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_step (f, MAIN + 12, 0);			/* Step 6.  */
  except (f, UNDEFINED, MAIN + 16, 0x04);	/* Step 7.  */
  struct tb_state *state = finish (f);
  KNOWN (state, 3, TB_LR, MAIN + 12);
  CHECK_INT (psr (state, 3, 0x9f), 0x93);
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (state, 5, values);
  CHECK_INT (values[0].bits & values[0].mask & 0x3f, 0x1f);
  CHECK_INT (values[0].mask & 0x3f, 0x3f);
  CHECK_INT (psr (state, 6, 0x1f), 0x1f);
  KNOWN (state, 7, TB_LR, MAIN + 20);
  CHECK_INT (psr (state, 7, 0x9f), 0x9b);
  end (f, state);

  f = begin (WORDS (0xee110f10, NOP), WORDS (NOP));
  f->isa = TB_ISA_T32;
  flash[MAIN / 4] = 0x0f10ee11;		/* mrc in T32  */
  flash[MAIN / 4 + 1] = 0xde00bf00;	/* nop; udf  */
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 6)->exception = UNDEFINED;
  f->isa = TB_ISA_A32;
  fake_step (f, 4, 0);
  state = finish (f);
  KNOWN (state, 2, TB_LR, MAIN + 8);
  end (f, state);
}

/* Where the mode is not known, no more is claimed than holds in all.  */
static void
test_unknown_mode (void)
{
  struct tb_recording *f
    = begin (WORDS (0xe3a08008,		/* mov r8, #8  */
		    0xe3a07007,		/* mov r7, #7  */
		    0xe3a0d302,		/* mov sp, #0x08000000  */
		    NOP),
	     WORDS (0xe25ef004));	/* subs pc, lr, #4  */
  fake_run (f, MAIN, 3);
  except (f, FIQ, MAIN + 12, 0x1c);		/* Step 3.  */
  fake_step (f, HANDLER, TB_STEP_TAKEN);
  fake_step (f, MAIN + 12, 0);			/* Step 5.  */
  struct tb_state *state = finish (f);
  KNOWN (state, 3, 7, 7);
  UNKNOWN (state, 3, 8);		/* It may have been FIQ mode.  */
  UNKNOWN (state, 3, TB_SP);
  KNOWN (state, 3, TB_LR, MAIN + 16);
  KNOWN (state, 5, 7, 7);
  end (f, state);

  /* With Monitor mode an IRQ may be its own.  */
  f = begin (WORDS (SETUP, NOP, 0xe1600070), WORDS (NOP));
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 10);
  except (f, IRQ, MAIN + 40, 0x18);
  state = finish (f);
  UNKNOWN (state, 10, TB_SP);
  KNOWN (state, 10, TB_LR, MAIN + 44);
  KNOWN (state, 10, 8, 8);
  end (f, state);

  /* But not by the table that an SVC goes to.  */
  f = begin (WORDS (SETUP, 0xef000000, NOP, 0xe1600070),
	     WORDS (0xe1b0f00e));
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 10);
  except (f, SVC, MAIN + 40, 0x08);		/* Step 10.  */
  fake_step (f, HANDLER, TB_STEP_TAKEN);
  fake_step (f, MAIN + 40, 0);
  except (f, IRQ, MAIN + 44, 0x18);		/* Step 13.  */
  state = finish (f);
  KNOWN (state, 13, TB_SP, 0x20000000);
  end (f, state);
}

/* The mode that is written back is the one that was read.  */
static void
test_restore (void)
{
  struct tb_recording *f
    = begin (WORDS (SETUP,
		    0xe10f0000,		/* mrs r0, cpsr  */
		    0xf10c0080,		/* cpsid i  */
		    0xe121f000,		/* msr cpsr_c, r0  */
		    0xf1020012,		/* cps #18  */
		    0xe129f000,		/* msr cpsr_fc, r0  */
		    NOP),
	     WORDS (NOP));
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 15);
  struct tb_state *state = finish (f);
  KNOWN (state, 12, TB_SP, 0x20000100);
  KNOWN (state, 13, TB_SP, 0x20000000);
  KNOWN (state, 14, TB_SP, 0x20000100);
  KNOWN (state, 14, TB_LR, 14);
  KNOWN (state, 14, 8, 8);
  end (f, state);
}

/* Not all cores keep bits 23 to 20 of what is written to SPSR.  */
static void
test_spsr (void)
{
  struct tb_recording *f
    = begin (WORDS (SETUP,
		    0xf1020012,		/* cps #18  */
		    0xe3003013,		/* movw r3, #0x13  */
		    0xe34830f0,		/* movt r3, #0x80f0  */
		    0xe16ff003,		/* msr spsr_fsxc, r3  */
		    0xe14f0000,		/* mrs r0, spsr  */
		    0xe3483000,		/* movt r3, #0x8000  */
		    0xe16ff003,		/* msr spsr_fsxc, r3  */
		    0xe14f1000,		/* mrs r1, spsr  */
		    0xe3413230,		/* movt r3, #0x1230  */
		    0xe160f303,		/* msr SPSR_irq, r3  */
		    0xe14f2000,		/* mrs r2, spsr  */
		    0xe368f101,		/* msr spsr_f, #0x40000000  */
		    0xe14f4000,		/* mrs r4, spsr  */
		    NOP),
	     WORDS (NOP));
  fake_run (f, MAIN, 23);
  struct tb_state *state = finish (f);
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (state, 22, values);
  CHECK_INT (values[0].mask, 0xff0fffff);
  CHECK_INT (values[0].bits, 0x80000013);
  KNOWN (state, 22, 1, 0x80000013);
  CHECK_INT (values[2].mask, 0xffcfffff);
  CHECK_INT (values[2].bits, 0x12000013);
  CHECK_INT (values[4].mask, 0xffcfffff);
  CHECK_INT (values[4].bits, 0x40000013);
  end (f, state);
}

/* A multiple load that an interrupt stops may have loaded some registers.  */
static void
test_abandoned (void)
{
  struct tb_recording *f
    = begin (WORDS (SETUP, 0xe3a07007,	/* mov r7, #7  */
		    0xe89d0180),	/* ldm sp, {r7, r8}  */
	     WORDS (NOP));
  flash[LITERAL / 4] = 0x20000100;
  fake_run (f, MAIN, 10);
  except (f, IRQ, MAIN + 40, 0x18);
  struct tb_state *state = finish (f);
  KNOWN (state, 9, 8, 8);
  UNKNOWN (state, 10, 7);
  UNKNOWN (state, 10, 8);
  KNOWN (state, 10, TB_LR, MAIN + 44);
  end (f, state);
}

/* Conditional instructions: ETMv3 tells whether they passed, PTM does not.  */
static void
test_conditions (void)
{
  for (unsigned told = 0; told < 2; told++)
    {
      struct tb_recording *f
	= begin (WORDS (0xe3a01001,	/* mov r1, #1  */
			0xe3a02002,	/* mov r2, #2  */
			0xe3500005,	/* cmp r0, #5  */
			0x01a01002,	/* moveq r1, r2  */
			0x13a02003,	/* movne r2, #3  */
			NOP),
		 WORDS (NOP));
      f->decoder = told ? &fake_etmv3 : &fake_ptm;
      fake_run (f, MAIN, 3);
      fake_step (f, MAIN + 12, 0);
      fake_step (f, MAIN + 16, TB_STEP_NOT_TAKEN);
      fake_step (f, MAIN + 20, 0);
      struct tb_state *state = finish (f);
      if (told)
	{
	  KNOWN (state, 5, 1, 2);
	  KNOWN (state, 5, 2, 2);
	  KNOWN (state, 0, 0, 5);
	}
      else
	{
	  UNKNOWN (state, 5, 1);
	  UNKNOWN (state, 5, 2);
	  UNKNOWN (state, 5, 0);
	}
      end (f, state);
    }
  /* A branch tells the condition, and with it the other.  */
  struct tb_recording *f
    = begin (WORDS (0xe3a01001,		/* mov r1, #1  */
		    0xe3500005,		/* cmp r0, #5  */
		    0x03a01002,		/* moveq r1, #2  */
		    0x0a000000,		/* beq .+8  */
		    NOP, NOP),
	     WORDS (NOP));
  fake_run (f, MAIN, 3);
  fake_step (f, MAIN + 12, TB_STEP_TAKEN);
  fake_step (f, MAIN + 20, 0);
  struct tb_state *state = finish (f);
  KNOWN (state, 4, 1, 2);
  KNOWN (state, 4, 0, 5);
  end (f, state);
}

/* What makes it unknown whether memory is what it was.  */
static void
test_memory (void)
{
  static const struct { uint32_t opcode; bool kept; } row[] = {
    { NOP, true }, { 0xee020f10, false },	/* mcr p15, 0, r0, c2, c0, 0  */
    { 0xee080f17, false },		/* mcr p15, 0, r0, c8, c7, 0  */
    { 0xee0d0f70, true },		/* mcr p15, 0, r0, c13, c0, 3  */
    { 0xf1010200, false },		/* setend be  */
    { 0xf1010000, true },		/* setend le  */
    { 0xee070f95, true }		/* mcr p15, 0, r0, c7, c5, 4: ISB  */
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
    {
      struct tb_recording *f
	= begin (WORDS (0xe3a00202,	/* mov r0, #0x20000000  */
			0xe3a01011,	/* mov r1, #17  */
			0xe5801004,	/* str r1, [r0, #4]  */
			row[i].opcode,
			0xe5902004,	/* ldr r2, [r0, #4]  */
			NOP),
		 WORDS (NOP));
      fake_run (f, MAIN, 6);
      struct tb_state *state = finish (f);
      uint32_t got;
      if (!CHECK_INT (fake_known (state, 5, 2, &got), row[i].kept))
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
      end (f, state);
    }
  /* Another context may have other memory at the same address.  */
  for (unsigned other = 0; other < 2; other++)
    {
      struct tb_recording *f
	= begin (WORDS (0xe3a00202, 0xe3a01011, 0xe5801004, 0xe5902004, NOP),
		 WORDS (NOP));
      for (unsigned i = 0; i < 5; i++)
	{
	  if (i == 0 || i == 3)
	    {
	      struct tb_event *e = fake_event (f, TB_EVENT_CONTEXT, 0);
	      e->value = i == 3 && other ? 2 : 1;
	      e->el = 0xff;
	    }
	  fake_step (f, MAIN + 4 * i, 0);
	}
      struct tb_state *state = finish (f);
      uint32_t got;
      CHECK_INT (fake_known (state, 4, 2, &got), !other);
      end (f, state);
    }
}

/* Data stay big-endian in the windows behind.  */
static void
test_big_endian (void)
{
  for (unsigned big = 0; big < 2; big++)
    {
      struct tb_recording *f
	= begin (WORDS (big ? 0xf1010200 : 0xf1010000,	/* setend  */
			NOP, NOP,
			0xe3a00202,	/* mov r0, #0x20000000  */
			0xe3a01011,	/* mov r1, #17  */
			0xe5801004,	/* str r1, [r0, #4]  */
			0xe5d02004,	/* ldrb r2, [r0, #4]  */
			NOP),
		 WORDS (NOP));
      fake_run (f, MAIN, 8);
      struct tb_state *state = finish (f);
      uint32_t got;
      CHECK_INT (fake_known (state, 7, 2, &got), !big);
      end (f, state);
    }
}

/* What an ELF file says to be read only is what it was, whatever is stored
   elsewhere.  */
static void
test_read_only (void)
{
  for (unsigned elf = 0; elf < 2; elf++)
    {
      struct tb_recording *f
	= begin (WORDS (0xe5812000,	/* str r2, [r1]  */
			0xe3a00f7e,	/* mov r0, #0x1f8  */
			0xe5903000,	/* ldr r3, [r0]  */
			0xe5812000,	/* str r2, [r1]  */
			NOP),
		 WORDS (NOP));
      flash[0x1f8 / 4] = 0x12345678;
      if (elf)
	{
	  fake_dump (f, 0, flash, sizeof flash);
	  f->regions[f->nregions - 1].access = TB_ACCESS_READ;
	  f->regions[f->nregions - 1].halt_contents = false;
	}
      fake_run (f, MAIN, 5);
      struct tb_state *state = finish (f);
      uint32_t got = 0;
      CHECK_INT (fake_known (state, 3, 3, &got), elf);
      if (elf)
	CHECK_INT (got, 0x12345678);
      end (f, state);
    }
}

/* From A32 to T32 and back, by registers of which nothing else is known.  */
static void
test_interworking (void)
{
  struct tb_recording *f
    = begin (WORDS (0xe12fff10,		/* bx r0  */
		    0x4708bf00,		/* T32: nop; bx r1  */
		    NOP),
	     WORDS (NOP));
  fake_step (f, MAIN, TB_STEP_TAKEN);
  f->isa = TB_ISA_T32;
  fake_step (f, MAIN + 4, 0);
  fake_step (f, MAIN + 6, TB_STEP_TAKEN);
  f->isa = TB_ISA_A32;
  fake_step (f, MAIN + 8, 0);
  struct tb_state *state = finish (f);
  KNOWN (state, 0, 0, MAIN + 5);
  KNOWN (state, 0, 1, MAIN + 8);
  end (f, state);
}

/* The halt tells the registers, and the mode.  */
static void
test_halt (void)
{
  struct tb_recording *f
    = begin (WORDS (0xe2800001,		/* add r0, r0, #1  */
		    0xe3a0d202, NOP),
	     WORDS (NOP));
  fake_run (f, MAIN, 3);
  fake_reg (f, "r0", 5);
  fake_reg (f, "sp", 0x20000000);
  fake_reg (f, "lr", 77);
  fake_reg (f, "cpsr", 0xa00001d3);
  fake_end (f, MAIN + 12, true);
  struct tb_state *state = finish (f);
  KNOWN (state, 0, 0, 4);
  KNOWN (state, 0, TB_LR, 77);
  UNKNOWN (state, 0, TB_SP);
  CHECK_INT (psr (state, 0, 0xf00001df), 0xa00001d3);
  end (f, state);
}

int
main (void)
{
  /* What is known by numbers is so whatever the windows.  */
  static void (*const tests[]) (void) = {
    test_irq, test_fiq, test_calls, test_restore, test_spsr, test_abandoned,
    test_conditions, test_memory, test_big_endian, test_read_only, test_halt
  };
  for (window = 0; window <= 20; window++)
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
      tests[i] ();
  window = 0;
  test_unknown_mode ();
  test_interworking ();
  return check_done ();
}
