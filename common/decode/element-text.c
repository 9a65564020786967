/* Elements as text.  See element-text.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/element-text.h"

#include <string.h>

#include "util/fnv.h"

/* The longest line: a range with two 64-bit addresses.  */
#define TEXT_MAX 128

/* Text is put together at P and lands in a line that is long enough for any
   element.  */

static char *
put (char *p, const char *text)
{
  while (*text != '\0')
    *p++ = *text++;
  return p;
}

static char *
put_hex (char *p, uint64_t value)
{
  static const char digits[] = "0123456789abcdef";
  int shift = value == 0 ? 0 : (63 - __builtin_clzll (value)) / 4 * 4;
  *p++ = '0';
  *p++ = 'x';
  for (; shift >= 0; shift -= 4)
    *p++ = digits[value >> shift & 0xf];
  return p;
}

/* All digits that a value of BITS bits can have.  */
static char *
put_hex_wide (char *p, uint64_t value, unsigned bits)
{
  static const char digits[] = "0123456789abcdef";
  p = put (p, "0x");
  for (int shift = ((int) bits + 3) / 4 * 4 - 4; shift >= 0; shift -= 4)
    *p++ = digits[value >> shift & 0xf];
  return p;
}

static char *
put_decimal (char *p, uint64_t value)
{
  char digits[20];
  int n = 0;
  do
    digits[n++] = (char) ('0' + value % 10);
  while ((value /= 10) != 0);
  while (n > 0)
    *p++ = digits[--n];
  return p;
}

static const char *
no_sync_name (enum tb_reason reason)
{
  static const char *const names[] =
  {
    [TB_REASON_NONE] = "unknown",
    [TB_REASON_INIT] = "init-decoder",
    [TB_REASON_BEGIN] = "begin",
    [TB_REASON_OVERFLOW] = "overflow",
    [TB_REASON_DEBUG] = "debug",
    [TB_REASON_DISCARD] = "discard",
    [TB_REASON_BAD_PACKET] = "bad-packet",
    [TB_REASON_BAD_IMAGE] = "bad-program-image",
    [TB_REASON_RESET] = "reset-decoder",
    [TB_REASON_PAUSED] = "paused"
  };
  return names[reason];
}

static const char *
trace_on_name (enum tb_reason reason)
{
  switch (reason)
    {
    case TB_REASON_OVERFLOW:
      return "overflow";
    case TB_REASON_DEBUG:
      return "debug-restart";
    case TB_REASON_PAUSED:
      return "paused";
    default:
      return "begin-or-filter";
    }
}

static const char *
kind_name (enum tb_flow_kind kind)
{
  static const char *const names[] =
  {
    [TB_FLOW_OTHER] = "OTHER",
    [TB_FLOW_BRANCH] = "BR",
    [TB_FLOW_INDIRECT] = "IBR",
    [TB_FLOW_ISB] = "ISB",
    [TB_FLOW_BARRIER] = "DSB",
    [TB_FLOW_WAIT] = "WFI",
    [TB_FLOW_TSTART] = "TSTART",
    [TB_FLOW_ACCESS] = "LDST",
    [TB_FLOW_UNDEFINED] = "OTHER",
    [TB_FLOW_SERVICE] = "OTHER",
    [TB_FLOW_BREAK] = "OTHER"
  };
  return names[kind];
}

/* Reference listings know exception returns of A64 only.  */
static const char *
sub_name (enum tb_flow_sub sub, enum tb_isa isa)
{
  static const char *const names[] =
  {
    [TB_SUB_NONE] = "NONE",
    [TB_SUB_LINK] = "LINK",
    [TB_SUB_RETURN] = "RET",
    [TB_SUB_ERET] = "ERET",
    [TB_SUB_V7RETURN] = "V7RET"
  };
  return sub == TB_SUB_ERET && isa != TB_ISA_A64 ? names[TB_SUB_NONE]
						  : names[sub];
}

static char *
put_range (char *p, const struct tb_element *e)
{
  bool marked = (e->flags & TB_RANGE_CONDITIONAL)
		&& !(e->flags & TB_RANGE_UNMARKED);
  p = put (p, "R ");
  p = put (p, tb_isa_name (e->isa));
  *p++ = ' ';
  p = put_hex (p, e->u.range.start);
  *p++ = ' ';
  p = put_hex (p, e->u.range.end);
  *p++ = ' ';
  p = put_decimal (p, e->u.range.count);
  p = put (p, e->flags & TB_RANGE_EXECUTED ? " E " : " N ");
  p = put (p, kind_name (e->last_kind));
  *p++ = ' ';
  p = put (p, sub_name (e->last_sub, e->isa));
  p = put (p, marked ? " c " : " - ");
  return put_decimal (p, e->last_size);
}

static char *
put_context (char *p, const struct tb_element *e)
{
  static const char *const security[] =
  {
    [TB_SECURE] = "S", [TB_NONSECURE] = "N", [TB_REALM] = "Realm",
    [TB_ROOT] = "Root"
  };
  p = put (p, "P ");
  p = put (p, tb_isa_name (e->isa));
  p = put (p, " el=");
  if (e->u.context.el == TB_EL_UNKNOWN)
    *p++ = '-';
  else
    p = put_decimal (p, e->u.context.el);
  p = put (p, " sec=");
  p = put (p, security[e->u.context.security]);
  p = put (p, e->flags & TB_CONTEXT_A64 ? " bits=64 vmid=" : " bits=32 vmid=");
  if (e->flags & TB_CONTEXT_VMID)
    p = put_hex (p, e->u.context.vmid);
  else
    *p++ = '-';
  p = put (p, " cid=");
  if (e->flags & TB_CONTEXT_CID)
    p = put_hex (p, e->u.context.cid);
  else
    *p++ = '-';
  return p;
}

static char *
put_exception (char *p, const struct tb_element *e)
{
  p = put (p, "X ");
  if (e->u.exception.number == TB_EXCEPTION_UNKNOWN)
    *p++ = '-';
  else
    p = put_decimal (p, e->u.exception.number);
  p = put (p, " ret=");
  if (e->flags & (TB_EXCEPTION_TAIL_CHAIN | TB_EXCEPTION_NO_RETURN))
    *p++ = '-';
  else
    p = put_hex (p, e->u.exception.return_address);
  if (e->flags & TB_EXCEPTION_BRANCH_TARGET)
    p = put (p, " brtgt");
  return p;
}

static char *
put_software (char *p, const struct tb_element *e)
{
  static const struct { uint8_t flag; char letter; } letters[] =
  {
    { TB_SOFTWARE_MARKER, 'm' }, { TB_SOFTWARE_TRIGGER, 't' },
    { TB_SOFTWARE_FREQUENCY, 'f' }, { TB_SOFTWARE_MASTER_ERROR, 'e' },
    { TB_SOFTWARE_GLOBAL_ERROR, 'g' }
  };
  p = put (p, "W master=");
  if (e->flags & TB_SOFTWARE_ID)
    {
      p = put_hex (p, e->u.software.master);
      p = put_hex (put (p, " chan="), e->u.software.channel);
    }
  else
    p = put (p, "- chan=-");
  p = put_decimal (put (p, " bits="), e->u.software.bits);
  p = put (p, " data=");
  if (e->u.software.bits > 0)
    p = put_hex_wide (p, e->u.software.data, e->u.software.bits);
  else
    *p++ = '-';
  p = put (p, " flags=");
  char *flags = p;
  for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
    if (e->flags & letters[i].flag)
      *p++ = letters[i].letter;
  if (p == flags)
    *p++ = '-';
  p = put (p, " ts=");
  if (e->flags & TB_SOFTWARE_TIMESTAMP)
    return put_hex (p, e->u.software.timestamp);
  return put (p, "-");
}

const char *
tb_itm_relation_name (unsigned relation)
{
  static const char *const relations[] =
    { "ts-sync", "ts-delay", "packet-delay", "ts-and-packet-delay" };
  return relations[relation & 3];
}

static char *
put_itm (char *p, const struct tb_element *e)
{
  switch (e->kind)
    {
    case TB_ELEMENT_ITM_GLOBAL_TIME:
      p = put_hex (put (p, "I gts "), e->u.time.value);
      break;
    case TB_ELEMENT_ITM_LOCAL_TIME:
      p = put_decimal (put (p, "I lts "), e->u.time.delta);
      *p++ = ' ';
      p = put (p, tb_itm_relation_name (e->u.time.relation));
      p = put_decimal (put (p, " sum="), e->u.time.value);
      break;
    default:
      p = put (p, e->kind == TB_ELEMENT_DWT ? "I dwt" : "I swit");
      p = put_hex (put (p, " chan="), e->u.itm.channel);
      p = put_decimal (put (p, " bytes="), e->u.itm.bytes);
      p = put_hex_wide (put (p, " data="), e->u.itm.value,
			8 * e->u.itm.bytes);
      break;
    }
  return e->flags & TB_ITM_OVERFLOW ? put (p, " overflow") : p;
}

static char *
put_data (char *p, const struct tb_element *e)
{
  static const struct { uint8_t flag; char letter; } letters[] =
  {
    { TB_DATA_PUSHED, 'e' }, { TB_DATA_POPPED, 'r' },
    { TB_DATA_BIG_ENDIAN, 'b' }, { TB_DATA_FAILED, 'f' },
    { TB_DATA_LATE, 'l' }, { TB_DATA_SUPPRESSED, 's' }
  };
  bool address = e->kind == TB_ELEMENT_DATA_ADDRESS;
  bool exception = e->flags & (TB_DATA_PUSHED | TB_DATA_POPPED);
  p = put (p, address ? "D addr=" : "D val=");
  if (e->flags & (TB_DATA_NOT_TRACED | TB_DATA_SUPPRESSED))
    *p++ = '-';
  else
    p = put_hex (p, e->u.data.value);
  if (address)
    p = put_decimal (put (p, " bits="), e->u.data.bits);
  p = put (p, " pc=");
  if (e->flags & TB_DATA_UNTIED || exception)
    *p++ = '-';
  else
    p = put_hex (p, e->u.data.pc);
  p = put (p, " back=");
  if (e->flags & TB_DATA_UNTIED)
    *p++ = '-';
  else
    p = put_decimal (p, e->u.data.back);
  p = put_decimal (put (p, " part="), e->u.data.part);
  p = put (p, " flags=");
  char *flags = p;
  for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
    if (e->flags & letters[i].flag)
      *p++ = letters[i].letter;
  if (p == flags)
    *p++ = '-';
  return p;
}

static char *
put_conditional (char *p, const struct tb_element *e)
{
  unsigned result = e->u.conditional.result;
  bool instructions = e->kind == TB_ELEMENT_CONDITIONAL;
  p = put (p, instructions ? "N inst key=" : "N result key=");
  if (e->flags & TB_CONDITIONAL_KEY)
    p = put_decimal (p, e->u.conditional.key);
  else
    *p++ = '-';
  if (instructions)
    {
      p = put (p, " count=");
      if (e->u.conditional.count > 0)
	p = put_decimal (p, e->u.conditional.count);
      else
	*p++ = '-';
      return e->flags & TB_CONDITIONAL_SHARED ? put (p, " shared") : p;
    }
  if (result < TB_CONDITION_FLAGS)
    return put (p, result == TB_CONDITION_FAILED ? " failed"
		   : result == TB_CONDITION_PASSED ? " passed" : " unknown");
  p = put (p, " flags=");
  for (unsigned i = 0; i < 4; i++)
    *p++ = (result >> (3 - i) & 1 ? "NZCV" : "nzcv")[i];
  return p;
}

static char *
put_element (char *p, const struct tb_element *e)
{
  static const char *const transactions[] =
    { "init", "start", "commit", "fail" };
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_RANGE:
      return put_range (p, e);
    case TB_ELEMENT_NO_SYNC:
      return put (put (p, "Y "), no_sync_name (e->reason));
    case TB_ELEMENT_TRACE_ON:
      return put (put (p, "T "), trace_on_name (e->reason));
    case TB_ELEMENT_CONTEXT:
      return put_context (p, e);
    case TB_ELEMENT_NO_CODE:
      if (e->flags & TB_NO_CODE_UNKNOWN)
	return put (p, "A unknown");
      return put_hex (put (p, "A nacc "), e->u.address);
    case TB_ELEMENT_EXCEPTION:
      return put_exception (p, e);
    case TB_ELEMENT_EXCEPTION_RETURN:
      return put (p, "E");
    case TB_ELEMENT_TIMESTAMP:
      return put_hex (put (p, "S "), e->u.value);
    case TB_ELEMENT_CYCLES:
      p = put_decimal (put (p, "C "), e->u.value);
      return e->flags & TB_CYCLES_WITH_PREVIOUS ? put (p, " with-previous")
						: p;
    case TB_ELEMENT_EVENT:
      if (e->flags & TB_EVENT_TRIGGER)
	return put (p, "V trigger");
      return put_decimal (put (p, "V num="), e->u.value);
    case TB_ELEMENT_Q:
      p = put_hex (put (p, "Q "), e->u.q.first);
      *p++ = ' ';
      p = put_hex (p, e->u.q.next);
      *p++ = ' ';
      return put_decimal (p, e->u.q.count);
    case TB_ELEMENT_TRANSACTION:
      return put (put (p, "M "), transactions[e->u.value & 3]);
    case TB_ELEMENT_MARKER:
      return put_hex (put (p, "K ts "), e->u.value);
    case TB_ELEMENT_INSTRUMENTATION:
      p = put_decimal (put (p, "L el="), e->u.instrumentation.el);
      return put_hex_wide (put (p, " "), e->u.instrumentation.value, 64);
    case TB_ELEMENT_SOFTWARE:
      return put_software (p, e);
    case TB_ELEMENT_ITM:
    case TB_ELEMENT_DWT:
    case TB_ELEMENT_ITM_LOCAL_TIME:
    case TB_ELEMENT_ITM_GLOBAL_TIME:
      return put_itm (p, e);
    case TB_ELEMENT_DATA_ADDRESS:
    case TB_ELEMENT_DATA_VALUE:
      return put_data (p, e);
    case TB_ELEMENT_CONDITIONAL:
    case TB_ELEMENT_CONDITIONAL_RESULT:
      return put_conditional (p, e);
    case TB_ELEMENT_CONDITIONAL_FLUSH:
      return put (p, "N flush");
    case TB_ELEMENT_BAD_PACKET:
      /* The name that reference listings give to it.  */
      return put (p, "! OCSD_ERR_BAD_DECODE_PKT");
    case TB_ELEMENT_END:
      return put (put (p, "Z "), e->reason == TB_REASON_OVERFLOW
				 ? "overflow" : "end-of-trace");
    }
  return p;
}

void
tb_element_text (struct tb_buffer *buffer, const struct tb_element *element)
{
  for (uint32_t n = 0; n < tb_element_lines (element); n++)
    {
      struct tb_element one;
      tb_element_line (&one, element, n);
      char *line = (char *) tb_buffer_extend (buffer, TEXT_MAX);
      if (line == NULL)
	return;
      char *end = put_element (line, &one);
      *end++ = '\n';
      buffer->size -= TEXT_MAX - (size_t) (end - line);
    }
}

void
tb_element_sum_add (struct tb_element_sum *sum,
		    const struct tb_element *element,
		    struct tb_follow *follow)
{
  if (element->kind != TB_ELEMENT_RANGE)
    return;
  uint64_t hash = sum->pc_hash, pc = element->u.range.start;
  bool fixed = element->isa == TB_ISA_A64 || element->isa == TB_ISA_A32;
  for (uint32_t i = 0; i < element->u.range.count; i++)
    {
      uint32_t opcode;
      hash = tb_fnv_u64 (hash, pc);
      pc += fixed ? 4 : tb_follow_opcode (follow, element->space,
					  element->isa, pc, &opcode);
    }
  sum->ranges += tb_element_lines (element);
  sum->instructions += element->u.range.count;
  sum->pc_hash = hash;
}

void
tb_element_sum_text (struct tb_buffer *buffer, unsigned id,
		     const struct tb_element_sum *sum)
{
  tb_buffer_printf (buffer, "# sum id=");
  if (id == TB_ID_NONE)
    tb_buffer_printf (buffer, "-");
  else
    tb_buffer_printf (buffer, "0x%02x", id);
  tb_buffer_printf (buffer, " ranges=%llu insns=%llu fnv1a64=%016llx\n",
		    (unsigned long long) sum->ranges,
		    (unsigned long long) sum->instructions,
		    (unsigned long long) sum->pc_hash);
}
