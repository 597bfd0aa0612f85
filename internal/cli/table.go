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
	right bool // numbers stand at the right
}

// table is aligned by the width of what is seen, so that names in any script stand below each other. text/tabwriter
// counts characters.
type table struct {
	columns []column
	rows    []tableRow
	indent  string // before each line
}

// tableRow is a row with the SGR colour of all of it, "" for none.
type tableRow struct {
	cells  []string
	colour string
}

// Where a cell is cut, in columns of the terminal; --json has everything.
const (
	widestCell = 60
	widestLast = 160 // of the last column, behind which nothing has to stand in line
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

// write prints the table with its titles, without columns that no row has anything in. paint puts a colour around a
// text, where there are colours.
func (t *table) write(w io.Writer, paint func(colour, text string) string) {
	titles := make([]string, len(t.columns))
	width := make([]int, len(t.columns)) // 0 for a column that is left out
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

// visible is a stored text on one line without what a terminal would obey or not show.
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

// clip cuts a text that is wider than so many columns between two characters as people see them.
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

// localTime writes an instant for a person at this machine. Midnight UTC is a date that somebody gave without a time of
// day, and stays that date everywhere. The zero time is a dash.
func localTime(t time.Time) string {
	switch u := t.UTC(); {
	case t.IsZero():
		return "–"
	case u.Equal(u.Truncate(24 * time.Hour)):
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}
