/* Unit test of decode/follow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "target-memory.h"
#include "decode/cursor.h"

static struct tb_memmap *
new_map (void)
{
  struct tb_memmap *map = tb_memmap_new ();

  if (map == NULL)
    abort ();
  return map;
}

static void
add_bytes (struct tb_memmap *map, enum tb_space space, uint64_t address,
	   const void *data, uint64_t length)
{
  struct tb_region region = { .address = address, .length = length,
			      .space = space, .access = TB_ACCESS_UNKNOWN,
			      .halt_contents = true, .data = data,
			      .name = "test" };

  CHECK (tb_memmap_add (map, &region, NULL) == TB_OK);
}

#define add(map, space, address, data, length) \
  add_bytes ((map), (space), (address), TARGET_BYTES ((data), (length)), (length))

static struct tb_follow *
new_follow (const struct tb_memmap *map, const char *core,
	    const struct tb_follow_options *options)
{
  static const struct tb_follow_options none;
  struct tb_profile profile;

  CHECK (tb_profile_find (&profile, core));
  struct tb_follow *follow
    = tb_follow_new (map, &profile, options != NULL ? options : &none);
  if (follow == NULL)
    abort ();
  return follow;
}

#define A64(follow, start) \
  tb_follow_block ((follow), TB_SPACE_ANY, TB_ISA_A64, (start))
#define T32(follow, start) \
  tb_follow_block ((follow), TB_SPACE_ANY, TB_ISA_T32, (start))

/* NOP NOP BL +0x10; DSB NOP ISB; RET; a hole.  */
static const uint32_t a64_code[] =
{
  0xd503201f, 0xd503201f, 0x94000004,
  0xd5033f9f, 0xd503201f, 0xd5033fdf,
  0xd65f03c0, 0xd503207f, 0xd5233060, 0x00000000, 0xd503201f
};

static void
test_blocks (void)
{
  struct tb_memmap *map = new_map ();

  add (map, TB_SPACE_ANY, 0x1000, a64_code, sizeof a64_code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A53", NULL);

  const struct tb_block *first = A64 (follow, 0x1000);
  CHECK_INT (first->start, 0x1000);
  CHECK_INT (first->end, 0x100c);
  CHECK_INT (first->count, 3);
  CHECK_INT (first->kind, TB_FLOW_BRANCH);
  CHECK_INT (first->sub, TB_SUB_LINK);
  CHECK_INT (first->target, 0x1018);
  CHECK_INT (first->size, 4);
  CHECK_INT (first->isa, TB_ISA_A64);
  CHECK_INT (first->target_isa, TB_ISA_A64);
  CHECK_INT (first->space, TB_SPACE_ANY);
  CHECK (!first->conditional && !first->limit);
  /* Found again, and from within another one.  */
  CHECK (A64 (follow, 0x1000) == first);
  const struct tb_block *inner = A64 (follow, 0x1004);
  CHECK (inner != first);
  CHECK_INT (inner->count, 2);
  CHECK_INT (inner->end, 0x100c);
  /* DSB does not end a block here, ISB does.  */
  const struct tb_block *next = tb_follow_next (follow, first);
  CHECK_INT (next->start, 0x100c);
  CHECK_INT (next->end, 0x1018);
  CHECK_INT (next->kind, TB_FLOW_ISB);
  CHECK (next == A64 (follow, 0x100c));
  CHECK (first->next == next && tb_follow_next (follow, first) == next);
  const struct tb_block *taken = tb_follow_taken (follow, first);
  CHECK_INT (taken->start, 0x1018);
  CHECK_INT (taken->count, 1);
  CHECK_INT (taken->kind, TB_FLOW_INDIRECT);
  CHECK_INT (taken->sub, TB_SUB_RETURN);
  CHECK (first->taken == taken && tb_follow_taken (follow, first) == taken);
  /* WFI and TSTART are plain here; UDF ends the block.  */
  const struct tb_block *undefined = A64 (follow, 0x101c);
  CHECK_INT (undefined->count, 3);
  CHECK_INT (undefined->end, 0x1028);
  CHECK_INT (undefined->kind, TB_FLOW_UNDEFINED);
  /* The end of the code.  */
  const struct tb_block *last = A64 (follow, 0x1028);
  CHECK_INT (last->count, 1);
  CHECK_INT (last->end, 0x102c);
  CHECK_INT (last->size, 4);
  CHECK_INT (last->kind, TB_FLOW_OTHER);
  CHECK (!last->limit);
  /* Nothing there: not kept, and not remembered as a successor.  */
  const struct tb_block *hole = tb_follow_next (follow, last);
  CHECK_INT (hole->count, 0);
  CHECK_INT (hole->start, 0x102c);
  CHECK_INT (hole->end, 0x102c);
  CHECK_INT (hole->kind, TB_FLOW_OTHER);
  CHECK (last->next == NULL);
  CHECK_INT (A64 (follow, 0x9000)->start, 0x9000);
  CHECK_INT (A64 (follow, 0x102a)->count, 0);
  CHECK_INT (tb_follow_block (follow, TB_SPACE_ANY, TB_ISA_UNKNOWN,
			      0x1000)->count, 0);
  tb_follow_free (follow);

  /* The same with everything a waypoint.  */
  struct tb_follow_options all = { .wait_is_branch = true,
				   .barrier_is_waypoint = true,
				   .tstart_is_waypoint = true };
  follow = new_follow (map, "Cortex-A53", &all);
  CHECK_INT (A64 (follow, 0x100c)->count, 1);
  CHECK_INT (A64 (follow, 0x100c)->kind, TB_FLOW_BARRIER);
  CHECK_INT (A64 (follow, 0x101c)->count, 1);
  CHECK_INT (A64 (follow, 0x101c)->kind, TB_FLOW_WAIT);
  CHECK_INT (A64 (follow, 0x1020)->count, 1);
  CHECK_INT (A64 (follow, 0x1020)->kind, TB_FLOW_TSTART);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* The same address is another block in another space or ISA.  */
static void
test_keys (void)
{
  static const uint32_t secure[] = { 0xe1a00000, 0xe12fff1e };
  static const uint32_t normal[] = { 0xeafffffe, 0xe12fff1e };
  struct tb_memmap *map = new_map ();

  add (map, TB_SPACE_S, 0x8000, secure, sizeof secure);
  add (map, TB_SPACE_N, 0x8000, normal, sizeof normal);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A15", NULL);
  const struct tb_block *s
    = tb_follow_block (follow, TB_SPACE_S, TB_ISA_A32, 0x8000);
  const struct tb_block *n
    = tb_follow_block (follow, TB_SPACE_N, TB_ISA_A32, 0x8000);
  const struct tb_block *t
    = tb_follow_block (follow, TB_SPACE_S, TB_ISA_T32, 0x8000);
  CHECK_INT (s->count, 2);
  CHECK_INT (s->sub, TB_SUB_V7RETURN);
  CHECK_INT (n->count, 1);
  CHECK_INT (n->target, 0x8000);
  CHECK (tb_follow_taken (follow, n) == n);
  CHECK_INT (t->isa, TB_ISA_T32);
  CHECK_INT (t->size, 2);
  CHECK (tb_follow_block (follow, TB_SPACE_S, TB_ISA_A32, 0x8000) == s);
  CHECK (tb_follow_block (follow, TB_SPACE_N, TB_ISA_A32, 0x8000) == n);
  CHECK (tb_follow_block (follow, TB_SPACE_S, TB_ISA_T32, 0x8000) == t);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

static void
test_t32 (void)
{
  static const uint16_t code[] =
  {
    0xbf0c, 0x2001, 0x4770,		/* ite eq; movs; bx lr */
    0xbf08, 0x2001, 0x4770,		/* it eq; movs; bx lr */
    0xf000, 0xe800,			/* blx .+4 */
    0xbf00				/* nop: in the last two bytes */
  };
  struct tb_memmap *map = new_map ();
  uint32_t opcode;

  add (map, TB_SPACE_ANY, 0x2000, code, sizeof code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A15", NULL);
  const struct tb_block *block = T32 (follow, 0x2000);
  CHECK_INT (block->count, 3);
  CHECK_INT (block->end, 0x2006);
  CHECK (block->conditional && block->marked_conditional);
  block = T32 (follow, 0x2006);
  CHECK_INT (block->count, 3);
  CHECK_INT (block->end, 0x200c);
  CHECK (!block->conditional && !block->marked_conditional);
  block = T32 (follow, 0x200c);
  CHECK_INT (block->count, 1);
  CHECK_INT (block->target, 0x2010);
  CHECK_INT (block->target_isa, TB_ISA_A32);
  /* Its target is 2 bytes of A32.  */
  CHECK_INT (tb_follow_taken (follow, block)->count, 0);
  block = tb_follow_next (follow, block);
  CHECK_INT (block->count, 1);
  CHECK_INT (block->end, 0x2012);
  CHECK_INT (block->size, 2);
  /* Half of an instruction of 32 bits is none.  */
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32, 0x200c,
			       &opcode), 4);
  CHECK_INT (opcode, 0xf000e800);
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32, 0x2010,
			       &opcode), 2);
  CHECK_INT (opcode, 0xbf00);
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_A32, 0x2010,
			       &opcode), 0);
  CHECK_INT (opcode, 0);
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32, 0x2012,
			       &opcode), 0);
  tb_follow_free (follow);

  struct tb_follow_options unmarked = { .it_is_unmarked = true };
  follow = new_follow (map, "Cortex-A15", &unmarked);
  block = T32 (follow, 0x2000);
  CHECK (block->conditional && !block->marked_conditional);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* Into ThumbEE and back: ENTERX and LEAVEX are direct branches.  */
static void
test_t32ee (void)
{
  static const uint8_t code[] = {
    0x00, 0xbf, 0xbf, 0xf3, 0x1f, 0x8f,	/* nop; enterx  */
    0x40, 0xc8, 0x01, 0xc3,		/* ldr r0, [r0, #-4]; hbl #1  */
    0x00, 0xbf, 0xbf, 0xf3, 0x0f, 0x8f,	/* nop; leavex  */
    0x70, 0x47				/* bx lr  */
  };
  struct tb_memmap *map = new_map ();
  add (map, TB_SPACE_ANY, 0x1000, code, sizeof code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A9", NULL);
  const struct tb_block *b = T32 (follow, 0x1000);
  CHECK_INT (b->count, 2);
  CHECK_INT (b->kind, TB_FLOW_BRANCH);
  b = tb_follow_taken (follow, b);
  CHECK_INT (b->start, 0x1006);
  CHECK_INT (b->isa, TB_ISA_T32EE);
  CHECK_INT (b->end, 0x100a);
  CHECK_INT (b->count, 2);
  CHECK_INT (b->kind, TB_FLOW_INDIRECT);
  CHECK_INT (b->sub, TB_SUB_LINK);
  b = tb_follow_next (follow, b);
  CHECK_INT (b->count, 2);
  CHECK_INT (b->kind, TB_FLOW_BRANCH);
  b = tb_follow_taken (follow, b);
  CHECK_INT (b->start, 0x1010);
  CHECK_INT (b->isa, TB_ISA_T32);
  CHECK_INT (b->count, 1);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* Blocks that start within an IT block.  */
static void
test_within_it (void)
{
  static const uint16_t code[] =
  {
    0x4770,				/* bx lr */
    0xbf01, 0x2001, 0xf04f, 0x0002, 0x2003, 0x4770, /* itttt; 3 moves; bx */
    0x4770,				/* bx lr: after it */
    0xbf08, 0xf3bf, 0x8f6f,		/* it; isb */
    0x2000, 0x4770,			/* movs; bx lr */
    0xbf04, 0xf3bf, 0x8f6f, 0x4770,	/* itt; isb; bx lr */
    0xf7ff, 0xbfcd, 0x4770,		/* b.w whose end looks like IT; bx lr */
    0xf7ff, 0xfffe, 0xbf08, 0x4770,	/* bl .; it; bx lr */
    0x3333, 0xbf33, 0x4770,		/* -0.7f, data that look like IT; bx lr */
    0x4770, 0xbf33, 0x0000, 0xd001,	/* bx lr; the like, not at once; beq */
  };
  static const struct
  {
    uint64_t start;
    uint32_t count;
    bool conditional, marked, resumed;
  } rows[] =
  {
    { 0x2000, 1, false, false, false },
    { 0x2002, 5, true, true, false },
    { 0x2004, 4, true, false, true },
    { 0x2006, 3, true, false, true },
    { 0x200a, 2, true, false, true },
    { 0x200c, 1, true, false, true },
    { 0x200e, 1, false, false, false },
    { 0x2010, 2, true, true, false },
    { 0x2016, 2, false, false, false },
    { 0x201a, 2, true, true, false },
    { 0x2020, 1, true, false, true },
    { 0x2026, 1, false, false, false },
    { 0x202c, 2, true, true, false },
    { 0x202e, 1, true, false, true },
    { 0x2034, 1, true, false, true },
    { 0x203a, 2, true, true, false },
  };
  struct tb_memmap *map = new_map ();

  add (map, TB_SPACE_ANY, 0x2000, code, sizeof code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-M4", NULL);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct tb_block *block = T32 (follow, rows[i].start);
      CHECK_INT (block->start, rows[i].start);
      CHECK_INT (block->count, rows[i].count);
      CHECK_INT (block->conditional, rows[i].conditional);
      CHECK_INT (block->marked_conditional, rows[i].marked);
      CHECK_INT (block->resumed, rows[i].resumed);
      CHECK_INT (tb_block_is_conditional (block, false), rows[i].conditional);
      CHECK_INT (tb_block_is_conditional (block, true), rows[i].marked);
    }
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* Instructions that begin in one region and end in another, or in none.  */
static void
test_regions (void)
{
  static const uint16_t low[] = { 0xbf00, 0xf000 };	/* nop; bl .+4 */
  static const uint16_t high[] = { 0xf800, 0xbf00, 0xf000 };
  static const uint8_t bytes[] = { 0x1f, 0x20, 0x03 }, rest[] = { 0xd5 };
  struct tb_memmap *map = new_map ();
  struct tb_flow flow;
  uint64_t reached;
  uint32_t opcode;

  add (map, TB_SPACE_ANY, 0x3000, low, sizeof low);
  add (map, TB_SPACE_ANY, 0x3004, high, sizeof high);
  add (map, TB_SPACE_ANY, 0x4000, bytes, sizeof bytes);
  add (map, TB_SPACE_ANY, 0x4003, rest, sizeof rest);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "ARMv8-A", NULL);
  const struct tb_block *block = T32 (follow, 0x3000);
  CHECK_INT (block->count, 2);
  CHECK_INT (block->end, 0x3006);
  CHECK_INT (block->kind, TB_FLOW_BRANCH);
  CHECK_INT (block->target, 0x3006);
  block = T32 (follow, 0x3006);
  CHECK_INT (block->count, 1);
  CHECK_INT (block->end, 0x3008);
  CHECK_INT (block->kind, TB_FLOW_OTHER);
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32, 0x3008,
			       &opcode), 0);
  CHECK_INT (opcode, 0);
  CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_A64, 0x4000,
			       &opcode), 4);
  CHECK_INT (opcode, 0xd503201f);
  /* Where code was last, and where there is none, is remembered: each behind each.  */
  static const uint64_t places[] = { 0x4000, 0x3008, 0x4001, 0x5000, 0x2ffc };
  enum { PLACES = sizeof places / sizeof places[0] };
  for (unsigned i = 0; i < 2 * PLACES * PLACES; i++)
    {
      uint64_t at = places[i % 2 == 0 ? i / 2 / PLACES : i / 2 % PLACES];
      CHECK_INT (tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_A64, at, &opcode),
		 at == 0x4000 ? 4 : 0);
      CHECK_INT (opcode, at == 0x4000 ? 0xd503201f : 0);
    }
  CHECK_INT (tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_T32, 0x3000,
				 0x4000, &reached, &flow), 3);
  CHECK_INT (reached, 0x3008);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

static void
test_straight (void)
{
  static const uint16_t code[] =
  {
    0xbf08, 0x4770, 0xe7fe, 0xf000, 0xf800, 0xbf00
  };
  struct tb_memmap *map = new_map ();
  struct tb_flow flow;
  uint64_t reached;

  add (map, TB_SPACE_ANY, 0x5000, code, sizeof code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-M4", NULL);

  static const struct
  {
    uint64_t start, end, reached;
    uint32_t count;
    uint8_t kind, size;
  } rows[] =
  {
    { 0x5000, 0x5000, 0x5000, 0, TB_FLOW_OTHER, 0 },
    { 0x5000, 0x5002, 0x5002, 1, TB_FLOW_OTHER, 2 },
    { 0x5000, 0x5004, 0x5004, 2, TB_FLOW_INDIRECT, 2 },
    { 0x5000, 0x5006, 0x5006, 3, TB_FLOW_BRANCH, 2 },
    { 0x5000, 0x5008, 0x500a, 4, TB_FLOW_BRANCH, 4 },	/* Within BL.  */
    { 0x5000, 0x500c, 0x500c, 5, TB_FLOW_OTHER, 2 },
    { 0x5000, 0x6000, 0x500c, 5, TB_FLOW_OTHER, 2 },
    { 0x5004, 0x5000, 0x5004, 0, TB_FLOW_OTHER, 0 },
    { 0x6000, 0x6010, 0x6000, 0, TB_FLOW_OTHER, 0 },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      CHECK_INT (tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_T32,
				     rows[i].start, rows[i].end, &reached,
				     &flow), rows[i].count);
      CHECK_INT (reached, rows[i].reached);
      CHECK_INT (flow.kind, rows[i].kind);
      CHECK_INT (flow.size, rows[i].size);
    }
  /* BX LR in the IT block.  */
  tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_T32, 0x5000, 0x5004,
		      &reached, &flow);
  CHECK (flow.conditional);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* The ends of the address space, and runaway code.  */
static void
test_bounds (void)
{
  enum { WORDS = TB_BLOCK_LIMIT + 2 };
  static const uint32_t top[] = { 0xd503201f, 0xd503201f };
  uint32_t *nops = malloc (WORDS * sizeof *nops);
  struct tb_memmap *map = new_map ();
  struct tb_flow flow;
  uint64_t reached;

  for (size_t i = 0; i < WORDS; i++)
    nops[i] = 0xd503201f;
  add (map, TB_SPACE_ANY, 0, nops, WORDS * sizeof *nops);
  add (map, TB_SPACE_ANY, UINT64_MAX - 7, top, sizeof top);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A53", NULL);

  const struct tb_block *block = A64 (follow, UINT64_MAX - 7);
  CHECK_INT (block->count, 2);
  CHECK_INT (block->end, 0);
  CHECK_INT (block->kind, TB_FLOW_OTHER);
  CHECK (!block->limit);
  CHECK_INT (A64 (follow, UINT64_MAX - 1)->count, 0);

  block = A64 (follow, 0);
  CHECK_INT (block->count, TB_BLOCK_LIMIT);
  CHECK_INT (block->end, TB_BLOCK_LIMIT * 4);
  CHECK (block->limit);
  block = tb_follow_next (follow, block);
  CHECK_INT (block->count, 2);
  CHECK (!block->limit);
  CHECK_INT (tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_A64, 0,
				 WORDS * 4, &reached, &flow), TB_BLOCK_LIMIT);
  CHECK_INT (reached, TB_BLOCK_LIMIT * 4);
  CHECK_INT (tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_A64,
				 UINT64_MAX - 7, UINT64_MAX, &reached, &flow),
	     2);
  tb_follow_free (follow);
  tb_memmap_free (map);
  free (nops);
}

/* Many blocks, found in any order, never moved.  */
static void
test_many (void)
{
  enum { COUNT = 20000 };
  uint32_t *code = malloc (COUNT * sizeof *code);
  const struct tb_block **blocks = malloc (COUNT * sizeof *blocks);
  struct tb_memmap *map = new_map ();

  /* Branches to the next word, and NOPs before them.  */
  for (size_t i = 0; i < COUNT; i++)
    code[i] = i % 3 == 2 ? 0x14000001 : 0xd503201f;
  add (map, TB_SPACE_ANY, 0xffffff8008080000, code, COUNT * sizeof *code);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A53", NULL);
  for (size_t i = 0; i < COUNT; i++)
    {
      /* 7919 is prime to COUNT: every word once.  */
      size_t k = i * 7919 % COUNT;
      blocks[k] = A64 (follow, 0xffffff8008080000 + k * 4);
    }
  for (size_t i = 0; i < COUNT; i++)
    {
      bool last = i / 3 == COUNT / 3;
      CHECK (A64 (follow, 0xffffff8008080000 + i * 4) == blocks[i]);
      CHECK_INT (blocks[i]->start, 0xffffff8008080000 + i * 4);
      CHECK_INT (blocks[i]->count, last ? COUNT - i : 3 - i % 3);
      CHECK_INT (blocks[i]->kind, last ? TB_FLOW_OTHER : TB_FLOW_BRANCH);
    }
  CHECK (tb_follow_taken (follow, blocks[0]) == blocks[3]);
  tb_follow_free (follow);
  tb_follow_free (NULL);
  tb_memmap_free (map);
  free (blocks);
  free (code);
}

/* A64 that simply goes on is passed at once: up to what does not, to the end of the code,
   within an instruction, and to the end of all addresses.  */
static void
test_plain_a64 (void)
{
  /* ADD x0, x0, #1; LDR x1, [x1]; FADD d0, d1, d2; NOP; SUB x0, x0, #1; CBZ x0, +8; ADD
     twice, and half of one.  */
  static const uint32_t code[]
    = { 0x91000400, 0xf9400021, 0x1e622820, 0xd503201f, 0xd1000400, 0xb4000040,
	0x91000400, 0x91000400, 0x91000400 };
  struct tb_memmap *map = new_map ();

  add (map, TB_SPACE_ANY, 0x1000, code, sizeof code - 2);
  add (map, TB_SPACE_ANY, UINT64_MAX - 7, code, 8);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-A53", NULL);
  const struct tb_block *block = A64 (follow, 0x1000);
  CHECK_INT (block->count, 6);
  CHECK_INT (block->end, 0x1018);
  CHECK_INT (block->kind, TB_FLOW_BRANCH);
  CHECK_INT (block->target, 0x101c);
  CHECK (block->conditional);
  CHECK_INT (A64 (follow, 0x1008)->count, 4);
  block = A64 (follow, 0x1018);
  CHECK_INT (block->count, 2);
  CHECK_INT (block->end, 0x1020);
  CHECK_INT (block->size, 4);
  CHECK_INT (block->kind, TB_FLOW_OTHER);
  CHECK (!block->conditional && !block->limit);
  block = A64 (follow, UINT64_MAX - 7);
  CHECK_INT (block->count, 2);
  CHECK (block->end == 0 && !block->limit);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* The line of T32 at START; returns how many instructions it has.  */
static unsigned
line_at (struct tb_follow *follow, uint64_t start, uint64_t last, struct tb_follow_line *line)
{
  tb_follow_line (follow, TB_SPACE_ANY, TB_ISA_T32, start, last, line);
  return line->count;
}

/* A line is what its instructions are one by one, and ends where they may go
   elsewhere, where nothing is readable, or where it may not go on.  */
static void
test_line (void)
{
  /* MOVS r0, #1; ADD.W r1, r2, r3; ITE EQ; B +0 (as if in no IT block); NOP.  */
  static const uint16_t code[]
    = { 0x2001, 0xeb02, 0x0103, 0xbf0c, 0xe7fe, 0xbf00, 0xf000 };
  static const uint32_t opcodes[] = { 0x2001, 0xeb020103, 0xbf0c, 0xe7fe };
  static const uint32_t starts[] = { 0x2000, 0x2002, 0x2006, 0x2008 };
  uint16_t longer[20 + 20 * 2];
  struct tb_follow_line line;
  struct tb_memmap *map = new_map ();

  add (map, TB_SPACE_ANY, 0x2000, code, sizeof code);
  for (unsigned i = 0; i < 40; i++)
    memcpy (longer + (i < 20 ? i : 2 * i - 20), i < 20 ? code : code + 1, i < 20 ? 2 : 4);
  add (map, TB_SPACE_ANY, 0x4000, longer, sizeof longer);
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = new_follow (map, "Cortex-M4", NULL);
  /* First as it is found, then as it is remembered.  */
  for (int i = 0; i < 2; i++)
    {
      CHECK_INT (line_at (follow, 0x2000, UINT32_MAX, &line), 4);
      for (unsigned k = 0; k < 4; k++)
	{
	  struct tb_flow alone;
	  uint32_t opcode;
	  uint64_t reached;
	  unsigned size = tb_follow_opcode (follow, TB_SPACE_ANY, TB_ISA_T32,
					    starts[k], &opcode);
	  bool plain = line.plain >> k & 1;
	  CHECK_INT (line.in[k].opcode, opcodes[k]);
	  CHECK_INT (opcode, opcodes[k]);
	  CHECK_INT (line.wide >> k & 1 ? 4 : 2, size);
	  CHECK_INT (plain, k < 3);
	  CHECK_INT (tb_follow_straight (follow, TB_SPACE_ANY, TB_ISA_T32,
					 starts[k], starts[k] + 1, &reached,
					 &alone), 1);
	  if (plain)
	    line.in[k].flow = (struct tb_flow) { .kind = TB_FLOW_OTHER };
	  CHECK_INT (line.in[k].flow.kind, alone.kind);
	  CHECK_INT (line.in[k].flow.target, alone.target);
	  CHECK_INT (line.in[k].flow.conditional, alone.conditional);
	}
    }
  CHECK_INT (line.in[3].flow.kind, TB_FLOW_BRANCH);
  CHECK_INT (line.in[3].flow.target, 0x2008);
  CHECK_INT (line.wide, 2);
  /* What begins at the last address, or before it, is in; what begins behind it is not.  */
  CHECK_INT (line_at (follow, 0x2000, 0x2005, &line), 2);
  CHECK_INT (line_at (follow, 0x2000, 0x2002, &line), 2);
  CHECK_INT (line_at (follow, 0x2000, 0x2001, &line), 1);
  CHECK_INT (line.wide, 0);
  CHECK_INT (line_at (follow, 0x2006, 0x2004, &line), 0);
  /* The last halfword is half an instruction.  */
  CHECK_INT (line_at (follow, 0x200a, UINT32_MAX, &line), 1);
  CHECK_INT (line_at (follow, 0x200c, UINT32_MAX, &line), 0);
  CHECK_INT (line_at (follow, 0x3000, UINT32_MAX, &line), 0);
  /* A line is full within plain code: 20 instructions of two bytes, others of four.  */
  CHECK_INT (line_at (follow, 0x4000, UINT32_MAX, &line), TB_FOLLOW_LINE);
  CHECK_INT (line.plain, UINT32_MAX);
  CHECK_INT (line.wide, UINT32_MAX << 20);
  CHECK_INT (line.in[31].opcode, 0xeb020103);
  CHECK_INT (line_at (follow, 0x4000 + 20 * 2 + 12 * 4, UINT32_MAX, &line), 8);
  tb_follow_free (follow);
  /* IT is no instruction of a core without it, and ends a line there.  */
  follow = new_follow (map, "Cortex-M23", NULL);
  CHECK_INT (line_at (follow, 0x2006, UINT32_MAX, &line), 1);
  CHECK_INT (line.plain, 0);
  CHECK_INT (line.in[0].flow.kind, TB_FLOW_UNDEFINED);
  tb_follow_free (follow);
  tb_memmap_free (map);
}

/* Four halves at once: whether one of them is like IT.  */
static void
test_any_it (void)
{
  static const uint64_t others[] = { 0, UINT64_MAX, UINT64_C (0xbf00bf00bf00bf00),
				     UINT64_C (0xbe01be01be01be01) };
  unsigned wrong = 0;

  for (uint64_t half = 0; half <= 0xffff; half++)
    for (unsigned at = 0; at < 64; at += 16)
      for (unsigned i = 0; i < 4; i++)
	{
	  uint64_t halves = (others[i] & ~(UINT64_C (0xffff) << at)) | half << at;
	  bool is_it = half >> 8 == 0xbf && (half & 15) != 0;
	  wrong += tb_cursor_any_it (halves) != is_it;
	}
  CHECK_INT (wrong, 0);
}

int
main (void)
{
  test_any_it ();
  test_blocks ();
  test_keys ();
  test_t32 ();
  test_t32ee ();
  test_within_it ();
  test_regions ();
  test_straight ();
  test_bounds ();
  test_many ();
  test_plain_a64 ();
  test_line ();
  return check_done ();
}
