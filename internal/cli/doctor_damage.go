package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"memory-graph/store"
)

const (
	damageAdvice = "End all hosts and copy the file, with the -wal beside it where there is one, to a safe place before " +
		"anything else. " +
		"If you have a copy from before, put it in the file's place (without the old -wal and -shm); this version cannot " +
		"mend a file."
	damageShown = 10 // lines of the integrity check
)

// damageLines takes the integrity check's findings apart: one of them may hold many lines, below a heading.
func damageLines(findings []string) []string {
	var lines []string
	for _, f := range findings {
		for line := range strings.Lines(f) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "***") {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

var (
	treeLine  = regexp.MustCompile(`^Tree (\d+)\b`)
	indexLine = regexp.MustCompile(
		`^(row \d+ missing from index|wrong # of entries in index|non-unique entry in index|rowid not at end-of-record for row \d+ of index) `)
	orphanLine = regexp.MustCompile(`^Page \d+: never used$`)
)

// reach says in a sentence what the damage concerns, going by the kinds ("table" or "index") of the trees' root pages.
func reach(lines []string, kinds map[int64]string) string {
	index, table, unplaced := false, false, len(lines) >= 20 // of which the check tells no more
	for _, line := range lines {
		kind := ""
		if m := treeLine.FindStringSubmatch(line); m != nil {
			if root, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				kind = kinds[root]
			}
		}
		switch {
		case kind == "index" || indexLine.MatchString(line):
			index = true
		case kind == "table":
			table = true
		case !orphanLine.MatchString(line): // a page below one that cannot be read: its tree has a line of its own
			unplaced = true
		}
	}
	switch {
	case table:
		return "It is not in indexes alone: some of what was stored may be lost."
	case index && !unplaced:
		return "Only indexes are concerned: what was stored is whole, but is not all found."
	}
	return "Whether only indexes are concerned cannot be told."
}

// reportDamage tells of a damaged file once: what the integrity check found, how far it reaches, and what to do. unread
// names what could not be read for it.
func (r *report) reportDamage(ctx context.Context, path string, unread []string) {
	d := &r.Database
	d.State, d.Integrity = "damaged", "damaged"
	message := fmt.Sprintf("The database %s is damaged.", path)
	remains := store.ReadDamaged(ctx, path)
	for _, n := range []struct {
		into  *int64
		count int64
	}{{&d.Episodes, remains.Episodes}, {&d.Namespaces, remains.Namespaces}, {&d.Entities,
		remains.Entities}, {&d.Relationships, remains.Relationships}} {
		if *n.into < 0 { // what the damage kept from being counted
			*n.into = n.count
		}
	}
	if len(d.Damage) > 0 {
		message += " " + reach(d.Damage, remains.Roots)
		unread = slices.DeleteFunc(unread, func(s string) bool { return s == "integrity" }) // it told enough
	}
	if len(unread) > 0 {
		message += " Because of it these could not be read: " + strings.Join(unread, ", ") + "."
	}
	r.problem(message, damageAdvice)
}
