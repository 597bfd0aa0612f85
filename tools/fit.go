package tools

import (
	"encoding/json"
	"fmt"
)

// column is one list of an answer while it is fitted into the bytes that the answer may have.
type column struct {
	sizes   []int              // of each item's JSON, with the comma behind it
	shorten func(most int) int // cuts the first item to that many bytes where it can, and gives what it takes then
}

// newColumn measures a list; shortened cuts excess bytes of JSON from an item, and is used on the first.
func newColumn[T any](items []T, shortened func(it T, excess int) T) (column, error) {
	sizes, err := sizesOf(items)
	if err != nil {
		return column{}, err
	}
	return column{sizes, func(most int) int {
		items[0] = shortened(items[0], sizes[0]-most)
		return sizeOf(items[0]) + 1
	}}, nil
}

func sizesOf[T any](items []T) ([]int, error) {
	sizes := make([]int, len(items))
	for i, it := range items {
		b, err := json.Marshal(it)
		if err != nil {
			return nil, fmt.Errorf("encode item %d of an answer: %w", i, err)
		}
		sizes[i] = len(b) + 1
	}
	return sizes, nil
}

// sizeOf is the length of a value's JSON.
func sizeOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0 // cannot be: its longer self was encoded
	}
	return len(b)
}

// fit says how many rows of the columns (the first items of all, then the second, …) have room. Row for row, because
// one cursor continues all lists: a page behind it must neither repeat nor leave out anything. A first row that has no
// room is shortened, because it could never be delivered otherwise; dropped columns had no room for even that, and show
// nothing.
func fit(room int, columns ...column) (rows int, dropped []bool) {
	dropped = make([]bool, len(columns))
	longest := 0
	for _, c := range columns {
		longest = max(longest, len(c.sizes))
	}
	left := room
	for ; rows < longest; rows++ {
		for _, c := range columns {
			if rows < len(c.sizes) {
				left -= c.sizes[rows]
			}
		}
		if left < 0 {
			break
		}
	}
	if rows > 0 || longest == 0 {
		return rows, dropped
	}
	left = room
	for i, c := range columns { // what comes later gets what is left
		if len(c.sizes) == 0 {
			continue
		}
		size := c.sizes[0]
		if share := left / (len(columns) - i); size > share {
			size = c.shorten(share)
		}
		if dropped[i] = size > left; !dropped[i] {
			left -= size
		}
	}
	return 1, dropped
}

// head gives the first rows of a column's items, or nothing where it was dropped.
func head[T any](items []T, rows int, dropped bool) []T {
	if dropped {
		return []T{}
	}
	return items[:min(rows, len(items))]
}
