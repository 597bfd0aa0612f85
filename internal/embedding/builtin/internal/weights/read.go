package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// Parse parses a model file. The weights are not copied. The floats are copied (0.8 MB) only if the data is not aligned
// to 4 bytes or the machine is big-endian. So file must stay in memory, as an embedded string does.
func Parse(file string) (*Model, error) {
	if len(file) < len(mark) || file[:len(mark)] != mark {
		return nil, fmt.Errorf("parse weights: the file does not start with %q", mark)
	}
	m := &Model{}
	offset := len(mark)
	for i, s := range m.sections() {
		offset = align(offset)
		end := offset + s.bytes()
		if end > len(file) {
			return nil, fmt.Errorf("parse weights: the file ends at byte %d, within section %d, which ends at %d", len(file), i,
				end)
		}
		if s.ints != nil {
			*s.ints = int8s(file[offset:end])
		} else {
			*s.floats = float32s(file[offset:end])
		}
		offset = end
	}
	offset = align(offset)
	if offset >= len(file) {
		return nil, fmt.Errorf("parse weights: the file ends at byte %d, before the vocabulary", len(file))
	}
	m.VocabText = file[offset:]
	return m, nil
}

// int8s returns the bytes as int8 without copying.
func int8s(b string) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(b))), len(b))
}

// float32s returns the bytes as floats. It copies if alignment or byte order requires it.
func float32s(b string) []float32 {
	p := unsafe.Pointer(unsafe.StringData(b))
	if littleEndian() && uintptr(p)%unsafe.Alignof(float32(0)) == 0 {
		return unsafe.Slice((*float32)(p), len(b)/4)
	}
	bytes := unsafe.Slice((*byte)(p), len(b))
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return v
}

func littleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}
