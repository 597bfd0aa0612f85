package weights

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode returns the model as a file. Equal models give equal bytes. The error names a section of the wrong size.
func Encode(m *Model) ([]byte, error) {
	out := append(make([]byte, 0, 24<<20), mark...)
	pad := func() {
		for len(out)%alignment != 0 {
			out = append(out, 0)
		}
	}
	for i, s := range m.sections() {
		pad()
		got := 0
		if s.ints != nil {
			got = len(*s.ints)
			for _, x := range *s.ints {
				out = append(out, byte(x))
			}
		} else {
			got = len(*s.floats)
			for _, x := range *s.floats {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
			}
		}
		if got != s.n {
			return nil, fmt.Errorf("encode weights: section %d has %d elements, want %d", i, got, s.n)
		}
	}
	pad()
	return append(out, m.VocabText...), nil
}

// Quantize rounds float32 weights [rows][columns] to int8. The largest absolute weight of each row becomes ±127. Ties
// round to even. A row of zeros has scale 0.
func Quantize(weights []float32, rows, columns int) Matrix {
	m := Matrix{Rows: rows, Columns: columns, Weights: make([]int8, rows*columns), Scale: make([]float32, rows)}
	for r := range rows {
		row := weights[r*columns : (r+1)*columns]
		var largest float64
		for _, x := range row {
			largest = max(largest, math.Abs(float64(x)))
		}
		if largest == 0 {
			continue
		}
		m.Scale[r] = float32(largest / 127)
		for i, x := range row {
			m.Weights[r*columns+i] = int8(math.RoundToEven(float64(x) / largest * 127))
		}
	}
	return m
}
