/* The memory of a device, as dumps and ELF files have it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core's memory is its map.  A reader looks at it from one address space:
   - the space that the user chose; then only its dumps count, and those of no space;
   - else the one that is found (tb_halt_view in arm/machine/halt-space.h), likewise;
   - else, where none is, from all: bytes count in which they agree.
   What other spaces have at an address is not there for code of this one.  */

#ifndef TB_RECORDING_DEVICE_MEMORY_H
#define TB_RECORDING_DEVICE_MEMORY_H

#include "recording/session.h"

struct tb_device_memory
{
  const struct tb_memmap *map;
  struct tb_memmap *own;	/* That of a device that is no core; or NULL.  */
  enum tb_space space;		/* ANY: none.  */
};

/* Make what is needed to read the memory of DEVICE, of SESSION, in SPACE; ANY: in
   that which is found.  To be freed with tb_device_memory_fini if it is TB_OK.  */
enum tb_status tb_device_memory_init (struct tb_device_memory *memory,
				      const struct tb_session *session,
				      const struct tb_device *device,
				      enum tb_space space,
				      struct tb_diag *diag);
void tb_device_memory_fini (struct tb_device_memory *memory);

/* Is there a byte at ADDRESS?  Then *BYTE gets it.  */
bool tb_device_memory_byte (const struct tb_device_memory *memory,
			    uint64_t address, uint8_t *byte);

/* What stands above registers or memory of DEVICE: its name, whether it is a memory
   space, its cluster and, unless SPACE is ANY, that: "cpu_0, cluster big, space
   EL1N", without a zero at the end.  False: there is nothing but the name to say, or
   no memory.  */
bool tb_device_heading (const struct tb_device *device, enum tb_space space,
			struct tb_buffer *text);

/* Has DEVICE a dump that is seen in SPACE?  If not, TEXT gets what there is instead,
   without a zero at the end.  */
bool tb_device_has_space (const struct tb_device *device, enum tb_space space,
			  struct tb_buffer *text);

/* Has DEVICE dumps in the LENGTH bytes from ADDRESS on that are of spaces other than
   SPACE?  Then TEXT gets their names, each behind HOW, which asks for it ("--space="),
   without a zero at the end.  */
bool tb_device_other_spaces (const struct tb_device *device, enum tb_space space,
			     uint64_t address, uint64_t length, const char *how,
			     struct tb_buffer *text);

/* Append what the fault registers of DEVICE, of SESSION, tell (arm/machine/fault-registers.h),
   each on a line behind PREFIX; none where DEVICE is no core.  Threads that have the memory of
   another one have its fault registers, which are not told twice.  */
void tb_device_faults (const struct tb_session *session, const struct tb_device *device,
		       const char *prefix, struct tb_buffer *text);

#endif /* TB_RECORDING_DEVICE_MEMORY_H */
