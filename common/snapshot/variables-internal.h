/* Variables and types: what their files share (private to snapshot/variables*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_VARIABLES_INTERNAL_H
#define TB_SNAPSHOT_VARIABLES_INTERNAL_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

#include "snapshot/units.h"
#include "snapshot/variables.h"

/* Blocks in blocks, namespaces in namespaces, typedefs of typedefs: no program nests
   them deeper.  */
#define TB_SCOPES_MAX 64
#define TB_NESTING_MAX 32

/* The most descriptions and ranges that one question may look at; a file that needs
   more was made to waste time.  */
#define TB_WORK_MAX 20000000

/* libdw keeps each expression that was read: so many operations at most that it keeps, of
   all files.  */
#define TB_OPERATIONS_MAX ((size_t) 1 << 22)

/* Histories ask of the same few instructions again and again.  */
#define TB_FUNCTIONS_KEPT 64

/* The longest name.  */
#define TB_NAME_MAX 4096

struct tb_unwind_section
{
  const unsigned char *ident;
  Elf_Data *data;		/* NULL: there is none.  */
  uint64_t address;
  bool is_eh;
  unsigned address_size;
};

/* The unwinding rules for the code from LOW to HIGH: those of the CIE, and from AT to
   END.  */
struct tb_unwind_range
{
  uint64_t low, high;
  uint64_t cie;
  const uint8_t *at, *end;
  bool is_eh;
};

struct tb_debug_file
{
  Dwfl_Module *module;
  Dwarf *dwarf;			/* NULL: it has no description.  */
  uint64_t bias;
  struct tb_units units;
  struct tb_unwind_section sections[2];	/* .debug_frame, .eh_frame  */
  struct tb_unwind_range *unwind;	/* By address.  */
  size_t nunwind, unwind_capacity;
  bool has_unwind;		/* They were looked for.  */
};

enum tb_name_space
{
  TB_NAME_VARIABLE, TB_NAME_FUNCTION, TB_NAME_CONSTANT, TB_NAME_TYPE,
  TB_NAME_STRUCT, TB_NAME_UNION, TB_NAME_ENUM
};

/* A name outside of functions.  */
struct tb_name
{
  const char *name;		/* Without what it stands in.  */
  uint32_t hash;
  uint32_t parent;		/* The namespace or class that it stands in: its place
				   in PARENTS plus 1; 0: none.  */
  uint8_t space;		/* enum tb_name_space  */
  bool is_declaration;
  size_t file;
  Dwarf_Die die;		/* CONSTANT: of the enumeration.  */
};

struct tb_parent
{
  const char *name;		/* NULL: one without a name.  */
  uint32_t parent;
};

/* A type.  */
struct tb_type_node
{
  struct tb_type type;		/* First: one is taken for the other.  */
  size_t file;
  Dwarf_Die die;		/* What describes it; its ADDR is NULL: nothing.  */
  struct tb_type_node *target, *pointer;
  struct tb_member *members;
  size_t nmembers;
  bool has_members;		/* They were looked at.  */
  struct tb_type_node *next;	/* Of all.  */
  const void *asked;		/* What asked for it stood there: the key in the
				   table.  */
};

struct tb_variables
{
  struct tb_symbols *symbols;
  unsigned address_size;
  struct tb_debug_file *files;
  size_t nfiles;

  struct tb_name *names;	/* By hash.  */
  size_t nnames, name_capacity;
  struct tb_parent *parents;
  size_t nparents, parent_capacity;
  bool has_names;
  /* What is looked for is in the source file of this name only; NULL: in any.  */
  const char *source;
  size_t source_length;

  struct tb_type_node *nodes;	/* All but  */
  struct tb_type_node *bases;	/* those that the program made.  */
  htab_t types;			/* Nodes by what asked for them; NULL: none yet.  */
  struct tb_type_node other;	/* Of what makes no sense.  */
  unsigned nesting;		/* Of types being looked at.  */

  /* The scopes at SCOPE_PC, the outermost, a function, first.  */
  bool has_scopes;
  uint64_t scope_pc;
  size_t scope_file;
  Dwarf_Die scope_unit, scopes[TB_SCOPES_MAX];
  unsigned nscopes;

  /* What tb_variables_function said last of the addresses that share a place.  */
  struct
  {
    uint64_t pc;
    const char *name;
    bool is_known;
  } functions[TB_FUNCTIONS_KEPT];

  bool no_memory;		/* Once there was none.  */
  size_t work;			/* Left of TB_WORK_MAX.  */
  htab_t read;			/* The locations that were read so far, which libdw keeps;
				   NULL: none yet.  */
  size_t operations;		/* Of these.  */
};

/* One description was looked at; false: enough is enough.  */
static inline bool
tb_variables_work (struct tb_variables *v)
{
  return v->work != 0 && v->work-- != 0;
}

/* May locations still be read?  */
static inline bool
tb_variables_may_read (const struct tb_variables *v)
{
  return v->operations <= TB_OPERATIONS_MAX;
}

/* The COUNT operations at OPS, a location, were read.  Reading it again costs nothing.  */
void tb_variables_was_read (struct tb_variables *v, Dwarf_Op *ops, size_t count);

/* The first child of DIE; the one behind DIE, which becomes it.  */
bool tb_die_child (struct tb_variables *v, Dwarf_Die *die, Dwarf_Die *child);
bool tb_die_next (struct tb_variables *v, Dwarf_Die *die);

/* The name of DIE, not too long; NULL: it has none.  */
const char *tb_die_name (Dwarf_Die *die);

/* Is attribute NAME of DIE a flag that is set?  */
bool tb_die_flag (Dwarf_Die *die, unsigned name);

/* The number in attribute NAME of DIE; false: it is none.  */
bool tb_die_number (Dwarf_Die *die, unsigned name, uint64_t *number);

/* The number ATTRIBUTE, of what IS_SIGNED if its form does not tell; false: it is
   none.  */
bool tb_attribute_constant (Dwarf_Attribute *attribute, bool is_signed,
			    uint64_t *number);

/* Find the scopes at PC; false: there is no function.  The unit may be known (its ADDR
   is not NULL) all the same.  */
bool tb_variables_scopes (struct tb_variables *v, uint64_t pc);

/* The name NAME of SPACE that is meant at PC best; NULL: there is none.  */
const struct tb_name *tb_variables_name (struct tb_variables *v, uint64_t pc,
					 enum tb_name_space space,
					 const char *name, size_t length);

/* The complete type of the name and tag of DIE, which only declares it; false: there is
   none, or it is not clear which, and *FOUND stays as it is.  */
bool tb_variables_complete (struct tb_variables *v, Dwarf_Die *die,
			    size_t *found_file, Dwarf_Die *found);

/* The type of what DIE, of FILE, describes: its DW_AT_type; and the one that DIE itself
   describes.  */
struct tb_type_node *tb_type_of (struct tb_variables *v, size_t file,
				 Dwarf_Die *die);
struct tb_type_node *tb_type_described (struct tb_variables *v, size_t file,
					Dwarf_Die *die);
void tb_types_fini (struct tb_variables *v);

/* How the address of a frame, and its return address, are found.  */
enum tb_unwind_kind
{
  TB_UNWIND_SAME,		/* Still in its register.  */
  TB_UNWIND_OFFSET,		/* In memory at the frame's address + VALUE.  */
  TB_UNWIND_VALUE,		/* It is the frame's address + VALUE.  */
  TB_UNWIND_REGISTER,		/* In register VALUE.  */
  TB_UNWIND_NOWHERE
};

struct tb_unwind
{
  bool has_cfa;			/* CFA_REG + CFA_OFFSET.  */
  unsigned cfa_reg;
  uint64_t cfa_offset;
  unsigned return_reg;
  uint8_t kind;			/* enum tb_unwind_kind  */
  uint64_t value;
};

/* The rules at PC in FILE; false: there are none that are understood.  */
bool tb_variables_unwind (struct tb_debug_file *file, uint64_t pc,
			  struct tb_unwind *unwind);

/* The address and size of the ELF symbol NAME of data or code, in any file; false:
   there is none.  */
bool tb_variables_symbol (struct tb_variables *v, const char *name,
			  size_t length, struct tb_object *object);

#endif /* TB_SNAPSHOT_VARIABLES_INTERNAL_H */
