/* Semantics of A64: SVE and SME, as far as what they do not touch stays.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nothing of scalable vectors, predicates and ZA is kept but what vector registers have
   in their lower 128 bits, and what is computed is not followed.  A general register that
   is written is D, which may be SP.

   Source: DDI 0487, C4.1 "SVE encodings", "SME encodings", "Reserved".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* UDF  */
static void
undefined (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit (s, TB_OP_TRAP, NONE, NONE, NONE);
}

/* Vectors may change, or predicates.  */
static void
load (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_forget_vectors (s);
}

static void
store (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_forget_memory (s, true);
}

/* What computes: vectors or predicates, flags, FPSR.  */
static void
compute (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_unknown_flags (s);
  emit_forget_vectors (s);
}

/* The same into a general register.  */
static void
to_general (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_unknown (s, f->d, UINT64_MAX);
  compute (s, f);
}

static void
anything (struct tb_semantics *s, const struct tb_fields *f)
{
  to_general (s, f);
  emit_forget_memory (s, true);
}

/* By bits 31:29.  */
static const struct tb_row rows[] = {
  { 0xffff0000, 0x00000000, 0, 0, undefined },
  { 0xfe000000, 0x84000000, RAW, 0, load },	/* "SVE Memory"  */
  { 0xfe000000, 0xa4000000, RAW, 0, load },
  { 0xfe000000, 0xc4000000, RAW, 0, load },
  { 0xfe000000, 0xe4000000, RAW, 0, store },
  { 0xff20f000, 0x04205000, RAW, 0, to_general },	/* ADDVL, RDVL  */
  { 0xff20e000, 0x0420e000, 0, 0, to_general },	/* CNTB, INCB ...  */
  { 0xff20e000, 0x0520a000, 0, 0, to_general },	/* LASTA, CLASTA  */
  { 0xff20c000, 0x25208000, 0, 0, to_general },	/* CNTP, INCP  */
  { 0x9e000000, 0x04000000, RAW, 0, compute },
  { 0x9e000000, 0x80000000, 0, 0, anything },	/* SME  */
};
const struct tb_rows tb_a64_scalable_rows = TB_ROWS (rows);
