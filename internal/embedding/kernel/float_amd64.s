#include "textflag.h"

// func dotsAVX2(dst, q, rows *float32, stride, width, count int)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ q+8(FP), BX
	MOVQ rows+16(FP), SI
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ width+32(FP), AX
	MOVQ count+40(FP), DX

dotsRow:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   CX, CX
	MOVQ   AX, R9
	SUBQ   $16, R9

dots16:
	CMPQ        CX, R9
	JGT         dots8
	VMOVUPS     (BX)(CX*4), Y2
	VMOVUPS     32(BX)(CX*4), Y3
	VFMADD231PS (SI)(CX*4), Y2, Y0
	VFMADD231PS 32(SI)(CX*4), Y3, Y1
	ADDQ        $16, CX
	JMP         dots16

dots8:
	CMPQ        CX, AX
	JGE         dotsSum
	VMOVUPS     (BX)(CX*4), Y2
	VFMADD231PS (SI)(CX*4), Y2, Y0

dotsSum:
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, (DI)
	ADDQ         $4, DI
	ADDQ         R8, SI
	DECQ         DX
	JNZ          dotsRow

	VZEROUPPER
	RET

// Adds the products of 8 columns of q, in Y4, with those of one row, at offset CX of base.
#define DOTS8(base, acc) \
	VFMADD231PS (base)(CX*4), Y4, acc

// func dots4AVX2(dst, q, rows *float32, stride, width, quads int)
//
// Four rows at a time, so that q is loaded once for four rows and the sums are added up together.
TEXT ·dots4AVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ q+8(FP), BX
	MOVQ rows+16(FP), SI
	MOVQ stride+24(FP), R8
	SHLQ $2, R8
	MOVQ width+32(FP), AX
	MOVQ quads+40(FP), DX

dotsQuad:
	LEAQ   (SI)(R8*1), R9
	LEAQ   (SI)(R8*2), R10
	LEAQ   (R9)(R8*2), R11
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   CX, CX

dotsColumns:
	VMOVUPS (BX)(CX*4), Y4
	DOTS8(SI, Y0)
	DOTS8(R9, Y1)
	DOTS8(R10, Y2)
	DOTS8(R11, Y3)
	ADDQ    $8, CX
	CMPQ    CX, AX
	JLT     dotsColumns

	VHADDPS      Y1, Y0, Y0
	VHADDPS      Y3, Y2, Y2
	VHADDPS      Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVUPS      X0, (DI)
	ADDQ         $16, DI
	LEAQ         (SI)(R8*4), SI
	DECQ         DX
	JNZ          dotsQuad

	VZEROUPPER
	RET

// func weightedSum8AVX2(dst, weights, rows *float32, stride, count int)
TEXT ·weightedSum8AVX2(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   weights+8(FP), BX
	MOVQ   rows+16(FP), SI
	MOVQ   stride+24(FP), R8
	SHLQ   $2, R8
	MOVQ   count+32(FP), DX
	VXORPS Y0, Y0, Y0

sum8:
	VBROADCASTSS (BX), Y4
	VFMADD231PS  (SI), Y4, Y0
	ADDQ         $4, BX
	ADDQ         R8, SI
	DECQ         DX
	JNZ          sum8

	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET

// func weightedSum32AVX2(dst, weights, rows *float32, stride, count int)
TEXT ·weightedSum32AVX2(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   weights+8(FP), BX
	MOVQ   rows+16(FP), SI
	MOVQ   stride+24(FP), R8
	SHLQ   $2, R8
	MOVQ   count+32(FP), DX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

sum32:
	VBROADCASTSS (BX), Y4
	VFMADD231PS  (SI), Y4, Y0
	VFMADD231PS  32(SI), Y4, Y1
	VFMADD231PS  64(SI), Y4, Y2
	VFMADD231PS  96(SI), Y4, Y3
	ADDQ         $4, BX
	ADDQ         R8, SI
	DECQ         DX
	JNZ          sum32

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET

// func maxAbsAVX2(v *float32, n int) float32
TEXT ·maxAbsAVX2(SB), NOSPLIT, $0-20
	MOVQ     v+0(FP), SI
	MOVQ     n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD   $1, Y1, Y1    // every bit but the sign
	VXORPS   Y0, Y0, Y0

maxAbs8:
	VANDPS (SI), Y1, Y2
	VMAXPS Y2, Y0, Y0
	ADDQ   $32, SI
	SUBQ   $8, CX
	JNZ    maxAbs8

	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPSRLDQ      $8, X0, X1
	VMAXPS       X1, X0, X0
	VPSRLDQ      $4, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func quantize16AVX2(dst *int16, src *float32, n int, scale float32)
TEXT ·quantize16AVX2(SB), NOSPLIT, $0-28
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS scale+24(FP), Y2

quantize16:
	VMULPS    (SI), Y2, Y0
	VMULPS    32(SI), Y2, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0 // packing works within halves of a register: put the quarters in order
	VMOVDQU   Y0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JNZ       quantize16

	VZEROUPPER
	RET
