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
	damageAdvice = "First stop all hosts, and copy the file and its -wal file, if there is one, to a safe place. " +
		"If you have a backup, replace the file with it and delete the old -wal and -shm files. " +
		"This version cannot repair a file."
	damageShown = 10 // lines of the integrity check that are printed
)

// damageLines splits the findings of the integrity check into lines; one finding can have a heading and many lines.
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

// reach returns a sentence on whether tables or only indexes are damaged. kinds maps the root page of each tree to
// "table" or "index".
func reach(lines []string, kinds map[int64]string) string {
	index, table, unplaced := false, false, len(lines) >= 20 // the check stops there
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
		case !orphanLine.MatchString(line): // an orphan page is below an unreadable page, which has its own line
			unplaced = true
		}
	}
	switch {
	case table:
		return "Tables are damaged: stored data may be lost."
	case index && !unplaced:
		return "Only indexes are damaged: the stored data is complete, but searches may miss some of it."
	}
	return "It is unknown whether only indexes are damaged."
}

// reportDamage adds one problem for a damaged file: what is damaged, and what to do. unread names the parts that could
// not be read because of the damage.
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
		if *n.into < 0 { // could not be counted because of the damage
			*n.into = n.count
		}
	}
	if len(d.Damage) > 0 {
		message += " " + reach(d.Damage, remains.Roots)
		unread = slices.DeleteFunc(unread, func(s string) bool { return s == "integrity" }) // its lines are in the report
	}
	if len(unread) > 0 {
		message += " These parts could not be read: " + strings.Join(unread, ", ") + "."
	}
	r.problem(message, damageAdvice)
}
