/* GDB trace files: what their frames say, as facts.  See trace-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What a frame has was there before the instruction at its PC ran.  Nothing is concluded
   from one frame to another: what ran in between, on this core or another one, is not in
   the file.  */

#include "config.h"
#include "recording/trace-file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arm/machine/tdesc.h"
#include "recording/facts-build.h"
#include "util/number.h"

/* Bits of CPSR and SPSR, where PSTATE is in AArch64 (DDI 0487, C5.2.19): T32; Jazelle,
   with T T32EE; AArch32.  */
#define PSR_T UINT32_C (0x20)
#define PSR_J UINT32_C (0x1000000)
#define PSR_A32 UINT32_C (0x10)

struct making
{
  struct tb_trace_file *file;
  struct tb_facts_builder *builder;
  const struct tb_tdesc *tdesc;
  struct tb_profile profile;
  uint64_t step;
  size_t unmarked;		/* Frames that mark assumed registers, of a file that cannot
				   mark memory.  */
};

/* GDB's layout where no description is (gdb/arm-tdep.c): sixteen registers and the status
   register, or with those of the FPA, eight of 12 bytes and FPS, before that one.  */
enum { BARE_CORE = 68, BARE_FPA = 168 };

/* The names that facts have for FP and vector registers of 32 bits, number LANE of them;
   false: there is none.  */
static bool
vector_lane (const struct making *m, const struct tb_tdesc_reg *reg, unsigned word,
	     char name[16], unsigned *lane)
{
  if (reg->reg == TB_FPSCR || reg->reg == TB_FPSR)
    {
      snprintf (name, 16, "%s", reg->reg == TB_FPSR ? "fpsr"
		: m->profile.has_a64 ? "fpcr" : "fpscr");
      *lane = 0;
      return word == 0;
    }
  unsigned at = (m->profile.has_a64 ? 4u : 2u) * reg->reg + reg->part / 4u + word;
  snprintf (name, 16, "v%u", at / 4);
  *lane = at % 4;
  return at < 4 * 32;
}

static void
put_lane (struct making *m, const char *name, unsigned lane, uint32_t value, uint32_t mask,
	  bool assumed)
{
  size_t reg = tb_facts_build_register (m->builder, name, strlen (name), lane + 1);
  if (reg == SIZE_MAX)
    return;
  tb_facts_build_value (m->builder, reg, lane, m->step, value, mask);
  if (assumed)
    tb_facts_build_assumed_value (m->builder, reg, lane, m->step);
}

/* Register REG has the bytes DATA, under an assumption if ASSUMED.  */
static void
put_register (struct making *m, const struct tb_tdesc_reg *reg, const uint8_t *data,
	      bool assumed)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (&m->profile, &count);
  for (unsigned word = 0; 4 * word < reg->size; word++)
    {
      unsigned left = reg->size - 4 * word, lane = word;
      uint32_t value = (uint32_t) tb_number (data + 4 * word, left < 4 ? left : 4);
      uint32_t mask = left >= 4 ? UINT32_MAX : (UINT32_C (1) << 8 * left) - 1;
      char text[16];
      const char *name = text;
      if (reg->kind == TB_TDESC_CORE && reg->reg < count)
	{
	  bool psr = reg->reg == (m->profile.has_a64 ? (unsigned) TB_PSTATE : TB_PSR);
	  name = psr ? "psr" : regs[reg->reg].name;
	  if (word >= regs[reg->reg].bits / 32u)
	    return;
	}
      else if (reg->kind != TB_TDESC_VECTOR || reg->size < 4
	       || !vector_lane (m, reg, word, text, &lane))
	return;
      put_lane (m, name, lane, value, mask, assumed);
    }
}

/* The value of variable NUMBER in FRAME; 0: it has none.  */
static uint64_t
variable_of (const struct making *m, const struct tb_trace_file_frame *frame, int64_t number)
{
  struct tb_trace_file_block b;
  uint64_t value = 0;
  for (uint32_t at = 0; number >= 0 && tb_trace_file_block (m->file, frame, &at, &b);)
    if (b.kind == 'V' && b.number == number)
      value = tb_number_64 (b.data);
  return value;
}

/* A frame's block of registers; DATA is NULL where it has none.  */
struct registers
{
  const uint8_t *data;
  uint64_t unknown, assumed;	/* A bit for each register that has no value, and for each
				   whose value rests on an assumption.  */
};

/* The first block of registers that FRAME has, which is the one that GDB shows.  */
static struct registers
registers_of (const struct making *m, const struct tb_trace_file_frame *frame)
{
  struct registers r = { .data = NULL };
  struct tb_trace_file_block b;
  for (uint32_t at = 0; r.data == NULL && tb_trace_file_block (m->file, frame, &at, &b);)
    if (b.kind == 'R')
      r.data = b.data;
  r.unknown = variable_of (m, frame, m->file->unknown);
  r.assumed = r.data != NULL ? variable_of (m, frame, m->file->assumed) : 0;
  return r;
}

/* Is the bit of register number I of the description in SET?  */
static bool
has_bit (uint64_t set, unsigned i)
{
  return set >> (i < 63 ? i : 63) & 1;
}

/* What register number I of the description is in R; NULL: it has no value.  */
static const uint8_t *
register_data (const struct making *m, const struct registers *r, unsigned i)
{
  const struct tb_tdesc_reg *reg = &m->tdesc->regs[i];
  return r->data == NULL || (uint64_t) reg->offset + reg->size > m->file->register_bytes
	 || has_bit (r->unknown, i) ? NULL : r->data + reg->offset;
}

/* Core register number NUMBER in R.  False: it is not known.  */
static bool
core_register (const struct making *m, const struct registers *r, unsigned number,
	       uint64_t *value)
{
  for (unsigned i = 0; i < m->tdesc->nregs; i++)
    {
      const struct tb_tdesc_reg *reg = &m->tdesc->regs[i];
      const uint8_t *data = reg->kind == TB_TDESC_CORE && reg->reg == number
			    ? register_data (m, r, i) : NULL;
      if (data == NULL)
	continue;
      *value = tb_number (data, reg->size);
      return true;
    }
  return false;
}

/* What R tells of all registers but the PC.  */
static void
put_registers (struct making *m, const struct registers *r)
{
  unsigned pc = m->profile.has_a64 ? (unsigned) TB_PC64 : TB_PC;
  for (unsigned i = 0; i < m->tdesc->nregs; i++)
    {
      const struct tb_tdesc_reg *reg = &m->tdesc->regs[i];
      const uint8_t *data = register_data (m, r, i);
      if (data != NULL && (reg->kind != TB_TDESC_CORE || reg->reg != pc))
	put_register (m, reg, data, has_bit (r->assumed, i));
    }
}

static enum tb_isa
isa_of (const struct making *m, uint32_t psr, bool known)
{
  if (m->profile.is_m)
    return TB_ISA_T32;
  if (!known)
    return m->profile.has_a64 ? TB_ISA_A64 : TB_ISA_UNKNOWN;
  if (m->profile.has_a64 && !(psr & PSR_A32))
    return TB_ISA_A64;
  return !(psr & PSR_T) ? TB_ISA_A32 : psr & PSR_J ? TB_ISA_T32EE : TB_ISA_T32;
}

/* The memory that FRAME has.  Of blocks that tell of one byte GDB shows the first; what is
   told last counts here.  *ASSUMED: some is, that behind the variable which says so.  */
static bool
put_memory (struct making *m, const struct tb_trace_file_frame *frame, bool *assumed)
{
  struct tb_trace_file_block b;
  struct tb_column starts = { 0 };
  uint32_t mark = UINT32_MAX;
  bool ok = true;
  for (uint32_t at = 0, from = 0; tb_trace_file_block (m->file, frame, &at, &b); from = at)
    if (b.kind == 'M' && b.length > 0)
      ok &= tb_column_u32 (&starts, from);
    else if (b.kind == 'V' && b.number == m->file->assumed_memory && from < mark)
      mark = from;
  const uint32_t *first = (const uint32_t *) starts.data;
  for (size_t i = starts.size / sizeof *first; i > 0 && ok; i--)
    {
      uint32_t at = first[i - 1];
      tb_trace_file_block (m->file, frame, &at, &b);
      /* What goes on behind the last address is none.  */
      uint64_t room = UINT64_MAX - b.address;
      uint32_t length = b.length - 1 < room ? b.length : (uint32_t) room + 1;
      tb_facts_build_memory (m->builder, m->step, b.address, b.data, length);
      if (first[i - 1] > mark)
	{
	  *assumed = true;
	  tb_facts_build_assumed_memory (m->builder, m->step, b.address, length);
	}
    }
  tb_column_fini (&starts);
  return ok;
}

/* Make a step of FRAME.  False: it has none, as it is not known where that is; then nothing
   is told of it, or the next frame would have what this one has.  */
static bool
add_frame (struct making *m, const struct tb_trace_file_frame *frame)
{
  struct registers r = registers_of (m, frame);
  uint64_t pc = 0, psr = 0;
  if (!core_register (m, &r, m->profile.has_a64 ? (unsigned) TB_PC64 : TB_PC, &pc)
      && !tb_trace_file_location (m->file, frame->tracepoint, &pc))
    return false;
  bool psr_known = core_register (m, &r, m->profile.has_a64 ? (unsigned) TB_PSTATE : TB_PSR,
				  &psr);
  const struct tb_event gap = { .step = m->step, .index = frame->at, .kind = TB_EVENT_GAP,
				.reason = TB_REASON_PAUSED };
  if (m->step > 0)
    {
      tb_facts_build_event (m->builder, &gap);
      tb_facts_build_forget (m->builder, m->step);
    }
  bool assumed = r.assumed != 0;
  m->unmarked += assumed && m->file->assumed_memory < 0;
  put_registers (m, &r);
  if (!put_memory (m, frame, &assumed))
    tb_facts_build_fail (m->builder);
  m->file->nassumed += assumed;
  enum tb_isa isa = isa_of (m, (uint32_t) psr, psr_known);
  const struct tb_facts_code code = {
    .pc = isa == TB_ISA_A64 ? pc : pc & ~UINT64_C (1), .isa = (uint8_t) isa
  };
  tb_facts_build_step (m->builder, &code, false, 0);
  /* What it did the next frame may have been told of long after.  */
  tb_facts_build_anywhere (m->builder, m->step);
  m->step++;
  return true;
}

static void
add_frames (struct making *m, struct tb_diag *diag)
{
  struct tb_trace_file *f = m->file;
  size_t kept = 0, none = 0;
  uint64_t first = 0;
  for (size_t i = 0; i < f->nframes && !tb_facts_build_failed (m->builder); i++)
    {
      if (add_frame (m, &f->frames[i]))
	f->frames[kept++] = f->frames[i];
      else if (none++ == 0)
	first = i;
    }
  /* Behind the last frame nothing is known.  */
  if (m->step > 0)
    tb_facts_build_forget (m->builder, m->step);
  size_t all = f->nframes;
  f->nframes = kept;
  if (none != 0)
    tb_warning (diag, "%s: where the program was is not known of %zu of %zu frames, first of "
		"number %" PRIu64 "; they are left out: they have no PC, and their tracepoint "
		"has steps behind it, or not one place", f->path, none, all, first);
  if (m->unmarked != 0)
    tb_warning (diag, "%s: registers of %zu of %zu frames rest on assumptions, as "
		"$assumed_registers says there.  The file has no $assumed_memory: memory that "
		"rests on assumptions is not marked in it, and counts", f->path, m->unmarked,
		kept);
}

/* The registers of FILE, for cores of PROFILE; NULL after a diagnostic.  */
static struct tb_tdesc *
describe (const struct tb_trace_file *f, const struct tb_profile *profile,
	  struct tb_diag *diag)
{
  struct tb_buffer origin = { 0 }, text = { 0 };
  struct tb_tdesc *tdesc = NULL;
  tb_buffer_printf (&origin, "%s, tdesc", f->path);
  tb_buffer_append (&origin, "", 1);
  if (f->tdesc.size == 0 && (profile->has_a64 || (f->register_bytes != BARE_CORE
						   && f->register_bytes != BARE_FPA)))
    {
      tb_error (diag, "%s: expected a target description (lines tdesc) that says which "
		"registers the %u bytes of each frame are, found none; without one blocks of "
		"%d and %d bytes are known, of AArch32", f->path, f->register_bytes,
		BARE_CORE, BARE_FPA);
      tb_buffer_fini (&origin);
      return NULL;
    }
  if (f->tdesc.size == 0)
    {
      tb_buffer_printf (&text, "<target><feature name=\"org.gnu.gdb.arm.%s\">",
			profile->is_m ? "m-profile" : "core");
      for (unsigned i = 0; i < 13; i++)
	tb_buffer_printf (&text, "<reg name=\"r%u\" bitsize=\"32\"/>", i);
      tb_buffer_printf (&text, "<reg name=\"sp\" bitsize=\"32\"/><reg name=\"lr\" "
			"bitsize=\"32\"/><reg name=\"pc\" bitsize=\"32\"/>");
      for (unsigned i = 0; i < 8 && f->register_bytes == BARE_FPA; i++)
	tb_buffer_printf (&text, "<reg name=\"f%u\" bitsize=\"96\" type=\"arm_fpa_ext\"/>", i);
      if (f->register_bytes == BARE_FPA)
	tb_buffer_printf (&text, "<reg name=\"fps\" bitsize=\"32\"/>");
      tb_buffer_printf (&text, "<reg name=\"%s\" bitsize=\"32\"/></feature></target>",
			profile->is_m ? "xpsr" : "cpsr");
    }
  else
    tb_buffer_append (&text, f->tdesc.data, f->tdesc.size);
  if (origin.failed || text.failed)
    tb_error (diag, "%s: no memory", f->path);
  else
    tdesc = tb_tdesc_parse ((const char *) text.data, text.size,
			    (const char *) origin.data, profile, diag);
  tb_buffer_fini (&origin);
  tb_buffer_fini (&text);
  return tdesc;
}

struct tb_columns *
tb_trace_file_facts (struct tb_trace_file *f, const char *name, const char *type,
		     struct tb_diag *diag)
{
  struct making m = { .file = f };
  tb_profile_find (&m.profile, type);
  struct tb_tdesc *tdesc = describe (f, &m.profile, diag);
  if (tdesc == NULL)
    return NULL;
  m.tdesc = tdesc;
  m.builder = tb_facts_build_new (name, strlen (name));
  struct tb_columns *facts = NULL;
  if (m.builder != NULL)
    {
      tb_facts_build_literal (m.builder);
      add_frames (&m, diag);
      facts = tb_facts_build_finish (m.builder);
    }
  tb_tdesc_free (tdesc);
  char *copy = facts != NULL ? strdup (type) : NULL;
  if (copy == NULL)
    {
      tb_error (diag, "%s: no memory", f->path);
      tb_facts_free (facts);
      return NULL;
    }
  facts->type = copy;
  facts->is_m = m.profile.is_m;
  facts->has_a64 = m.profile.has_a64;
  facts->own = facts->frames = true;
  return facts;
}

const char *
tb_trace_file_core_type (const struct tb_trace_file *f)
{
  static const struct { const char *word, *type; } words[] = {
    { "org.gnu.gdb.aarch64.core", "ARMv8-A" },
    { ">armv6-m<", "ARMv6-M" }, { ">armv6s-m<", "ARMv6-M" },
    { ">armv8.1-m.main<", "ARMv8.1-M" }, { ">armv8-m.main<", "ARMv8-M.main" },
    { ">armv8-m.base<", "ARMv8-M.base" }, { ">armv7e-m<", "ARMv7E-M" },
    { "org.gnu.gdb.arm.m-profile", "ARMv7-M" }, { "org.gnu.gdb.arm.m-system", "ARMv7-M" },
    { "org.gnu.gdb.arm.core", "ARMv7-A" }
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0] && f->tdesc.size > 0; i++)
    if (memmem (f->tdesc.data, f->tdesc.size, words[i].word, strlen (words[i].word)) != NULL)
      return words[i].type;
  return NULL;
}
