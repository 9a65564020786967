/* --format=registers: what is known before each step, a line a step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A line: step number, PC, then NAME=VALUE for each register that is known,
   m:ADDRESS:SIZE=VALUE for the known memory that the step touches; all but the
   step number hexadecimal; with a device description, for registers of devices, VALUE
   is ? where it is not known, and a comma, the register's name and, in braces, its
   fields follow; a ~ after the name marks an assumed value.  Condition
   flags: nzcv as one digit, or n, z, c, v singly where not all are known, or some
   are certain and others assumed.  */

#include "config.h"
#include "convert.h"
#include "changes.h"
#include "peripherals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "state/answer/sve.h"
#include "state/state.h"
#include "util/hex.h"

#define STEPS 256

/* Memory accesses listed of one step: LDM of all registers and more.  */
#define ACCESSES 32

/* " NAME=", or " NAME~=" if ASSUMED.  */
static void
put_name (struct tb_buffer *line, const char *name, bool assumed)
{
  tb_buffer_append (line, " ", 1);
  tb_buffer_append (line, name, strlen (name));
  tb_buffer_append (line, assumed ? "~=" : "=", assumed ? 2 : 1);
}

static void
put_flags (struct tb_buffer *line, const struct tb_value *psr)
{
  uint64_t assumed = psr->assumed & TB_PSR_NZCV;
  if ((psr->mask & TB_PSR_NZCV) == TB_PSR_NZCV
      && (assumed == 0 || assumed == TB_PSR_NZCV))
    {
      put_name (line, "nzcv", assumed != 0);
      tb_hex_append_number (line, psr->bits >> 28 & 15);
      return;
    }
  static const char *const names[] = { "n", "z", "c", "v" };
  for (int i = 0; i < 4; i++)
    if (psr->mask >> (31 - i) & 1)
      {
	put_name (line, names[i], assumed >> (31 - i) & 1);
	tb_decimal_append (line, psr->bits >> (31 - i) & 1);
      }
}

/* " NAME=VALUE" in ROOM for PIECE_MOST bytes; returns where it ends.  This is most of
   what there is to write: a function a piece would take longer than the piece.  */
#define NAME_MOST 16
#define PIECE_MOST (1 + NAME_MOST + 2 + TB_HEX_MOST)
static uint8_t *
put_register (uint8_t *room, const char *name, const struct tb_value *v)
{
  *room++ = ' ';
  for (unsigned i = 0; name[i] != 0 && i < NAME_MOST; i++)
    *room++ = (uint8_t) name[i];
  if (v->origin == TB_ASSUMED)
    *room++ = '~';
  *room++ = '=';
  return tb_hex_put (room, v->bits);
}

static void
put_registers (struct tb_buffer *line, const struct tb_profile *profile,
	       const struct tb_value *values)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  bool a64 = !profile->is_m && profile->has_a64;
  unsigned pc = a64 ? TB_PC64 : TB_PC, psr = a64 ? TB_PSTATE : TB_PSR;
  for (size_t r = 0; r < count; r++)
    {
      const struct tb_value *v = &values[r];
      uint64_t whole = regs[r].bits == 64 ? UINT64_MAX : UINT32_MAX;
      if (r == psr)
	put_flags (line, v);
      if (r == pc || v->origin == TB_UNKNOWN || v->mask != whole)
	continue;
      uint8_t *room = tb_buffer_extend (line, PIECE_MOST);
      if (room != NULL)
	line->size -= (size_t) (room + PIECE_MOST
				- put_register (room, regs[r].name, v));
    }
}

/* SVE registers of which all is known; returns the Z registers among them, a bit
   each.  */
static uint32_t
put_sve (struct tb_buffer *line, const struct line_source *from, uint64_t step)
{
  unsigned length = tb_state_sve_length (from->state);
  uint32_t put = 0;
  for (unsigned i = 0; length != 0 && i < TB_NSVE; i++)
    {
      struct tb_sve value;
      char room[8];
      unsigned size = tb_sve_size (length, i);
      /* The shortest Z register is a V register.  */
      if ((i < TB_SVE_P && length == TB_SVE_MIN) || !tb_state_sve (from->state, step, i, &value)
	  || !tb_sve_known (&value, 0, size))
	continue;
      put_name (line, tb_sve_name (i, room), false);
      put_bytes (line, value.bytes, size);
      put |= i < TB_SVE_P ? UINT32_C (1) << i : 0;
    }
  return put;
}

/* FP and vector registers: D registers, and the S registers of which only one of two
   is known; V registers, as D or S where only the lowest bits are known.  Those of a bit
   in SKIPPED are left out.  */
static void
put_vectors (struct tb_buffer *line, const struct tb_profile *profile,
	     const struct tb_vector *vectors, uint32_t skipped)
{
  char name[8];
  bool wide = profile->has_a64;
  for (unsigned i = 0; i < TB_FPSCR; i++)
    {
      const struct tb_value *low = &vectors[i].half[0];
      const struct tb_value *high = &vectors[i].half[1];
      bool whole = wide && (low->mask & high->mask) == UINT64_MAX;
      bool assumed = low->origin == TB_ASSUMED
		     || (whole && high->origin == TB_ASSUMED);
      if (skipped >> i & 1)
	continue;
      if (low->mask == UINT64_MAX)
	{
	  snprintf (name, sizeof name, "%c%u", whole ? 'v' : 'd', i);
	  put_name (line, name, assumed);
	  if (whole)
	    tb_buffer_printf (line, "%016" PRIx64, high->bits);
	  tb_buffer_printf (line, "%016" PRIx64, low->bits);
	}
      else
	for (unsigned k = 0; k < 2 && (wide ? k == 0 : i < 16); k++)
	  if ((uint32_t) (low->mask >> 32 * k) == UINT32_MAX)
	    {
	      snprintf (name, sizeof name, "s%u", wide ? i : 2 * i + k);
	      put_name (line, name, (uint32_t) (low->assumed >> 32 * k) != 0);
	      tb_buffer_printf (line, "%08" PRIx32,
				(uint32_t) (low->bits >> 32 * k));
	    }
    }
  for (unsigned i = TB_FPSCR; i < TB_NVECTORS; i++)
    {
      const struct tb_value *v = &vectors[i].half[0];
      if ((v->mask & UINT32_MAX) != UINT32_MAX)
	continue;
      put_name (line, i == TB_FPSR ? "fpsr" : wide ? "fpcr" : "fpscr",
		v->origin == TB_ASSUMED);
      tb_hex_append_number (line, v->bits & UINT32_MAX);
    }
}

/* Known memory before STEP where the step reads or writes it.  */
static void
put_memory (struct tb_buffer *line, const struct line_source *from, uint64_t step)
{
  struct tb_state *state = from->state;
  struct tb_access_info accesses[ACCESSES];
  size_t n = tb_state_accesses (state, step, accesses, ACCESSES);
  if (n > ACCESSES)
    n = ACCESSES;
  for (size_t i = 0; i < n; i++)
    {
      uint8_t bytes[8], origins[8];
      if (!accesses[i].address_known || accesses[i].length > sizeof bytes)
	continue;
      bool known = tb_state_memory (state, step, accesses[i].address, bytes, origins,
				    accesses[i].length) == accesses[i].length;
      /* What a register of a device holds is seldom known, but that it is accessed
	 is worth a word.  */
      if (!known && (from->svd == NULL
		     || tb_svd_peripheral_at (from->svd, accesses[i].address) == NULL))
	continue;
      uint64_t value = 0;
      bool assumed = accesses[i].address_assumed;
      for (uint32_t b = 0; known && b < accesses[i].length; b++)
	{
	  value |= (uint64_t) bytes[b] << 8 * b;
	  assumed |= origins[b] == TB_ASSUMED;
	}
      tb_buffer_append (line, " m:", 3);
      tb_hex_append_number (line, accesses[i].address);
      tb_buffer_append (line, ":", 1);
      tb_decimal_append (line, accesses[i].length);
      tb_buffer_append (line, assumed ? "~=" : "=", assumed ? 2 : 1);
      if (known)
	tb_hex_append_number (line, value);
      else
	tb_buffer_append (line, "?", 1);
      put_peripheral (line, from->svd, &accesses[i], known ? &value : NULL);
    }
}

static void
put_known (struct tb_buffer *line, const struct line_source *from,
	   uint64_t step)
{
  const struct tb_profile *profile = tb_recording_profile (from->recording);
  struct tb_value values[TB_NREGS_MAX];
  struct tb_vector vectors[TB_NVECTORS];
  tb_state_registers (from->state, step, values);
  put_registers (line, profile, values);
  uint32_t wide = put_sve (line, from, step);
  if (tb_state_vectors (from->state, step, vectors))
    put_vectors (line, profile, vectors, wide);
  put_memory (line, from, step);
}

static enum tb_status
list_stream (struct job *job, const struct tb_session_stream *stream, bool named,
	     put_line *put, struct tb_outfile *out)
{
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));

  struct tb_state *state = job_state (job, stream->core, stream, recording);
  enum tb_status status = state != NULL ? TB_OK : TB_ERR_MEMORY;
  const struct line_source from = { recording, state, job->session.svd };
  struct tb_buffer line = { 0 };
  struct tb_choice choice = job_choose (job, stream, recording);
  uint64_t steps = choice.end;
  if (named && (job->follow == NULL || choice.begin < choice.end))
    fprintf (tb_outfile_stream (out), "# source %s\n", stream->source->name);
  for (uint64_t at = choice.begin; at < steps && status == TB_OK;)
    {
      struct tb_step some[STEPS];
      size_t n = tb_recording_read (recording, at, some,
				    steps - at < STEPS ? steps - at : STEPS);
      progress_show (&job->progress, at, steps);
      if (n == 0)
	status = TB_ERR_MEMORY;
      for (size_t i = 0; i < n && status == TB_OK; i++, at++)
	{
	  tb_buffer_clear (&line);
	  if (put == put_changes)
	    put_events (&line, &from, at, some[i].flags);
	  tb_decimal_append (&line, at);
	  tb_buffer_append (&line, " ", 1);
	  tb_hex_append_number (&line, some[i].pc);
	  put (&line, &from, at);
	  tb_buffer_append (&line, "\n", 1);
	  status = line.failed ? TB_ERR_MEMORY
		   : tb_outfile_write (out, line.data, line.size);
	}
    }
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  progress_clear (&job->progress);
  tb_buffer_fini (&line);
  job_close_state (job, state);
  job_close_recording (job, recording);
  return status;
}

bool
job_has_steps (const struct job *job, const struct tb_session_stream *stream)
{
  return job_wants (job, stream) && stream->protocol != NULL
	 && !stream->protocol->software;
}

static enum tb_status
list_steps (struct job *job, put_line *put, struct tb_outfile *out)
{
  enum tb_status status = TB_OK;
  size_t wanted = 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    wanted += job_has_steps (job, &job->session.streams[i]);
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (!job_has_steps (job, stream))
	continue;
      status = list_stream (job, stream, wanted > 1, put, out);
    }
  return status;
}

enum tb_status
list_registers (struct job *job, struct tb_outfile *out)
{
  return list_steps (job, put_known, out);
}

enum tb_status
list_changes (struct job *job, struct tb_outfile *out)
{
  return list_steps (job, put_changes, out);
}
