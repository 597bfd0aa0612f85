#include "textflag.h"

// Adds the products of 64 components of the query, in Z4, with those of one row, at offset CX of base. Flipping the sign
// bit adds 128 to a component and makes it the unsigned one that the instruction wants.
#define ROW64(base, acc) \
	VPXORD   (base)(CX*1), Z31, Z5 \
	VPDPBUSD Z4, Z5, acc

// func scanInt8AVX512(query, rows *int8, n, dims, quads int, out *int32, start int32)
//
// Four rows at a time, as with AVX2. Sums are modulo 2³²: what lies beyond in between does no harm.
TEXT ·scanInt8AVX512(SB), NOSPLIT, $0-52
	MOVQ         query+0(FP), SI
	MOVQ         rows+8(FP), BX
	MOVQ         n+16(FP), AX
	MOVQ         dims+24(FP), R8
	MOVQ         quads+32(FP), DX
	MOVQ         out+40(FP), DI
	MOVL         start+48(FP), CX
	VPBROADCASTD CX, X30
	MOVL         $0x80808080, CX
	VPBROADCASTD CX, Z31

quad:
	LEAQ   (BX)(R8*1), R9
	LEAQ   (BX)(R8*2), R10
	LEAQ   (R9)(R8*2), R11
	LEAQ   (BX)(R8*4), R12
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	XORQ   CX, CX

scan:
	VMOVDQU64 (SI)(CX*1), Z4
	ROW64(BX, Z0)
	ROW64(R9, Z1)
	ROW64(R10, Z2)
	ROW64(R11, Z3)
	ADDQ $64, CX
	CMPQ CX, AX
	JLT  scan

	VEXTRACTI64X4 $1, Z0, Y4
	VEXTRACTI64X4 $1, Z1, Y5
	VEXTRACTI64X4 $1, Z2, Y6
	VEXTRACTI64X4 $1, Z3, Y7
	VPADDD        Y4, Y0, Y0
	VPADDD        Y5, Y1, Y1
	VPADDD        Y6, Y2, Y2
	VPADDD        Y7, Y3, Y3
	VPHADDD       Y1, Y0, Y0
	VPHADDD       Y3, Y2, Y2
	VPHADDD       Y2, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPADDD        X30, X0, X0
	VMOVDQU       X0, (DI)
	ADDQ          $16, DI
	MOVQ          R12, BX
	DECQ          DX
	JNZ           quad

	VZEROUPPER
	RET
