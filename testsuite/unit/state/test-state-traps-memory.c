/* State: what must not be concluded from loads and stores.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each test has a twin in which the same may be concluded, so that none passes
   because nothing is ever known.  */

#include "config.h"

#include "state-program.h"

/* A store to an address that is not known may have hit any RAM, unless what it
   stored is not what is there.  */
static void
suspect_store (bool refuted)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x6013,	/* str r3,[r2]  */
				  0x2200,	/* movs r2,#0  */
				  0x2000);	/* movs r0,#0  */
  ram[0] = 0xcafe;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R3", refuted ? 0xbabe : 0xcafe);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  if (refuted)
    {
      KNOWN (s, 0, TB_R0, 0xcafe);
      WORD (s, 1, FAKE_RAM, 0xcafe);
    }
  else
    {
      UNKNOWN (s, 0, TB_R0);
      NO_WORD (s, 1, FAKE_RAM);
      WORD (s, 2, FAKE_RAM, 0xcafe);
    }
  end (f, s);
}

/* A byte that may have hit one of four.  */
static void
test_suspect_byte (void)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x7013,	/* strb r3,[r2]  */
				  0x2200,	/* movs r2,#0  */
				  0x2000);	/* movs r0,#0  */
  ram[0] = 0x11223344;
  ram[1] = 0x55555555;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R3", 0x22);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_R0);
  /* It is in the way of no other byte.  */
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R0].mask, 0xff00ffff);
  CHECK_INT (v[TB_R0].bits, 0x11003344);
  NO_WORD (s, 1, FAKE_RAM);
  WORD (s, 2, FAKE_RAM, 0x11223344);
  WORD (s, 0, FAKE_RAM + 4, 0x55555555);
  uint8_t bytes[4], origins[4];
  CHECK_INT (tb_state_memory (s, 1, FAKE_RAM, bytes, origins, 4), 3);
  CHECK_INT (origins[2], TB_UNKNOWN);
  CHECK_INT (bytes[0], 0x44);
  CHECK_INT (bytes[3], 0x11);
  end (f, s);
}

/* The byte in the middle of a word was written later: bytes, not words.  */
static void
test_partial_overlap (void)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x708b,	/* strb r3,[r1,#2]  */
				  0x2000);	/* movs r0,#0  */
  ram[0] = 0x11aa3344;
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_R0);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R0].mask, 0xff00ffff);
  CHECK_INT (v[TB_R0].bits, 0x11003344);
  CHECK_INT (v[TB_R3].mask, 0xff);
  CHECK_INT (v[TB_R3].bits, 0xaa);
  end (f, s);
}

/* Devices change by themselves, dumped or not; and so does what was never
   dumped, for all that is known.  */
static void
device (uint32_t base, bool remembered)
{
  struct tb_recording *f = BEGIN (0x600c,	/* str r4,[r1]  */
				  0x6808,	/* ldr r0,[r1]  */
				  0x680a,	/* ldr r2,[r1]  */
				  0x2400);	/* movs r4,#0  */
  static uint32_t registers[16];
  if (base != FAKE_RAM)
    fake_dump (f, 0x40000000, registers, sizeof registers);
  registers[0] = ram[0] = 0x21;
  fake_reg (f, "R1", base);
  fake_reg (f, "R2", 0x21);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 3, TB_R2, 0x21);
  if (remembered)
    {
      KNOWN (s, 2, TB_R0, 0x21);
      KNOWN (s, 0, TB_R4, 0x21);
    }
  else
    {
      UNKNOWN (s, 2, TB_R0);
      UNKNOWN (s, 0, TB_R4);
    }
  end (f, s);
}

/* A store to a device cannot have hit RAM.  */
static void
test_device_store (void)
{
  struct tb_recording *f = BEGIN (0x6010,	/* str r0,[r2]  */
				  0x600c,	/* str r4,[r1]: device  */
				  0x2000);	/* movs r0,#0  */
  ram[0] = 0x77;
  fake_reg (f, "R1", 0x40000000);
  fake_reg (f, "R2", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R0, 0x77);
  end (f, s);
}

/* On ARMv7-M a word may be at an odd address, and overlap two.  */
static void
unaligned (bool odd)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x6014,	/* str r4,[r2]  */
				  0x2000);	/* movs r0,#0  */
  f->profile.arch = TB_ARCH_V7M;
  ram[0] = ram[1] = 0;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R2", FAKE_RAM + (odd ? 2 : 4));
  fake_reg (f, "R4", 0);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  if (odd)
    {
      UNKNOWN (s, 0, TB_R0);
      struct tb_value v[TB_NREGS_MAX];
      tb_state_registers (s, 0, v);
      CHECK_INT (v[TB_R0].mask & 0xffff0000, 0);
    }
  else
    KNOWN (s, 0, TB_R0, 0);
  end (f, s);
}

/* A store to the bit-band alias of ARMv7-M changes a bit of RAM: that of word
   NUMBER.  */
static void
bit_band (enum tb_arch arch, unsigned number, bool known)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x6013,	/* str r3,[r2]  */
				  0x2000);	/* movs r0,#0  */
  f->profile.arch = arch;
  ram[0] = 0xcafe;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R2", 0x22000000 + 128 * number + 4 * 3);
  fake_reg (f, "R3", 1);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  if (known)
    KNOWN (s, 0, TB_R0, 0xcafe);
  else
    UNKNOWN (s, 0, TB_R0);
  end (f, s);
}

/* Nor is it known where a pointer leads, if the code has the alias among its
   constants, a word further if FAR: what it stores need not be what it leaves.  */
static void
bit_band_pointer (uint32_t constant, bool far, bool known)
{
  uint32_t first = far ? 0 : constant, second = far ? constant : 0;
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x6013,	/* str r3,[r2]  */
				  0x2200,	/* movs r2,#0  */
				  0x2000,	/* movs r0,#0  */
				  0x4c00 + far,	/* ldr r4,[pc,#0 or #4]  */
				  0xbf00, (uint16_t) first, (uint16_t) (first >> 16),
				  (uint16_t) second, (uint16_t) (second >> 16));
  f->profile.arch = TB_ARCH_V7M;
  ram[0] = 0xcaff;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R3", 1);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  if (known)
    KNOWN (s, 0, TB_R0, 0xcaff);
  else
    UNKNOWN (s, 0, TB_R0);
  end (f, s);
}

/* So is it where code that did not run has an instruction of the halfwords FIRST and SECOND,
   which may make such an address.  */
static void
bit_band_code (uint16_t first, uint16_t second, bool known)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x6013,	/* str r3,[r2]  */
				  0x2200,	/* movs r2,#0  */
				  0x2000,	/* movs r0,#0  */
				  first, second);
  f->profile.arch = TB_ARCH_V7M;
  ram[0] = 0xcaff;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R3", 1);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  if (known)
    KNOWN (s, 0, TB_R0, 0xcaff);
  else
    UNKNOWN (s, 0, TB_R0);
  end (f, s);
}

/* Two loads from one address that is not known may be of a device, but for the
   stack.  */
static void
two_loads (uint16_t first, uint16_t second, bool known)
{
  struct tb_recording *f = BEGIN (first,	/* ldr r2,...  */
				  second,	/* ldr r3,...  */
				  0x2100);	/* movs r1,#0  */
  fake_reg (f, "R3", 0x33);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  if (known)
    KNOWN (s, 1, TB_R2, 0x33);
  else
    UNKNOWN (s, 1, TB_R2);
  end (f, s);
}

/* A store to a known address may be one to a stack that is not known, and a store
   there one to a known address.  */
static void
known_and_symbolic (unsigned how)
{
  struct tb_recording *f
    = BEGIN (0x4c03,			/* ldr r4,[pc,#12]: FAKE_RAM  */
	     0x2011,			/* movs r0,#0x11  */
	     how < 2 ? 0xb401 : 0x6020,	/* push {r0}; str r0,[r4]  */
	     how < 2 ? 0x6025 : 0xb420,	/* str r5,[r4]; push {r5}  */
	     how < 2 ? 0xbc04 : 0x6822,	/* pop {r2}; ldr r2,[r4]  */
	     0x2500,			/* movs r5,#0  */
	     0xbf00, 0xbf00,
	     0x0000, 0x2000);
  if (how % 2 != 0)
    flash[MAIN / 2 + 3] = 0xbf00;
  fake_end (f, fake_run (f, MAIN, 6), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 2, TB_R4, FAKE_RAM);
  if (how % 2 != 0)
    KNOWN (s, 5, TB_R2, 0x11);
  else
    UNKNOWN (s, 5, TB_R2);
  end (f, s);
}

/* An interval that may wrap around is none.  */
static void
intervals (bool wraps)
{
  struct tb_recording *f = BEGIN (0xb2c1,	/* uxtb r1,r0  */
				  0x290a,	/* cmp r1,#10  */
				  wraps ? 0xbf00 : 0xd3fe, /* bcc, not taken  */
				  0x390a,	/* subs r1,#10  */
				  0x0a0a);	/* lsrs r2,r1,#8  */
  fake_end (f, fake_run (f, MAIN, 5), false);
  struct tb_state *s = finish (f);
  if (wraps)
    UNKNOWN (s, 5, TB_R2);
  else
    KNOWN (s, 5, TB_R2, 0);
  end (f, s);
}

/* What many branches narrow.  */
static void
test_interval_in_loop (void)
{
  enum { ROUNDS = 5000 };
  struct tb_recording *f = BEGIN (0x1e40,	/* subs r0,r0,#1  */
				  0xd8fd,	/* bhi .-2  */
				  0xbf00);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      fake_step (f, MAIN, 0);
      fake_step (f, MAIN + 2, TB_STEP_TAKEN);
    }
  fake_end (f, fake_run (f, MAIN, 3), false);
  struct tb_state *s = finish (f);
  /* In the end it was 0 or 1 (not taken), and not 0 (taken before).  */
  KNOWN (s, 2 * ROUNDS, TB_R0, 1);
  KNOWN (s, 0, TB_R0, ROUNDS + 1);
  end (f, s);
}

/* RAM in the Code region, as many parts have: no dump there is constant unless
   code ran in it, nor if a stack is there.  */
static void
test_ram_below_0x20000000 (void)
{
  static uint32_t low[64];
  for (unsigned stack = 0; stack < 2; stack++)
    {
      struct tb_recording *f = BEGIN (0x4801,	/* ldr r0,[pc,#4]  */
				      0x6801,	/* ldr r1,[r0]  */
				      0x6013,	/* str r3,[r2]  */
				      0xbf00, 0xf000, 0x1fff);
      low[0] = 0x11112222;
      fake_dump (f, 0x1ffff000, low, sizeof low);
      fake_reg (f, "R13", stack ? 0x1ffff080 : FAKE_RAM + 0x80);
      fake_end (f, fake_run (f, MAIN, 3), true);
      struct tb_state *s = finish (f);
      KNOWN (s, 1, TB_R0, 0x1ffff000);
      /* The store may be what left the halt's contents.  */
      UNKNOWN (s, 2, TB_R1);
      UNKNOWN (s, 3, TB_R1);
      end (f, s);
    }
}

/* What is loaded where it is not aligned is what memory is known to hold; what is
   stored so is what it holds then.  */
static void
test_unaligned_values (void)
{
  struct tb_recording *f = BEGIN (0x2120,	/* movs r1,#0x20  */
				  0x0609,	/* lsls r1,r1,#24  */
				  0x2005,	/* movs r0,#5  */
				  0x0200,	/* lsls r0,r0,#8  */
				  0x6008,	/* str r0,[r1]  */
				  0x3101,	/* adds r1,#1  */
				  0x880a,	/* ldrh r2,[r1]  */
				  0x800b,	/* strh r3,[r1]  */
				  0x2300);	/* movs r3,#0  */
  struct tb_value v[TB_NREGS_MAX];
  f->profile.arch = TB_ARCH_V7M;
  ram[0] = 0x00abcd00;
  fake_reg (f, "R1", FAKE_RAM + 1);
  fake_end (f, fake_run (f, MAIN, 9), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 7, TB_R2, 5);
  tb_state_registers (s, 7, v);
  CHECK_INT (v[TB_R3].mask & 0xffff, 0xffff);
  CHECK_INT (v[TB_R3].bits & 0xffff, 0xabcd);
  end (f, s);
}

int
main (void)
{
  test_unaligned_values ();
  test_ram_below_0x20000000 ();
  two_loads (0x680a, 0x680b, false);	/* ldr r2,[r1]; ldr r3,[r1]  */
  two_loads (0x9a00, 0x9b00, true);	/* ldr r2,[sp]; ldr r3,[sp]  */
  for (unsigned how = 0; how < 4; how++)
    known_and_symbolic (how);
  intervals (false);
  intervals (true);
  test_interval_in_loop ();
  bit_band (TB_ARCH_V7M, 0, false);
  bit_band (TB_ARCH_V7M, 1, true);
  bit_band (TB_ARCH_V6M, 0, true);
  bit_band_pointer (0x22000000, false, false);
  bit_band_pointer (0x20000000, false, true);
  bit_band_pointer (0x22000000, true, false);
  bit_band_pointer (0x20000000, true, true);
  bit_band_code (0xf04f, 0x5008, false);	/* mov.w r0,#0x22000000  */
  bit_band_code (0xf04f, 0x500f, false);	/* mov.w r0,#0x23c00000  */
  bit_band_code (0xf04f, 0x5000, true);		/* mov.w r0,#0x20000000  */
  bit_band_code (0xf04f, 0x5010, true);		/* mov.w r0,#0x24000000  */
  bit_band_code (0xf100, 0x500c, false);	/* add.w r0,r0,#0x23000000  */
  bit_band_code (0xf2c2, 0x2000, false);	/* movt r0,#0x2200  */
  bit_band_code (0xf2c2, 0x30ff, false);	/* movt r0,#0x23ff  */
  bit_band_code (0xf2c2, 0x4000, true);		/* movt r0,#0x2400  */
  bit_band_code (0xf2c2, 0x10ff, true);		/* movt r0,#0x21ff  */
  suspect_store (false);
  suspect_store (true);
  test_suspect_byte ();
  test_partial_overlap ();
  device (FAKE_RAM, true);
  device (0x40000000, false);
  device (0x68000000, false);
  test_device_store ();
  unaligned (false);
  unaligned (true);
  return check_done ();
}
