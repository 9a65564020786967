/* Variables and types in ELF files: what a name means at a PC, and where its value
   stands then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   elfutils (libdw) reads them from DWARF 2 to 5.  One thread at a time may use this.
   A file is not trusted: what is nested too deep, refers to itself or makes no sense
   counts as missing.  */

#ifndef TB_SNAPSHOT_VARIABLES_H
#define TB_SNAPSHOT_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/symbols.h"

/* Typedefs, const and volatile are seen through.  */
enum tb_type_kind
{
  TB_TYPE_VOID,
  TB_TYPE_INTEGER,
  TB_TYPE_CHAR,			/* Of one byte; wider ones are integers.  */
  TB_TYPE_BOOL,
  TB_TYPE_ENUM,
  TB_TYPE_FLOAT,
  TB_TYPE_POINTER,		/* To TARGET.  */
  TB_TYPE_REFERENCE,		/* The same, of C++.  */
  TB_TYPE_ARRAY,		/* Of COUNT TARGETs.  */
  TB_TYPE_STRUCT,		/* Classes too.  */
  TB_TYPE_UNION,
  TB_TYPE_FUNCTION,
  TB_TYPE_OTHER			/* Its size may be known, no more.  */
};

struct tb_type;

struct tb_member
{
  const char *name;		/* NULL: an unnamed structure or union, or a base
				   class: what it has belongs to the whole.  */
  uint64_t offset;		/* In bytes.  */
  /* A bit field: so many bits; the first is number BIT of the byte at OFFSET.  0: it
     is none.  */
  uint8_t bits, bit;
  const struct tb_type *type;	/* See tb_type_members.  */
};

struct tb_type
{
  uint8_t kind;			/* enum tb_type_kind  */
  bool is_signed;		/* INTEGER, CHAR, ENUM  */
  bool is_incomplete;		/* STRUCT and the like that are declared only; an
				   array whose length is not known.  */
  bool is_vector;		/* ARRAY: one of the kind that registers hold.  */
  const char *name;		/* As the source calls it; NULL: it does not.  */
  uint64_t size;		/* In bytes.  */
  uint64_t count;		/* ARRAY  */
};

struct tb_variables;

/* Those of the files that SYMBOLS has now; borrowed; NULL: none, types only.  An
   address has ADDRESS_SIZE bytes where no file says otherwise.  NULL: no memory.  */
struct tb_variables *tb_variables_new (struct tb_symbols *symbols,
				       unsigned address_size);
void tb_variables_free (struct tb_variables *variables);

/* Was there once no memory for something that VARIABLES was asked for?  Then names and
   types that files have were not found.  */
bool tb_variables_no_memory (const struct tb_variables *variables);

/* Are there files, but none with debugging information?  */
bool tb_variables_are_missing (const struct tb_variables *variables);

/* Types are valid as long as VARIABLES.  All of these give TB_TYPE_OTHER, never NULL,
   where there is no memory or the file makes no sense.  */

/* The type that TYPE points to or is an array of.  */
const struct tb_type *tb_type_target (struct tb_variables *variables,
				      const struct tb_type *type);
/* A pointer to TYPE; an array of COUNT.  */
const struct tb_type *tb_type_pointer (struct tb_variables *variables,
				       const struct tb_type *type);
const struct tb_type *tb_type_array (struct tb_variables *variables,
				     const struct tb_type *type,
				     uint64_t count);
/* The members of a structure or union, in order; *COUNT of them.  */
const struct tb_member *tb_type_members (struct tb_variables *variables,
					 const struct tb_type *type,
					 size_t *count);

enum tb_object_kind
{
  TB_OBJECT_VARIABLE,
  TB_OBJECT_FUNCTION,
  TB_OBJECT_CONSTANT,		/* An enumerator, or a variable that has no place
				   but a value.  */
  TB_OBJECT_SYMBOL		/* Of the ELF file, without a type (VOID).  */
};

/* What a name means.  */
struct tb_object
{
  uint8_t kind;			/* enum tb_object_kind  */
  bool is_argument;
  const char *name;		/* Valid as long as the symbols.  */
  const struct tb_type *type;
  uint64_t value;		/* CONSTANT: it; FUNCTION: its first instruction;
				   SYMBOL: its address.  */
  uint64_t size;		/* SYMBOL: bytes, 0: the file does not say.  */
  bool is_local;		/* Of a block or a function, and...  */
  bool is_inlined;		/* ... that is a part of the one at the PC.  */
  /* Where it is described: for tb_object_storage.  */
  size_t file;
  void *die, *unit;
};

/* What the LENGTH characters NAME mean at PC: in the innermost block, those around it,
   the functions that it is inlined in, the unit, any unit, the symbol table.  NAME may
   be qualified by namespaces, a function or a source file ("ns::x", "f::counter",
   "'main.c'::ticks").  False: nothing.  */
bool tb_variables_find (struct tb_variables *variables, uint64_t pc,
			const char *name, size_t length,
			struct tb_object *object);

/* Call TAKE for the arguments (ARGUMENTS) or the local variables of the function at
   PC, innermost first, and of those that it is inlined in, until it returns false.
   False: there is no function with a description at PC.  */
bool tb_variables_list (struct tb_variables *variables, uint64_t pc,
			bool arguments,
			bool (*take) (void *context,
				      const struct tb_object *object),
			void *context);

/* The name of the function that the instruction at PC is of, as the file has it: of the
   innermost one that is inlined there, or of the one that it stands in.  NULL: it is not known.
   Valid as long as the symbols.  */
const char *tb_variables_function (struct tb_variables *variables, uint64_t pc);

/* Call TAKE for the first address of each stretch of code from LOW up to END in which
   names may mean something else than in the one before, of the function at LOW: its blocks
   and the functions that are inlined in it begin and end there, and the stretches of the
   locations of its variables begin.  In no order, some more than once, until TAKE returns
   false.  LOW is told in any case.  */
void tb_variables_stretches (struct tb_variables *variables, uint64_t low, uint64_t end,
			     bool (*take) (void *context, uint64_t pc), void *context);

enum tb_type_space
{
  TB_TYPES_NAMED,		/* typedefs and base types; structures and the like
				   too, where the language is C++  */
  TB_TYPES_STRUCT,		/* struct NAME, class NAME  */
  TB_TYPES_UNION,
  TB_TYPES_ENUM
};

/* The type NAME, of the unit at PC first; NULL: there is none.  */
const struct tb_type *tb_variables_type (struct tb_variables *variables,
					 uint64_t pc,
					 enum tb_type_space space,
					 const char *name, size_t length);

/* The type of KIND (VOID, INTEGER, CHAR, BOOL, FLOAT), with SIZE bytes; always the
   same one for the same arguments.  */
const struct tb_type *tb_variables_base (struct tb_variables *variables,
					 enum tb_type_kind kind, bool is_signed,
					 unsigned size);

/* Where a value stands, as a program for a stack of numbers as wide as an address.  */
enum tb_storage_code
{
  TB_STORE_CONST,		/* Push NUMBER.  */
  TB_STORE_REG,			/* Push the register of this DWARF number.  */
  TB_STORE_LOAD,		/* Replace an address by NUMBER bytes there, zeros
				   above them.  */
  TB_STORE_DUP, TB_STORE_DROP, TB_STORE_SWAP, TB_STORE_ROT,
  TB_STORE_PICK,		/* Push the NUMBERth value below the top.  */
  TB_STORE_ADD, TB_STORE_SUB, TB_STORE_MUL, TB_STORE_DIV_SIGNED,
  TB_STORE_REM_UNSIGNED, TB_STORE_AND, TB_STORE_OR, TB_STORE_XOR,
  TB_STORE_SHL, TB_STORE_SHR, TB_STORE_SAR, TB_STORE_NEG, TB_STORE_NOT,
  TB_STORE_EQ, TB_STORE_NE, TB_STORE_LT, TB_STORE_LE, TB_STORE_GT,
  TB_STORE_GE,			/* Signed comparisons: 0 or 1.  */
  TB_STORE_SIGN, TB_STORE_ZERO	/* Extend the low NUMBER bits.  */
};

struct tb_storage_op
{
  uint8_t code;			/* enum tb_storage_code  */
  uint64_t number;
};

enum tb_piece_kind
{
  TB_PIECE_LOST,		/* Nowhere: optimized out.  */
  TB_PIECE_MEMORY,		/* At the address that the program leaves.  */
  TB_PIECE_REGISTER,		/* In the low bytes of register REG.  */
  TB_PIECE_VALUE		/* It is what the program leaves.  */
};

struct tb_piece
{
  uint8_t kind;			/* enum tb_piece_kind  */
  unsigned reg;			/* DWARF number.  */
  uint64_t size;		/* In bytes; of the only one: 0, all.  */
  size_t op, nops;		/* The program: a part of OPS.  */
};

/* No more than these.  */
#define TB_STORAGE_PIECES 16
#define TB_STORAGE_OPS 64

struct tb_storage
{
  unsigned npieces;
  struct tb_piece pieces[TB_STORAGE_PIECES];	/* The lowest bytes first.  */
  size_t nops;
  struct tb_storage_op ops[TB_STORAGE_OPS];
};

/* Where variable OBJECT stands before the instruction at PC executes.  False: nowhere,
   or it cannot be told; *WHY is then a phrase like "optimized out".  */
bool tb_object_storage (struct tb_variables *variables,
			const struct tb_object *object, uint64_t pc,
			struct tb_storage *storage, const char **why);

/* Where the return address of the function at PC stands.  */
bool tb_variables_return (struct tb_variables *variables, uint64_t pc,
			  struct tb_storage *storage, const char **why);

#endif /* TB_SNAPSHOT_VARIABLES_H */
