/* Target descriptions: what is at hand while one is read (private to
   arm/machine/tdesc*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_TDESC_READING_H
#define TB_ARM_MACHINE_TDESC_READING_H

#include "arm/machine/tdesc-internal.h"

#include <expat.h>

#include "arm/machine/tdesc-write.h"
#include "util/xml.h"

/* Real descriptions are 4 elements deep, in some ten files.  */
#define TDESC_DEPTH_MAX 16
#define TDESC_INCLUDED_MAX 64

/* Elements that say something here.  */
enum tdesc_element
{
  TDESC_TARGET, TDESC_ARCHITECTURE, TDESC_FEATURE, TDESC_REG,
  TDESC_VECTOR, TDESC_UNION, TDESC_STRUCT, TDESC_FLAGS, TDESC_ENUM,
  TDESC_FIELD, TDESC_EVALUE,
  TDESC_OTHER,			/* Handed on, whatever is in it.  */
  TDESC_SKIPPED,		/* And that is not: an inclusion.  */
  TDESC_ELEMENTS
};

/* A file that is being read.  */
struct tdesc_file
{
  const char *path;
  XML_Parser parser;
  const struct tdesc_file *outer;	/* What includes it; NULL: nothing.  */
};

struct tdesc_reading
{
  struct tb_xml_guard guard;	/* First.  */
  struct objalloc *pool;
  const struct tb_profile *profile;
  struct tb_diag *diag;
  const struct tdesc_file *source;
  const char *folder;		/* Of the first file, with a slash at its end or "";
				   NULL: nothing can be included.  */
  struct tdesc_writer writer;
  uint8_t open[TDESC_DEPTH_MAX];	/* enum tdesc_element, the innermost
				   last.  */
  unsigned depth;
  struct tdesc_item *items;
  size_t nitems, room;
  uint64_t next;		/* The number of the next register.  */
  struct tdesc_type *types;	/* Of this feature.  */
  unsigned ntypes, nfiles;
  const char *files[TDESC_INCLUDED_MAX];	/* That were included.  */
  size_t bytes;			/* Of all files.  */
  struct tb_buffer architecture;
  bool has_target;
  struct tdesc_feature *features, *feature;	/* The first, and this one.  */
  bool is_system;		/* This feature is that of MSP and PSP.  */
  bool failed;			/* A message said why.  */
};

/* Say what is wrong where R is, and stop reading.  */
void tdesc_fail (struct tdesc_reading *r, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* TEXT in the description's memory; NULL after a message.  */
char *tdesc_copy (struct tdesc_reading *r, const char *text);

/* The attribute NAME of ATTRIBUTES; NULL: it is not there.  */
const char *tdesc_attribute (const char **attributes, const char *name);

/* What NAME is in element IN (in none: TDESC_OTHER, where R's depth is 0); tdesc_fail was
   called if it cannot be there.  */
enum tdesc_element tdesc_element_find (struct tdesc_reading *r, const char *name,
				       enum tdesc_element in);

/* Take in what ELEMENT, which begins in IN with ATTRIBUTES, says; and its end.  */
void tdesc_element_start (struct tdesc_reading *r, enum tdesc_element element,
			  enum tdesc_element in, const char **attributes);
void tdesc_element_end (struct tdesc_reading *r, enum tdesc_element element);

#endif /* TB_ARM_MACHINE_TDESC_READING_H */
