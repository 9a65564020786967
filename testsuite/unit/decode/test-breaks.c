/* Tests of breaks in a buffer, which separate traces of different times: each
   protocol's decoder starts over there.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element-text.h"
#include "snapshot/memmap.h"

enum { ID = 0x10, MOST = 1024, FRAME = 16, BREAK = 16 };

/* One trace, as it may be cut out of a longer one: it ends within a packet and
   begins after something that must not matter.  What it says of time, context and
   addresses would be something else if the trace before it counted.  */
static const struct unit
{
  const char *type, *core;
  struct { const char *name; uint32_t id, value; } regs[6];
  const char *trace;		/* Hexadecimal.  */
  const char *first;		/* How its elements begin.  */
} units[] =
{
  { "ETM4.2", "Cortex-A57",
    { { "TRCTRACEIDR", 0x010, ID }, { "TRCCONFIGR", 0x004, 0x801 },
      { "TRCIDR0", 0x078, 0x28000ea1 }, { "TRCIDR1", 0x079, 0x4100f423 },
      { "TRCIDR2", 0x07a, 0x20001088 } },
    "f7 f7 0000000000000000000000 80 01 01 00 04 0281 00 "
    "85 00040000000000 00 30 f7 f9 02 ffffffffff7f 04 9a 04",
    "Y init-decoder\nT begin-or-filter\nS 0x1\n" },
  { "ETM3.5", "Cortex-M3",
    { { "ETMCR", 0x000, 0x10000400 }, { "ETMIDR", 0x079, 0x4114f250 },
      { "ETMCCER", 0x07a, 0x18541800 }, { "ETMTRACEIDR", 0x080, ID } },
    "84 84 0000000000 80 08 21 01020000 42 05 84 8c 42 ffffffffffff3f 84 42 ff",
    "Y init-decoder\nT begin-or-filter\nP " },
  { "PTM1.1", "Cortex-A15",
    { { "ETMCR", 0x000, 0x20000000 }, { "ETMIDR", 0x079, 0x411cf312 },
      { "ETMCCER", 0x07a, 0x34c01ac2 }, { "ETMTRACEIDR", 0x080, ID } },
    "84 84 0000000000 80 08 00010000 21 42 05 00 84 86 42 ffffffffffff3f 00 42 ff",
    "Y init-decoder\nT begin-or-filter\n" },
  { "ITM", "Cortex-M4", { { "ITMTCR", 0xe80, ID << 16 } },
    "01 000000000080 01 41 94 ff7f 02 4242 94 01 03",
    "Y init-decoder\nI swit chan=0x0 " },
  { "STM", "Cortex-M4", { { "STMTCSR", 0x3a0, ID << 16 } },
    "12 34 ff ff ff ff ff ff ff ff ff ff 0f 0f 30 11 12 34 44 15 26 8f 7f ff",
    "Y init-decoder\n" }
};

static size_t
from_hex (const char *hex, uint8_t *bytes)
{
  size_t n = 0, digits = 0;
  for (; *hex != '\0'; hex++)
    {
      static const char all[] = "0123456789abcdef";
      const char *digit = strchr (all, *hex);
      if (*hex == ' ')
	continue;
      if (!CHECK (digit != NULL && n < MOST))
	break;
      bytes[n] = (uint8_t) (bytes[n] << 4 | (digit - all));
      n += digits++ % 2;
    }
  return n;
}

/* Frames with the COUNT bytes at BYTES behind SIZE bytes at FRAMES; the new size.
   The first byte of each names the ID; the rest is padding.  */
static size_t
put_frames (uint8_t *frames, size_t size, const uint8_t *bytes, size_t count)
{
  for (size_t i = 0; i < count; size += FRAME)
    {
      uint8_t *frame = frames + size;
      memset (frame, 0, FRAME);
      frame[0] = ID << 1 | 1;
      frame[1] = bytes[i++];
      for (unsigned j = 2; j < 15; j += 2)
	{
	  size_t left = count - i;
	  /* For the last byte: padding begins after it.  */
	  if (left == 1 && j < 14)
	    frame[15] |= 1 << (j / 2);
	  if (left == 0 || (left == 1 && j < 14))
	    frame[j] = 0 << 1 | 1;
	  else
	    {
	      frame[15] |= (bytes[i] & 1) << (j / 2);
	      frame[j] = bytes[i++] & 0xfe;
	    }
	  if (left > 0 && j < 14)
	    frame[j + 1] = bytes[i++];
	}
    }
  return size;
}

static size_t
put_break (uint8_t *frames, size_t size)
{
  for (unsigned i = 0; i < BREAK; i += 4)
    memcpy (frames + size + i, "\xff\xff\xff\x7f", 4);
  return size + BREAK;
}

/* What UNIT's decoder makes of FRAMES, as text; free with free ().  With SAVES it
   is saved before each element, and another one goes on.  *END gets the byte index
   of the last element; it may be NULL.  */
static char *
decode (const struct unit *unit, const uint8_t *frames, size_t size,
	bool saves, uint64_t *end)
{
  struct tb_device_reg regs[6];
  struct tb_span span = { frames, size };
  struct tb_trace_buffer buffer = {
    .id = "b", .name = "b", .format = TB_FORMAT_CORESIGHT,
    .format_name = "coresight", .spans = &span, .nspans = 1, .size = size };
  struct tb_device source = { .name = "source", .file = "source.ini",
			      .class = TB_CLASS_TRACE_SOURCE,
			      .class_name = "trace_source",
			      .type = unit->type, .location = "",
			      .cluster = "", .regs = regs };
  for (; unit->regs[source.nregs].name != NULL && source.nregs < 5;
       source.nregs++)
    regs[source.nregs] = (struct tb_device_reg) {
      .name = unit->regs[source.nregs].name, .has_id = true,
      .id = unit->regs[source.nregs].id, .bits = 32,
      .value = unit->regs[source.nregs].value };
  struct tb_profile profile;
  tb_profile_find (&profile, unit->core);
  struct tb_memmap *map = tb_memmap_new ();
  struct tb_decoder_config config = { .source = &source, .buffer = &buffer,
				      .profile = &profile, .map = map };
  struct tb_buffer text = { 0 };
  if (map == NULL || tb_memmap_seal (map, NULL) != TB_OK)
    abort ();
  struct tb_decoder *d = tb_decoder_open (&config, NULL);
  struct tb_element elements[7];
  size_t n;
  while (CHECK (d != NULL)
	 && (n = d->read (d, elements, saves ? 1 : 7)) > 0)
    {
      for (size_t i = 0; i < n; i++)
	tb_element_text (&text, &elements[i]);
      if (end != NULL)
	*end = elements[n - 1].index;
      if (!saves)
	continue;
      void *saved = d->save (d);
      d->close (d);
      d = tb_decoder_open (&config, NULL);
      if (d == NULL || saved == NULL)
	abort ();
      d->restore (d, saved);
      free (saved);
    }
  if (d != NULL)
    d->close (d);
  tb_memmap_free (map);
  tb_buffer_append (&text, "", 1);
  return (char *) text.data;
}

/* TEXT without its END line.  */
static void
cut_end (char *text)
{
  char *end = strstr (text, "Z ");
  if (CHECK (end != NULL))
    *end = '\0';
}

static void
test_unit (const struct unit *unit)
{
  static uint8_t frames[MOST * 4];
  uint8_t bytes[MOST] = { 0 };
  size_t count = from_hex (unit->trace, bytes), size;

  size = put_frames (frames, 0, bytes, count);
  char *one = decode (unit, frames, size, false, NULL);
  if (!CHECK (strncmp (one, unit->first, strlen (unit->first)) == 0))
    fprintf (stderr, "%s:\n%s", unit->type, one);

  /* A break in front of the trace, and behind it, is none within it.  */
  size = put_break (frames, 0);
  size = put_frames (frames, size, bytes, count);
  size = put_break (frames, size);
  size = put_break (frames, size);
  char *around = decode (unit, frames, size, false, NULL);
  CHECK_STR (around, one);

  /* The same trace three times, and another one for nobody between.  */
  size = put_frames (frames, 0, bytes, count);
  size = put_break (frames, size);
  size = put_frames (frames, size, bytes, count);
  size = put_break (frames, size);
  memset (frames + size, 0, FRAME);
  frames[size] = 0x31 << 1 | 1;
  size = put_break (frames, size + FRAME);
  size = put_frames (frames, size, bytes, count);
  struct tb_buffer want = { 0 };
  const char *rest = one + strlen ("Y init-decoder\n");
  const char *end = strstr (one, "Z ");
  cut_end (one);
  tb_buffer_printf (&want, "%sY reset-decoder\n%sY reset-decoder\n%s", one,
		    rest, rest);
  one[strlen (one)] = 'Z';
  tb_buffer_printf (&want, "%s", end);
  tb_buffer_append (&want, "", 1);
  for (int saves = 0; saves < 2; saves++)
    {
      char *all = decode (unit, frames, size, saves, NULL);
      if (!CHECK_STR (all, (const char *) want.data))
	fprintf (stderr, "%s, %s states\n", unit->type,
		 saves ? "saved" : "no saved");
      free (all);
    }
  tb_buffer_fini (&want);
  free (one);
  free (around);
}

/* The trace ends far behind the last synchronisation: where that is does not depend
   on how it was read.  */
static void
test_end (const struct unit *unit)
{
  static uint8_t bytes[MOST], frames[64 * 1024];
  uint64_t straight = 1, saved = 2;
  size_t size = put_frames (frames, 0, bytes, from_hex (unit->trace, bytes));
  memset (bytes, 0xff, sizeof bytes);
  bytes[0] = 0;
  for (int i = 0; i < 7; i++)
    size = put_frames (frames, size, bytes, 100 + 100 * i);
  free (decode (unit, frames, size, false, &straight));
  free (decode (unit, frames, size, true, &saved));
  CHECK_INT (straight, size);
  if (!CHECK_INT (saved, straight))
    fprintf (stderr, "%s\n", unit->type);
}

int
main (void)
{
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    {
      test_unit (&units[i]);
      test_end (&units[i]);
    }
  return check_done ();
}
