/* What software says: ITM and STM, in frames or not; what is decoded does not depend on how it
   is read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the unit and its settings, the trace.  */

#include "config.h"
#include "fuzz.h"

#include "fuzz-packets.h"
#include "recording/software.h"
#include "sw-run.h"

/* What is said, by whom and when.  */
static void
say_all (struct tb_decoder *decoder)
{
  struct tb_software said = { 0 };
  struct tb_buffer text = { 0 };
  if (tb_software_read (&said, decoder))
    for (size_t i = 0; i < said.count; i++)
      {
	tb_buffer_clear (&text);
	tb_said_who (&text, &said.items[i]);
	tb_said_what (&text, &said, &said.items[i]);
	tb_said_when (&text, &said, &said.items[i]);
	MUST (memchr (text.data, 10, text.size) == NULL);
      }
  tb_buffer_fini (&text);
  tb_software_fini (&said);
}

FUZZ_TARGET (software)
{
  static const uint32_t controls[] = { 0, 0x00100000, 0x00100007, 0x0020010f };
  if (size == 0)
    return 0;
  const char *type = data[0] & 1 ? "STM" : "ITM";
  uint32_t control = controls[data[0] >> 1 & 3];
  char *whole = sw_text (type, control, data + 1, size - 1, 512, false, NULL);
  char *parts = sw_text (type, control, data + 1, size - 1, 3, true, NULL);
  MUST (strcmp (whole, parts) == 0);
  free (whole);
  free (parts);
  for (unsigned framed = 0; framed < 2; framed++)
    {
      struct sw_source source;
      tb_decoder_close (sw_open (&source, type, control, data + 1, size - 1));
      struct tb_decoder_config config = { .source = &source.device,
					  .buffer = &source.buffer };
      if (framed)
	source.buffer.format = TB_FORMAT_CORESIGHT;
      else
	fuzz_packets (&config);
      struct tb_decoder *d = tb_decoder_open (&config, NULL);
      if (d != NULL)
	say_all (d);
      tb_decoder_close (d);
    }
  return 0;
}
