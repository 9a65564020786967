/* XML that users give: what every reader of it refuses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_XML_H
#define TB_UTIL_XML_H

#include <expat.h>

/* The head of a parser's user data.  FAIL gets these, says why and stops the parser.  */
struct tb_xml_guard
{
  void (*fail) (struct tb_xml_guard *guard, const char *why);
};

/* Let PARSER have the user data GUARD, and refuse declarations of entities and entities
   that are not XML's own: no file that is read here needs them, and they can be made to
   grow without bound.  */
void tb_xml_set_guard (XML_Parser parser, struct tb_xml_guard *guard);

#endif /* TB_UTIL_XML_H */
