/* Where variables stand at a PC.  See variables.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 2.5 (expressions), 2.6 (locations), 3.3.5 (frame bases).  */

#include "config.h"
#include "snapshot/variables-internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"

/* What is being translated.  */
struct storage_reader
{
  struct tb_variables *v;
  struct tb_debug_file *file;
  size_t file_number;
  uint64_t pc;
  struct tb_storage *storage;
  const char *why;		/* It cannot be: NULL, or the reason.  */
  /* The register that the location is, where it is just that.  */
  bool is_register, is_value;
  unsigned reg;
  bool in_frame_base;
  bool is_typed;		/* A value has a type of its own.  */
  unsigned depth;		/* Of this piece's stack.  */
  size_t piece_op;		/* Where the program of this piece begins.  */
};

static bool
refuse (struct storage_reader *r, const char *why)
{
  r->why = why;
  return false;
}

/* How many values an operation takes from the stack.  */
static unsigned
pops (enum tb_storage_code code)
{
  switch (code)
    {
    case TB_STORE_CONST: case TB_STORE_REG: case TB_STORE_PICK:
      return 0;
    case TB_STORE_LOAD: case TB_STORE_DUP: case TB_STORE_DROP:
    case TB_STORE_NEG: case TB_STORE_NOT: case TB_STORE_SIGN:
    case TB_STORE_ZERO:
      return 1;
    case TB_STORE_ROT:
      return 3;
    default:
      return 2;
    }
}

/* And how many it leaves.  */
static unsigned
pushes (enum tb_storage_code code)
{
  switch (code)
    {
    case TB_STORE_DROP: return 0;
    case TB_STORE_DUP: case TB_STORE_SWAP: return 2;
    case TB_STORE_ROT: return 3;
    default: return 1;
    }
}

static bool
push_op (struct storage_reader *r, enum tb_storage_code code, uint64_t number)
{
  struct tb_storage *s = r->storage;
  if (s->nops == TB_STORAGE_OPS)
    return refuse (r, "its location is too complicated");
  if (r->depth < pops (code)
      || (code == TB_STORE_PICK && number >= r->depth))
    return refuse (r, "its location makes no sense");
  r->depth = r->depth - pops (code) + pushes (code);
  s->ops[s->nops++] = (struct tb_storage_op) { code, number };
  return true;
}

/* Push register REG plus OFFSET.  */
static bool
push_register (struct storage_reader *r, uint64_t reg, uint64_t offset)
{
  return push_op (r, TB_STORE_REG, reg)
	 && (offset == 0 || (push_op (r, TB_STORE_CONST, offset)
			     && push_op (r, TB_STORE_ADD, 0)));
}

static bool
push_cfa (struct storage_reader *r)
{
  struct tb_unwind unwind;
  if (!tb_variables_unwind (r->file, r->pc, &unwind))
    return refuse (r, "there are no unwinding rules for its frame");
  if (!unwind.has_cfa)
    return refuse (r, "its frame's address is too complicated");
  return push_register (r, unwind.cfa_reg, unwind.cfa_offset);
}

void
tb_variables_was_read (struct tb_variables *v, Dwarf_Op *ops, size_t count)
{
  if (count == 0)
    return;
  if (v->read == NULL)
    v->read = htab_create_alloc (256, htab_hash_pointer, htab_eq_pointer, NULL, calloc, free);
  /* Without memory to know it by it counts again.  */
  void **slot = v->read != NULL ? htab_find_slot (v->read, ops, INSERT) : NULL;
  if (slot != NULL && *slot == ops)
    return;
  if (slot != NULL)
    *slot = ops;
  v->operations += count;
}

/* The location that ATTRIBUTE tells for the PC; false: none.  */
static bool
read_attribute (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op **ops,
		size_t *count)
{
  struct tb_variables *v = r->v;
  if (!tb_variables_may_read (v))
    return refuse (r, "the file's locations are too long");
  if (dwarf_getlocation_addr (attribute, r->pc - r->file->bias, ops, count, 1)
      != 1)
    return refuse (r, "optimized out");
  tb_variables_was_read (v, *ops, *count);
  return *count != 0 || refuse (r, "optimized out");
}

static bool translate (struct storage_reader *r, Dwarf_Attribute *attribute,
		       Dwarf_Op *ops, size_t count);

/* Push the address that the function's frame base is.  */
static bool
push_frame_base (struct storage_reader *r)
{
  struct tb_variables *v = r->v;
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  if (r->in_frame_base || !tb_variables_scopes (v, r->pc))
    return refuse (r, "its function has no frame");
  /* Of the innermost function that is not inlined.  */
  Dwarf_Die *function = NULL;
  for (unsigned i = v->nscopes; i-- > 0 && function == NULL;)
    if (dwarf_tag (&v->scopes[i]) == DW_TAG_subprogram)
      function = &v->scopes[i];
  if (function == NULL
      || dwarf_attr_integrate (function, DW_AT_frame_base, &attribute) == NULL)
    return refuse (r, "its function has no frame");
  struct storage_reader inner = *r;
  inner.in_frame_base = true;
  inner.is_register = inner.is_value = false;
  if (!read_attribute (&inner, &attribute, &ops, &count)
      || !translate (&inner, &attribute, ops, count))
    return refuse (r, inner.why);
  r->depth = inner.depth;
  /* DWARF 5, 3.3.5: a register stands for what it holds.  */
  return !inner.is_register || push_register (r, inner.reg, 0);
}

/* Push the value that a register had when the function began: known there alone.  */
static bool
push_entry_value (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *op)
{
  struct tb_variables *v = r->v;
  Dwarf_Attribute inner;
  Dwarf_Op *ops;
  size_t count;
  Dwarf_Addr entry;
  if (!tb_variables_scopes (v, r->pc)
      || dwarf_entrypc (&v->scopes[0], &entry) != 0
      || entry + r->file->bias != r->pc
      || dwarf_getlocation_attr (attribute, op, &inner) != 0
      || dwarf_getlocation (&inner, &ops, &count) != 0 || count != 1)
    return refuse (r, "its value at the function's entry is needed");
  tb_variables_was_read (v, ops, count);
  if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
    return push_register (r, ops[0].atom - DW_OP_reg0, 0);
  if (ops[0].atom == DW_OP_regx)
    return push_register (r, ops[0].number, 0);
  return refuse (r, "its value at the function's entry is needed");
}

/* Push the bytes that OP says in place.  */
static bool
push_implicit (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *op)
{
  Dwarf_Attribute inner;
  Dwarf_Block block;
  if (dwarf_getlocation_attr (attribute, op, &inner) != 0
      || dwarf_formblock (&inner, &block) != 0
      || block.length > 8)
    return refuse (r, "its value is too long");
  return push_op (r, TB_STORE_CONST, tb_number (block.data, block.length));
}

/* Push what stands in a table of addresses or constants.  */
static bool
push_indexed (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *op)
{
  Dwarf_Attribute inner;
  Dwarf_Addr address;
  Dwarf_Word number;
  if (dwarf_getlocation_attr (attribute, op, &inner) != 0)
    return refuse (r, "its location makes no sense");
  if (dwarf_formaddr (&inner, &address) == 0)
    return push_op (r, TB_STORE_CONST,
		    address + (op->atom == DW_OP_addrx
			       || op->atom == DW_OP_GNU_addr_index
			       ? r->file->bias : 0));
  if (dwarf_formudata (&inner, &number) == 0)
    return push_op (r, TB_STORE_CONST, number);
  return refuse (r, "its location makes no sense");
}

/* Extend what is on the stack to the integer type that OP names; none: what an
   address is.  */
static bool
push_conversion (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *op)
{
  Dwarf_Die die;
  if ((op->atom == DW_OP_convert || op->atom == DW_OP_GNU_convert
       || op->atom == DW_OP_reinterpret || op->atom == DW_OP_GNU_reinterpret)
      && op->number == 0)
    return true;
  if (dwarf_getlocation_die (attribute, op, &die) != 0)
    return refuse (r, "its location makes no sense");
  const struct tb_type *type = &tb_type_described (r->v, r->file_number,
						   &die)->type;
  if ((type->kind != TB_TYPE_INTEGER && type->kind != TB_TYPE_CHAR
       && type->kind != TB_TYPE_BOOL)
      || type->size > 8)
    return refuse (r, "its location needs floating point");
  r->is_typed = true;
  return push_op (r, type->is_signed ? TB_STORE_SIGN : TB_STORE_ZERO,
		  8 * type->size);
}

/* The part of the variable that was told so far is a piece of SIZE bytes; 0: all.  */
static bool
end_piece (struct storage_reader *r, uint64_t size)
{
  struct tb_storage *s = r->storage;
  if (s->npieces == TB_STORAGE_PIECES || (size == 0 && s->npieces != 0))
    return refuse (r, "its location is too complicated");
  struct tb_piece *piece = &s->pieces[s->npieces++];
  *piece = (struct tb_piece) { .size = size, .op = r->piece_op,
			       .nops = s->nops - r->piece_op };
  if (r->is_register)
    {
      piece->kind = TB_PIECE_REGISTER;
      piece->reg = r->reg;
      if (piece->nops != 0)
	return refuse (r, "its location makes no sense");
    }
  else if (piece->nops == 0)
    piece->kind = TB_PIECE_LOST;
  else
    piece->kind = r->is_value ? TB_PIECE_VALUE : TB_PIECE_MEMORY;
  if (piece->nops != 0 && r->depth != 1)
    return refuse (r, "its location makes no sense");
  r->depth = 0;
  r->piece_op = s->nops;
  r->is_register = r->is_value = false;
  return true;
}

/* Operations that are one here, too.  */
static const struct { uint8_t atom, code; } simple_ops[] = {
  { DW_OP_dup, TB_STORE_DUP }, { DW_OP_drop, TB_STORE_DROP },
  { DW_OP_swap, TB_STORE_SWAP }, { DW_OP_rot, TB_STORE_ROT },
  { DW_OP_plus, TB_STORE_ADD }, { DW_OP_minus, TB_STORE_SUB },
  { DW_OP_mul, TB_STORE_MUL }, { DW_OP_div, TB_STORE_DIV_SIGNED },
  { DW_OP_mod, TB_STORE_REM_UNSIGNED }, { DW_OP_and, TB_STORE_AND },
  { DW_OP_or, TB_STORE_OR }, { DW_OP_xor, TB_STORE_XOR },
  { DW_OP_shl, TB_STORE_SHL }, { DW_OP_shr, TB_STORE_SHR },
  { DW_OP_shra, TB_STORE_SAR }, { DW_OP_neg, TB_STORE_NEG },
  { DW_OP_not, TB_STORE_NOT }, { DW_OP_eq, TB_STORE_EQ },
  { DW_OP_ne, TB_STORE_NE }, { DW_OP_lt, TB_STORE_LT },
  { DW_OP_le, TB_STORE_LE }, { DW_OP_gt, TB_STORE_GT },
  { DW_OP_ge, TB_STORE_GE }
};

static bool
translate_simple (struct storage_reader *r, const Dwarf_Op *op)
{
  for (size_t i = 0; i < sizeof simple_ops / sizeof simple_ops[0]; i++)
    if (simple_ops[i].atom == op->atom)
      {
	/* What these do depends on the type, and is told for addresses.  */
	if (r->is_typed
	    && (op->atom == DW_OP_div || op->atom == DW_OP_mod
		|| op->atom == DW_OP_shr || op->atom == DW_OP_shra
		|| (op->atom >= DW_OP_eq && op->atom <= DW_OP_ne)))
	  return refuse (r, "its location is too complicated");
	return push_op (r, simple_ops[i].code, 0);
      }
  switch (op->atom)
    {
    case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
      return refuse (r, "it points to what is optimized out");
    case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
      return refuse (r, "each thread has its own");
    default:
      return refuse (r, "its location is too complicated");
    }
}

/* Translate one operation.  */
static bool
translate_op (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *op)
{
  uint8_t atom = op->atom;
  if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
    return push_op (r, TB_STORE_CONST, atom - DW_OP_lit0);
  if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
    return push_register (r, atom - DW_OP_breg0, op->number);
  if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
    {
      r->is_register = true;
      r->reg = atom - DW_OP_reg0;
      return true;
    }
  switch (atom)
    {
    case DW_OP_addr:
      return push_op (r, TB_STORE_CONST, op->number + r->file->bias);
    case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u:
    case DW_OP_const2s: case DW_OP_const4u: case DW_OP_const4s:
    case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu:
    case DW_OP_consts:
      return push_op (r, TB_STORE_CONST, op->number);
    case DW_OP_addrx: case DW_OP_constx: case DW_OP_GNU_addr_index:
    case DW_OP_GNU_const_index:
      return push_indexed (r, attribute, op);
    case DW_OP_regx:
      r->is_register = op->number < UINT32_MAX;
      r->reg = (unsigned) op->number;
      return r->is_register || refuse (r, "its location makes no sense");
    case DW_OP_bregx:
      return push_register (r, op->number, op->number2);
    case DW_OP_fbreg:
      return push_frame_base (r)
	     && (op->number == 0 || (push_op (r, TB_STORE_CONST, op->number)
				     && push_op (r, TB_STORE_ADD, 0)));
    case DW_OP_call_frame_cfa:
      return push_cfa (r);
    case DW_OP_plus_uconst:
      return push_op (r, TB_STORE_CONST, op->number)
	     && push_op (r, TB_STORE_ADD, 0);
    case DW_OP_deref:
      return push_op (r, TB_STORE_LOAD, r->v->address_size);
    case DW_OP_deref_size:
      if (op->number != 1 && op->number != 2 && op->number != 4
	  && op->number != 8)
	return refuse (r, "its location makes no sense");
      return push_op (r, TB_STORE_LOAD, op->number);
    case DW_OP_over:
      return push_op (r, TB_STORE_PICK, 1);
    case DW_OP_pick:
      return push_op (r, TB_STORE_PICK, op->number);
    case DW_OP_nop: case DW_OP_GNU_uninit:
      return true;
    case DW_OP_stack_value:
      r->is_value = true;
      return true;
    case DW_OP_implicit_value:
      r->is_value = true;
      return push_implicit (r, attribute, op);
    case DW_OP_const_type: case DW_OP_GNU_const_type:
      return push_implicit (r, attribute, op)
	     && push_conversion (r, attribute, op);
    case DW_OP_regval_type: case DW_OP_GNU_regval_type:
      return push_register (r, op->number, 0)
	     && push_conversion (r, attribute, op);
    case DW_OP_convert: case DW_OP_GNU_convert:
    case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
      return push_conversion (r, attribute, op);
    case DW_OP_entry_value: case DW_OP_GNU_entry_value:
      return push_entry_value (r, attribute, op);
    case DW_OP_piece:
      return end_piece (r, op->number != 0 ? op->number : UINT64_MAX);
    case DW_OP_bit_piece:
      if (op->number % 8 != 0 || op->number == 0 || op->number2 != 0)
	return refuse (r, "its location is too complicated");
      return end_piece (r, op->number / 8);
    default:
      return translate_simple (r, op);
    }
}

static bool
translate (struct storage_reader *r, Dwarf_Attribute *attribute, Dwarf_Op *ops,
	   size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!translate_op (r, attribute, &ops[i]))
      return false;
  return true;
}

/* The place of the ELF symbol that the declaration of OBJECT names.  */
static bool
storage_of_symbol (struct storage_reader *r, const struct tb_object *object)
{
  struct tb_object symbol;
  return object->name != NULL
	 && tb_variables_symbol (r->v, object->name, strlen (object->name),
				 &symbol)
	 && push_op (r, TB_STORE_CONST, symbol.value) && end_piece (r, 0);
}

bool
tb_object_storage (struct tb_variables *v, const struct tb_object *object,
		   uint64_t pc, struct tb_storage *storage, const char **why)
{
  Dwarf_Die die = { .addr = object->die, .cu = object->unit };
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  struct storage_reader r = { .v = v, .pc = pc, .storage = storage };
  v->work = TB_WORK_MAX;
  storage->npieces = 0;
  storage->nops = 0;
  *why = "optimized out";
  if (object->kind != TB_OBJECT_VARIABLE || object->file >= v->nfiles)
    return false;
  r.file = &v->files[object->file];
  r.file_number = object->file;
  if (dwarf_attr_integrate (&die, DW_AT_location, &attribute) == NULL)
    return tb_die_flag (&die, DW_AT_declaration)
	   && storage_of_symbol (&r, object);
  bool ok = read_attribute (&r, &attribute, &ops, &count)
	    && translate (&r, &attribute, ops, count)
	    && (storage->npieces != 0 || end_piece (&r, 0));
  /* What stands behind the last piece belongs to nothing.  */
  if (ok && (r.is_register || r.piece_op != storage->nops))
    ok = refuse (&r, "its location makes no sense");
  if (!ok)
    *why = r.why;
  return ok;
}

bool
tb_variables_return (struct tb_variables *v, uint64_t pc,
		     struct tb_storage *storage, const char **why)
{
  struct storage_reader r = { .v = v, .pc = pc, .storage = storage };
  struct tb_unwind unwind;
  bool found = false;
  storage->npieces = 0;
  storage->nops = 0;
  for (size_t i = 0; i < v->nfiles && !found; i++)
    found = tb_variables_unwind (&v->files[i], pc, &unwind);
  *why = "there are no unwinding rules";
  if (!found)
    return false;
  switch ((enum tb_unwind_kind) unwind.kind)
    {
    case TB_UNWIND_SAME:
    case TB_UNWIND_REGISTER:
      r.is_register = true;
      r.reg = unwind.kind == TB_UNWIND_SAME ? unwind.return_reg
					    : (unsigned) unwind.value;
      return end_piece (&r, 0);
    case TB_UNWIND_OFFSET:
    case TB_UNWIND_VALUE:
      *why = "the frame's address is too complicated";
      r.is_value = unwind.kind == TB_UNWIND_VALUE;
      return unwind.has_cfa
	     && push_register (&r, unwind.cfa_reg,
			       unwind.cfa_offset + unwind.value)
	     && end_piece (&r, 0);
    case TB_UNWIND_NOWHERE:
      break;
    }
  *why = "the function has none";
  return false;
}
