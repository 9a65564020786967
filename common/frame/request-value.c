/* Reading the value that a request is about.  See request-value.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-value.h"

#include <string.h>
#include <strings.h>

#include "arm/machine/regs.h"

#define BLANKS " \t"

/* What follows the value is read from here.  */
struct value_text
{
  const struct tb_request *request;
  struct tb_diag *diag;
  size_t at, end;		/* In the request's text.  */
};

static bool
expected (const struct value_text *r, size_t at, const char *what)
{
  tb_request_error (r->request, at, r->diag, "expected %s", what);
  return false;
}

static void
skip_blanks (struct value_text *r)
{
  while (r->at < r->end && strchr (BLANKS, r->request->text[r->at]) != NULL)
    r->at++;
}

/* A number up to a blank or a comma.  */
static bool
take_number (struct value_text *r, uint64_t *number)
{
  const char *text = r->request->text;
  size_t from = r->at;
  while (r->at < r->end && text[r->at] != ',' && strchr (BLANKS, text[r->at]) == NULL)
    r->at++;
  if (tb_request_number (text + from, r->at - from, number))
    return true;
  r->at = from;
  return false;
}

/* The bit, among ALL, of the register that stands here, with $ or without.  */
static bool
take_register (struct value_text *r, const struct tb_profile *profile, uint64_t all,
	       uint64_t *bit)
{
  const char *text = r->request->text;
  size_t from = r->at, nregs;
  const struct tb_reg_info *regs = tb_regs (profile, &nregs);
  r->at += r->at < r->end && text[r->at] == '$';
  size_t name = r->at;
  while (r->at < r->end && strchr (BLANKS, text[r->at]) == NULL)
    r->at++;
  for (size_t i = 0; i < nregs && (all >> i & 1) != 0; i++)
    if (strlen (regs[i].name) == r->at - name
	&& strncasecmp (regs[i].name, text + name, r->at - name) == 0)
      {
	*bit = UINT64_C (1) << i;
	return true;
      }
  return expected (r, from, "the name of a core register other than PC and the status "
			    "registers");
}

bool
tb_request_is_of_value (const struct tb_request *request)
{
  return request->kind == TB_REQUEST_STORES || request->kind == TB_REQUEST_TAKES;
}

bool
tb_request_read_value (const struct tb_request *request, const struct tb_profile *profile,
		       struct tb_wanted_value *wanted, struct tb_diag *diag)
{
  bool stores = request->kind == TB_REQUEST_STORES, wide = profile->has_a64;
  unsigned most = stores || wide ? 8 : 4;
  struct value_text r = { request, diag, request->subject.offset,
		       request->subject.offset + request->subject.length };
  const char *text = request->text;
  *wanted = (struct tb_wanted_value) { .value = 0 };
  wanted->negative = r.at < r.end && text[r.at] == '-';
  r.at += wanted->negative;
  if (!take_number (&r, &wanted->value)
      || (wanted->negative
	  && (wanted->value == 0 || wanted->value > (uint64_t) INT64_MAX + 1)))
    return expected (&r, request->subject.offset, "a number, as 5, -1 or 0x6b72616d");
  if (wanted->negative)
    wanted->value = -wanted->value;
  skip_blanks (&r);
  if (stores && r.at < r.end && text[r.at] == ',')
    {
      uint64_t length;
      r.at++;
      skip_blanks (&r);
      if (!take_number (&r, &length) || length == 0 || length > 8)
	return expected (&r, r.at, "how many bytes are stored at once, 1 to 8");
      wanted->length = (unsigned) length;
      skip_blanks (&r);
    }
  if (!stores)
    {
      wanted->registers = wide ? (UINT64_C (1) << TB_PC64) - 1 : (UINT64_C (1) << TB_PC) - 1;
      if (r.end - r.at > 2 && strncasecmp (text + r.at, "in", 2) == 0
	  && strchr (BLANKS, text[r.at + 2]) != NULL)
	{
	  r.at += 2;
	  skip_blanks (&r);
	  if (!take_register (&r, profile, wanted->registers, &wanted->registers))
	    return false;
	  skip_blanks (&r);
	}
    }
  if (wanted->length != 0)
    most = wanted->length;
  if (!tb_value_is_wanted (wanted, wanted->value, most))
    {
      tb_request_error (request, request->subject.offset, diag,
			"expected a number of at most %u bytes", most);
      return false;
    }
  return r.at == r.end || expected (&r, r.at, stores ? ", and how many bytes are stored at once"
						     : "in and a register");
}
