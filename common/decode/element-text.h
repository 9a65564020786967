/* Elements as text: one line an element, and a summary line.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The form is that of reference listings, so that a program can compare the
   two: fields separated by a space, addresses and values in hexadecimal with
   0x, counts in decimal, "-" for what is absent.

     R ISA START END COUNT E|N KIND SUB c|- SIZE   instructions in sequence
     T REASON    trace on          Y REASON   not synchronised
     P ISA el= sec= bits= vmid= cid=          context
     X NUMBER ret=ADDRESS [brtgt]             exception
     E           exception return
     S VALUE     timestamp         C COUNT [with-previous]   cycle count
     A nacc ADDRESS | A unknown               code not accessible
     Q FIRST NEXT COUNT                       by a path that is not told
     V trigger | V num=N           event
     M init|start|commit|fail      transactional memory
     K ts VALUE  marker            L el=N VALUE   instrumentation
     W master= chan= bits= data= flags= ts=   software's data (STM); flags: m
		 marker, t trigger, f frequency, e master error, g global error
     I swit|dwt chan= bytes= data= [overflow] stimulus port, DWT (chan is the
		 discriminator)
     I gts VALUE [overflow]                   global timestamp
     I lts DELTA RELATION sum=TICKS [overflow]   local timestamp
     ! NAME      bad packet        Z REASON   end of the trace  */

#ifndef TB_DECODE_ELEMENT_TEXT_H
#define TB_DECODE_ELEMENT_TEXT_H

#include "decode/decoder.h"
#include "decode/element.h"
#include "util/buffer.h"

/* Append the line for ELEMENT, with its newline, or its lines (tb_element_lines);
   nothing for a NO_CODE that is TB_NO_CODE_SILENT.  */
void tb_element_text (struct tb_buffer *buffer,
		      const struct tb_element *element);

/* "ts-sync" ...: the word for an enum tb_itm_relation.  */
const char *tb_itm_relation_name (unsigned relation);

/* Append in words what a DWT element says ("enter exception 4"); nothing for
   other elements.  */
void tb_element_explain (struct tb_buffer *buffer,
			 const struct tb_element *element);

/* Append what the comparator told of which that is, without its number ("wrote 0x12").  */
void tb_dwt_match_text (struct tb_buffer *buffer,
			const struct tb_element *element);

/* What a summary line counts.  Start from TB_ELEMENT_SUM_START.  */
struct tb_element_sum
{
  uint64_t ranges;
  uint64_t instructions;
  uint64_t pc_hash;		/* FNV-1a 64 over the PC of each instruction. */
};

#define TB_ELEMENT_SUM_START { 0, 0, TB_FNV_START }

/* Count ELEMENT in.  FOLLOW is its decoder's block cache, from which the sizes
   of T32 instructions are read.  */
void tb_element_sum_add (struct tb_element_sum *sum,
			 const struct tb_element *element,
			 struct tb_follow *follow);

/* Append "# sum id=0xNN ranges=N insns=N fnv1a64=HEX" and a newline; the ID
   is "-" for TB_ID_NONE.  */
void tb_element_sum_text (struct tb_buffer *buffer, unsigned id,
			  const struct tb_element_sum *sum);

#endif /* TB_DECODE_ELEMENT_TEXT_H */
