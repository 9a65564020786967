/* Reading one ITM packet.  See packet.h; section numbers are those of DDI
   0403.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/itm/packet.h"

/* A field of up to LIMIT bytes with seven bits each, bit 7 saying that another
   follows; the bytes begin at BYTES[1].  If WIDE, the last of LIMIT bytes has
   eight bits.  Returns how many there are, 0 if they go on after LENGTH, -1 if
   there are more than LIMIT.  */
static int
continued (const uint8_t *bytes, size_t length, unsigned limit, bool wide,
	   uint64_t *value)
{
  *value = 0;
  for (unsigned i = 0; i < limit; i++)
    {
      if (i + 1 >= length)
	return 0;
      uint8_t b = bytes[i + 1];
      bool all = wide && i + 1 == limit;
      *value |= (uint64_t) (all ? b : b & 0x7f) << (7 * i);
      if (all || (b & 0x80) == 0)
	return (int) i + 1;
    }
  return -1;
}

/* The packet at hand is none.  */
static size_t
bad (struct tb_itm_packet *p)
{
  p->type = TB_ITM_PACKET_BAD;
  return 1;
}

/* The size of a packet whose payload of COUNT bytes continued () read.  */
static size_t
whole (struct tb_itm_packet *p, int count)
{
  return count < 0 ? bad (p) : count == 0 ? 0 : (size_t) count + 1;
}

/* D4.2.1: zeros, then 0x80.  */
static size_t
read_sync (const uint8_t *bytes, size_t length, struct tb_itm_packet *p)
{
  size_t zeros = 1;
  while (zeros < length && bytes[zeros] == 0)
    zeros++;
  if (zeros == length)
    {
      if (zeros <= TB_ITM_SYNC_ZEROS)
	return 0;
      p->type = TB_ITM_PACKET_SYNC_PART;
      return zeros - TB_ITM_SYNC_ZEROS;
    }
  if (zeros < TB_ITM_SYNC_ZEROS || bytes[zeros] != 0x80)
    return bad (p);
  p->type = TB_ITM_PACKET_SYNC;
  return zeros + 1;
}

/* D4.2.4: headers 0xxx0000 and 11xx0000.  */
static size_t
read_local_time (const uint8_t *bytes, size_t length, struct tb_itm_packet *p)
{
  p->type = TB_ITM_PACKET_LOCAL_TIME;
  if ((bytes[0] & 0x80) == 0)
    {
      p->id = TB_ITM_SYNCHRONOUS;
      p->value = bytes[0] >> 4;
      return 1;
    }
  if ((bytes[0] & 0x40) == 0)
    return bad (p);
  p->id = bytes[0] >> 4 & 3;
  return whole (p, continued (bytes, length, 4, false, &p->value));
}

/* D4.2.5: 0x94, the low 26 bits or fewer; 0xb4, the others.  */
static size_t
read_global_time (const uint8_t *bytes, size_t length, struct tb_itm_packet *p)
{
  if (bytes[0] == 0x94)
    {
      p->type = TB_ITM_PACKET_GLOBAL_TIME_1;
      int count = continued (bytes, length, 4, false, &p->value);
      p->bits = (uint8_t) (count < 4 ? 7 * (count > 0 ? count : 0) : 26);
      p->clock_changed = count == 4 && (bytes[4] & 0x20);
      p->wrapped = count == 4 && (bytes[4] & 0x40);
      p->value &= (UINT64_C (1) << p->bits) - 1;
      return whole (p, count);
    }
  if (bytes[0] == 0xb4)
    {
      p->type = TB_ITM_PACKET_GLOBAL_TIME_2;
      return whole (p, continued (bytes, length, 6, false, &p->value));
    }
  return bad (p);
}

/* D4.2.6: header CDDD1S00.  S 0 and three bits of data are a page number; no
   other has a meaning.  */
static size_t
read_extension (const uint8_t *bytes, size_t length, struct tb_itm_packet *p)
{
  p->type = TB_ITM_PACKET_EXTENSION;
  if (bytes[0] & 0x80)
    return whole (p, continued (bytes, length, 4, true, &p->value));
  p->value = bytes[0] >> 4;
  if ((bytes[0] & 0x04) == 0)
    p->type = TB_ITM_PACKET_PAGE;
  return 1;
}

/* D4.2.8, D4.3: header IIIIIHSS, one, two or four bytes.  */
static size_t
read_source (const uint8_t *bytes, size_t length, struct tb_itm_packet *p)
{
  p->type = bytes[0] & 4 ? TB_ITM_PACKET_HARDWARE : TB_ITM_PACKET_SOFTWARE;
  p->id = bytes[0] >> 3;
  p->bytes = (bytes[0] & 3) == 3 ? 4 : bytes[0] & 3;
  if (length <= p->bytes)
    return 0;
  for (unsigned i = 0; i < p->bytes; i++)
    p->value |= (uint64_t) bytes[i + 1] << (8 * i);
  return (size_t) p->bytes + 1;
}

size_t
tb_itm_packet_read (const uint8_t *bytes, size_t length,
		    struct tb_itm_packet *packet)
{
  uint8_t header = bytes[0];
  *packet = (struct tb_itm_packet) { .header = header };
  if (header & 3)
    return read_source (bytes, length, packet);
  if (header == 0)
    return read_sync (bytes, length, packet);
  if (header == 0x70)
    {
      packet->type = TB_ITM_PACKET_OVERFLOW;
      return 1;
    }
  if ((header & 0x0f) == 0)
    return read_local_time (bytes, length, packet);
  if (header & 0x08)
    return read_extension (bytes, length, packet);
  return read_global_time (bytes, length, packet);
}

const char *const tb_itm_packet_names[TB_ITM_PACKET_TYPES] =
{
  [TB_ITM_PACKET_BAD] = "Reserved",
  [TB_ITM_PACKET_SYNC] = "Synchronization",
  [TB_ITM_PACKET_SYNC_PART] = "Zeros before synchronization",
  [TB_ITM_PACKET_OVERFLOW] = "Overflow",
  [TB_ITM_PACKET_LOCAL_TIME] = "Local timestamp",
  [TB_ITM_PACKET_GLOBAL_TIME_1] = "Global timestamp 1",
  [TB_ITM_PACKET_GLOBAL_TIME_2] = "Global timestamp 2",
  [TB_ITM_PACKET_PAGE] = "Stimulus port page",
  [TB_ITM_PACKET_EXTENSION] = "Extension",
  [TB_ITM_PACKET_SOFTWARE] = "Instrumentation",
  [TB_ITM_PACKET_HARDWARE] = "Hardware source"
};
