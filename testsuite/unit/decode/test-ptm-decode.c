/* Tests of the PTM decoder: small scenarios, each read in pieces of several
   sizes and through saved states.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "v7-run.h"

/* At 0x1000.  */
static const uint32_t words[] =
{
  0xe1a00000,		/* 1000	nop  */
  0x0afffffd,		/* 1004	beq 1000  */
  0xeb000003,		/* 1008	bl 101c  */
  0xf57ff05f,		/* 100c	dmb  */
  0xe12fff1e,		/* 1010	bx lr  */
  0xfa000001,		/* 1014	blx 1020  */
  0xe1a00000,		/* 1018	nop  */
  0xe12fff1e,		/* 101c	bx lr  */
  0x477046c0,		/* 1020	T32: nop, bx lr  */
  0x4770bf08,		/* 1024	T32: it eq, bxeq lr  */
  0xe12fff33,		/* 1028	blx r3  */
  0xe1a00000,		/* 102c	nop  */
  0x07f000f0,		/* 1030	no instruction  */
  0xe1a00000,		/* 1034	nop  */
  0xe12fff1e,		/* 1038	bx lr  */
  0xe1a00000,		/* 103c	nop, the last before the end of the dump  */
};

static uint8_t code[sizeof words];

enum unit { A15, A15_BARRIERS, A15_STACK, A15_CYCLES, A15_ID, A9, NUNITS };

#define CODE { code, sizeof code, 0x1000 }

static const struct v7_unit units[NUNITS] =
{
  [A15] = { "PTM1.1", "Cortex-A15", 0x400, 0x411cf312, 0x34c01ac2, CODE },
  [A15_BARRIERS] = { "PFT1.1", "Cortex-A15", 0x400, 0x411cf312, 0x35c01ac2,
		     CODE },
  [A15_STACK] = { "PFT1.1", "Cortex-A15", 0x20000400, 0x411cf312, 0x34c01ac2,
		  CODE },
  [A15_CYCLES] = { "ptm", "Cortex-A15", 0x1400, 0x411cf312, 0x34c01ac2,
		   CODE },
  [A15_ID] = { "PTM1.1", "Cortex-A15", 0x4400, 0x411cf312, 0x34c01ac2, CODE },
  [A9] = { "PTM1.0", "Cortex-A9", 0x400, 0x411cf302, 0x00c019a2, CODE },
};

#define ASYNC "000000000080 "
#define AT_1000 "080010000029 "		/* A32, non-secure, trace on.  */
#define PERIODIC "080010000009 "

#define START "Y init-decoder\nT begin-or-filter\n"
#define P_A32 "P A32 el=- sec=N bits=32 vmid=- cid=-\n"
#define P_T32 "P T32 el=- sec=N bits=32 vmid=- cid=-\n"
#define END "Z end-of-trace\n"

#define R_1000_N "R A32 0x1000 0x1008 2 N BR NONE c 4\n"
#define R_1000_E "R A32 0x1000 0x1008 2 E BR NONE c 4\n"
#define R_1008 "R A32 0x1008 0x100c 1 E BR LINK - 4\n"
#define R_100C "R A32 0x100c 0x1014 2 E IBR V7RET - 4\n"
#define R_101C "R A32 0x101c 0x1020 1 E IBR V7RET - 4\n"

static const struct
{
  const char *name;
  enum unit unit;
  const char *trace, *want;
} table[] =
{
  { "nothing", A15, "", END },
  { "no synchronisation", A15, "0102030000", "Y init-decoder\n" END },
  { "synchronisation after other bytes", A15, "41 00 00" ASYNC AT_1000 "82",
    START P_A32 R_1000_N END },
  { "nothing counts before I-sync", A15, ASYNC "80 41 4205 3c01" AT_1000 "82",
    START P_A32 R_1000_N END },
  { "an atom up to each waypoint", A15, ASYNC AT_1000 "92",
    START P_A32 R_1000_E R_1000_E R_1000_N END },
  { "a branch packet implies an atom", A15, ASYNC AT_1000 "8c 8710 8110 82",
    START P_A32 R_1000_N R_1008 R_101C R_100C R_1000_N END },
  { "barriers as waypoints", A15_BARRIERS, ASYNC AT_1000 "8c 8710 88",
    START P_A32 R_1000_N R_1008 R_101C
    "R A32 0x100c 0x1010 1 E DSB NONE - 4\n"
    "R A32 0x1010 0x1014 1 E IBR V7RET - 4\nA unknown\n" END },
  { "a direct branch to the other ISA; packets keep theirs", A15,
    ASYNC "081410000029 80 8910 8110",
    START P_A32 "R A32 0x1014 0x1018 1 E BR LINK - 4\n"
    "R T32 0x1020 0x1024 2 E IBR V7RET - 2\n"
    "R A32 0x1010 0x1014 1 E IBR V7RET - 4\n" END },
  { "an address of five bytes gives the ISA", A15,
    ASYNC "081c10000029 a1a0808010 8110",
    START P_A32 R_101C "R T32 0x1020 0x1024 2 E IBR V7RET - 2\n" END },
  { "a condition from an IT block is not marked", A15,
    ASYNC "082510000029 82",
    START P_T32 "R T32 0x1024 0x1028 2 N IBR V7RET - 2\n" END },
  { "what is no instruction is passed over", A15,
    ASYNC "082c10000029 8110",
    START P_A32 "R A32 0x102c 0x103c 4 E IBR V7RET - 4\n" END },
  { "code ends", A15, ASYNC "083c10000029 88 8110 82",
    START P_A32 "R A32 0x103c 0x1040 1 E OTHER NONE - 4\nA nacc 0x1040\n"
    R_1000_N END },
  { "no code at all", A15, ASYNC "080020000029 88 8110 82",
    START P_A32 "A nacc 0x2000\n" R_1000_N END },

  /* The return stack.  */
  { "return by an atom", A15_STACK, ASYNC AT_1000 "82 88 8110",
    START P_A32 R_1000_N R_1008 R_101C R_100C END },
  { "an empty return stack", A15_STACK, ASYNC "081c10000029 88 8110 82",
    START P_A32 R_101C "A unknown\n" R_1000_N END },
  { "a call by register that returns by an atom", A15_STACK,
    ASYNC "082810000029 8f10 80 8110",
    START P_A32 "R A32 0x1028 0x102c 1 E IBR LINK - 4\n" R_101C
    "R A32 0x102c 0x103c 4 E IBR V7RET - 4\n" END },
  { "a return elsewhere leaves the stack", A15_STACK,
    ASYNC AT_1000 "8c 8f10 80 8110",
    START P_A32 R_1000_N R_1008 R_101C R_101C R_100C END },
  { "I-sync empties the stack", A15_STACK,
    ASYNC AT_1000 "8c 081c10000009 80",
    START P_A32 R_1000_N R_1008 R_101C "A unknown\n" END },

  /* Exceptions.  IRQ is 14.  */
  { "exception after a waypoint", A15, ASYNC AT_1000 "82 81501d 82",
    START P_A32 R_1000_N "X 14 ret=0x1008\n" R_1000_N END },
  { "waypoint update: up to and with its address", A15,
    ASYNC AT_1000 "728110 81501d 82",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "X 14 ret=0x1004\n" R_1000_N END },
  { "waypoint update into missing code", A15,
    ASYNC "083c10000029 72a110 81501d 82",
    START P_A32 "R A32 0x103c 0x1040 1 E OTHER NONE - 4\nA nacc 0x1040\n"
    "X 14 ret=-\n" R_1000_N END },
  { "waypoint update backwards: not the code that ran", A15,
    ASYNC AT_1000 "82 728110 81501d 82",
    START P_A32 R_1000_N "Y bad-program-image\nX 14 ret=-\n" R_1000_N END },
  { "exception to Hyp mode and secure state", A15,
    ASYNC AT_1000 "82 81508720 82 815014",
    START P_A32 R_1000_N "X 3 ret=0x1008\n"
    "P A32 el=2 sec=N bits=32 vmid=- cid=-\n" R_1000_N "X 10 ret=0x1008\n"
    "P A32 el=2 sec=S bits=32 vmid=- cid=-\n" END },
  { "exception 0: a branch that changes the state", A15,
    ASYNC "081c10000029 815000 82",
    START P_A32 R_101C "P A32 el=- sec=S bits=32 vmid=- cid=-\n" R_1000_N
    END },
  { "debug halt and exception return", A15, ASYNC AT_1000 "82 76 815003",
    START P_A32 R_1000_N "E\nX 1 ret=0x1008\n" END },

  /* I-sync and contexts.  */
  { "overflow and debug", A15,
    ASYNC AT_1000 "82 080010000049 82 080010000069 82",
    START P_A32 R_1000_N "T overflow\n" R_1000_N "T debug-restart\n" R_1000_N
    END },
  { "periodic I-sync says nothing new", A15,
    ASYNC AT_1000 "80" ASYNC PERIODIC "82",
    START P_A32 R_1000_E R_1000_N END },
  { "periodic I-sync elsewhere: not the code that ran", A15,
    ASYNC AT_1000 "82" PERIODIC "82",
    START P_A32 R_1000_N "Y bad-program-image\n" R_1000_N END },
  { "I-sync in another state", A15, ASYNC AT_1000 "82 080010000021 82",
    START P_A32 R_1000_N "T begin-or-filter\n"
    "P A32 el=- sec=S bits=32 vmid=- cid=-\n" R_1000_N END },
  { "context IDs", A15_ID, ASYNC "08001000002911 82 6e11 6e12 3c05 3c05",
    START "P A32 el=- sec=N bits=32 vmid=- cid=0x11\n" R_1000_N
    "P A32 el=- sec=N bits=32 vmid=- cid=0x12\n"
    "P A32 el=- sec=N bits=32 vmid=0x5 cid=0x12\n" END },
  { "trigger and ignore", A15, ASYNC AT_1000 "0c 66 82",
    START P_A32 "V trigger\n" R_1000_N END },

  /* Time.  */
  { "cycle-accurate", A15_CYCLES,
    ASYNC "08001000002908 8a c001 42050c 871010 81500304",
    START "C 2 with-previous\n" P_A32 R_1000_N "C 2 with-previous\n"
    R_1008 "C 16 with-previous\nS 0x5\nC 3 with-previous\n"
    R_101C "C 4 with-previous\nX 1 ret=0x100c\nC 1 with-previous\n" END },
  /* 5 is 7, 6 is 5, 0x105 is 0x187; what is not sent stays.  */
  { "Gray coded timestamps", A9, ASYNC AT_1000 "4207 4205 428703 4205",
    START P_A32 "S 0x5\nS 0x6\nS 0x105\nS 0x106\n" END },
  { "binary timestamps", A15, ASYNC AT_1000 "4285868708 4201 468101",
    START P_A32 "S 0x101c305\nS 0x101c301\nS 0x101c081\n" END },
  { "timestamps before I-sync count for those after", A15,
    ASYNC "42858608" AT_1000 "4201",
    START P_A32 "S 0x20301\n" END },

  /* What is no packet.  */
  { "bad packet", A15, ASYNC AT_1000 "82 02 82" ASYNC AT_1000 "82",
    START P_A32 R_1000_N "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "T begin-or-filter\n" P_A32 R_1000_N END },
  { "bad packet in secure state", A15,
    ASYNC "080010000021 82 02" ASYNC "080010000021 82",
    START "P A32 el=- sec=S bits=32 vmid=- cid=-\n" R_1000_N
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\nT begin-or-filter\n"
    "P A32 el=- sec=S bits=32 vmid=- cid=-\n" R_1000_N END },
  { "bad packet before I-sync", A15, ASYNC "02" ASYNC AT_1000 "82",
    START P_A32 R_1000_N END },
  { "the end within a packet", A15, ASYNC AT_1000 "82 0821",
    START P_A32 R_1000_N END },
};

/* What the text does not show.  */
static void
check_elements (void)
{
  struct tb_element e[16];

  /* Where execution goes on at the end.  */
  if (CHECK_INT (v7_elements (&units[A15], ASYNC AT_1000 "82", e, 16), 5))
    {
      CHECK_INT (e[3].flags, TB_RANGE_CONDITIONAL);
      CHECK_INT (e[3].space, TB_SPACE_ANY);
      CHECK_INT (e[4].flags, TB_END_ADDRESS);
      CHECK_INT (e[4].u.address, 0x1008);
    }
  if (CHECK_INT (v7_elements (&units[A15],
			      ASYNC AT_1000 "82 815003", e, 16), 6))
    {
      CHECK_INT (e[4].flags, TB_EXCEPTION_HALT);
      CHECK_INT (e[4].u.exception.return_address, 0x1008);
      CHECK_INT (e[5].flags, 0);
    }
}

int
main (void)
{
  for (size_t i = 0; i < sizeof code; i++)
    code[i] = (uint8_t) (words[i / 4] >> 8 * (i % 4));
  check_elements ();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    v7_scenario (table[i].name, &units[table[i].unit], table[i].trace,
		 table[i].want);
  return check_done ();
}
