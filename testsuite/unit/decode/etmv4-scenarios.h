/* Scenarios of the ETMv4 and ETE decoder: programs, trace units, what they send and the
   elements that must come of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_TEST_ETMV4_SCENARIOS_H
#define TB_TEST_ETMV4_SCENARIOS_H

#include "etmv4-run.h"

/* The program of the A64 scenarios, at 0x1000.  */
static const uint32_t a64_words[] =
{
  0xd503201f,		/* 1000	nop  */
  0x54000060,		/* 1004	b.eq 1010  */
  0xd503201f,		/* 1008	nop  */
  0x17fffffd,		/* 100c	b 1000  */
  0x94000004,		/* 1010	bl 1020  */
  0xd503201f,		/* 1014	nop  */
  0xd63f0020,		/* 1018	blr x1  */
  0x14000006,		/* 101c	b 1034  */
  0xd503201f,		/* 1020	nop  */
  0xd65f03c0,		/* 1024	ret  */
  0xd5033fdf,		/* 1028	isb  */
  0xd69f03e0,		/* 102c	eret  */
  0x00000000,		/* 1030	udf  */
  0xd503201f,		/* 1034	nop  */
  0xd503201f,		/* 1038	nop, the last before the end of the dump  */
};

/* T32, at 0x100: the M profile.  */
static const uint16_t t32_halves[] =
{
  0xbf00,		/* 100	nop  */
  0x4780,		/* 102	blx r0  */
  0xbf00,		/* 104	nop  */
  0xe7fb,		/* 106	b 100  */
  0xbf00,		/* 108	nop: a handler  */
  0x4770,		/* 10a	bx lr  */
};

/* A32 and T32, at 0x8000.  */
static const uint32_t a32_words[] =
{
  0xfa000000,		/* 8000	blx 8008  */
  0xe1a00000,		/* 8004	nop  */
  0xe7febf00,		/* 8008	nop; b 800a, in T32  */
};

/* T32, at 0x300: loads and stores.  */
static const uint16_t access_halves[] =
{
  0x6808,		/* 300	ldr r0,[r1]  */
  0x3001,		/* 302	adds r0,#1  */
  0xb403,		/* 304	push {r0,r1}  */
  0xf891, 0xf000,	/* 306	pld [r1]  */
  0xbf18,		/* 30a	it ne  */
  0x6008,		/* 30c	strne r0,[r1]  */
  0xbd00,		/* 30e	pop {pc}  */
};

static uint8_t a64[sizeof a64_words], t32[sizeof t32_halves];
static uint8_t accesses[sizeof access_halves];
static uint8_t a32[sizeof a32_words];

static void
make_code (void)
{
  for (size_t i = 0; i < sizeof a64; i++)
    a64[i] = (uint8_t) (a64_words[i / 4] >> 8 * (i % 4));
  for (size_t i = 0; i < sizeof a32; i++)
    a32[i] = (uint8_t) (a32_words[i / 4] >> 8 * (i % 4));
  for (size_t i = 0; i < sizeof accesses; i++)
    accesses[i] = (uint8_t) (access_halves[i / 2] >> 8 * (i % 2));
  for (size_t i = 0; i < sizeof t32; i++)
    t32[i] = (uint8_t) (t32_halves[i / 2] >> 8 * (i % 2));
}

enum unit
{
  A57, A57_STACK, A57_SPECULATES, A57_CYCLES, A57_COMMITS, A57_IDS, A57_Q, A57_A32, M33,
  M33_STACK, M7, M7_LOADS, M7_STORES, M7_BOTH, M7_ONE_KEY, M7_FLAGS, ETE,
  ETE_STACK,
  NUNITS
};

#define A64_CODE { a64, sizeof a64, 0x1000 }
#define A32_CODE { a32, sizeof a32, 0x8000 }
#define ACCESSES { accesses, sizeof accesses, 0x300 }
#define T32_CODE { t32, sizeof t32, 0x100 }

static const struct run_unit units[NUNITS] =
{
  [A57] = { "ETM4.2", "Cortex-A57", 1, 0x28000ea1, 0x4100f421, 0x488, 0, 0,
	    A64_CODE },
  [A57_STACK] = { "ETM4", "Cortex-A57", 0x1001, 0x28000ea1, 0x4100f401, 0x488,
		  0, 0, A64_CODE },
  [A57_SPECULATES] = { "ETM4", "Cortex-A57", 1, 0x28000ea1, 0x4100f401, 0x488,
		       8, 0, A64_CODE },
  [A57_CYCLES] = { "ETM4", "Cortex-A57", 0x811, 0x28000ea1, 0x4100f401, 0x488,
		   0, 0, A64_CODE },
  [A57_COMMITS] = { "ETM4", "Cortex-A57", 0x811, 0x08000ea1, 0x4100f401, 0x488,
		    8, 0, A64_CODE },
  [A57_IDS] = { "ETM4", "Cortex-A57", 0xc1, 0x28000ea1, 0x4100f401, 0x488, 0,
		0, A64_CODE },
  [A57_Q] = { "ETM4", "Cortex-A57", 1, 0x28018ea1, 0x4100f431, 0x488, 0, 0,
	      A64_CODE },
  [M33] = { "ETM4.2", "Cortex-M33", 1, 0x28000ea1, 0x4100f423, 4, 0, 0,
	    T32_CODE },
  [A57_A32] = { "ETM4", "Cortex-A57", 1, 0x28000ea1, 0x4100f401, 0x488, 0, 0,
		A32_CODE },
  [M33_STACK] = { "ETM4.2", "Cortex-M33", 0x1001, 0x28000ea1, 0x4100f423, 4,
		  0, 0, T32_CODE },
  [M7] = { "ETMv4", "Cortex-M7", 1, 0x28000ea1, 0x4100f423, 4, 0, 0,
	   T32_CODE },
  [M7_LOADS] = { "ETMv4", "Cortex-M7", 3, 0x28000ea7, 0x4100f423, 4, 0, 0,
		 ACCESSES },
  [M7_STORES] = { "ETMv4", "Cortex-M7", 5, 0x28000ea7, 0x4100f423, 4, 0, 0,
		  ACCESSES },
  [M7_BOTH] = { "ETMv4", "Cortex-M7", 7, 0x28000ea7, 0x4100f423, 4, 0, 0,
		ACCESSES },
  [M7_ONE_KEY] = { "ETMv4", "Cortex-M7", 0x701, 0x28000ee1, 0x4100f423, 4, 0, 0,
		   T32_CODE },
  [M7_FLAGS] = { "ETMv4", "Cortex-M7", 0x701, 0x28001ee1, 0x4100f423, 4, 0, 0,
		 T32_CODE },
  [ETE] = { "ETE", "ARM-AA64", 1, 0x2801cea1, 0x4100fff0, 0xd0001088, 0,
	    0x47735a13, A64_CODE },
  [ETE_STACK] = { "ETE", "ARM-AA64", 0x1001, 0x2801cea1, 0x4100fff0,
		  0xd0001088, 0, 0x47735a13, A64_CODE },
};

/* Bytes that several scenarios share.  */
#define ASYNC "\0\0\0\0\0\0\0\0\0\0\0\x80"
#define SYNC ASYNC "\x01\x00"			/* ... and Trace Info.  */
#define AT_1000 "\x82\x00\x08\x00\x00\x31"	/* 0x1000, EL1, N, A64.  */
#define AT_1010 "\x9a\x04\x08\x00\x00"
#define AT_1020 "\x9a\x08\x08\x00\x00"
#define M_AT_100 "\x83\x00\x01\x00\x00\x00"
#define START "Y init-decoder\n"
#define CONTEXT "P A64 el=1 sec=N bits=64 vmid=- cid=-\n"
#define M_AT_300 "\x83\x00\x03\x00\x00\x00"
#define M_CONTEXT "P T32 el=0 sec=S bits=32 vmid=- cid=-\n"
#define END "Z end-of-trace\n"

static const struct scenario
{
  const char *name;
  uint8_t unit;
  const char *bytes;
  size_t size;
  const char *want;
} scenarios[] =
{
#define SCENARIO(name, unit, bytes, want) \
  { name, unit, bytes, sizeof (bytes) - 1, want }

  SCENARIO ("nothing", A57, "", END),
  SCENARIO ("no synchronisation", A57, "\xff\x90\x01\x00\x04", START END),
  SCENARIO ("it may begin anywhere", A57,
	    "\x33\x80\0\0\0" SYNC "\x04" AT_1000 "\xf6",
	    START "T begin-or-filter\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("more zeros than needed", A57, "\0\0\0\0\0" SYNC AT_1000 "\xf6",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("what comes before Trace Info does not count", A57,
	    ASYNC "\x04" AT_1000 "\xf6\x01\x00" AT_1000 "\xf7",
	    START CONTEXT "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  SCENARIO ("... but for events", A57, ASYNC "\x71\x01\x00" AT_1000 "\xf6\x72",
	    START "V num=1\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\nV num=2\n" END),

  /* 1000 E to 1010; bl; ret; address 1014; blr ...  */
  SCENARIO ("branches and addresses", A57,
	    SYNC AT_1000 "\xff\x95\x05\xf7\x90\xf7",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x1014 0x101c 2 E IBR LINK - 4\n"
	    "R A64 0x1014 0x101c 2 E IBR LINK - 4\n" END),
  SCENARIO ("a loop of not taken and taken", A57, SYNC AT_1000 "\xda\xd6",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("exact match takes the address from the registers", A57,
	    SYNC AT_1000 AT_1010 AT_1020 "\x92\xf6\x91\xf7\x92\xf7",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n" END),
  SCENARIO ("atoms without a known address are passed over", A57,
	    SYNC AT_1020 "\xf7" AT_1000 "\xf7\xff" AT_1000 "\xf6",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("code that is not in the image", A57,
	    SYNC "\x82\x0d\x08\x00\x00\x31\xff\x9a\x00\x10\x00\x00\xf7",
	    START CONTEXT
	    "R A64 0x1034 0x103c 2 E OTHER NONE - 4\n"
	    "A nacc 0x103c\nA nacc 0x2000\n" END),
  SCENARIO ("what is no instruction is passed", A57,
	    SYNC "\x82\x0c\x08\x00\x00\x31\xf7",
	    START CONTEXT "R A64 0x1030 0x103c 3 E OTHER NONE - 4\n"
	    "A nacc 0x103c\n" END),

  SCENARIO ("an exception inside a block", A57,
	    SYNC AT_1000 "\x06\x1d\x95\x01" AT_1020 "\xf7\x07",
	    START CONTEXT "R A64 0x1000 0x1004 1 E OTHER NONE - 4\n"
	    "X 14 ret=0x1004\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n" END),
  SCENARIO ("an exception at the branch target", A57,
	    SYNC AT_1000 "\xff\x06\x5c\x95\x05" AT_1020 "\xf6",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "X 14 ret=0x1014 brtgt\n"
	    "R A64 0x1020 0x1028 2 N IBR RET - 4\n" END),
  SCENARIO ("an exception walks past branches, to where there is no code", A57,
	    SYNC AT_1000 "\x06\x05\x95\x10",
	    START CONTEXT
	    "R A64 0x1000 0x103c 15 E OTHER NONE - 4\n"
	    "A nacc 0x103c\nX 2 ret=0x1040\n" END),
  SCENARIO ("an exception return waits for the next P0 element", A57,
	    SYNC AT_1000 "\x06\x1d\x95\x01" "\x9a\x0a\x08\x00\x00\xff"
	    "\x07\x90\xf6",
	    START CONTEXT "R A64 0x1000 0x1004 1 E OTHER NONE - 4\n"
	    "X 14 ret=0x1004\n"
	    "R A64 0x1028 0x102c 1 E ISB NONE - 4\n"
	    "R A64 0x102c 0x1030 1 E IBR ERET - 4\n"
	    "E\nR A64 0x1028 0x102c 1 N ISB NONE - 4\n" END),
  SCENARIO ("a context with the exception's address comes after it", A57,
	    SYNC AT_1000 "\x06\x1d\x82\x01\x08\x00\x00\x32" AT_1020 "\xf6",
	    START CONTEXT "R A64 0x1000 0x1004 1 E OTHER NONE - 4\n"
	    "X 14 ret=0x1004\n"
	    "P A64 el=2 sec=N bits=64 vmid=- cid=-\n"
	    "R A64 0x1020 0x1028 2 N IBR RET - 4\n" END),
  SCENARIO ("a context before the exception's address comes before it", A57,
	    SYNC AT_1000 "\x06\x1d\x81\x32\x95\x01",
	    START CONTEXT "P A64 el=2 sec=N bits=64 vmid=- cid=-\n"
	    "R A64 0x1000 0x1004 1 E OTHER NONE - 4\n"
	    "X 14 ret=0x1004\n" END),
  SCENARIO ("an exception without an address", A57,
	    SYNC AT_1000 "\x06\x1d\xf7" SYNC AT_1000 "\xf6",
	    START CONTEXT "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
	    CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),

  SCENARIO ("the return stack", A57_STACK,
	    SYNC AT_1000 "\xff\xf7\x95\x08\xff",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x1014 0x101c 2 E IBR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x101c 0x1020 1 E BR NONE - 4\n"
	    "R A64 0x1034 0x103c 2 E OTHER NONE - 4\nA nacc 0x103c\n" END),
  SCENARIO ("an address in place of the return stack's", A57_STACK,
	    SYNC AT_1000 "\xff" AT_1000 "\xf6",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("an exception's address is the branch target: nothing is popped",
	    A57_STACK,
	    SYNC AT_1000 "\xff" /* ret; the handler is at 1020 ...  */
	    "\x06\x5c\x95\x00" AT_1020 "\xff",
	    START CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "X 14 ret=0x1000 brtgt\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x1014 0x101c 2 E IBR LINK - 4\n"
	    "R A64 0x101c 0x1020 1 E BR NONE - 4\n" END),
  SCENARIO ("... unless it is the newest entry: some units say so by mistake",
	    A57_STACK,
	    SYNC "\x82\x06\x08\x00\x00\x31" "\xf7" AT_1010 "\xdb"
	    "\x06\x5c\x95\x05" AT_1020 "\xdb",
	    START CONTEXT
	    "R A64 0x1018 0x101c 1 E IBR LINK - 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "X 14 ret=0x1014 brtgt\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "R A64 0x101c 0x1020 1 E BR NONE - 4\n" END),
  SCENARIO ("an empty return stack is not what the trace unit had", A57_STACK,
	    SYNC AT_1000 AT_1020 "\xff" SYNC AT_1000 "\xf6",
	    START CONTEXT "R A64 0x1020 0x1028 2 E IBR RET - 4\n"
	    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),

  SCENARIO ("overflow", A57,
	    SYNC AT_1000 "\xf6\x00\x05" SYNC "\x04" AT_1000 "\xf7",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "Y overflow\nT overflow\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  SCENARIO ("overflow at the end", A57, SYNC AT_1000 "\xf6\x00\x05",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "Y overflow\nZ overflow\n"),
  SCENARIO ("discard, and what waits: an event counts, an address does not",
	    A57, SYNC AT_1000 "\xf6\x75\x04\x90\x00\x03" SYNC AT_1000 "\xf7",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\nV num=5\n"
	    "Y discard\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  SCENARIO ("a reserved header", A57,
	    SYNC AT_1000 "\xf6\x08\xf6" SYNC AT_1000 "\xf7",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  SCENARIO ("a damaged packet that took zeros of the synchronisation after it",
	    A57, SYNC AT_1000 "\xf6\x9a\x01" SYNC AT_1000 "\xf7",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  SCENARIO ("a packet cut off by the end", A57, SYNC AT_1000 "\xf6\x9a\x01",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "! OCSD_ERR_BAD_DECODE_PKT\n" END),
  SCENARIO ("what waits at the end has not happened", A57,
	    SYNC AT_1000 "\xf6\x02\x05\x04" AT_1000 "\x76",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\nS 0x5\n" END),

  SCENARIO ("timestamps keep their upper bits", A57,
	    SYNC AT_1000 "\x02\x81\x82\x03\xf6\x02\x05\xf7"
	    "\x01\x00\x02\x06",
	    START CONTEXT "S 0xc101\nR A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "S 0xc105\nR A64 0x1008 0x1010 2 E BR NONE - 4\nS 0x6\n" END),
  SCENARIO ("cycle counts", A57_CYCLES,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\x0e\x05\x0c\x03\x12\x0f"
	    "\x03\x05\x07",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "C 13\nC 11\nC 10\nC 0\nS 0x5\nC 7 with-previous\n" END),
  SCENARIO ("context and virtual context IDs", A57_IDS,
	    SYNC "\x82\x00\x08\x00\x00\xf1\x12\x01\x02\x03\x04\xf6"
	    "\x81\xb0\x07\x00\x00\x00\x80\xf7",
	    START "P A64 el=1 sec=N bits=64 vmid=0x12 cid=0x4030201\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "P A64 el=0 sec=N bits=64 vmid=0x12 cid=0x7\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),

  /* Eight P0 elements may wait.  */
  SCENARIO ("committed late", A57_SPECULATES,
	    SYNC AT_1000 "\xda\x2d\x01\xdb",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("committed because the depth is exceeded", A57_SPECULATES,
	    SYNC AT_1000 "\xd6\xd5",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),
  SCENARIO ("cancelled: the newest go, with their addresses", A57_SPECULATES,
	    SYNC AT_1000 "\xf6\xf7" AT_1020 "\xf7\x2e\x02\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),
  SCENARIO ("events and timestamps survive a cancel", A57_SPECULATES,
	    SYNC AT_1000 "\xf6\xf7\x71\x02\x05\x2e\x01\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "V num=1\nS 0x5\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),
  SCENARIO ("mispredicted", A57_SPECULATES,
	    SYNC AT_1000 "\xf7" AT_1020 "\x30\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),
  SCENARIO ("cancelled and mispredicted at once", A57_SPECULATES,
	    SYNC AT_1000 "\xf7\xf7\x2f\x01\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),
  SCENARIO ("elements from before the trace began", A57_SPECULATES,
	    ASYNC "\x01\x04\x02" AT_1000 "\xf6\x2d\x03",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("more committed than there is", A57_SPECULATES,
	    SYNC AT_1000 "\xf6\x2d\x02" SYNC AT_1000 "\xf7\x2d\x01",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),
  /* Such a packet is a Commit element and a Cycle Count element behind it, which waits with
     what else was told before it (DDI 0487, K10.5.2.16, K10.5.3).  */
  SCENARIO ("a cycle count commits the oldest, and waits behind the others", A57_COMMITS,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\xf7\x12\x02\x05\x2d\x01\x71",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\nC 10\nS 0x5\nV num=1\n" END),
  SCENARIO ("cycle counts that commit several, or none", A57_COMMITS,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\xf7\x0e\x00\x05\x0c\x13",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\nC 13\nC 11\n" END),
  SCENARIO ("a cycle count commits down from the greatest depth", A57_COMMITS,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\xf7\x0d\x93",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\nC 11\n" END),
  SCENARIO ("a cycle count that is not known commits", A57_COMMITS,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\x0f\x01",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\nC 0\n" END),
  SCENARIO ("cycle counts survive a cancel", A57_COMMITS,
	    ASYNC "\x01\x09\x01\x08" AT_1000 "\xf6\xf7\x12\x2e\x01\xf7\x11",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\nC 10\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\nC 9\n" END),
  SCENARIO ("an exception may be cancelled", A57_SPECULATES,
	    SYNC AT_1000 "\xf6\x06\x1d\x95\x03\x2e\x01\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 E BR NONE - 4\n" END),

  /* Whether it is one of those is not known.  */
  SCENARIO ("cancelled behind an exception without its address", A57_SPECULATES,
	    SYNC AT_1000 "\xf6\xf7\x06\x1d\x2f\x01\x2d\x01" SYNC AT_1000 "\xf7\x2d\x01",
	    START "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 E BR NONE c 4\n" END),

  SCENARIO ("Q: up to a branch", A57_Q, SYNC AT_1000 "\xa5\x04\x02\xf6",
	    START CONTEXT "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 N BR LINK - 4\n" END),
  SCENARIO ("Q: past a branch", A57_Q, SYNC AT_1000 "\xa5\x02\x02\xf6",
	    START CONTEXT "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "R A64 0x1008 0x1010 2 N BR NONE - 4\n" END),
  SCENARIO ("Q: straight on", A57_Q, SYNC AT_1000 "\xa5\x01\x01\xf6",
	    START CONTEXT "R A64 0x1000 0x1004 1 E OTHER NONE - 4\n"
	    "R A64 0x1004 0x1008 1 N BR NONE c 4\n" END),
  SCENARIO ("Q: by a path that is not told", A57_Q,
	    SYNC AT_1000 "\xa5\x08\x05\xac\x03\x95\x0a\xaf\x95\x02\xf6",
	    START CONTEXT "Q 0x1000 0x1020 5\nQ 0x1020 0x1028 3\n"
	    "Q 0x1028 0x1008 0\nR A64 0x1008 0x1010 2 N BR NONE - 4\n" END),

  SCENARIO ("M profile: an interrupt and its return", M33,
	    SYNC M_AT_100 "\xf7\x96\x00\x06\x91\x10\x96\x01\x96\x04\xf7\x07"
	    "\x96\x01\xf7",
	    START M_CONTEXT "R T32 0x100 0x104 2 E IBR LINK - 2\n"
	    "R T32 0x100 0x102 1 E OTHER NONE - 2\nX 520 ret=0x102\n"
	    "R T32 0x108 0x10c 2 E IBR V7RET - 2\nE\n"
	    "R T32 0x102 0x104 1 E IBR LINK - 2\n" END),
  SCENARIO ("Trace Info counts what waits", A57_SPECULATES,
	    SYNC AT_1000 "\xf7" ASYNC "\x01\x04\x01" AT_1010 "\xf7\x2d\x02",
	    START CONTEXT "R A64 0x1000 0x1008 2 E BR NONE c 4\n"
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n" END),
  SCENARIO ("Trace Info counts less than what waits", A57_SPECULATES,
	    SYNC AT_1000 "\xf7" ASYNC "\x01\x00" AT_1000 "\xf6\x2d\x01",
	    START "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  /* The newest address was one of A32.  */
  SCENARIO ("a context without an address keeps the instruction set", A57_A32,
	    SYNC "\x82\x00\x40\x00\x00\x21\xf7\x81\x20\xf7",
	    START "P A32 el=1 sec=N bits=32 vmid=- cid=-\n"
	    "R A32 0x8000 0x8004 1 E BR LINK - 4\n"
	    "P T32 el=0 sec=N bits=32 vmid=- cid=-\n"
	    "R T32 0x8008 0x800c 2 E BR NONE - 2\n" END),
  /* 64 bits, then 32, then the context that says it is A64.  */
  SCENARIO ("an address keeps its upper half without a context", A57,
	    SYNC "\x9d\x00\x08\x00\x00\x01\x00\x00\x00"
	    "\x9a\x02\x08\x00\x00\x81\x31\xf7",
	    START CONTEXT "A nacc 0x100001008\n" END),

  SCENARIO ("M profile: tail-chaining", M33,
	    SYNC M_AT_100 "\x06\x1f\x96\x01\x96\x04\xf7\x06\x1d"
	    "\x9b\x7f\xff\xff\xff\x9b\x04\x01\x00\x00\xf7\x07",
	    START M_CONTEXT "R T32 0x100 0x102 1 E OTHER NONE - 2\n"
	    "X 15 ret=0x102\nR T32 0x108 0x10c 2 E IBR V7RET - 2\n"
	    "X 14 ret=-\nR T32 0x108 0x10c 2 E IBR V7RET - 2\n" END),
  /* blx pushes 104; the returns of the handlers leave it there.  */
  SCENARIO ("M profile: tail-chaining is no matter of the return stack",
	    M33_STACK,
	    SYNC M_AT_100 "\xf7\x96\x04\x06\x1f\x96\x05\x96\x04\xf7\x07\x06\x1d"
	    "\x9b\x7f\xff\xff\xff\x9b\x04\x01\x00\x00\xf7\x06\x1d"
	    "\x9b\x7f\xff\xff\xff\x9b\x04\x01\x00\x00\xf7\x07\x96\x05\xf7"
	    "\xf7",
	    START M_CONTEXT "R T32 0x100 0x104 2 E IBR LINK - 2\n"
	    "R T32 0x108 0x10a 1 E OTHER NONE - 2\n"
	    "X 15 ret=0x10a\nR T32 0x108 0x10c 2 E IBR V7RET - 2\nE\n"
	    "X 14 ret=-\nR T32 0x108 0x10c 2 E IBR V7RET - 2\n"
	    "X 14 ret=-\nR T32 0x108 0x10c 2 E IBR V7RET - 2\nE\n"
	    "R T32 0x10a 0x10c 1 E IBR V7RET - 2\n"
	    "R T32 0x104 0x108 2 E BR NONE - 2\n" END),
  /* Exception 26, and what is taken out of it: its return address is the one of tail chains.  */
  SCENARIO ("M profile: an exception out of a lockup", M33,
	    SYNC M_AT_100 "\x06\x35\x96\x01\x06\x05"
	    "\x9b\x7f\xff\xff\xff\x9b\x04\x01\x00\x00\xf7\x07",
	    START M_CONTEXT "R T32 0x100 0x102 1 E OTHER NONE - 2\n"
	    "X 26 ret=0x102\n"
	    "X 2 ret=0xfffffffe\nR T32 0x108 0x10c 2 E IBR V7RET - 2\n" END),
  SCENARIO ("Armv7-M: an exception return is a P0 element", M7,
	    SYNC M_AT_100 "\x07",
	    START M_CONTEXT "E\n" END),
  SCENARIO ("Armv8-M: a function return is a P0 element without effect", M33,
	    SYNC M_AT_100 "\x05", START M_CONTEXT END),

  SCENARIO ("ETE: ERET says exception return", ETE,
	    SYNC "\x82\x0b\x08\x00\x00\x31\xf7\x95\x00\xf6",
	    START CONTEXT "R A64 0x102c 0x1030 1 E IBR ERET - 4\nE\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  /* 1014 may have been popped, or not.  */
  SCENARIO ("ETE: a reset in place of a branch's target", ETE_STACK,
	    SYNC "\x82\x04\x08\x00\x00\x31\xdb\x06\x01\x00" AT_1020 "\xdb"
	    AT_1000 "\xf6",
	    START CONTEXT
	    "R A64 0x1010 0x1014 1 E BR LINK - 4\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\nX 0 ret=-\n"
	    "R A64 0x1020 0x1028 2 E IBR RET - 4\n" CONTEXT
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("ETE: source address", ETE, SYNC AT_1000 "\xb4\x03\xf6",
	    START CONTEXT "R A64 0x1000 0x1010 4 E BR NONE - 4\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n" END),
  SCENARIO ("ETE: transactions and instrumentation", ETE,
	    SYNC AT_1000 "\x0a\xf6\x0b\x09\x01\xff\xff\0\0\0\0\0\0",
	    START CONTEXT "M start\nR A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "M commit\nL el=1 0x000000000000ffff\n" END),
  SCENARIO ("ETE: realm and root", ETE,
	    SYNC "\x82\x00\x08\x00\x00\x3a\xf6\x81\x1b\xf6",
	    START "P A64 el=2 sec=Realm bits=64 vmid=- cid=-\n"
	    "R A64 0x1000 0x1008 2 N BR NONE c 4\n"
	    "P A64 el=3 sec=Root bits=64 vmid=- cid=-\n"
	    "R A64 0x1008 0x1010 2 N BR NONE - 4\n" END),

  /* TRCCONFIGR.INSTP0: each load, store or both have an atom of their own, a
     prefetch none, and a load that branches one.  */
  SCENARIO ("loads are told of", M7_LOADS,
	    SYNC "\x04" M_AT_300 "\xf7\xf7",
	    START "T begin-or-filter\n" M_CONTEXT
	    "R T32 0x300 0x302 1 E LDST NONE - 2\n"
	    "R T32 0x302 0x310 6 E IBR V7RET - 2\n" END),
  SCENARIO ("stores are told of", M7_STORES,
	    SYNC "\x04" M_AT_300 "\xf7\xf6\xf7",
	    START "T begin-or-filter\n" M_CONTEXT
	    "R T32 0x300 0x306 3 E LDST NONE - 2\n"
	    "R T32 0x306 0x30e 3 N LDST NONE c 2\n"
	    "R T32 0x30e 0x310 1 E IBR V7RET - 2\n" END),
  SCENARIO ("both are told of", M7_BOTH,
	    SYNC "\x04" M_AT_300 "\xff\xf7",
	    START "T begin-or-filter\n" M_CONTEXT
	    "R T32 0x300 0x302 1 E LDST NONE - 2\n"
	    "R T32 0x302 0x306 2 E LDST NONE - 2\n"
	    "R T32 0x306 0x30e 3 E LDST NONE c 2\n"
	    "R T32 0x30e 0x310 1 E IBR V7RET - 2\n" END),

  /* TRCCONFIGR.COND: a result whose key can be no other; results of which each is a
     token, up to what is none.  */
  SCENARIO ("conditional instructions with one key", M7_ONE_KEY,
	    SYNC M_AT_100 "\x40\x49\x5f\xe4\x43\xf7",
	    START M_CONTEXT "N inst key=0 count=1\n"
	    "N inst key=0 count=-\nN result key=0 passed\n"
	    "N result key=0 failed\nN result key=0 passed\nN result key=0 unknown\n"
	    "N flush\nR T32 0x100 0x104 2 E IBR LINK - 2\n" END),
  /* Keys 0 to 2 go round, 3 is special.  Those of tokens are not told, nor are those
     behind.  */
  SCENARIO ("conditional instructions with keys, and flags", M7_FLAGS,
	    SYNC M_AT_100 "\x6c\x02\x42\x6d\x05\x6e\x2a\x4c\x46\x5f\xfb"
	    "\x6c\x03\x40\xf7",
	    START M_CONTEXT "N inst key=2 count=1\nN inst key=0 count=2 shared\n"
	    "N inst key=2 count=3 shared\nN result key=2 flags=NzCv\n"
	    "N inst key=1 count=-\nN result key=1 flags=nzCv\n"
	    "N result key=0 flags=nZCv\nN result key=- flags=nZcv\n"
	    "N inst key=3 count=1\nN inst key=- count=1\n"
	    "R T32 0x100 0x104 2 E IBR LINK - 2\n" END),
};

#endif /* TB_TEST_ETMV4_SCENARIOS_H */
