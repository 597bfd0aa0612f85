package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
)

// column is one column of a table.
type column struct {
	title string
	right bool // right-aligned, for numbers
}

// table is aligned by display width, so names in any script line up. text/tabwriter counts characters instead.
type table struct {
	columns []column
	rows    []tableRow
	indent  string // before each line
}

// tableRow is a row with the SGR colour of the whole row, "" for none.
type tableRow struct {
	cells  []string
	colour string
}

// The width at which a cell is truncated, in terminal columns; --json has the whole text.
const (
	widestCell = 60
	widestLast = 160 // of the last column
)

func (t *table) add(colour string, cells ...string) {
	for i, cell := range cells {
		width := widestCell
		if i == len(cells)-1 {
			width = widestLast
		}
		cells[i] = clip(visible(cell), width)
	}
	t.rows = append(t.rows, tableRow{cells, colour})
}

// write prints the table with its titles, without empty columns. paint adds a colour to a text, if colours are on.
func (t *table) write(w io.Writer, paint func(colour, text string) string) {
	titles := make([]string, len(t.columns))
	width := make([]int, len(t.columns)) // 0 for an empty column, which is omitted
	for i, c := range t.columns {
		titles[i] = c.title
		for _, r := range t.rows {
			width[i] = max(width[i], uniseg.StringWidth(r.cells[i]))
		}
		if width[i] > 0 {
			width[i] = max(width[i], uniseg.StringWidth(c.title))
		}
	}
	for _, r := range append([]tableRow{{titles, "1"}}, t.rows...) {
		var line strings.Builder
		for i, cell := range r.cells {
			if width[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", width[i]-uniseg.StringWidth(cell))
			if t.columns[i].right {
				cell = pad + cell
			} else {
				cell += pad
			}
			if line.Len() > 0 {
				line.WriteString("  ")
			}
			line.WriteString(cell)
		}
		text := strings.TrimRight(line.String(), " ")
		if r.colour != "" {
			text = paint(r.colour, text)
		}
		fmt.Fprintln(w, t.indent+text)
	}
}

// visible returns stored text on one line, without control characters and invisible characters.
func visible(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1 // control, bidirectional, zero-width
	}, s))
}

// clip truncates a text to a display width, at a grapheme boundary.
func clip(s string, widest int) string {
	if uniseg.StringWidth(s) <= widest {
		return s
	}
	var b strings.Builder
	width := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if width += g.Width(); width >= widest {
			break
		}
		b.WriteString(g.Str())
	}
	return strings.TrimRight(b.String(), " ") + "…"
}

// localTime returns an instant in the local time zone. Midnight UTC is treated as a date without a time of day, and is
// shown as that date. The zero time is a dash.
func localTime(t time.Time) string {
	switch u := t.UTC(); {
	case t.IsZero():
		return "–"
	case u.Equal(u.Truncate(24 * time.Hour)):
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}
