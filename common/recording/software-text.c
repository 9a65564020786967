/* What software and the DWT said, and when, in words.  See software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/software.h"

#include <inttypes.h>
#include <string.h>

#include "decode/element-stats.h"
#include "util/utf8.h"

void
tb_said_who (struct tb_buffer *text, const struct tb_said *said)
{
  if (said->source == TB_ELEMENT_DWT)
    tb_buffer_printf (text, "DWT");
  else if (!(said->flags & TB_SAID_SENDER))
    tb_buffer_printf (text, "-");
  else if (said->source == TB_ELEMENT_ITM)
    tb_buffer_printf (text, "port %u", said->channel);
  else
    tb_buffer_printf (text, "master 0x%x channel 0x%x", said->master,
		      said->channel);
}

/* Append the LENGTH bytes at TEXT, at which there is a zero behind them or more.  */
static void
put_line (struct tb_buffer *to, const unsigned char *text, size_t length)
{
  char padded[5];
  while (length > 0)
    {
      size_t some = length < 4 ? length : 4;
      memcpy (padded, text, some);
      padded[some] = 0;
      unsigned size = tb_utf8_length ((const unsigned char *) padded);
      if (size == 0 || *text < 0x20 || *text == 0x7f)
	{
	  tb_buffer_printf (to, "\\x%02x", *text);
	  size = 1;
	}
      else if (*text == '\\')
	tb_buffer_append (to, "\\\\", 2);
      else
	tb_buffer_append (to, text, size);
      text += size;
      length -= size;
    }
}

void
tb_said_what (struct tb_buffer *text, const struct tb_software *software,
	      const struct tb_said *said)
{
  /* Where all that was said is empty there is no text.  */
  tb_said_what_of (text, said, said->length != 0 ? software->text.data + said->text : NULL);
}

void
tb_said_what_of (struct tb_buffer *text, const struct tb_said *said, const void *said_text)
{
  if (said->flags & TB_SAID_LOST)
    tb_buffer_printf (text, "(packets lost) ");
  switch ((enum tb_said_kind) said->kind)
    {
    case TB_SAID_NUMBER:
      tb_buffer_printf (text, "u%u 0x%0*" PRIx64 "%s", said->bits,
			(said->bits + 3) / 4, said->value,
			said->flags & TB_SAID_MARKED ? " marked" : "");
      break;
    case TB_SAID_TEXT:
    case TB_SAID_DWT:
      put_line (text, said_text, said->length);
      break;
    case TB_SAID_FLAG:
      tb_buffer_printf (text, "flag");
      break;
    case TB_SAID_TRIGGER:
      tb_buffer_printf (text, "trigger 0x%02" PRIx64, said->value);
      break;
    case TB_SAID_FREQUENCY:
      tb_buffer_printf (text, "frequency of timestamps %" PRIu64 " Hz",
			said->value);
      break;
    case TB_SAID_ERROR:
      tb_buffer_printf (text, "%s error 0x%02" PRIx64,
			said->flags & TB_SAID_GLOBAL ? "global" : "master",
			said->value);
      break;
    case TB_SAID_NO_SYNC:
      tb_buffer_printf (text, "not synchronised: %s",
			tb_reason_name ((enum tb_reason) said->value));
      break;
    case TB_SAID_BAD:
      tb_buffer_printf (text, "no packet, at byte %" PRIu64, said->index);
      break;
    }
}

struct tb_when
tb_said_time (const struct tb_said *said)
{
  return (struct tb_when) { .earliest = said->earliest, .latest = said->latest,
			    .from = said->flags & TB_SAID_EARLIEST,
			    .to = said->flags & TB_SAID_LATEST };
}

void
tb_said_when (struct tb_buffer *text, const struct tb_software *software,
	      const struct tb_said *said)
{
  struct tb_when when = tb_said_time (said);
  /* Where times go back nobody knows between which two of them a clock was set: what is
     left is what a packet states of itself.  */
  bool stated = said->source == TB_ELEMENT_SOFTWARE && when.from && when.to
		&& when.earliest == when.latest;
  if (software->goes_back && !stated)
    when = (struct tb_when) { 0 };
  if (said->flags & TB_SAID_LOCAL)
    tb_buffer_printf (text, "%s%" PRIu64, said->flags & TB_SAID_LATE ? "<=" : "",
		      said->local);
  else if (!when.from && !when.to)
    tb_buffer_printf (text, "-");
  if (when.from || when.to)
    tb_buffer_printf (text, "@");
  tb_when_text (text, &when, software->frequency);
}
