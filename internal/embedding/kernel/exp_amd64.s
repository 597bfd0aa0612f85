#include "textflag.h"

// For eˣ: the smallest x, log₂ e, ln 2 in two parts, then 1/k! from k = 6 down to 1.
DATA expConst<>+0(SB)/4, $-87.0
DATA expConst<>+4(SB)/4, $1.44269504088896341
DATA expConst<>+8(SB)/4, $0.693359375
DATA expConst<>+12(SB)/4, $-2.12194440e-4
DATA expConst<>+16(SB)/4, $0.00138888888888888889
DATA expConst<>+20(SB)/4, $0.00833333333333333333
DATA expConst<>+24(SB)/4, $0.0416666666666666667
DATA expConst<>+28(SB)/4, $0.166666666666666667
DATA expConst<>+32(SB)/4, $0.5
DATA expConst<>+36(SB)/4, $1.0
GLOBL expConst<>(SB), RODATA|NOPTR, $40

// For the normal distribution: -1/2, p, then b5 to b1, each divided by √2π.
DATA phiConst<>+0(SB)/4, $-0.5
DATA phiConst<>+4(SB)/4, $0.2316419
DATA phiConst<>+8(SB)/4, $0.53070271426
DATA phiConst<>+12(SB)/4, $-0.72657601306
DATA phiConst<>+16(SB)/4, $0.71070687067
DATA phiConst<>+20(SB)/4, $-0.1422483683
DATA phiConst<>+24(SB)/4, $0.1274147959
GLOBL phiConst<>(SB), RODATA|NOPTR, $28

// Loads what EXP needs into Y6 to Y15; uses AX.
#define EXPCONST \
	LEAQ         expConst<>(SB), AX \
	VBROADCASTSS (AX), Y6           \
	VBROADCASTSS 4(AX), Y15         \
	VBROADCASTSS 8(AX), Y14         \
	VBROADCASTSS 12(AX), Y13        \
	VBROADCASTSS 16(AX), Y12        \
	VBROADCASTSS 20(AX), Y11        \
	VBROADCASTSS 24(AX), Y10        \
	VBROADCASTSS 28(AX), Y9         \
	VBROADCASTSS 32(AX), Y8         \
	VBROADCASTSS 36(AX), Y7

// Y0 = e to the power of Y0, as the plain Go exp does it; uses Y1 and Y2. Shifting k into the exponent's place and
// adding it multiplies by 2ᵏ.
#define EXP \
	VMAXPS       Y6, Y0, Y0  \
	VMULPS       Y15, Y0, Y1 \
	VROUNDPS     $0, Y1, Y1  \
	VFNMADD231PS Y14, Y1, Y0 \
	VFNMADD231PS Y13, Y1, Y0 \
	VCVTPS2DQ    Y1, Y1      \
	VPSLLD       $23, Y1, Y1 \
	VMOVAPS      Y12, Y2     \
	VFMADD213PS  Y11, Y0, Y2 \
	VFMADD213PS  Y10, Y0, Y2 \
	VFMADD213PS  Y9, Y0, Y2  \
	VFMADD213PS  Y8, Y0, Y2  \
	VFMADD213PS  Y7, Y0, Y2  \
	VFMADD213PS  Y7, Y0, Y2  \
	VPADDD       Y1, Y2, Y0

// func expSumAVX2(v *float32, n int, largest, factor float32) float32
TEXT ·expSumAVX2(SB), NOSPLIT, $0-28
	EXPCONST
	MOVQ         v+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS largest+16(FP), Y3
	VBROADCASTSS factor+20(FP), Y4
	VXORPS       Y5, Y5, Y5

exp8:
	VMOVUPS (SI), Y0
	VSUBPS  Y3, Y0, Y0
	VMULPS  Y4, Y0, Y0
	EXP
	VMOVUPS Y0, (SI)
	VADDPS  Y0, Y5, Y5
	ADDQ    $32, SI
	SUBQ    $8, CX
	JNZ     exp8

	VEXTRACTF128 $1, Y5, X0
	VADDPS       X0, X5, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET

// func geluAVX2(v *float32, n int)
//
// max(x, 0) - |x|·Q(|x|): Y5 x, Y4 |x|, Y3 t, Y0 e to the power of -x²/2.
TEXT ·geluAVX2(SB), NOSPLIT, $0-16
	EXPCONST
	MOVQ v+0(FP), SI
	MOVQ n+8(FP), CX
	LEAQ phiConst<>(SB), AX

gelu8:
	VMOVUPS      (SI), Y5
	VPCMPEQD     Y4, Y4, Y4
	VPSRLD       $1, Y4, Y4     // every bit but the sign
	VANDPS       Y5, Y4, Y4
	VBROADCASTSS 4(AX), Y3
	VFMADD213PS  Y7, Y4, Y3
	VDIVPS       Y3, Y7, Y3
	VBROADCASTSS (AX), Y0
	VMULPS       Y4, Y0, Y0
	VMULPS       Y4, Y0, Y0
	EXP
	VBROADCASTSS 8(AX), Y2
	VBROADCASTSS 12(AX), Y1
	VFMADD213PS  Y1, Y3, Y2
	VBROADCASTSS 16(AX), Y1
	VFMADD213PS  Y1, Y3, Y2
	VBROADCASTSS 20(AX), Y1
	VFMADD213PS  Y1, Y3, Y2
	VBROADCASTSS 24(AX), Y1
	VFMADD213PS  Y1, Y3, Y2
	VMULPS       Y3, Y2, Y2
	VMULPS       Y0, Y2, Y2
	VXORPS       Y1, Y1, Y1
	VMAXPS       Y1, Y5, Y5
	VFNMADD231PS Y2, Y4, Y5
	VMOVUPS      Y5, (SI)
	ADDQ         $32, SI
	SUBQ         $8, CX
	JNZ          gelu8

	VZEROUPPER
	RET
