package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// Parse reads a model out of the file's bytes. Weights are not copied; floats are not either where the bytes lie on a
// multiple of four on a little-endian machine, else they are (0.8 MB). The string must therefore stay in memory,
// which what is embedded in the binary does.
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

// int8s views bytes as signed ones.
func int8s(b string) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(b))), len(b))
}

// float32s views bytes as floats, or decodes them where the machine's order or the place does not allow that.
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
