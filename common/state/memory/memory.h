/* Memory in a window: accesses, cells, and what may have changed them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Accesses are numbered from 1 in the order of execution.  A load is tied to
   the access before it of the same bytes as soon as every store in between is
   known to be elsewhere or to have stored something else; a store whose
   address is not known is a suspect until then.  What the dumps hold is, for
   RAM, one more load at the end.  */

#ifndef TB_STATE_MEMORY_MEMORY_H
#define TB_STATE_MEMORY_MEMORY_H

#include "arm/machine/profile.h"
#include "snapshot/memmap.h"
#include "snapshot/extents.h"
#include "state/border.h"
#include "state/memory/stored.h"
#include "state/premise.h"
#include "state/solver/graph.h"

/* What is at an address.  */
enum tb_memory_kind
{
  TB_MEMORY_OTHER,		/* Device, trace buffer, or not dumped: never
				   remembered.  */
  TB_MEMORY_CONSTANT,		/* Read only: the same always.  */
  TB_MEMORY_RAM			/* Dumped RAM.  */
};

enum tb_mem_kind
{
  TB_MEM_LOAD,
  TB_MEM_STORE,
  TB_MEM_MAYBE,		/* A store that may not have happened.  */
  TB_MEM_NONE,		/* A store that did not happen.  */
  TB_MEM_FINAL		/* What the dump holds.  */
};

struct tb_mem_access
{
  tb_vid address, value;	/* The low SIZE bytes of VALUE.  */
  uint32_t scan;		/* Suspects after this one are cleared.  */
  uint32_t watch;		/* Of a store: number of the first watch; else the
				   suspect that is in the way, or 0 (before it
				   is placed: for stack.c).  */
  uint32_t before;		/* Path to the last suspect at or before.  */
  uint16_t cost;		/* Spent on looking for its source.  */
  uint8_t todo;			/* Bytes of its word without a source.  */
  uint8_t kind : 3;		/* enum tb_mem_kind  */
  uint8_t size_1 : 3;		/* SIZE - 1; see tb_access_size.  */
  uint8_t placed : 1;		/* Its address was dealt with.  */
  uint8_t tied : 1;		/* By stack.c, to its source.  */
};

static inline unsigned
tb_access_size (const struct tb_mem_access *access)
{
  return access->size_1 + 1u;
}

/* Of a store that may not have happened: what decides it.  */
struct tb_condition
{
  uint32_t access;
  tb_vid condition;
  bool if1, if0;		/* It decides where it is 1, where 0.  */
};

/* A word of RAM with the accesses to it, in order.  Addresses become known
   forward or backward, so the array has its free room where the last one was
   put in, at GAP.  */
struct tb_cell
{
  tb_word address;
  uint32_t count;
  uint32_t gap;
  uint32_t final;		/* Its TB_MEM_FINAL, or 0.  */
  uint32_t room;
  uint32_t *entries;		/* Access << TB_ENTRY_BITS, and below its byte in
				   the word << 2 and its size (1, 2, 4, 8) in
				   powers of 2.  */
};

#define TB_ENTRY_BITS 5

/* Entry number AT of CELL.  */
static inline uint32_t
tb_cell_entry (const struct tb_cell *cell, uint32_t at)
{
  return cell->entries[at < cell->gap ? at : at + (cell->room - cell->count)];
}

/* Its access.  */
static inline uint32_t
tb_cell_access (const struct tb_cell *cell, uint32_t at)
{
  return tb_cell_entry (cell, at) >> TB_ENTRY_BITS;
}

/* The bytes of the word (bit N: byte N) that ENTRY accesses.  */
static inline unsigned
tb_entry_bytes (uint32_t entry)
{
  return ((1u << (1u << (entry & 3))) - 1) << (entry >> 2 & 7);
}

struct tb_watch
{
  uint32_t access, next;
};

/* Nodes that all trials of values in a window look at: so many for each of its
   steps, or if the trace has several windows so many; but some more in a very short
   one.  */
#define TB_VISITS_STEP 6
#define TB_VISITS_STEP_OF_SEVERAL 1
#define TB_VISITS_LEAST 10000

#define TB_REGIONS_WRITTEN 16

struct tb_memory
{
  struct tb_graph *graph;	/* Its words are those of memory.  */
  const struct tb_memmap *map;
  bool is_m;
  unsigned doubt;		/* TB_PREMISE_...  */
  bool aligned;			/* Accesses that are not aligned fault.  */
  bool has_fpccr;		/* The core has what fpccr.h follows.  */
  bool may_bit_band;		/* The core may have bit-banding ...  */
  bool bit_band;		/* ... and the program uses it.  */
  enum tb_space space;
  uint64_t trace_ram, trace_ram_length;
  /* See struct tb_state_options.  */
  const struct tb_extents *volatiles, *shared, *privates, *disputed;
  /* Something is known of the end of the window: what BORDER says or, if that is
     NULL, the dumps.  */
  bool final;
  const struct tb_border *border;
  uint32_t final_epoch;
  bool usable;			/* False: nothing is remembered at all.  */
  /* By region of the map: it is not what it was when the code ran (trust.h); NULL:
     none is.  */
  const bool *distrusted;
  /* By region of the map: a dump of a device (devices.c); NULL: none is.  */
  const bool *devices;
  /* By region of the map: a dump of the Code region that is taken for flash or
     ROM (tb_memory_classify); NULL: none is.  */
  bool *code_dump;

  struct tb_mem_access *accesses;	/* Number 0 is never used.  */
  size_t naccesses, accesses_room;
  size_t built;			/* Numbers above are TB_MEM_FINAL.  */
  /* These say what memory holds where the window begins; nobody stored.  */
  uint32_t given, given_end;
  uint32_t nepochs;		/* Begun so far.  */
  uint32_t *epoch_start;	/* First access of each epoch.  */
  size_t epoch_room;
  struct tb_condition *conditions;	/* In the order of their accesses.  */
  size_t nconditions, conditions_room;
  struct tb_cell *cells;
  size_t ncells, cells_room;
  uint32_t *cell_hash;		/* Cell number + 1.  */
  size_t hash_room;
  struct tb_watch *watches;
  size_t nwatches, watches_room;
  uint32_t free_watch;		/* The first of those that are free, or 0.  */

  /* Regions of ELF files that are read only.  */
  const struct tb_region *fixed[TB_REGIONS_WRITTEN];
  unsigned nfixed;
  /* Regions of code that literals were read from as constants.  */
  const struct tb_region *literals[TB_REGIONS_WRITTEN];
  unsigned nliterals;
  /* Regions that the trace itself writes although they looked read only; with more
     than there is room for all are taken to be.  */
  const struct tb_region *written[TB_REGIONS_WRITTEN];
  unsigned nwritten;
  bool restart;			/* One was found: begin again.  */
  /* None is: a store there is a contradiction.  So is a first one to the bit-band
     alias.  */
  bool keeps;
  bool frozen;			/* Nothing can be added any more.  */
  /* What is worth a trial wherever it is, in order (probe.c): with N for each bit N of
     VALUES.  */
  struct tb_worth { tb_vid id; uint32_t values; } *worth;
  size_t nworth, worth_room;
  size_t visits;		/* Nodes that all trials of values look at.  */
  size_t hit_visits;		/* The same of trials whether suspects hit (hits.c).  */
  bool tries_hit;		/* A trial is whether a suspect hit (hits.c).  */
  size_t looks;			/* Suspects that trials have looked at.  */
  /* Of the byte that was asked for last: the access that told it, or 0 for the
     dump and what does not change; the store that was in the way, or 0.  */
  uint32_t source, in_way;
};

/* The bytes of a word of memory: 4 or 8.  */
static inline unsigned
tb_word_bytes (const struct tb_memory *memory)
{
  return memory->graph->bits / 8;
}

/* A bit for each of them.  */
static inline unsigned
tb_word_all (const struct tb_memory *memory)
{
  return (1u << tb_word_bytes (memory)) - 1;
}

/* The number of the byte at ADDRESS in its word, and the address of that.  */
static inline unsigned
tb_word_byte (const struct tb_memory *memory, uint64_t address)
{
  return (unsigned) address & (tb_word_bytes (memory) - 1);
}

static inline uint64_t
tb_word_at (const struct tb_memory *memory, uint64_t address)
{
  return address & ~(uint64_t) (tb_word_bytes (memory) - 1);
}

/* The bytes (bit N: byte N) of the word at WORD that SIZE bytes from ADDRESS cover.  */
static inline unsigned
tb_word_covered (const struct tb_memory *memory, tb_word word, tb_word address,
		 unsigned size)
{
  unsigned bytes = (1u << size) - 1, all = tb_word_all (memory);
  if (address >= word)
    return address - word < 8 ? bytes << (address - word) & all : 0;
  return word - address < size ? bytes >> (word - address) & all : 0;
}

/* The bits of BYTES of a word.  */
static inline tb_word
tb_word_bits (unsigned bytes)
{
  static const uint32_t of_four[16] = {
    0, 0xff, 0xff00, 0xffff, 0xff0000, 0xff00ff, 0xffff00, 0xffffff, 0xff000000,
    0xff0000ff, 0xff00ff00, 0xff00ffff, 0xffff0000, 0xffff00ff, 0xffffff00, UINT32_MAX
  };
  return of_four[bytes & 15] | (tb_word) of_four[bytes >> 4 & 15] << 32;
}

/* The bytes of all words that the LENGTH bytes at ADDRESS have a part in.  */
static inline uint64_t
tb_word_span (const struct tb_memory *memory, uint64_t address, unsigned length)
{
  unsigned bytes = tb_word_bytes (memory);
  return (tb_word_byte (memory, address) + length + bytes - 1) & -(uint64_t) bytes;
}

/* What is known of ID, for a border.  */
static inline struct tb_border_register
tb_border_known (const struct tb_graph *graph, tb_vid id)
{
  struct tb_known k = tb_graph_known (graph, id);
  return (struct tb_border_register) { k.mask & graph->ones, k.bits & k.mask };
}

/* The address that an access at ADDRESS goes to.  A64: one whose top byte is no sign
   extension of bit 55 faults, or else that byte is a tag, which does not count
   (DDI 0487, D5.1.4 "Address tagging").  */
static inline tb_word
tb_untagged (tb_word address)
{
  return (tb_word) ((int64_t) (address << 8) >> 8);
}

/* The same of what is known of it.  */
static inline struct tb_known
tb_known_untagged (struct tb_known at)
{
  const tb_word low = ((tb_word) 1 << 55) - 1;
  if (tb_untagged (at.lo) == at.lo && tb_untagged (at.hi) == at.hi
      && (at.lo ^ at.hi) <= low)
    return at;
  bool sign = at.mask >> 55 & 1;
  at.mask = (at.mask & low) | (sign ? ~low : 0);
  at.bits = tb_untagged (at.bits) & at.mask;
  at.lo = tb_known_all (at) ? at.bits : 0;
  at.hi = tb_known_all (at) ? at.bits : UINT64_MAX;
  return at;
}

/* region.c: fill in FIXED.  */
void tb_memory_find_fixed (struct tb_memory *memory);

/* The epoch of access ID; nothing is remembered from one to another.  */
static inline uint32_t
tb_memory_epoch (const struct tb_memory *memory, uint32_t id)
{
  uint32_t low = 0, high = memory->nepochs;
  while (high - low > 1)
    {
      uint32_t middle = low + (high - low) / 2;
      if (memory->epoch_start[middle] <= id)
	low = middle;
      else
	high = middle;
    }
  return low;
}

/* Find the dumps that are taken for flash or ROM: they hold one of the NCODES
   addresses CODES (executed instructions), and none of the NSTACKS addresses
   STACKS points into them or to their end.  False: no memory.  */
bool tb_memory_classify (struct tb_memory *memory, const uint64_t *codes,
			 size_t ncodes, const uint64_t *stacks,
			 size_t nstacks);

void tb_memory_init (struct tb_memory *memory, struct tb_graph *graph);
void tb_memory_fini (struct tb_memory *memory);

/* How many bytes from ADDRESS on nothing is mapped for; 0: something is there.  */
uint64_t tb_memory_gap (const struct tb_memory *memory, uint64_t address);

/* How many bytes from ADDRESS on surely are neither constant nor RAM
   (TB_MEMORY_OTHER), by what holds for all of a dump; 0: not even ADDRESS is, as far
   as that tells.  */
uint64_t tb_memory_hidden (const struct tb_memory *memory, uint64_t address);

/* May the stack be where others write?  */
bool tb_memory_stack_shared (const struct tb_memory *memory);

/* Let go of what only solving needs.  */
void tb_memory_freeze (struct tb_memory *memory);

/* Bytes that MEMORY has.  */
size_t tb_memory_bytes (const struct tb_memory *memory);

/* Forget the accesses, keep what was configured.  */
void tb_memory_clear (struct tb_memory *memory);

/* There will be TIMES as many accesses as there are now: make room for these.  */
void tb_memory_expect (struct tb_memory *memory, double times);

/* Add an access in order; returns its number.  */
uint32_t tb_memory_add (struct tb_memory *memory, unsigned kind,
			tb_vid address, tb_vid value, unsigned size,
			uint32_t epoch);

/* If CONDITION turns out to be 1, and IF1, the store ID, of kind MAYBE, did
   happen; if it turns out to be 0, and IF0, it did not.  */
void tb_memory_set_condition (struct tb_memory *memory, uint32_t id,
			      tb_vid condition, bool if1, bool if0);

/* What decides about the store ID; NULL: nothing does.  */
const struct tb_condition *tb_memory_condition (const struct tb_memory *memory, uint32_t id);

/* Are there stores of which it did not turn out that they did not happen, to
   what was taken for constant?  It then is not, and RESTART is set.  */
void tb_memory_end (struct tb_memory *memory);

/* All accesses are there, LAST_EPOCH is the one at the end: begin to place and
   to tie them.  */
void tb_memory_begin (struct tb_memory *memory, uint32_t last_epoch);

/* It turned out after that that the dumps are of the end: use them, too.  */
void tb_memory_use_final (struct tb_memory *memory);

/* The address or the value of ACCESS changed (hook of the graph).  */
void tb_memory_changed (void *memory, uint32_t access);

/* What WORD holds at the end of the window: mask and bits.  */
struct tb_known tb_memory_at_end (const struct tb_memory *memory,
				  tb_word word);

/* Add what is known before access number TIME of EPOCH to BORDER.  False without
   memory.  */
bool tb_memory_take_border (struct tb_memory *memory,
			    struct tb_border *border, uint32_t time,
			    uint32_t epoch);

/* Add the words of BORDER (or NULL) as stores; returns how many it took.  It may
   make values.  */
uint32_t tb_memory_put_border (struct tb_memory *memory,
			       const struct tb_border *border,
			       uint32_t epoch);

/* Is ADDRESS a device by the M profile's default memory map: Peripheral, and from
   Device up to the end, where the system registers are?  */
static inline bool
tb_memory_is_device (const struct tb_memory *memory, uint64_t address)
{
  return memory->is_m && ((address >= 0x40000000 && address < 0x60000000)
			  || address >= 0xa0000000);
}

/* Does the trace unit write any of the LENGTH bytes at ADDRESS?  */
bool tb_memory_is_trace_ram (const struct tb_memory *memory, uint64_t address, unsigned length);

/* What is at ADDRESS, LENGTH bytes; *BYTES: its dumped contents where there
   are any.  */
enum tb_memory_kind tb_memory_kind (const struct tb_memory *memory,
				   uint64_t address, unsigned length,
				   const uint8_t **bytes);

/* The literal of LENGTH bytes at ADDRESS that the instruction at PC loads
   relative to itself; false where it is not in one region with it, or that is
   written.  */
bool tb_memory_literal (struct tb_memory *memory, uint64_t pc,
			uint64_t address, unsigned length, tb_word *value);

/* Take over from FROM, of the same map, what it found to be written; was that
   news?  */
bool tb_memory_take_written (struct tb_memory *memory,
			     const struct tb_memory *from);

/* LENGTH bytes at ADDRESS may be stored to.  Where they were taken to be
   constant, sets RESTART.  */
void tb_memory_store_to (struct tb_memory *memory, uint64_t address,
			 unsigned length);

/* Load ID has an address that is one of a few, all in constant memory: what
   follows for its value from what is there, and for the address from the
   value (table.c).  */
void tb_memory_look_up (struct tb_memory *memory, uint32_t id);

/* Call TAKE with CONTEXT and each store of known address, in order, until it says
   false; what the window is given is among them.  False: it did.  */
bool tb_memory_stores (const struct tb_memory *memory, tb_take_stored *take,
		       void *context);

/* Make cells for the words where load ID may be, if they are FEW; for trials,
   which use those that there are.  */
void tb_memory_prepare (struct tb_memory *memory, uint32_t id, unsigned few);

/* Refine the value of ID, a load or store whose address is known, by what memory held
   then.  */
void tb_memory_recall (struct tb_memory *memory, uint32_t id);

/* For memory.c, memory-*.c and recall.c.  */

/* Room for EXTRA more in an array; false without memory.  */
bool tb_memory_room (struct tb_memory *memory, void *items, size_t *capacity,
		     size_t count, size_t extra, size_t size);

/* The bytes (bit N: byte N) of a word of which some bits are in MASK.  */
uint8_t tb_memory_bytes_of (const struct tb_memory *memory, tb_word mask);

/* Put access ID, whose address is known, into its cell.  */
void tb_memory_insert (struct tb_memory *memory, struct tb_cell *cell,
		       uint32_t id);

struct tb_cell *tb_memory_cell (const struct tb_memory *memory, tb_word word);

/* The same; made if there is none.  NULL: no memory.  */
struct tb_cell *tb_memory_make_cell (struct tb_memory *memory, tb_word word);

/* Look for the sources of load (or final) ID, whose address is known.  */
void tb_memory_resolve (struct tb_memory *memory, uint32_t id);

/* Where a suspect is in the way of some bytes of a word look for the sources of the
   others.  True if one was found.  */
bool tb_memory_tie_bytes (struct tb_memory *memory);

/* How many accesses of CELL come before access number TIME.  */
uint32_t tb_memory_position (const struct tb_cell *cell, uint32_t time);

/* The value of access ID in the position of its word.  */
struct tb_known tb_memory_in_word (const struct tb_memory *memory,
				   uint32_t id);

/* The last suspect that is ID or earlier; 0: none.  */
uint32_t tb_memory_suspect (struct tb_memory *memory, uint32_t id);

/* Can the suspect S have written any of the bytes TODO of WORD and left what
   X (in the position of the word) says there?  The last one that wrote must
   have left X, so one that stores something else did not write.  */
bool tb_memory_may_write (const struct tb_memory *memory, uint32_t s,
			  tb_word word, unsigned todo,
			  const struct tb_known *x);

/* The same, of one of its addresses from *ADDRESS on, which is then that.  False: there is
   none in WORD.  Not for memory that has other addresses, too (bit-band, one-address
   doubted).  */
bool tb_memory_next_hit (const struct tb_memory *memory, uint32_t s, tb_word word,
			 unsigned todo, const struct tb_known *x, tb_word *address);

/* trial.c: the address or the value of ACCESS changed in a trial, which only asks.  */
void tb_memory_in_trial (struct tb_memory *memory, uint32_t access);

/* stack.c: tie loads from the stack to their sources; how many were tied.  False
   without memory.  */
bool tb_stack_tie (struct tb_memory *memory, size_t *tied);

/* How often that may be done; each time frees some more pointers.  */
#define TB_STACK_ROUNDS 8

/* memory-store.c: ID is one of VALUES, as in WORTH, and worth a trial.  */
void tb_memory_note_worth (struct tb_memory *memory, tb_vid id, uint32_t values);

/* memory/probe.c: work out all that follows from what is stated.  False without
   memory.  */
bool tb_memory_solve (struct tb_memory *memory);

/* The byte at ADDRESS before access number TIME of EPOCH; false: unknown.  */
bool tb_memory_byte (struct tb_memory *memory, uint64_t address,
		     uint32_t time, uint32_t epoch, uint8_t *byte);

/* The same of LENGTH bytes, as tb_state_memory.  */
size_t tb_memory_read (struct tb_memory *memory, uint64_t address,
		       uint32_t time, uint32_t epoch, uint8_t *bytes,
		       uint8_t *origins, size_t length);

#endif /* TB_STATE_MEMORY_MEMORY_H */
