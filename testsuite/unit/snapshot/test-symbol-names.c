/* What a user calls symbols: the names that mean one, and those that are like it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "snapshot/symbol-names.h"

/* Names that mean RAW, and names that do not.  */
static const struct
{
  const char *raw;
  const char *yes[9], *no[9];
} names[] = {
  { "main", { "main" }, { "mai", "ain", "main()", "", "::", "main+" } },
  { "_start", { "_start" }, { "start", "_star" } },
  { "_ZN2ns5Queue3putEci",
    { "put", "Queue::put", "ns::Queue::put", "::put", "put(char, int)", "put (char,int)",
      "Queue::put(char,int)", "ns :: Queue::put", "_ZN2ns5Queue3putEci" },
    { "ut", "ueue::put", "put(char)", "put(int)", "put()", "Queue", "ns::put", "put(",
      "ns::Queue::put(char, int) const" } },
  { "_ZNK2ns5Queue4sizeEv", { "size", "size() const", "size(void) const", "Queue::size()const" },
    { "size()", "size const", "siz" } },
  { "_Z4nonev", { "none", "none()", "none(void)", "none ( void )" },
    { "none(int)", "non", "none(voi)" } },
  { "_ZN2ns7biggestIcEET_S1_S1_",
    { "biggest", "biggest<char>", "ns::biggest<char>(char, char)", "biggest(char,char)",
      "ns::biggest" },
    { "char", "biggest<int>", "biggest<", "biggest<char", "ns::biggest<char>(char)" } },
  { "_ZN2ns5StackINS0_IiEEE4pushES1_",
    { "push", "Stack::push", "Stack<ns::Stack<int>>::push", "ns::Stack<ns::Stack<int> >::push",
      "ns::Stack::push(ns::Stack<int>)" },
    { "Stack<int>::push", "Stack", "Stack<>::push", "ns::push" } },
  { "_ZN2ns5QueueltERKS0_", { "operator<", "Queue::operator<", "operator <" },
    { "operator<<", "operator", "operator<=" } },
  { "_ZN2ns5QueuelsEi", { "operator<<", "operator<<(int)" }, { "operator<", "operator" } },
  { "_ZN2ns5QueueclEi", { "operator()", "operator()(int)", "operator ()" },
    { "operator", "operator(int)" } },
  { "_ZN2ns5QueueplEi", { "operator+", "Queue::operator+(int)" }, { "operator", "+" } },
  { "_ZN2ns5QueueC2Ev", { "Queue::Queue", "Queue::Queue()", "Queue" }, { "ns" } },
  { "_ZN12_GLOBAL__N_16hiddenEv", { "hidden", "(anonymous namespace)::hidden", "hidden()" },
    { "anonymous", "namespace)::hidden" } },
  { "_Z3fooB5cxx11v", { "foo", "foo()", "foo[abi:cxx11]" }, { "fo", "foo[abi:other]" } },
  { "_Z3foov.part.0", { "foo", "foo()" }, { "fo" } },
  { "_Z3foov.cold", { NULL }, { "foo", "foo()" } },
  { "_Z", { "_Z" }, { "Z", "" } }
};

static void
test_called (void)
{
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (size_t k = 0; k < 9; k++)
      {
	const char *yes = names[i].yes[k], *no = names[i].no[k];
	if (yes != NULL && !tb_symbol_is_called (names[i].raw, yes, strlen (yes)))
	  CHECK_STR (names[i].raw, yes);
	if (no != NULL && tb_symbol_is_called (names[i].raw, no, strlen (no)))
	  CHECK_STR ("another name", no);
      }
}

/* Whatever stands there ends.  */
static void
test_odd (void)
{
  static const char characters[] = "op<>()[]:: eratorn,*~";
  unsigned seed = 1;
  for (unsigned i = 0; i < 20000; i++)
    {
      char name[24];
      size_t length = i % sizeof name;
      for (size_t k = 0; k < length; k++)
	{
	  seed = seed * 1103515245 + 12345;
	  name[k] = characters[(seed >> 16) % (sizeof characters - 1)];
	}
      CHECK (!tb_symbol_is_called ("_ZN2ns5StackINS0_IiEEE4pushES1_", name,
				   length));
    }
}

static void
ignore (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  (void) message;
}

static void
test_like (void)
{
  static const char *const like[][2] = {
    { "batch_pit", "batch_put or batch_drain" }, { "BATCH_PUT", "batch_put" },
    { "batch_put(int)", "batch_put" }, { "zzzzzzzz", "" }, { "", "" },
    { "(", "" }
  };
  const char *source = getenv ("srcdir");
  char path[4096];
  struct tb_diag diag = { .report = ignore };
  struct tb_symbols *symbols = tb_symbols_new ();
  snprintf (path, sizeof path, "%s/samples/crash-m0/program.elf",
	    source != NULL ? source : ".");
  CHECK_INT (tb_symbols_add (symbols, path, 0, &diag), TB_OK);
  for (size_t i = 0; i < sizeof like / sizeof like[0]; i++)
    {
      struct tb_buffer text = { 0 };
      tb_symbols_like (symbols, like[i][0], strlen (like[i][0]), true, &text);
      tb_buffer_append (&text, "", 1);
      size_t length = strlen (like[i][1]);
      CHECK (text.size > length);
      if (text.size > length)
	((char *) text.data)[length] = '\0';
      CHECK_STR ((const char *) text.data, like[i][1]);
      tb_buffer_fini (&text);
    }
  struct tb_named named = tb_symbols_named (symbols, "batch", 5);
  CHECK_INT (named.count, 1);
  CHECK (named.size > 0);
  CHECK_INT (tb_symbols_named (symbols, "batc", 4).count, 0);
  tb_symbols_free (symbols);
}

int
main (void)
{
  test_called ();
  test_odd ();
  test_like ();
  return check_done ();
}
