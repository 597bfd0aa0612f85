#include "textflag.h"

// Adds the products of 16 activations of one token with the weights of two rows in Y8 and Y9; offset is in bytes.
#define TOKEN(offset, base, acc0, acc1) \
	VMOVDQU  offset(base)(CX*2), Y10 \
	VPMADDWD Y8, Y10, Y11            \
	VPMADDWD Y9, Y10, Y12            \
	VPADDD   Y11, acc0, acc0         \
	VPADDD   Y12, acc1, acc1

// Takes 16 columns, at the given offset from CX in weights and in activations: widens the weights of two rows and
// multiplies them with four tokens.
#define COLUMNS16(weights, activations) \
	VPMOVSXBW weights(SI)(CX*1), Y8  \
	VPMOVSXBW weights(R9)(CX*1), Y9  \
	TOKEN(activations, BX, Y0, Y4)   \
	TOKEN(activations, R11, Y1, Y5)  \
	TOKEN(activations, R12, Y2, Y6)  \
	TOKEN(activations, R13, Y3, Y7)

// Adds up each of four accumulators: the sums are in xa in the order of the accumulators.
#define SUM4(a, b, c, d, xa, xb) \
	VPHADDD      b, a, a   \
	VPHADDD      d, c, c   \
	VPHADDD      c, a, a   \
	VEXTRACTI128 $1, a, xb \
	VPADDD       xb, xa, xa

// func matMul4AVX2(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)
//
// Two rows by four tokens at a time: eight accumulators, each weight widened once and used four times.
// DI dst, R8 its stride in bytes, SI and R9 the two rows, BX R11 R12 R13 the four tokens, AX n, CX the column, R10 the
// row's offset in wScale, bias and dst, DX and R14 the two rows after these, which are fetched ahead: the weights of a
// layer do not fit into the nearer caches.
TEXT ·matMul4AVX2(SB), NOSPLIT, $0-72
	MOVQ    dst+0(FP), DI
	MOVQ    stride+8(FP), R8
	SHLQ    $2, R8
	MOVQ    w+16(FP), SI
	MOVQ    a+24(FP), BX
	MOVQ    n+32(FP), AX
	LEAQ    (BX)(AX*2), R11
	LEAQ    (R11)(AX*2), R12
	LEAQ    (R12)(AX*2), R13
	MOVQ    aScale+64(FP), DX
	VMOVUPS (DX), X14
	XORQ    R10, R10

rows:
	LEAQ  (SI)(AX*1), R9
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	LEAQ  (R9)(AX*1), DX
	LEAQ  (DX)(AX*1), R14
	XORQ  CX, CX

columns:
	PREFETCHT0 (DX)(CX*1)
	PREFETCHT0 (R14)(CX*1)
	COLUMNS16(0, 0)
	COLUMNS16(16, 32)
	COLUMNS16(32, 64)
	COLUMNS16(48, 96)
	ADDQ $64, CX
	CMPQ CX, AX
	JLT  columns

	SUM4(Y0, Y1, Y2, Y3, X0, X8)
	SUM4(Y4, Y5, Y6, Y7, X4, X9)
	VCVTDQ2PS X0, X0
	VCVTDQ2PS X4, X4
	VMULPS    X14, X0, X0
	VMULPS    X14, X4, X4

	MOVQ         wScale+48(FP), DX
	VBROADCASTSS (DX)(R10*1), X1
	VBROADCASTSS 4(DX)(R10*1), X2
	MOVQ         bias+56(FP), DX
	VBROADCASTSS (DX)(R10*1), X3
	VBROADCASTSS 4(DX)(R10*1), X5
	VFMADD213PS  X3, X1, X0
	VFMADD213PS  X5, X2, X4

	// From one register for each row to one pair of rows for each token.
	VUNPCKLPS X4, X0, X1
	VUNPCKHPS X4, X0, X2
	LEAQ      (DI)(R8*2), DX
	VMOVLPS   X1, (DI)
	VMOVHPS   X1, (DI)(R8*1)
	VMOVLPS   X2, (DX)
	VMOVHPS   X2, (DX)(R8*1)

	ADDQ $8, DI
	ADDQ $8, R10
	LEAQ (R9)(AX*1), SI
	MOVQ rows+40(FP), DX
	SHLQ $2, DX
	CMPQ R10, DX
	JLT  rows

	VZEROUPPER
	RET
