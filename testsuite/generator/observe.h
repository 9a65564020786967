/* What the library's decoders say of a trace, as facts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_OBSERVE_H
#define GEN_OBSERVE_H

#include "decode/decoder.h"
#include "generator/trace.h"

#define GEN_REGISTERS_MAX 16

/* A snapshot made by hand: one core, one source, one buffer.  */
struct gen_subject
{
  const struct gen_program *program;
  struct tb_profile profile;
  struct tb_memmap *map;
  struct tb_device core, source;
  struct tb_device_reg core_regs[1], source_regs[GEN_REGISTERS_MAX];
  struct tb_span span;
  struct tb_trace_buffer buffer;
  struct tb_decoder_config config;
  struct tb_diag diag;
};

/* Make SUBJECT: PROGRAM in memory, a source of TYPE.  The structure must not
   move.  */
void gen_subject_init (struct gen_subject *subject,
		       const struct gen_program *program, const char *type);
void gen_subject_fini (struct gen_subject *subject);

void gen_subject_register (struct gen_subject *subject, const char *name,
			   uint32_t id, uint64_t value);
void gen_subject_pc (struct gen_subject *subject, uint64_t pc);
/* The trace buffer is the SIZE bytes at DATA.  */
void gen_subject_buffer (struct gen_subject *subject, const uint8_t *data,
			 size_t size, enum tb_buffer_format format);

/* How to read.  */
struct gen_reading
{
  struct gen_random *random;	/* Capacities.  */
  unsigned checkpoints;		/* In 100th of reads: save, read on, restore.  */
};

struct gen_observation
{
  struct gen_trace facts;	/* Only its facts.  */
  struct tb_decoder_stats stats;
  size_t elements;
  uint64_t local;		/* ITM: the newest local time.  */
  bool endless;			/* More elements than the bytes can mean.  */
};

/* Decode all of SUBJECT's buffer.  False: no decoder.  Free the facts with
   gen_trace_free.  */
bool gen_observe (struct gen_observation *observation,
		  struct gen_subject *subject,
		  const struct gen_reading *reading);

#endif /* GEN_OBSERVE_H */
