/* Device descriptions: names of peripherals, their registers, fields and values.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A CMSIS-SVD file ("System View Description", schema 1.1 to 1.3) says what lies at
   the addresses of a microcontroller's peripherals.  It is read by expat; copies
   (derivedFrom), arrays and lists (dim, dimIncrement, dimIndex) and nested clusters are
   resolved when it is opened.  An element with a mistake is left out, with a
   warning that names file and line.  */

#ifndef TB_SVD_SVD_H
#define TB_SVD_SVD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/diag.h"

struct tb_svd;

/* A value of a field that has a name.  */
struct tb_svd_value
{
  const char *name;
  uint64_t bits, mask;		/* It is this one where (value & MASK) == BITS.  */
  bool is_default;		/* All that no other one is.  */
};

struct tb_svd_field
{
  const char *name;
  unsigned lsb, width;		/* Bits in the register; WIDTH is at least 1.  */
  const struct tb_svd_value *values;
  size_t nvalues;
};

/* A range of addresses that a peripheral takes.  */
struct tb_svd_block
{
  uint64_t address, length;	/* LENGTH at least 1; ADDRESS + LENGTH - 1 fits.  */
};

struct tb_svd_peripheral
{
  const char *name;
  const char *description;	/* NULL: none.  */
  uint64_t address;
  const struct tb_svd_block *blocks;
  size_t nblocks;
  size_t first, count;		/* Its registers, in tb_svd_registers' order by
				   peripheral (tb_svd_of).  */
};

struct tb_svd_register
{
  const char *name;		/* With the clusters it is in: "CH[2].CFG".  */
  const char *description;	/* NULL: none.  */
  const struct tb_svd_peripheral *peripheral;
  uint64_t address;
  unsigned bytes;		/* 1 to 8.  */
  bool reads, writes;		/* May software read, write it?  */
  const struct tb_svd_field *fields;
  size_t nfields;
};

/* Read PATH.  NULL after a diagnostic.  */
struct tb_svd *tb_svd_open (const char *path, struct tb_diag *diag);
void tb_svd_close (struct tb_svd *svd);

/* What the device is called; NULL: the file does not say.  */
const char *tb_svd_device (const struct tb_svd *svd);

/* All peripherals in the file's order; *COUNT of them.  */
const struct tb_svd_peripheral *tb_svd_peripherals (const struct tb_svd *svd,
						    size_t *count);

/* The registers of PERIPHERAL in the file's order; PERIPHERAL->count of them.  */
const struct tb_svd_register *tb_svd_of (const struct tb_svd *svd,
					 const struct tb_svd_peripheral *peripheral);

/* The register that an access of LENGTH bytes at ADDRESS goes to: the one that begins
   there before one that holds the address; of several, one of just that length
   and one that may be accessed so (STORE).  NULL: none is described.  */
const struct tb_svd_register *tb_svd_at (const struct tb_svd *svd,
					 uint64_t address, unsigned length,
					 bool store);

/* The peripheral that holds ADDRESS; NULL: none does.  */
const struct tb_svd_peripheral *tb_svd_peripheral_at (const struct tb_svd *svd,
						      uint64_t address);

/* What a name means.  */
struct tb_svd_found
{
  const struct tb_svd_peripheral *peripheral;
  const struct tb_svd_register *reg;	/* NULL: the peripheral as a whole.  */
  const struct tb_svd_field *field;	/* NULL: the register as a whole.  */
};

/* Find the LENGTH characters NAME: PERIPHERAL, PERIPHERAL.REGISTER or
   PERIPHERAL.REGISTER.FIELD.  False: nothing is called so.  */
bool tb_svd_find (const struct tb_svd *svd, const char *name, size_t length,
		  struct tb_svd_found *found);

/* Append the name of what lies at ADDRESS: PERIPHERAL.REGISTER,
   PERIPHERAL.REGISTER+OFFSET, or PERIPHERAL+OFFSET where no register is described.
   False, and nothing is appended: no peripheral holds it.  LENGTH and STORE as for
   tb_svd_at.  */
bool tb_svd_put_name (const struct tb_svd *svd, struct tb_buffer *buffer,
		      uint64_t address, unsigned length, bool store);

/* Append the fields of REG, of those that BITS of MASK tell, when it holds BITS:
   "NAME=NAME-OF-VALUE,NAME=0x1f", highest bits first.  Nothing where it has no
   fields.  Bits that belong to no field and are not 0 follow as "other=0x...".  */
void tb_svd_put_fields (const struct tb_svd_register *reg,
			struct tb_buffer *buffer, uint64_t bits, uint64_t mask);

/* What an access has of a register.  */
struct tb_svd_part
{
  unsigned first, count;	/* These bytes of it.  */
  uint64_t bits;		/* What they are, shifted down.  */
};

/* The part of REG that LENGTH bytes VALUE at ADDRESS are.  False: none.  */
bool tb_svd_part (const struct tb_svd_register *reg, uint64_t address,
		  unsigned length, uint64_t value, struct tb_svd_part *part);

/* Append "byte 2" or "bytes 2 to 3", if PART is not all of REG.  True: it is not.  */
bool tb_svd_put_bytes (const struct tb_svd_register *reg, struct tb_buffer *buffer,
		       const struct tb_svd_part *part);

/* As tb_svd_put_fields, of the part of REG that LENGTH bytes VALUE at ADDRESS are.  */
void tb_svd_put_part (const struct tb_svd_register *reg, struct tb_buffer *buffer,
		      uint64_t address, unsigned length, uint64_t value);

#endif /* TB_SVD_SVD_H */
