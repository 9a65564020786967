/* Decoding bytes of an ITM or STM in unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SW_RUN_H
#define TB_UNIT_SW_RUN_H

#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element-text.h"

/* A source, its one register and a buffer with nothing but its bytes.  */
struct sw_source
{
  struct tb_device device;
  struct tb_device_reg control;
  struct tb_span span;
  struct tb_trace_buffer buffer;
};

static inline struct tb_decoder *
sw_open (struct sw_source *source, const char *type, uint64_t control,
	 const uint8_t *bytes, size_t length)
{
  *source = (struct sw_source) {
    .device = { .name = "source", .file = "source.ini", .class_name = "",
		.type = type, .location = "", .cluster = "", .nregs = 1 },
    .control = { .name = type[0] == 'I' ? "ITMTCR" : "STMTCSR", .bits = 32,
		 .value = control },
    .span = { bytes, length },
    .buffer = { .id = "b", .name = "b", .format = TB_FORMAT_SOURCE_DATA,
		.format_name = "source_data", .nspans = length > 0,
		.size = length },
  };
  source->device.regs = &source->control;
  source->buffer.spans = &source->span;
  struct tb_decoder_config config = { .source = &source->device,
				      .buffer = &source->buffer };
  return tb_decoder_open (&config, NULL);
}

/* What the decoder delivers, read CAPACITY elements at a time, as text; with
   SAVES it is closed between two reads and another one goes on from what it
   saved.  STATS may be NULL.  Free with free ().  */
static inline char *
sw_text (const char *type, uint64_t control, const uint8_t *bytes,
	 size_t length, size_t capacity, bool saves,
	 struct tb_decoder_stats *stats)
{
  struct sw_source source;
  struct tb_decoder *d = sw_open (&source, type, control, bytes, length);
  struct tb_buffer text = { 0 };
  struct tb_element *elements = malloc (capacity * sizeof *elements);
  size_t n;
  if (d == NULL || elements == NULL)
    abort ();
  while ((n = d->read (d, elements, capacity)) > 0)
    {
      for (size_t i = 0; i < n; i++)
	tb_element_text (&text, &elements[i]);
      if (saves)
	{
	  void *saved = d->save (d);
	  tb_decoder_close (d);
	  d = sw_open (&source, type, control, bytes, length);
	  if (d == NULL || saved == NULL)
	    abort ();
	  d->restore (d, saved);
	  free (saved);
	}
    }
  if (stats != NULL)
    *stats = d->stats;
  tb_decoder_close (d);
  free (elements);
  tb_buffer_append (&text, "", 1);
  if (text.failed)
    abort ();
  return (char *) text.data;
}

/* Check that BYTES decode to the lines TEXT, however they are read.  */
static inline void
sw_check (const char *type, uint64_t control, const uint8_t *bytes,
	  size_t length, const char *text)
{
  static const size_t capacities[] = { 1, 2, 3, 7, 512 };
  for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++)
    {
      char *got = sw_text (type, control, bytes, length, capacities[i],
			   i % 2 == 0, NULL);
      CHECK_STR (got, text);
      free (got);
    }
}

/* Bytes that one frame has for its ID, and a frame's.  */
enum { SW_FRAME_DATA = 14, SW_FRAME = 16 };

/* Check that two frames of trace ID 0x20 with FIRST and SECOND, and between them
   a break (four full synchronisation packets), decode to TEXT.  CONTROL is the
   value that gives the source that ID.  */
static inline void
sw_check_break (const char *type, uint64_t control,
		const uint8_t first[SW_FRAME_DATA],
		const uint8_t second[SW_FRAME_DATA], const char *text)
{
  static const uint8_t sync[4] = { 0xff, 0xff, 0xff, 0x7f };
  uint8_t bytes[2 * SW_FRAME + 4 * sizeof sync] = { 0 };
  for (unsigned i = 0; i < 4; i++)
    memcpy (bytes + SW_FRAME + i * sizeof sync, sync, sizeof sync);
  for (unsigned f = 0; f < 2; f++)
    {
      uint8_t *frame = bytes + f * (SW_FRAME + 4 * sizeof sync);
      frame[0] = 0x20 << 1 | 1;
      memcpy (frame + 1, f == 0 ? first : second, SW_FRAME_DATA);
      for (unsigned i = 2; i < SW_FRAME - 1; i += 2)
	{
	  frame[15] |= (uint8_t) ((frame[i] & 1) << i / 2);
	  frame[i] &= 0xfe;
	}
    }
  struct sw_source source;
  struct tb_decoder *d = sw_open (&source, type, control, bytes,
				  sizeof bytes);
  tb_decoder_close (d);
  source.buffer.format = TB_FORMAT_CORESIGHT;
  struct tb_decoder_config config = { .source = &source.device,
				      .buffer = &source.buffer };
  d = tb_decoder_open (&config, NULL);
  struct tb_buffer got = { 0 };
  struct tb_element e;
  while (d != NULL && d->read (d, &e, 1) == 1)
    tb_element_text (&got, &e);
  tb_buffer_append (&got, "", 1);
  CHECK_STR ((const char *) got.data, text);
  tb_buffer_fini (&got);
  tb_decoder_close (d);
}

#endif /* TB_UNIT_SW_RUN_H */
