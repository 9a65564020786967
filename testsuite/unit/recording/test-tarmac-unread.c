/* Tarmac logs as recordings: lines that are not understood, cut off or empty.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <time.h>

#include "log-run.h"

/* Lines that are no good are counted; the run goes on.  */
static void
test_bad (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 2001 T16 MOV r0,#1\n"
		 "1 ns R r0 00000001\n"
		 "1 ns MNW4___D nonsense\n"
		 "1 ns M with free text\n"
		 "1 ns R r1 zorro\n"
		 "Free text: a simulator says something.\n"
		 "1 ns FROB 1\n"
		 "1 ns FROB 2\n"
		 "2 ns IT (2) 00000102 2002 T16 MOV r0,#2\n"
		 "2 ns R r0 00000002 3 ns IT (3) 00000104 2003 T16 MOV r0,#3\n"
		 "3 ns R r0 00000003"))
    return;
  CHECK_STR (pcs (&log), "100 102 104");
  expect (&log, 1, "r0=1 r1=?");
  expect (&log, 3, "r0=3");
  CHECK_INT (bad_lines (&log), 5);
  CHECK (strstr (tree.said, "log:3: expected an address; the line is left out, "
		 "and so are others like it\n  1 ns MNW4___D nonsense\n"
		 "                ^") != NULL);
  CHECK (strstr (tree.said, "  1 ns FROB 1\n       ^") != NULL);
  CHECK (strstr (tree.said, "FROB 2") == NULL);
  CHECK (strstr (tree.said, "log: not understood: 2 lines FROB, the first in line 7")
	 != NULL);
  close_log (&log);
}

/* What a line that is not understood may have changed is not known behind it, and
   nothing else.  */
static void
test_unread (void)
{
  struct log log;
  static const char before[] =
    "1 ns IT (1) 00000100 46c0 T16 NOP\n"
    "1 ns R r0 00000001\n"
    "1 ns R r1 20000000\n"
    "1 ns R MSP 20001000\n"
    "1 ns R s1 3f800000\n"
    "1 ns R xpsr 01000000\n"
    "1 ns MNW4___D 20000000 00000011\n"
    "1 ns MNW4___D 20000020 00000022\n"
    "2 ns IT (2) 00000102 46c0 T16 NOP\n";
  static const char behind[] = "3 ns IT (3) 00000104 46c0 T16 NOP\n";
  static const char all[] = "r0=1 r1=20000000 msp=20001000 xpsr=1000000 "
			    "m:20000000=11000000 m:20000020=22000000";
  static const struct { const char *line, *want; } rows[] = {
    { "", "" },
    { "R r0 oops", "r0=?" },
    { "R r0", "r0=?" },
    { "R MSP", "msp=?" },
    { "R s1 oops", "" },
    { "R xpsr oops", "xpsr=?" },
    { "R", "r0=? r1=? msp=? xpsr=?" },
    { "MNW4___D 20000000 oops", "m:20000000=????????" },
    { "MNW2___D 20000000 oops", "m:20000000=????0000" },
    { "MNW4___D oops", "m:20000000=???????? m:20000020=????????" },
    { "MNW4___D 2000zz00 00000007",
      "m:20000000=???????? m:20000020=????????" },
    { "MNR4___D 2000zz00 00000007", "" },
    { "MNWx___D 20000000 00000001", "m:20000000=???????? m:20000020=????????" },
    { "ST 20000000 oops", "m:20000000=????????" },
    { "MNR4___D 20000000 oops", "" }, { "MNR4___D oops", "" },
    { "BNW4___S 20000000 oops", "" }, { "CACHE 20000000 r0", "" },
    { "XYZ r0 00000002", "r0=?" },
    { "XYZ r0,r1 := 2", "r0=? r1=?" },
    { "XYZ r9 20000000", "m:20000000=????????" },
    { "XYZ 0x20000020 00000005", "m:20000020=????????" },
    { "XYZ 5", "" }, { "TB r0 oops", "r0=?" },
    { "IT 0000zz02 46c0 T16 NOP", "r0=? r1=? msp=? xpsr=? "
      "m:20000000=???????? m:20000020=????????" },
    { "IT (7) oops", "r0=? r1=? msp=? xpsr=? m:20000000=???????? "
		     "m:20000020=????????" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[1024], want[512] = "", copy[512];
      snprintf (text, sizeof text, "%s%s%s%s%s", before,
		*rows[i].line != 0 ? "2 ns " : "", rows[i].line,
		*rows[i].line != 0 ? "\n" : "", behind);
      if (!open_log (&log, text))
	return;
      expect (&log, 1, all);
      /* What is not said to change is as it was.  */
      snprintf (copy, sizeof copy, "%s", all);
      for (char *word = strtok (copy, " "); word != NULL; word = strtok (NULL, " "))
	{
	  size_t n = (size_t) (strchr (word, '=') - word) + 1;
	  const char *other = rows[i].want;
	  while (other != NULL && strncmp (other, word, n) != 0)
	    other = strchr (other, ' ') != NULL ? strchr (other, ' ') + 1 : NULL;
	  size_t length = other != NULL ? strcspn (other, " ") : strlen (word);
	  snprintf (want + strlen (want), sizeof want - strlen (want), "%s%.*s",
		    *want != 0 ? " " : "", (int) length,
		    other != NULL ? other : word);
	}
      const char *line = rows[i].line;
      bool lost = strcmp (line, "R") == 0 || strncmp (line, "R s1", 4) == 0
		  || *line == 'I';
      if (!expect (&log, 2, want)
	  || !expect_vectors (&log, 2, lost ? "s1=?" : "s1=3f800000"))
	fprintf (stderr, "  behind %s\n", line);
      close_log (&log);
    }
}

/* The last line may be cut off: what was before it is known.  */
static void
test_cut (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 46c0 T16 NOP\n"
		 "1 ns R r0 00000001\n"
		 "2 ns IT (2) 00000102 46c0 T16 NOP\n"
		 "2 ns IT (3) 0000"))
    return;
  CHECK_STR (pcs (&log), "100 102");
  expect (&log, 2, "r0=1");
  CHECK_INT (tb_recording_info (log.recording)->gaps, 0);
  CHECK_INT (bad_lines (&log), 1);
  close_log (&log);
}

/* Lines in which there is nothing are counted, and cost nothing: a compressed log of a few
   KB may have a billion of them.  */
static void
test_blank (void)
{
  enum { BLANKS = 32 << 20 };
  static const char first[] = "1 ns IT (1) 00000100 2001 T16 MOV r0,#1\n";
  static const char last[] = "1 ns R r0 00000001\n1 ns FROB 1\n";
  struct log log;
  if (!open_log (&log, "\n \t\r\n1 ns IT (1) 00000100 2001 T16 MOV r0,#1\n\n\r\n  \n"
		       "1 ns FROB 1\n\n"))
    return;
  const struct tb_tarmac_log *t = &log.session.log->tarmac;
  CHECK (strstr (tree.said, "log:7: no kind of line that is known") != NULL);
  CHECK_INT (t->lines, 8);
  CHECK_INT (t->kinds[TB_TARMAC_BLANK], 6);
  CHECK_INT (t->cores[0]->kinds[TB_TARMAC_BLANK].lines, 6);
  CHECK_INT (t->cores[0]->kinds[TB_TARMAC_BLANK].bytes, 12);
  close_log (&log);

  char *text = malloc (sizeof first + BLANKS + sizeof last);
  if (!CHECK (text != NULL))
    return;
  memcpy (text, first, sizeof first - 1);
  memset (text + sizeof first - 1, '\n', BLANKS);
  memcpy (text + sizeof first - 1 + BLANKS, last, sizeof last);
  clock_t start = clock ();
  bool opened = open_log (&log, text);
  /* A hundredth of it, as a rule; what parses each line takes three seconds.  */
  CHECK ((double) (clock () - start) / CLOCKS_PER_SEC < 1.5);
  free (text);
  if (!opened)
    return;
  expect (&log, 1, "r0=1");
  CHECK_INT (log.session.log->tarmac.lines, BLANKS + 3);
  CHECK (strstr (tree.said, "log:33554435: no kind") != NULL);
  close_log (&log);
}

/* Lines of logs whose records have no time: a word in capitals begins a record, of which
   what it names is not known behind it; all others are text, which is told.  */
static void
test_without_time (void)
{
  struct log log;
  char want[1400];
  if (!open_log (&log,
		 "Tarmac Text Rev 3t\n"
		 "      20000 ns  ES  (00000158:e59f1198) A svc:            LDR r1,{pc}\n"
		 "                    R R1 00000800\n"
		 "                    R R2 00000900\n"
		 "      21000 ns  ES  (0000015c:e1a00000) A svc:            NOP\n"
		 "                    ZAP R1 00000801\n"
		 "      22000 ns  ES  (00000160:e1a00000) A svc:            NOP\n"
		 "                    ZAP R1 00000802\n"
		 "Hello, world\n"
		 "      23000 ns  ES  (00000164:e1a00000) A svc:            NOP\n"
		 "Zap it: said the program\n"))
    return;
  expect (&log, 1, "r1=800 r2=900");
  expect (&log, 3, "r1=? r2=900");
  CHECK_INT (bad_lines (&log), 2);
  snprintf (want, sizeof want, "%s:6: no kind of line that is known",
	    tree_path (&tree, "log"));
  CHECK (strstr (tree.said, want) != NULL);
  CHECK (strstr (tree.said, "2 lines ZAP, the first in line 6") != NULL);
  CHECK (strstr (tree.said, "2 lines are no records and passed over as text, the first "
		 "in line 9") != NULL);
  close_log (&log);
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_bad, test_unread, test_without_time, test_cut, test_blank
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
