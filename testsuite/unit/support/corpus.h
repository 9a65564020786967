/* Reading the truth of the corpus' M-profile cases, for unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The corpus lies in $TB_SHARED/corpus; its FORMAT.md describes the files.  */

#ifndef TB_UNIT_CORPUS_H
#define TB_UNIT_CORPUS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of corpus_step.flags.  */
enum
{
  CORPUS_PASSED = 1, CORPUS_TAKEN = 2, CORPUS_EXCEPTION = 4,
  CORPUS_RETURN = 8, CORPUS_THUMB = 16, CORPUS_TAIL_CHAIN = 32,
  CORPUS_IN_TRACE = 128
};

/* A record of a 32-bit core: the state before the instruction.  */
struct corpus_step
{
  uint32_t pc, opcode;
  uint8_t length, flags;
  uint16_t exception;
  uint32_t r[15];
  uint32_t psr, index;
};

/* A memory write: KIND 0 by the step INDEX, 1 by the exception entry before
   it.  */
struct corpus_write
{
  uint32_t index;
  uint8_t size, kind;
  uint16_t zero;
  uint32_t address, address_high;
  uint64_t value;
} __attribute__ ((packed));

/* Of those of ARMv6-M.  */
#define CORPUS_RAM_BASE UINT32_C (0x20000000)

struct corpus_case
{
  char directory[512];
  struct corpus_step *steps;
  size_t nsteps;
  struct corpus_write *writes;
  size_t nwrites;
  uint8_t *ram;			/* Before step 0.  */
  size_t ram_size;
  uint8_t *flash;
  size_t flash_size;
  uint8_t *halt_ram;		/* At the halt.  */
  size_t halt_size;
  uint32_t ram_base, flash_base;
};

/* All of what COMMAND prints; NULL when it fails.  */
static inline uint8_t *
corpus_slurp (const char *command, size_t *size)
{
  FILE *pipe = popen (command, "r");
  uint8_t *data = NULL;
  size_t used = 0, room = 0;
  if (pipe == NULL)
    return NULL;
  for (;;)
    {
      if (used == room)
	{
	  room = room != 0 ? 2 * room : 1 << 16;
	  data = realloc (data, room);
	  if (data == NULL)
	    abort ();
	}
      size_t got = fread (data + used, 1, room - used, pipe);
      if (got == 0)
	break;
      used += got;
    }
  if (pclose (pipe) != 0)
    {
      free (data);
      return NULL;
    }
  *size = used;
  return data;
}

static inline uint8_t *
corpus_file (const char *directory, const char *name, size_t *size)
{
  char command[1024];
  size_t length = strlen (name);
  bool packed = length > 3 && strcmp (name + length - 3, ".xz") == 0;
  snprintf (command, sizeof command, "%s '%s/%s' 2>/dev/null",
	    packed ? "xz -dc" : "cat", directory, name);
  return corpus_slurp (command, size);
}

/* What records have, for corpus_records: the bytes of a number, "*" and of how many such ones
   in a row; the numbers of a file have their lowest byte first.  */
#define CORPUS_STEP "4*2 1*2 2*1 4*17"
#define CORPUS_WRITE "4*1 1*2 2*1 4*2 8*1"

/* The records of LAYOUT of a truth file behind its heading of 32 bytes, in this machine's
   order.  */
static inline void *
corpus_records (const char *directory, const char *name, const char *layout, size_t *count)
{
  size_t size, record = 0;
  uint8_t *data = corpus_file (directory, name, &size);
  if (data == NULL || size < 32)
    return NULL;
  for (char *at = (char *) layout; *at != '\0';)
    {
      size_t bytes = strtoul (at, &at, 10), many = strtoul (at + 1, &at, 10);
      record += bytes * many;
    }
  if ((data[12] | data[13] << 8) != (int) record)
    return NULL;
  *count = (size - 32) / record;
  memmove (data, data + 32, size - 32);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  uint8_t *p = data;
  for (size_t i = 0; i < *count; i++)
    for (char *at = (char *) layout; *at != '\0';)
      {
	size_t bytes = strtoul (at, &at, 10), many = strtoul (at + 1, &at, 10);
	for (; many > 0; many--, p += bytes)
	  for (size_t k = 0; k < bytes / 2; k++)
	    {
	      uint8_t low = p[k];
	      p[k] = p[bytes - 1 - k];
	      p[bytes - 1 - k] = low;
	    }
      }
#endif
  return data;
}

/* The number in the SIZE bytes AT, lowest first.  */
static inline uint64_t
corpus_number (const uint8_t *at, unsigned size)
{
  uint64_t value = 0;
  for (unsigned k = 0; k < size; k++)
    value |= (uint64_t) at[k] << 8 * k;
  return value;
}

/* Dump NUMBER of the file cpu_0.ini: its contents, and where it lies.  */
static inline uint8_t *
corpus_dump (const char *directory, unsigned number, uint32_t *base,
	     size_t *length)
{
  size_t size, offset = 0;
  char *text = (char *) corpus_file (directory, "cpu_0.ini", &size);
  char *at = text, *line, file[64] = "";
  if (text == NULL || size == 0)
    return NULL;
  text[size - 1] = 0;
  for (unsigned i = 0; i <= number && at != NULL; i++)
    at = strstr (i == 0 ? at : at + 1, "\n[dump");
  for (line = at != NULL ? strtok (at + 1, "\r\n") : NULL;
       line != NULL && (line[0] != '[' || line == at + 1);
       line = strtok (NULL, "\r\n"))
    {
      sscanf (line, "file=%63s", file);
      if (strncmp (line, "address=", 8) == 0)
	*base = (uint32_t) strtoul (line + 8, NULL, 0);
      if (strncmp (line, "offset=", 7) == 0)
	offset = strtoul (line + 7, NULL, 0);
      if (strncmp (line, "length=", 7) == 0)
	*length = strtoul (line + 7, NULL, 0);
    }
  free (text);
  uint8_t *data = file[0] != 0 ? corpus_file (directory, file, &size) : NULL;
  if (data == NULL || offset > size || *length > size - offset)
    return NULL;
  memmove (data, data + offset, *length);
  return data;
}

/* Load the case NAME, or what is in the folder NAME; false where it is not there.  */
static inline bool
corpus_open (struct corpus_case *c, const char *name)
{
  const char *shared = getenv ("TB_SHARED");
  memset (c, 0, sizeof *c);
  if (strchr (name, '/') != NULL)
    snprintf (c->directory, sizeof c->directory, "%s", name);
  else if (shared != NULL)
    snprintf (c->directory, sizeof c->directory, "%s/corpus/cases/%s", shared, name);
  else
    return false;
  c->steps = corpus_records (c->directory, "truth.bin.xz", CORPUS_STEP, &c->nsteps);
  c->writes = corpus_records (c->directory, "truth-mem.bin.xz", CORPUS_WRITE,
			      &c->nwrites);
  c->ram = corpus_file (c->directory, "truth-ram0.bin.xz", &c->ram_size);
  c->flash = corpus_dump (c->directory, 0, &c->flash_base, &c->flash_size);
  c->halt_ram = corpus_dump (c->directory, 1, &c->ram_base, &c->halt_size);
  return c->steps != NULL && c->writes != NULL && c->ram != NULL
	 && c->flash != NULL && c->halt_ram != NULL;
}

static inline void
corpus_close (struct corpus_case *c)
{
  free (c->steps);
  free (c->writes);
  free (c->ram);
  free (c->flash);
  free (c->halt_ram);
}

static inline void
corpus_apply (struct corpus_case *c, const struct corpus_write *w)
{
  uint64_t offset = (uint64_t) w->address - c->ram_base;
  for (unsigned k = 0; k < w->size && offset + w->size <= c->ram_size; k++)
    c->ram[offset + k] = (uint8_t) (w->value >> 8 * k);
}

#endif /* TB_UNIT_CORPUS_H */
