/* Semantics of A64: instructions on vector registers, what they write and what of that
   is told; loads and stores.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The results were computed by an emulated core.  */

#include "config.h"

#include <string.h>

#include "arm/ir/semantics-a64.h"
#include "check.h"
#include "target-memory.h"
#include "semantics-a64-elements-rows.h"
#include "semantics-a64-vector-rows.h"

#define STACK 0x40001000u

struct memory
{
  uint8_t bytes[64];		/* At STACK.  */
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct memory *m = context;
  uint64_t value = 0;
  if (CHECK (address >= STACK && address + size <= STACK + 64))
    value = TARGET_LOAD (m->bytes, address - STACK, size);
  return value;
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  struct memory *m = context;
  CHECK (certain);
  if (CHECK (address >= STACK && address + size <= STACK + 64))
    TARGET_STORE (m->bytes, address - STACK, size, value);
}

static void
set_up (uint64_t *p, struct memory *m)
{
  memset (p, 0, TB_A64_END * sizeof *p);
  p[0] = X0;
  p[1] = X1;
  p[TB_A64_Z] = 1;
  p[TB_A64_SP] = STACK;
  memcpy (p + TB_A64_VECTOR, vectors, sizeof vectors);
  for (unsigned i = 0; i < sizeof m->bytes; i++)
    m->bytes[i] = (uint8_t) (0x80 + i);
}

static void
run (uint32_t opcode, uint64_t *p, struct memory *m,
     struct tb_semantics_result *result, uint64_t *fpsr)
{
  struct tb_semantics_memory memory = { load, store, m };
  struct tb_semantics s;
  tb_semantics_a64 (&s, opcode, 0x1000, 0);
  CHECK (s.modelled);
  tb_semantics_run (&s, p, &memory, result);
  *fpsr = 0;
  for (unsigned k = 0; k < s.count; k++)
    if (s.uops[k].op == TB_OP_FPSR)
      *fpsr |= s.uops[k].imm;
}

static void
test_table (void)
{
  for (size_t i = 0; i < sizeof vector_rows / sizeof vector_rows[0]; i++)
    {
      uint64_t p[TB_A64_END], fpsr;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      run (vector_rows[i].opcode, p, &m, &result, &fpsr);
      unsigned told = (~result.unknown_vectors & 3)
		      | (result.unknown & 1 ? 0 : X);
      uint64_t others = (result.unknown_vectors & ~UINT64_C (3))
			| (result.unknown & ~UINT64_C (1));
      if (!CHECK (told == vector_rows[i].told && others == 0
		  && fpsr == vector_rows[i].fpsr && !result.unknown_fpcr
		  && result.unknown_fpsr == (fpsr != 0))
	  || !CHECK ((!(told & LOW) || p[TB_A64_LOW (0)] == vector_rows[i].low)
		     && (!(told & HIGH) || p[TB_A64_HIGH (0)] == vector_rows[i].high)
		     && (!(told & X) || p[0] == vector_rows[i].x0)))
	fprintf (stderr, "%#x: told %u, %#llx %#llx, x0 %#llx, fpsr %#llx\n",
		 vector_rows[i].opcode, told,
		 (unsigned long long) p[TB_A64_LOW (0)],
		 (unsigned long long) p[TB_A64_HIGH (0)],
		 (unsigned long long) p[0], (unsigned long long) fpsr);
      CHECK (memcmp (p + TB_A64_LOW (1), vectors + 2, 6 * sizeof *p) == 0);
    }
}

/* Arithmetic and comparisons on elements of each size, all of which are followed.  */
static void
test_elements (void)
{
  for (size_t i = 0; i < sizeof element_rows / sizeof element_rows[0]; i++)
    {
      uint64_t p[TB_A64_END], fpsr;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      run (element_rows[i].opcode, p, &m, &result, &fpsr);
      if (!CHECK (result.unknown_vectors == 0 && fpsr == 0
		  && p[TB_A64_LOW (0)] == element_rows[i].low
		  && p[TB_A64_HIGH (0)] == element_rows[i].high))
	fprintf (stderr, "%#x: %#llx %#llx\n", element_rows[i].opcode,
		 (unsigned long long) p[TB_A64_LOW (0)],
		 (unsigned long long) p[TB_A64_HIGH (0)]);
      CHECK (memcmp (p + TB_A64_LOW (1), vectors + 2, 6 * sizeof *p) == 0);
    }
}

/* FABS and FNEG of what is no number: its sign stays if FPCR.AH is set; with FPCR.NEP
   only the elements that they compute are written.  */
static void
test_signs (void)
{
  static const uint32_t opcodes[4] = { 0x1e60c020, 0x1e614020, 0x1e20c020,
				       0x4ea0f820 };
  for (unsigned i = 0; i < 4; i++)
    {
      uint64_t p[TB_A64_END], fpsr;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      p[TB_A64_LOW (1)] = i < 2 ? UINT64_C (0xfff8000000000001)
			  : UINT64_C (0xbf800000ff800001);
      p[TB_A64_FPCR] = 2;
      run (opcodes[i], p, &m, &result, &fpsr);
      CHECK_INT (p[TB_A64_LOW (0)],
		 i < 2 ? p[TB_A64_LOW (1)] : i == 2 ? 0xff800001
		 : UINT64_C (0x3f800000ff800001));
      p[TB_A64_FPCR] = 1 << TB_FPCR_NEP;
      run (opcodes[i], p, &m, &result, &fpsr);
      CHECK_INT (result.unknown_vectors & 3, i < 2 ? 2 : i == 2 ? 3 : 0);
    }
}

/* From SP: what V0 and V1 become, and by how much SP moves.  */
static void
test_loads (void)
{
  static const struct
  {
    uint32_t opcode;
    uint8_t moved;
    uint64_t v[4];
  } rows[] = {
    { 0x3d4003e0, 0, { 0x80, 0, 0x8081828384858687ull,
		       0x90a192b394c595d7ull } },	/* ldr b0,[sp]  */
    { 0x7d4003e0, 0, { 0x8180, 0, 0x8081828384858687ull,
		       0x90a192b394c595d7ull } },	/* ldr h0,[sp]  */
    { 0xbd4007e0, 0, { 0x87868584, 0, 0x8081828384858687ull,
		       0x90a192b394c595d7ull } },	/* ldr s0,[sp,#4]  */
    { 0xfc4087e0, 8, { 0x8786858483828180ull, 0, 0x8081828384858687ull,
		       0x90a192b394c595d7ull } },	/* ldr d0,[sp],#8  */
    { 0x3cc10fe0, 16, { 0x9796959493929190ull, 0x9f9e9d9c9b9a9998ull,
			0x8081828384858687ull,
			0x90a192b394c595d7ull } },	/* ldr q0,[sp,#16]!  */
    { 0xacc107e0, 32, { 0x8786858483828180ull, 0x8f8e8d8c8b8a8988ull,
			0x9796959493929190ull,
			0x9f9e9d9c9b9a9998ull } },  /* ldp q0,q1,[sp],#32  */
    { 0x2d4007e0, 0, { 0x83828180, 0, 0x87868584, 0 } },
							/* ldp s0,s1,[sp]  */
    { 0x0cdfafe0, 16, { 0x8786858483828180ull, 0, 0x8f8e8d8c8b8a8988ull,
			0 } },			/* ld1 {v0.1d,v1.1d},[sp],#16 */
    { 0x4c408be0, 0, { 0x8b8a898883828180ull, 0x9b9a999893929190ull,
		       0x8f8e8d8c87868584ull, 0x9f9e9d9c97969594ull } },
						/* ld2 {v0.4s,v1.4s},[sp]  */
    { 0x4c408fe0, 0, { 0x8786858483828180ull, 0x9796959493929190ull,
		       0x8f8e8d8c8b8a8988ull, 0x9f9e9d9c9b9a9998ull } },
						/* ld2 {v0.2d,v1.2d},[sp]  */
    { 0x4d4093e0, 0, { 0x1111222233334444ull, 0x8382818077778888ull,
		       0x8081828384858687ull,
		       0x90a192b394c595d7ull } },  /* ld1 {v0.s}[3],[sp]  */
    { 0x0dff0be0, 2, { 0x1111222233804444ull, 0x5555666677778888ull,
		       0x8081828384818687ull, 0x90a192b394c595d7ull } },
					/* ld2 {v0.b,v1.b}[2],[sp],#2  */
    { 0x0d40c7e0, 0, { 0x8180818081808180ull, 0, 0x8081828384858687ull,
		       0x90a192b394c595d7ull } },	/* ld1r {v0.4h},[sp]  */
    { 0x4d60c3e0, 0, { 0x8080808080808080ull, 0x8080808080808080ull,
		       0x8181818181818181ull, 0x8181818181818181ull } }
						/* ld2r {v0.16b,v1.16b},[sp] */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END], fpsr;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      run (rows[i].opcode, p, &m, &result, &fpsr);
      if (!CHECK (memcmp (p + TB_A64_LOW (0), rows[i].v, sizeof rows[i].v)
		  == 0 && p[TB_A64_SP] - STACK == rows[i].moved
		  && result.unknown_vectors == 0 && !result.unknown_fpsr))
	fprintf (stderr, "%#x: %#llx %#llx %#llx %#llx\n", rows[i].opcode,
		 (unsigned long long) p[TB_A64_LOW (0)],
		 (unsigned long long) p[TB_A64_HIGH (0)],
		 (unsigned long long) p[TB_A64_LOW (1)],
		 (unsigned long long) p[TB_A64_HIGH (1)]);
    }
}

/* To SP: the 16 bytes there.  */
static void
test_stores (void)
{
  static const struct
  {
    uint32_t opcode;
    uint64_t at[2];
  } rows[] = {
    { 0x3d0003e1, { 0x8786858483828187ull, 0x8f8e8d8c8b8a8988ull } },
							/* str b1,[sp]  */
    { 0xbd0003e1, { 0x8786858484858687ull, 0x8f8e8d8c8b8a8988ull } },
							/* str s1,[sp]  */
    { 0x3d8003e1, { 0x8081828384858687ull, 0x90a192b394c595d7ull } },
							/* str q1,[sp]  */
    { 0x6d000be1, { 0x8081828384858687ull, 0x0123456789abcdefull } },
							/* stp d1,d2,[sp]  */
    { 0x0c008be1, { 0x89abcdef84858687ull, 0x0123456780818283ull } },
						/* st2 {v1.2s,v2.2s},[sp]  */
    { 0x4d005be1, { 0x87868584838290a1ull, 0x8f8e8d8c8b8a8988ull } }
						/* st1 {v1.h}[7],[sp]  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END], fpsr, at[2];
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      run (rows[i].opcode, p, &m, &result, &fpsr);
      for (unsigned k = 0; k < 2; k++)
	at[k] = TARGET_LOAD (m.bytes, 8 * k, 8);
      if (!CHECK (at[0] == rows[i].at[0] && at[1] == rows[i].at[1]))
	fprintf (stderr, "%#x: %#llx %#llx\n", rows[i].opcode,
		 (unsigned long long) at[0], (unsigned long long) at[1]);
      CHECK (memcmp (p + TB_A64_VECTOR, vectors, sizeof vectors) == 0);
    }
}

/* Bytes and halfwords of LD2 to LD4 are not put into their places.  */
static void
test_not_told (void)
{
  uint64_t p[TB_A64_END], fpsr;
  struct memory m;
  struct tb_semantics_result result;
  set_up (p, &m);
  run (0x4c4083e0, p, &m, &result, &fpsr);	/* ld2 {v0.16b,v1.16b},[sp]  */
  CHECK_INT (result.unknown_vectors, 15);
  set_up (p, &m);
  run (0xd503477f, p, &m, &result, &fpsr);	/* smstart  */
  CHECK (result.unknown_vectors == UINT64_MAX && result.unknown_fpcr);
  set_up (p, &m);
  run (0xd503457f, p, &m, &result, &fpsr);	/* smstart za  */
  CHECK (result.unknown_vectors == 0 && !result.unknown_fpcr);
}

/* With FPCR.NEP set scalar floating point does not clear what is above its result.  */
static void
test_merged (void)
{
  static const uint32_t opcodes[] = { 0x1e222820,	/* fadd s0,s1,s2  */
				      0x1e624020,	/* fcvt s0,d1  */
				      0x5e61d820 };	/* scvtf d0,d1  */
  for (unsigned i = 0; i < 6; i++)
    {
      uint64_t p[TB_A64_END], fpsr;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m);
      p[TB_A64_FPCR] = i >= 3 ? 1u << TB_FPCR_NEP : 0;
      run (opcodes[i % 3], p, &m, &result, &fpsr);
      CHECK_INT (result.unknown_vectors, i >= 3 ? 3 : 1);
      CHECK_INT (p[TB_A64_HIGH (0)], 0);
    }
}

/* FPCR, FPSR: what is written is there where every core has it, and what is not set
   is not.  */
static void
test_control (void)
{
  uint64_t p[TB_A64_END], fpsr;
  struct memory m;
  struct tb_semantics_result result;
  set_up (p, &m);
  p[TB_A64_FPCR] = 0x3000000;
  run (0xd53b4400, p, &m, &result, &fpsr);	/* mrs x0,fpcr  */
  CHECK_INT (p[0], 0x3000000);
  CHECK_INT (result.unknown, 0);
  run (0xd51b4401, p, &m, &result, &fpsr);	/* msr fpcr,x1  */
  CHECK (result.unknown_fpcr && !result.unknown_fpsr);
  run (0xd51b4421, p, &m, &result, &fpsr);	/* msr fpsr,x1  */
  CHECK (!result.unknown_fpcr && result.unknown_fpsr);
}

int
main (void)
{
  test_table ();
  test_elements ();
  test_signs ();
  test_loads ();
  test_stores ();
  test_not_told ();
  test_merged ();
  test_control ();
  return check_done ();
}
