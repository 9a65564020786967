/* Tests of files of tracepoints: what is read from them, and whose numbers their registers
   have.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "frame/request-file.h"
#include "snapshot-tree.h"
#include "recording/trace-file.h"

/* A description as another program has it: R0 is 40, R1 41, ...; EXTRA 72 and OTHER 90 are
   not followed.  */
#define R(name) "tdesc <reg name=\"" name "\" bitsize=\"32\"/>\n"
#define FOREIGN \
  "tdesc <target><architecture>arm</architecture>\n" \
  "tdesc <feature name=\"org.gnu.gdb.arm.m-profile\">\n" \
  "tdesc <reg name=\"r0\" bitsize=\"32\" regnum=\"40\"/>\n" \
  R ("r1") R ("r2") R ("r3") R ("r4") R ("r5") R ("r6") R ("r7") R ("r8") R ("r9") \
  R ("r10") R ("r11") R ("r12") R ("sp") R ("lr") R ("pc") R ("xpsr") \
  "tdesc </feature><feature name=\"vendor\">\n" \
  "tdesc <reg name=\"extra\" bitsize=\"32\" regnum=\"72\"/>\n" \
  "tdesc <reg name=\"other\" bitsize=\"32\" regnum=\"90\"/></feature></target>\n"

static struct tree tree;
static struct tb_tdesc *tdesc;
static struct tb_symbols *symbols;
static struct tb_tracepoint_set set;
static struct tb_definitions definitions;

/* Define what the SIZE bytes TEXT say, with nothing defined before.  */
static bool
define_bytes (const char *text, size_t size)
{
  struct tb_request_file file;
  struct tb_define_input in = {
    .tdesc = tdesc, .symbols = symbols, .diag = &tree.diag,
    .trace = { .symbols = symbols }
  };
  tb_definitions_fini (&definitions);
  tb_tracepoint_set_fini (&set);
  CHECK (tb_tracepoint_set_init (&set));
  definitions = (struct tb_definitions) { .set = &set };
  tree_write_bytes (&tree, "points", text, size);
  tree_forget (&tree);
  if (!tb_request_file_read (&file, tree_path (&tree, "points"), &tree.diag))
    return false;
  bool ok = tb_define_file (&definitions, &file, &in);
  tb_request_file_fini (&file);
  return ok;
}

static bool
define (const char *text)
{
  bool ok = define_bytes (text, strlen (text));
  if (!ok && tree.said_length == 0)
    CHECK (!"refused with a message");
  return ok;
}

/* TEXT is refused, with WANT in the one message.  */
static void
refuse (const char *text, const char *want)
{
  CHECK (!define (text));
  if (!CHECK (strstr (tree.said, want) != NULL))
    fprintf (stderr, "  expected \"%s\", said: %s  of: %s\n", want, tree.said, text);
  CHECK (strstr (tree.said + 1, "error: ") == NULL);
}

/* The register that CODE, which begins with one, reads.  */
static unsigned
register_of (const struct tb_expression *code)
{
  if (!CHECK (code->length >= 3 && code->code[0] == 0x26))
    return ~0u;
  return (unsigned) code->code[1] << 8 | code->code[2];
}

/* In conditions, in what is collected, and in places of memory; each once.  */
static void
test_numbers (void)
{
  if (CHECK (define (FOREIGN
		     "tp T1:100:E:0:0:X4,26002a27\n"
		     "tp A1:100:X00000008,2600292600282c27\n"
		     "tp A1:100:M35,0,4M-1,20000000,4\n")) && CHECK_INT (set.count, 1)
      && CHECK_INT (set.items[0].nactions, 3))
    {
      const struct tb_tracepoint *t = &set.items[0];
      CHECK_INT (register_of (&t->condition), 2);
      CHECK_INT (register_of (&t->actions[0].expression), 1);
      /* The second one of an expression, too.  */
      CHECK_INT (t->actions[0].expression.code[5], 0);
      CHECK_INT (t->actions[1].base, 13);
      CHECK_INT (t->actions[2].base, -1);
      CHECK_STR (tree.said, "");
    }
  /* Without a description the numbers are those of the program's longest one.  */
  if (CHECK (define ("tp T1:100:E:0:0:X4,26000527\n")))
    CHECK_INT (register_of (&set.items[0].condition), 5);
  refuse ("tp T1:100:E:0:0:X4,26eeee27\n",
	  "points: tracepoint 1: expected the number of a register of the target description "
	  "(the file has none, and none was given by --tdesc), found 61166");
  refuse (FOREIGN "tp T3:100:E:0:0:X4,26000027\n",
	  "points: tracepoint 3: expected the number of a register of the target description, "
	  "found 0");
  refuse (FOREIGN "tp T3:100:E:0:0\ntp A3:100:M5,0,4\n", "target description, found 5");
  refuse (FOREIGN "tp T3:100:E:0:0\ntp A3:100:X4,26000027\n", "target description, found 0");
}

/* A register that is not followed is told once, and known nowhere.  */
static void
test_not_followed (void)
{
  if (!CHECK (define (FOREIGN
		      "tp T1:100:E:0:0:X4,26004827\n"
		      "tp A1:100:X00000004,26004827\n"
		      "tp A1:100:X00000004,26005a27\n"
		      "tp A1:100:M48,0,4\n")))
    return;
  CHECK_INT (register_of (&set.items[0].condition), TB_TDESC_NOTHING);
  CHECK_INT (register_of (&set.items[0].actions[1].expression), TB_TDESC_NOTHING);
  CHECK_INT (set.items[0].actions[2].base, TB_TDESC_NOTHING);
  const char *extra = strstr (tree.said, "register extra (number 72) is not followed");
  const char *other = strstr (tree.said, "register other (number 90) is not followed");
  CHECK (extra != NULL && other != NULL);
  CHECK (extra != NULL && strstr (extra + 1, "register extra") == NULL);
}

/* Numbers of what no description has count where the program wrote the file.  */
static void
test_bare (void)
{
  struct tb_buffer text = { 0 };
  for (const char *line = tdesc->text; *line != '\0';)
    {
      size_t length = strcspn (line, "\n");
      tb_buffer_printf (&text, "tdesc %.*s\n", (int) length, line);
      line += length + (line[length] == '\n');
    }
  tb_buffer_printf (&text, "tp T1:100:E:0:0:X4,26%04x27\n", TB_TDESC_BARE (TB_PSR));
  tb_buffer_append (&text, "", 1);
  if (CHECK (!text.failed) && CHECK (define ((const char *) text.data)))
    CHECK_INT (register_of (&set.items[0].condition), TB_TDESC_BARE (TB_PSR));
  tb_buffer_fini (&text);
  char foreign[3000];
  snprintf (foreign, sizeof foreign, FOREIGN "tp T1:100:E:0:0:X4,26%04x27\n",
	    TB_TDESC_BARE (TB_PSR));
  refuse (foreign, "target description, found ");
}

/* Definitions come by their numbers, then requests by their lines.  */
static void
test_order (void)
{
  if (!CHECK (define ("# A comment\n\n  *0x500 \ntp T7:200:E:0:0\n\ttp T3:100:D:2:5\r\n"
		      "tp T7:204:E:0:0\n*0x401 collect $r0\n"))
      || !CHECK_INT (definitions.count, 4) || !CHECK_INT (set.count, 5))
    return;
  static const struct { unsigned number; uint64_t address; const char *name; } rows[] = {
    { 1, 0x100, "*0x100" }, { 2, 0x200, "*0x200" }, { 2, 0x204, "*0x200" },
    { 3, 0x500, "*0x500" }, { 4, 0x400, "*0x401" }
  };
  for (size_t i = 0; i < 5; i++)
    {
      const struct tb_tracepoint *t = tb_tracepoint_find (&set, rows[i].number,
							  rows[i].address);
      if (CHECK (t != NULL))
	CHECK_STR (definitions.items[t->number - 1].name, rows[i].name);
    }
  CHECK (!definitions.items[0].several && definitions.items[1].several);
  const struct tb_tracepoint *t = tb_tracepoint_find (&set, 1, 0x100);
  CHECK (t != NULL && !t->enabled && t->steps == 2 && t->pass == 5);
  t = tb_tracepoint_find (&set, 4, 0x400);
  CHECK (t != NULL && t->nactions > 0 && t->actions[0].kind == TB_ACTION_REGISTERS);
}

/* What GDB sent last counts; a trace file's header counts, up to the empty line.  */
static void
test_files (void)
{
  if (CHECK (define ("w $QTinit#59\nw $QTDP:1:100:E:0:0#00\nr +$OK#9a\nc something\n"
		     "w $QTinit#59\nw $QTDP:1:200:E:0:0-#00\nw $QTDP:-1:200:R3#00\n"
		     "w $g#67\n")) && CHECK_INT (set.count, 1))
    {
      CHECK_INT (set.items[0].address, 0x200);
      CHECK_INT (set.items[0].nactions, 1);
    }
  static const char trace[] = TB_TRACE_FILE_MAGIC "R 44\nstatus 0;tstop:0\n"
    "tsv 40:5:0:61\ntp T2:300:E:0:0\ntp S2:300:R1\ntp A2:300:R1\ntp V2:300:7:60\n\n"
    "tp T3:400:E:0:0\n";
  if (CHECK (define_bytes (trace, sizeof trace - 1)) && CHECK_INT (set.count, 1)
      && CHECK_INT (set.items[0].nactions, 2))
    {
      CHECK (set.items[0].actions[0].stepping && !set.items[0].actions[1].stepping);
      CHECK_INT (set.items[0].hits, 7);
      CHECK_INT (set.items[0].usage, 0x60);
      const struct tb_trace_variable *v = tb_trace_variable_named (&set, "a");
      CHECK (v != NULL && v->initial == 5);
    }
  refuse (TB_TRACE_FILE_MAGIC "R 44\n\n", "points: expected tracepoints, found none");
  refuse ("# nothing\n", "points: expected tracepoints, found none");
  CHECK (!define_bytes ("*0x1\n*0\0002\n", 10));
  CHECK (strstr (tree.said, "points:2: expected a line of text of at most") != NULL);
  refuse ("*0x100\ntp X\n", "points:2: expected a definition as in the header");
  refuse ("tp A1\n", "points:1: expected a definition");
  refuse ("tp A1:100:R1\n", "points:1: expected a definition");
  refuse ("tp V1:zz\n", "points:1: expected a definition");
  refuse ("tp T1:100:E:0:0\ntp T1:100:E:0:0\n", "points:2: expected a definition");
  refuse ("tsv 40:0:0:61\ntsv 40:0:0:61:5\n", "points:2: expected a definition");
  refuse ("tp T1:100:E:0:0\ntp Z1:100:at:0:6:2a2830783829\n",
	  "tracepoint 1 stands for more than one place");
}

/* Where there are no expressions, the commands that the user typed count.  */
static void
test_commands (void)
{
  if (CHECK (define ("tp T1:100:E:0:0\n"
		     "tp Z1:100:at:0:4:6d61696e\n"
		     "tp Z1:100:cond:0:8:247230203d3d2035\n"
		     "tp Z1:100:cmd:0:b:636f6c6c65637420247230\n"	/* collect $r0  */
		     "tp Z1:100:cmd:0:4:77732032\n"			/* ws 2  */
		     "tp Z1:100:cmd:0:b:636f6c6c65637420247231\n"	/* collect $r1  */
		     "tp Z1:100:cmd:0:3:656e64\n"			/* end  */
		     "tp Z1:100:cmd:0:b:636f6c6c65637420247232\n"))	/* collect $r2  */
      && CHECK_INT (set.count, 1) && CHECK_INT (set.items[0].nactions, 3))
    {
      const struct tb_tracepoint *t = &set.items[0];
      CHECK_STR (definitions.items[0].name, "main");
      CHECK_INT (register_of (&t->condition), 0);
      for (size_t i = 0; i < 3; i++)
	CHECK_INT (t->actions[i].stepping, i == 1);
    }
  refuse ("tp T1:100:E:0:0\ntp Z1:100:cmd:0:5:7072696e74\n",
	  "expected collect, teval, while-stepping or end");
  refuse ("tp T1:100:E:0:0\ntp Z1:100:cmd:0:8:636f6c6c65637473\n",
	  "expected collect, teval, while-stepping or end");
  refuse ("tp T1:100:E:0:0\ntp Z1:100:cond:0:3:24712b\n", "tracepoint 1");
}

/* Places that are nowhere.  */
static void
test_places (void)
{
  refuse ("a.c:nowhere\n", "names need the symbols");
  refuse ("a.c:\n", "expected a line or a function behind :");
  refuse ("nowhere\n", "names need the symbols");
  refuse ("*\n", "expected an address behind *");
  if (CHECK (define ("*0x101\n0x204\n*  0x300\n")) && CHECK_INT (set.count, 3))
    for (size_t i = 0; i < 3; i++)
      CHECK_INT (set.items[i].address, 0x100 * (i + 1) + 4 * (i == 1));
}

int
main (void)
{
  static const struct tb_profile profile
    = { TB_ARCH_V7EM, true, false, true, "Cortex-M4", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 };
  static const struct tb_tdesc_options options = { .stacks = false };
  tree_make (&tree);
  tdesc = tb_tdesc_own (&profile, &options);
  symbols = tb_symbols_new ();
  if (!CHECK (tdesc != NULL && symbols != NULL))
    return check_done ();
  test_numbers ();
  test_not_followed ();
  test_bare ();
  test_order ();
  test_files ();
  test_commands ();
  test_places ();
  tb_definitions_fini (&definitions);
  tb_tracepoint_set_fini (&set);
  tb_symbols_free (symbols);
  tb_tdesc_free (tdesc);
  tree_remove (&tree);
  return check_done ();
}
