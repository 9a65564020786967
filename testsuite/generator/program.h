/* Random programs whose flow is known from how they were made.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nothing here asks the library what an instruction does: the generator writes
   the opcode and says what it is, so that the two can be held against each
   other.  */

#ifndef GEN_PROGRAM_H
#define GEN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generator/random.h"

enum gen_isa { GEN_A64, GEN_A32, GEN_T32 };

enum gen_arch
{
  GEN_AARCH64, GEN_AARCH32,	/* A profile.  */
  GEN_V6M, GEN_V7M, GEN_V8M,
  GEN_ARCHES
};

static inline bool
gen_is_m (enum gen_arch arch)
{
  return arch >= GEN_V6M;
}

enum gen_kind
{
  GEN_STRAIGHT,
  GEN_DIRECT,			/* Branch to a fixed target.  */
  GEN_INDIRECT,
  GEN_ISB,
  GEN_BARRIER,			/* DSB, DMB.  */
  GEN_WAIT,			/* WFI, WFE.  */
  GEN_CALL,			/* SVC, HVC, SMC: an exception follows.  */
  GEN_ERET			/* Exception return of the A profile.  */
};

/* One instruction of a program.  */
struct gen_insn
{
  uint64_t address, target;
  uint32_t opcode;		/* 32-bit T32: first halfword on top.  */
  uint32_t function;		/* Which one it is in.  */
  uint8_t size, isa, kind;
  uint8_t target_isa;
  bool conditional, link, returns;
  bool interworks;		/* Indirect: may change between A32 and T32.  */
  bool governed;		/* Within an IT block: no branch leads here.  */
  uint8_t shape;		/* Index in the table of its ISA.  */
  uint8_t words;		/* A32, T32: that it loads or, if STORES is set,
				   stores.  */
  bool stores;
};

struct gen_function
{
  uint32_t first, count;	/* Instructions.  */
  uint8_t isa;
  uint8_t region;
};

#define GEN_REGIONS 3
#define GEN_HANDLERS 6

struct gen_region
{
  uint64_t address;
  uint8_t *bytes;
  size_t size;
};

struct gen_program
{
  enum gen_arch arch;
  const char *core;		/* Type for a snapshot: "ARMv7-M".  */
  struct gen_insn *insns;
  size_t ninsns, capacity;
  /* The first GEN_HANDLERS are exception handlers.  */
  struct gen_function *functions;
  size_t nfunctions;
  struct gen_region regions[GEN_REGIONS];	/* By address.  */
  size_t nregions;
  /* M profile: vector numbers of the handlers; the table is at address 0.  */
  uint16_t vectors[GEN_HANDLERS];
};

/* A random program.  Free with gen_program_free.  */
void gen_program_make (struct gen_program *program, enum gen_arch arch,
		       struct gen_random *random);
void gen_program_free (struct gen_program *program);

/* The instruction that begins at ADDRESS, or NULL.  */
const struct gen_insn *gen_program_at (const struct gen_program *program,
				       uint64_t address);

/* realloc that ends the program where there is no memory; COUNT + 1 elements of
   SIZE bytes fit afterwards.  */
void *gen_grow (void *array, size_t *capacity, size_t count, size_t size);

#endif /* GEN_PROGRAM_H */
