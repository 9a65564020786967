/* Target descriptions: the elements of several files as one document, in lines that a
   trace file can have.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/tdesc-write.h"

#include <string.h>

/* Lines are broken where one can be behind that many characters.  */
#define COLUMNS 99

static void
end_line (struct tdesc_writer *w)
{
  tb_buffer_append (&w->text, "\n", 1);
  w->line = w->text.size;
}

/* Append TEXT with what XML has for characters that mean something there.  */
static void
put_text (struct tdesc_writer *w, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    switch (text[i])
      {
      case '<': tb_buffer_printf (&w->text, "&lt;"); break;
      case '>': tb_buffer_printf (&w->text, "&gt;"); break;
      case '&': tb_buffer_printf (&w->text, "&amp;"); break;
      case '"': tb_buffer_printf (&w->text, "&quot;"); break;
      case '\n': case '\r': case '\t':
	tb_buffer_append (&w->text, " ", 1);
	break;
      default: tb_buffer_append (&w->text, &text[i], 1); break;
      }
}

static bool
fits (struct tdesc_writer *w, const char *word)
{
  w->too_long |= strlen (word) > TDESC_WORD_MAX;
  return !w->too_long;
}

void
tdesc_write_head (struct tdesc_writer *w)
{
  tb_buffer_printf (&w->text, "<?xml version=\"1.0\"?>\n"
		    "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n");
  w->line = w->text.size;
}

/* The element that was begun has something in it.  */
static void
end_start (struct tdesc_writer *w)
{
  if (w->is_open)
    {
      tb_buffer_append (&w->text, ">", 1);
      end_line (w);
    }
  w->is_open = false;
}

void
tdesc_write_start (struct tdesc_writer *w, const char *name, const char **attributes)
{
  end_start (w);
  if (w->text.size > w->line)
    end_line (w);
  if (!fits (w, name))
    return;
  tb_buffer_printf (&w->text, "<%s", name);
  for (size_t i = 0; attributes[i] != NULL; i += 2)
    {
      size_t length = strlen (attributes[i]) + strlen (attributes[i + 1]) + 4;
      if (!fits (w, attributes[i]) || !fits (w, attributes[i + 1]))
	return;
      if (w->text.size - w->line + length > COLUMNS)
	end_line (w);
      else
	tb_buffer_append (&w->text, " ", 1);
      tb_buffer_printf (&w->text, "%s=\"", attributes[i]);
      put_text (w, attributes[i + 1], strlen (attributes[i + 1]));
      tb_buffer_append (&w->text, "\"", 1);
    }
  w->is_open = true;
  w->blank = false;
  w->word = 0;
}

void
tdesc_write_text (struct tdesc_writer *w, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    {
      if (strchr (" \t\r\n", text[i]) != NULL && text[i] != '\0')
	{
	  w->blank = true;
	  w->word = 0;
	  continue;
	}
      if (w->is_open)
	{
	  tb_buffer_append (&w->text, ">", 1);
	  if (w->text.size - w->line > COLUMNS)
	    end_line (w);
	}
      else if (w->blank && w->text.size - w->line > COLUMNS)
	end_line (w);
      else if (w->blank && w->text.size > w->line)
	tb_buffer_append (&w->text, " ", 1);
      w->is_open = w->blank = false;
      w->too_long |= ++w->word > TDESC_WORD_MAX;
      if (w->too_long)
	return;
      put_text (w, &text[i], 1);
    }
}

void
tdesc_write_end (struct tdesc_writer *w, const char *name)
{
  if (w->is_open)
    tb_buffer_append (&w->text, "/>", 2);
  else
    tb_buffer_printf (&w->text, "</%s>", name);
  w->is_open = w->blank = false;
  w->word = 0;
  end_line (w);
}
