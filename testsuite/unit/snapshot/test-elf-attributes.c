/* Build attributes of ELF files: the profile, and what is no attributes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "snapshot/elf-attributes.h"

/* Attributes after the tag and the size of a file's.  */
static const struct
{
  const char *bytes;
  size_t size;
  char profile;
} rows[] = {
  { "\x05" "6S-M\0\x06\x0b\x07M", 10, 'M' },
  { "\x05" "7-A\0\x06\x0a\x07" "A\x08\x01", 11, 'A' },
  { "\x07R", 2, 'R' },
  { "\x07S", 2, 'S' },
  { "\x06\x0b", 2, 0 },			/* It does not tell.  */
  { "\x07\x00", 2, 0 },
  { "\x07X", 2, 0 },
  { "\x20\x01gnu\0\x07M", 8, 'M' },	/* A number and a text.  */
  { "\x43" "2.09\0\x07M", 8, 'M' },	/* An odd tag: a text.  */
  { "\x44\x01\x07M", 4, 'M' },		/* An even one: a number.  */
  { "\x05" "6S-M", 5, 0 },		/* A text without end.  */
  { "\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x07M", 13, 0 },
  { "\x07", 1, 0 }
};

/* The section around the attributes BYTES; from malloc, exactly as long as it is.  */
static uint8_t *
section (const char *bytes, size_t size, size_t *length)
{
  *length = 1 + 4 + 6 + 1 + 4 + size;
  uint8_t *data = malloc (*length);
  if (data == NULL)
    abort ();
  memset (data, 0, *length);
  data[0] = 'A';
  data[1] = (uint8_t) (*length - 1);
  memcpy (data + 5, "aeabi", 6);
  data[11] = 1;
  data[12] = (uint8_t) (size + 5);
  memcpy (data + 16, bytes, size);
  return data;
}

int
main (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      size_t length;
      uint8_t *data = section (rows[i].bytes, rows[i].size, &length);
      if (!CHECK_INT (tb_elf_attributes_profile (data, length),
		      rows[i].profile))
	fprintf (stderr, "row %zu\n", i);
      /* Cut off anywhere it says nothing, or the same, and reads no further.  */
      for (size_t cut = 0; cut < length; cut++)
	{
	  uint8_t *part = malloc (cut + 1);
	  if (part == NULL)
	    abort ();
	  memcpy (part, data, cut);
	  CHECK_INT (tb_elf_attributes_profile (part, cut), 0);
	  free (part);
	}
      free (data);
    }

  /* Another vendor's part is passed over; lengths that do not fit end it.  */
  static const uint8_t two[] = "A\x09\0\0\0gnu\0\0\x11\0\0\0aeabi\0\x01\x07\0\0\0\x07M";
  CHECK_INT (tb_elf_attributes_profile (two, sizeof two - 1), 'M');
  static const uint8_t longer[] = "A\xff\xff\xff\xff" "aeabi\0\x01\x07\0\0\0\x07M";
  CHECK_INT (tb_elf_attributes_profile (longer, sizeof longer - 1), 0);
  static const uint8_t shorter[] = "A\x03\0\0\0" "aeabi\0\x01\x07\0\0\0\x07M";
  CHECK_INT (tb_elf_attributes_profile (shorter, sizeof shorter - 1), 0);
  static const uint8_t file[] = "A\x11\0\0\0" "aeabi\0\x01\x02\0\0\0\x07M";
  CHECK_INT (tb_elf_attributes_profile (file, sizeof file - 1), 0);
  return check_done ();
}
