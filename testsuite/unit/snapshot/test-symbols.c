/* Names in ELF files: the sample's program, and files that have none.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "snapshot/symbols.h"

static unsigned errors;

static void
count_errors (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) message;
  errors += severity == TB_ERROR;
}

static struct tb_diag diag = { .report = count_errors };

static const char *
sample (void)
{
  static char path[4096];
  const char *source = getenv ("srcdir");
  snprintf (path, sizeof path, "%s/samples/crash-m0/program.elf",
	    source != NULL ? source : ".");
  return path;
}

/* Functions in address order, none empty, each found by its first and its last
   byte.  */
static void
test_functions (struct tb_symbols *symbols)
{
  size_t count;
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  unsigned known = 0, labels = 0;
  CHECK (count > 10);
  for (size_t i = 0; i < count; i++)
    {
      CHECK (list[i].address < list[i].end);
      CHECK_INT (list[i].address & 1, 0);
      CHECK (i == 0 || list[i - 1].address < list[i].address);
      CHECK (list[i].name[0] != '$');
      if (strcmp (list[i].name, "fault_halt") == 0)
	{
	  /* A label in the middle of a function.  */
	  CHECK_INT (list[i].label_of, 1);
	  CHECK (tb_symbols_function_at (symbols, list[i].address)
		 == &list[i - 1]);
	  labels++;
	  continue;
	}
      CHECK_INT (list[i].label_of, 0);
      CHECK (tb_symbols_function_at (symbols, list[i].address) == &list[i]);
      if (i + 1 == count || list[i + 1].address >= list[i].end)
	CHECK (tb_symbols_function_at (symbols, list[i].end - 1) == &list[i]);
      known += strcmp (list[i].name, "main") == 0
	       || strcmp (list[i].name, "batch_put") == 0;
    }
  CHECK_INT (known, 2);
  CHECK_INT (labels, 1);
  CHECK (tb_symbols_function_at (symbols, UINT64_C (0x30000000)) == NULL);
  CHECK (tb_symbols_function_at (symbols, UINT64_MAX) == NULL);
}

/* An ELF file of code from 0x1000 on with some symbols.  */
static bool
write_elf (const char *path)
{
  static const char names[24] = "\0f\0label\0inner\0g\0start";
  static const char sections[36] = "\0.text\0.symtab\0.strtab\0.shstrtab";
  enum { SYMBOLS = 6, TEXT = 0x100 };
  static uint8_t text[TEXT];
  const Elf32_Sym symbols[SYMBOLS] = {
    { .st_name = 0 },
    { 1, 0x1011, 0x40, ELF32_ST_INFO (STB_GLOBAL, STT_FUNC), 0, 1 },
    { 3, 0x1018, 0, ELF32_ST_INFO (STB_LOCAL, STT_NOTYPE), 0, 1 },
    { 9, 0x1020, 0x10, ELF32_ST_INFO (STB_LOCAL, STT_FUNC), 0, 1 },
    { 15, 0x1060, 0x10, ELF32_ST_INFO (STB_GLOBAL, STT_FUNC), 0, 1 },
    { 17, 0x1080, 0, ELF32_ST_INFO (STB_GLOBAL, STT_NOTYPE), 0, 1 }
  };
  uint32_t at = sizeof (Elf32_Ehdr) + sizeof (Elf32_Phdr);
  const Elf32_Phdr segment = {
    .p_type = PT_LOAD, .p_offset = at, .p_vaddr = 0x1000, .p_paddr = 0x1000,
    .p_filesz = TEXT, .p_memsz = TEXT, .p_flags = PF_R | PF_X, .p_align = 4
  };
  const Elf32_Shdr headers[5] = {
    { .sh_type = SHT_NULL },
    { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = 0x1000,
      .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_offset = at, .sh_size = TEXT },
    { .sh_name = 7, .sh_type = SHT_SYMTAB, .sh_offset = at + TEXT,
      .sh_size = sizeof symbols, .sh_link = 3, .sh_info = 1,
      .sh_entsize = sizeof (Elf32_Sym) },
    { .sh_name = 15, .sh_type = SHT_STRTAB,
      .sh_offset = at + TEXT + sizeof symbols, .sh_size = sizeof names },
    { .sh_name = 23, .sh_type = SHT_STRTAB,
      .sh_offset = at + TEXT + sizeof symbols + sizeof names,
      .sh_size = sizeof sections }
  };
  const Elf32_Ehdr head = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
		 __BYTE_ORDER == __BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB,
		 EV_CURRENT },
    .e_type = ET_EXEC, .e_machine = EM_ARM, .e_version = EV_CURRENT,
    .e_ehsize = sizeof head, .e_shentsize = sizeof headers[0], .e_shnum = 5,
    .e_shstrndx = 4,
    .e_phoff = sizeof head, .e_phentsize = sizeof segment, .e_phnum = 1,
    .e_shoff = at + TEXT + sizeof symbols + sizeof names + sizeof sections
  };
  FILE *out = fopen (path, "wb");
  if (out == NULL)
    return false;
  fwrite (&head, sizeof head, 1, out);
  fwrite (&segment, sizeof segment, 1, out);
  fwrite (text, sizeof text, 1, out);
  fwrite (symbols, sizeof symbols, 1, out);
  fwrite (names, sizeof names, 1, out);
  fwrite (sections, sizeof sections, 1, out);
  fwrite (headers, sizeof headers, 1, out);
  return fclose (out) == 0;
}

/* Labels inside of a function are none; a function inside of another one is.  */
static void
test_nested (void)
{
  static const struct { uint64_t address; const char *name; } rows[] = {
    { 0x100f, NULL }, { 0x1010, "f" }, { 0x1018, "f" }, { 0x101f, "f" },
    { 0x1020, "inner" }, { 0x102f, "inner" }, { 0x1030, "f" },
    { 0x104f, "f" }, { 0x1050, NULL }, { 0x1060, "g" }, { 0x1070, NULL },
    { 0x1080, "start" }, { 0x10ff, "start" }, { 0x1100, NULL }
  };
  const char *path = "test-symbols.elf";
  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK (write_elf (path));
  CHECK_INT (tb_symbols_add (symbols, path, 0, &diag), TB_OK);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct tb_function *f = tb_symbols_function_at (symbols,
							    rows[i].address);
      const char *name = f != NULL ? f->name : NULL;
      if (!CHECK (name == rows[i].name
		  || (name != NULL && rows[i].name != NULL
		      && strcmp (name, rows[i].name) == 0)))
	fprintf (stderr, "%#" PRIx64 ": %s\n", rows[i].address,
		 name != NULL ? name : "-");
    }
  tb_symbols_free (symbols);
  remove (path);
}

struct seen
{
  unsigned rows, mains, empty;
  struct tb_line line;		/* One of main.c.  */
};

static bool
see (void *context, const struct tb_line *line)
{
  struct seen *seen = context;
  const char *slash = strrchr (line->file, '/');
  seen->rows++;
  CHECK (line->address <= line->end && line->line > 0);
  seen->empty += line->address == line->end;
  if (slash != NULL && strcmp (slash, "/main.c") == 0
      && line->address < line->end)
    {
      seen->mains++;
      seen->line = *line;
    }
  return true;
}

static bool
refuse (void *context, const struct tb_line *line)
{
  (void) context;
  (void) line;
  return false;
}

static void
test_lines (struct tb_symbols *symbols)
{
  struct seen seen = { 0 };
  struct tb_line line;
  CHECK (tb_symbols_lines (symbols, see, &seen));
  CHECK (seen.rows > 100 && seen.mains > 10 && seen.empty > 10);
  CHECK (tb_symbols_line_at (symbols, seen.line.address, &line));
  CHECK_INT (line.line, seen.line.line);
  CHECK (!tb_symbols_line_at (symbols, UINT64_C (0x30000000), &line));
  CHECK (!tb_symbols_lines (symbols, refuse, NULL));
}

static void
test_names (void)
{
  static const char *const names[][2] = {
    { "_ZN5queue3putEi", "queue::put(int)" }, { "main", "main" },
    { "_Zx", "_Zx" }, { "", "" }
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      char *text = tb_symbols_demangle (names[i][0]);
      CHECK_STR (text, names[i][1]);
      free (text);
    }
}

static void
test_bad (void)
{
  struct tb_symbols *symbols = tb_symbols_new ();
  size_t count;
  CHECK_INT (tb_symbols_add (symbols, "/nonexistent/x.elf", 0, &diag), TB_ERR_IO);
  CHECK_INT (errors, 1);
  CHECK_INT (tb_symbols_add (symbols, "/dev/null", 0, &diag), TB_ERR_INPUT);
  CHECK_INT (errors, 2);
  tb_symbols_functions (symbols, &count);
  CHECK_INT (count, 0);
  CHECK (tb_symbols_function_at (symbols, 0) == NULL);
  tb_symbols_free (symbols);
}

int
main (void)
{
  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (symbols, sample (), 0, &diag), TB_OK);
  test_functions (symbols);
  test_lines (symbols);
  /* The same file again adds nothing.  */
  size_t before, after;
  tb_symbols_functions (symbols, &before);
  CHECK_INT (tb_symbols_add (symbols, sample (), 0, &diag), TB_OK);
  tb_symbols_functions (symbols, &after);
  CHECK_INT (after, before);
  tb_symbols_free (symbols);
  test_names ();
  test_bad ();
  test_nested ();
  return check_done ();
}
