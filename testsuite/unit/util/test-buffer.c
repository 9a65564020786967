/* Tests of util/buffer.h, util/number.h and util/diag.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/diag.h"
#include "util/hex.h"
#include "util/number.h"

static void
test_append (void)
{
  struct tb_buffer b = { 0 };
  tb_buffer_append (&b, "abc", 3);
  tb_buffer_printf (&b, "%d-%s", 42, "x");
  tb_buffer_append_le (&b, 0x11223344, 4);
  CHECK_INT (b.size, 11);
  CHECK (memcmp (b.data, "abc42-x\x44\x33\x22\x11", 11) == 0);
  for (int i = 0; i < 10000; i++)
    tb_buffer_append (&b, "0123456789", 10);
  CHECK_INT (b.size, 100011);
  CHECK (!b.failed);
  tb_buffer_clear (&b);
  CHECK_INT (b.size, 0);
  tb_buffer_fini (&b);
}

static void
test_bytes (void)
{
  struct tb_buffer b = { 0 };
  const uint64_t value = UINT64_C (0xf1e2d3c4b5a69788);
  tb_buffer_append (&b, "x", 1);
  tb_buffer_append_le (&b, value, 8);
  tb_buffer_append (&b, "\xff", 1);
  const uint8_t *odd = b.data + 1;
  CHECK (tb_number_16 (odd) == 0x9788);
  CHECK (tb_number_32 (odd) == 0xb5a69788);
  CHECK (tb_number_64 (odd) == value);
  CHECK (tb_number (odd, 0) == 0);
  CHECK (tb_number (odd, 3) == 0xa69788);
  CHECK (tb_number (odd, 8) == value);
  CHECK (tb_number (odd, 9) == value);
  CHECK (tb_number_big (odd, 0) == 0);
  CHECK (tb_number_big (odd, 3) == 0x8897a6);
  CHECK (tb_number_big (odd, 8) == UINT64_C (0x8897a6b5c4d3e2f1));
  tb_buffer_fini (&b);
}

static void
test_absurd_size (void)
{
  struct tb_buffer b = { 0 };
  CHECK (tb_buffer_extend (&b, SIZE_MAX - 4) == NULL);
  CHECK (b.failed);
  tb_buffer_append (&b, "abc", 3);
  CHECK_INT (b.size, 0);
  tb_buffer_fini (&b);

  void *items = NULL;
  size_t capacity = 0;
  CHECK (!tb_grow (&items, &capacity, 1, SIZE_MAX / 3, 16));
  CHECK (tb_grow (&items, &capacity, 0, 5, 16));
  CHECK (capacity >= 5);
  free (items);

  /* The same of a pointer of its own type.  */
  uint64_t *numbers = NULL, *before;
  size_t room = 0;
  CHECK (TB_GROW (numbers, room, 0, 3) && room >= 3);
  for (size_t i = 0; i < room; i++)
    numbers[i] = i;
  size_t old = room;
  CHECK (TB_GROW (numbers, room, old, 1) && room > old && numbers[old - 1] == old - 1);
  before = numbers;
  CHECK (!TB_GROW (numbers, room, room, SIZE_MAX / 4) && numbers == before);
  TB_FIT (numbers, room, 2);
  CHECK (room == 2 && numbers[1] == 1);
  free (numbers);
}

static void
keep (void *context, enum tb_severity severity, const char *message)
{
  char **text = context;
  free (*text);
  *text = strdup (message);
  CHECK (severity == TB_ERROR);
}

static void
test_long_message (void)
{
  char *text = NULL;
  struct tb_diag diag = { keep, &text, 0, 0 };
  char path[1000];
  memset (path, 'p', sizeof path);
  path[sizeof path - 1] = 0;
  tb_error (&diag, "%s: the end", path);
  CHECK_INT (diag.errors, 1);
  CHECK_INT (strlen (text), 999 + strlen (": the end"));
  CHECK_STR (text + 999, ": the end");
  free (text);
}

/* Numbers are as printf has them.  */
static void
test_numbers (void)
{
  struct tb_buffer b = { 0 };

  for (unsigned bit = 0; bit <= 64; bit++)
    for (int less = -1; less <= 1; less++)
      {
	uint64_t number = (bit < 64 ? UINT64_C (1) << bit : 0)
			  + (uint64_t) (int64_t) less;
	char want[64];
	snprintf (want, sizeof want, "%" PRIx64 " %" PRIu64, number, number);
	tb_buffer_clear (&b);
	tb_hex_append_number (&b, number);
	tb_buffer_append (&b, " ", 1);
	tb_decimal_append (&b, number);
	tb_buffer_append (&b, "", 1);
	CHECK_STR ((const char *) b.data, want);
      }
  /* Nothing is written behind the digits.  */
  uint8_t room[TB_HEX_MOST + 1];
  memset (room, '-', sizeof room);
  CHECK (tb_hex_put (room, 0xabc) == room + 3);
  CHECK (memcmp (room, "abc-", 4) == 0);
  CHECK (tb_hex_put (room, UINT64_MAX) == room + TB_HEX_MOST);
  CHECK (room[TB_HEX_MOST] == '-');
  tb_buffer_fini (&b);
}

int
main (void)
{
  test_append ();
  test_bytes ();
  test_numbers ();
  test_absurd_size ();
  test_long_message ();
  return check_done ();
}
