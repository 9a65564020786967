/* A session: a snapshot opened for use; its cores, their memory, and the
   streams that can be decoded.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_H
#define TB_RECORDING_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "arm/profile.h"
#include "decode/decoder.h"
#include "recording/recording.h"
#include "snapshot/elf-image.h"
#include "snapshot/memmap.h"
#include "snapshot/snapshot.h"

/* A core (or, without a device, what a source runs on that no core owns).  */
struct tb_session_core
{
  const struct tb_device *device;	/* NULL for the nameless one.  */
  struct tb_profile profile;
  struct tb_memmap *map;		/* Sealed.  */
  /* Where its ELF files say that functions begin (tb_elf_image_functions).  */
  uint64_t *functions;
  size_t nfunctions;
};

/* One source's trace in one buffer.  */
struct tb_session_stream
{
  const struct tb_device *source;
  const struct tb_session_core *core;
  const struct tb_trace_buffer *buffer;	/* NULL: an MTB in the core's RAM.  */
  const struct tb_protocol *protocol;	/* NULL: no decoder for its type.  */
  unsigned id;				/* Trace ID or TB_ID_NONE.  */
};

struct tb_session
{
  struct tb_snapshot snapshot;
  struct tb_session_core *cores;
  size_t ncores;		/* The last one has no device.  */
  struct tb_session_stream *streams;	/* In the snapshot's order.  */
  size_t nstreams;
  struct tb_elf_image **elves;
  size_t nelves;
};

/* An ELF file for one core (a device's name) or, with CORE NULL, for all.  */
struct tb_session_elf
{
  const char *path;
  const char *core;
};

struct tb_session_options
{
  struct tb_snapshot_options snapshot;
  const struct tb_session_elf *elves;
  size_t nelves;
};

/* Open the snapshot PATH.  On anything but TB_OK a diagnostic said why and
   *SESSION is zero.  OPTIONS may be NULL; it is not kept.  */
enum tb_status tb_session_open (struct tb_session *session, const char *path,
				const struct tb_session_options *options,
				struct tb_diag *diag);
void tb_session_close (struct tb_session *session);

/* A decoder for STREAM; NULL after a diagnostic.  The session must outlive
   it.  */
struct tb_decoder *tb_session_decoder (const struct tb_session *session,
				       const struct tb_session_stream *stream,
				       struct tb_diag *diag);

/* What a decoder for STREAM needs; borrowed from the session.  */
void tb_session_decoder_config (const struct tb_session_stream *stream,
				struct tb_decoder_config *config);

/* The RAM that the trace unit of STREAM writes; false: none.  */
bool tb_session_trace_ram (const struct tb_session_stream *stream,
			   uint64_t *address, uint64_t *length);

#endif /* TB_RECORDING_SESSION_H */
