/* Inside of what makes facts of one core's lines of a Tarmac log.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TARMAC_CORE_H
#define TB_RECORDING_TARMAC_CORE_H

#include "recording/facts-build.h"
#include "recording/tarmac-sp.h"
#include "recording/tarmac.h"

/* Serial numbers remembered: lines are tied to no older instruction.  */
#define TB_TARMAC_TAGS 64

/* Names of registers remembered, each in the one place that it may have.  */
#define TB_TARMAC_NAMES 256

/* What a name of a register has come to.  */
struct tb_tarmac_known
{
  char text[24];
  uint8_t length;
  uint8_t role;
  uint8_t mode;			/* BANKED: for this mode.  */
  uint8_t lanes;
  uint32_t psr_mask;
  size_t reg;
};

struct tb_tarmac_core
{
  struct tb_facts_builder *builder;
  struct tb_columns *facts;	/* What it makes.  */
  struct tb_tarmac_known names[TB_TARMAC_NAMES];
  uint64_t tags[TB_TARMAC_TAGS];		/* Of step N at N % TB_TARMAC_TAGS.  */
  uint64_t last_tag;
  uint32_t counted, jumps;
  bool has_tag;
  bool own;			/* tracebridge wrote the log.  */
  bool after_event;		/* Since the last instruction.  */
  uint8_t mode;			/* Of the last instruction.  */
  /* The last one that was told: its text, copied, and number.  */
  char mode_text[16];
  uint32_t mode_length;
  uint8_t mode_number;
  struct tb_sp_finder sp;
  size_t active;		/* The pseudo register; SIZE_MAX: none yet.  */
};

/* tarmac-registers.c  */

/* The step that LINE is of, by its serial number or else the last one.  When there
   is none yet it is UINT64_MAX, whose successor is 0.  */
uint64_t tb_tarmac_core_step (const struct tb_tarmac_core *core,
			      const struct tb_tarmac_line *line);

/* What stands for TEXT now.  NULL: it is no name, or no memory.  */
const struct tb_tarmac_known *
tb_tarmac_core_name (struct tb_tarmac_core *core, struct tb_tarmac_word text);

/* Add LINE, an R line.  */
void tb_tarmac_core_register (struct tb_tarmac_core *core,
			      const struct tb_tarmac_line *line);

#endif /* TB_RECORDING_TARMAC_CORE_H */
