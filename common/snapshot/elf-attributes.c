/* ELF build attributes.  See elf-attributes.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/elf-attributes.h"

#include <stdbool.h>
#include <string.h>

#include "util/number.h"
#include "util/varint.h"

#define FORMAT_VERSION 'A'
#define TAG_FILE 1
#define TAG_CPU_RAW_NAME 4
#define TAG_CPU_NAME 5
#define TAG_CPU_ARCH 6
#define TAG_CPU_ARCH_PROFILE 7
#define TAG_COMPATIBILITY 32

/* What is left to read.  */
struct rest
{
  const uint8_t *at, *end;
};

static bool
take_word (struct rest *rest, size_t *word)
{
  if (rest->end - rest->at < 4)
    return false;
  *word = tb_number_32 (rest->at);
  rest->at += 4;
  return true;
}

static bool
skip_text (struct rest *rest)
{
  const uint8_t *zero = memchr (rest->at, 0, (size_t) (rest->end - rest->at));
  if (zero == NULL)
    return false;
  rest->at = zero + 1;
  return true;
}

/* The number that TAG has among the attributes of a file; 0: none.  */
static uint64_t
find_number (struct rest rest, uint64_t wanted)
{
  uint64_t tag, value;
  while (tb_varint_check (&rest.at, rest.end, &tag))
    {
      /* Tags from 32 on are texts if odd.  */
      bool number = tag != TAG_CPU_RAW_NAME && tag != TAG_CPU_NAME
		    && (tag <= TAG_COMPATIBILITY || tag % 2 == 0);
      if (number && !tb_varint_check (&rest.at, rest.end, &value))
	return 0;
      if (tag == wanted)
	return value;
      if ((!number || tag == TAG_COMPATIBILITY) && !skip_text (&rest))
	return 0;
    }
  return 0;
}

/* The same in the SIZE bytes of a section.  */
static uint64_t
find_in_section (const uint8_t *data, size_t size, uint64_t wanted)
{
  struct rest rest = { data, data + size };
  if (size == 0 || *rest.at++ != FORMAT_VERSION)
    return 0;
  for (;;)
    {
      /* A vendor's part: its length with itself, its name.  */
      struct rest part = rest;
      size_t length;
      if (!take_word (&part, &length) || length < 4
	  || length > (size_t) (rest.end - rest.at))
	return 0;
      part.end = rest.at + length;
      rest.at = part.end;
      bool is_public = (size_t) (part.end - part.at) >= sizeof "aeabi"
		       && memcmp (part.at, "aeabi", sizeof "aeabi") == 0;
      if (!is_public || !skip_text (&part))
	continue;
      const uint8_t *begin = part.at;
      uint64_t tag;
      if (!tb_varint_check (&part.at, part.end, &tag) || tag != TAG_FILE
	  || !take_word (&part, &length)
	  || length < (size_t) (part.at - begin)
	  || length > (size_t) (part.end - begin))
	return 0;
      part.end = begin + length;
      return find_number (part, wanted);
    }
}

char
tb_elf_attributes_profile (const uint8_t *data, size_t size)
{
  uint64_t value = find_in_section (data, size, TAG_CPU_ARCH_PROFILE);
  return value != 0 && value < 128 && strchr ("ARMS", (int) value) != NULL
	 ? (char) value : 0;
}

unsigned
tb_elf_attributes_arch (const uint8_t *data, size_t size)
{
  uint64_t value = find_in_section (data, size, TAG_CPU_ARCH);
  return value < 256 ? (unsigned) value : 0;
}
