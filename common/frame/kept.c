/* Frames that are held.  See kept.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/kept.h"

#include <stdlib.h>

#include "frame/ctf.h"
#include "frame/moment.h"

void
tb_kept_fini (struct tb_kept *kept)
{
  tb_buffer_fini (&kept->blocks);
  free (kept->frames);
  kept->frames = NULL;
}

enum tb_status
tb_kept_no_memory (const struct tb_kept *kept)
{
  tb_error (kept->diag, "%s: no memory for %zu frames", kept->path,
	    kept->count);
  return TB_ERR_MEMORY;
}

enum tb_status
tb_keep (struct tb_kept *kept, const struct tb_frame *frame, uint64_t step,
	 unsigned tracepoint)
{
  size_t size = frame->bytes.size;
  if (size > TB_KEPT_LIMIT - kept->blocks.size)
    {
      tb_error (kept->diag, "%s: the frames take more than %zu MiB; choose "
		"fewer steps", kept->path, TB_KEPT_LIMIT >> 20);
      return TB_ERR_UNSUPPORTED;
    }
  bool good = TB_GROW (kept->frames, kept->capacity, kept->count, 1);
  size_t offset = kept->blocks.size;
  if (good)
    tb_buffer_append (&kept->blocks, frame->bytes.data, size);
  if (!good || frame->bytes.failed || kept->blocks.failed)
    return tb_kept_no_memory (kept);
  kept->frames[kept->count++]
    = (struct tb_kept_frame) { offset, size, step, tracepoint };
  if (size > kept->longest)
    kept->longest = size;
  return TB_OK;
}

/* The least size that all frames can be filled up to.  */
static size_t
common_size (const struct tb_kept *kept)
{
  size_t size = kept->longest;
  for (; size < kept->longest + TB_FRAME_PAD_MIN; size++)
    {
      size_t i = 0;
      while (i < kept->count
	     && tb_frame_can_pad (size - kept->frames[i].size))
	i++;
      if (i == kept->count)
	break;
    }
  return size;
}

static enum tb_status
write_frames (const struct tb_kept *kept, size_t size,
	      struct tb_tracefile *file, uint64_t *bytes)
{
  for (size_t i = 0; i < kept->count; i++)
    {
      const struct tb_kept_frame *frame = &kept->frames[i];
      if (frame->tracepoint == 0)
	continue;
      tb_tracefile_begin (file, frame->tracepoint);
      tb_tracefile_blocks (file, kept->blocks.data + frame->offset,
			   frame->size);
      if (size != 0)
	tb_tracefile_pad (file, size, TB_VAR_STEP, (int64_t) frame->step);
      enum tb_status status = tb_tracefile_end (file);
      if (status != TB_OK)
	return status;
      *bytes += size != 0 ? size : frame->size;
    }
  return TB_OK;
}

/* The same in CTF, where frames are found by their headers.  */
static enum tb_status
write_packets (const struct tb_kept *kept, struct tb_ctf *ctf, uint64_t *bytes)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < kept->count && status == TB_OK; i++)
    {
      const struct tb_kept_frame *frame = &kept->frames[i];
      if (frame->tracepoint == 0)
	continue;
      status = tb_ctf_frame (ctf, frame->tracepoint,
			     kept->blocks.data + frame->offset, frame->size);
      *bytes += frame->size;
    }
  return status;
}

enum tb_status
tb_kept_write (const struct tb_kept *kept, enum tb_export_form form,
	       const struct tb_tracefile_header *header, bool same_size,
	       uint64_t *bytes)
{
  enum tb_status status;
  *bytes = 0;
  if (form == TB_EXPORT_CTF)
    {
      struct tb_ctf *ctf = tb_ctf_create (kept->path, header, kept->diag);
      if (ctf == NULL)
	return TB_ERR_IO;
      status = write_packets (kept, ctf, bytes);
      if (status == TB_OK)
	return tb_ctf_finish (ctf);
      tb_ctf_abandon (ctf);
      return status;
    }
  struct tb_tracefile *file = tb_tracefile_create (kept->path, header,
						   kept->diag);
  if (file == NULL)
    return TB_ERR_IO;
  status = write_frames (kept, same_size ? common_size (kept) : 0, file, bytes);
  if (status == TB_OK)
    return tb_tracefile_finish (file);
  tb_tracefile_abandon (file);
  return status;
}
