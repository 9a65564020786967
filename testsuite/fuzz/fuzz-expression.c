/* Expressions of conditions and "collect", over the symbols of a sample, and the code that is
   made of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the place and what is asked; then text, or (the first bit of
   the byte is set) a word of the list below a byte, as bytes by chance are hardly ever an
   expression.  */

#include "config.h"
#include "fuzz.h"

#include "frame/agent.h"
#include "frame/expression.h"
#include "frame/request.h"

static const char *const words[] = {
  "batch", "count", "$r0", "$sp", "$pc", "$step", "$mine", "$value", "value", "x", "i",
  "batch_put", "main", "struct sample", "struct batch", "int", "char", "unsigned", "long",
  "short", "uint8_t", "uint32_t", "const", "volatile", "enum", "union", "float", "void",
  "0", "1", "2", "16", "0x20000000", "0xffffffffffffffff", "10ul", "'a'", "4294967296",
  "(", ")", "[", "]", "{", "}", ".", "->", "&", "*", "+", "-", "/", "%", "<<", ">>", "<",
  ">", "<=", ">=", "==", "!=", "&&", "||", "!", "~", "^", "|", "?", ":", ",", "@", "=",
  "+=", "++", "sizeof", "::", "'main.c'::", "$regs", "$args", "$locals", "$_ret", "/s ",
  "/s4 ", "if", "collect", "passcount", "while-stepping", "writes to", "calls of",
  "exceptions", "samples", "sum", "state", "queue", "next", "data", "size", "flags",
  "TIMER.CTRL", "$lr", "$x0", "(char *)", "(unsigned char)", "(int *)", "(struct batch *)"
};

static struct tb_symbols *symbols;
static struct tb_variables *variables;
static struct tb_tdesc *tdesc;
static struct tb_tracepoint_set set;

static void
prepare (void)
{
  static const char mine[] = "63:0:0:6d696e65";
  struct tb_profile profile;
  symbols = tb_symbols_new ();
  MUST (tb_profile_find (&profile, "Cortex-M0+"));
  MUST (tb_tracepoint_set_init (&set));
  MUST (tb_trace_variable_read (&set, mine, sizeof mine - 1));
  MUST (tb_symbols_add (symbols, FUZZ_SAMPLES "/crash-o0/program.elf", 0, NULL) == TB_OK);
  variables = tb_variables_new (symbols, 4);
  tdesc = tb_tdesc_own (&profile, NULL);
  MUST (variables != NULL && tdesc != NULL);
}

static bool
reg (void *context, unsigned number, struct tb_value *value)
{
  (void) context;
  *value = (struct tb_value) { .bits = UINT64_C (0x20000000) + number * 16,
			       .mask = UINT64_MAX, .origin = TB_DERIVED };
  return number < 34;
}

static void
memory (void *context, uint64_t address, uint8_t *bytes, uint8_t *origins, size_t length)
{
  (void) context;
  for (size_t i = 0; i < length; i++)
    {
      bytes[i] = (uint8_t) (address + i);
      origins[i] = TB_DERIVED;
    }
}

static bool
set_variable (void *context, unsigned number, const struct tb_value *value)
{
  (void) context;
  (void) value;
  return number == 99;
}

static void
collect (void *context, uint64_t address, uint64_t length)
{
  (void) context;
  (void) address;
  (void) length;
}

/* What the compiler makes is sound.  */
static void
run_code (const struct tb_expression *code)
{
  static const struct tb_agent_world world = {
    .reg = reg, .memory = memory, .get = reg, .set = set_variable, .collect = collect,
    .address_mask = UINT32_MAX
  };
  struct tb_value value;
  enum tb_agent_status status = tb_agent_run (code->code, code->length, &world, &value);
  MUST (status != TB_AGENT_MALFORMED && status != TB_AGENT_STACK_ERROR
	&& status != TB_AGENT_NO_FLOAT);
}

FUZZ_TARGET (expression)
{
  if (symbols == NULL)
    prepare ();
  struct fuzz_reader in = { data, data + size };
  unsigned how = fuzz_u8 (&in);
  struct tb_buffer text = { 0 };
  while (in.at < in.end && text.size < TB_EXPRESSION_TEXT_MAX)
    if (how & 1)
      {
	const char *word = words[fuzz_u8 (&in) % (sizeof words / sizeof words[0])];
	tb_buffer_append (&text, word, strlen (word));
	tb_buffer_append (&text, " ", 1);
      }
    else
      {
	size_t rest = TB_EXPRESSION_TEXT_MAX;
	const uint8_t *bytes = fuzz_bytes (&in, &rest);
	tb_buffer_append (&text, bytes, rest);
      }
  size_t count, length = text.size;
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  struct tb_expression_scope scope = {
    .variables = how & 2 ? NULL : variables, .tdesc = tdesc, .set = &set,
    .pc = list[(how >> 4) % count].address + (how & 8 ? 16 : 0), .of_store = how & 4
  };
  /* Without a zero behind it, so that reading beyond it is found out.  */
  char *copy = malloc (length + (length == 0));
  struct tb_expression_error error;
  struct tb_expression code;
  MUST (copy != NULL);
  if (length > 0)
    memcpy (copy, text.data, length);
  if (tb_expression_compile (copy, length, &scope, &code, NULL, &error))
    {
      run_code (&code);
      tb_expression_fini (&code);
    }
  else
    MUST (error.offset <= length && memchr (error.text, 0, sizeof error.text) != NULL);
  struct tb_action_list actions = { 0 };
  if (tb_expression_collect (copy, length, &scope, &actions, &error))
    tb_expression_teval (copy, length, &scope, &actions, &error);
  tb_action_list_fini (&actions);
  uint64_t address, bytes;
  if (!tb_expression_place (copy, length, &scope, &address, &bytes, &error))
    MUST (error.offset <= length);
  free (copy);
  tb_buffer_append (&text, "", 1);
  struct tb_request request;
  if (tb_request_parse (&request, (const char *) text.data, "--trace", NULL))
    tb_request_fini (&request);
  tb_buffer_fini (&text);
  return 0;
}
