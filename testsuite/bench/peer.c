/* The peer of the benchmark: libopencsd through its C interface.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <opencsd/c_api/opencsd_c_api.h>

enum memory
{
  MEMORY_FILES, MEMORY_RAM, MEMORY_CALLBACK
};

struct peer
{
  dcd_tree_handle_t tree;
  const struct bench_input *input;
  struct bench_count *counts;	/* While decoding.  */
  uint8_t source[256];		/* Trace ID to stream of the input.  */
  /* For the raw bytes of one ID.  */
  struct sink { struct peer *peer; uint8_t id; size_t stream; } *sinks;
};

const char *
bench_peer_version (void)
{
  return ocsd_get_version_str ();
}

/* Counting consumers.  */

static ocsd_datapath_resp_t
count_element (const void *context, const ocsd_trc_index_t index,
	       const uint8_t id, const ocsd_generic_trace_elem *element)
{
  const struct peer *p = context;
  struct bench_count *count = &p->counts[p->source[id]];

  (void) index;
  count->elements++;
  if (element->elem_type == OCSD_GEN_TRC_ELEM_INSTR_RANGE)
    {
      count->ranges++;
      count->instructions += element->num_instr_range;
    }
  return OCSD_RESP_CONT;
}

static ocsd_datapath_resp_t
hand_on_element (const void *context, const ocsd_trc_index_t index,
		 const uint8_t id, const ocsd_generic_trace_elem *element)
{
  const struct peer *p = context;

  (void) index;
  p->input->take (p->input->take_context, p->source[id], element);
  return OCSD_RESP_CONT;
}

static ocsd_datapath_resp_t
count_packet (const void *context, const ocsd_datapath_op_t op,
	      const ocsd_trc_index_t index, const void *packet)
{
  const struct sink *sink = context;

  (void) index;
  (void) packet;
  if (op == OCSD_OP_DATA)
    sink->peer->counts[sink->stream].packets++;
  return OCSD_RESP_CONT;
}

/* A decoder of our own that takes the bytes of one ID and counts them.  */

static ocsd_datapath_resp_t
count_bytes (const void *handle, const ocsd_datapath_op_t op,
	     const ocsd_trc_index_t index, const uint32_t size,
	     const uint8_t *bytes, uint32_t *processed)
{
  const struct sink *sink = handle;

  (void) index;
  (void) bytes;
  if (op == OCSD_OP_DATA)
    {
      sink->peer->counts[sink->stream].bytes += size;
      *processed = size;
    }
  return OCSD_RESP_CONT;
}

static void
sink_flags (const void *handle, const int flags)
{
  (void) handle;
  (void) flags;
}

static ocsd_err_t
sink_create (const int flags, const void *config,
	     const ocsd_extern_dcd_cb_fns *callbacks,
	     ocsd_extern_dcd_inst_t *instance)
{
  static char name[] = "bytes";

  (void) flags;
  (void) callbacks;
  instance->fn_data_in = count_bytes;
  instance->fn_update_pkt_mon = sink_flags;
  instance->decoder_handle = (void *) config;
  instance->p_decoder_name = name;
  instance->cs_id = ((const struct sink *) config)->id;
  return OCSD_OK;
}

static ocsd_err_t
sink_destroy (const void *handle)
{
  (void) handle;
  return OCSD_OK;
}

static ocsd_err_t
sink_id (const void *config, unsigned char *id)
{
  *id = ((const struct sink *) config)->id;
  return OCSD_OK;
}

static ocsd_err_t
sink_string (const void *packet, char *buffer, const int length)
{
  (void) packet;
  if (length > 0)
    *buffer = '\0';
  return OCSD_OK;
}

static ocsd_extern_dcd_fact_t sink_factory = {
  sink_create, sink_destroy, sink_id, sink_string, OCSD_PROTOCOL_UNKNOWN
};

/* Decoder configurations.  */

static uint32_t
reg (const struct tb_device *device, const char *name, uint32_t otherwise)
{
  const struct tb_device_reg *r = tb_device_reg (device, name);
  return r != NULL ? (uint32_t) r->value : otherwise;
}

static ocsd_core_profile_t
profile_of (const struct tb_profile *profile)
{
  return profile->is_m ? profile_CortexM
    : profile->arch == TB_ARCH_V7R || profile->arch == TB_ARCH_V8R
    ? profile_CortexR : profile_CortexA;
}

static ocsd_arch_version_t
arch_of (const struct tb_profile *profile)
{
  switch (profile->arch)
    {
    case TB_ARCH_V8A: case TB_ARCH_V8R: case TB_ARCH_V8M_BASE:
    case TB_ARCH_V8M_MAIN: case TB_ARCH_V81M_MAIN: case TB_ARCH_UNKNOWN:
      return ARCH_V8;
    default:
      return ARCH_V7;
    }
}

union config
{
  ocsd_etmv4_cfg etmv4;
  ocsd_ete_cfg ete;
  ocsd_etmv3_cfg etmv3;
  ocsd_ptm_cfg ptm;
  ocsd_stm_cfg stm;
};

/* The library's decoder for STREAM; NULL: it has none.  */
static const char *
configure (union config *c, const struct tb_session_stream *stream)
{
  const struct tb_device *d = stream->source;
  const struct tb_profile *core = &stream->core->profile;

  memset (c, 0, sizeof *c);
  if (strncasecmp (d->type, "ETE", 3) == 0)
    {
      c->ete.reg_idr0 = reg (d, "TRCIDR0", 0);
      c->ete.reg_idr1 = reg (d, "TRCIDR1", 0);
      c->ete.reg_idr2 = reg (d, "TRCIDR2", 0);
      c->ete.reg_idr8 = reg (d, "TRCIDR8", 0);
      c->ete.reg_devarch = reg (d, "TRCDEVARCH", 0x47705a13);
      c->ete.reg_configr = reg (d, "TRCCONFIGR", 0);
      c->ete.reg_traceidr = reg (d, "TRCTRACEIDR", 0);
      c->ete.arch_ver = ARCH_AA64;
      c->ete.core_prof = profile_of (core);
      return OCSD_BUILTIN_DCD_ETE;
    }
  if (strncasecmp (d->type, "ETM4", 4) == 0)
    {
      c->etmv4.reg_idr0 = reg (d, "TRCIDR0", 0);
      c->etmv4.reg_idr1 = reg (d, "TRCIDR1", 0x4100f403);
      c->etmv4.reg_idr2 = reg (d, "TRCIDR2", 0);
      c->etmv4.reg_idr8 = reg (d, "TRCIDR8", 0);
      c->etmv4.reg_idr9 = reg (d, "TRCIDR9", 0);
      c->etmv4.reg_idr10 = reg (d, "TRCIDR10", 0);
      c->etmv4.reg_idr11 = reg (d, "TRCIDR11", 0);
      c->etmv4.reg_idr12 = reg (d, "TRCIDR12", 0);
      c->etmv4.reg_idr13 = reg (d, "TRCIDR13", 0);
      c->etmv4.reg_configr = reg (d, "TRCCONFIGR", 0);
      c->etmv4.reg_traceidr = reg (d, "TRCTRACEIDR", 0);
      c->etmv4.arch_ver = arch_of (core);
      c->etmv4.core_prof = profile_of (core);
      return OCSD_BUILTIN_DCD_ETMV4I;
    }
  if (strncasecmp (d->type, "ETM3", 4) == 0)
    {
      c->etmv3.reg_idr = reg (d, "ETMIDR", 0x4114f250);
      c->etmv3.reg_ctrl = reg (d, "ETMCR", 0);
      c->etmv3.reg_ccer = reg (d, "ETMCCER", 0);
      c->etmv3.reg_trc_id = reg (d, "ETMTRACEIDR", 0);
      c->etmv3.arch_ver = arch_of (core);
      c->etmv3.core_prof = profile_of (core);
      return OCSD_BUILTIN_DCD_ETMV3;
    }
  if (strncasecmp (d->type, "PTM", 3) == 0
      || strncasecmp (d->type, "PFT", 3) == 0)
    {
      c->ptm.reg_idr = reg (d, "ETMIDR", 0x4100f310);
      c->ptm.reg_ctrl = reg (d, "ETMCR", 0);
      c->ptm.reg_ccer = reg (d, "ETMCCER", 0);
      c->ptm.reg_trc_id = reg (d, "ETMTRACEIDR", 0);
      c->ptm.arch_ver = arch_of (core);
      c->ptm.core_prof = profile_of (core);
      return OCSD_BUILTIN_DCD_PTM;
    }
  if (strncasecmp (d->type, "STM", 3) == 0)
    {
      c->stm.reg_tcsr = reg (d, "STMTCSR", 0);
      c->stm.reg_feat3r = reg (d, "STMFEAT3R", 0x7f);
      c->stm.reg_devid = reg (d, "STMDEVID", 0xff);
      c->stm.reg_feat1r = reg (d, "STMFEAT1R", 0);
      c->stm.reg_hwev_mast = reg (d, "STMHWMASTR", 0);
      c->stm.hw_event = HwEvent_UseRegisters;
      return OCSD_BUILTIN_DCD_STM;
    }
  return NULL;
}

/* Memory images.  */

static ocsd_mem_space_acc_t
space_of (enum tb_space space)
{
  switch (space)
    {
    case TB_SPACE_N: return OCSD_MEM_SPACE_N;
    case TB_SPACE_S: return OCSD_MEM_SPACE_S;
    case TB_SPACE_EL1N: return OCSD_MEM_SPACE_EL1N;
    case TB_SPACE_EL1S: return OCSD_MEM_SPACE_EL1S;
    case TB_SPACE_EL2: return OCSD_MEM_SPACE_EL2;
    case TB_SPACE_EL3: return OCSD_MEM_SPACE_EL3;
    default: return OCSD_MEM_SPACE_ANY;
    }
}

static uint32_t
read_dump (const void *context, const ocsd_vaddr_t address,
	   const ocsd_mem_space_acc_t space, const uint32_t length,
	   uint8_t *bytes)
{
  const struct tb_dump *dump = context;
  uint64_t offset = address - dump->address;
  uint64_t room;

  (void) space;
  if (offset >= dump->length)
    return 0;
  room = dump->length - offset;
  if (room > length)
    room = length;
  memcpy (bytes, dump->data + offset, room);
  return (uint32_t) room;
}

/* All dumps of the same file as dump FIRST: the library knows a file by its
   path and takes all its regions at once.  */
static void
add_file (struct peer *p, size_t first)
{
  const struct bench_input *input = p->input;
  const struct tb_dump *dump = input->dumps[first].dump;
  ocsd_file_mem_region_t *regions = calloc (input->ndumps, sizeof *regions);
  int count = 0;

  for (size_t i = 0; i < input->ndumps; i++)
    if (strcmp (input->dumps[i].dump->path, dump->path) == 0)
      {
	if (i < first || regions == NULL)	/* Done, or no memory.  */
	  break;
	regions[count].file_offset = (size_t) input->dumps[i].offset;
	regions[count].start_address = input->dumps[i].dump->address;
	regions[count++].region_size = (size_t) input->dumps[i].dump->length;
      }
  if (count > 0)
    ocsd_dt_add_binfile_region_mem_acc (p->tree, regions, count,
					space_of (dump->space), dump->path);
  free (regions);
}

/* The library refuses a region that overlaps one it has: what came first
   stays, and that is no error.  */
static void
add_memory (struct peer *p, enum memory memory)
{
  for (size_t i = 0; i < p->input->ndumps; i++)
    {
      const struct tb_dump *dump = p->input->dumps[i].dump;
      ocsd_mem_space_acc_t space = space_of (dump->space);
      switch (memory)
	{
	case MEMORY_FILES:
	  add_file (p, i);
	  break;
	case MEMORY_RAM:
	  ocsd_dt_add_buffer_mem_acc (p->tree, dump->address, space,
				      dump->data, (uint32_t) dump->length);
	  break;
	case MEMORY_CALLBACK:
	  ocsd_dt_add_callback_mem_acc (p->tree, dump->address,
					dump->address + dump->length - 1,
					space, read_dump, dump);
	  break;
	}
    }
}

/* The tree.  */

static void
peer_close (void *decoder)
{
  struct peer *p = decoder;
  if (p->tree != C_API_INVALID_TREE_HANDLE)
    ocsd_destroy_dcd_tree (p->tree);
  free (p->sinks);
  free (p);
}

/* Attach a decoder for stream I; false: the library has none.  */
static bool
attach (struct peer *p, size_t i, enum bench_stage stage)
{
  const struct tb_session_stream *stream = p->input->streams[i];
  struct sink *sink = &p->sinks[i];
  union config config;
  const char *name = configure (&config, stream);
  unsigned char id = 0;

  *sink = (struct sink) { p, (uint8_t) stream->id, i };
  if (stage == BENCH_BYTES)
    {
      if (ocsd_dt_create_decoder (p->tree, "bytes", OCSD_CREATE_FLG_PACKET_PROC,
				  sink, &id) != OCSD_OK)
	return false;
    }
  else if (name == NULL
	   || ocsd_dt_create_decoder (p->tree, name,
				      stage == BENCH_PACKETS
				      ? OCSD_CREATE_FLG_PACKET_PROC
				      : OCSD_CREATE_FLG_FULL_DECODER,
				      &config, &id) != OCSD_OK)
    return false;
  else if (stage == BENCH_PACKETS
	   && ocsd_dt_attach_packet_callback (p->tree, id,
					      OCSD_C_API_CB_PKT_SINK,
					      (void *) count_packet, sink)
	      != OCSD_OK)
    return false;
  p->source[id] = (uint8_t) i;
  return true;
}

static void *
peer_open (const struct bench_input *input, enum bench_stage stage,
	   enum memory memory)
{
  static bool ready;
  bool framed = input->buffer->format != TB_FORMAT_SOURCE_DATA;
  struct peer *p;
  size_t attached = 0;

  if (!ready)
    {
      ready = true;
      ocsd_def_errlog_init (OCSD_ERR_SEV_NONE, 0);
      ocsd_register_custom_decoder ("bytes", &sink_factory);
    }
  if (stage == BENCH_BYTES && !framed)
    return NULL;
  p = calloc (1, sizeof *p);
  if (p == NULL)
    return NULL;
  p->input = input;
  p->sinks = calloc (input->nstreams, sizeof *p->sinks);
  p->tree = ocsd_create_dcd_tree (framed ? OCSD_TRC_SRC_FRAME_FORMATTED
				  : OCSD_TRC_SRC_SINGLE,
				  framed ? OCSD_DFRMTR_FRAME_MEM_ALIGN : 0);
  if (p->sinks == NULL || p->tree == C_API_INVALID_TREE_HANDLE)
    goto fail;
  for (size_t i = 0; i < input->nstreams; i++)
    attached += attach (p, i, stage);
  if (attached == 0)
    goto fail;
  if (stage == BENCH_ELEMENTS)
    {
      if (ocsd_dt_set_gen_elem_outfn (p->tree,
				      input->take != NULL ? hand_on_element
				      : count_element, p) != OCSD_OK)
	goto fail;
      add_memory (p, memory);
    }
  return p;

 fail:
  peer_close (p);
  return NULL;
}

static uint64_t
peer_decode (void *decoder, struct bench_count *counts)
{
  struct peer *p = decoder;
  uint64_t size = p->input->buffer->size, at = 0;
  ocsd_datapath_resp_t response = OCSD_RESP_CONT;

  p->counts = counts;
  while (at < size && !OCSD_DATA_RESP_IS_FATAL (response))
    {
      uint32_t block = size - at < 1 << 30 ? (uint32_t) (size - at) : 1 << 30;
      uint32_t done = 0;
      if (OCSD_DATA_RESP_IS_WAIT (response))
	response = ocsd_dt_process_data (p->tree, OCSD_OP_FLUSH, 0, 0, NULL,
					 NULL);
      else
	response = ocsd_dt_process_data (p->tree, OCSD_OP_DATA, at, block,
					 p->input->bytes + at, &done);
      at += done;
    }
  if (at == size)
    ocsd_dt_process_data (p->tree, OCSD_OP_EOT, 0, 0, NULL, NULL);
  return size - at;
}

static void *
open_files (const struct bench_input *input, enum bench_stage stage)
{
  return peer_open (input, stage, MEMORY_FILES);
}

static void *
open_ram (const struct bench_input *input, enum bench_stage stage)
{
  return peer_open (input, stage, MEMORY_RAM);
}

static void *
open_callback (const struct bench_input *input, enum bench_stage stage)
{
  return peer_open (input, stage, MEMORY_CALLBACK);
}

const struct bench_decoder bench_peer_files = {
  "peer, files", open_files, peer_decode, NULL, NULL, peer_close
};

const struct bench_decoder bench_peer_ram = {
  "peer, RAM", open_ram, peer_decode, NULL, NULL, peer_close
};

const struct bench_decoder bench_peer_callback = {
  "peer, callback", open_callback, peer_decode, NULL, NULL, peer_close
};
