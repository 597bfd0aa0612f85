#include "textflag.h"

// func dotInt8AVX2(a, b *int8, n int) int32
TEXT ·dotInt8AVX2(SB), NOSPLIT, $0-28
	MOVQ  a+0(FP), SI
	MOVQ  b+8(FP), DI
	MOVQ  n+16(FP), AX
	VPXOR Y0, Y0, Y0
	XORQ  CX, CX

dot:
	VPMOVSXBW (SI)(CX*1), Y1
	VPMOVSXBW (DI)(CX*1), Y2
	VPMADDWD  Y1, Y2, Y1
	VPADDD    Y1, Y0, Y0
	ADDQ      $16, CX
	CMPQ      CX, AX
	JLT       dot

	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, AX
	MOVL         AX, ret+24(FP)
	VZEROUPPER
	RET

// Adds the products of 16 components of the query, in Y4, with those of one row, at offset CX of base.
#define ROW(base, acc) \
	VPMOVSXBW (base)(CX*1), Y5 \
	VPMADDWD  Y4, Y5, Y5       \
	VPADDD    Y5, acc, acc

// func scanInt8AVX2(query, rows *int8, n, dims, quads int, out *int32)
//
// Four rows at a time, so that the query is widened once for four rows and the sums are added up together.
TEXT ·scanInt8AVX2(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), BX
	MOVQ n+16(FP), AX
	MOVQ dims+24(FP), R8
	MOVQ quads+32(FP), DX
	MOVQ out+40(FP), DI

quad:
	LEAQ  (BX)(R8*1), R9
	LEAQ  (BX)(R8*2), R10
	LEAQ  (R9)(R8*2), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  CX, CX

scan:
	VPMOVSXBW (SI)(CX*1), Y4
	ROW(BX, Y0)
	ROW(R9, Y1)
	ROW(R10, Y2)
	ROW(R11, Y3)
	ADDQ      $16, CX
	CMPQ      CX, AX
	JLT       scan

	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)
	ADDQ         $16, DI
	LEAQ         (BX)(R8*4), BX
	DECQ         DX
	JNZ          quad

	VZEROUPPER
	RET
