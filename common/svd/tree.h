/* The elements of a device description as the file has them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   CMSIS-SVD 1.3, "/device element" and those below it.  */

#ifndef TB_SVD_TREE_H
#define TB_SVD_TREE_H

#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

#include "snapshot/pool.h"
#include "svd/svd.h"

enum svd_kind
{
  SVD_DEVICE, SVD_PERIPHERAL, SVD_BLOCK, SVD_CLUSTER, SVD_REGISTER, SVD_FIELD,
  SVD_VALUES, SVD_VALUE, SVD_KINDS
};

/* What an element says of itself, if it does.  */
enum svd_property
{
  SVD_AT,			/* baseAddress, addressOffset, offset; of a named
				   value its bits.  */
  SVD_SIZE,			/* Bits; of an address block bytes.  */
  SVD_ACCESS,			/* SVD_READS | SVD_WRITES  */
  SVD_LSB, SVD_WIDTH, SVD_MSB,	/* Of a field.  */
  SVD_MASK,			/* Of a named value: the bits that count.  */
  SVD_DEFAULT,			/* It is the name of all other values.  */
  SVD_DIM, SVD_INCREMENT,	/* An array or list, and how far apart.  */
  SVD_NUMBERS,
  SVD_NAME = SVD_NUMBERS, SVD_DESCRIPTION, SVD_INDEX, SVD_PROPERTIES
};

enum { SVD_READS = 1, SVD_WRITES = 2 };

struct svd_node
{
  enum svd_kind kind;
  unsigned line;		/* In the file, from 1 on.  */
  uint32_t given;		/* A bit for each property that it has itself.  */
  /* derivedFrom is: not followed yet; being followed; followed; wrong.  */
  enum { SVD_NEW, SVD_BUSY, SVD_DONE, SVD_BAD } state;
  unsigned chain;		/* Of how many others it is derived in turn.  */
  struct svd_node *parent, *first, *last, *next;
  const char *derived_from;
  struct svd_node *base;	/* What it is derived from; NULL: nothing.  */
  uint64_t numbers[SVD_NUMBERS];
  const char *texts[SVD_PROPERTIES - SVD_NUMBERS];
  /* Of a register whose fields were worked out.  */
  const struct tb_svd_field *fields;
  size_t nfields;
  bool has_fields;
  bool told_index;		/* That its dimIndex does not fit.  */
};

/* The elements that one node stands for.  */
struct svd_elements
{
  uint64_t count, increment;
  const char *next;		/* The rest of a list of indices; NULL: numbers.  */
  uint64_t first;		/* Of numbers, or of LETTERS.  */
  bool letters;
};

/* While a file is read, and what comes of it.  */
struct tb_svd
{
  struct objalloc *pool;	/* Nodes, texts, fields, values.  */
  struct svd_node *device;
  htab_t by_name;		/* Nodes by parent and name.  */
  htab_t names;			/* Of peripherals.  */
  const char *path;		/* For messages, while it is being opened.  */
  struct tb_diag *diag;
  unsigned wrong;		/* Elements left out so far.  */
  size_t nodes, elements;	/* In the file; that they stand for.  */
  unsigned deriving;		/* Calls of svd_derive within each other.  */

  struct tb_svd_peripheral *peripherals;
  size_t nperipherals, peripheral_room;
  struct tb_svd_register *registers;	/* By peripheral, in the file's order.  */
  size_t nregisters, register_room;
  uint32_t *by_address;		/* Registers by address.  */
  uint32_t *blocks_by_address;	/* Peripherals' blocks: index into BLOCKS.  */
  struct svd_owned { struct tb_svd_block block; uint32_t peripheral; } *blocks;
  size_t nblocks, block_room;
  size_t nfields;		/* Of all registers together.  */
};

/* Is PROPERTY said by NODE itself?  */
static inline bool
svd_given (const struct svd_node *node, enum svd_property property)
{
  return (node->given >> property & 1) != 0;
}

/* NODE, or the nearest one it is derived from, that has PROPERTY; NULL: none.  */
static inline const struct svd_node *
svd_giver (const struct svd_node *node, enum svd_property property)
{
  while (node != NULL && !svd_given (node, property))
    node = node->base;
  return node;
}

/* The number PROPERTY of NODE or what it is derived from; false: not given.  */
static inline bool
svd_number (const struct svd_node *node, enum svd_property property,
	    uint64_t *number)
{
  const struct svd_node *giver = svd_giver (node, property);
  if (giver != NULL)
    *number = giver->numbers[property];
  return giver != NULL;
}

/* The text PROPERTY likewise; NULL: not given.  */
static inline const char *
svd_text (const struct svd_node *node, enum svd_property property)
{
  const struct svd_node *giver = svd_giver (node, property);
  return giver != NULL ? giver->texts[property - SVD_NUMBERS] : NULL;
}

/* What the file calls a kind of element.  */
const char *svd_kind_name (enum svd_kind kind);

/* Tell that NODE is left out, and why.  Of many only the first ones are told.  */
void svd_leave_out (struct tb_svd *svd, const struct svd_node *node,
		    const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Tell what is odd about NODE, one of its elements called NAME.  It is counted with
   what is left out.  */
void svd_warn (struct tb_svd *svd, const struct svd_node *node, const char *name,
	       const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

/* Read the file into SVD->device.  False after a diagnostic.  */
bool svd_parse (struct tb_svd *svd);

/* A number as the schema's scaledNonNegativeInteger writes it (also 0b...); bits that
   are x are cleared in *MASK, if that is not NULL.  */
bool svd_parse_number (const char *text, uint64_t *number, uint64_t *mask);

/* Follow NODE's derivedFrom, and that of what it names.  False: it is left out, as a
   message said.  */
bool svd_derive (struct tb_svd *svd, struct svd_node *node);

/* Make peripherals, registers and fields of SVD->device.  False after a diagnostic.  */
bool svd_expand (struct tb_svd *svd);

/* The fields of the register NODE, worked out once.  False: no memory, or too many.  */
bool svd_fields (struct tb_svd *svd, struct svd_node *node, unsigned bits);

/* How many ELEMENTS there are of NODE (dim), how far apart, and what they are called by;
   false: it is left out.  */
bool svd_dimension (struct tb_svd *svd, struct svd_node *node,
		    struct svd_elements *elements);

/* The name of number I of NODE, in SVD's pool; NULL: no memory.  Names are asked for in
   turn, from the first ELEMENT on.  PREFIX is put in front of it with a dot; NULL:
   nothing.  */
const char *svd_element_name (struct tb_svd *svd, const struct svd_node *node,
			      uint64_t i, struct svd_elements *elements,
			      const char *prefix);

/* Bounds of what one file may ask for.  */
#define SVD_FILE_MAX ((size_t) 256 << 20)
#define SVD_NODES_MAX ((size_t) 8 << 20)
#define SVD_ELEMENTS_MAX ((size_t) 1 << 20)
#define SVD_FIELDS_MAX ((size_t) 8 << 20)
#define SVD_DEPTH_MAX 64
#define SVD_CHAIN_MAX 32
#define SVD_NAME_MAX 256

#endif /* TB_SVD_TREE_H */
