/* A growable run of bytes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Libiberty comes first: hash tables on cold paths are its htab (with calloc and free,
   so that want of memory is an answer and not an exit), memory that is freed all at once
   is its objalloc (snapshot/pool.h), arguments in files are its expandargv, names of C++
   its demangler.  What is the project's own, and why:

     this buffer, tb_grow   obstack, dyn_string and the x...alloc functions end the
			    program where there is no memory, which a library may not
     tables of the state,   a look-up for each instruction or access: keys lie in the
     the follower, facts,   table itself (no pointer to follow), no function is called
     run ends, code, logs   to compare, and some are cleared by a generation number
     temporary files        make_temp_file makes them in /tmp and ends the program if it
			    cannot; outputs are renamed, so they lie where they will be
     FNV, the keyed hash    xcrc32 finds accidents in 32 bits; indexes need 64, and that
     of mac.h               nobody can make another file of the same  */

#ifndef TB_UTIL_BUFFER_H
#define TB_UTIL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise before use; free with tb_buffer_fini.  Once an append finds
   no memory, FAILED stays set and later appends do nothing, so a caller may
   append at will and look once at the end.  */
struct tb_buffer
{
  uint8_t *data;
  size_t size;		/* Bytes in use.  */
  size_t capacity;
  bool failed;
};

void tb_buffer_fini (struct tb_buffer *buffer);

/* Forget the contents, keep the memory.  */
void tb_buffer_clear (struct tb_buffer *buffer);

/* Room for LENGTH more bytes, not initialised, counted as used; NULL when
   there is no memory.  Valid until the next append.  */
uint8_t *tb_buffer_extend (struct tb_buffer *buffer, size_t length);

void tb_buffer_append (struct tb_buffer *buffer, const void *bytes,
		       size_t length);

/* Append printf-style text, without a terminating zero.  */
void tb_buffer_printf (struct tb_buffer *buffer, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Append the LENGTH (1, 2, 4 or 8) low bytes of VALUE, lowest first.  */
void tb_buffer_append_le (struct tb_buffer *buffer, uint64_t value,
			  unsigned length);

/* tb_grow and tb_fit, below, of a pointer ARRAY whose array has CAPACITY elements.  */
#define TB_GROW(array, capacity, count, extra) \
  tb_grow (&(array), &(capacity), count, extra, sizeof *(array))
#define TB_FIT(array, capacity, want) \
  tb_fit (&(array), &(capacity), want, sizeof *(array))

/* Grow the array of *CAPACITY elements of SIZE bytes, of which COUNT are in use, so that
   EXTRA more fit.  ARRAY is where the pointer to it is, of whatever type.  False and nothing
   changed when there is no memory or the size would overflow.  */
bool tb_grow_now (void *array, size_t *capacity, size_t count, size_t extra,
		  size_t size);
static inline bool
tb_grow (void *array, size_t *capacity, size_t count, size_t extra,
	 size_t size)
{
  return (extra <= *capacity && count <= *capacity - extra)
	 || tb_grow_now (array, capacity, count, extra, size);
}

/* Make that array hold WANT, not fewer than are in use and not 0; it stays as it is where
   there is no memory.  */
void tb_fit (void *array, size_t *capacity, size_t want, size_t size);

#endif /* TB_UTIL_BUFFER_H */
