/* Random code: it is followed by the trace, recorded, and its registers and memory are worked
   out, from a halt with dumps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the core, one with the size of the code in words, one with
   the halt's place, 32 bytes that registers and RAM are made of, the code, the trace: bytes
   below 0x80 are an atom each, from there to 0xbf addresses of the code, others packets of
   their own.  */

#include "config.h"
#include "fuzz.h"

#include "snapshot/maker.h"

#define CODE_ADDRESS UINT64_C (0x1000)
#define RAM_ADDRESS UINT64_C (0x20000000)
#define RAM_SIZE 512

/* Cores, and what their units sent: long addresses of the instruction set, and what a
   context packet says.  */
static const struct core
{
  const char *core, *unit;
  uint32_t configr, idr1, idr2;
  uint8_t address, with_context, context, shift;
} cores[] =
{
  { "Cortex-A57", "ETM4.0", 0x1, 0x4100f403, 0x488, 0x9a, 0x82, 0x31, 2 },
  { "Cortex-A57", "ETM4.0", 0x1, 0x4100f403, 0x488, 0x9a, 0x82, 0x21, 2 },
  { "Cortex-M33", "ETM4.2", 0x1, 0x4100f423, 0x84, 0x9b, 0x83, 0x21, 1 },
  { "Cortex-M0+", "ETM4.2", 0x1, 0x4100f423, 0x84, 0x9b, 0x83, 0x21, 1 },
  { "Cortex-A57", "ETM4.0", 0x1, 0x4100f403, 0x488, 0x9b, 0x83, 0x21, 1 },
  { "Cortex-M55", "ETM4.2", 0x1, 0x4100f423, 0x84, 0x9b, 0x83, 0x21, 1 }
};

static void
put (struct tb_buffer *trace, unsigned byte)
{
  tb_buffer_append_le (trace, byte, 1);
}

/* The four bytes of a long address.  */
static void
put_address (struct tb_buffer *trace, const struct core *core, uint64_t address)
{
  unsigned low = core->shift == 2 ? 9 : 8;
  put (trace, address >> core->shift & 0x7f);
  put (trace, address >> low & (core->shift == 2 ? 0x7f : 0xff));
  put (trace, address >> 16 & 0xff);
  put (trace, address >> 24 & 0xff);
}

/* The trace that what is left of IN stands for.  */
static void
make_trace (struct tb_buffer *trace, const struct core *core, struct fuzz_reader *in)
{
  for (unsigned i = 0; i < 11; i++)
    put (trace, 0);
  put (trace, 0x80);		/* Synchronisation.  */
  put (trace, 0x01);		/* Trace Info  */
  put (trace, 0x01);
  put (trace, 0x00);
  put (trace, 0x04);		/* Trace On.  */
  put (trace, core->with_context);
  put_address (trace, core, CODE_ADDRESS);
  put (trace, core->context);
  while (in->at < in->end)
    {
      unsigned byte = fuzz_u8 (in);
      if (byte < 0x80)
	put (trace, 0xf6 | (byte & 1));
      else if (byte < 0xc0)
	{
	  put (trace, core->address);
	  put_address (trace, core, CODE_ADDRESS + ((byte & 0x3f) << core->shift));
	}
      else
	put (trace, byte);
    }
}

FUZZ_TARGET (code)
{
  struct fuzz_reader in = { data, data + size };
  const struct core *core = &cores[fuzz_u8 (&in) % (sizeof cores / sizeof cores[0])];
  size_t words = fuzz_u8 (&in);
  unsigned halt = fuzz_u8 (&in);
  uint8_t values[32] = { 0 }, ram[RAM_SIZE];
  for (unsigned i = 0; i < sizeof values; i++)
    values[i] = (uint8_t) fuzz_u8 (&in);
  for (unsigned i = 0; i < RAM_SIZE; i++)
    ram[i] = values[i % 31];
  size_t code_size = 4 * words + 4;
  const uint8_t *code = fuzz_bytes (&in, &code_size);
  if (code_size == 0)
    return 0;
  struct tb_buffer trace = { 0 };
  make_trace (&trace, core, &in);

  struct tb_snapshot snapshot;
  struct tb_maker m;
  tb_maker_init (&m, &snapshot, "input", NULL);
  size_t c = tb_maker_device (&m, TB_CLASS_CORE, "cpu", core->core, "cpu.ini");
  size_t s = tb_maker_device (&m, TB_CLASS_TRACE_SOURCE, "etm", core->unit, "etm.ini");
  bool wide = core->context == 0x31;
  for (unsigned i = 0; halt != 0 && i < 13; i++)
    {
      char name[8];
      snprintf (name, sizeof name, "%c%u", wide ? 'X' : 'R', i);
      uint64_t value = i % 3 == 0 ? RAM_ADDRESS + values[i] : values[i] * UINT64_C (0x1010101);
      tb_maker_reg (&m, c, name, -1, wide ? 64 : 32, value);
    }
  if (halt != 0)
    {
      tb_maker_reg (&m, c, "SP", -1, wide ? 64 : 32, RAM_ADDRESS + (values[13] & 0xf8));
      tb_maker_reg (&m, c, "PC", -1, wide ? 64 : 32, CODE_ADDRESS + 2 * (halt - 1));
    }
  tb_maker_memory (&m, c, "code", code, code_size, TB_SPACE_ANY, CODE_ADDRESS);
  tb_maker_memory (&m, c, "ram", ram, sizeof ram, TB_SPACE_ANY, RAM_ADDRESS);
  const struct { const char *name; uint32_t id, value; } regs[] = {
    { "TRCCONFIGR", 0x004, core->configr }, { "TRCTRACEIDR", 0x010, 0x10 },
    { "TRCIDR0", 0x078, 0x28000ea1 }, { "TRCIDR1", 0x079, core->idr1 },
    { "TRCIDR2", 0x07a, core->idr2 }, { "TRCIDR8", 0x060, 0 }
  };
  for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++)
    tb_maker_reg (&m, s, regs[i].name, regs[i].id, 32, regs[i].value);
  size_t b = tb_maker_buffer (&m, "etb", TB_FORMAT_SOURCE_DATA);
  tb_maker_span (&m, b, trace.data, trace.size);
  tb_maker_stream (&m, s, c, b);
  struct tb_session session;
  MUST (tb_maker_finish (&m) == TB_OK);
  if (tb_session_open_made (&session, &snapshot, NULL, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  tb_buffer_fini (&trace);
  return 0;
}
