/* Names in ELF files: functions, and lines of source.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   elfutils (libdw) reads them.  A file may lack symbols or line tables; its addresses
   then have no names.  */

#ifndef TB_SNAPSHOT_SYMBOLS_H
#define TB_SNAPSHOT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

/* A function.  */
struct tb_function
{
  uint64_t address;		/* Its first instruction; bit 0 clear for T32.  */
  uint64_t end;			/* After its last byte; where the file gives no
				   size: where the next one begins.  */
  const char *name;		/* As in the file: see tb_symbols_demangle.  */
  bool is_sized;		/* The file gives its size.  */
  size_t label_of;		/* It is a label in the function that stands so many
				   places before; 0: in none.  */
};

/* Code from ADDRESS up to, not including, END comes from LINE (1 is the first) of
   FILE.  END is ADDRESS where the line has no code of its own, but a statement of it
   is done when ADDRESS is reached.  */
struct tb_line
{
  uint64_t address, end;
  const char *file;
  unsigned line;
  bool statement;		/* A good place to stop before (is_stmt).  */
};

struct tb_symbols;

struct tb_symbols *tb_symbols_new (void);	/* NULL: no memory.  */
void tb_symbols_free (struct tb_symbols *symbols);

/* Was there once no memory for something that SYMBOLS was asked for?  Then lines that
   files have were not found.  */
bool tb_symbols_no_memory (const struct tb_symbols *symbols);

/* Add what the ELF file PATH has, which was loaded BIAS above the addresses in it.  Where files
   overlap, the one added first counts.  Names and files are valid until SYMBOLS is freed.  */
enum tb_status tb_symbols_add (struct tb_symbols *symbols, const char *path, uint64_t bias,
			       struct tb_diag *diag);

/* The same of the file PATH, of which SIZE bytes from OFFSET on were mapped at ADDRESS: a
   program or a shared library, whose names have the addresses of that.  */
enum tb_status tb_symbols_add_mapped (struct tb_symbols *symbols, const char *path,
				      uint64_t address, uint64_t offset, uint64_t size,
				      struct tb_diag *diag);

/* All functions, by address, at most one an address; *COUNT of them.  */
const struct tb_function *tb_symbols_functions (const struct tb_symbols *symbols,
						size_t *count);

/* The function that holds ADDRESS, which is not a label in another one; NULL: none is
   known.  */
const struct tb_function *tb_symbols_function_at
  (const struct tb_symbols *symbols, uint64_t address);

/* The line of the code at ADDRESS as GDB has it ("info line"); false: it is not
   known.  */
bool tb_symbols_line_at (struct tb_symbols *symbols, uint64_t address,
			 struct tb_line *line);

/* Call TAKE for each row of the line tables that has a line, in the order of the
   files added and their units, and in each by address, until it returns false.  False
   if it did, or without memory.  */
bool tb_symbols_lines (struct tb_symbols *symbols,
		       bool (*take) (void *context,
				     const struct tb_line *line),
		       void *context);

/* Open now what has the debug information of each file, which may be a file of its own
   beside it or in the system's folder: else that is done when it is first asked for.  */
void tb_symbols_open_debug (struct tb_symbols *symbols);

/* NAME as its language writes it, from malloc: demangled, without the type that a
   function of a template returns; or a copy of NAME.
   NULL: no memory.  */
char *tb_symbols_demangle (const char *name);

#endif /* TB_SNAPSHOT_SYMBOLS_H */
