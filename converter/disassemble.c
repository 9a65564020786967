/* Instructions as text, by capstone.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tarmac.h"

#ifdef HAVE_LIBCAPSTONE

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>

/* Texts that are kept, each in the one place that it may have: programs run the same
   instructions again and again.  */
#define KEPT 4096

struct kept
{
  uint64_t pc;
  uint32_t opcode;
  uint8_t size, isa;
  char text[90];
};

struct disassembler
{
  csh engines[3];		/* A64, A32, T32  */
  struct kept kept[KEPT];
};

bool
disassembler_new (struct disassembler **new, const struct tb_profile *profile)
{
  static const struct { cs_arch arch; int mode; } how[3] = {
    { CS_ARCH_ARM64, CS_MODE_ARM }, { CS_ARCH_ARM, CS_MODE_ARM },
    { CS_ARCH_ARM, CS_MODE_THUMB }
  };
  struct disassembler *d = calloc (1, sizeof *d);
  *new = NULL;
  if (d == NULL)
    return false;
  for (unsigned i = 0; i < 3; i++)
    {
      int mode = how[i].mode;
      if (i == 2 && profile->is_m)
	mode |= CS_MODE_MCLASS;
      else if (i > 0 && profile->arch >= TB_ARCH_V8R)
	mode |= CS_MODE_V8;
      errno = 0;
      bool opened
	= cs_open (how[i].arch, (cs_mode) mode, &d->engines[i]) == CS_ERR_OK;
      /* Capstone does not tell in all places what it has no memory for.  */
      bool lacks = errno == ENOMEM;
      if (!opened || lacks)
	{
	  if (!opened)
	    d->engines[i] = 0;
	  disassembler_free (d);
	  return !lacks;
	}
    }
  *new = d;
  return true;
}

void
disassembler_free (struct disassembler *d)
{
  if (d == NULL)
    return;
  for (unsigned i = 0; i < 3; i++)
    if (d->engines[i] != 0)
      cs_close (&d->engines[i]);
  free (d);
}

/* The instruction of K into its text; false: it is none.  */
static bool
decode (struct disassembler *d, struct kept *k)
{
  unsigned engine = k->isa == TB_ISA_A64 ? 0 : k->isa == TB_ISA_A32 ? 1 : 2;
  uint32_t word = engine == 2 && k->size == 4
		  ? k->opcode >> 16 | k->opcode << 16 : k->opcode;
  uint8_t bytes[4];
  cs_insn *insn;
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t) (word >> 8 * i);
  errno = 0;
  if (k->isa > TB_ISA_T32
      || cs_disasm (d->engines[engine], bytes, k->size, k->pc, 1, &insn) != 1)
    return false;
  /* A log pads mnemonics.  */
  int n = snprintf (k->text, sizeof k->text, *insn->op_str != 0 ? "%-8s %s"
		    : "%s", insn->mnemonic, insn->op_str);
  cs_free (insn, 1);
  return n > 0;
}

void
disassemble (struct disassembler *d, struct tb_buffer *text,
	     const struct tb_step *step)
{
  if (d != NULL)
    {
      struct kept *k = &d->kept[(step->pc >> 1) % KEPT];
      bool same = k->pc == step->pc && k->opcode == step->opcode
		  && k->size == step->size && k->isa == step->isa;
      if (!same)
	{
	  *k = (struct kept) { .pc = step->pc, .opcode = step->opcode,
			       .size = step->size, .isa = step->isa };
	  if (!decode (d, k))
	    *k->text = 0;
	  text->failed |= errno == ENOMEM;
	}
      if (*k->text != 0)
	{
	  tb_buffer_append (text, k->text, strlen (k->text));
	  return;
	}
    }
  tb_buffer_printf (text, "DCI      0x%0*x", 2 * step->size, step->opcode);
}

#else /* not HAVE_LIBCAPSTONE */

bool
disassembler_new (struct disassembler **new, const struct tb_profile *profile)
{
  (void) profile;
  *new = NULL;
  return true;
}

void
disassembler_free (struct disassembler *d)
{
  (void) d;
}

void
disassemble (struct disassembler *d, struct tb_buffer *text,
	     const struct tb_step *step)
{
  (void) d;
  tb_buffer_printf (text, "DCI      0x%0*x", 2 * step->size, step->opcode);
}

#endif /* not HAVE_LIBCAPSTONE */
