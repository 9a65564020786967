/* Tests of the ETMv3 decoder: small scenarios, each read in pieces of several
   sizes and through saved states.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <time.h>

#include "decode/accesses.h"
#include "v7-run.h"

/* At 0x100.  */
static const uint16_t t32_halves[] =
{
  0x2001,		/* 100	movs r0, #1  */
  0xbf00,		/* 102	nop  */
  0xd001,		/* 104	beq 10a  */
  0xbf00,		/* 106	nop  */
  0x4770,		/* 108	bx lr  */
  0xf000, 0xf801,	/* 10a	bl 110  */
  0xf3bf, 0x8f5f,	/* 10e	dmb  */
  0x4770,		/* 112	bx lr  */
  0xde00,		/* 114	udf  */
  0xbf08,		/* 116	it eq  */
  0x3001,		/* 118	addeq r0, #1  */
  0xbf00,		/* 11a	nop, the last before the end of the dump  */
};

/* At 0x1000.  */
static const uint32_t a32_words[] =
{
  0xe1a00000,		/* 1000	nop  */
  0x0afffffd,		/* 1004	beq 1000  */
  0xeb000001,		/* 1008	bl 1014  */
  0xfa000001,		/* 100c	blx 1018  */
  0xe12fff1e,		/* 1010	bx lr  */
  0xe12fff1e,		/* 1014	bx lr  */
  0x477046c0,		/* 1018	T32: nop, bx lr  */
};

/* At 0x200.  */
static const uint16_t data_halves[] =
{
  0x6808,		/* 200	ldr r0, [r1]  */
  0x3001,		/* 202	adds r0, #1  */
  0xb403,		/* 204	push {r0, r1}  */
  0xbf18,		/* 206	it ne  */
  0x6010,		/* 208	strne r0, [r2]  */
  0xe842, 0x0300,	/* 20a	strex r3, r0, [r2]  */
  0xbf00,		/* 20e	nop  */
  0xbf00,		/* 210	nop  */
};

/* At 0x3000.  */
static const uint32_t data_words[] =
{
  0xe5910000,		/* 3000	ldr r0, [r1]  */
  0xee100f10,		/* 3004	mrc p15, 0, r0, c0, c0, 0  */
  0xe1a00000,		/* 3008	nop  */
};

static uint8_t t32[sizeof t32_halves], a32[sizeof a32_words];
static uint8_t data_t32[sizeof data_halves], data_a32[sizeof data_words];

static void
make_code (void)
{
  for (size_t i = 0; i < sizeof t32; i++)
    t32[i] = (uint8_t) (t32_halves[i / 2] >> 8 * (i % 2));
  for (size_t i = 0; i < sizeof a32; i++)
    a32[i] = (uint8_t) (a32_words[i / 4] >> 8 * (i % 4));
  for (size_t i = 0; i < sizeof data_t32; i++)
    data_t32[i] = (uint8_t) (data_halves[i / 2] >> 8 * (i % 2));
  for (size_t i = 0; i < sizeof data_a32; i++)
    data_a32[i] = (uint8_t) (data_words[i / 4] >> 8 * (i % 4));
}

enum unit
{
  M3, M3_CYCLES, M3_DATA, DATA, ADDRESSES, VALUES, A7_CP, A7_NO_CP, A7,
  A7_T32, A7_ID, A7_ONLY, R4_GRAY, OLD, NUNITS
};

#define DATA_CODE { data_t32, sizeof data_t32, 0x200 }
#define DATA_A32 { data_a32, sizeof data_a32, 0x3000 }
#define A32_CODE { a32, sizeof a32, 0x1000 }
#define T32_CODE { t32, sizeof t32, 0x100 }

static const struct v7_unit units[NUNITS] =
{
  [M3] = { "ETM3.5", "Cortex-M3", 0x400, 0x4114f250, 0x18541800, T32_CODE },
  [M3_CYCLES] = { "ETMv3.5", "Cortex-M3", 0x1400, 0x4114f250, 0x18541800,
		  T32_CODE },
  [M3_DATA] = { "ETM3", "Cortex-M3", 0x40c, 0x4114f250, 0x18541800,
		T32_CODE },
  [DATA] = { "ETM3", "Cortex-M3", 0x40c, 0x4114f250, 0x18541800, DATA_CODE },
  [ADDRESSES] = { "ETM3", "Cortex-M3", 0x408, 0x4114f250, 0x18541800,
		  DATA_CODE },
  [VALUES] = { "ETM3", "Cortex-M3", 0x404, 0x4114f250, 0x18541800,
	       DATA_CODE },
  [A7_CP] = { "ETM3.5", "Cortex-A7", 0x40e, 0x410cf250, 0x344008f2,
	      DATA_A32 },
  [A7_NO_CP] = { "ETM3.5", "Cortex-A7", 0x40c, 0x410cf250, 0x344008f2,
		 DATA_A32 },
  [A7] = { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2, A32_CODE },
  [A7_T32] = { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2,
	       T32_CODE },
  [A7_ID] = { "ETM3.5", "Cortex-A7", 0x4400, 0x410cf250, 0x344008f2,
	      A32_CODE },
  [A7_ONLY] = { "ETM3.5", "Cortex-A7", 0x100404, 0x410cf250, 0x344008f2,
		A32_CODE },
  [R4_GRAY] = { "ETM3.5", "Cortex-R4", 0x400, 0x410cf250, 0x044008f2,
		A32_CODE },
  /* ETMIDR[18] is 0: 32-bit T32 instructions are two.  */
  [OLD] = { "ETM3.1", "ARM1176JZF-S", 0x400, 0x4100f210, 0, T32_CODE },
};

#define ASYNC "000000000080 "
#define AT_100 "082101010000 "		/* T32, secure, trace on.  */
#define AT_200 "082101020000 "
#define AT_3000 "082900300000 "
#define AT_1000 "082900100000 "		/* A32, non-secure, trace on.  */

#define START "Y init-decoder\nT begin-or-filter\n"
#define P_T32 "P T32 el=- sec=S bits=32 vmid=- cid=-\n"
#define P_A32 "P A32 el=- sec=N bits=32 vmid=- cid=-\n"
#define END "Z end-of-trace\n"

/* Three waits each, 64 bytes.  */
#define W16 "a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8"
#define W64 W16 W16 W16 W16
#define C4 "C 3\nC 3\nC 3\nC 3\n"
#define C16 C4 C4 C4 C4
#define C64 C16 C16 C16 C16

#define R_100 "R T32 0x100 0x102 1 E OTHER NONE - 2\n"
#define R_102 "R T32 0x102 0x104 1 E OTHER NONE - 2\n"
#define R_200 "R T32 0x200 0x202 1 E OTHER NONE - 2\n"
#define R_202 "R T32 0x202 0x204 1 E OTHER NONE - 2\n"
#define R_204 "R T32 0x204 0x206 1 E OTHER NONE - 2\n"
#define R_206 "R T32 0x206 0x208 1 E OTHER NONE - 2\n"
#define R_208_N "R T32 0x208 0x20a 1 N OTHER NONE - 2\n"
#define R_20A "R T32 0x20a 0x20e 1 E OTHER NONE - 4\n"
#define R_20E "R T32 0x20e 0x210 1 E OTHER NONE - 2\n"
#define R_210 "R T32 0x210 0x212 1 E OTHER NONE - 2\n"
#define R_3000 "R A32 0x3000 0x3004 1 E OTHER NONE - 4\n"
#define R_3004 "R A32 0x3004 0x3008 1 E OTHER NONE - 4\n"
#define R_3008 "R A32 0x3008 0x300c 1 E OTHER NONE - 4\n"
#define NOBODY " pc=- back=-"
#define OF_200 " pc=0x200 back=0"
#define OF_204 " pc=0x204 back=0"
#define R_112 "R T32 0x112 0x114 1 E IBR V7RET - 2\n"

static const struct
{
  const char *name;
  enum unit unit;
  const char *trace, *want;
} table[] =
{
  { "nothing", M3, "", END },
  { "no synchronisation", M3, "0102030000", "Y init-decoder\n" END },
  { "synchronisation after other bytes", M3, "41 00 00" ASYNC AT_100 "84",
    START P_T32 R_100 END },
  { "more zeros than needed", M3, "0000" ASYNC AT_100 "84",
    START P_T32 R_100 END },
  { "each atom an instruction", M3, ASYNC AT_100 "c8 88 9302 84",
    START P_T32 R_100 R_102
    "R T32 0x104 0x106 1 N BR NONE c 2\n"
    "R T32 0x106 0x108 1 E OTHER NONE - 2\n"
    "R T32 0x108 0x10a 1 E IBR V7RET - 2\n" R_112 END },
  { "a direct branch needs no packet", M3, ASYNC AT_100 "8c 84",
    START P_T32 R_100 R_102
    "R T32 0x104 0x106 1 E BR NONE c 2\n"
    "R T32 0x10a 0x10e 1 E BR LINK - 4\n" END },
  { "several branch packets: the last counts", M3,
    ASYNC AT_100 "88 05 13 84",
    START P_T32 R_100 R_102 R_112 END },
  { "a failed condition in an IT block; no barrier is a waypoint", M3,
    ASYNC AT_100 "8f02 84 9702 c4",
    START P_T32 "R T32 0x10e 0x112 1 E OTHER NONE - 4\n"
    "R T32 0x116 0x118 1 E OTHER NONE - 2\n"
    "R T32 0x118 0x11a 1 N OTHER NONE - 2\n" END },
  { "execution does not go on behind a UDF", M3, ASYNC AT_100 "15 88",
    START P_T32 "R T32 0x114 0x116 1 E OTHER NONE - 2\n"
    "Y bad-program-image\n" END },
  { "code ends", M3, ASYNC AT_100 "1b 8c 84 17 84",
    START P_T32 "R T32 0x11a 0x11c 1 E OTHER NONE - 2\n"
    "A nacc 0x11c\n"
    "R T32 0x116 0x118 1 E OTHER NONE - 2\n" END },
  { "a branch whose target is not told", M3, ASYNC AT_100 "13 8c 84 17 84",
    START P_T32 R_112 "A unknown\n"
    "R T32 0x116 0x118 1 E OTHER NONE - 2\n" END },

  /* Exceptions of the M profile: SVCall is 11, IRQ 8 is 24.  */
  { "exception", M3, ASYNC AT_100 "88 934216 84",
    START P_T32 R_100 R_102 "X 11 ret=0x104\n" R_112 END },
  { "exception with two bytes", M3, ASYNC AT_100 "88 93429001 84",
    START P_T32 R_100 R_102 "X 24 ret=0x104\n" R_112 END },
  { "branch, then exception", M3, ASYNC AT_100 "13 84 03 934216 84",
    START P_T32 R_112 "X 11 ret=0x102\n" R_112 END },
  { "exception return", M3, ASYNC AT_100 "13 84 76 01 88",
    START P_T32 R_112 "E\n" R_100 R_102 END },
  { "exception return to an exception", M3, ASYNC AT_100 "13 84 76 934216 84",
    START P_T32 R_112 "E\nX 11 ret=-\n" R_112 END },
  { "exception return cancelled: a tail chain", M3,
    ASYNC AT_100 "13 84 76 934236 84",
    START P_T32 R_112 "X 11 ret=-\n" R_112 END },

  /* Cancel.  */
  { "cancelled instruction", M3, ASYNC AT_100 "88 934232 84",
    START P_T32 R_100 "X 9 ret=0x102\n" R_112 END },
  { "cancelled branch", M3, ASYNC AT_100 "13 84 03 934232 84",
    START P_T32 "X 9 ret=0x102\n" R_112 END },
  { "cancelled N atom", M3, ASYNC AT_100 "c4 934232 84",
    START P_T32 R_100 "X 9 ret=0x102\n" R_112 END },
  { "a timestamp before the cancel", M3,
    ASYNC AT_100 "88 4205 0c 66 934232 84",
    START P_T32 R_100 "S 0x5\nV trigger\nX 9 ret=0x102\n" R_112 END },
  { "cancel without an instruction before", M3,
    ASYNC AT_100 "88 84 934216 934232",
    START P_T32 R_100 R_102 "R T32 0x104 0x106 1 E BR NONE c 2\n"
    "X 11 ret=0x10a\nX 9 ret=0x112\n" END },
  { "a long way to the cancel", M3_CYCLES,
    ASYNC "708001 21 01010000"
    "84 84 " W64 W64 "4205" W64 "934232",
    START P_T32 "C 128 with-previous\n" R_100 "C 1 with-previous\nC 1\n"
    C64 C64 "S 0x5\n" C64 "X 9 ret=0x102\n" END },
  { "a long way without a cancel", M3_CYCLES,
    ASYNC "7000 21 01010000 84 84" W64 W64 "84",
    START P_T32 "C 0 with-previous\n" R_100 "C 1 with-previous\n" R_102
    "C 1 with-previous\n" C64 C64
    "R T32 0x104 0x106 1 E BR NONE c 2\nC 1 with-previous\n" END },
  { "cycles before the first I-sync", M3_CYCLES,
    ASYNC "4207 a4 0410 a0 708001 21 01010000 84",
    "Y init-decoder\nS 0x7\nC 2\nC 16\nC 1\nT begin-or-filter\n" P_T32
    "C 128 with-previous\n" R_100 "C 1 with-previous\n" END },
  { "P-headers with cycles", M3_CYCLES, ASYNC AT_100 "82 92 a8 e8",
    START P_T32 R_100 "C 1 with-previous\n" R_102 "C 0 with-previous\n"
    "R T32 0x104 0x106 1 E BR NONE c 2\nC 0 with-previous\nC 3\n"
    "R T32 0x10a 0x10e 1 E BR LINK - 4\nC 3 with-previous\n" END },
  { "cycles where code ends", M3_CYCLES, ASYNC AT_100 "1b 8c a4",
    START P_T32 "R T32 0x11a 0x11c 1 E OTHER NONE - 2\nC 1 with-previous\n"
    "A nacc 0x11c\nC 1 with-previous\nC 1\nC 2\n" END },

  /* I-sync.  */
  { "overflow and debug", M3,
    ASYNC AT_100 "84 084101010000 84 086101010000 84",
    START P_T32 R_100 "T overflow\n" P_T32 R_100 "T debug-restart\n" P_T32
    R_100 END },
  { "periodic I-sync", M3, ASYNC AT_100 "84" ASYNC "080103010000 84",
    START P_T32 R_100 P_T32 R_102 END },
  { "periodic I-sync elsewhere: not the code that ran", M3,
    ASYNC AT_100 "84 080113010000 84",
    START P_T32 R_100 "Y bad-program-image\n" P_T32 R_112 END },
  { "first I-sync periodic", M3, ASYNC "080101010000 84",
    START P_T32 R_100 END },
  { "load or store in progress", M3, ASYNC "08a101010000 13 84",
    START P_T32 R_100 "T begin-or-filter\n" R_112 END },
  { "load or store in progress, next to it", M3, ASYNC "08a101010000 03 84",
    START P_T32 R_100 R_102 END },
  { "only data", A7_ONLY, ASYNC "0829 0655 4205 0829",
    "Y init-decoder\nT begin-or-filter\n"
    "P ? el=- sec=N bits=32 vmid=- cid=-\n"
    "D val=0x55" NOBODY " part=0 flags=-\nS 0x5\nT begin-or-filter\n"
    "P ? el=- sec=N bits=32 vmid=- cid=-\n" END },

  /* A32 and T32; the original address form.  */
  { "a direct branch to the other ISA", A7,
    ASYNC AT_1000 "c4 88 8710 8c 8910 84",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "R A32 0x1004 0x1008 1 N BR NONE c 4\n"
    "R A32 0x1008 0x100c 1 E BR LINK - 4\n"
    "R A32 0x1014 0x1018 1 E IBR V7RET - 4\n"
    "R A32 0x100c 0x1010 1 E BR LINK - 4\n"
    "R T32 0x1018 0x101a 1 E OTHER NONE - 2\n"
    "R T32 0x101a 0x101c 1 E IBR V7RET - 2\n"
    "R A32 0x1010 0x1014 1 E IBR V7RET - 4\n" END },
  { "an address of five bytes gives the ISA", A7,
    ASYNC AT_1000 "99a0808010 84",
    START P_A32 "R T32 0x1018 0x101a 1 E OTHER NONE - 2\n" END },
  { "exception to secure state, and a context", A7,
    ASYNC AT_1000 "84 8580808048 14 3c07 6e",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "P A32 el=- sec=S bits=32 vmid=- cid=-\nX 10 ret=0x1004\n"
    "P A32 el=- sec=S bits=32 vmid=0x7 cid=-\n" END },
  { "Hyp mode", A7, ASYNC AT_1000 "84 8580808048 8720 84",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "P A32 el=2 sec=N bits=32 vmid=- cid=-\nX 3 ret=0x1004\n"
    "A nacc 0x8\n" END },
  { "debug halt", A7, ASYNC AT_1000 "84 8580808048 03",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "X 1 ret=0x1004\n" END },
  { "context ID", A7_ID, ASYNC "08 11 29 00100000 84 6e12",
    START "P A32 el=- sec=N bits=32 vmid=- cid=0x11\n"
    "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "P A32 el=- sec=N bits=32 vmid=- cid=0x12\n" END },
  { "A profile: a return that is cancelled did not run", A7,
    ASYNC AT_1000 "88 84 76 8580808048 39 84",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "R A32 0x1004 0x1008 1 E BR NONE c 4\n"
    "X 12 ret=0x1000\nA nacc 0x8\n" END },
  { "A profile: a return that stands", A7,
    ASYNC AT_1000 "88 84 76 8110 84",
    START P_A32 "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n"
    "R A32 0x1004 0x1008 1 E BR NONE c 4\n"
    "R A32 0x1000 0x1004 1 E OTHER NONE - 4\nE\n"
    "R A32 0x1000 0x1004 1 E OTHER NONE - 4\n" END },
  { "32-bit T32 instructions of two halves", OLD,
    ASYNC "08210b010000 80 84 80 84",
    START P_T32 "R T32 0x10a 0x10e 1 E BR LINK - 4\n" END },

  /* Gray code: 5 is 7, 6 is 5, 0x105 is 0x187; what is not sent stays.  */
  { "Gray coded timestamps", R4_GRAY,
    ASYNC AT_1000 "4207 4205 428703 4205",
    START P_A32 "S 0x5\nS 0x6\nS 0x105\nS 0x106\n" END },
  { "compressed timestamps", A7,
    ASYNC AT_1000 "4285868708 4201 428101",
    START P_A32 "S 0x101c305\nS 0x101c301\nS 0x101c081\n" END },

  /* Data packets do not separate a cancel, and are tied to what made them.  */
  { "data of nobody, and of an instruction that is taken back", M3_DATA,
    ASYNC AT_100 "84 2e841055667788 7e 60 84 62 6a 934232 7a05 84",
    START P_T32 R_100 "D addr=0x804 bits=14" NOBODY " part=0 flags=-\n"
    "D val=0x88776655" NOBODY " part=0 flags=-\n"
    "D val=0x0" NOBODY " part=0 flags=l\n"
    "D val=- pc=- back=0 part=0 flags=es\n"
    "D val=-" NOBODY " part=0 flags=-\n" "X 9 ret=0x102\n"
    "D addr=0x805 bits=14" NOBODY " part=0 flags=-\n"
    "D val=-" NOBODY " part=0 flags=-\n" R_112 END },
  { "address and value of a load", DATA,
    ASYNC AT_200 "84 26 90808080 02 42 88 22 24",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=-\n"
    "D val=0x42" OF_200 " part=0 flags=-\n" R_202 R_204
    "D addr=0x20000024 bits=32" OF_204 " part=0 flags=-\n"
    "D val=0x0" OF_204 " part=0 flags=-\n" END },
  { "data of the newest instruction that has some", DATA,
    ASYNC AT_200 "88 26 90808080 02 42",
    START P_T32 R_200 R_202
    "D addr=0x20000010 bits=32 pc=0x200 back=1 part=0 flags=-\n"
    "D val=0x42 pc=0x200 back=1 part=0 flags=-\n" END },
  { "transfers in sequence; compression is by what was sent", DATA,
    ASYNC AT_200 "8c 26 90808080 02 42 06 43 06 44 22 04",
    START P_T32 R_200 R_202 R_204
    "D addr=0x20000010 bits=32" OF_204 " part=0 flags=-\n"
    "D val=0x42" OF_204 " part=0 flags=-\n"
    "D addr=0x20000014 bits=32" OF_204 " part=1 flags=-\n"
    "D val=0x43" OF_204 " part=1 flags=-\n"
    "D addr=0x20000018 bits=32" OF_204 " part=2 flags=-\n"
    "D val=0x44" OF_204 " part=2 flags=-\n"
    "D addr=0x20000004 bits=32" OF_204 " part=3 flags=-\n"
    "D val=0x0" OF_204 " part=3 flags=-\n" END },
  { "a transfer that is left out, and one that is not in sequence", DATA,
    ASYNC AT_200 "8c 26 90808080 02 42 6a 26 20 43 7a 50 06 44",
    START P_T32 R_200 R_202 R_204
    "D addr=0x20000010 bits=32" OF_204 " part=0 flags=-\n"
    "D val=0x42" OF_204 " part=0 flags=-\n"
    "D addr=0x20000014 bits=32" OF_204 " part=1 flags=-\n"
    "D val=-" OF_204 " part=1 flags=-\n"
    "D addr=0x20000020 bits=32" OF_204 " part=2 flags=-\n"
    "D val=0x43" OF_204 " part=2 flags=-\n"
    "D addr=0x20000050 bits=32" OF_204 " part=3 flags=-\n"
    "D val=-" OF_204 " part=3 flags=-\n"
    "D addr=0x20000054 bits=32" OF_204 " part=4 flags=-\n"
    "D val=0x44" OF_204 " part=4 flags=-\n" END },
  { "a value out of order", DATA,
    ASYNC AT_200 "84 74 90808080 02 88 22 24 40 24 42 20",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=-\n"
    R_202 R_204 "D addr=0x20000024 bits=32" OF_204 " part=0 flags=-\n"
    "D val=0x0" OF_204 " part=0 flags=-\n"
    "D val=0x0" NOBODY " part=0 flags=l\n"
    "D val=0x42 pc=0x200 back=2 part=0 flags=l\n"
    "D val=0x0" NOBODY " part=0 flags=l\n" END },
  { "a condition that fails has no data", DATA, ASYNC AT_200 "90 c0 06 42",
    START P_T32 R_200 R_202 R_204 R_206 R_208_N
    "D val=0x42 pc=0x204 back=2 part=0 flags=-\n" END },
  { "a store that failed", DATA,
    ASYNC AT_200 "90 8a 22 90808080 02 50 84 06 42",
    START P_T32 R_200 R_202 R_204 R_206 R_208_N R_20A
    "D addr=0x20000010 bits=32 pc=0x20a back=0 part=0 flags=-\n"
    "D val=0x0 pc=0x20a back=0 part=0 flags=f\n" R_20E
    "D addr=0x20000014 bits=32 pc=0x20a back=1 part=1 flags=-\n"
    "D val=0x42 pc=0x20a back=1 part=1 flags=-\n" END },
  { "big-endian data", DATA, ASYNC AT_200 "84 26 90808080 12 42 88 22 24",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=b\n"
    "D val=0x42" OF_200 " part=0 flags=-\n" R_202 R_204
    "D addr=0x20000024 bits=32" OF_204 " part=0 flags=b\n"
    "D val=0x0" OF_204 " part=0 flags=-\n" END },
  { "an address of which not all is known, and an overflow", DATA,
    ASYNC AT_200 "84 22 9001 084101020000 84 20 22 9002",
    START P_T32 R_200 "D addr=0x90 bits=14" OF_200 " part=0 flags=-\n"
    "D val=0x0" OF_200 " part=0 flags=-\nT overflow\n" P_T32 R_200
    "D val=0x0" NOBODY " part=0 flags=l\n"
    "D addr=0x110 bits=14" OF_200 " part=0 flags=-\n"
    "D val=0x0" OF_200 " part=0 flags=-\n" END },
  { "the newest instruction is taken back, behind others with data", DATA,
    ASYNC AT_200 "84 26 90808080 02 42 84 84 22 24 66 934232",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=-\n"
    "D val=0x42" OF_200 " part=0 flags=-\n" R_202
    "D addr=0x20000024 bits=32" NOBODY " part=0 flags=-\n"
    "D val=0x0" NOBODY " part=0 flags=-\n" "X 9 ret=0x204\n" END },
  { "a branch and data between", DATA,
    ASYNC AT_200 "84 22 90808080 02 03 84 06 43 84 02 c0",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=-\n"
    "D val=0x0" OF_200 " part=0 flags=-\n" R_202
    "D addr=0x20000014 bits=32 pc=0x200 back=1 part=1 flags=-\n"
    "D val=0x43 pc=0x200 back=1 part=1 flags=-\n" R_204
    "D val=0x0 pc=0x204 back=0 part=0 flags=-\n"
    "R T32 0x206 0x208 1 N OTHER NONE - 2\n" END },
  { "values alone", VALUES, ASYNC AT_200 "84 26 42 88 06 43 6a 06 44",
    START P_T32 R_200 "D val=0x42" OF_200 " part=0 flags=-\n" R_202 R_204
    "D val=0x43" OF_204 " part=0 flags=-\n"
    "D val=-" OF_204 " part=1 flags=-\n"
    "D val=0x44" OF_204 " part=2 flags=-\n" END },
  { "addresses alone", ADDRESSES,
    ASYNC AT_200 "84 2e 90808080 02 88 22 24 0e",
    START P_T32 R_200 "D addr=0x20000010 bits=32" OF_200 " part=0 flags=-\n"
    R_202 R_204 "D addr=0x20000024 bits=32" OF_204 " part=0 flags=-\n"
    "D addr=0x20000028 bits=32" OF_204 " part=1 flags=-\n" END },
  { "suppressed data", DATA, ASYNC AT_200 "8c 26 90808080 02 42 62 06 43",
    START P_T32 R_200 R_202 R_204
    "D addr=0x20000010 bits=32" OF_204 " part=0 flags=-\n"
    "D val=0x42" OF_204 " part=0 flags=-\n"
    "D val=-" OF_204 " part=1 flags=s\n"
    "D val=0x43" NOBODY " part=0 flags=-\n" END },
  { "stacking and unstacking", DATA,
    ASYNC AT_200 "84 8f4416 7e 26 90808080 02 42 06 43 84 06 44 76 22 10",
    START P_T32 R_200 "X 11 ret=0x202\n"
    "D addr=0x20000010 bits=32 pc=- back=0 part=0 flags=e\n"
    "D val=0x42 pc=- back=0 part=0 flags=e\n"
    "D addr=0x20000014 bits=32 pc=- back=0 part=1 flags=e\n"
    "D val=0x43 pc=- back=0 part=1 flags=e\n" R_20E
    "D addr=0x20000018 bits=32 pc=- back=1 part=2 flags=e\n"
    "D val=0x44 pc=- back=1 part=2 flags=e\n" "E\n"
    "D addr=0x20000010 bits=32 pc=- back=0 part=0 flags=r\n"
    "D val=0x0 pc=- back=0 part=0 flags=r\n" END },
  { "moves from a coprocessor have no address", A7_CP,
    ASYNC AT_3000 "88 0655 84",
    START P_A32 R_3000 R_3004 "D val=0x55 pc=0x3004 back=0 part=0 flags=-\n"
    R_3008 END },
  { "moves from a coprocessor that are not traced", A7_NO_CP,
    ASYNC AT_3000 "88 2690808080 02 55 84",
    START P_A32 R_3000 R_3004
    "D addr=0x20000010 bits=32 pc=0x3000 back=1 part=0 flags=-\n"
    "D val=0x55 pc=0x3000 back=1 part=0 flags=-\n" R_3008 END },
  { "data of a load that was in progress", DATA,
    ASYNC "08a101020000 07 06 42 84",
    START P_T32 R_200 "T begin-or-filter\n"
    "D val=0x42" OF_200 " part=0 flags=-\n" R_206 END },

  /* What is no packet.  */
  { "bad packet", M3, ASYNC AT_100 "84 12 84 84" ASYNC AT_100 "84",
    START P_T32 R_100 "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "T begin-or-filter\n" P_T32 R_100 END },
  { "data without data trace", M3, ASYNC AT_100 "84 0255 84",
    START P_T32 R_100 "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" END },
  { "bad packet before I-sync", M3, ASYNC "12" ASYNC AT_100 "84",
    START P_T32 R_100 END },
  { "the end within a packet", M3, ASYNC AT_100 "84 0821",
    START P_T32 R_100 END },
};

/* What the text does not show.  */
static void
check_elements (void)
{
  struct tb_element e[16];

  /* Where execution goes on at the end, and where a return led.  */
  if (CHECK_INT (v7_elements (&units[M3],
			      ASYNC AT_100 "13 84 76 03 84", e, 16), 7))
    {
      CHECK_INT (e[3].flags, TB_RANGE_EXECUTED);
      CHECK_INT (e[3].space, TB_SPACE_ANY);
      CHECK_INT (e[4].kind, TB_ELEMENT_EXCEPTION_RETURN);
      CHECK_INT (e[4].u.ret.resume, 0x102);
      CHECK_INT (e[6].flags, TB_END_ADDRESS);
      CHECK_INT (e[6].u.address, 0x104);
    }
  /* No address is known after an indirect branch.  */
  if (CHECK_INT (v7_elements (&units[M3], ASYNC AT_100 "13 84", e, 16), 5))
    CHECK_INT (e[4].flags, 0);
  /* A tail chain, and an exception from an unknown place.  */
  if (CHECK_INT (v7_elements (&units[M3],
			      ASYNC AT_100 "13 84 76 934236", e, 16), 6))
    CHECK_INT (e[4].flags, TB_EXCEPTION_TAIL_CHAIN);
  if (CHECK_INT (v7_elements (&units[M3], ASYNC AT_100 "13 84 934216", e, 16),
		 6))
    CHECK_INT (e[4].flags, TB_EXCEPTION_NO_RETURN);
  /* At a debug halt the core stopped at the return address, not where the
     packet says.  */
  if (CHECK_INT (v7_elements (&units[A7],
			      ASYNC AT_1000 "84 8580808048 03", e, 16), 6))
    {
      CHECK_INT (e[4].flags, TB_EXCEPTION_HALT);
      CHECK_INT (e[4].u.exception.return_address, 0x1004);
      CHECK_INT (e[5].flags, 0);
    }
  /* A condition that failed: from the instruction, or from an IT before it.  */
  if (CHECK_INT (v7_elements (&units[M3], ASYNC AT_100 "05 c0 19 c0", e, 16),
		 6))
    {
      CHECK_INT (e[3].flags, TB_RANGE_CONDITIONAL);
      CHECK_INT (e[4].flags, TB_RANGE_CONDITIONAL | TB_RANGE_UNMARKED);
    }
}

/* Each of many I-sync packets with a load in progress says what ran before it: what one of
   them needs to look at must not grow with what is behind it.  */
static void
check_many_in_progress (void)
{
  enum { MANY = 200000, SIZE = 7 };
  static uint8_t bytes[16 + MANY * SIZE];
  struct tb_element elements[256];
  struct run run;
  size_t size = v7_bytes (bytes, sizeof bytes, ASYNC), ranges = 0, n;

  for (unsigned i = 0; i < MANY; i++)
    size += v7_bytes (bytes + size, sizeof bytes - size, "088101010000 03");
  clock_t begin = clock ();
  if (!v7_run_init (&run, &units[M3], bytes, size))
    return;
  struct tb_decoder *d = tb_decoder_open (&run.config, NULL);
  if (CHECK (d != NULL))
    {
      while ((n = d->read (d, elements, 256)) > 0)
	for (size_t i = 0; i < n; i++)
	  ranges += elements[i].kind == TB_ELEMENT_RANGE;
      d->close (d);
    }
  run_fini (&run);
  CHECK_INT (ranges, MANY);
  /* It takes minutes where each looks at all of the rest.  */
  CHECK (clock () - begin < 10 * CLOCKS_PER_SEC);
}

/* The trace of row I with packets behind it that say nothing: what is seen from afar is read
   together with others.  */
static void
check_together (size_t i)
{
  char longer[1024];
  size_t length = strlen (table[i].trace);

  if (!CHECK (length < sizeof longer / 2))
    return;
  memcpy (longer, table[i].trace, length);
  memset (longer + length, '6', sizeof longer / 2);
  longer[length + sizeof longer / 2] = '\0';
  v7_scenario (table[i].name, &units[table[i].unit], longer, table[i].want);
}

/* Which instructions load and store, or move registers to or from a coprocessor.  */
static void
check_accesses (void)
{
  enum { LOAD = TB_ACCESSES_LOAD, STORE = TB_ACCESSES_STORE, MOVE = TB_ACCESSES_MOVE,
	 UNKNOWN = TB_ACCESSES_UNKNOWN };
  static const struct
  {
    enum tb_isa isa;
    uint32_t opcode;
    uint8_t size, does;
  } rows[] = {
    { TB_ISA_A32, 0xe5910000, 4, LOAD },		/* ldr r0, [r1]  */
    { TB_ISA_A32, 0xe5810000, 4, STORE },		/* str r0, [r1]  */
    { TB_ISA_A32, 0xe1010092, 4, LOAD | STORE },	/* swp r0, r2, [r1]  */
    { TB_ISA_A32, 0xe0810002, 4, 0 },			/* add r0, r1, r2  */
    { TB_ISA_A32, 0xf5d1f000, 4, 0 },			/* pld [r1]  */
    { TB_ISA_A32, 0xee110f10, 4, MOVE },		/* mrc p15, 0, r0, c1, c0, 0  */
    { TB_ISA_A32, 0x0e010f10, 4, MOVE },		/* mcreq  */
    { TB_ISA_A32, 0xec510f0e, 4, MOVE },		/* mrrc p15, 0, r0, r1, c14  */
    { TB_ISA_T32, 0xee110f10, 4, MOVE },		/* mrc  */
    { TB_ISA_T32, 0xfe110f10, 4, MOVE },		/* mrc2  */
    { TB_ISA_T32, 0xec510f0e, 4, MOVE },		/* mrrc  */
    { TB_ISA_T32, 0xee100a10, 4, MOVE },		/* vmov r0, s0  */
    { TB_ISA_T32, 0xf8d10000, 4, LOAD },		/* ldr.w r0, [r1]  */
    { TB_ISA_T32, 0x6008, 2, STORE },			/* str r0, [r1]  */
    { TB_ISA_T32, 0x2001, 2, 0 },			/* movs r0, #1  */
    { TB_ISA_T32EE, 0x6008, 2, UNKNOWN }
  };
  struct tb_profile profile;
  CHECK (tb_profile_find (&profile, "Cortex-A15"));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (!CHECK_INT (tb_accesses_of (&profile, rows[i].isa, rows[i].opcode, rows[i].size, 0x100),
		    rows[i].does))
      fprintf (stderr, "opcode %#x\n", rows[i].opcode);
}

int
main (void)
{
  make_code ();
  check_accesses ();
  check_elements ();
  check_many_in_progress ();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      v7_scenario (table[i].name, &units[table[i].unit], table[i].trace,
		   table[i].want);
      if (table[i].unit >= M3_DATA && table[i].unit <= A7_NO_CP)
	check_together (i);
    }
  return check_done ();
}
