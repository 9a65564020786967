/* A scene: a moment as agent expressions see it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_SCENE_H
#define TB_FRAME_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/agent.h"
#include "frame/moment.h"
#include "frame/tracepoint.h"

/* Where the data come from, for all scenes.  */
struct tb_stage
{
  struct tb_moments *moments;
  /* NULL: tb_moment_memory.  */
  void (*memory) (void *data, const struct tb_moment *moment,
		  uint64_t address, uint8_t *bytes, uint8_t *origins,
		  size_t length);
  void *data;			/* Of MEMORY.  */
};

/* Not one that users have: what they call it is "value", where a tracepoint is about what
   software says.  */
#define TB_SCENE_SAID 0xfffe

struct tb_scene
{
  const struct tb_stage *stage;
  uint64_t number;		/* Of the moment.  */
  struct tb_moment moment;	/* Looked up when first needed.  */
  bool has_moment;
  struct tb_tracepoint_set *set;	/* Whose variables are meant; NULL: the
					   program's own.  */
  bool may_set;			/* Setting one has effect.  */
  /* Values of the user's variables in place of those they have now, in the order
     of SET; NULL: none.  */
  const struct tb_value *values;
  /* What software said: the value of variable TB_SCENE_SAID; NULL: nothing.  */
  const struct tb_said_value *said;
  /* What is collected: NULL, or called with COLLECT_DATA.  */
  void (*collect) (void *data, uint64_t address, uint64_t length);
  void *collect_data;
  bool left_out;		/* Something was not, as its place is not known.  */
};

/* The scene of moment NUMBER.  */
void tb_scene_init (struct tb_scene *scene, const struct tb_stage *stage,
		    struct tb_tracepoint_set *set, uint64_t number);

/* Evaluate EXPRESSION there, as tb_agent_run.  */
enum tb_agent_status tb_scene_evaluate (struct tb_scene *scene,
					const struct tb_expression *expression,
					struct tb_value *value);

/* Do what ACTION says.  */
enum tb_agent_status tb_scene_act (struct tb_scene *scene,
				   const struct tb_action *action);

#endif /* TB_FRAME_SCENE_H */
