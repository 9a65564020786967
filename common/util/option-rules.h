/* Which options of a command line have an effect.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each program has a table with a row for each of its options.  An option that was given
   and has no effect is never passed over in silence: it is refused, or told.  */

#ifndef TB_UTIL_OPTION_RULES_H
#define TB_UTIL_OPTION_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  TB_OPTION_REFUSED = 1,	/* Without effect it is a mistake for sure; else it is
				   told, as one that scripts give to all alike.  */
  TB_OPTION_ONCE = 2,		/* A second one would take the first one's place.  */
  TB_OPTION_OWN = 1 << 8	/* From this bit on: the program's own.  */
};

struct tb_option_rule
{
  const char *name;		/* "start=data": the option with that value.  */
  int group;			/* What it has an effect on, by the program's count.  */
  unsigned flags;		/* TB_OPTION_...  */
  const char *needs;		/* It has none without this one; NULL: none.  */
};

#define TB_OPTION_RULES 96

struct tb_option_rules
{
  const struct tb_option_rule *rules;
  size_t count;			/* At most TB_OPTION_RULES.  */
  /* Has the option of RULE no effect on what CONTEXT, the program's, stands for?  Then
     TEXT of SIZE bytes gets a sentence that says why, cut where it is too long.  */
  bool (*is_idle) (const void *context, const struct tb_option_rule *rule,
		   char *text, size_t size);
};

/* Those that were given; zero-initialise.  */
struct tb_options_given
{
  uint8_t times[TB_OPTION_RULES];	/* Of each rule: 0, 1, or 2 and more.  */
};

/* Note that the option NAME, which has a rule, was given.  */
void tb_options_note (const struct tb_option_rules *rules,
		      struct tb_options_given *given, const char *name);

/* The name of an option that was given twice and can be given once only; NULL: none.  */
const char *tb_options_repeated (const struct tb_option_rules *rules,
				 const struct tb_options_given *given);

/* Was the option of rule NUMBER given without effect?  Then TEXT says why, as above.  */
bool tb_options_idle (const struct tb_option_rules *rules,
		      const struct tb_options_given *given, size_t number,
		      const void *context, char *text, size_t size);

#endif /* TB_UTIL_OPTION_RULES_H */
