/* What the packets of the DWT say.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, D4.3 "DWT use of hardware source packets"; DDI 0553, F1.2,
   for PC samples that are prohibited, PMU overflow, data trace match and PC values of one or
   two bytes, whose other bits are those of DWT_COMP.  */

#include "config.h"
#include "decode/itm/packet.h"

/* Discriminators.  */
enum
{
  EVENT_COUNTER = 0, EXCEPTION_TRACE = 1, PC_SAMPLE = 2, PMU_OVERFLOW = 3,
  /* 01ccx: comparator cc, x 0 the PC or that it matched, 1 the address.
     10ccx: comparator cc, x 0 a value read, 1 written.  */
  DATA_ADDRESS_FIRST = 8, DATA_VALUE_FIRST = 16, DATA_VALUE_LAST = 23
};

static enum tb_dwt
pc_sample (uint32_t value, unsigned bytes)
{
  if (bytes == 4)
    return TB_DWT_PC_SAMPLE;
  if (bytes == 1 && value == 0)
    return TB_DWT_SLEEP;
  if (bytes == 1 && value == 0xff)
    return TB_DWT_PROHIBITED;
  return TB_DWT_RESERVED;
}

static enum tb_dwt
data_trace (unsigned id, uint32_t value, unsigned bytes)
{
  if (id >= DATA_VALUE_FIRST)
    return id & 1 ? TB_DWT_DATA_WRITE : TB_DWT_DATA_READ;
  if (id & 1)
    return TB_DWT_DATA_ADDRESS;
  if (bytes == 4)
    return TB_DWT_DATA_PC;
  if (bytes == 1 && value == 1)
    return TB_DWT_DATA_MATCH;
  /* Bit 0 of a PC is zero, which tells its low byte from a match.  */
  return value & 1 ? TB_DWT_RESERVED : TB_DWT_DATA_PC;
}

void
tb_dwt_explain (struct tb_element *element)
{
  uint32_t value = element->u.itm.value;
  unsigned bytes = element->u.itm.bytes, id = element->u.itm.channel;
  enum tb_dwt dwt = TB_DWT_RESERVED;
  switch (id)
    {
    case EVENT_COUNTER:
      if (bytes == 1 && (value & TB_DWT_EVENTS_KNOWN) != 0)
	dwt = TB_DWT_EVENTS;
      break;
    case EXCEPTION_TRACE:
      if (bytes == 2 && (value >> 12 & 3) != 0)
	{
	  dwt = TB_DWT_EXCEPTION;
	  element->u.itm.exception = value & TB_DWT_EXCEPTION_NUMBER;
	  element->u.itm.action = value >> 12 & 3;
	}
      break;
    case PC_SAMPLE:
      dwt = pc_sample (value, bytes);
      break;
    case PMU_OVERFLOW:
      if (bytes == 1 && value != 0)
	dwt = TB_DWT_PMU_OVERFLOW;
      break;
    default:
      if (id >= DATA_ADDRESS_FIRST && id <= DATA_VALUE_LAST)
	{
	  dwt = data_trace (id, value, bytes);
	  element->u.itm.comparator = id >> 1 & 3;
	}
      break;
    }
  element->u.itm.dwt = dwt;
}
