/* Decoding through the library.  See observe.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 64

/* The subject.  */

static const struct tb_device no_device
  = { .name = "source", .file = "source.ini", .class_name = "", .type = "",
      .location = "", .cluster = "" };

static void
report (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  if (severity == TB_ERROR)
    fprintf (stderr, "%s\n", text);
}

void
gen_subject_init (struct gen_subject *s, const struct gen_program *program,
		  const char *type)
{
  memset (s, 0, sizeof *s);
  s->program = program;
  s->diag.report = report;
  tb_profile_find (&s->profile, program->core);
  s->map = tb_memmap_new ();
  for (size_t i = 0; i < program->nregions; i++)
    {
      struct tb_region region = {
	.address = program->regions[i].address,
	.length = program->regions[i].size, .access = TB_ACCESS_UNKNOWN,
	.halt_contents = true, .data = program->regions[i].bytes,
	.name = "code" };
      tb_memmap_add (s->map, &region, NULL);
    }
  tb_memmap_seal (s->map, NULL);
  s->core = s->source = no_device;
  s->core.regs = s->core_regs;
  s->source.type = type;
  s->source.regs = s->source_regs;
  s->config = (struct tb_decoder_config) {
    .source = &s->source, .core = &s->core, .buffer = &s->buffer,
    .profile = &s->profile, .map = s->map
  };
}

void
gen_subject_fini (struct gen_subject *s)
{
  tb_memmap_free (s->map);
}

void
gen_subject_register (struct gen_subject *s, const char *name, uint32_t id,
		      uint64_t value)
{
  s->source_regs[s->source.nregs++] = (struct tb_device_reg) {
    .name = name, .has_id = true, .id = id, .bits = 32, .value = value };
}

void
gen_subject_pc (struct gen_subject *s, uint64_t pc)
{
  s->core_regs[0] = (struct tb_device_reg) { .name = "PC", .bits = 32,
					     .value = pc };
  s->core.nregs = 1;
}

void
gen_subject_buffer (struct gen_subject *s, const uint8_t *data, size_t size,
		    enum tb_buffer_format format)
{
  s->span = (struct tb_span) { data, size };
  s->buffer = (struct tb_trace_buffer) {
    .id = "buffer0", .name = "trace", .format = format,
    .format_name = format == TB_FORMAT_CORESIGHT ? "coresight" : "source_data",
    .spans = &s->span, .nspans = size > 0, .size = size
  };
}

/* Elements to facts.  */

static enum gen_isa
isa_of (unsigned isa)
{
  return isa == TB_ISA_A64 ? GEN_A64 : isa == TB_ISA_A32 ? GEN_A32 : GEN_T32;
}

static void
add_other (struct gen_trace *t, const struct tb_element *e)
{
  gen_add_fact (t, GEN_FACT_OTHER, e->u.address)->number = e->kind;
}

static void
add_range (struct gen_trace *t, const struct gen_program *program,
	   const struct tb_element *e)
{
  uint64_t pc = e->u.range.start;
  for (uint32_t i = 0; i < e->u.range.count; i++)
    {
      const struct gen_insn *insn = gen_program_at (program, pc);
      struct gen_fact *f = gen_add_fact (t, GEN_FACT_STEP, pc);
      f->isa = isa_of (e->isa);
      if (insn == NULL || insn->isa != f->isa)
	{
	  f->flags = GEN_NO_INSN;
	  return;
	}
      pc += insn->size;
      if (i < e->u.range.count - 1)
	continue;
      if (pc != e->u.range.end)
	f->flags = GEN_NO_INSN;
      else if (e->last_kind == TB_FLOW_BRANCH
	       || e->last_kind == TB_FLOW_INDIRECT
	       || e->last_kind == TB_FLOW_ISB)
	f->flags = e->flags & TB_RANGE_EXECUTED ? GEN_TAKEN : GEN_NOT_TAKEN;
    }
}

static void
add_context (struct gen_trace *t, const struct tb_element *e)
{
  bool vmid = e->flags & TB_CONTEXT_VMID, cid = e->flags & TB_CONTEXT_CID;
  struct gen_fact *f
    = gen_add_fact (t, GEN_FACT_CONTEXT,
		    (uint64_t) (vmid ? e->u.context.vmid : 0) << 32
		    | (cid ? e->u.context.cid : 0));
  f->flags = (vmid ? GEN_HAS_VMID : 0) | (cid ? GEN_HAS_CID : 0);
  f->number = e->u.context.el | ((e->flags & TB_CONTEXT_A64) != 0) << 4
	      | (e->u.context.security == TB_NONSECURE) << 5;
}

/* The number of the exception E; of the M profile that of its vector.  */
static unsigned
number_of (const struct gen_subject *s, const struct tb_decoder *d,
	   const struct tb_element *e)
{
  return tb_exception_vector (d->protocol->exceptions, s->profile.is_m,
			      e->u.exception.number);
}

static void
add_software (struct gen_trace *t, const struct tb_element *e)
{
  static const struct { uint8_t flag, means; } flags[] = {
    { TB_SOFTWARE_ID, GEN_SOFTWARE_SENDER },
    { TB_SOFTWARE_MARKER, GEN_SOFTWARE_MARKED },
    { TB_SOFTWARE_TRIGGER, GEN_SOFTWARE_TRIGGER },
    { TB_SOFTWARE_FREQUENCY, GEN_SOFTWARE_FREQUENCY },
    { TB_SOFTWARE_MASTER_ERROR, GEN_SOFTWARE_MASTER_ERROR },
    { TB_SOFTWARE_GLOBAL_ERROR, GEN_SOFTWARE_GLOBAL_ERROR }
  };
  struct gen_fact *f = gen_add_fact (t, GEN_FACT_SOFTWARE,
				     e->u.software.data);
  f->isa = e->u.software.bits;
  f->number = (uint32_t) e->u.software.master << 16 | e->u.software.channel;
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (e->flags & flags[i].flag)
      f->flags |= flags[i].means;
  if (e->flags & TB_SOFTWARE_TIMESTAMP)
    gen_add_fact (t, GEN_FACT_TIME, e->u.software.timestamp);
}

static unsigned
dwt_meaning (unsigned dwt)
{
  static const uint8_t meanings[] = {
    [TB_DWT_RESERVED] = GEN_DWT_NOTHING, [TB_DWT_EVENTS] = GEN_DWT_EVENTS,
    [TB_DWT_EXCEPTION] = GEN_DWT_EXCEPTION, [TB_DWT_PC_SAMPLE] = GEN_DWT_PC,
    [TB_DWT_SLEEP] = GEN_DWT_SLEEP, [TB_DWT_PROHIBITED] = GEN_DWT_PROHIBITED,
    [TB_DWT_PMU_OVERFLOW] = GEN_DWT_PMU, [TB_DWT_DATA_PC] = GEN_DWT_DATA_PC,
    [TB_DWT_DATA_ADDRESS] = GEN_DWT_DATA_ADDRESS,
    [TB_DWT_DATA_MATCH] = GEN_DWT_DATA_MATCH,
    [TB_DWT_DATA_READ] = GEN_DWT_DATA_READ,
    [TB_DWT_DATA_WRITE] = GEN_DWT_DATA_WRITE
  };
  return meanings[dwt];
}

/* What an ITM sends; LOCAL is the newest local time.  Its sum begins anew where
   packets were lost.  */
static void
add_itm (struct gen_trace *t, const struct tb_element *e, uint64_t *local)
{
  struct gen_fact *f;
  uint64_t before = e->flags & TB_ITM_OVERFLOW ? 0 : *local;
  *local = before;
  switch (e->kind)
    {
    case TB_ELEMENT_ITM:
      f = gen_add_fact (t, GEN_FACT_ITM, (uint64_t) e->u.itm.bytes << 32
					 | e->u.itm.value);
      f->number = e->u.itm.channel;
      break;
    case TB_ELEMENT_DWT:
      f = gen_add_fact (t, GEN_FACT_DWT,
			(uint64_t) e->u.itm.exception << 48
			| (uint64_t) e->u.itm.bytes << 32 | e->u.itm.value);
      f->number = e->u.itm.channel | e->u.itm.comparator << 8
		  | e->u.itm.action << 16
		  | (uint32_t) dwt_meaning (e->u.itm.dwt) << 24;
      break;
    case TB_ELEMENT_ITM_LOCAL_TIME:
      f = gen_add_fact (t, GEN_FACT_LOCAL_TIME, e->u.time.value - before);
      f->number = e->u.time.delta | (uint32_t) e->u.time.relation << 28;
      *local = e->u.time.value;
      break;
    default:
      f = gen_add_fact (t, GEN_FACT_GLOBAL_TIME, e->u.time.value);
      break;
    }
  f->flags = (e->flags & TB_ITM_OVERFLOW ? GEN_AFTER_LOSS : 0)
	     | (e->flags & TB_ITM_CLOCK_CHANGED ? GEN_CLOCK_CHANGED : 0);
}

static void
add_conditional (struct gen_trace *t, const struct tb_element *e)
{
  bool result = e->kind == TB_ELEMENT_CONDITIONAL_RESULT;
  struct gen_fact *f = gen_add_fact (t, result ? GEN_FACT_RESULT : GEN_FACT_CONDITIONAL,
				     e->flags & TB_CONDITIONAL_KEY
				     ? e->u.conditional.key : UINT64_MAX);
  f->number = result ? e->u.conditional.result : e->u.conditional.count;
  f->flags = (e->flags & TB_CONDITIONAL_SHARED) != 0;
}

/* Of data trace.  The addresses that generators make are told in full.  */
static void
add_data (struct gen_trace *t, const struct tb_element *e)
{
  static const struct { uint8_t flag, means; } flags[] = {
    { TB_DATA_UNTIED, GEN_DATA_UNTIED }, { TB_DATA_PUSHED, GEN_DATA_PUSHED },
    { TB_DATA_POPPED, GEN_DATA_POPPED },
    { TB_DATA_BIG_ENDIAN, GEN_DATA_BIG_ENDIAN },
    { TB_DATA_NOT_TRACED, GEN_DATA_NOT_TRACED },
    { TB_DATA_SUPPRESSED, GEN_DATA_SUPPRESSED },
    { TB_DATA_FAILED, GEN_DATA_FAILED }, { TB_DATA_LATE, GEN_DATA_LATE }
  };
  bool address = e->kind == TB_ELEMENT_DATA_ADDRESS;
  struct gen_fact *f
    = gen_add_fact (t, address ? GEN_FACT_DATA_ADDRESS : GEN_FACT_DATA_VALUE,
		    e->u.data.value | (uint64_t) e->u.data.back << 32
		    | (uint64_t) e->u.data.part << 56);
  f->number = (uint32_t) e->u.data.pc;
  if (address && e->u.data.bits != 32)
    f->kind = GEN_FACT_OTHER;
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (e->flags & flags[i].flag)
      f->flags |= flags[i].means;
}

static void
add_element (struct gen_observation *o, const struct gen_subject *s,
	     const struct tb_decoder *d, const struct tb_element *e)
{
  struct gen_trace *t = &o->facts;
  struct gen_fact *f;
  switch (e->kind)
    {
    case TB_ELEMENT_RANGE:
      add_range (t, s->program, e);
      break;
    case TB_ELEMENT_EXCEPTION:
      f = gen_add_fact (t, GEN_FACT_EXCEPTION, e->u.exception.return_address);
      f->number = number_of (s, d, e);
      f->flags = (e->flags & TB_EXCEPTION_BRANCH_TARGET ? GEN_SAME : 0)
		 | (e->flags & TB_EXCEPTION_TAIL_CHAIN ? GEN_TAIL : 0)
		 | (e->flags & TB_EXCEPTION_HALT ? GEN_HALT : 0)
		 | (e->flags & TB_EXCEPTION_NO_RETURN ? GEN_NO_RETURN : 0);
      break;
    case TB_ELEMENT_EXCEPTION_RETURN:
      gen_add_fact (t, GEN_FACT_RETURN, e->u.ret.resume);
      break;
    case TB_ELEMENT_CONTEXT:
      add_context (t, e);
      break;
    case TB_ELEMENT_TRACE_ON:
      gen_add_fact (t, GEN_FACT_ON, 0)->number
	= e->reason == TB_REASON_BEGIN ? GEN_ON_BEGIN
	  : e->reason == TB_REASON_OVERFLOW ? GEN_ON_OVERFLOW
	  : e->reason == TB_REASON_PAUSED ? GEN_ON_PAUSED : GEN_ON_OTHER;
      break;
    case TB_ELEMENT_TIMESTAMP:
      gen_add_fact (t, GEN_FACT_TIME, e->u.value);
      break;
    case TB_ELEMENT_CYCLES:
      gen_add_fact (t, GEN_FACT_CYCLES, e->u.value)->flags
	= e->flags & TB_CYCLES_WITH_PREVIOUS ? GEN_WITH_PREVIOUS : 0;
      break;
    case TB_ELEMENT_EVENT:
      gen_add_fact (t, GEN_FACT_TRIGGER, 0)->number = e->u.value;
      break;
    case TB_ELEMENT_MARKER:
      gen_add_fact (t, GEN_FACT_MARKER, 0);
      break;
    case TB_ELEMENT_INSTRUMENTATION:
      gen_add_fact (t, GEN_FACT_INSTRUMENTATION,
		    e->u.instrumentation.value)->number
	= e->u.instrumentation.el;
      break;
    case TB_ELEMENT_TRANSACTION:
      gen_add_fact (t, GEN_FACT_TRANSACTION, 0)->number = e->u.value;
      break;
    case TB_ELEMENT_Q:
      gen_add_fact (t, GEN_FACT_Q, e->u.q.next)->number = e->u.q.count;
      break;
    case TB_ELEMENT_CONDITIONAL:
    case TB_ELEMENT_CONDITIONAL_RESULT:
      add_conditional (t, e);
      break;
    case TB_ELEMENT_CONDITIONAL_FLUSH:
      gen_add_fact (t, GEN_FACT_FLUSH, 0);
      break;
    case TB_ELEMENT_SOFTWARE:
      add_software (t, e);
      break;
    case TB_ELEMENT_ITM:
    case TB_ELEMENT_DWT:
    case TB_ELEMENT_ITM_LOCAL_TIME:
    case TB_ELEMENT_ITM_GLOBAL_TIME:
      add_itm (t, e, &o->local);
      break;
    case TB_ELEMENT_DATA_ADDRESS:
    case TB_ELEMENT_DATA_VALUE:
      add_data (t, e);
      break;
    case TB_ELEMENT_NO_SYNC:
      o->local = 0;
      break;
    case TB_ELEMENT_END:
    case TB_ELEMENT_BAD_PACKET:
      break;			/* The statistics have them.  */
    case TB_ELEMENT_NO_CODE:
      /* Before the first address there is none.  */
      if (!(e->flags & TB_NO_CODE_SILENT))
	add_other (t, e);
      break;
    default:
      add_other (t, e);
    }
}

bool
gen_observe (struct gen_observation *o, struct gen_subject *s,
	     const struct gen_reading *reading)
{
  struct tb_element elements[CAPACITY];
  struct tb_decoder *d = tb_decoder_open (&s->config, &s->diag);
  size_t limit = 64 * s->buffer.size + 64, n;
  memset (o, 0, sizeof *o);
  gen_trace_init (&o->facts);
  if (d == NULL)
    return false;
  for (;;)
    {
      if (gen_chance (reading->random, reading->checkpoints))
	{
	  /* What is read after this and thrown away leaves no trace.  */
	  void *saved = d->save (d);
	  for (unsigned i = gen_below (reading->random, 4); i > 0; i--)
	    d->read (d, elements, gen_between (reading->random, 1, CAPACITY));
	  if (gen_chance (reading->random, 30))
	    {
	      /* Another decoder goes on from there.  */
	      tb_decoder_close (d);
	      d = tb_decoder_open (&s->config, &s->diag);
	      if (d == NULL)
		return false;
	    }
	  d->restore (d, saved);
	  free (saved);
	}
      n = d->read (d, elements, gen_between (reading->random, 1, CAPACITY));
      if (n == 0)
	break;
      o->elements += n;
      for (size_t i = 0; i < n; i++)
	add_element (o, s, d, &elements[i]);
      if (o->elements > limit)
	{
	  o->endless = true;
	  break;
	}
    }
  o->stats = d->stats;
  tb_decoder_close (d);
  return true;
}
