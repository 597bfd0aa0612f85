#include "textflag.h"

// Adds the products of 32 activations of one token with the weights of two rows in Z16 and Z17.
#define TOKEN(address, acc0, acc1) \
	VMOVDQU64 address, Z18   \
	VPDPWSSD  Z16, Z18, acc0 \
	VPDPWSSD  Z17, Z18, acc1

// Adds the upper halves of a's four lanes to the lower ones, and the same of b, in one register: in each lane first a's
// sum, then b's. K1 is every other quadword.
#define MERGE64(a, b, t) \
	VPALIGNR  $8, a, b, t \
	VPBLENDMQ b, a, K1, a \
	VPADDD    t, a, a

// The same with halves of the register: first a's two lanes, then b's. K2 is the upper half.
#define MERGE256(a, b, t) \
	VSHUFI64X2 $0x4e, b, a, t \
	VPBLENDMQ  b, a, K2, a    \
	VPADDD     t, a, a

// Sums up eight accumulators to one quadword each, of two partial sums, in their order, in a; uses t.
#define SUM8(a, b, c, d, e, f, g, h, t) \
	MERGE64(a, b, t)          \
	MERGE64(c, d, t)          \
	MERGE64(e, f, t)          \
	MERGE64(g, h, t)          \
	MERGE256(a, c, t)         \
	MERGE256(e, g, t)         \
	VSHUFI64X2 $0xdd, e, a, t \
	VSHUFI64X2 $0x88, e, a, a \
	VPADDD     t, a, a

// Sets the masks of the sums; K3 is every other doubleword. Uses DX.
#define MASKS \
	MOVL  $0xaa, DX   \
	KMOVW DX, K1      \
	MOVL  $0xf0, DX   \
	KMOVW DX, K2      \
	MOVL  $0xaaaa, DX \
	KMOVW DX, K3

// Takes 32 columns, at the given offset in bytes of weights and of activations: widens the weights of two rows and
// multiplies them with eight tokens.
#define COLUMNS8(weights, activations) \
	VPMOVSXBW weights(SI), Z16              \
	VPMOVSXBW weights(SI)(AX*1), Z17        \
	TOKEN(activations(BX), Z0, Z8)          \
	TOKEN(activations(BX)(R11*1), Z1, Z9)   \
	TOKEN(activations(BX)(R11*2), Z2, Z10)  \
	TOKEN(activations(BX)(R12*1), Z3, Z11)  \
	TOKEN(activations(R13), Z4, Z12)        \
	TOKEN(activations(R13)(R11*1), Z5, Z13) \
	TOKEN(activations(R13)(R11*2), Z6, Z14) \
	TOKEN(activations(R13)(R12*1), Z7, Z15)

// func matMul8AVX512(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)
//
// Two rows by eight tokens at a time: sixteen accumulators, each weight widened once and used eight times.
// DI dst, R8 and R15 one and three strides in bytes, SI the weights, BX tokens 0 to 3, R13 tokens 4 to 7, R11 and R12 one
// and three tokens in bytes, AX n, CX columns left, R9 and R10 wScale and bias, DX rows left, Z31 aScale twice each.
// R14 is 3n: the two rows after these are fetched ahead, since the weights of a layer do not fit into the nearer caches.
TEXT ·matMul8AVX512(SB), NOSPLIT, $0-72
	MASKS
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), R8
	SHLQ $2, R8
	MOVQ w+16(FP), SI
	MOVQ a+24(FP), BX
	MOVQ n+32(FP), AX
	LEAQ (AX)(AX*1), R11
	LEAQ (R11)(R11*2), R12
	LEAQ (BX)(R11*4), R13
	MOVQ wScale+48(FP), R9
	MOVQ bias+56(FP), R10
	MOVQ rows+40(FP), DX
	LEAQ (R8)(R8*2), R15
	LEAQ (AX)(AX*2), R14

	MOVQ      aScale+64(FP), CX
	VPMOVZXDQ (CX), Z31
	VPSLLQ    $32, Z31, Z30
	VPORQ     Z30, Z31, Z31

rows8:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	MOVQ   AX, CX

columns8:
	PREFETCHT0 (SI)(AX*2)
	PREFETCHT0 (SI)(R14*1)
	COLUMNS8(0, 0)
	COLUMNS8(32, 64)
	ADDQ $64, SI
	ADDQ $128, BX
	ADDQ $128, R13
	SUBQ $64, CX
	JNZ  columns8

	SUM8(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)
	SUM8(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, Z17)

	// Row 0 in the lower halves of the quadwords, row 1 in the upper.
	VPSRLQ $32, Z0, Z1
	VPADDD Z1, Z0, Z0
	VPSLLQ $32, Z8, Z9
	VPADDD Z9, Z8, K3, Z0

	VCVTDQ2PS    Z0, Z0
	VMULPS       Z31, Z0, Z0
	VBROADCASTSD (R9), Z1
	VBROADCASTSD (R10), Z2
	VFMADD213PS  Z2, Z1, Z0

	LEAQ          (DI)(R8*4), CX
	VEXTRACTF32X4 $1, Z0, X1
	VEXTRACTF32X4 $2, Z0, X2
	VEXTRACTF32X4 $3, Z0, X3
	VMOVLPS       X0, (DI)
	VMOVHPS       X0, (DI)(R8*1)
	VMOVLPS       X1, (DI)(R8*2)
	VMOVHPS       X1, (DI)(R15*1)
	VMOVLPS       X2, (CX)
	VMOVHPS       X2, (CX)(R8*1)
	VMOVLPS       X3, (CX)(R8*2)
	VMOVHPS       X3, (CX)(R15*1)

	ADDQ $8, DI
	ADDQ $8, R9
	ADDQ $8, R10
	ADDQ AX, SI
	SUBQ R11, BX
	SUBQ R11, R13
	SUBQ $2, DX
	JNZ  rows8

	VZEROUPPER
	RET

// The same with four tokens.
#define COLUMNS4(weights, activations) \
	VPMOVSXBW weights(SI), Z16            \
	VPMOVSXBW weights(SI)(AX*1), Z17      \
	TOKEN(activations(BX), Z0, Z4)        \
	TOKEN(activations(BX)(R11*1), Z1, Z5) \
	TOKEN(activations(BX)(R11*2), Z2, Z6) \
	TOKEN(activations(BX)(R12*1), Z3, Z7)

// func matMul4AVX512(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)
//
// Two rows by four tokens at a time, with the registers as above, but for aScale: that is X31, once each.
TEXT ·matMul4AVX512(SB), NOSPLIT, $0-72
	MASKS
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), R8
	SHLQ $2, R8
	MOVQ w+16(FP), SI
	MOVQ a+24(FP), BX
	MOVQ n+32(FP), AX
	LEAQ (AX)(AX*1), R11
	LEAQ (R11)(R11*2), R12
	MOVQ wScale+48(FP), R9
	MOVQ bias+56(FP), R10
	MOVQ rows+40(FP), DX
	LEAQ (R8)(R8*2), R15
	LEAQ (AX)(AX*2), R14

	MOVQ    aScale+64(FP), CX
	VMOVUPS (CX), X31

rows4:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ   AX, CX

columns4:
	PREFETCHT0 (SI)(AX*2)
	PREFETCHT0 (SI)(R14*1)
	COLUMNS4(0, 0)
	COLUMNS4(32, 64)
	ADDQ $64, SI
	ADDQ $128, BX
	SUBQ $64, CX
	JNZ  columns4

	// The sums of row 0 end in X0, those of row 1 in X1.
	SUM8(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16)
	VPSRLQ       $32, Z0, Z1
	VPADDD       Z1, Z0, Z0
	VPMOVQD      Z0, Y0
	VEXTRACTI128 $1, Y0, X1
	VCVTDQ2PS    X0, X0
	VCVTDQ2PS    X1, X1
	VMULPS       X31, X0, X0
	VMULPS       X31, X1, X1
	VBROADCASTSS (R9), X2
	VBROADCASTSS 4(R9), X3
	VBROADCASTSS (R10), X4
	VBROADCASTSS 4(R10), X5
	VFMADD213PS  X4, X2, X0
	VFMADD213PS  X5, X3, X1

	// From one register for each row to one pair of rows for each token.
	VUNPCKLPS X1, X0, X2
	VUNPCKHPS X1, X0, X3
	VMOVLPS   X2, (DI)
	VMOVHPS   X2, (DI)(R8*1)
	VMOVLPS   X3, (DI)(R8*2)
	VMOVHPS   X3, (DI)(R15*1)

	ADDQ $8, DI
	ADDQ $8, R9
	ADDQ $8, R10
	ADDQ AX, SI
	SUBQ R11, BX
	SUBQ $2, DX
	JNZ  rows4

	VZEROUPPER
	RET
