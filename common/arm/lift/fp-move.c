/* Moves between core and FP registers, and of FPSCR, as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A6.6 and A6.7; DDI 0406, A7.8 and A7.9, A8.8 (VMOV, VDUP,
   VMRS, VMSR), B4.1.58 (FPSCR); DDI 0553, D1.2 (FPSCR).  */

#include "config.h"
#include "arm/lift/fp.h"

/* May core register R take part?  */
static bool
is_core (const struct tb_semantics *s, unsigned r)
{
  return r != 15 && (r != 13 || !s->is_m);
}

bool
tb_sem_fp_move_two (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, rt2 = op >> 16 & 15;
  bool to_core = op >> 20 & 1;
  unsigned place = tb_fp_register (op, TB_FP_M);
  if ((op & 0xd0) != 0x10 || !is_core (s, rt) || !is_core (s, rt2)
      || (to_core && rt == rt2) || tb_fp_size (op) == TB_FP_HALF
      || (tb_fp_size (op) == TB_FP_SINGLE && place == TB_PLACE_FP + 31))
    return false;
  tb_sem_emit (s, TB_OP_MOV, to_core ? rt : place, to_core ? place : rt, NONE,
	       0);
  tb_sem_emit (s, TB_OP_MOV, to_core ? rt2 : place + 1,
	       to_core ? place + 1 : rt2, NONE, 0);
  return true;
}

/* VMRS of FPSCR; RT 15 stands for the flags.  */
static void
read_fpscr (struct tb_semantics *s, unsigned rt)
{
  if (rt != 15)
    tb_sem_emit (s, TB_OP_ORR, rt, TB_PLACE_FPSCR, TB_PLACE_FPSCR_STATUS, 0);
  else
    for (unsigned i = 0; i < 4; i++)
      tb_sem_emit (s, TB_OP_BIT, TB_SLOT_N + i, TB_PLACE_FPSCR_STATUS, IMM,
		   31 - i);
}

/* Bits of FPSCR that are what is written: N, Z, C, V, DN, FZ, RMode and the
   exceptions.  The others are reserved or there on some cores only: those that are
   written as 0 stay 0, the others may or may not.  */
#define KEPT UINT32_C (0xf3c0009f)
#define AHP UINT32_C (0x04000000)
/* Of these v8.1-M says that they read as 4 where there are no vectors.  */
#define LTPSIZE UINT32_C (0x00070000)

static void
write_fpscr (struct tb_semantics *s, unsigned rt,
	     const struct tb_profile *profile)
{
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_ORR, T0, T0, IMM, KEPT | (s->is_m ? AHP : 0));
  tb_sem_emit (s, TB_OP_AND, T0, T0, rt, 0);
  if (profile->arch == TB_ARCH_V81M_MAIN)
    {
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_AND, T1, T1, IMM, LTPSIZE);
      tb_sem_emit (s, TB_OP_BIC, T0, T0, IMM, LTPSIZE);
      tb_sem_emit (s, TB_OP_ORR, T0, T0, T1, 0);
    }
  tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR, T0, IMM, TB_FPSCR_CONTROL);
  tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, T0, IMM,
	       ~TB_FPSCR_CONTROL);
}

/* VMRS, VMSR.  */
static bool
status_register (struct tb_semantics *s, uint32_t op,
		 const struct tb_profile *profile)
{
  unsigned rt = op >> 12 & 15, reg = op >> 16 & 15;
  bool to_core = op >> 20 & 1;
  /* Others are those of v8.1-M.  */
  if (s->is_m && reg != 1 && reg != 0 && reg != 5 && reg != 6 && reg != 7)
    return false;
  if (rt == 15 && (!to_core || reg != 1))
    return false;
  if (reg == 1 && to_core)
    read_fpscr (s, rt);
  else if (reg == 1)
    write_fpscr (s, rt, profile);
  else if (to_core)
    tb_sem_unknown (s, rt);
  return true;
}

/* Which bits of a D register: of SIZE bits from SHIFT on in the word PLACE.  */
struct lane
{
  unsigned place, size, shift;
};

/* The lane of VMOV: bits 22:21 (opc1) and 6:5 (opc2) of OP (DDI 0406,
   A8.8.342).  */
static bool
find_lane (struct lane *lane, uint32_t op)
{
  unsigned opc1 = op >> 21 & 3, opc2 = op >> 5 & 3;
  unsigned x = (opc1 & 1) << 2 | opc2, byte;
  if (opc1 & 2)
    {
      lane->size = 8;
      byte = x;
    }
  else if (opc2 & 1)
    {
      lane->size = 16;
      byte = x & 6;
    }
  else
    {
      lane->size = 32;
      byte = x & 4;
      if (opc2 & 2)
	return false;
    }
  lane->place = tb_fp_double (op, TB_FP_N) + byte / 4;
  lane->shift = 8 * (byte & 3);
  return true;
}

static void
lane_to_core (struct tb_semantics *s, unsigned rt, const struct lane *lane,
	      bool is_signed)
{
  unsigned source = lane->place;
  if (lane->size == 32)
    {
      tb_sem_emit (s, TB_OP_MOV, rt, source, NONE, 0);
      return;
    }
  if (lane->shift != 0)
    {
      tb_sem_emit (s, TB_OP_LSR, T0, source, IMM, lane->shift);
      source = T0;
    }
  if (is_signed)
    tb_sem_emit (s, lane->size == 8 ? TB_OP_SXTB : TB_OP_SXTH, rt, source,
		 NONE, 0);
  else
    tb_sem_emit (s, TB_OP_AND, rt, source, IMM,
		 (UINT32_C (1) << lane->size) - 1);
}

static void
core_to_lane (struct tb_semantics *s, unsigned rt, const struct lane *lane)
{
  if (lane->size == 32)
    {
      tb_sem_emit (s, TB_OP_MOV, lane->place, rt, NONE, 0);
      return;
    }
  uint32_t mask = (UINT32_C (1) << lane->size) - 1;
  tb_sem_emit (s, TB_OP_AND, T0, rt, IMM, mask);
  tb_sem_emit (s, TB_OP_LSL, T0, T0, IMM, lane->shift);
  tb_sem_emit (s, TB_OP_AND, lane->place, lane->place, IMM,
	       ~(mask << lane->shift));
  tb_sem_emit (s, TB_OP_ORR, lane->place, lane->place, T0, 0);
}

/* VDUP: RT in all lanes.  On the M profile it is one of the vector instructions
   (MVE), of which a block of VPT or a loop may leave out lanes (DDI 0553,
   B5.5).  */
static bool
duplicate (struct tb_semantics *s, uint32_t op, unsigned rt)
{
  unsigned place = tb_fp_double (op, TB_FP_N);
  unsigned size = (op >> 21 & 2) | (op >> 5 & 1);	/* 0: words.  */
  unsigned words = op >> 21 & 1 ? 4 : 2, from = T0;
  if (size == 3 || (words == 4 && op & 0x10000) || op & 0x40)
    return false;
  if (s->is_m)
    {
      tb_sem_fp_unknown (s, place, words);
      return true;
    }
  if (size == 0)
    from = rt;
  else
    {
      tb_sem_emit (s, TB_OP_AND, T0, rt, IMM, size == 1 ? 0xffff : 0xff);
      tb_sem_emit (s, TB_OP_MUL, T0, T0, IMM,
		   size == 1 ? 0x00010001 : 0x01010101);
    }
  for (unsigned i = 0; i < words; i++)
    tb_sem_emit (s, TB_OP_MOV, place + i, from, NONE, 0);
  return true;
}

bool
tb_sem_fp_move_one (struct tb_semantics *s, uint32_t op,
		    const struct tb_profile *profile)
{
  unsigned rt = op >> 12 & 15, size = tb_fp_size (op);
  bool to_core = op >> 20 & 1, high = op >> 23 & 1;
  struct lane lane;
  if ((op & 15) != 0 || (rt == 13 && s->is_m))
    return false;
  if (size == TB_FP_SINGLE && (op >> 21 & 7) == 7)
    return (op & 0xe0) == 0 && status_register (s, op, profile);
  if (rt == 15)
    return false;
  if (size != TB_FP_DOUBLE)	/* VMOV of an S register, whole or half.  */
    {
      unsigned place = tb_fp_single (op, TB_FP_N);
      unsigned to = to_core ? rt : place, from = to_core ? place : rt;
      if ((op >> 21 & 7) != 0 || (op & 0x60) != 0)
	return false;
      if (size == TB_FP_HALF)
	tb_sem_emit (s, TB_OP_AND, to, from, IMM, 0xffff);
      else
	tb_sem_emit (s, TB_OP_MOV, to, from, NONE, 0);
      return true;
    }
  if (!to_core && high)
    return duplicate (s, op, rt);
  /* A word has no sign.  */
  if (!find_lane (&lane, op) || (to_core && high && lane.size == 32))
    return false;
  if (to_core)
    lane_to_core (s, rt, &lane, !high);
  else
    core_to_lane (s, rt, &lane);
  return true;
}
