/* Semantics of A64: a table of instructions and results, memory accesses, and
   what is not told.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The results were computed by an emulated core.  */

#include "config.h"

#include <string.h>

#include "arm/ir/semantics-a64.h"
#include "check.h"
#include "target-memory.h"

/* X0 to X5 before each.  */
static const uint64_t inputs[6] = {
  0xfedcba9876543210ull, 0x0123456789abcdefull, 0x900000a5ull,
  0xffffffffffffffffull, 0x8000000000000000ull, 0xffffffff80000000ull
};

/* SP before each, and PC.  */
#define STACK 0x40001000u
#define PC 0x1000u

static const struct
{
  uint32_t opcode;
  uint8_t before, after;	/* NZCV  */
  uint64_t x0;
} table[] = {
  { 0x913ffc20, 0x0, 0x0, 0x123456789abddeeull }, /* add x0, x1, #0xfff  */
  { 0x11400440, 0x6, 0x6, 0x900010a5 }, /* add w0, w2, #1, lsl #12  */
  { 0x31000440, 0x9, 0x8, 0x900000a6 }, /* adds w0, w2, #1  */
  { 0xab030060, 0x0, 0xa, 0xfffffffffffffffeull }, /* adds x0, x3, x3  */
  { 0xeb020020, 0x6, 0x2, 0x1234566f9abcd4aull }, /* subs x0, x1, x2  */
  { 0x6b010020, 0x9, 0x6, 0x0 }, /* subs w0, w1, w1  */
  { 0x6b0203e0, 0x0, 0x0, 0x6fffff5b }, /* subs w0, wzr, w2  */
  { 0x6b01005f, 0x6, 0x2, 0xfedcba9876543210ull }, /* cmp w2, w1  */
  { 0x6b01005f, 0x9, 0x2, 0xfedcba9876543210ull }, /* cmp w2, w1  */
  { 0xb100047f, 0x6, 0x6, 0xfedcba9876543210ull }, /* cmn x3, #1  */
  { 0xb100047f, 0x9, 0x6, 0xfedcba9876543210ull }, /* cmn x3, #1  */
  { 0x8b22cbe0, 0x0, 0x0, 0xfffffffe80001294ull },
    /* add x0, sp, w2, sxtw #2  */
  { 0x910043e0, 0x6, 0x6, 0x40001010 }, /* add x0, sp, #16  */
  { 0xcb221020, 0x9, 0x9, 0x123456789abc39full },
    /* sub x0, x1, w2, uxtb #4  */
  { 0x4b027c20, 0x0, 0x0, 0x9abcdef }, /* sub w0, w1, w2, lsl #31  */
  { 0x8b82fc20, 0x6, 0x6, 0x123456789abcdefull },
    /* add x0, x1, x2, asr #63  */
  { 0xcb0303e0, 0x9, 0x9, 0x1 }, /* neg x0, x3  */
  { 0x6b0303e0, 0x0, 0x0, 0x1 }, /* negs w0, w3  */
  { 0x92089c20, 0x6, 0x6, 0x10045008900cd00ull },
    /* and x0, x1, #0xff00ff00ff00ff00  */
  { 0x32010420, 0x9, 0x9, 0x89abcdef }, /* orr w0, w1, #0x80000001  */
  { 0xd200f020, 0x0, 0x0, 0x54761032dcfe98baull },
    /* eor x0, x1, #0x5555555555555555  */
  { 0x721f7860, 0x6, 0x8, 0xfffffffe }, /* ands w0, w3, #0xfffffffe  */
  { 0xf241005f, 0x9, 0x4, 0xfedcba9876543210ull },
    /* tst x2, #0x8000000000000000  */
  { 0xeae21c20, 0x0, 0x0, 0x1234567888bcdeeull },
    /* bics x0, x1, x2, ror #7  */
  { 0x2aa27c20, 0x6, 0x6, 0x89abcdef }, /* orn w0, w1, w2, asr #31  */
  { 0xca620420, 0x9, 0x9, 0xfedcba983e543242ull },
    /* eon x0, x1, x2, lsr #1  */
  { 0x2a0203e0, 0x0, 0x0, 0x900000a5 }, /* mov w0, w2  */
  { 0x2a2103e0, 0x6, 0x6, 0x76543210 }, /* mvn w0, w1  */
  { 0xf2e24680, 0x9, 0x9, 0x1234ba9876543210ull },
    /* movk x0, #0x1234, lsl #48  */
  { 0x12800000, 0x0, 0x0, 0xffffffff }, /* movn w0, #0  */
  { 0xd2dfffe0, 0x6, 0x6, 0xffff00000000ull }, /* movz x0, #0xffff, lsl #32  */
  { 0xd37cfc20, 0x9, 0x9, 0x0 }, /* ubfx x0, x1, #60, #4  */
  { 0x53047c20, 0x0, 0x0, 0x89abcde }, /* ubfx w0, w1, #4, #28  */
  { 0x131f7c40, 0x6, 0x6, 0xffffffff }, /* sbfx w0, w2, #31, #1  */
  { 0x9343fc20, 0x9, 0x9, 0x2468acf13579bdull }, /* sbfx x0, x1, #3, #61  */
  { 0xd3440c20, 0x0, 0x0, 0xf000000000000000ull }, /* ubfiz x0, x1, #60, #4  */
  { 0x131c1c40, 0x6, 0x6, 0xfffffa50 }, /* sbfiz w0, w2, #4, #8  */
  { 0xb3783c20, 0x9, 0x9, 0xfedcba9876cdef10ull }, /* bfi x0, x1, #8, #16  */
  { 0x33020440, 0x0, 0x0, 0x76543210 }, /* bfi w0, w2, #30, #2  */
  { 0xb370fc20, 0x6, 0x6, 0xfedcba9876540123ull },
    /* bfxil x0, x1, #48, #16  */
  { 0x13001c40, 0x9, 0x9, 0xffffffa5 }, /* sxtb w0, w2  */
  { 0x93403c40, 0x0, 0x0, 0xa5 }, /* sxth x0, w2  */
  { 0x93407c40, 0x6, 0x6, 0xffffffff900000a5ull }, /* sxtw x0, w2  */
  { 0x531f7c40, 0x9, 0x9, 0x1 }, /* lsr w0, w2, #31  */
  { 0x131f7c40, 0x0, 0x0, 0xffffffff }, /* asr w0, w2, #31  */
  { 0xd3410020, 0x6, 0x6, 0x8000000000000000ull }, /* lsl x0, x1, #63  */
  { 0x93c23420, 0x9, 0x9, 0x6f78000000048000ull }, /* extr x0, x1, x2, #13  */
  { 0x13827c20, 0x0, 0x0, 0x13579bdf }, /* extr w0, w1, w2, #31  */
  { 0x13821440, 0x6, 0x6, 0x2c800005 }, /* ror w0, w2, #5  */
  { 0x93c10420, 0x9, 0x9, 0x8091a2b3c4d5e6f7ull }, /* ror x0, x1, #1  */
  { 0x9a020020, 0x6, 0x6, 0x123456819abce95ull }, /* adc x0, x1, x2  */
  { 0x9a020020, 0x9, 0x9, 0x123456819abce94ull }, /* adc x0, x1, x2  */
  { 0x3a020040, 0x6, 0x3, 0x2000014b }, /* adcs w0, w2, w2  */
  { 0x3a020040, 0x9, 0x3, 0x2000014a }, /* adcs w0, w2, w2  */
  { 0xba1f0060, 0x6, 0x6, 0x0 }, /* adcs x0, x3, xzr  */
  { 0xba1f0060, 0x9, 0x8, 0xffffffffffffffffull }, /* adcs x0, x3, xzr  */
  { 0x5a020020, 0x6, 0x6, 0xf9abcd4a }, /* sbc w0, w1, w2  */
  { 0x5a020020, 0x9, 0x9, 0xf9abcd49 }, /* sbc w0, w1, w2  */
  { 0xfa010020, 0x6, 0x6, 0x0 }, /* sbcs x0, x1, x1  */
  { 0xfa010020, 0x9, 0x8, 0xffffffffffffffffull }, /* sbcs x0, x1, x1  */
  { 0x7a0303e0, 0x6, 0x0, 0x1 }, /* ngcs w0, w3  */
  { 0x7a0303e0, 0x9, 0x4, 0x0 }, /* ngcs w0, w3  */
  { 0xfa420020, 0x6, 0x2, 0xfedcba9876543210ull }, /* ccmp x1, x2, #0, eq  */
  { 0xfa420020, 0x9, 0x0, 0xfedcba9876543210ull }, /* ccmp x1, x2, #0, eq  */
  { 0xfa42102a, 0x6, 0xa, 0xfedcba9876543210ull }, /* ccmp x1, x2, #0xa, ne  */
  { 0xfa42102a, 0x9, 0x2, 0xfedcba9876543210ull }, /* ccmp x1, x2, #0xa, ne  */
  { 0x3a5f2845, 0x6, 0x8, 0xfedcba9876543210ull }, /* ccmn w2, #31, #5, cs  */
  { 0x3a5f2845, 0x9, 0x5, 0xfedcba9876543210ull }, /* ccmn w2, #31, #5, cs  */
  { 0x9a828020, 0x6, 0x6, 0x900000a5 }, /* csel x0, x1, x2, hi  */
  { 0x9a828020, 0x9, 0x9, 0x900000a5 }, /* csel x0, x1, x2, hi  */
  { 0x1a82b420, 0x6, 0x6, 0x900000a6 }, /* csinc w0, w1, w2, lt  */
  { 0x1a82b420, 0x9, 0x9, 0x900000a6 }, /* csinc w0, w1, w2, lt  */
  { 0xda82a020, 0x6, 0x6, 0x123456789abcdefull }, /* csinv x0, x1, x2, ge  */
  { 0xda82a020, 0x9, 0x9, 0x123456789abcdefull }, /* csinv x0, x1, x2, ge  */
  { 0x5a826420, 0x6, 0x6, 0x6fffff5b }, /* csneg w0, w1, w2, vs  */
  { 0x5a826420, 0x9, 0x9, 0x89abcdef }, /* csneg w0, w1, w2, vs  */
  { 0x9a9f57e0, 0x6, 0x6, 0x0 }, /* cset x0, mi  */
  { 0x9a9f57e0, 0x9, 0x9, 0x1 }, /* cset x0, mi  */
  { 0x5a9f83e0, 0x6, 0x6, 0xffffffff }, /* csetm w0, ls  */
  { 0x5a9f83e0, 0x9, 0x9, 0xffffffff }, /* csetm w0, ls  */
  { 0x9b020c20, 0x0, 0x0, 0xf92c5f922bbbbb0aull }, /* madd x0, x1, x2, x3  */
  { 0x1b028c20, 0x6, 0x6, 0xd44444f4 }, /* msub w0, w1, w2, w3  */
  { 0x9b220c20, 0x9, 0x9, 0x33c4d59b2bbbbb0aull }, /* smaddl x0, w1, w2, x3  */
  { 0x9ba28c20, 0x0, 0x0, 0xb28f5bd0d44444f4ull }, /* umsubl x0, w1, w2, x3  */
  { 0x9b427c20, 0x6, 0x6, 0xa3d70a }, /* smulh x0, x1, x2  */
  { 0x9bc27c20, 0x9, 0x9, 0xa3d70a }, /* umulh x0, x1, x2  */
  { 0x9ac20820, 0x0, 0x0, 0x205d0b5 }, /* udiv x0, x1, x2  */
  { 0x1adf0820, 0x6, 0x6, 0x0 }, /* udiv w0, w1, wzr  */
  { 0x9ac30c80, 0x9, 0x9, 0x8000000000000000ull }, /* sdiv x0, x4, x3  */
  { 0x1ac30ca0, 0x0, 0x0, 0x80000000 }, /* sdiv w0, w5, w3  */
  { 0x9ac20c20, 0x6, 0x6, 0x205d0b5 }, /* sdiv x0, x1, x2  */
  { 0x1ac22020, 0x9, 0x9, 0x3579bde0 }, /* lsl w0, w1, w2  */
  { 0x9ac22420, 0x0, 0x0, 0x91a2b }, /* lsr x0, x1, x2  */
  { 0x1ac12840, 0x6, 0x6, 0xffff2000 }, /* asr w0, w2, w1  */
  { 0x1ac22c20, 0x9, 0x9, 0x7c4d5e6f }, /* ror w0, w1, w2  */
  { 0x9ac22c20, 0x0, 0x0, 0x3c4d5e6f78091a2bull }, /* ror x0, x1, x2  */
  { 0x5ac01020, 0x6, 0x6, 0x0 }, /* clz w0, w1  */
  { 0x5ac01020, 0x9, 0x9, 0x0 }, /* clz w0, w1  */
  { 0xdac013e0, 0x6, 0x6, 0x40 }, /* clz x0, xzr  */
  { 0xdac013e0, 0x9, 0x9, 0x40 }, /* clz x0, xzr  */
  { 0xdac01460, 0x6, 0x6, 0x3f }, /* cls x0, x3  */
  { 0xdac01460, 0x9, 0x9, 0x3f }, /* cls x0, x3  */
  { 0x5ac01420, 0x6, 0x6, 0x0 }, /* cls w0, w1  */
  { 0x5ac01420, 0x9, 0x9, 0x0 }, /* cls w0, w1  */
  { 0x5ac01820, 0x9, 0x9, 0 }, /* ctz w0, w1  */
  { 0x5ac01be0, 0x9, 0x9, 0x20 }, /* ctz w0, wzr  */
  { 0xdac01be0, 0x9, 0x9, 0x40 }, /* ctz x0, xzr  */
  { 0x5ac01c20, 0x9, 0x9, 0x14 }, /* cnt w0, w1  */
  { 0xdac01c20, 0x9, 0x9, 0x20 }, /* cnt x0, x1  */
  { 0x5ac00020, 0x9, 0x9, 0xf7b3d591 }, /* rbit w0, w1  */
  { 0xdac00020, 0x0, 0x0, 0xf7b3d591e6a2c480ull }, /* rbit x0, x1  */
  { 0xdac00c20, 0x6, 0x6, 0xefcdab8967452301ull }, /* rev x0, x1  */
  { 0x5ac00820, 0x9, 0x9, 0xefcdab89 }, /* rev w0, w1  */
  { 0x5ac00420, 0x0, 0x0, 0xab89efcd }, /* rev16 w0, w1  */
  { 0xdac00420, 0x6, 0x6, 0x23016745ab89efcdull }, /* rev16 x0, x1  */
  { 0xdac00820, 0x9, 0x9, 0x67452301efcdab89ull }, /* rev32 x0, x1  */
};

/* Memory of the runs here: 64 bytes at STACK.  */
struct memory
{
  uint8_t bytes[64];
  unsigned loads, stores, doubtful;
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct memory *m = context;
  uint64_t value = 0;
  m->loads++;
  if (CHECK (address >= STACK && address + size <= STACK + 64))
    value = TARGET_LOAD (m->bytes, address - STACK, size);
  return value;
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  struct memory *m = context;
  m->stores++;
  m->doubtful += !certain;
  if (CHECK (address >= STACK && address + size <= STACK + 64))
    TARGET_STORE (m->bytes, address - STACK, size, value);
}

/* Run OPCODE on P.  */
static void
run (uint32_t opcode, uint64_t *p, struct memory *m,
     struct tb_semantics_result *result)
{
  struct tb_semantics_memory memory = { load, store, m };
  struct tb_semantics s;
  tb_semantics_a64 (&s, opcode, PC, 0);
  CHECK (s.modelled);
  tb_semantics_run (&s, p, &memory, result);
}

static void
set_up (uint64_t *p, struct memory *m, unsigned nzcv)
{
  memset (p, 0, TB_A64_END * sizeof *p);
  memcpy (p, inputs, sizeof inputs);
  p[TB_A64_SP] = STACK;
  p[TB_A64_SPSEL] = 1;
  for (unsigned i = 0; i < 4; i++)
    p[TB_A64_N + i] = nzcv >> (3 - i) & 1;
  memset (m, 0, sizeof *m);
  for (unsigned i = 0; i < sizeof m->bytes; i++)
    m->bytes[i] = (uint8_t) (0x80 + i);
}

static void
test_table (void)
{
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      uint64_t p[TB_A64_END];
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m, table[i].before);
      run (table[i].opcode, p, &m, &result);
      unsigned nzcv = 0;
      for (unsigned k = 0; k < 4; k++)
	nzcv |= (unsigned) p[TB_A64_N + k] << (3 - k);
      if (!CHECK (p[0] == table[i].x0 && nzcv == table[i].after
		  && result.unknown == 0))
	fprintf (stderr, "%#x: x0 %#llx nzcv %#x\n", table[i].opcode,
		 (unsigned long long) p[0], nzcv);
      for (unsigned k = 1; k < 6; k++)
	CHECK (p[k] == inputs[k]);
      CHECK (p[TB_A64_SP] == STACK);
    }
}

/* Loads and stores with SP as the base: what X0 becomes, by how much SP moves,
   and how many accesses there are.  */
static void
test_memory (void)
{
  static const struct
  {
    uint32_t opcode;
    int16_t moved;
    uint8_t loads, stores, doubtful;
    uint64_t x0;
  } rows[] = {
    { 0xf94003e0, 0, 1, 0, 0, 0x8786858483828180ull }, /* ldr x0,[sp]  */
    { 0xb94007e0, 0, 1, 0, 0, 0x87868584 },	/* ldr w0,[sp,#4]  */
    { 0x39c007e0, 0, 1, 0, 0, 0xffffff81 },	/* ldrsb w0,[sp,#1]  */
    { 0x798003e0, 0, 1, 0, 0, 0xffffffffffff8180ull }, /* ldrsh x0,[sp]  */
    { 0xb98003e0, 0, 1, 0, 0, 0xffffffff83828180ull }, /* ldrsw x0,[sp]  */
    { 0x784023e0, 0, 1, 0, 0, 0x8382 },		/* ldurh w0,[sp,#2]  */
    { 0xf84087e0, 8, 1, 0, 0, 0x8786858483828180ull }, /* ldr x0,[sp],#8  */
    { 0xf8408fe0, 8, 1, 0, 0, 0x8f8e8d8c8b8a8988ull }, /* ldr x0,[sp,#8]! */
    { 0xa8c107e0, 16, 2, 0, 0, 0x8786858483828180ull },
						/* ldp x0,x1,[sp],#16  */
    { 0x69400be0, 0, 2, 0, 0, 0xffffffff83828180ull },
						/* ldpsw x0,x2,[sp]  */
    { 0xa9000be3, 0, 0, 2, 0, 0xfedcba9876543210ull }, /* stp x3,x2,[sp]  */
    { 0xb90003ff, 0, 0, 1, 0, 0xfedcba9876543210ull }, /* str wzr,[sp]  */
    { 0xc85f7fe0, 0, 1, 0, 0, 0x8786858483828180ull }, /* ldxr x0,[sp]  */
    { 0x885f7fe0, 0, 1, 0, 0, 0x83828180 },	/* ldxr w0,[sp]  */
    { 0x485f7fe0, 0, 1, 0, 0, 0x8180 },		/* ldxrh w0,[sp]  */
    { 0x085f7fe0, 0, 1, 0, 0, 0x80 },		/* ldxrb w0,[sp]  */
    { 0x88dfffe0, 0, 1, 0, 0, 0x83828180 },	/* ldar w0,[sp]  */
    { 0xf82203e0, 0, 1, 1, 0, 0x8786858483828180ull }, /* ldadd x2,x0,[sp] */
    { 0x3cc107e0, 16, 2, 0, 0, 0xfedcba9876543210ull }, /* ldr q0,[sp],#16 */
    { 0x4c9f2be0, 64, 0, 8, 0, 0xfedcba9876543210ull },
						/* st1 {v0-v3},[sp],#64  */
    { 0x0d0083e0, 0, 0, 1, 0, 0xfedcba9876543210ull }, /* st1 {v0.s}[0]  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END];
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m, 0);
      run (rows[i].opcode, p, &m, &result);
      if (!CHECK (p[0] == rows[i].x0 && m.loads == rows[i].loads
		  && m.stores == rows[i].stores
		  && m.doubtful == rows[i].doubtful
		  && p[TB_A64_SP] - STACK == (uint64_t) rows[i].moved))
	fprintf (stderr, "%#x: x0 %#llx sp %#llx, %u %u %u\n", rows[i].opcode,
		 (unsigned long long) p[0], (unsigned long long) p[TB_A64_SP],
		 m.loads, m.stores, m.doubtful);
      CHECK (result.unknown == 0);
    }
}

/* Where a value is not told it is said so, and nowhere else.  */
static void
test_unknown (void)
{
  enum { FLAGS = 100 };
  static const struct
  {
    uint32_t opcode;
    int8_t places;		/* A register, FLAGS, or -1: none.  */
  } rows[] = {
    { 0xd53bd040, 0 },		/* mrs x0,tpidr_el0  */
    { 0x1e380000, 0 },		/* fcvtzs w0,s0  */
    { 0x1ac14000, 0 },		/* crc32b w0,w0,w1  */
    { 0xdac10020, 0 },		/* pacia x0,x1  */
    { 0xd503233f, 30 },		/* paciasp  */
    { 0x1e612000, FLAGS },	/* fcmp d0,d1  */
    { 0x9e670000, -1 },		/* fmov d0,x0  */
    { 0x1e622800, -1 },		/* fadd d0,d0,d2  */
    { 0x1e601000, -1 },		/* fmov d0,#2  */
    { 0x4ea18400, -1 },		/* add v0.4s,v0.4s,v1.4s  */
    { 0x0e040c00, -1 },		/* dup v0.2s,w0  */
    { 0xd503201f, -1 },		/* nop  */
    { 0xd51bd040, -1 },		/* msr tpidr_el0,x0  */
    { 0xd5033fdf, -1 },		/* isb  */
    { 0xf9800000, -1 }		/* prfm pldl1keep,[x0]  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END], want = 0;
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m, 0);
      run (rows[i].opcode, p, &m, &result);
      if (rows[i].places == FLAGS)
	want = UINT64_C (15) << TB_A64_N;
      else if (rows[i].places >= 0)
	want = UINT64_C (1) << rows[i].places;
      if (!CHECK (result.unknown == want))
	fprintf (stderr, "%#x: %#llx\n", rows[i].opcode,
		 (unsigned long long) result.unknown);
      for (unsigned k = 0; k < 6; k++)
	CHECK (p[k] == (want >> k & 1 ? 0 : inputs[k]));
    }
}

static void
test_branches (void)
{
  static const struct
  {
    uint32_t opcode;
    uint8_t nzcv;
    bool conditional, taken;
    uint64_t target, x30;
  } rows[] = {
    { 0x94000004, 0, false, false, 0, PC + 4 },		/* bl  */
    { 0xd63f0020, 0, false, false, 0x0123456789abcdefull, PC + 4 },
							/* blr x1  */
    { 0xd65f0040, 0, false, false, 0x900000a5, 0 },	/* ret x2  */
    { 0x34000040, 0, true, false, 0, 0 },		/* cbz w0  */
    { 0x35000040, 0, true, true, 0, 0 },		/* cbnz w0  */
    { 0x34000044, 0, true, true, 0, 0 },		/* cbz w4  */
    { 0xb4000044, 0, true, false, 0, 0 },		/* cbz x4  */
    { 0xb7f80044, 0, true, true, 0, 0 },		/* tbnz x4,#63  */
    { 0x37000045, 0, true, false, 0, 0 },		/* tbnz w5,#0  */
    { 0x36f80045, 0, true, false, 0, 0 },		/* tbz w5,#31  */
    { 0x54000040, 4, true, true, 0, 0 },		/* b.eq  */
    { 0x5400004d, 8, true, true, 0, 0 },		/* b.le  */
    { 0x5400004d, 9, true, false, 0, 0 },
    { 0x5400004f, 0, true, true, 0, 0 }			/* b.nv: always  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END];
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m, rows[i].nzcv);
      run (rows[i].opcode, p, &m, &result);
      if (!CHECK (result.conditional == rows[i].conditional
		  && result.taken == rows[i].taken
		  && result.target == rows[i].target && p[30] == rows[i].x30))
	fprintf (stderr, "%#x\n", rows[i].opcode);
    }
}

/* Stack pointers by PSTATE.SP, the flags as a register.  */
static void
test_special (void)
{
  uint64_t p[TB_A64_END];
  struct memory m;
  struct tb_semantics_result result;
  set_up (p, &m, 0xa);
  p[TB_A64_SP_EL0] = 0x5000;
  run (0xd53b4200, p, &m, &result);	/* mrs x0,nzcv  */
  CHECK_INT (p[0], 0xa0000000);
  run (0xd51b4202, p, &m, &result);	/* msr nzcv,x2  */
  CHECK (p[TB_A64_N] == 1 && p[TB_A64_Z] == 0 && p[TB_A64_C] == 0
	 && p[TB_A64_V] == 1);
  run (0xd5384100, p, &m, &result);	/* mrs x0,sp_el0  */
  CHECK_INT (p[0], 0x5000);
  run (0xd50040bf, p, &m, &result);	/* msr spsel,#0  */
  CHECK_INT (p[TB_A64_SP], 0x5000);
  run (0xd50041bf, p, &m, &result);	/* msr spsel,#1  */
  CHECK_INT (p[TB_A64_SP], STACK);
  run (0xd69f03e0, p, &m, &result);	/* eret  */
  CHECK (result.leaves);
}

/* What is not described may do anything.  */
static void
test_not_modelled (void)
{
  static const uint32_t opcodes[] = {
    0x68000000,			/* a pair of words, sign-extended, stored  */
    0xd9201000,			/* stzgm with an offset  */
    0xf8200800,			/* an offset register that is not extended  */
    0x0a008000,			/* and w0,w0,w0,lsl #32  */
    0xf83f9001,			/* st64b from x1 on  */
    0x12600000,			/* and w0,w0,# with N set  */
    0x1b208000			/* smaddl on W  */
  };
  for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
    {
      struct tb_semantics s;
      tb_semantics_a64 (&s, opcodes[i], PC, 0);
      if (!CHECK (!s.modelled))
	fprintf (stderr, "%#x\n", opcodes[i]);
    }
}

/* Of what is not followed it is said what it may touch: X0 by the first opcode of each
   pair, not by the second; flags; memory.  */
static void
test_touched (void)
{
  static const struct
  {
    uint32_t opcodes[2];
    bool flags, memory, vectors;
  } rows[] = {
    /* addvl x0,x1,#1; add z0.b,z1.b,z2.b  */
    { { 0x04215020, 0x04220020 }, true, false, true },
    /* cntp x0,p1,p2.b; ld1b {z0.b},p0/z,[x1]  */
    { { 0x25208440, 0xa400a020 }, true, false, true },
    /* ldraa x0,[x1]; prfm #0,[x0]  */
    { { 0xf8200420, 0xf9800000 }, false, false, false },
    /* cpye [x0]!,[x2]!,x1!; cpye [x5]!,[x2]!,x1!  */
    { { 0x1d820420, 0x1d820425 }, true, true, false },
    /* mrrs x0,x1,par_el1; st1b {z0.b},p0,[x1]  */
    { { 0xd5787400, 0xe400e020 }, false, true, false },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned k = 0; k < 2; k++)
      {
	struct tb_semantics s;
	bool flags = false, memory = false, vectors = false, x0 = false;
	tb_semantics_a64 (&s, rows[i].opcodes[k], PC, 0);
	CHECK (s.modelled);
	for (unsigned u = 0; u < s.count; u++)
	  {
	    x0 |= s.uops[u].op == TB_OP_UNKNOWN && s.uops[u].dst == 0;
	    flags |= s.uops[u].dst == TB_A64_Z;
	    memory |= s.uops[u].op == TB_OP_FORGET && s.uops[u].imm == 1;
	    vectors |= s.uops[u].op == TB_OP_FORGET_VECTORS;
	  }
	if (!CHECK (x0 == (k == 0) && (flags <= rows[i].flags)
		    && memory <= rows[i].memory && vectors <= rows[i].vectors))
	  fprintf (stderr, "%#x\n", rows[i].opcodes[k]);
      }
}

/* Instructions that make memory zero, and those that store memory tags: what they store,
   and whether they may store more.  */
static void
test_zeros (void)
{
  static const struct
  {
    uint32_t opcode;
    unsigned block;		/* Of DC ZVA.  */
    uint64_t x1;		/* Of STACK.  */
    unsigned first, bytes;	/* What becomes zero, of STACK.  */
    bool more;
    uint64_t x1_after;
  } rows[] = {
    { 0xd50b7421, 64, 0, 0, 64, false, 0 },	/* dc zva,x1  */
    { 0xd50b7421, 64, 61, 0, 64, false, 61 },
    { 0xd50b7421, 32, 37, 32, 32, false, 37 },
    { 0xd50b7421, 0, 39, 36, 4, true, 39 },
    { 0xd50b7421, 4, 39, 36, 4, true, 39 },
    { 0xd50b7421, 512, 39, 36, 4, true, 39 },
    { 0xd50b7481, 64, 20, 0, 64, false, 20 },	/* dc gzva,x1  */
    { 0xd50b7461, 64, 20, 0, 0, false, 20 },	/* dc gva,x1  */
    { 0xd50b7a21, 64, 20, 0, 0, false, 20 },	/* dc cvac,x1  */
    { 0xd50b7b21, 64, 20, 0, 0, false, 20 },	/* dc cvau,x1  */
    { 0xd50b7e21, 64, 20, 0, 0, false, 20 },	/* dc civac,x1  */
    { 0xd50b7521, 64, 20, 0, 0, false, 20 },	/* ic ivau,x1  */
    { 0xd5087621, 64, 20, 0, 0, true, 20 },	/* dc ivac,x1  */
    { 0xd5087641, 64, 20, 0, 0, true, 20 },	/* dc isw,x1  */
    { 0xd5087801, 64, 20, 0, 0, false, 20 },	/* at s1e1r,x1  */
    { 0xd508831f, 64, 20, 0, 0, false, 20 },	/* tlbi vmalle1is  */
    { 0xd50b7701, 64, 20, 0, 0, true, 20 },	/* gcspushm x1  */
    { 0xd50fb001, 64, 20, 0, 0, true, 20 },	/* sys #7,c11,c0,#0,x1  */
    { 0xd9200822, 0, 16, 0, 0, false, 16 },	/* stg x2,[x1]  */
    { 0xd9201422, 0, 16, 0, 0, false, 32 },	/* stg x2,[x1],#16  */
    { 0xd9601822, 0, 16, 32, 16, false, 16 },	/* stzg x2,[x1,#16]  */
    { 0xd9601c22, 0, 16, 32, 16, false, 32 },	/* stzg x2,[x1,#16]!  */
    { 0xd9e00822, 0, 16, 16, 32, false, 16 },	/* stz2g x2,[x1]  */
    { 0xd9a01422, 0, 16, 0, 0, false, 32 },	/* st2g x2,[x1],#16  */
    { 0xd9200022, 0, 16, 0, 0, true, 16 },	/* stzgm x2,[x1]  */
    { 0xd9a00022, 0, 16, 0, 0, false, 16 },	/* stgm x2,[x1]  */
    { 0x69007c3f, 0, 16, 16, 16, false, 16 },	/* stgp xzr,xzr,[x1]  */
    { 0x6980fc3f, 0, 16, 32, 16, false, 32 }	/* stgp xzr,xzr,[x1,#16]!  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END];
      struct memory m;
      struct tb_semantics_memory memory = { load, store, &m };
      struct tb_semantics_result result;
      struct tb_semantics s;
      set_up (p, &m, 0);
      p[1] = STACK + rows[i].x1;
      tb_semantics_a64 (&s, rows[i].opcode, PC, rows[i].block);
      bool ok = CHECK (s.modelled), more = false;
      for (unsigned k = 0; k < s.count; k++)
	more |= s.uops[k].op == TB_OP_FORGET && s.uops[k].imm != 0;
      tb_semantics_run (&s, p, &memory, &result);
      ok &= CHECK_INT (more, rows[i].more);
      ok &= CHECK_INT (p[1], STACK + rows[i].x1_after);
      ok &= CHECK_INT (m.doubtful, 0);
      for (unsigned k = 0; k < sizeof m.bytes; k++)
	ok &= CHECK_INT (m.bytes[k], k - rows[i].first < rows[i].bytes ? 0
			 : 0x80 + k);
      if (!ok)
	fprintf (stderr, "%#x\n", rows[i].opcode);
    }
}

/* Tags in addresses are not told; where they do not take part all is.  */
static void
test_tags (void)
{
  static const struct { uint32_t opcode; uint64_t x0; bool tag; } rows[] = {
    { 0x91840820, 0, true },	/* addg x0,x1,#64,#2  */
    { 0xd1840820, 0, true },	/* subg x0,x1,#64,#2  */
    { 0x9adf1020, 0, true },	/* irg x0,x1  */
    { 0xd9600020, 0, true },	/* ldg x0,[x1]  */
    { 0x9ac20020, 0xffffffffffff0200, false },	/* subp x0,x1,x2  */
    { 0x9ac21420, 0, true }			/* gmi x0,x1,x2  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t p[TB_A64_END];
      struct memory m;
      struct tb_semantics_result result;
      set_up (p, &m, 0);
      p[0] = 7;
      p[1] = 0x0aff800000001200;
      p[2] = 0x05ff800000011000;
      run (rows[i].opcode, p, &m, &result);
      if (!CHECK_INT (p[0], rows[i].x0)
	  || !CHECK_INT (result.unknown & 1, rows[i].tag))
	fprintf (stderr, "%#x\n", rows[i].opcode);
    }
}

int
main (void)
{
  test_zeros ();
  test_tags ();
  test_table ();
  test_memory ();
  test_unknown ();
  test_branches ();
  test_special ();
  test_not_modelled ();
  test_touched ();
  return check_done ();
}
