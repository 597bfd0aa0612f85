package transfer

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// CSVFiles are the files of the CSV format, in the order of ToCSV's writers.
var CSVFiles = [3]string{"entities.csv", "relationships.csv", "episodes.csv"}

// ToCSV returns a translator that writes entities and memories, facts, and turns as CSV (RFC 4180, UTF-8, lines ended
// by LF). A text that a spreadsheet would run as a formula begins with an apostrophe.
func ToCSV(entities, relationships, episodes io.Writer) *Translator {
	return newTranslator(&csvFiles{csv.NewWriter(entities), csv.NewWriter(relationships), csv.NewWriter(episodes),
		bitset{}})
}

type csvFiles struct {
	entities, relationships, episodes *csv.Writer
	memories                          bitset
}

func (c *csvFiles) begin(string) error {
	for _, head := range []struct {
		to      *csv.Writer
		columns string
	}{
		{c.entities, "id,kind,name,type,description,confidence,origin,created_at"},
		{c.relationships, "id,head_id,relation,tail_id,label,class,fact,valid_from,valid_until,active,confidence,origin," +
			"created_at,expired_at"},
		{c.episodes, "id,session,project,user,role,speaker,source,occurred_at,created_at,origin,content"},
	} {
		if err := head.to.Write(strings.Split(head.columns, ",")); err != nil {
			return err
		}
	}
	return nil
}

func (c *csvFiles) turn(l outLine) error {
	return c.episodes.Write(cells("t"+strconv.FormatInt(l.ID, 10), l.Session, l.Project, l.User, l.Role, l.Speaker,
		l.Source, instant(l.OccurredAt), instant(l.CreatedAt), l.Origin, l.Content))
}

func (c *csvFiles) entity(l outLine) error {
	id := nodeID(l.Kind, l.ID)
	if id[0] == 'm' {
		c.memories.set(l.ID)
	}
	return c.entities.Write(cells(id, l.Kind, l.Name, l.Type, l.Description, number(l.Confidence), l.Origin,
		instant(l.CreatedAt)))
}

func (c *csvFiles) fact(l outLine) error {
	return c.relationships.Write(cells("r"+strconv.FormatInt(l.ID, 10), c.memories.node(l.HeadID), l.Relation,
		c.memories.node(l.TailID), l.label(), l.EdgeClass, l.Fact, l.from(), l.until(), strconv.FormatBool(l.active()),
		number(l.Confidence), l.Origin, instant(l.CreatedAt), instant(l.ExpiredAt)))
}

func (c *csvFiles) evidence(string, string) error { return nil }

func (c *csvFiles) end() error {
	for _, w := range []*csv.Writer{c.entities, c.relationships, c.episodes} {
		w.Flush()
		if err := w.Error(); err != nil {
			return err
		}
	}
	return nil
}

// cells makes texts harmless for spreadsheets, which run a cell that begins with one of these characters as a formula.
func cells(values ...string) []string {
	for i, v := range values {
		if v != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(v)[0]) {
			values[i] = "'" + v
		}
	}
	return values
}
