/* --format=lcov: how often each line and function ran, for genhtml.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The form of lcov's tracefiles (geninfo(1), "FILES").  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "line-counts.h"
#include "names.h"

struct function_row
{
  const struct tb_function *function;
  const char *file;
  unsigned line;
  uint64_t count;
};

struct lines
{
  const struct counts *counts;
  struct line_counts rows;
  struct function_row *functions;
  size_t nfunctions;
};

static int
function_order (const void *x, const void *y)
{
  const struct function_row *a = x, *b = y;
  int order = strcmp (a->file, b->file);
  return order != 0 ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* The functions that have a line.  */
static bool
list_functions (struct lines *l, struct tb_symbols *symbols)
{
  size_t count;
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  struct tb_line line;
  l->functions = calloc (count + 1, sizeof *l->functions);
  if (l->functions == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    if (tb_symbols_line_at (symbols, list[i].address, &line))
      l->functions[l->nfunctions++] = (struct function_row) {
	&list[i], line.file, line.line, counts_at (l->counts, list[i].address)
      };
  qsort (l->functions, l->nfunctions, sizeof *l->functions, function_order);
  return true;
}

static void
put_functions (const struct lines *l, const char *file, size_t *at, FILE *out)
{
  size_t begin = *at, hit = 0;
  for (; *at < l->nfunctions && strcmp (l->functions[*at].file, file) == 0;
       ++*at)
    {
      const struct function_row *f = &l->functions[*at];
      fprintf (out, "FN:%u,%s\nFNDA:%" PRIu64 ",%s\n", f->line,
	       f->function->name, f->count, f->function->name);
      hit += f->count != 0;
    }
  fprintf (out, "FNF:%zu\nFNH:%zu\n", *at - begin, hit);
}

static void
put_files (const struct lines *l, const char *test, FILE *out)
{
  size_t function = 0;
  for (size_t i = 0; i < l->rows.size;)
    {
      const char *file = l->rows.list[i].file;
      size_t found = 0, hit = 0;
      fputs ("TN:", out);
      for (const char *c = test; *c != '\0'; c++)
	/* lcov takes no others in the name of a test.  */
	fputc (strchr ("0123456789abcdefghijklmnopqrstuvwxyz"
		       "ABCDEFGHIJKLMNOPQRSTUVWXYZ", *c) != NULL ? *c : '_',
	       out);
      fprintf (out, "\nSF:%s\n", file);
      while (function < l->nfunctions
	     && strcmp (l->functions[function].file, file) < 0)
	function++;
      put_functions (l, file, &function, out);
      for (; i < l->rows.size && strcmp (l->rows.list[i].file, file) == 0; i++, found++)
	{
	  fprintf (out, "DA:%u,%" PRIu64 "\n", l->rows.list[i].line,
		   l->rows.list[i].count);
	  hit += l->rows.list[i].count != 0;
	}
      fprintf (out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
    }
}

static enum tb_status
put_coverage (struct job *job, const struct named_recording *named, FILE *out)
{
  struct counts counts;
  struct lines l = { .counts = &counts };
  bool ok = counts_make (&counts, named->recording)
	    && line_counts_make (&l.rows, named->symbols, &counts)
	    && list_functions (&l, named->symbols);
  bool none = ok && l.rows.size == 0;
  bool given = job->options->shared.session.nelves != 0;
  bool rooted = job->options->shared.session.snapshot.sysroot != NULL;
  /* Of several cores another one may have lines.  */
  if (none)
    tb_report (job->diag, given && named->several ? TB_WARNING : TB_ERROR,
	       "%s: there are no lines to count for core \"%s\": %s", job->input,
	       named->core, given ? "no --elf has line tables for it (gcc -g)"
	       : rooted ? "no file below --sysroot has line tables for it (gcc -g): --elf=FILE "
		 "gives the program with them"
	       : "give its program with --elf=FILE, or the files that a perf.data has maps of "
		 "with --sysroot=FOLDER");
  else if (ok)
    put_files (&l, named->core, out);
  counts_fini (&counts);
  line_counts_fini (&l.rows);
  free (l.functions);
  return !ok ? TB_ERR_MEMORY
	 : none && !(given && named->several) ? TB_ERR_INPUT : TB_OK;
}

enum tb_status
list_lcov (struct job *job, struct tb_outfile *out)
{
  return job_each_named (job, tb_outfile_stream (out), false, put_coverage);
}
