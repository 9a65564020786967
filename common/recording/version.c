/* The version.  See version.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/version.h"

#include "decode/decoder.h"
#include "util/buffer.h"

/* The libraries that are there or not, and what for.  */
static const char *const compression[] = {
#ifdef HAVE_LIBZ
  "gzip",
#endif
#ifdef HAVE_LIBLZMA
  "xz",
#endif
#ifdef HAVE_LIBZSTD
  "zstd",
#endif
  NULL
};

static const char *const others[] = {
#ifdef HAVE_LIBCAPSTONE
  "disassembly in Tarmac logs",
#endif
#ifdef __SANITIZE_ADDRESS__
  "address sanitizer",
#endif
  NULL
};

static void
put_list (struct tb_buffer *text, const char *title, const char *const *list)
{
  tb_buffer_printf (text, "%s: %s", title, list[0] != NULL ? list[0] : "nothing");
  for (size_t i = 1; list[0] != NULL && list[i] != NULL; i++)
    tb_buffer_printf (text, ", %s", list[i]);
  tb_buffer_printf (text, "\n");
}

char *
tb_version_text (const char *program)
{
  struct tb_buffer made = { 0 }, *text = &made;
  tb_buffer_printf (text, "%s (" PACKAGE_NAME ") " PACKAGE_VERSION "\nDecodes: ",
		    program);
  for (size_t i = 0; tb_protocol_number (i) != NULL; i++)
    tb_buffer_printf (text, "%s%s", i > 0 ? ", " : "",
		      tb_protocol_number (i)->name);
  /* Decoders of more than their name says.  */
  tb_buffer_printf (text, " (ETMv4 also ETE, ITM also DWT); Tarmac logs\n"
		    "Follows: A64, A32, T32 of all profiles, ThumbEE\n");
  put_list (text, "Unpacks logs of", compression);
  put_list (text, "Also built in", others);
  tb_buffer_printf (text, "Copyright (C) 2026 The tracebridge authors.\n"
		    "Licence GPLv3+: GNU GPL version 3 or later "
		    "<https://gnu.org/licenses/gpl.html>.\n"
		    "This is free software: you are free to change and "
		    "redistribute it.\n"
		    "There is NO WARRANTY, to the extent permitted by law.\n");
  tb_buffer_append (text, "", 1);
  if (made.failed)
    tb_buffer_fini (&made);
  return (char *) made.data;
}
