/* From the tree of a device description to peripherals and registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What elements inherit from those around them (CMSIS-SVD,
   "registerPropertiesGroup").  */
struct inherited
{
  uint64_t bits, access;
};

static struct inherited
inherit (struct inherited from, const struct svd_node *node)
{
  svd_number (node, SVD_SIZE, &from.bits);
  svd_number (node, SVD_ACCESS, &from.access);
  return from;
}

/* Where the children of NODE of KINDS (bits) are: its own, or those of what it is
   derived from, if it has none.  */
static const struct svd_node *
children (const struct svd_node *node, unsigned kinds)
{
  for (; node != NULL; node = node->base)
    for (const struct svd_node *c = node->first; c != NULL; c = c->next)
      if ((kinds >> c->kind & 1) != 0)
	return node;
  return NULL;
}

static bool
no_memory (struct tb_svd *svd)
{
  tb_error (svd->diag, "%s: no memory for what it describes", svd->path);
  return false;
}

/* Move *ADDRESS, in a peripheral at BASE, on by OFFSET.  False: LENGTH bytes there do
   not fit into as many bits as addresses have: 32 where BASE does.  */
static bool
advance (uint64_t base, uint64_t *address, uint64_t offset, unsigned length)
{
  const uint64_t most = base <= UINT32_MAX ? UINT32_MAX : UINT64_MAX;
  if (*address > most || offset > most - *address
      || length - 1 > most - *address - offset)
    return false;
  *address += offset;
  return true;
}

/* Element I of NODE, called NAME, and those behind it get no address in a peripheral at
   BASE.  */
static bool
leave_out_address (struct tb_svd *svd, const struct svd_node *node,
		   const char *name, uint64_t base, uint64_t i, uint64_t count)
{
  if (name == NULL)
    return no_memory (svd);
  svd_warn (svd, node, name, "expected an address of at most %d bits; %s left out",
	    base <= UINT32_MAX ? 32 : 64,
	    i + 1 < count ? "it and those behind it are" : "it is");
  return true;
}

/* What registers are made from.  */
struct place
{
  uint32_t peripheral;
  uint64_t base, address;	/* The peripheral's, and this one's.  */
  const char *prefix;		/* Clusters' names; NULL: none.  */
  struct inherited inherited;
};

static bool
add_register (struct tb_svd *svd, struct svd_node *node,
	      const struct place *place, uint64_t i, struct svd_elements *all)
{
  const struct inherited own = inherit (place->inherited, node);
  if (own.bits == 0 || own.bits > 64)
    {
      svd_leave_out (svd, node, "expected a size of 1 to 64 bits, found %" PRIu64,
		     own.bits);
      return true;
    }
  const char *name = svd_element_name (svd, node, i, all, place->prefix);
  bool ok = name != NULL && svd_fields (svd, node, (unsigned) own.bits)
	    && TB_GROW (svd->registers, svd->register_room, svd->nregisters, 1);
  if (!ok)
    return no_memory (svd);
  svd->registers[svd->nregisters++] = (struct tb_svd_register) {
    .name = name, .description = svd_text (node, SVD_DESCRIPTION),
    .address = place->address, .bytes = (unsigned) (own.bits + 7) / 8,
    .reads = (own.access & SVD_READS) != 0,
    .writes = (own.access & SVD_WRITES) != 0,
    .fields = node->fields, .nfields = node->nfields
  };
  return true;
}

/* Count one more peripheral, cluster or register that NODE stands for: arrays in
   arrays make many out of a few lines.  */
static bool
count_element (struct tb_svd *svd, const struct svd_node *node)
{
  if (svd->elements++ < SVD_ELEMENTS_MAX)
    return true;
  tb_error (svd->diag, "%s:%u: expected at most %zu peripherals, clusters and "
	    "registers", svd->path, node->line, SVD_ELEMENTS_MAX);
  return false;
}

static bool add_children (struct tb_svd *svd, struct svd_node *node,
			  const struct place *place, unsigned depth);

/* All that the register or cluster NODE stands for.  */
static bool
add_element (struct tb_svd *svd, struct svd_node *node,
	     const struct place *around, unsigned depth)
{
  uint64_t offset;
  struct svd_elements all;
  if (!svd_derive (svd, node) || !svd_dimension (svd, node, &all))
    return true;
  if (!svd_number (node, SVD_AT, &offset) || svd_text (node, SVD_NAME) == NULL)
    {
      svd_leave_out (svd, node, "expected <name> and <addressOffset>");
      return true;
    }
  const uint64_t bits = inherit (around->inherited, node).bits;
  const unsigned length
    = node->kind == SVD_REGISTER && bits >= 1 && bits <= 64
      ? (unsigned) (bits + 7) / 8 : 1;
  for (uint64_t i = 0; i < all.count; i++)
    {
      struct place place = *around;
      if (!count_element (svd, node))
	return false;
      if (!advance (place.base, &place.address, offset, 1)
	  || !advance (place.base, &place.address, i * all.increment, length))
	return leave_out_address (svd, node,
				  svd_element_name (svd, node, i, &all,
						    around->prefix),
				  place.base, i, all.count);
      if (node->kind == SVD_REGISTER)
	{
	  if (!add_register (svd, node, &place, i, &all))
	    return false;
	  continue;
	}
      place.prefix = svd_element_name (svd, node, i, &all, around->prefix);
      place.inherited = inherit (around->inherited, node);
      if (place.prefix == NULL)
	return no_memory (svd);
      if (!add_children (svd, node, &place, depth + 1))
	return false;
    }
  return true;
}

/* The registers and clusters in NODE.  Clusters may be derived from those that they
   are in, so the depth of the file does not bound this.  */
static bool
add_children (struct tb_svd *svd, struct svd_node *node,
	      const struct place *place, unsigned depth)
{
  const struct svd_node *from
    = children (node, 1 << SVD_REGISTER | 1 << SVD_CLUSTER);
  if (depth > SVD_DEPTH_MAX)
    {
      svd_leave_out (svd, node, "clusters are more than %d deep", SVD_DEPTH_MAX);
      return true;
    }
  for (struct svd_node *c = from != NULL ? from->first : NULL; c != NULL;
       c = c->next)
    if ((c->kind == SVD_REGISTER || c->kind == SVD_CLUSTER)
	&& !add_element (svd, c, place, depth))
      return false;
  return true;
}

/* The address blocks of NODE, which begin at BASE.  */
static bool
add_blocks (struct tb_svd *svd, const struct svd_node *node, uint64_t base,
	    uint32_t peripheral)
{
  const struct svd_node *from = children (node, 1 << SVD_BLOCK);
  for (struct svd_node *c = from != NULL ? from->first : NULL; c != NULL;
       c = c->next)
    {
      uint64_t offset = 0, size = 0;
      if (c->kind != SVD_BLOCK)
	continue;
      svd_number (c, SVD_AT, &offset);
      svd_number (c, SVD_SIZE, &size);
      if (size == 0 || offset > UINT64_MAX - base
	  || size - 1 > UINT64_MAX - base - offset)
	{
	  svd_leave_out (svd, c, "expected an offset and a size of at least 1 that "
			 "fit behind the base address 0x%" PRIx64, base);
	  continue;
	}
      bool ok = TB_GROW (svd->blocks, svd->block_room, svd->nblocks, 1);
      if (!ok)
	return no_memory (svd);
      svd->blocks[svd->nblocks++]
	= (struct svd_owned) { { base + offset, size }, peripheral };
    }
  return true;
}

static hashval_t
hash_name (const void *entry)
{
  return htab_hash_string (entry);
}

static int
same_name (const void *x, const void *y)
{
  return strcmp (x, y) == 0;
}

/* Tell if NAME, of the peripheral NODE, has another meaning.  False: no memory.  */
static bool
note_name (struct tb_svd *svd, const struct svd_node *node, const char *name)
{
  if (svd->names == NULL)
    svd->names = htab_try_create (64, hash_name, same_name, NULL);
  void **slot = svd->names != NULL ? htab_find_slot (svd->names, name, INSERT) : NULL;
  if (slot == NULL)
    return false;
  if (*slot != NULL)
    svd_warn (svd, node, name, "there is another one of this name before it; the "
	      "name means that one");
  else
    *slot = (void *) (uintptr_t) name;
  return true;
}

static bool
add_peripheral (struct tb_svd *svd, struct svd_node *node,
		struct inherited inherited)
{
  uint64_t base;
  struct svd_elements all;
  if (!svd_derive (svd, node) || !svd_dimension (svd, node, &all))
    return true;
  if (!svd_number (node, SVD_AT, &base) || svd_text (node, SVD_NAME) == NULL)
    {
      svd_leave_out (svd, node, "expected <name> and <baseAddress>");
      return true;
    }
  for (uint64_t i = 0; i < all.count; i++)
    {
      if (!count_element (svd, node))
	return false;
      const uint32_t number = (uint32_t) svd->nperipherals;
      const char *name = svd_element_name (svd, node, i, &all, NULL);
      /* Peripherals themselves may lie on both sides of 4 GiB.  */
      if (i * all.increment > UINT64_MAX - base)
	return leave_out_address (svd, node, name, UINT64_MAX, i, all.count);
      const uint64_t address = base + i * all.increment;
      const struct place place = {
	number, address, address, NULL, inherit (inherited, node)
      };
      bool ok = name != NULL
		&& note_name (svd, node, name)
		&& TB_GROW (svd->peripherals, svd->peripheral_room, number, 1);
      if (!ok)
	return no_memory (svd);
      svd->peripherals[svd->nperipherals++] = (struct tb_svd_peripheral) {
	.name = name, .description = svd_text (node, SVD_DESCRIPTION),
	.address = place.address, .first = svd->nregisters, .nblocks = svd->nblocks
      };
      if (!add_blocks (svd, node, place.address, number)
	  || !add_children (svd, node, &place, 0))
	return false;
      struct tb_svd_peripheral *p = &svd->peripherals[number];
      p->count = svd->nregisters - p->first;
      p->nblocks = svd->nblocks - p->nblocks;
    }
  return true;
}

bool
svd_expand (struct tb_svd *svd)
{
  struct inherited inherited = { 32, SVD_READS | SVD_WRITES };
  inherited = inherit (inherited, svd->device);
  for (struct svd_node *c = svd->device->first; c != NULL; c = c->next)
    if (c->kind == SVD_PERIPHERAL && !add_peripheral (svd, c, inherited))
      return false;
  if (svd->nperipherals == 0)
    {
      tb_error (svd->diag, "%s: expected at least one <peripheral> with a name and a "
		"base address", svd->path);
      return false;
    }
  return true;
}
