/* A small ELF file with debugging information, made of what a test wants to be in it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   One unit with the base types below, and one function, FN, from MADE_LOW to MADE_HIGH,
   with the variables that are added.  Source: DWARF 5, 7.5 (units, abbreviations).  */

#ifndef TB_TESTS_UNIT_SUPPORT_MADE_DWARF_H
#define TB_TESTS_UNIT_SUPPORT_MADE_DWARF_H

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "elf-little.h"

#define MADE_LOW 0x1000
#define MADE_HIGH 0x1100
/* What the entries of .debug_addr are.  */
#define MADE_ADDRESS 0x1040
/* Where the file has what is at MADE_LOW.  */
#define MADE_OFFSET (sizeof (Elf32_Ehdr) + sizeof (Elf32_Phdr))
/* Of the symbol "known".  */
#define MADE_SYMBOL 0x1080

/* Where the unit has its base types: int, unsigned char, float, an integer of 16 bytes.  */
enum
{
  MADE_INT = 30, MADE_BYTE = 35, MADE_FLOAT = 40, MADE_WIDE = 45
};

struct made_bytes
{
  uint8_t bytes[8192];
  size_t size;
};

static inline void
made_add (struct made_bytes *b, const void *bytes, size_t size)
{
  if (!CHECK (size <= sizeof b->bytes - b->size))
    exit (1);
  if (size > 0)
    memcpy (b->bytes + b->size, bytes, size);
  b->size += size;
}

static inline void
made_u8 (struct made_bytes *b, unsigned value)
{
  made_add (b, &(uint8_t) { (uint8_t) value }, 1);
}

static inline void
made_u16 (struct made_bytes *b, unsigned value)
{
  made_u8 (b, value & 255);
  made_u8 (b, value >> 8);
}

static inline void
made_u32 (struct made_bytes *b, uint32_t value)
{
  made_u16 (b, value & 0xffff);
  made_u16 (b, value >> 16);
}

static inline void
made_text (struct made_bytes *b, const char *text)
{
  made_add (b, text, strlen (text) + 1);
}

/* The number at PLACE becomes how many bytes follow it.  */
static inline void
made_length (struct made_bytes *b, size_t place)
{
  struct made_bytes length = { .size = 0 };
  made_u32 (&length, (uint32_t) (b->size - place - 4));
  memcpy (b->bytes + place, length.bytes, 4);
}

/* The abbreviations.  What they say stands in the order of the list below; those with
   children end with made_u8 (0).  */
enum
{
  MADE_UNIT = 1, MADE_FUNCTION, MADE_BASE, MADE_VARIABLE, MADE_DECLARED, MADE_BARE,
  MADE_FRAMELESS, MADE_ENUM, MADE_ENUM_CLASS, MADE_ENUM_DECLARED, MADE_ENUMERATOR,
  MADE_STRUCT, MADE_STRUCT_DECLARED, MADE_UNION, MADE_MEMBER, MADE_MEMBER_PLACED,
  MADE_BITS, MADE_BITS_OLD, MADE_STATIC, MADE_BASE_CLASS, MADE_VIRTUAL_CLASS, MADE_ARRAY,
  MADE_UPPER, MADE_COUNT, MADE_OPEN, MADE_TYPEDEF, MADE_NAMESPACE
};

#define MADE_NAME DW_AT_name, DW_FORM_string
#define MADE_TYPE DW_AT_type, DW_FORM_ref4
#define MADE_SIZE DW_AT_byte_size, DW_FORM_data1
#define MADE_IS_DECLARED DW_AT_declaration, DW_FORM_flag_present
#define MADE_PLACE DW_AT_data_member_location, DW_FORM_data1

static const uint8_t made_abbreviations[] = {
  MADE_UNIT, DW_TAG_compile_unit, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string,
  DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
  DW_AT_addr_base, DW_FORM_sec_offset, DW_AT_language, DW_FORM_data1, 0, 0,
  MADE_FUNCTION, DW_TAG_subprogram, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string,
  DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
  DW_AT_frame_base, DW_FORM_exprloc, 0, 0,
  MADE_BASE, DW_TAG_base_type, DW_CHILDREN_no, DW_AT_name, DW_FORM_string,
  DW_AT_encoding, DW_FORM_data1, DW_AT_byte_size, DW_FORM_data1, 0, 0,
  MADE_VARIABLE, DW_TAG_variable, DW_CHILDREN_no, DW_AT_name, DW_FORM_string,
  DW_AT_type, DW_FORM_ref4, DW_AT_location, DW_FORM_exprloc, 0, 0,
  MADE_DECLARED, DW_TAG_variable, DW_CHILDREN_no, DW_AT_name, DW_FORM_string,
  DW_AT_type, DW_FORM_ref4, DW_AT_declaration, DW_FORM_flag_present, 0, 0,
  MADE_BARE, DW_TAG_variable, DW_CHILDREN_no, DW_AT_name, DW_FORM_string,
  DW_AT_type, DW_FORM_ref4, 0, 0,
  MADE_FRAMELESS, DW_TAG_subprogram, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string,
  DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0,
  MADE_ENUM, DW_TAG_enumeration_type, DW_CHILDREN_yes, MADE_NAME, MADE_SIZE, 0, 0,
  MADE_ENUM_CLASS, DW_TAG_enumeration_type, DW_CHILDREN_yes, MADE_NAME, MADE_SIZE,
  DW_AT_enum_class, DW_FORM_flag_present, 0, 0,
  MADE_ENUM_DECLARED, DW_TAG_enumeration_type, DW_CHILDREN_no, MADE_NAME, MADE_IS_DECLARED,
  0, 0,
  MADE_ENUMERATOR, DW_TAG_enumerator, DW_CHILDREN_no, MADE_NAME, DW_AT_const_value,
  DW_FORM_sdata, 0, 0,
  MADE_STRUCT, DW_TAG_structure_type, DW_CHILDREN_yes, MADE_NAME, MADE_SIZE, 0, 0,
  MADE_STRUCT_DECLARED, DW_TAG_structure_type, DW_CHILDREN_no, MADE_NAME,
  MADE_IS_DECLARED, 0, 0,
  MADE_UNION, DW_TAG_union_type, DW_CHILDREN_yes, MADE_NAME, MADE_SIZE, 0, 0,
  MADE_MEMBER, DW_TAG_member, DW_CHILDREN_no, MADE_NAME, MADE_TYPE, MADE_PLACE, 0, 0,
  MADE_MEMBER_PLACED, DW_TAG_member, DW_CHILDREN_no, MADE_NAME, MADE_TYPE,
  DW_AT_data_member_location, DW_FORM_exprloc, 0, 0,
  MADE_BITS, DW_TAG_member, DW_CHILDREN_no, MADE_NAME, MADE_TYPE, DW_AT_bit_size,
  DW_FORM_data1, DW_AT_data_bit_offset, DW_FORM_data1, 0, 0,
  MADE_BITS_OLD, DW_TAG_member, DW_CHILDREN_no, MADE_NAME, MADE_TYPE, DW_AT_bit_size,
  DW_FORM_data1, DW_AT_bit_offset, DW_FORM_data1, MADE_SIZE, MADE_PLACE, 0, 0,
  MADE_STATIC, DW_TAG_member, DW_CHILDREN_no, MADE_NAME, MADE_TYPE, DW_AT_external,
  DW_FORM_flag_present, MADE_IS_DECLARED, 0, 0,
  MADE_BASE_CLASS, DW_TAG_inheritance, DW_CHILDREN_no, MADE_TYPE, MADE_PLACE, 0, 0,
  MADE_VIRTUAL_CLASS, DW_TAG_inheritance, DW_CHILDREN_no, MADE_TYPE, MADE_PLACE,
  DW_AT_virtuality, DW_FORM_data1, 0, 0,
  MADE_ARRAY, DW_TAG_array_type, DW_CHILDREN_yes, MADE_TYPE, 0, 0,
  MADE_UPPER, DW_TAG_subrange_type, DW_CHILDREN_no, DW_AT_upper_bound, DW_FORM_data4, 0, 0,
  MADE_COUNT, DW_TAG_subrange_type, DW_CHILDREN_no, DW_AT_count, DW_FORM_data1, 0, 0,
  MADE_OPEN, DW_TAG_subrange_type, DW_CHILDREN_no, 0, 0,
  MADE_TYPEDEF, DW_TAG_typedef, DW_CHILDREN_no, MADE_NAME, MADE_TYPE, 0, 0,
  MADE_NAMESPACE, DW_TAG_namespace, DW_CHILDREN_yes, MADE_NAME, 0, 0,
  0
};

static inline void
made_base (struct made_bytes *b, unsigned offset, unsigned encoding, unsigned size)
{
  CHECK_INT (b->size, offset);
  made_u8 (b, MADE_BASE);
  made_text (b, (const char[]) { (char) ('a' + encoding), 0 });
  made_u8 (b, encoding);
  made_u8 (b, size);
}

/* Begin a unit and its function, whose frame base is the SIZE bytes FRAME; NULL: it has
   none.  */
static inline void
made_begin (struct made_bytes *b, const uint8_t *frame, size_t size)
{
  b->size = 0;
  made_u32 (b, 0);
  made_u16 (b, 5);
  made_u8 (b, DW_UT_compile);
  made_u8 (b, 4);
  made_u32 (b, 0);
  made_u8 (b, MADE_UNIT);
  made_text (b, "m.c");
  made_u32 (b, MADE_LOW);
  made_u32 (b, MADE_HIGH - MADE_LOW);
  /* Behind the head of .debug_addr.  */
  made_u32 (b, 8);
  made_u8 (b, DW_LANG_C99);
  made_base (b, MADE_INT, DW_ATE_signed, 4);
  made_base (b, MADE_BYTE, DW_ATE_unsigned, 1);
  made_base (b, MADE_FLOAT, DW_ATE_float, 4);
  made_base (b, MADE_WIDE, DW_ATE_signed, 16);
  made_u8 (b, frame != NULL ? MADE_FUNCTION : MADE_FRAMELESS);
  made_text (b, "fn");
  made_u32 (b, MADE_LOW);
  made_u32 (b, MADE_HIGH - MADE_LOW);
  if (frame != NULL)
    {
      made_u8 (b, (unsigned) size);
      made_add (b, frame, size);
    }
}

/* Add a variable KIND (MADE_VARIABLE and what follows it) to the function.  */
static inline void
made_variable (struct made_bytes *b, unsigned kind, const char *name,
	       const uint8_t *location, size_t size)
{
  made_u8 (b, kind);
  made_text (b, name);
  made_u32 (b, MADE_INT);
  if (kind != MADE_VARIABLE)
    return;
  made_u8 (b, (unsigned) size);
  made_add (b, location, size);
}

/* What is added from here on belongs to the unit, not to the function.  */
static inline void
made_end_function (struct made_bytes *b)
{
  made_u8 (b, 0);
}

/* End the unit, and write the file NAME of TYPE (ET_EXEC, ET_DYN) with them, and with FRAMES
   as the section FRAMES_NAME, at the address FRAMES_AT.  */
static inline void
made_write (const char *name, unsigned type, struct made_bytes *unit,
	    const char *frames_name, const struct made_bytes *frames, uint32_t frames_at)
{
  made_u8 (unit, 0);
  made_length (unit, 0);

  struct made_bytes addresses = { .size = 0 }, names = { .size = 0 }, file = { .size = 0 };
  made_u32 (&addresses, 0);
  made_u16 (&addresses, 5);
  made_u16 (&addresses, 4);
  made_u32 (&addresses, MADE_ADDRESS);
  made_u32 (&addresses, MADE_ADDRESS);
  made_length (&addresses, 0);

  static const uint8_t text[MADE_HIGH - MADE_LOW];
  Elf32_Sym symbols[] = {
    { 0 },
    { .st_name = 1, .st_value = MADE_SYMBOL, .st_size = 4,
      .st_shndx = 1,
      .st_info = ELF32_ST_INFO (STB_GLOBAL, STT_OBJECT) }
  };
  elf_little (symbols, sizeof symbols, ELF_T_SYM, ELFCLASS32);
  static const char strings[] = "\0known";
  const struct
  {
    const char *name;
    const void *bytes;
    size_t size;
    uint32_t type, flags, address;
  } sections[] = {
    { "", NULL, 0, SHT_NULL, 0, 0 },
    { ".text", text, sizeof text, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, MADE_LOW },
    { ".debug_abbrev", made_abbreviations, sizeof made_abbreviations, SHT_PROGBITS, 0, 0 },
    { ".debug_info", unit->bytes, unit->size, SHT_PROGBITS, 0, 0 },
    { ".debug_addr", addresses.bytes, addresses.size, SHT_PROGBITS, 0, 0 },
    { frames_name, frames->bytes, frames->size, SHT_PROGBITS, 0, frames_at },
    { ".symtab", symbols, sizeof symbols, SHT_SYMTAB, 0, 0 },
    { ".strtab", strings, sizeof strings, SHT_STRTAB, 0, 0 },
    { ".shstrtab", NULL, 0, SHT_STRTAB, 0, 0 }
  };
  enum { COUNT = sizeof sections / sizeof sections[0] };
  Elf32_Shdr headers[COUNT];
  memset (headers, 0, sizeof headers);
  for (unsigned i = 0; i < COUNT; i++)
    {
      headers[i].sh_name = (uint32_t) names.size;
      made_text (&names, sections[i].name);
    }
  Elf32_Ehdr head = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
    .e_type = (Elf32_Half) type, .e_machine = EM_ARM, .e_version = EV_CURRENT,
    .e_ehsize = sizeof head, .e_phoff = sizeof head, .e_phentsize = sizeof (Elf32_Phdr),
    .e_phnum = 1, .e_shentsize = sizeof headers[0], .e_shnum = COUNT,
    .e_shstrndx = COUNT - 1
  };
  Elf32_Phdr segment = {
    .p_type = PT_LOAD, .p_offset = MADE_OFFSET, .p_vaddr = MADE_LOW,
    .p_paddr = MADE_LOW, .p_filesz = sizeof text, .p_memsz = sizeof text,
    .p_flags = PF_R | PF_X, .p_align = 4
  };
  elf_little (&segment, sizeof segment, ELF_T_PHDR, ELFCLASS32);
  made_add (&file, &head, sizeof head);
  made_add (&file, &segment, sizeof segment);
  for (unsigned i = 1; i < COUNT; i++)
    {
      bool last = i == COUNT - 1;
      headers[i].sh_type = sections[i].type;
      headers[i].sh_flags = sections[i].flags;
      headers[i].sh_addr = sections[i].address;
      headers[i].sh_offset = (uint32_t) file.size;
      headers[i].sh_size = (uint32_t) (last ? names.size : sections[i].size);
      headers[i].sh_addralign = 1;
      if (headers[i].sh_type == SHT_SYMTAB)
	{
	  headers[i].sh_entsize = sizeof symbols[0];
	  headers[i].sh_link = i + 1;
	  headers[i].sh_info = 1;
	}
      made_add (&file, last ? names.bytes : sections[i].bytes, headers[i].sh_size);
    }
  while (file.size % 4 != 0)
    made_u8 (&file, 0);
  head.e_shoff = (uint32_t) file.size;
  elf_little (headers, sizeof headers, ELF_T_SHDR, ELFCLASS32);
  made_add (&file, headers, sizeof headers);
  elf_little (&head, sizeof head, ELF_T_EHDR, ELFCLASS32);
  memcpy (file.bytes, &head, sizeof head);
  FILE *out = fopen (name, "wb");
  CHECK (out != NULL && fwrite (file.bytes, 1, file.size, out) == file.size
	 && fclose (out) == 0);
}

#endif /* TB_TESTS_UNIT_SUPPORT_MADE_DWARF_H */
