/* Target descriptions: writing the elements that were read as one document (private to
   arm/machine/tdesc*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_TDESC_WRITE_H
#define TB_ARM_MACHINE_TDESC_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buffer.h"

/* The longest name, attribute or word: a line of a trace file has 999 characters, and
   each character may become six.  */
#define TDESC_WORD_MAX 120

/* Zero-initialise; free TEXT.  */
struct tdesc_writer
{
  struct tb_buffer text;
  size_t line;			/* Where the last line begins.  */
  size_t word;			/* Characters of the word that is being written.  */
  bool is_open;			/* A start tag lacks its '>'.  */
  bool blank;			/* Before the next word.  */
  bool too_long;		/* Something was.  */
};

void tdesc_write_head (struct tdesc_writer *writer);
void tdesc_write_start (struct tdesc_writer *writer, const char *name,
			const char **attributes);
void tdesc_write_text (struct tdesc_writer *writer, const char *text, size_t length);
void tdesc_write_end (struct tdesc_writer *writer, const char *name);

#endif /* TB_ARM_MACHINE_TDESC_WRITE_H */
