/* Where return addresses stand, by each rule of unwinding, and by how addresses are encoded.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is expected follows from DWARF 5, 6.4 (call frame information), and of .eh_frame from
   the Linux Standard Base, "Exception Frames".  */

#include "config.h"

#include "made-dwarf.h"
#include "places-text.h"

static struct tb_diag silent;
static char file[] = "test-unwind-XXXXXX";

#define BYTES(...) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ })
#define NONE "there are no unwinding rules"
#define NO_FRAME "there are no unwinding rules for its frame"
#define IN_LR "register 14"
#define AT_SP "memory: reg 13"
/* Before all of them, the frame is at R13 and the return address in R14.  Locations are
   counted in 2 bytes, places in -4.  */
#define REMEMBER_8 DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state, \
  DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state, \
  DW_CFA_remember_state, DW_CFA_remember_state

static const struct
{
  uint8_t rules[24];
  size_t size;
  const char *returns, *frame;
} rows[] = {
  { { 0 }, 0, IN_LR, AT_SP },
  { BYTES (DW_CFA_nop, DW_CFA_GNU_window_save, DW_CFA_GNU_args_size, 4), IN_LR, AT_SP },
  { BYTES (DW_CFA_def_cfa, 11, 8, DW_CFA_offset | 14, 1), "memory: reg 11, const 4, add",
    "memory: reg 11, const 8, add" },
  { BYTES (DW_CFA_offset | 14, 2), "memory: reg 13, const -8, add", AT_SP },
  { BYTES (DW_CFA_offset | 13, 2), IN_LR, AT_SP },
  { BYTES (DW_CFA_offset_extended, 14, 1), "memory: reg 13, const -4, add", AT_SP },
  { BYTES (DW_CFA_offset_extended, 13, 1), IN_LR, AT_SP },
  { BYTES (DW_CFA_offset_extended_sf, 14, 0x7f), "memory: reg 13, const 4, add", AT_SP },
  { BYTES (DW_CFA_val_offset, 14, 3), "value: reg 13, const -12, add", AT_SP },
  { BYTES (DW_CFA_val_offset_sf, 14, 0x7d), "value: reg 13, const 12, add", AT_SP },
  { BYTES (DW_CFA_register, 14, 3), "register 3", AT_SP },
  { BYTES (DW_CFA_register, 13, 3), IN_LR, AT_SP },
  { BYTES (DW_CFA_undefined, 14), "the function has none", AT_SP },
  { BYTES (DW_CFA_undefined, 14, DW_CFA_same_value, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_undefined, 14, DW_CFA_restore | 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_undefined, 14, DW_CFA_restore | 13), "the function has none", AT_SP },
  { BYTES (DW_CFA_undefined, 14, DW_CFA_restore_extended, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_remember_state, DW_CFA_def_cfa, 7, 4, DW_CFA_undefined, 14,
	   DW_CFA_restore_state), IN_LR, AT_SP },
  { BYTES (REMEMBER_8, REMEMBER_8), IN_LR, AT_SP },
  { BYTES (REMEMBER_8, REMEMBER_8, DW_CFA_remember_state), NONE, NO_FRAME },
  { BYTES (DW_CFA_restore_state), NONE, NO_FRAME },
  { BYTES (DW_CFA_def_cfa_sf, 7, 0x7e), IN_LR, "memory: reg 7, const 8, add" },
  { BYTES (DW_CFA_def_cfa_offset, 12, DW_CFA_def_cfa_register, 7), IN_LR,
    "memory: reg 7, const 12, add" },
  { BYTES (DW_CFA_def_cfa_offset_sf, 0x7d), IN_LR, "memory: reg 13, const 12, add" },
  { BYTES (DW_CFA_def_cfa_offset, 0x80, 0x01), IN_LR, "memory: reg 13, const 128, add" },
  /* Bits above the 64th are no part of a number.  */
  { BYTES (DW_CFA_def_cfa_offset, 0x84, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	   0x7f), IN_LR, "memory: reg 13, const 4, add" },
  /* Registers that are none.  */
  { BYTES (DW_CFA_def_cfa, 0xff, 0xff, 0xff, 0xff, 0x0f, 4), IN_LR,
    "its frame's address is too complicated" },
  { BYTES (DW_CFA_def_cfa_expression, 1, DW_OP_lit0), IN_LR,
    "its frame's address is too complicated" },
  { BYTES (DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_offset | 14, 1),
    "the frame's address is too complicated", "its frame's address is too complicated" },
  { BYTES (DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_def_cfa, 13, 4), IN_LR,
    "memory: reg 13, const 4, add" },
  { BYTES (DW_CFA_def_cfa_expression, 9, DW_OP_lit0), NONE, NO_FRAME },
  { BYTES (DW_CFA_expression, 14, 1, DW_OP_lit0), "the function has none", AT_SP },
  { BYTES (DW_CFA_val_expression, 14, 1, DW_OP_lit0), "the function has none", AT_SP },
  { BYTES (DW_CFA_val_expression, 13, 1, DW_OP_lit0), IN_LR, AT_SP },
  /* From 16 bytes behind the beginning on, which is where it is asked, or from 18.  */
  { BYTES (DW_CFA_advance_loc | 8, DW_CFA_undefined, 14), "the function has none", AT_SP },
  { BYTES (DW_CFA_advance_loc | 9, DW_CFA_undefined, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_advance_loc1, 8, DW_CFA_undefined, 14), "the function has none", AT_SP },
  { BYTES (DW_CFA_advance_loc1, 9, DW_CFA_undefined, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_advance_loc2, 8, 0, DW_CFA_undefined, 14), "the function has none", AT_SP },
  { BYTES (DW_CFA_advance_loc2, 0, 1, DW_CFA_undefined, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_advance_loc4, 8, 0, 0, 0, DW_CFA_undefined, 14), "the function has none",
    AT_SP },
  { BYTES (DW_CFA_advance_loc4, 0, 0, 1, 0, DW_CFA_undefined, 14), IN_LR, AT_SP },
  { BYTES (DW_CFA_set_loc, 0x10, 0x10, 0, 0, DW_CFA_undefined, 14), "the function has none",
    AT_SP },
  { BYTES (DW_CFA_set_loc, 0x12, 0x10, 0, 0, DW_CFA_undefined, 14), IN_LR, AT_SP },
  /* What is cut off, and what is no rule.  */
  { BYTES (DW_CFA_def_cfa), NONE, NO_FRAME },
  { BYTES (DW_CFA_def_cfa, 13, 0x80), NONE, NO_FRAME },
  { BYTES (DW_CFA_advance_loc4, 1, 0), NONE, NO_FRAME },
  { BYTES (0x3f), NONE, NO_FRAME }
};

/* Open the file with FRAMES as its section NAME; how the function at MADE_LOW + 16 returns,
   and where its frame is.  */
static void
compare (const char *section, const struct made_bytes *frames, uint32_t at,
	 const char *returns, const char *frame)
{
  struct made_bytes unit;
  char text[256];
  struct tb_object object;
  struct tb_storage storage;
  const char *why;
  const uint8_t cfa[] = { DW_OP_call_frame_cfa };
  made_begin (&unit, cfa, 1);
  made_variable (&unit, MADE_VARIABLE, "frame", cfa, 1);
  made_end_function (&unit);
  made_write (file, ET_EXEC, &unit, section, frames, at);
  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (symbols, file, 0, &silent), TB_OK);
  struct tb_variables *v = tb_variables_new (symbols, 4);
  bool found = tb_variables_return (v, MADE_LOW + 16, &storage, &why);
  CHECK_STR (found ? storage_text (&storage, text, sizeof text) : why, returns);
  if (CHECK (tb_variables_find (v, MADE_LOW + 16, "frame", 5, &object)))
    {
      found = tb_object_storage (v, &object, MADE_LOW + 16, &storage, &why);
      CHECK_STR (found ? storage_text (&storage, text, sizeof text) : why, frame);
    }
  CHECK (!tb_variables_return (v, MADE_LOW - 2, &storage, &why));
  CHECK (!tb_variables_return (v, MADE_HIGH, &storage, &why));
  tb_variables_free (v);
  tb_symbols_free (symbols);
}

static void
test_rules (void)
{
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct made_bytes frames = { .size = 0 };
      unsigned before = check_failures;
      made_u32 (&frames, 0);
      made_u32 (&frames, UINT32_MAX);
      made_add (&frames, (const uint8_t[]) { 1, 0, 2, 0x7c, 14, DW_CFA_def_cfa, 13, 0 }, 8);
      made_length (&frames, 0);
      size_t fde = frames.size;
      made_u32 (&frames, 0);
      made_u32 (&frames, 0);
      made_u32 (&frames, MADE_LOW);
      made_u32 (&frames, MADE_HIGH - MADE_LOW);
      made_add (&frames, rows[i].rules, rows[i].size);
      made_length (&frames, fde);
      compare (".debug_frame", &frames, 0, rows[i].returns, rows[i].frame);
      if (check_failures != before)
	fprintf (stderr, "in row %u of the rules\n", i);
    }
}

/* .eh_frame at this address.  */
#define EH_AT 0x2000
#define READ "memory: reg 13, const 4, add"

static const struct
{
  const char *augmentation;
  uint8_t data[8];		/* That of the CIE.  */
  uint8_t data_size;
  uint8_t form;			/* Of the function's address here: bytes.  */
  bool is_relative;		/* To where it stands.  */
  uint8_t more;			/* What the FDE says of the length of its own data.  */
  uint32_t low, length;
  const char *returns;
} encodings[] = {
  { "", { 0 }, 0, 4, false, 0, MADE_LOW, 0x100, READ },
  { "z", { 0 }, 0, 4, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x00 }, 1, 4, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x02 }, 1, 2, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x03 }, 1, 4, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x04 }, 1, 8, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x0a }, 1, 2, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x0b }, 1, 4, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x0c }, 1, 8, false, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x10 }, 1, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x1a }, 1, 2, true, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x1b }, 1, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zR", { 0x1c }, 1, 8, true, 0, MADE_LOW, 0x100, READ },
  { "zLR", { 0x00, 0x1b }, 2, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zPLR", { 0x00, 1, 2, 3, 4, 0x00, 0x1b }, 7, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zPR", { 0x9b, 1, 2, 3, 4, 0x03 }, 6, 4, false, 0, MADE_LOW, 0x100, READ },
  { "zRS", { 0x1b }, 1, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zSR", { 0x1b }, 1, 4, true, 0, MADE_LOW, 0x100, READ },
  { "zBR", { 0x1b }, 1, 4, true, 0, MADE_LOW, 0x100, READ },
  /* Other letters, other bases, numbers of other forms.  */
  { "zXR", { 0x1b }, 1, 4, true, 0, MADE_LOW, 0x100, NONE },
  { "zR", { 0x33 }, 1, 4, false, 0, MADE_LOW, 0x100, NONE },
  { "zR", { 0x01 }, 1, 4, false, 0, MADE_LOW, 0x100, NONE },
  { "zR", { 0 }, 0, 4, false, 0, MADE_LOW, 0x100, NONE },
  /* Data that would be longer than the FDE, and no instructions.  */
  { "zR", { 0x03 }, 1, 4, false, 99, MADE_LOW, 0x100, NONE },
  { "zR", { 0x03 }, 1, 4, false, 0, MADE_LOW, 0, NONE }
};

static void
add_number (struct made_bytes *b, unsigned size, uint32_t value)
{
  if (size == 2)
    made_u16 (b, value & 0xffff);
  else
    made_u32 (b, value);
  if (size == 8)
    made_u32 (b, 0);
}

static void
test_encodings (void)
{
  for (unsigned i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
    {
      struct made_bytes frames = { .size = 0 };
      unsigned before = check_failures;
      bool has_data = encodings[i].augmentation[0] == 'z';
      made_u32 (&frames, 0);
      made_u32 (&frames, 0);
      made_u8 (&frames, 1);
      made_text (&frames, encodings[i].augmentation);
      made_add (&frames, (const uint8_t[]) { 2, 0x7c, 14 }, 3);
      if (has_data)
	{
	  made_u8 (&frames, encodings[i].data_size);
	  made_add (&frames, encodings[i].data, encodings[i].data_size);
	}
      made_add (&frames, (const uint8_t[]) { DW_CFA_def_cfa, 13, 8, DW_CFA_offset | 14, 1 },
		5);
      made_length (&frames, 0);
      size_t fde = frames.size;
      made_u32 (&frames, 0);
      made_u32 (&frames, (uint32_t) frames.size);
      add_number (&frames, encodings[i].form,
		  encodings[i].low
		  - (encodings[i].is_relative ? EH_AT + (uint32_t) frames.size : 0));
      add_number (&frames, encodings[i].form, encodings[i].length);
      if (has_data)
	made_u8 (&frames, encodings[i].more);
      made_u8 (&frames, DW_CFA_nop);
      made_length (&frames, fde);
      made_u32 (&frames, 0);
      bool is_read = strcmp (encodings[i].returns, READ) == 0;
      compare (".eh_frame", &frames, EH_AT, encodings[i].returns,
	       is_read ? "memory: reg 13, const 8, add" : NO_FRAME);
      if (check_failures != before)
	fprintf (stderr, "in row %u of the encodings\n", i);
    }
}

int
main (void)
{
  int fd = mkstemp (file);
  if (!CHECK (fd >= 0))
    return check_done ();
  close (fd);
  test_rules ();
  test_encodings ();
  unlink (file);
  return check_done ();
}
