/* Unwinding rules, for frame addresses and return addresses.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 6.4 (call frame information); Linux Standard Base, "Exception
   Frames" (.eh_frame).  The rules are run here, for the frame's address and the return
   address alone: libdw, which would do it, makes room for whatever register a rule
   names and for all states that rules remember.  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/number.h"
#include "util/search.h"

/* Compilers nest the states that they let remember no deeper.  */
#define REMEMBERED_MAX 16

/* .eh_frame's encodings of addresses.  */
enum
{
  EH_ABSOLUTE = 0x00, EH_UDATA2 = 0x02, EH_UDATA4 = 0x03, EH_UDATA8 = 0x04,
  EH_SDATA2 = 0x0a, EH_SDATA4 = 0x0b, EH_SDATA8 = 0x0c, EH_PC_RELATIVE = 0x10
};

/* Bytes that are read from the left.  */
struct frame_cursor
{
  const uint8_t *at, *end;
  bool failed;			/* By reading beyond the end.  */
};

static uint64_t
read_number (struct frame_cursor *c, unsigned size)
{
  uint64_t value = 0;
  if (size > (size_t) (c->end - c->at))
    {
      c->failed = true;
      c->at = c->end;
      return 0;
    }
  value = tb_number (c->at, size);
  c->at += size;
  return value;
}

static uint64_t
read_leb (struct frame_cursor *c, bool is_signed)
{
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do
    {
      byte = (uint8_t) read_number (c, 1);
      if (shift < 64)
	value |= (uint64_t) (byte & 0x7f) << shift;
      shift += 7;
    }
  while ((byte & 0x80) && !c->failed);
  if (is_signed && shift < 64 && (byte & 0x40))
    value |= UINT64_MAX << shift;
  return value;
}

/* A number of ENCODING; PLACE is the address of C->end.  */
static uint64_t
read_encoded (struct frame_cursor *c, uint8_t encoding, uint64_t place,
	      unsigned address_size)
{
  uint64_t here = place - (uint64_t) (c->end - c->at), value;
  switch (encoding & 0x0f)
    {
    case EH_ABSOLUTE: value = read_number (c, address_size); break;
    case EH_UDATA2: value = read_number (c, 2); break;
    case EH_UDATA4: value = read_number (c, 4); break;
    case EH_UDATA8: case EH_SDATA8: value = read_number (c, 8); break;
    case EH_SDATA2:
      value = (uint64_t) (int64_t) (int16_t) read_number (c, 2);
      break;
    case EH_SDATA4:
      value = (uint64_t) (int64_t) (int32_t) read_number (c, 4);
      break;
    default:
      c->failed = true;
      return 0;
    }
  if ((encoding & 0xf0) == EH_PC_RELATIVE)
    value += here;
  else if ((encoding & 0xf0) != 0)
    c->failed = true;
  return address_size == 4 ? (uint32_t) value : value;
}

/* The encoding of the addresses of CIE's FDEs in .eh_frame; false: it is not
   understood.  */
static bool
address_encoding (const Dwarf_CIE *cie, unsigned address_size,
		  uint8_t *encoding)
{
  struct frame_cursor c = { cie->augmentation_data,
		      cie->augmentation_data
		      + (cie->augmentation_data != NULL
			 ? cie->augmentation_data_size : 0), false };
  *encoding = EH_ABSOLUTE;
  if (cie->augmentation[0] == 0)
    return true;
  if (cie->augmentation[0] != 'z' || c.at == NULL)
    return false;
  for (const char *letter = cie->augmentation + 1; *letter != 0; letter++)
    switch (*letter)
      {
      case 'R':
	*encoding = (uint8_t) read_number (&c, 1);
	return !c.failed;
      case 'L':
	read_number (&c, 1);
	break;
      case 'P':
	read_encoded (&c, (uint8_t) read_number (&c, 1) & 0x0f, 0,
		      address_size);
	break;
      case 'S': case 'B':
	break;
      default:
	return false;
      }
  return true;
}

static int
by_low (const void *x, const void *y)
{
  const struct tb_unwind_range *a = x, *b = y;
  return a->low < b->low ? -1 : a->low > b->low;
}

/* Add what FDE, of SECTION, is for.  */
static void
add_fde (struct tb_debug_file *file, const struct tb_unwind_section *section,
	 const Dwarf_FDE *fde)
{
  Dwarf_Off next;
  Dwarf_CFI_Entry cie;
  uint8_t encoding = EH_ABSOLUTE;
  if (dwarf_next_cfi (section->ident, section->data, section->is_eh,
		      fde->CIE_pointer, &next, &cie) != 0
      || !dwarf_cfi_cie_p (&cie)
      || (section->is_eh && !address_encoding (&cie.cie, section->address_size,
					       &encoding)))
    return;
  struct frame_cursor c = { fde->start, fde->end, false };
  uint64_t place = section->address
		   + (uint64_t) (fde->end
				 - (const uint8_t *) section->data->d_buf);
  uint64_t low = read_encoded (&c, encoding, place, section->address_size);
  uint64_t size = read_encoded (&c, encoding & 0x0f, place,
				section->address_size);
  if (cie.cie.augmentation[0] == 'z')
    {
      uint64_t length = read_leb (&c, false);
      if (length > (uint64_t) (c.end - c.at))
	return;
      c.at += length;
    }
  bool ok = !c.failed && size != 0 && low + size > low
	    && TB_GROW (file->unwind, file->unwind_capacity, file->nunwind, 1);
  if (ok)
    file->unwind[file->nunwind++] = (struct tb_unwind_range) {
      low + file->bias, low + size + file->bias, fde->CIE_pointer, c.at, c.end,
      section->is_eh
    };
}

/* List the FDEs of ELF's section NAME, once.  */
static void
list_section (struct tb_debug_file *file, Elf *elf, const char *name, bool is_eh)
{
  size_t strings;
  GElf_Ehdr ehdr;
  struct tb_unwind_section *section = &file->sections[is_eh];
  if (elf == NULL || section->data != NULL || gelf_getehdr (elf, &ehdr) == NULL
      || elf_getshdrstrndx (elf, &strings) != 0)
    return;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn (elf, scn)) != NULL;)
    {
      GElf_Shdr header;
      const char *own;
      if (gelf_getshdr (scn, &header) == NULL
	  || header.sh_type == SHT_NOBITS
	  || (header.sh_flags & SHF_COMPRESSED) != 0
	  || (own = elf_strptr (elf, strings, header.sh_name)) == NULL
	  || strcmp (own, name) != 0)
	continue;
      Elf_Data *data = elf_rawdata (scn, NULL);
      if (data == NULL || data->d_buf == NULL)
	continue;
      *section = (struct tb_unwind_section) {
	.ident = (const unsigned char *) elf_getident (elf, NULL),
	.data = data, .address = header.sh_addr, .is_eh = is_eh,
	.address_size = ehdr.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4
      };
      break;
    }
  Dwarf_Off offset = 0, next;
  Dwarf_CFI_Entry entry;
  int status = 0;
  while (section->data != NULL && status >= 0)
    {
      status = dwarf_next_cfi (section->ident, section->data, is_eh, offset,
			       &next, &entry);
      if (status > 0 || next <= offset || next == (Dwarf_Off) -1)
	break;
      /* One that makes no sense is passed over, as far as its length tells.  */
      if (status == 0 && !dwarf_cfi_cie_p (&entry))
	add_fde (file, section, &entry.fde);
      offset = next;
    }
}

/* The FDE for PC.  */
static const struct tb_unwind_range *
find_range (struct tb_debug_file *file, uint64_t pc)
{
  if (!file->has_unwind)
    {
      GElf_Addr bias;
      Elf *debug = file->dwarf != NULL ? dwarf_getelf (file->dwarf) : NULL;
      Elf *elf = dwfl_module_getelf (file->module, &bias);
      file->has_unwind = true;
      list_section (file, debug, ".debug_frame", false);
      list_section (file, elf, ".debug_frame", false);
      list_section (file, elf, ".eh_frame", true);
      if (file->nunwind > 0)
	qsort (file->unwind, file->nunwind, sizeof *file->unwind, by_low);
    }
  size_t low;
  TB_LOWER_BOUND (low, file->nunwind, file->unwind[low].low <= pc);
  return low > 0 && pc < file->unwind[low - 1].high ? &file->unwind[low - 1]
						    : NULL;
}

/* The state that rules change.  */
struct machine
{
  const Dwarf_CIE *cie;
  unsigned address_size;
  uint64_t pc, at;		/* AT: the rules so far are for this address.  */
  struct tb_unwind now, initial, remembered[REMEMBERED_MAX];
  unsigned nremembered;
};

static void
set_cfa (struct machine *m, uint64_t reg, uint64_t offset)
{
  m->now.has_cfa = reg < UINT32_MAX;
  m->now.cfa_reg = (unsigned) reg;
  m->now.cfa_offset = offset;
}

/* The rule for register REG is KIND with VALUE.  */
static void
set_rule (struct machine *m, uint64_t reg, enum tb_unwind_kind kind,
	  uint64_t value)
{
  if (reg == m->cie->return_address_register)
    {
      m->now.kind = kind;
      m->now.value = value;
    }
}

/* Run one rule; false: it makes no sense, or is not understood.  */
static bool
run_rule (struct machine *m, struct frame_cursor *c)
{
  uint8_t code = (uint8_t) read_number (c, 1);
  uint64_t reg, n, factor = (uint64_t) m->cie->data_alignment_factor;
  switch (code & 0xc0)
    {
    case DW_CFA_advance_loc:
      m->at += (code & 0x3fu) * m->cie->code_alignment_factor;
      return true;
    case DW_CFA_offset:
      set_rule (m, code & 0x3f, TB_UNWIND_OFFSET, read_leb (c, false) * factor);
      return true;
    case DW_CFA_restore:
      set_rule (m, code & 0x3f, m->initial.kind, m->initial.value);
      return true;
    default:
      break;
    }
  switch (code)
    {
    case DW_CFA_nop:
    case DW_CFA_GNU_window_save:	/* AArch64: the return address is signed or
					   no longer.  */
      return true;
    case DW_CFA_set_loc:
      m->at = read_number (c, m->address_size);
      return true;
    case DW_CFA_advance_loc1: case DW_CFA_advance_loc2:
    case DW_CFA_advance_loc4:
      n = read_number (c, 1u << (code - DW_CFA_advance_loc1));
      m->at += n * m->cie->code_alignment_factor;
      return true;
    case DW_CFA_offset_extended: case DW_CFA_offset_extended_sf:
    case DW_CFA_val_offset: case DW_CFA_val_offset_sf:
      reg = read_leb (c, false);
      n = read_leb (c, code == DW_CFA_offset_extended_sf
		       || code == DW_CFA_val_offset_sf);
      set_rule (m, reg, code == DW_CFA_val_offset
			|| code == DW_CFA_val_offset_sf
			? TB_UNWIND_VALUE : TB_UNWIND_OFFSET, n * factor);
      return true;
    case DW_CFA_restore_extended:
      set_rule (m, read_leb (c, false), m->initial.kind, m->initial.value);
      return true;
    case DW_CFA_undefined:
      set_rule (m, read_leb (c, false), TB_UNWIND_NOWHERE, 0);
      return true;
    case DW_CFA_same_value:
      set_rule (m, read_leb (c, false), TB_UNWIND_SAME, 0);
      return true;
    case DW_CFA_register:
      reg = read_leb (c, false);
      set_rule (m, reg, TB_UNWIND_REGISTER, read_leb (c, false));
      return true;
    case DW_CFA_remember_state:
      if (m->nremembered == REMEMBERED_MAX)
	return false;
      m->remembered[m->nremembered++] = m->now;
      return true;
    case DW_CFA_restore_state:
      if (m->nremembered == 0)
	return false;
      m->now = m->remembered[--m->nremembered];
      return true;
    case DW_CFA_def_cfa: case DW_CFA_def_cfa_sf:
      reg = read_leb (c, false);
      n = read_leb (c, code == DW_CFA_def_cfa_sf);
      set_cfa (m, reg, code == DW_CFA_def_cfa_sf ? n * factor : n);
      return true;
    case DW_CFA_def_cfa_register:
      set_cfa (m, read_leb (c, false), m->now.cfa_offset);
      return true;
    case DW_CFA_def_cfa_offset:
      m->now.cfa_offset = read_leb (c, false);
      return true;
    case DW_CFA_def_cfa_offset_sf:
      m->now.cfa_offset = read_leb (c, true) * factor;
      return true;
    case DW_CFA_def_cfa_expression:
    case DW_CFA_expression: case DW_CFA_val_expression:
      reg = code != DW_CFA_def_cfa_expression ? read_leb (c, false) : 0;
      n = read_leb (c, false);
      if (n > (uint64_t) (c->end - c->at))
	return false;
      c->at += n;
      if (code == DW_CFA_def_cfa_expression)
	m->now.has_cfa = false;
      else
	set_rule (m, reg, TB_UNWIND_NOWHERE, 0);
      return true;
    case DW_CFA_GNU_args_size:
      read_leb (c, false);
      return true;
    default:
      return false;
    }
}

static bool
run_rules (struct machine *m, const uint8_t *at, const uint8_t *end)
{
  struct frame_cursor c = { at, end, false };
  /* Rules behind an advance beyond PC do not hold yet.  */
  while (c.at < c.end && m->at <= m->pc)
    if (!run_rule (m, &c) || c.failed)
      return false;
  return true;
}

bool
tb_variables_unwind (struct tb_debug_file *file, uint64_t pc,
		     struct tb_unwind *unwind)
{
  const struct tb_unwind_range *range = find_range (file, pc);
  Dwarf_Off next;
  Dwarf_CFI_Entry entry;
  if (range == NULL)
    return false;
  const struct tb_unwind_section *section = &file->sections[range->is_eh];
  if (dwarf_next_cfi (section->ident, section->data, section->is_eh, range->cie,
		      &next, &entry) != 0 || !dwarf_cfi_cie_p (&entry))
    return false;
  struct machine m = {
    .cie = &entry.cie, .address_size = section->address_size,
    .pc = pc - file->bias, .at = 0,
    .now = { .kind = TB_UNWIND_SAME }
  };
  if (!run_rules (&m, entry.cie.initial_instructions,
		  entry.cie.initial_instructions_end))
    return false;
  m.at = range->low - file->bias;
  m.initial = m.now;
  if (!run_rules (&m, range->at, range->end))
    return false;
  *unwind = m.now;
  unwind->return_reg = (unsigned) entry.cie.return_address_register;
  return true;
}
