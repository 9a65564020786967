/* What instructions on vector registers make of V0, X0 and FPSR, and what of that is told;
   for test-semantics-a64-vector.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The results were computed by an emulated core.  */

#ifndef TB_UNIT_SEMANTICS_A64_VECTOR_ROWS_H
#define TB_UNIT_SEMANTICS_A64_VECTOR_ROWS_H

#include <stdint.h>

/* Before each: X0, X1, V0 to V3 (low half, high half); Z is set.  */
#define X0 0xfedcba9876543210ull
#define X1 0x0123456789abcdefull
static const uint64_t vectors[8] = {
  0x1111222233334444ull, 0x5555666677778888ull,
  0x8081828384858687ull, 0x90a192b394c595d7ull,
  0x0123456789abcdefull, 0xfedcba9876543210ull,
  0x00ff00ff0f0f3c3cull, 0xa5a55a5affff0000ull
};

/* What is told: the halves of V0, X0.  */
enum { LOW = 1, HIGH = 2, X = 4, ALL = 7 };

/* What may be set in FPSR.  */
#define FP 0x9f
#define QC 0x8000000

static const struct
{
  uint32_t opcode;
  uint8_t told;
  uint32_t fpsr;
  uint64_t low, high, x0;
} vector_rows[] = {
  { 0x1e204020, ALL, 0, 0x84858687ull, 0, X0 },
    /* fmov s0, s1  */
  { 0x1e604020, ALL, 0, 0x8081828384858687ull, 0, X0 },
    /* fmov d0, d1  */
  { 0x1ee04020, ALL, 0, 0x8687ull, 0, X0 },
    /* fmov h0, h1  */
  { 0x1e260020, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x84858687ull },
    /* fmov w0, s1  */
  { 0x9e660020, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x8081828384858687ull },
    /* fmov x0, d1  */
  { 0x9eae0020, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x90a192b394c595d7ull },
    /* fmov x0, v1.d[1]  */
  { 0x1ee60020, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x8687ull },
    /* fmov w0, h1  */
  { 0x1e270020, ALL, 0, 0x89abcdefull, 0, X0 },
    /* fmov s0, w1  */
  { 0x9e670020, ALL, 0, 0x123456789abcdefull, 0, X0 },
    /* fmov d0, x1  */
  { 0x9ee70020, ALL, 0, 0xcdefull, 0, X0 },
    /* fmov h0, x1  */
  { 0x9eaf0020, ALL, 0, 0x1111222233334444ull, 0x123456789abcdefull, X0 },
    /* fmov v0.d[1], x1  */
  { 0x1e7f1000, ALL, 0, 0xbff8000000000000ull, 0, X0 },
    /* fmov d0, #-1.500000000000000000e+00  */
  { 0x1e27f000, ALL, 0, 0x41f80000ull, 0, X0 },
    /* fmov s0, #3.100000000000000000e+01  */
  { 0x1ee81000, ALL, 0, 0x3000ull, 0, X0 },
    /* fmov h0, #1.250000000000000000e-01  */
  { 0x6f03f600, ALL, 0, 0x3ff0000000000000ull, 0x3ff0000000000000ull, X0 },
    /* fmov v0.2d, #1.000000000000000000e+00  */
  { 0x4f06f600, ALL, 0, 0xbe800000be800000ull, 0xbe800000be800000ull, X0 },
    /* fmov v0.4s, #-2.500000000000000000e-01  */
  { 0x0f00fc80, ALL, 0, 0x4100410041004100ull, 0, X0 },
    /* fmov v0.4h, #2.500000000000000000e+00  */
  { 0x1e620c20, ALL, 0, 0x8081828384858687ull, 0, X0 },
    /* fcsel d0, d1, d2, eq  */
  { 0x1e221c20, ALL, 0, 0x89abcdefull, 0, X0 },
    /* fcsel s0, s1, s2, ne  */
  { 0x4f05e4a0, ALL, 0, 0xa5a5a5a5a5a5a5a5ull, 0xa5a5a5a5a5a5a5a5ull, X0 },
    /* movi v0.16b, #0xa5  */
  { 0x0f004640, ALL, 0, 0x12000000120000ull, 0, X0 },
    /* movi v0.2s, #0x12, lsl #16  */
  { 0x4f01c680, ALL, 0, 0x34ff000034ffull, 0x34ff000034ffull, X0 },
    /* movi v0.4s, #0x34, msl #8  */
  { 0x4f02a6c0, ALL, 0, 0x5600560056005600ull, 0x5600560056005600ull, X0 },
    /* movi v0.8h, #0x56, lsl #8  */
  { 0x2f05e640, ALL, 0, 0xff00ffff0000ff00ull, 0, X0 },
    /* movi d0, #0xff00ffff0000ff00  */
  { 0x6f00e4e0, ALL, 0, 0xffffffull, 0xffffffull, X0 },
    /* movi v0.2d, #0xffffff  */
  { 0x6f000640, ALL, 0, 0xffffffedffffffedull, 0xffffffedffffffedull, X0 },
    /* mvni v0.4s, #0x12  */
  { 0x2f00a640, ALL, 0, 0xedffedffedffedffull, 0, X0 },
    /* mvni v0.4h, #0x12, lsl #8  */
  { 0x2f03d7e0, ALL, 0, 0xff800000ff800000ull, 0, X0 },
    /* mvni v0.2s, #0x7f, msl #16  */
  { 0x4f047400, ALL, 0, 0x91112222b3334444ull, 0xd5556666f7778888ull, X0 },
    /* orr v0.4s, #0x80, lsl #24  */
  { 0x0f009620, ALL, 0, 0x1111223333334455ull, 0, X0 },
    /* orr v0.4h, #0x11  */
  { 0x6f0797e0, ALL, 0, 0x1100220033004400ull, 0x5500660077008800ull, X0 },
    /* bic v0.8h, #0xff  */
  { 0x2f0737e0, ALL, 0, 0x1111002233330044ull, 0, X0 },
    /* bic v0.2s, #0xff, lsl #8  */
  { 0x4e010c20, ALL, 0, 0xefefefefefefefefull, 0xefefefefefefefefull, X0 },
    /* dup v0.16b, w1  */
  { 0x4e080c20, ALL, 0, 0x123456789abcdefull, 0x123456789abcdefull, X0 },
    /* dup v0.2d, x1  */
  { 0x0e020c20, ALL, 0, 0xcdefcdefcdefcdefull, 0, X0 },
    /* dup v0.4h, w1  */
  { 0x4e1c0420, ALL, 0, 0x90a192b390a192b3ull, 0x90a192b390a192b3ull, X0 },
    /* dup v0.4s, v1.s[3]  */
  { 0x0e130420, ALL, 0, 0x9595959595959595ull, 0, X0 },
    /* dup v0.8b, v1.b[9]  */
  { 0x5e180420, ALL, 0, 0x90a192b394c595d7ull, 0, X0 },
    /* mov d0, v1.d[1]  */
  { 0x5e070420, ALL, 0, 0x84ull, 0, X0 },
    /* mov b0, v1.b[3]  */
  { 0x5e1e0420, ALL, 0, 0x90a1ull, 0, X0 },
    /* mov h0, v1.h[7]  */
  { 0x4e171c20, ALL, 0, 0x1111222233334444ull, 0x55556666ef778888ull, X0 },
    /* mov v0.b[11], w1  */
  { 0x4e0a1c20, ALL, 0, 0x1111cdef33334444ull, 0x5555666677778888ull, X0 },
    /* mov v0.h[2], w1  */
  { 0x4e081c20, ALL, 0, 0x123456789abcdefull, 0x5555666677778888ull, X0 },
    /* mov v0.d[0], x1  */
  { 0x6e1c2420, ALL, 0, 0x1111222233334444ull, 0x8081828377778888ull, X0 },
    /* mov v0.s[3], v1.s[1]  */
  { 0x6e017c20, ALL, 0, 0x1111222233334490ull, 0x5555666677778888ull, X0 },
    /* mov v0.b[0], v1.b[15]  */
  { 0x0e153c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0xc5ull },
    /* umov w0, v1.b[10]  */
  { 0x0e0e3c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x8081ull },
    /* umov w0, v1.h[3]  */
  { 0x4e183c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0x90a192b394c595d7ull },
    /* mov x0, v1.d[1]  */
  { 0x0e052c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0xffffff85ull },
    /* smov w0, v1.b[2]  */
  { 0x4e0c2c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0xffffffff80818283ull },
    /* smov x0, v1.s[1]  */
  { 0x4e162c20, ALL, 0, 0x1111222233334444ull, 0x5555666677778888ull, 0xffffffffffff94c5ull },
    /* smov x0, v1.h[5]  */
  { 0x4e221c20, ALL, 0, 0x1000380818487ull, 0x9080929014441010ull, X0 },
    /* and v0.16b, v1.16b, v2.16b  */
  { 0x0e621c20, ALL, 0, 0x8080828004040200ull, 0, X0 },
    /* bic v0.8b, v1.8b, v2.8b  */
  { 0x4ea11c20, ALL, 0, 0x8081828384858687ull, 0x90a192b394c595d7ull, X0 },
    /* mov v0.16b, v1.16b  */
  { 0x4ee21c20, ALL, 0, 0xfeddba9bf6d5b697ull, 0x91a3d7f79defddffull, X0 },
    /* orn v0.16b, v1.16b, v2.16b  */
  { 0x6e221c20, ALL, 0, 0x81a2c7e40d2e4b68ull, 0x6e7d282be291a7c7ull, X0 },
    /* eor v0.16b, v1.16b, v2.16b  */
  { 0x6e211c20, ALL, 0, 0, 0, X0 },
    /* eor v0.16b, v1.16b, v1.16b  */
  { 0x6e621c20, ALL, 0, 0x23474788898dafull, 0xba899aba1445b290ull, X0 },
    /* bsl v0.16b, v1.16b, v2.16b  */
  { 0x2ea21c20, ALL, 0, 0x10112203b2918487ull, 0, X0 },
    /* bit v0.8b, v1.8b, v2.8b  */
  { 0x6ee21c20, ALL, 0, 0x818182a205274644ull, 0x54752223f6d585c7ull, X0 },
    /* bif v0.16b, v1.16b, v2.16b  */
  { 0x6e205820, ALL, 0, 0x7f7e7d7c7b7a7978ull, 0x6f5e6d4c6b3a6a28ull, X0 },
    /* mvn v0.16b, v1.16b  */
  { 0x2e605820, ALL, 0, 0x18141c121a161e1ull, 0, X0 },
    /* rbit v0.8b, v1.8b  */
  { 0x4e200820, ALL, 0, 0x8786858483828180ull, 0xd795c594b392a190ull, X0 },
    /* rev64 v0.16b, v1.16b  */
  { 0x4e600820, ALL, 0, 0x8687848582838081ull, 0x95d794c592b390a1ull, X0 },
    /* rev64 v0.8h, v1.8h  */
  { 0x0ea00820, ALL, 0, 0x8485868780818283ull, 0, X0 },
    /* rev64 v0.2s, v1.2s  */
  { 0x6e200820, ALL, 0, 0x8382818087868584ull, 0xb392a190d795c594ull, X0 },
    /* rev32 v0.16b, v1.16b  */
  { 0x2e600820, ALL, 0, 0x8283808186878485ull, 0, X0 },
    /* rev32 v0.4h, v1.4h  */
  { 0x4e201820, ALL, 0, 0x8180838285848786ull, 0xa190b392c594d795ull, X0 },
    /* rev16 v0.16b, v1.16b  */
  { 0x6e021820, ALL, 0, 0xc595d78081828384ull, 0xabcdef90a192b394ull, X0 },
    /* ext v0.16b, v1.16b, v2.16b, #3  */
  { 0x6e025820, ALL, 0, 0xabcdef90a192b394ull, 0x5432100123456789ull, X0 },
    /* ext v0.16b, v1.16b, v2.16b, #11  */
  { 0x2e022820, ALL, 0, 0x6789abcdef808182ull, 0, X0 },
    /* ext v0.8b, v1.8b, v2.8b, #5  */
  { 0x4e823820, ALL, 0, 0x89abcdef84858687ull, 0x123456780818283ull, X0 },
    /* zip1 v0.4s, v1.4s, v2.4s  */
  { 0x4ec27820, ALL, 0, 0x90a192b394c595d7ull, 0xfedcba9876543210ull, X0 },
    /* zip2 v0.2d, v1.2d, v2.2d  */
  { 0x4e821820, ALL, 0, 0x94c595d784858687ull, 0x7654321089abcdefull, X0 },
    /* uzp1 v0.4s, v1.4s, v2.4s  */
  { 0x0e825820, ALL, 0, 0x123456780818283ull, 0, X0 },
    /* uzp2 v0.2s, v1.2s, v2.2s  */
  { 0x4e822820, ALL, 0, 0x89abcdef84858687ull, 0x7654321094c595d7ull, X0 },
    /* trn1 v0.4s, v1.4s, v2.4s  */
  { 0x4ec26820, ALL, 0, 0x90a192b394c595d7ull, 0xfedcba9876543210ull, X0 },
    /* trn2 v0.2d, v1.2d, v2.2d  */
  { 0x4e423820, ALL, 0, 0x89ab8485cdef8687ull, 0x123808145678283ull, X0 },
    /* zip1 v0.8h, v1.8h, v2.8h  */
  { 0x0e020020, HIGH | X, 0, 0, 0, X0 },
    /* tbl v0.8b, {v1.16b}, v2.8b  */
  { 0x4ee28420, ALL, 0, 0x81a4c7eb0e315476ull, 0x8f7e4d4c0b19c7e7ull, X0 },
    /* add v0.2d, v1.2d, v2.2d  */
  { 0x7ee28420, ALL, 0, 0x7f5e3d1bfad9b898ull, 0, X0 },
    /* sub d0, d1, d2  */
  { 0x6e618420, ALL, 0, 0, 0, X0 },
    /* sub v0.8h, v1.8h, v1.8h  */
  { 0x4ea28420, ALL, 0, 0x81a4c7ea0e315476ull, 0x8f7e4d4b0b19c7e7ull, X0 },
    /* add v0.4s, v1.4s, v2.4s  */
  { 0x0ea29c20, ALL, 0, 0xf731d1b5c08fb309ull, 0, X0 },
    /* mul v0.2s, v1.2s, v2.2s  */
  { 0x7ee28c20, ALL, 0, 0, 0, X0 },
    /* cmeq d0, d1, d2  */
  { 0x5ef1b820, ALL, 0, 0x11231537194b1c5eull, 0, X0 },
    /* addp d0, v1.2d  */
  { 0x4eb1b820, ALL, 0, 0x2a6e3194ull, 0, X0 },
    /* addv s0, v1.4s  */
  { 0x4f495420, ALL, 0, 0x30507090b0d0e00ull, 0x432567298b2bae00ull, X0 },
    /* shl v0.2d, v1.2d, #9  */
  { 0x7f440420, ALL, 0, 0x8ull, 0, X0 },
    /* ushr d0, d1, #60  */
  { 0x4f7b0420, ALL, 0, 0xfc040c141c242c34ull, 0xfc850c959ca62caeull, X0 },
    /* sshr v0.2d, v1.2d, #5  */
  { 0x0f095420, ALL, 0, 0x20406080a0c0eull, 0, X0 },
    /* shl v0.8b, v1.8b, #1  */
  { 0x2f24a420, ALL, 0, 0x848586870ull, 0x808182830ull, X0 },
    /* ushll v0.2d, v1.2s, #4  */
  { 0x4f20a420, ALL, 0, 0xffffffff94c595d7ull, 0xffffffff90a192b3ull, X0 },
    /* sxtl2 v0.2d, v1.4s  */
  { 0x2f08a420, ALL, 0, 0x84008500860087ull, 0x80008100820083ull, X0 },
    /* uxtl v0.8h, v1.8b  */
  { 0x0ea12820, ALL, 0, 0x94c595d784858687ull, 0, X0 },
    /* xtn v0.2s, v1.2d  */
  { 0x4ea12820, ALL, 0, 0x1111222233334444ull, 0x94c595d784858687ull, X0 },
    /* xtn2 v0.4s, v1.2d  */
  { 0x0e212820, ALL, 0, 0xa1b3c5d781838587ull, 0, X0 },
    /* xtn v0.8b, v1.8h  */
  { 0x4e212820, ALL, 0, 0x1111222233334444ull, 0xa1b3c5d781838587ull, X0 },
    /* xtn2 v0.16b, v1.8h  */
  { 0x5ea14820, HIGH | X, QC, 0, 0, X0 },
    /* sqxtn s0, d1  */
  { 0x4f198420, ALL, 0, 0x1111222233334444ull, 0x43258b2b03050b0dull, X0 },
    /* shrn2 v0.8h, v1.4s, #7  */
  { 0x0e624020, HIGH | X, 0, 0, 0, X0 },
    /* addhn v0.4h, v1.4s, v2.4s  */
  { 0x0e634020, HIGH | X, 0, 0, 0, X0 },
    /* addhn v0.4h, v1.4s, v3.4s  */
  { 0x0e620020, X, 0, 0, 0, X0 },
    /* saddl v0.4s, v1.4h, v2.4h  */
  { 0x0e620c20, HIGH | X, QC, 0, 0, X0 },
    /* sqadd v0.4h, v1.4h, v2.4h  */
  { 0x5ea2d020, HIGH | X, QC, 0, 0, X0 },
    /* sqdmull d0, s1, s2  */
  { 0x5ea3d020, HIGH | X, QC, 0, 0, X0 },
    /* sqdmull d0, s1, s3  */
  { 0x5ea20c20, HIGH | X, QC, 0, 0, X0 },
    /* sqadd s0, s1, s2  */
  { 0x7e622c20, HIGH | X, QC, 0, 0, X0 },
    /* uqsub h0, h1, h2  */
  { 0x0e22d420, HIGH | X, FP, 0, 0, X0 },
    /* fadd v0.2s, v1.2s, v2.2s  */
  { 0x4e22d420, X, FP, 0, 0, X0 },
    /* fadd v0.4s, v1.4s, v2.4s  */
  { 0x1e222820, HIGH | X, FP, 0, 0, X0 },
    /* fadd s0, s1, s2  */
  { 0x1f420c20, HIGH | X, FP, 0, 0, X0 },
    /* fmadd d0, d1, d2, d3  */
  { 0x1e60c020, ALL, 0, 0x81828384858687ull, 0, X0 },
    /* fabs d0, d1  */
  { 0x9e620020, HIGH | X, FP, 0, 0, X0 },
    /* scvtf d0, x1  */
  { 0x5e61d820, HIGH | X, FP, 0, 0, X0 },
    /* scvtf d0, d1  */
  { 0x1e780020, LOW | HIGH, FP, 0x1111222233334444ull, 0x5555666677778888ull, 0 },
    /* fcvtzs w0, d1  */
  { 0x4e616820, LOW | X, FP, 0x1111222233334444ull, 0, X0 },
    /* fcvtn2 v0.4s, v1.2d  */
  { 0x0e617820, X, FP, 0, 0, X0 },
    /* fcvtl v0.2d, v1.2s  */
  { 0x0fa21020, HIGH | X, FP, 0, 0, X0 },
    /* fmla v0.2s, v1.2s, v2.s[1]  */
  { 0x2f520020, HIGH | X, 0, 0, 0, X0 },
    /* mla v0.4h, v1.4h, v2.h[1]  */
  { 0x4f52a020, X, 0, 0, 0, X0 },
    /* smull2 v0.4s, v1.8h, v2.h[1]  */
  { 0x0e829420, HIGH | X, 0, 0, 0, X0 },
    /* sdot v0.2s, v1.8b, v2.8b  */
  { 0x2ec2fc20, X, FP, 0, 0, X0 },
    /* bfmlalb v0.4s, v1.8h, v2.8h  */
  { 0x4e82a420, X, FP, 0, 0, X0 },
    /* smmla v0.4s, v1.16b, v2.16b  */
  { 0x0e22ec20, HIGH | X, FP, 0, 0, X0 },
    /* fmlal v0.2s, v1.2h, v2.2h  */
  { 0x2e82e420, HIGH | X, FP, 0, 0, X0 },
    /* fcadd v0.2s, v1.2s, v2.2s, #90  */
  { 0x2e828420, HIGH | X, QC, 0, 0, X0 },
    /* sqrdmlah v0.2s, v1.2s, v2.2s  */
  { 0x4e284820, X, 0, 0, 0, X0 },
    /* aese v0.16b, v1.16b  */
  { 0x5e280820, X, 0, 0, 0, X0 },
    /* sha1h s0, s1  */
  { 0x5e024020, X, 0, 0, 0, X0 },
    /* sha256h q0, q1, v2.4s  */
  { 0xce020c20, ALL, 0, 0x815dc71b02217754ull, 0xcbd872711d6ea7c7ull, X0 },
    /* eor3 v0.16b, v1.16b, v2.16b, v3.16b  */
  { 0xce220c20, ALL, 0, 0x8181c78304254744ull, 0xcaf9323394c5a7c7ull, X0 },
    /* bcax v0.16b, v1.16b, v2.16b, v3.16b  */
};

#endif /* TB_UNIT_SEMANTICS_A64_VECTOR_ROWS_H */
