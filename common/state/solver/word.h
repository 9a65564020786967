/* The width of the values that the graph and the memory of a window deal with.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   graph.c, rules.c, memory.c and the others that have a file wide-*.c are compiled
   for words of 32 bits and, by the files wide-*.c that include them, for words of 64
   bits (A64).  The second kind has names of its own.  */

#ifndef TB_STATE_SOLVER_WORD_H
#define TB_STATE_SOLVER_WORD_H

#include <stdint.h>

#ifdef TB_STATE_WIDE

typedef uint64_t tb_word;
typedef int64_t tb_sword;
__extension__ typedef __int128 tb_double;
__extension__ typedef unsigned __int128 tb_udouble;
#define TB_WORD_BITS 64
#define TB_WORD_MAX UINT64_MAX
#define tb_word_clz(x) ((unsigned) __builtin_clzll (x))
#define tb_word_ctz(x) ((unsigned) __builtin_ctzll (x))

#define tb_graph_init tb_wide_graph_init
#define tb_graph_fini tb_wide_graph_fini
#define tb_graph_new tb_wide_graph_new
#define tb_graph_constant tb_wide_graph_constant
#define tb_graph_node tb_wide_graph_node
#define tb_graph_byte tb_wide_graph_byte
#define tb_graph_equal tb_wide_graph_equal
#define tb_graph_known tb_wide_graph_known
#define tb_graph_shapes tb_wide_graph_shapes
#define tb_graph_open tb_wide_graph_open
#define tb_graph_class tb_wide_graph_class
#define tb_graph_trim tb_wide_graph_trim
#define tb_graph_room tb_wide_graph_room
#define tb_graph_restore tb_wide_graph_restore
#define tb_graph_wake tb_wide_graph_wake
#define tb_graph_wake_later tb_wide_graph_wake_later
#define tb_graph_put_offset tb_wide_graph_put_offset
#define tb_graph_mark_stack tb_wide_graph_mark_stack
#define tb_graph_cause tb_wide_graph_cause
#define tb_graph_node_at tb_wide_graph_node_at
#define tb_graph_expect tb_wide_graph_expect
#define tb_known_all tb_wide_known_all
#define tb_graph_refine tb_wide_graph_refine
#define tb_graph_set_bits tb_wide_graph_set_bits
#define tb_graph_set_range tb_wide_graph_set_range
#define tb_graph_set tb_wide_graph_set
#define tb_graph_link tb_wide_graph_link
#define tb_graph_difference tb_wide_graph_difference
#define tb_graph_solve tb_wide_graph_solve
#define tb_graph_solve_for tb_wide_graph_solve_for
#define tb_graph_try tb_wide_graph_try
#define tb_graph_undo tb_wide_graph_undo
#define tb_graph_maker tb_wide_graph_maker
#define tb_rule_apply tb_wide_rule_apply
#define tb_rule_equal tb_wide_rule_equal
#define tb_rule_mul tb_wide_rule_mul
#define tb_rule_mul_high tb_wide_rule_mul_high
#define tb_rule_divide tb_wide_rule_divide
#define tb_rule_less tb_wide_rule_less
#define tb_rule_overflow tb_wide_rule_overflow

#define tb_memory_room tb_wide_memory_room
#define tb_memory_bytes_of tb_wide_memory_bytes_of
#define tb_memory_insert tb_wide_memory_insert
#define tb_memory_init tb_wide_memory_init
#define tb_memory_fini tb_wide_memory_fini
#define tb_memory_clear tb_wide_memory_clear
#define tb_memory_add tb_wide_memory_add
#define tb_memory_expect tb_wide_memory_expect
#define tb_memory_set_condition tb_wide_memory_set_condition
#define tb_memory_look_up tb_wide_memory_look_up
#define tb_memory_prepare tb_wide_memory_prepare
#define tb_memory_recall tb_wide_memory_recall
#define tb_memory_begin tb_wide_memory_begin
#define tb_memory_use_final tb_wide_memory_use_final
#define tb_memory_end tb_wide_memory_end
#define tb_memory_changed tb_wide_memory_changed
#define tb_memory_kind tb_wide_memory_kind
#define tb_memory_classify tb_wide_memory_classify
#define tb_memory_find_fixed tb_wide_memory_find_fixed
#define tb_memory_cell tb_wide_memory_cell
#define tb_memory_make_cell tb_wide_memory_make_cell
#define tb_memory_resolve tb_wide_memory_resolve
#define tb_memory_position tb_wide_memory_position
#define tb_memory_in_word tb_wide_memory_in_word
#define tb_memory_suspect tb_wide_memory_suspect
#define tb_memory_may_write tb_wide_memory_may_write
#define tb_memory_byte tb_wide_memory_byte
#define tb_memory_read tb_wide_memory_read
#define tb_stack_tie tb_wide_stack_tie
#define tb_memory_solve tb_wide_memory_solve
#define tb_memory_gap tb_wide_memory_gap
#define tb_memory_stack_shared tb_wide_memory_stack_shared
#define tb_namer_new tb_wide_namer_new
#define tb_namer_constant tb_wide_namer_constant
#define tb_namer_bits tb_wide_namer_bits
#define tb_namer_range tb_wide_namer_range
#define tb_namer_node tb_wide_namer_node
#define tb_namer_value tb_wide_namer_value
#define tb_namer_valuei tb_wide_namer_valuei
#define tb_namer_select tb_wide_namer_select
#define tb_namer_bytes tb_wide_namer_bytes
#define tb_namer_access tb_wide_namer_access
#define tb_facts_state tb_wide_facts_state
#define tb_why_value tb_wide_why_value
#define tb_why_values tb_wide_why_values
#define tb_why_bytes tb_wide_why_bytes
#define tb_reasons_values_begin tb_wide_reasons_values_begin
#define tb_reasons_values_fini tb_wide_reasons_values_fini
#define tb_reasons_mark tb_wide_reasons_mark
#define tb_reasons_settle tb_wide_reasons_settle
#define tb_reasons_find tb_wide_reasons_find
#define tb_memory_literal tb_wide_memory_literal
#define tb_memory_store_to tb_wide_memory_store_to
#define tb_memory_tie_bytes tb_wide_memory_tie_bytes
#define tb_memory_stores tb_wide_memory_stores
#define tb_memory_take_written tb_wide_memory_take_written
#define tb_memory_number tb_wide_memory_number
#define tb_memory_at_end tb_wide_memory_at_end
#define tb_memory_take_border tb_wide_memory_take_border
#define tb_memory_put_border tb_wide_memory_put_border
#define tb_memory_freeze tb_wide_memory_freeze
#define tb_memory_bytes tb_wide_memory_bytes
#define tb_graph_bytes tb_wide_graph_bytes
#define tb_graph_freeze tb_wide_graph_freeze

#else

typedef uint32_t tb_word;
typedef int32_t tb_sword;
typedef int64_t tb_double;
typedef uint64_t tb_udouble;
#define TB_WORD_BITS 32
#define TB_WORD_MAX UINT32_MAX
#define tb_word_clz(x) ((unsigned) __builtin_clz (x))
#define tb_word_ctz(x) ((unsigned) __builtin_ctz (x))

#endif

#define tb_word_op(op, a, b) \
  ((tb_word) tb_op_value (op, TB_WORD_BITS, a, b))
#define TB_WORD_BYTES (TB_WORD_BITS / 8)
#define TB_WORD_ALL ((1u << TB_WORD_BYTES) - 1)	/* A bit for each byte.  */

#endif /* TB_STATE_SOLVER_WORD_H */
