/* The table of ETMv4 and ETE header bytes.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/packet.h"

#include <string.h>

/* When a header is one.  */
enum condition
{
  ALWAYS,
  ETMV4_ONLY,
  FUNCTION_RETURN,		/* Armv8-M, ETMv4.2  */
  FROM_4_3, FROM_4_6,
  Q_ELEMENTS, CONDITIONALS, DATA_TRACE,
  ETE_ONLY, FROM_ETE_1_3
};

/* Headers FIRST to LAST; IHI 0064 table 6-1, ordered by value.  */
static const struct
{
  uint8_t first, last;
  uint8_t type;
  uint8_t arg;			/* Of FIRST; one more for each after it if
				   COUNTING.  */
  uint8_t condition;
  bool counting;
} headers[] =
{
  { 0x00, 0x00, TB_ETMV4_EXTENSION, 0, ALWAYS, false },
  { 0x01, 0x01, TB_ETMV4_TRACE_INFO, 0, ALWAYS, false },
  { 0x02, 0x03, TB_ETMV4_TIMESTAMP, 0, ALWAYS, false },
  { 0x04, 0x04, TB_ETMV4_TRACE_ON, 0, ALWAYS, false },
  { 0x05, 0x05, TB_ETMV4_FUNCTION_RETURN, 0, FUNCTION_RETURN, false },
  { 0x06, 0x06, TB_ETMV4_EXCEPTION, 0, ALWAYS, false },
  { 0x07, 0x07, TB_ETMV4_EXCEPTION_RETURN, 0, ETMV4_ONLY, false },
  { 0x09, 0x09, TB_ETMV4_INSTRUMENTATION, 0, FROM_ETE_1_3, false },
  { 0x0a, 0x0a, TB_ETMV4_TRANSACTION_START, 0, ETE_ONLY, false },
  { 0x0b, 0x0b, TB_ETMV4_TRANSACTION_COMMIT, 0, ETE_ONLY, false },
  { 0x0c, 0x0d, TB_ETMV4_CYCLES_2, 0, ALWAYS, false },
  { 0x0e, 0x0f, TB_ETMV4_CYCLES_1, 0, ALWAYS, false },
  { 0x10, 0x1f, TB_ETMV4_CYCLES_3, 0, ALWAYS, false },
  { 0x20, 0x27, TB_ETMV4_DATA_SYNC_MARKER, 0, DATA_TRACE, true },
  { 0x28, 0x2c, TB_ETMV4_DATA_SYNC_MARKER, 8, DATA_TRACE, true },
  { 0x2d, 0x2d, TB_ETMV4_COMMIT, 0, ALWAYS, false },
  { 0x2e, 0x2e, TB_ETMV4_CANCEL_1, 0, ALWAYS, false },
  { 0x2f, 0x2f, TB_ETMV4_CANCEL_1_MISPREDICT, 0, ALWAYS, false },
  { 0x30, 0x33, TB_ETMV4_MISPREDICT, 0, ALWAYS, true },
  { 0x34, 0x37, TB_ETMV4_CANCEL_2, 0, ALWAYS, true },
  { 0x38, 0x3f, TB_ETMV4_CANCEL_3, 0, ALWAYS, true },
  { 0x40, 0x42, TB_ETMV4_CONDITIONAL_2, 0, CONDITIONALS, true },
  { 0x43, 0x43, TB_ETMV4_CONDITIONAL_FLUSH, 0, CONDITIONALS, false },
  { 0x44, 0x46, TB_ETMV4_RESULT_4, 0, CONDITIONALS, true },
  { 0x48, 0x4a, TB_ETMV4_RESULT_2, 0, CONDITIONALS, true },
  { 0x4c, 0x4e, TB_ETMV4_RESULT_2, 4, CONDITIONALS, true },
  { 0x50, 0x5f, TB_ETMV4_RESULT_3, 0, CONDITIONALS, true },
  { 0x68, 0x6b, TB_ETMV4_RESULT_1, 2, CONDITIONALS, false },
  { 0x6c, 0x6c, TB_ETMV4_CONDITIONAL_1, 0, CONDITIONALS, false },
  { 0x6d, 0x6d, TB_ETMV4_CONDITIONAL_3, 0, CONDITIONALS, false },
  { 0x6e, 0x6f, TB_ETMV4_RESULT_1, 1, CONDITIONALS, false },
  { 0x70, 0x70, TB_ETMV4_IGNORE, 0, FROM_4_3, false },
  { 0x71, 0x7f, TB_ETMV4_EVENT, 1, ALWAYS, true },
  { 0x80, 0x81, TB_ETMV4_CONTEXT, 0, ALWAYS, true },
  { 0x82, 0x83, TB_ETMV4_ADDRESS_CONTEXT_32, 0, ALWAYS, true },
  { 0x85, 0x86, TB_ETMV4_ADDRESS_CONTEXT_64, 0, ALWAYS, true },
  { 0x88, 0x88, TB_ETMV4_TIMESTAMP_MARKER, 0, FROM_4_6, false },
  { 0x90, 0x92, TB_ETMV4_ADDRESS_EXACT, 0, ALWAYS, true },
  { 0x95, 0x96, TB_ETMV4_ADDRESS_SHORT, 0, ALWAYS, true },
  { 0x9a, 0x9b, TB_ETMV4_ADDRESS_32, 0, ALWAYS, true },
  { 0x9d, 0x9e, TB_ETMV4_ADDRESS_64, 0, ALWAYS, true },
  { 0xa0, 0xa2, TB_ETMV4_Q, 0x0, Q_ELEMENTS, true },
  { 0xa5, 0xa6, TB_ETMV4_Q, 0x5, Q_ELEMENTS, true },
  { 0xaa, 0xac, TB_ETMV4_Q, 0xa, Q_ELEMENTS, true },
  { 0xaf, 0xaf, TB_ETMV4_Q, 0xf, Q_ELEMENTS, false },
  { 0xb0, 0xb2, TB_ETMV4_SOURCE_EXACT, 0, ETE_ONLY, true },
  { 0xb4, 0xb5, TB_ETMV4_SOURCE_SHORT, 0, ETE_ONLY, true },
  { 0xb6, 0xb7, TB_ETMV4_SOURCE_32, 0, ETE_ONLY, true },
  { 0xb8, 0xb9, TB_ETMV4_SOURCE_64, 0, ETE_ONLY, true },
};

/* Atom packets (6.4, "Atom instruction trace packets").  */
static const struct
{
  uint8_t first, last;
  uint8_t natoms;		/* 0: format 6.  */
  uint8_t given;		/* The low bits of the header are the atoms. */
  uint8_t pattern[4];		/* If not GIVEN: by the low two bits.  */
} atoms[] =
{
  { 0xc0, 0xd4, 0, 0, { 0 } },
  { 0xd5, 0xd7, 5, 0, { 0, 0x00, 0x0a, 0x15 } },	/* NNNNN NENEN ENENE  */
  { 0xd8, 0xdb, 2, 2, { 0 } },
  { 0xdc, 0xdf, 4, 0, { 0x0e, 0x00, 0x0a, 0x05 } },	/* NEEE NNNN NENE ENEN
							   (oldest first)  */
  { 0xe0, 0xf4, 0, 0, { 0 } },
  { 0xf5, 0xf5, 5, 0, { 0, 0x1e, 0, 0 } },	/* NEEEE  */
  { 0xf6, 0xf7, 1, 1, { 0 } },
  { 0xf8, 0xff, 3, 3, { 0 } },
};

static bool
holds (enum condition condition, const struct tb_etmv4_config *config)
{
  switch (condition)
    {
    case ALWAYS:
      return true;
    case ETMV4_ONLY:
      return !tb_etmv4_is_ete (config);
    case FUNCTION_RETURN:
      return tb_etmv4_has_function_return (config);
    case FROM_4_3:
      return config->version >= 0x43;
    case FROM_4_6:
      return config->version >= 0x46;
    case Q_ELEMENTS:
      return tb_etmv4_has_q (config);
    case CONDITIONALS:
      return tb_etmv4_traces_conditionals (config);
    case DATA_TRACE:
      return tb_etmv4_traces_data (config);
    case ETE_ONLY:
      return tb_etmv4_is_ete (config);
    case FROM_ETE_1_3:
      return config->version >= 0x53;
    }
  return false;
}

/* Format 6: a run of E atoms, three or more, and a last one that is E, or N if
   bit 5 is set.  */
static void
atom_format_6 (struct tb_etmv4_header *entry, unsigned byte)
{
  unsigned run = (byte & 0x1f) + 3;
  entry->natoms = (uint8_t) (run + 1);
  entry->atoms = (UINT32_C (1) << run) - 1;
  if ((byte & 0x20) == 0)
    entry->atoms |= UINT32_C (1) << run;
}

void
tb_etmv4_table_init (struct tb_etmv4_table *table,
		     const struct tb_etmv4_config *config)
{
  memset (table, 0, sizeof *table);
  table->vmid_bytes = (uint8_t) tb_etmv4_vmid_bytes (config);
  table->cid_bytes = (uint8_t) tb_etmv4_context_id_bytes (config);
  table->commit_mode_1 = tb_etmv4_commit_mode_1 (config);
  table->ete = tb_etmv4_is_ete (config);
  table->max_speculation = config->max_speculation;
  table->cycle_mask = (UINT32_C (1) << tb_etmv4_cycle_bits (config)) - 1;
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    if (holds (headers[i].condition, config))
      for (unsigned byte = headers[i].first; byte <= headers[i].last; byte++)
	{
	  table->header[byte].type = headers[i].type;
	  table->header[byte].arg = headers[i].arg;
	  if (headers[i].counting)
	    table->header[byte].arg += (uint8_t) (byte - headers[i].first);
	}
  for (size_t i = 0; i < sizeof atoms / sizeof atoms[0]; i++)
    for (unsigned byte = atoms[i].first; byte <= atoms[i].last; byte++)
      {
	struct tb_etmv4_header *entry = &table->header[byte];
	entry->type = TB_ETMV4_ATOM;
	entry->natoms = atoms[i].natoms;
	if (atoms[i].natoms == 0)
	  atom_format_6 (entry, byte);
	else if (atoms[i].given > 0)
	  entry->atoms = byte & ((1u << atoms[i].given) - 1);
	else
	  entry->atoms = atoms[i].pattern[byte & 3];
      }
}

const char *const tb_etmv4_packet_names[TB_ETMV4_PACKET_TYPES] =
{
  [TB_ETMV4_BAD] = "Reserved",
  [TB_ETMV4_ASYNC] = "Alignment Synchronization",
  [TB_ETMV4_DISCARD] = "Discard", [TB_ETMV4_OVERFLOW] = "Overflow",
  [TB_ETMV4_TRACE_INFO] = "Trace Info", [TB_ETMV4_TRACE_ON] = "Trace On",
  [TB_ETMV4_TIMESTAMP] = "Timestamp",
  [TB_ETMV4_TIMESTAMP_MARKER] = "Timestamp Marker",
  [TB_ETMV4_CYCLES_1] = "Cycle Count 1", [TB_ETMV4_CYCLES_2] = "Cycle Count 2",
  [TB_ETMV4_CYCLES_3] = "Cycle Count 3",
  [TB_ETMV4_EVENT] = "Event", [TB_ETMV4_IGNORE] = "Ignore",
  [TB_ETMV4_ATOM] = "Atom", [TB_ETMV4_Q] = "Q",
  [TB_ETMV4_EXCEPTION] = "Exception",
  [TB_ETMV4_EXCEPTION_RETURN] = "Exception Return",
  [TB_ETMV4_FUNCTION_RETURN] = "Function Return",
  [TB_ETMV4_CONTEXT] = "Context",
  [TB_ETMV4_ADDRESS_EXACT] = "Exact Match Address",
  [TB_ETMV4_ADDRESS_SHORT] = "Short Address",
  [TB_ETMV4_ADDRESS_32] = "32-bit Long Address",
  [TB_ETMV4_ADDRESS_64] = "64-bit Long Address",
  [TB_ETMV4_ADDRESS_CONTEXT_32] = "32-bit Long Address with Context",
  [TB_ETMV4_ADDRESS_CONTEXT_64] = "64-bit Long Address with Context",
  [TB_ETMV4_COMMIT] = "Commit", [TB_ETMV4_CANCEL_1] = "Cancel 1",
  [TB_ETMV4_CANCEL_1_MISPREDICT] = "Cancel 1 with Mispredict",
  [TB_ETMV4_CANCEL_2] = "Cancel 2", [TB_ETMV4_CANCEL_3] = "Cancel 3",
  [TB_ETMV4_MISPREDICT] = "Mispredict",
  [TB_ETMV4_CONDITIONAL_1] = "Conditional Instruction 1",
  [TB_ETMV4_CONDITIONAL_2] = "Conditional Instruction 2",
  [TB_ETMV4_CONDITIONAL_3] = "Conditional Instruction 3",
  [TB_ETMV4_CONDITIONAL_FLUSH] = "Conditional Flush",
  [TB_ETMV4_RESULT_1] = "Conditional Result 1",
  [TB_ETMV4_RESULT_2] = "Conditional Result 2",
  [TB_ETMV4_RESULT_3] = "Conditional Result 3",
  [TB_ETMV4_RESULT_4] = "Conditional Result 4",
  [TB_ETMV4_DATA_SYNC_MARKER] = "Data Synchronization Marker",
  [TB_ETMV4_SOURCE_EXACT] = "Exact Match Source Address",
  [TB_ETMV4_SOURCE_SHORT] = "Short Source Address",
  [TB_ETMV4_SOURCE_32] = "32-bit Source Address",
  [TB_ETMV4_SOURCE_64] = "64-bit Source Address",
  [TB_ETMV4_TRANSACTION_START] = "Transaction Start",
  [TB_ETMV4_TRANSACTION_COMMIT] = "Transaction Commit",
  [TB_ETMV4_TRANSACTION_FAIL] = "Transaction Failure",
  [TB_ETMV4_PE_RESET] = "PE Reset",
  [TB_ETMV4_INSTRUMENTATION] = "Instrumentation"
};
