/* Expressions: what names mean.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

#include "frame/moment.h"
#include "frame/scene.h"
#include "util/fnv.h"

/* How deep members may be in unnamed members and base classes.  */
#define MEMBERS_DEPTH_MAX 16

static bool
is_token (const struct tb_compiler *c, const char *wanted)
{
  return c->token == TB_TOKEN_NAME
	 && tb_is_text (c->text + c->token_at, c->token_length, wanted);
}

static bool
is_operator (const struct tb_compiler *c, uint8_t op)
{
  return c->token == TB_TOKEN_OPERATOR && c->op == op;
}

/* The PC for names: where there is none, one where no function is.  */
static uint64_t
name_pc (const struct tb_compiler *c)
{
  return c->scope->no_pc ? UINT64_MAX : c->scope->pc;
}

/* The path to the member NAME of TYPE.  */
struct member_path
{
  const struct tb_member *steps[MEMBERS_DEPTH_MAX];
  unsigned length;
};

static bool
find_member (struct tb_compiler *c, const struct tb_type *type,
	     const char *name, size_t length, struct member_path *path)
{
  size_t count;
  const struct tb_member *members = tb_type_members (c->v, type, &count);
  /* A file may tell that a structure has itself in it, many times.  */
  if (path->length == MEMBERS_DEPTH_MAX || c->members_left == 0)
    return false;
  c->members_left--;
  for (size_t i = 0; i < count; i++)
    if (members[i].name != NULL && tb_is_text (name, length, members[i].name))
      {
	path->steps[path->length++] = &members[i];
	return true;
      }
  for (size_t i = 0; i < count; i++)
    if (members[i].name == NULL && members[i].bits == 0)
      {
	path->steps[path->length++] = &members[i];
	if (find_member (c, members[i].type, name, length, path))
	  return true;
	path->length--;
      }
  return false;
}

/* The part of WHOLE that PATH leads to.  */
static struct tb_term *
follow_path (struct tb_compiler *c, size_t at, struct tb_term *whole,
	     const struct member_path *path)
{
  for (unsigned i = 0; i < path->length && whole != NULL; i++)
    {
      const struct tb_member *m = path->steps[i];
      struct tb_term *node = tb_term_new (c, TB_TERM_MEMBER, at, m->type);
      if (node == NULL)
	return NULL;
      node->a = whole;
      node->value = m->offset;
      node->bits = m->bits;
      node->bit = m->bit;
      whole = node;
    }
  if (whole != NULL && whole->type->kind == TB_TYPE_REFERENCE)
    return tb_term_deref (c, at, whole);
  return whole;
}

struct tb_term *
tb_member_node (struct tb_compiler *c, size_t at, struct tb_term *whole,
		const char *name, size_t length)
{
  struct member_path path = { .length = 0 };
  if (whole == NULL)
    return NULL;
  /* GDB takes "." and "->" for each other.  */
  whole = tb_term_decay (c, whole);
  if (whole != NULL && whole->type->kind == TB_TYPE_POINTER)
    whole = tb_term_deref (c, at, whole);
  if (whole == NULL)
    return NULL;
  const struct tb_type *type = whole->type;
  if (type->kind != TB_TYPE_STRUCT && type->kind != TB_TYPE_UNION)
    return tb_compiler_null (c, at, "expected a structure before `%.*s', "
			     "found %s", length > 60 ? 60 : (int) length, name,
			     tb_type_text (type));
  if (type->is_incomplete)
    return tb_compiler_null (c, at, "the members of `%.100s' are not known",
			     type->name != NULL ? type->name : "?");
  if (!find_member (c, type, name, length, &path))
    return tb_compiler_null (c, at, "`%.60s' has no member `%.*s'",
			     type->name != NULL ? type->name : "the structure",
			     length > 60 ? 60 : (int) length, name);
  return follow_path (c, at, whole, &path);
}

/* The node for OBJECT.  */
static struct tb_term *
object_node (struct tb_compiler *c, size_t at, const struct tb_object *object)
{
  struct tb_term *node;
  struct tb_expression_named *named = c->scope->named;
  if (named != NULL
      && (object->kind == TB_OBJECT_VARIABLE
	  || (object->kind == TB_OBJECT_CONSTANT && object->is_local)))
    {
      uint64_t die = (uint64_t) (uintptr_t) object->die;
      named->which = tb_fnv_u64 (named->which, die);
      if (!object->is_local)
	named->outside = tb_fnv_u64 (named->outside, die);
      named->local |= object->is_local;
      named->inlined |= object->is_inlined;
    }
  if (object->kind == TB_OBJECT_CONSTANT)
    {
      if (!tb_type_is_scalar (object->type))
	return tb_compiler_null (c, at, "`%.100s' is %s that stands nowhere",
				 object->name != NULL ? object->name : "?",
				 tb_type_text (object->type));
      return tb_term_const (c, at, object->type, object->value);
    }
  node = tb_term_new (c, TB_TERM_OBJECT, at, object->type);
  if (node == NULL)
    return NULL;
  node->object = *object;
  return object->type->kind == TB_TYPE_REFERENCE
	 ? tb_term_deref (c, at, node) : node;
}

/* The member NAME of the object that a function of C++ is called for; NULL: there is
   none.  */
static struct tb_term *
this_member (struct tb_compiler *c, size_t at, const char *name, size_t length)
{
  struct tb_object this;
  struct member_path path = { .length = 0 };
  if (!tb_variables_find (c->v, name_pc (c), "this", 4, &this)
      || !this.is_local || this.type->kind != TB_TYPE_POINTER
      || !find_member (c, tb_type_target (c->v, this.type), name, length,
		       &path))
    return NULL;
  struct tb_term *node = object_node (c, at, &this);
  node = node != NULL ? tb_term_deref (c, at, node) : NULL;
  return node != NULL ? follow_path (c, at, node, &path) : NULL;
}

/* The state variable NAME; NULL: there is none, or no memory.  */
static struct tb_term *
state_node (struct tb_compiler *c, size_t at, const char *name, size_t length)
{
  const struct tb_tracepoint_set *set = c->scope->set;
  for (size_t i = 0; set != NULL && i < set->nvariables; i++)
    if (tb_is_text (name, length, set->variables[i].name)
	&& tb_moment_can_have (set->variables[i].own, &c->scope->tdesc->profile))
      {
	struct tb_term *node = tb_term_new (c, TB_TERM_STATE, at,
					    tb_type_integer (c, true, 8));
	if (node != NULL)
	  node->value = set->variables[i].number;
	return node;
      }
  return NULL;
}

/* NAME is the program's.  */
static void
note_value (const struct tb_compiler *c, const char *name, size_t length)
{
  if (c->scope->of_store && c->scope->value_is_variable != NULL
      && tb_is_text (name, length, "value"))
    *c->scope->value_is_variable = true;
}

/* What software said, where that is what "value" is; NULL: no memory.  */
static struct tb_term *
said_node (struct tb_compiler *c, size_t at)
{
  struct tb_term *node = tb_term_new (c, TB_TERM_STATE, at,
				      tb_type_integer (c, true, 8));
  if (node != NULL)
    node->value = TB_SCENE_SAID;
  tb_lex (c);
  return node;
}

/* There is nothing of the name at AT.  */
static struct tb_term *
no_such_name (struct tb_compiler *c, size_t at, const char *name, size_t length)
{
  unsigned size;
  int shown = length > 60 ? 60 : (int) length;
  if (tb_register_named (c, name, length, &size) != NULL)
    return tb_compiler_null (c, at, "there is no `%.*s' here; the register is $%.*s", shown,
			     name, shown, name);
  bool missing = c->scope->variables != NULL
		 && tb_variables_are_missing (c->scope->variables);
  return tb_compiler_null (c, at, "there is no `%.*s' here%s", shown, name,
			   missing ? ": the program has no debug information (gcc -g)" : "");
}

struct tb_term *
tb_name_node (struct tb_compiler *c)
{
  const char *name = c->text + c->token_at;
  size_t length = c->token_length, at = c->token_at;
  struct tb_object object;
  struct tb_term *node = NULL;
  if (c->scope->of_said && tb_is_text (name, length, "value"))
    return said_node (c, at);
  bool found = tb_variables_find (c->v, name_pc (c), name, length, &object);
  if (!found || !object.is_local)
    node = this_member (c, at, name, length);
  if (node == NULL && !found)
    {
      node = tb_peripheral_node (c);
      if (node != NULL || c->failed)
	return node;
    }
  if (node == NULL && !found && c->scope->of_store
      && tb_is_text (name, length, "value"))
    node = state_node (c, at, "stored", 6);
  if (node == NULL && !found)
    return no_such_name (c, at, name, length);
  if (found || node->kind != TB_TERM_STATE)
    note_value (c, name, length);
  tb_lex (c);
  return node != NULL ? node : object_node (c, at, &object);
}

/* The type of register SLOT, of which SIZE bytes are meant.  */
static const struct tb_type *
register_type (struct tb_compiler *c, const struct tb_tdesc_slot *slot, unsigned size)
{
  const struct tb_tdesc *tdesc = c->tdesc;
  const struct tb_type *nothing = tb_variables_base (c->v, TB_TYPE_VOID, false,
						     0);
  bool is_stack = slot == &tdesc->slots[tdesc->sp]
		  || (tdesc->profile.is_m && (slot == tb_tdesc_slot (tdesc, TB_MSP)
					      || slot == tb_tdesc_slot (tdesc, TB_PSP)));
  if (size < slot->size)
    return tb_type_integer (c, false, size);
  if (is_stack)
    return tb_type_pointer (c->v, nothing);
  if (slot == &tdesc->slots[tdesc->pc])
    return tb_type_pointer (c->v, tb_variables_base (c->v, TB_TYPE_FUNCTION,
						     false, 0));
  return tb_type_integer (c, true, size);
}

struct tb_term *
tb_dollar_node (struct tb_compiler *c)
{
  const char *name = c->text + c->token_at + 1;
  size_t length = c->token_length - 1, at = c->token_at;
  unsigned size;
  const struct tb_tdesc_slot *slot = tb_register_named (c, name, length, &size);
  struct tb_term *node = NULL;
  tb_lex (c);
  if (slot != NULL)
    {
      node = tb_term_new (c, TB_TERM_REGISTER, at,
			  register_type (c, slot, size));
      if (node != NULL)
	node->value = slot->gdb;
      return node;
    }
  node = state_node (c, at, name, length);
  if (node == NULL && !c->failed)
    node = tb_fp_register_node (c, at, name, length);
  if (node != NULL || c->failed)
    return node;
  return tb_compiler_null (c, at, "there is no register or state variable "
			   "`$%.*s'", length > 100 ? 100 : (int) length, name);
}

/* The words that integer types are made of.  */
enum type_word
{
  WORD_CONST, WORD_SIGNED, WORD_UNSIGNED, WORD_SHORT, WORD_LONG, WORD_INT,
  WORD_CHAR, WORD_BOOL, WORD_VOID, WORD_FLOAT, WORD_STRUCT, WORD_UNION,
  WORD_ENUM, WORD_NONE
};

static enum type_word
word_of (const struct tb_compiler *c)
{
  static const struct { const char *text; uint8_t word; } words[] = {
    { "const", WORD_CONST }, { "volatile", WORD_CONST },
    { "signed", WORD_SIGNED }, { "unsigned", WORD_UNSIGNED },
    { "short", WORD_SHORT }, { "long", WORD_LONG }, { "int", WORD_INT },
    { "char", WORD_CHAR }, { "_Bool", WORD_BOOL }, { "bool", WORD_BOOL },
    { "void", WORD_VOID }, { "float", WORD_FLOAT }, { "double", WORD_FLOAT },
    { "struct", WORD_STRUCT }, { "class", WORD_STRUCT },
    { "union", WORD_UNION }, { "enum", WORD_ENUM }
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (is_token (c, words[i].text))
      return words[i].word;
  return WORD_NONE;
}

/* The type that the token names in SPACE; NULL: none.  */
static const struct tb_type *
named_type (struct tb_compiler *c, enum tb_type_space space)
{
  return tb_variables_type (c->v, name_pc (c), space, c->text + c->token_at,
			    c->token_length);
}

bool
tb_is_type (struct tb_compiler *c)
{
  struct tb_object object;
  if (c->token != TB_TOKEN_NAME || is_token (c, "sizeof"))
    return false;
  if (word_of (c) != WORD_NONE)
    return true;
  /* A class has a function of its name.  */
  return (!tb_variables_find (c->v, name_pc (c), c->text + c->token_at,
			      c->token_length, &object)
	  || object.kind == TB_OBJECT_FUNCTION)
	 && named_type (c, TB_TYPES_NAMED) != NULL;
}

/* "struct NAME" and the like, whose first word was read.  */
static const struct tb_type *
read_tag (struct tb_compiler *c, enum type_word word)
{
  const struct tb_type *type;
  if (c->token != TB_TOKEN_NAME)
    {
      tb_compiler_expected (c, "a tag");
      return NULL;
    }
  type = named_type (c, word == WORD_STRUCT ? TB_TYPES_STRUCT
			: word == WORD_UNION ? TB_TYPES_UNION : TB_TYPES_ENUM);
  if (type == NULL)
    tb_compiler_error (c, c->token_at, "there is no %s `%.*s' here",
		       word == WORD_STRUCT ? "struct"
		       : word == WORD_UNION ? "union" : "enum",
		       c->token_length > 100 ? 100 : (int) c->token_length,
		       c->text + c->token_at);
  tb_lex (c);
  return type;
}

/* The type without what stands for pointers and arrays.  */
static const struct tb_type *
read_specifiers (struct tb_compiler *c)
{
  const struct tb_type *type = NULL;
  unsigned seen[WORD_NONE + 1] = { 0 };
  size_t at = c->token_at;
  for (enum type_word word; c->token == TB_TOKEN_NAME && !c->failed;)
    {
      word = word_of (c);
      if (word == WORD_NONE && (type != NULL || seen[WORD_NONE] != 0))
	break;
      /* A name that is no word stands alone.  */
      if (word == WORD_NONE)
	for (unsigned i = WORD_SIGNED; i < WORD_NONE; i++)
	  if (seen[i] != 0)
	    return tb_compiler_expected (c, "the end of the type"), NULL;
      seen[word]++;
      if (word == WORD_NONE)
	{
	  type = named_type (c, TB_TYPES_NAMED);
	  if (type == NULL)
	    return tb_compiler_expected (c, "a type"), NULL;
	}
      else if (word == WORD_CHAR)
	type = named_type (c, TB_TYPES_NAMED);
      tb_lex (c);
      if (word == WORD_STRUCT || word == WORD_UNION || word == WORD_ENUM)
	type = read_tag (c, word);
    }
  if (c->failed)
    return NULL;
  if (seen[WORD_NONE] != 0 || seen[WORD_STRUCT] + seen[WORD_UNION]
			      + seen[WORD_ENUM] != 0)
    return type;
  bool is_signed = seen[WORD_UNSIGNED] == 0;
  if (seen[WORD_SIGNED] != 0 && !is_signed)
    return tb_compiler_error (c, at, "both signed and unsigned"), NULL;
  if (seen[WORD_VOID] != 0)
    return tb_variables_base (c->v, TB_TYPE_VOID, false, 0);
  if (seen[WORD_FLOAT] != 0)
    return tb_variables_base (c->v, TB_TYPE_FLOAT, true, 8);
  if (seen[WORD_BOOL] != 0)
    return tb_variables_base (c->v, TB_TYPE_BOOL, false, 1);
  if (seen[WORD_CHAR] != 0)
    {
      if (seen[WORD_SIGNED] + seen[WORD_UNSIGNED] == 0 && type != NULL)
	return type;
      return tb_variables_base (c->v, TB_TYPE_CHAR,
				seen[WORD_SIGNED] != 0, 1);
    }
  return tb_type_integer (c, is_signed,
			  seen[WORD_SHORT] != 0 ? 2
			  : seen[WORD_LONG] == 0 ? 4
			  : seen[WORD_LONG] == 1 ? c->address_size : 8);
}

const struct tb_type *
tb_read_type (struct tb_compiler *c)
{
  const struct tb_type *type = read_specifiers (c);
  while (type != NULL && !c->failed)
    if (is_operator (c, '*'))
      {
	type = tb_type_pointer (c->v, type);
	tb_lex (c);
      }
    else if (word_of (c) == WORD_CONST)
      tb_lex (c);
    else if (is_operator (c, '['))
      {
	tb_lex (c);
	size_t at = c->token_at;
	struct tb_term *count = tb_parse (c);
	if (count == NULL)
	  return NULL;
	if (count->kind != TB_TERM_CONST || !is_operator (c, ']')
	    || count->value > UINT32_MAX)
	  return tb_compiler_error (c, at, "expected the number of elements and "
				    "`]'"), NULL;
	type = tb_type_array (c->v, type, count->value);
	tb_lex (c);
      }
    else
      break;
  return c->failed ? NULL : type;
}
