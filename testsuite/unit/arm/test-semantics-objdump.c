/* The semantics of A32, and of T32 on the A and R profile, against another
   disassembler: arm-none-eabi-objdump of the GNU binutils.  For random opcodes,
   what it names is described, and the registers that its operands say are written
   are those that the description writes.  Skipped where there is none.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm/ir/semantics.h"
#include "check.h"

#define OPCODES 60000
#define PC UINT32_C (0x8000)

static const struct tb_profile v7a = { .arch = TB_ARCH_V7A };

/* How the registers that an instruction writes follow from its operands.  */
enum kind
{
  NONE, FIRST, TWO, THIRD, THIRD_TWO, LOAD, LOAD_TWO, STORE, LOAD_LIST,
  STORE_LIST, STATUS, LINK, SYSTEM
};

static const struct { const char *name; enum kind kind; } names[] = {
  { "and", FIRST }, { "eor", FIRST }, { "sub", FIRST }, { "rsb", FIRST },
  { "add", FIRST }, { "adc", FIRST }, { "sbc", FIRST }, { "rsc", FIRST },
  { "orr", FIRST }, { "mov", FIRST }, { "bic", FIRST }, { "mvn", FIRST },
  { "orn", FIRST }, { "lsl", FIRST }, { "lsr", FIRST }, { "asr", FIRST },
  { "ror", FIRST }, { "rrx", FIRST }, { "movw", FIRST }, { "movt", FIRST },
  { "addw", FIRST }, { "subw", FIRST }, { "adr", FIRST }, { "neg", FIRST },
  { "tst", NONE }, { "teq", NONE }, { "cmp", NONE }, { "cmn", NONE },
  { "mul", FIRST }, { "mla", FIRST }, { "mls", FIRST }, { "sdiv", FIRST },
  { "udiv", FIRST }, { "usad8", FIRST }, { "usada8", FIRST },
  { "smulbb", FIRST }, { "smulbt", FIRST }, { "smultb", FIRST },
  { "smultt", FIRST }, { "smlabb", FIRST }, { "smlabt", FIRST },
  { "smlatb", FIRST }, { "smlatt", FIRST }, { "smulwb", FIRST },
  { "smulwt", FIRST }, { "smlawb", FIRST }, { "smlawt", FIRST },
  { "smuad", FIRST }, { "smuadx", FIRST }, { "smusd", FIRST },
  { "smusdx", FIRST }, { "smlad", FIRST }, { "smladx", FIRST },
  { "smlsd", FIRST }, { "smlsdx", FIRST }, { "smmul", FIRST },
  { "smmulr", FIRST }, { "smmla", FIRST }, { "smmlar", FIRST },
  { "smmls", FIRST }, { "smmlsr", FIRST }, { "umull", TWO }, { "umlal", TWO },
  { "smull", TWO }, { "smlal", TWO }, { "umaal", TWO }, { "smlalbb", TWO },
  { "smlalbt", TWO }, { "smlaltb", TWO }, { "smlaltt", TWO },
  { "smlald", TWO }, { "smlaldx", TWO }, { "smlsld", TWO },
  { "smlsldx", TWO }, { "qadd", FIRST }, { "qsub", FIRST },
  { "qdadd", FIRST }, { "qdsub", FIRST }, { "ssat", FIRST }, { "usat", FIRST },
  { "ssat16", FIRST }, { "usat16", FIRST }, { "pkhbt", FIRST },
  { "pkhtb", FIRST }, { "sxtb", FIRST }, { "sxth", FIRST },
  { "sxtb16", FIRST }, { "uxtb", FIRST }, { "uxth", FIRST },
  { "uxtb16", FIRST }, { "sxtab", FIRST }, { "sxtah", FIRST },
  { "sxtab16", FIRST }, { "uxtab", FIRST }, { "uxtah", FIRST },
  { "uxtab16", FIRST }, { "sel", FIRST }, { "rev", FIRST }, { "rev16", FIRST },
  { "revsh", FIRST }, { "rbit", FIRST }, { "clz", FIRST }, { "bfc", FIRST },
  { "bfi", FIRST }, { "sbfx", FIRST }, { "ubfx", FIRST },
  { "crc32b", FIRST }, { "crc32h", FIRST }, { "crc32w", FIRST },
  { "crc32cb", FIRST }, { "crc32ch", FIRST }, { "crc32cw", FIRST },
  { "ldr", LOAD }, { "ldrb", LOAD }, { "ldrt", LOAD }, { "ldrbt", LOAD },
  { "ldrh", LOAD }, { "ldrsb", LOAD }, { "ldrsh", LOAD }, { "ldrht", LOAD },
  { "ldrsbt", LOAD }, { "ldrsht", LOAD }, { "ldrd", LOAD_TWO },
  { "ldrex", LOAD }, { "ldrexb", LOAD }, { "ldrexh", LOAD },
  { "ldrexd", LOAD_TWO }, { "lda", LOAD }, { "ldab", LOAD }, { "ldah", LOAD },
  { "ldaex", LOAD }, { "ldaexb", LOAD }, { "ldaexh", LOAD },
  { "ldaexd", LOAD_TWO }, { "swp", LOAD }, { "swpb", LOAD },
  { "str", STORE }, { "strb", STORE }, { "strt", STORE }, { "strbt", STORE },
  { "strh", STORE }, { "strht", STORE }, { "strd", STORE }, { "stl", STORE },
  { "stlb", STORE }, { "stlh", STORE }, { "strex", STATUS },
  { "strexb", STATUS }, { "strexh", STATUS }, { "strexd", STATUS },
  { "stlex", STATUS }, { "stlexb", STATUS }, { "stlexh", STATUS },
  { "stlexd", STATUS }, { "ldm", LOAD_LIST }, { "ldmia", LOAD_LIST },
  { "ldmib", LOAD_LIST }, { "ldmda", LOAD_LIST }, { "ldmdb", LOAD_LIST },
  { "pop", LOAD_LIST }, { "stm", STORE_LIST }, { "stmia", STORE_LIST },
  { "stmib", STORE_LIST }, { "stmda", STORE_LIST }, { "stmdb", STORE_LIST },
  { "push", STORE_LIST }, { "b", NONE }, { "bx", NONE }, { "bl", LINK },
  { "blx", LINK }, { "cbz", NONE }, { "cbnz", NONE }, { "tbb", NONE },
  { "tbh", NONE }, { "svc", NONE }, { "udf", NONE }, { "bkpt", NONE },
  { "nop", NONE }, { "yield", NONE }, { "wfe", NONE }, { "wfi", NONE },
  { "sev", NONE }, { "dbg", NONE }, { "dmb", NONE }, { "dsb", NONE },
  { "isb", NONE }, { "clrex", NONE }, { "pld", NONE }, { "pldw", NONE },
  { "pli", NONE }, { "it", NONE }, { "mcr", NONE }, { "mcr2", NONE },
  { "mcrr", NONE }, { "mcrr2", NONE }, { "mrc", THIRD }, { "mrc2", THIRD },
  { "mrrc", THIRD_TWO }, { "mrrc2", THIRD_TWO }, { "cdp", NONE },
  { "cdp2", NONE }, { "mrs", FIRST }, { "msr", SYSTEM }, { "cps", SYSTEM },
  { "cpsie", SYSTEM }, { "cpsid", SYSTEM }, { "rfeia", SYSTEM },
  { "rfeib", SYSTEM }, { "rfeda", SYSTEM }, { "rfedb", SYSTEM },
  { "srsia", SYSTEM }, { "srsib", SYSTEM }, { "srsda", SYSTEM },
  { "srsdb", SYSTEM }, { "eret", SYSTEM }, { "setend", NONE }, { "smc", NONE },
  { "hvc", NONE }, { "setpan", NONE }
};

/* The register at TEXT, which is moved behind it; 16: there is none.  */
static unsigned
read_register (const char **text)
{
  static const char *const others[] = { "sl", "fp", "ip", "sp", "lr", "pc" };
  const char *at = *text;
  while (*at == ' ' || *at == '\t' || *at == ',' || *at == '{')
    at++;
  unsigned r = 16;
  for (unsigned i = 0; i < 6; i++)
    if (strncmp (at, others[i], 2) == 0)
      {
	r = 10 + i;
	at += 2;
      }
  if (r == 16 && at[0] == 'r' && at[1] >= '0' && at[1] <= '9')
    r = (unsigned) strtoul (at + 1, (char **) &at, 10);
  *text = at;
  return r;
}

/* The registers of a list in braces at TEXT.  */
static unsigned
read_list (const char *text)
{
  unsigned list = 0;
  const char *at = strchr (text, '{');
  for (at = at != NULL ? at + 1 : "}"; *at != '}' && *at != '\0';)
    {
      unsigned from = read_register (&at), to = from;
      if (*at == '-')
	{
	  at++;
	  to = read_register (&at);
	}
      for (unsigned r = from; r <= to && r < 16; r++)
	list |= 1u << r;
      if (from == 16)
	break;
    }
  return list;
}

/* The base that an address in TEXT changes, as a bit.  */
static unsigned
written_base (const char *text)
{
  const char *at = strchr (text, '['), *end;
  if (at == NULL || (end = strchr (at, ']')) == NULL
      || (end[1] != '!' && end[1] != ','))
    return 0;
  at++;
  return 1u << read_register (&at);
}

/* What is written according to the operands TEXT.  */
static unsigned
expected (enum kind kind, const char *name, const char *text)
{
  const char *at = text;
  unsigned set = 0, r;
  switch (kind)
    {
    case NONE: case SYSTEM:
      return 0;
    case LINK:
      return 1u << 14;
    case THIRD: case THIRD_TWO:
      for (unsigned i = 0; i < 2 && at != NULL; i++)
	at = strchr (at, ',') != NULL ? strchr (at, ',') + 1 : NULL;
      if (at == NULL)
	return 0;
      set = 1u << read_register (&at);
      if (kind == THIRD_TWO)
	set |= 1u << read_register (&at);
      return set & 0x7fff;
    case LOAD_LIST: case STORE_LIST:
      if (kind == LOAD_LIST)
	set = read_list (text);
      if (name[0] == 'p')
	return (set | 1u << 13) & 0x7fff;
      r = read_register (&at);
      if (*at == '!')
	set |= 1u << r;
      return set & 0x7fff;
    case STORE:
      return written_base (text) & 0x7fff;
    default:
      r = read_register (&at);
      set = 1u << r;
      if (kind == TWO)
	set |= 1u << read_register (&at);
      if (kind == LOAD_TWO)
	{
	  unsigned second = read_register (&at);
	  set |= 1u << (second < 16 ? second : r + 1);
	}
      if (kind == LOAD || kind == LOAD_TWO)
	set |= written_base (text);
      return set & 0x7fff;
    }
}

static bool
find_kind (const char *name, enum kind *kind)
{
  char plain[32];
  snprintf (plain, sizeof plain, "%s", name);
  char *width = strstr (plain, ".w");
  if (width != NULL || (width = strstr (plain, ".n")) != NULL)
    *width = '\0';
  for (unsigned pass = 0; pass < 2; pass++)
    {
      for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
	if (strcmp (names[i].name, plain) == 0)
	  {
	    *kind = names[i].kind;
	    return pass == 0 || *kind == FIRST || *kind == TWO;
	  }
      /* One that sets flags.  */
      size_t n = strlen (plain);
      if (n < 3 || plain[n - 1] != 's')
	return false;
      plain[n - 1] = '\0';
    }
  return false;
}

static uint64_t
next_random (uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

struct counts
{
  unsigned named, described, unpredictable, unknown_names;
};

/* A line of the disassembler for OPCODE: NAME with operands TEXT.  */
static void
check_line (struct counts *counts, bool thumb, uint32_t opcode,
	    const char *name, const char *text)
{
  struct tb_semantics s;
  struct tb_semantics_effect effect;
  enum kind kind;
  static unsigned told;

  if (!find_kind (name, &kind))
    {
      counts->unknown_names++;
      if (getenv ("TB_SHOW") != NULL)
	printf ("OTHER %08x %s %s", opcode, name, text);
      return;
    }
  counts->named++;
  if (thumb)
    tb_semantics_t32 (&s, opcode, 4, PC, &v7a);
  else
    tb_semantics_a32 (&s, opcode, PC, &v7a);
  if (strstr (text, "UNPREDICTABLE") != NULL || strstr (text, "undefined"))
    {
      counts->unpredictable++;
      return;
    }
  if (!s.modelled)
    {
      if (getenv ("TB_SHOW") != NULL)
	printf ("%08x %s %s", opcode, name, text);
      return;
    }
  counts->described++;
  if (kind == SYSTEM || s.flags & TB_SEM_RETURNS
      || (strchr (text, '^') != NULL))
    return;
  tb_semantics_effect (s.uops, s.count, false, &effect);
  unsigned want = expected (kind, name, text);
  if (kind == THIRD && strstr (text, "APSR") != NULL)
    want = 0;
  if ((effect.may_write & 0x7fff) != want && told++ < 20)
    {
      CHECK_INT (effect.may_write & 0x7fff, want);
      fprintf (stderr, "%08x %s %s", opcode, name, text);
    }
}

static void
check_set (bool thumb, uint64_t seed, struct counts *counts)
{
  char path[] = "tb-objdump-XXXXXX", command[256], line[512];
  int fd = mkstemp (path);
  FILE *file = fd >= 0 ? fdopen (fd, "wb") : NULL;
  if (!CHECK (file != NULL))
    return;
  for (unsigned i = 0; i < OPCODES; i++)
    {
      uint32_t op = (uint32_t) next_random (&seed);
      uint8_t b[4];
      if (thumb)
	{
	  op |= 0xe0000000;
	  if ((op & 0x18000000) == 0)
	    op |= 0x08000000 << (seed >> 40 & 1);
	  op = op << 16 | op >> 16;
	}
      else			/* Without a condition, which is in the name.  */
	op = (op & 0x0fffffff) | ((seed >> 40 & 7) == 0 ? 0xf0000000
				  : 0xe0000000);
      for (unsigned k = 0; k < 4; k++)
	b[k] = (uint8_t) (op >> 8 * k);
      fwrite (b, 1, 4, file);
    }
  fclose (file);
  snprintf (command, sizeof command,
	    "arm-none-eabi-objdump -D -b binary -marm %s %s",
	    thumb ? "-Mforce-thumb" : "", path);
  FILE *pipe = popen (command, "r");
  while (pipe != NULL && fgets (line, sizeof line, pipe) != NULL)
    {
      unsigned at, high, low;
      char name[32];
      int used = 0;
      uint32_t opcode;
      if (thumb && sscanf (line, " %x:\t%4x %4x \t%31s%n", &at, &high, &low,
			   name, &used) == 4)
	opcode = high << 16 | low;
      else if (thumb || sscanf (line, " %x:\t%8x \t%31s%n", &at, &high, name,
				&used) != 3)
	continue;
      else
	opcode = high;
      check_line (counts, thumb, opcode, name, line + used);
    }
  if (pipe != NULL)
    pclose (pipe);
  unlink (path);
}

int
main (void)
{
  if (system ("arm-none-eabi-objdump --version >/dev/null 2>&1") != 0)
    return check_skip ("no arm-none-eabi-objdump");
  for (unsigned thumb = 0; thumb < 2; thumb++)
    {
      struct counts counts = { 0, 0, 0, 0 };
      check_set (thumb, 0x123456789abcdef, &counts);
      printf ("%s: %u named, %u described, %u unpredictable, %u others\n",
	      thumb ? "T32" : "A32", counts.named, counts.described,
	      counts.unpredictable, counts.unknown_names);
      CHECK (counts.named > 1000);
    }
  return check_done ();
}
