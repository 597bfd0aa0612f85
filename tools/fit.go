package tools

import (
	"encoding/json"
	"fmt"
)

// column is one list of an answer while the answer is cut to its maximum size.
type column struct {
	sizes   []int              // JSON length of each item, including its comma
	shorten func(most int) int // cuts the first item to that many bytes if possible, and returns its new size
}

// newColumn measures a list. shortened removes excess bytes of JSON from an item; it is called for the first item only.
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

// sizeOf returns the length of a value's JSON.
func sizeOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0 // unreachable: the longer form was encoded
	}
	return len(b)
}

// fit returns how many rows have room. A row holds the item of that position from every column. Rows are added whole
// because one cursor continues all lists: the next page must neither repeat nor skip an item. A first row without room
// is shortened; otherwise it could never be delivered. dropped columns have no room for even the shortened item and
// show nothing.
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
	for i, c := range columns { // later columns get the remaining room
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

// head returns the first rows of a column's items, or nothing if the column was dropped.
func head[T any](items []T, rows int, dropped bool) []T {
	if dropped {
		return []T{}
	}
	return items[:min(rows, len(items))]
}
