/* What every reader of XML refuses.  See xml.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/xml.h"

#include <stdio.h>

static void
on_doctype (void *context, const char *name, const char *system_id,
	    const char *public_id, int has_internal)
{
  struct tb_xml_guard *guard = context;
  (void) name, (void) system_id, (void) public_id;
  if (has_internal)
    guard->fail (guard, "expected no declarations of entities (<!DOCTYPE ... [...]>)");
}

static void
on_skipped (void *context, const char *name, int is_parameter)
{
  struct tb_xml_guard *guard = context;
  char text[120];
  (void) is_parameter;
  snprintf (text, sizeof text, "expected no entities, found &%.60s;", name);
  guard->fail (guard, text);
}

void
tb_xml_set_guard (XML_Parser parser, struct tb_xml_guard *guard)
{
  XML_SetUserData (parser, guard);
  XML_SetStartDoctypeDeclHandler (parser, on_doctype);
  XML_SetSkippedEntityHandler (parser, on_skipped);
}
