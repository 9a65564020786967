/* Expressions: what their files share (private to frame/expression*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_EXPRESSION_INTERNAL_H
#define TB_FRAME_EXPRESSION_INTERNAL_H

#include <string.h>

#include "arm/machine/tdesc.h"
#include "frame/agent-ops.h"
#include "frame/expression.h"
#include "util/buffer.h"

/* The most operators and operands; how deep they are nested in parentheses and the
   like.  */
#define TB_TERMS_MAX 4096
#define TB_TERM_DEPTH_MAX 64

enum tb_token
{
  TB_TOKEN_END, TB_TOKEN_NUMBER, TB_TOKEN_CHAR, TB_TOKEN_NAME,
  TB_TOKEN_DOLLAR,		/* $NAME  */
  TB_TOKEN_OPERATOR
};

/* Operators of more than one character; others stand for themselves.  */
enum tb_operator
{
  TB_OPERATOR_SHL = 128, TB_OPERATOR_SHR,
  TB_OPERATOR_LE, TB_OPERATOR_GE, TB_OPERATOR_EQ, TB_OPERATOR_NE,
  TB_OPERATOR_AND, TB_OPERATOR_OR, TB_OPERATOR_ARROW, TB_OPERATOR_SET,
  TB_OPERATOR_NOT_ALLOWED		/* "++" and "--".  */
};

enum tb_term_kind
{
  TB_TERM_CONST,		/* VALUE  */
  TB_TERM_OBJECT,		/* OBJECT, a variable.  */
  TB_TERM_REGISTER,		/* VALUE: its remote number; its low bytes.  */
  TB_TERM_STATE,		/* VALUE: the state variable's number.  */
  TB_TERM_ADDRESS,		/* Of A.  */
  TB_TERM_DEREF,		/* What A points to.  */
  TB_TERM_MEMBER,		/* What is VALUE bytes in A, perhaps a bit field.  */
  TB_TERM_CAST,			/* A converted to TYPE.  */
  TB_TERM_UNARY,		/* OP A: '-', '~', '!'; A has been converted.  */
  TB_TERM_BINARY,		/* A OP B; both have been converted.  */
  TB_TERM_OFFSET,		/* Pointer A plus, or OP '-': minus, B times VALUE.  */
  TB_TERM_DISTANCE,		/* Pointers A minus B, in units of VALUE bytes.  */
  TB_TERM_LOGIC,		/* A && B, A || B  */
  TB_TERM_CHOICE,		/* A ? B : C  */
  TB_TERM_COMMA,		/* A, B  */
  TB_TERM_ASSIGN,		/* State variable VALUE = A  */
  TB_TERM_REPEAT		/* A@B, where B is not a constant.  */
};

struct tb_term
{
  uint8_t kind;			/* enum tb_term_kind  */
  uint8_t op;			/* A character, or enum tb_operator.  */
  uint8_t bits, bit;		/* MEMBER: as in struct tb_member.  */
  size_t at;			/* Where it stands in the text.  */
  const struct tb_type *type;
  struct tb_term *a, *b, *c;
  uint64_t value;
  struct tb_object object;
  struct tb_term *next;		/* Of all.  */
};

struct tb_compiler
{
  const struct tb_expression_scope *scope;
  struct tb_variables *v;
  bool owns_variables;		/* V is not SCOPE's.  */
  const struct tb_tdesc *tdesc;
  unsigned address_size;
  struct tb_expression_error *error;
  bool failed;			/* ERROR has been filled in.  */

  /* The text, and the token that is looked at.  */
  const char *text;
  size_t length, next;
  enum tb_token token;
  size_t token_at, token_length;
  uint8_t op;			/* OPERATOR: a character or enum tb_operator.  */
  uint64_t value;		/* NUMBER, CHAR  */
  const struct tb_type *value_type;

  struct tb_term *nodes;
  unsigned nnodes, depth;
  unsigned members_left;	/* Structures that are looked through for members.  */
};

/* Begin to compile TEXT, and end it.  False: no memory.  */
bool tb_compiler_init (struct tb_compiler *c, const char *text, size_t length,
		       const struct tb_expression_scope *scope,
		       struct tb_expression_error *error);
void tb_compiler_fini (struct tb_compiler *c);

/* Say, unless something has been said before, what is wrong at AT.  Return false;
   NULL.  */
bool tb_compiler_error (struct tb_compiler *c, size_t at, const char *format,
			...) __attribute__ ((format (printf, 3, 4)));
#define tb_compiler_null(c, at, ...) \
  (tb_compiler_error (c, at, __VA_ARGS__), (struct tb_term *) NULL)

/* Say that WANTED was expected where the token is.  */
bool tb_compiler_expected (struct tb_compiler *c, const char *wanted);

/* The next token.  */
void tb_lex (struct tb_compiler *c);

/* Types of the compiler's own.  */
const struct tb_type *tb_type_int (struct tb_compiler *c);
const struct tb_type *tb_type_integer (struct tb_compiler *c, bool is_signed,
				       unsigned size);

/* TYPE after the integer promotions.  */
const struct tb_type *tb_type_promoted (struct tb_compiler *c, const struct tb_type *type);

/* The type that numbers of A and B are computed in.  */
const struct tb_type *tb_type_common (struct tb_compiler *c, const struct tb_type *a,
				      const struct tb_type *b);

static inline bool
tb_type_is_integral (const struct tb_type *type)
{
  return type->kind == TB_TYPE_INTEGER || type->kind == TB_TYPE_CHAR
	 || type->kind == TB_TYPE_BOOL || type->kind == TB_TYPE_ENUM;
}

static inline bool
tb_type_is_scalar (const struct tb_type *type)
{
  return tb_type_is_integral (type) || type->kind == TB_TYPE_POINTER;
}

/* What a user calls TYPE: "a structure".  */
const char *tb_type_text (const struct tb_type *type);
/* What to write where a number or a pointer is expected and TYPE found; "": nothing.  */
const char *tb_type_hint (const struct tb_type *type);

/* The parser: one expression without a comma at its top, or with.  */
struct tb_term *tb_parse (struct tb_compiler *c);
struct tb_term *tb_parse_comma (struct tb_compiler *c);

/* Names.  */
struct tb_term *tb_name_node (struct tb_compiler *c);
struct tb_term *tb_dollar_node (struct tb_compiler *c);

/* The slot of the register NAME of LENGTH bytes; NULL: there is none.  *SIZE is how many bytes of
   it NAME is.  */
const struct tb_tdesc_slot *tb_register_named (const struct tb_compiler *c, const char *name,
					       size_t length, unsigned *size);

/* Are the LENGTH bytes at TEXT what is WANTED?  */
static inline bool
tb_is_text (const char *text, size_t length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (text, wanted, length) == 0;
}
/* Register NAME of floating point ($s0, $d0); NULL, and without an error but for memory: it
   is none that the target description has.  */
struct tb_term *tb_fp_register_node (struct tb_compiler *c, size_t at, const char *name,
				     size_t length);
/* The register of a peripheral, or its field, whose name begins at the token, and read
   it; NULL, and without an error where the token is no such name.  */
struct tb_term *tb_peripheral_node (struct tb_compiler *c);
struct tb_term *tb_member_node (struct tb_compiler *c, size_t at,
				struct tb_term *whole, const char *name,
				size_t length);
/* Does a type begin at the token?  Read it; NULL: it is none.  */
bool tb_is_type (struct tb_compiler *c);
const struct tb_type *tb_read_type (struct tb_compiler *c);

/* Build nodes: check types, convert operands, compute what is constant.  NULL after an
   error, and where an operand is NULL.  */
struct tb_term *tb_term_new (struct tb_compiler *c, enum tb_term_kind kind,
			     size_t at, const struct tb_type *type);
struct tb_term *tb_term_const (struct tb_compiler *c, size_t at,
			       const struct tb_type *type, uint64_t value);
struct tb_term *tb_term_unary (struct tb_compiler *c, size_t at, uint8_t op,
			       struct tb_term *a);
struct tb_term *tb_term_binary (struct tb_compiler *c, size_t at, uint8_t op,
				struct tb_term *a, struct tb_term *b);
struct tb_term *tb_term_choice (struct tb_compiler *c, size_t at,
				struct tb_term *a, struct tb_term *b,
				struct tb_term *other);
struct tb_term *tb_term_cast (struct tb_compiler *c, size_t at,
			      const struct tb_type *type, struct tb_term *a);
struct tb_term *tb_term_deref (struct tb_compiler *c, size_t at,
			       struct tb_term *a);
struct tb_term *tb_term_address (struct tb_compiler *c, size_t at,
				 struct tb_term *a);
struct tb_term *tb_term_index (struct tb_compiler *c, size_t at,
			       struct tb_term *a, struct tb_term *b);
struct tb_term *tb_term_repeat (struct tb_compiler *c, size_t at,
				struct tb_term *a, struct tb_term *b);
struct tb_term *tb_term_assign (struct tb_compiler *c, size_t at, uint8_t op,
				struct tb_term *a, struct tb_term *b);
struct tb_term *tb_term_comma (struct tb_compiler *c, size_t at,
			       struct tb_term *a, struct tb_term *b);
struct tb_term *tb_term_size (struct tb_compiler *c, size_t at,
			      const struct tb_type *type);

/* Arrays and functions become pointers; others stay.  */
struct tb_term *tb_term_decay (struct tb_compiler *c, struct tb_term *a);

/* Is A something that stands somewhere?  */
bool tb_term_is_lvalue (const struct tb_term *a);

/* Code that is being made.  */
struct tb_emitter
{
  struct tb_compiler *c;
  struct tb_buffer code;
  unsigned depth;		/* Of the stack.  */
  bool collects;		/* Collect all memory that is read.  */
  bool uses_registers;		/* Registers are read.  */
  const struct tb_term *bits_of;	/* Floating point whose bits are wanted.  */
};

/* Where something is.  */
enum tb_lvalue_kind
{
  TB_LVALUE_FIXED,		/* In memory at OFFSET.  */
  TB_LVALUE_BASED,		/* In memory at register BASE plus OFFSET.  */
  TB_LVALUE_COMPUTED,		/* In memory at what is on the stack plus OFFSET.  */
  TB_LVALUE_REGISTER,		/* In register BASE, from byte OFFSET on.  */
  TB_LVALUE_PIECES		/* All over the place: in STORAGE, from byte OFFSET
				   on.  */
};

struct tb_lvalue
{
  uint8_t kind;			/* enum tb_lvalue_kind  */
  unsigned base;		/* A remote number.  */
  uint64_t offset;
  uint64_t size;		/* Bytes.  */
  struct tb_storage storage;
};

/* Find where A, which is an lvalue, stands.  COMPUTED: its address is on the stack
   then.  */
bool tb_emit_place (struct tb_emitter *e, struct tb_term *a,
		    struct tb_lvalue *place);
/* Push the address of PLACE, which is in memory.  */
bool tb_emit_address (struct tb_emitter *e, const struct tb_term *a,
		      const struct tb_lvalue *place);
/* Push the value of A, extended to 64 bits as its type says.  */
bool tb_emit_value (struct tb_emitter *e, struct tb_term *a);
/* End E's code, and give it to *CODE.  */
bool tb_emit_end (struct tb_emitter *e, struct tb_expression *code);
/* Single operations; OPERAND of as many bytes as the operation has.  */
bool tb_emit_op (struct tb_emitter *e, enum tb_agent_code code,
		 uint64_t operand);
bool tb_emit_const (struct tb_emitter *e, uint64_t value);
/* Collect SIZE bytes at the address on the stack, which stays there.  */
bool tb_emit_trace (struct tb_emitter *e, uint64_t size);
/* Push the value of piece NUMBER of STORAGE, or its address.  */
bool tb_emit_program (struct tb_emitter *e, size_t at,
		      const struct tb_storage *storage, unsigned number);
/* The remote number of the register that DWARF calls NUMBER; false: it is not one
   that is traced.  */
bool tb_emit_register (struct tb_emitter *e, size_t at, unsigned number,
		       unsigned *remote);
/* Where the register of floating point stands that DWARF calls NUMBER; false: it is none
   that the target description has.  */
bool tb_emit_fp_place (struct tb_emitter *e, unsigned number, struct tb_lvalue *place);

#endif /* TB_FRAME_EXPRESSION_INTERNAL_H */
