package transfer_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/transfer"
)

// hostile are texts that break careless writers.
var hostile = []string{`=HYPERLINK("http://x")`, "+1", "-1+1", "@SUM(A1)", "\tx", `"><script>alert(1)</script>`, "]]>&amp;",
	"a\"b,c\nd\re", "\u0001\ufffe\u202e", "＝1", "'quoted", `\u003c`, "--><!--", "%22", "é\u0301", "x"}

// lines writes an export with a text in every place that can have one.
func lines(text string) string {
	q := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	}
	t := q(text)
	return `{"record":"memory-graph","version":1}
{"record":"namespace","name":` + t + `}
{"record":"episode","id":1,"session_id":` + t + `,"project":` + t + `,"user":` + t + `,"role":"user","speaker":` + t +
		`,"source":` + t + `,"occurred_at":"2026-03-01 09:00:00","created_at":"2026-03-01 09:00:00.000","status":"done","content":` + t + `}
{"record":"episode","id":2,"role":"user","status":"quarantined","content":"held"}
{"record":"episode","id":3,"role":"user","status":"withdrawn","content":"taken back"}
{"record":"entity","id":1,"kind":"entity","name":` + t + `,"type":"person","description":` + t + `,"confidence":0.5,"merged":0}
{"record":"entity","id":2,"kind":"memory","name":` + t + `,"type":` + t + `,"description":"","confidence":1,"merged":0}
{"record":"entity","id":3,"kind":"mention","name":"hidden","type":"x","merged":0}
{"record":"entity","id":4,"kind":"entity","name":"merged away","type":"x","merged":1}
{"record":"relationship","id":1,"head_id":1,"relation":` + q("r_"+text) + `,"tail_id":2,"label":` + t + `,"fact":` + t +
		`,"confidence":0.5,"valid_from":"2026-03-01 00:00:00","from_unit":"month"}
{"record":"relationship","id":2,"head_id":1,"relation":"lives_in","tail_id":2,"label":"lives_in","fact":"","confidence":0.5,"valid_from":"2026-01-01 00:00:00","valid_until":"2026-02-01 00:00:00"}
{"record":"relationship","id":3,"head_id":1,"relation":"never","tail_id":2,"valid_from":"2026-01-01 00:00:00","valid_until":"2026-01-01 00:00:00"}
{"record":"relationship","id":4,"head_id":1,"relation":"to_nobody","tail_id":3}
{"record":"evidence","relationship_id":1,"episode_id":1,"method":"rule"}
{"record":"evidence","relationship_id":1,"episode_id":1,"method":"supplied"}
{"record":"evidence","relationship_id":1,"episode_id":2,"method":"rule"}
{"record":"event","id":1}
`
}

// translated passes an export through a translator in small pieces.
func translated(t testing.TB, to *transfer.Translator, text string) {
	t.Helper()
	for i := 0; i < len(text); i += 7 {
		if _, err := io.WriteString(to, text[i:min(i+7, len(text))]); errors.Is(err, transfer.ErrEnough) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestToGraphML_HasEveryTextAsData(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		var b bytes.Buffer
		to := transfer.ToGraphML(&b)
		translated(t, to, lines(text))
		type data struct {
			Key  string `xml:"key,attr"`
			Text string `xml:",chardata"`
		}
		var doc struct {
			Keys []struct {
				ID string `xml:"id,attr"`
			} `xml:"key"`
			Graph struct {
				Nodes []struct {
					ID   string `xml:"id,attr"`
					Data []data `xml:"data"`
				} `xml:"node"`
				Edges []struct {
					Source string `xml:"source,attr"`
					Target string `xml:"target,attr"`
					Data   []data `xml:"data"`
				} `xml:"edge"`
			} `xml:"graph"`
		}
		if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if len(doc.Graph.Nodes) != 2 || len(doc.Graph.Edges) != 2 || to.Written() != 4 ||
			doc.Graph.Edges[0].Source != "e1" || doc.Graph.Edges[0].Target != "m2" {
			t.Errorf("%q: %+v", text, doc.Graph)
		}
		known := map[string]bool{}
		for _, k := range doc.Keys {
			known[k.ID] = true
		}
		want := strings.NewReplacer("\u0001", "\ufffd", "\ufffe", "\ufffd").Replace(text)
		for _, d := range doc.Graph.Nodes[0].Data {
			if !known[d.Key] || d.Key == "name" && d.Text != want {
				t.Errorf("%q comes back as %+v", text, d)
			}
		}
	}
}

func TestToCSV_HasNoFormulas(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		var files [3]bytes.Buffer
		translated(t, transfer.ToCSV(&files[0], &files[1], &files[2]), lines(text))
		for i, want := range []int{3, 3, 2} {
			rows, err := csv.NewReader(bytes.NewReader(files[i].Bytes())).ReadAll()
			if err != nil || len(rows) != want {
				t.Errorf("%q: %s has %d rows, %v", text, transfer.CSVFiles[i], len(rows), err)
				continue
			}
			for _, row := range rows {
				for _, cell := range row {
					if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r\n") || strings.HasPrefix(cell, "＝") {
						t.Errorf("%s has the cell %q", transfer.CSVFiles[i], cell)
					}
				}
			}
			last := rows[1][len(rows[1])-1]
			if i == 2 && strings.ReplaceAll(text, "\r\n", "\n") != strings.TrimPrefix(last, "'") && last != text {
				t.Errorf("%q comes back as %q", text, last)
			}
		}
	}
}

func TestToJSONLD_SaysWhatHoldsAndWhere(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		var b bytes.Buffer
		translated(t, transfer.ToJSONLD(&b), lines(text))
		var doc struct {
			Graph []map[string]any `json:"@graph"`
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil || len(doc.Graph) != 7 || bytes.ContainsAny(b.Bytes(), "<>&") {
			t.Errorf("%q: %d objects, %v", text, len(doc.Graph), err)
		}
	}
	var b bytes.Buffer
	translated(t, transfer.ToJSONLD(&b), lines("x"))
	_, graph, _ := strings.Cut(b.String(), `"@graph":[`)
	want := `
{"@id":"urn:memory-graph:x:t1","@type":["schema:Message","prov:Entity"],"text":"x","role":"user","speaker":"x","source":"x","session":"x","project":"x","user":"x","created":"2026-03-01T09:00:00Z","recorded":"2026-03-01T09:00:00Z"},
{"@id":"urn:memory-graph:x:e1","@type":"schema:Person","name":"x","type":"person","description":"x","confidence":0.5},
{"@id":"urn:memory-graph:x:m2","@type":"schema:Thing","name":"x","type":"x","confidence":1},
{"@id":"urn:memory-graph:x:r1","@type":["rdf:Statement","prov:Entity"],"text":"x","subject":"urn:memory-graph:x:e1","predicate":"rel:r_x","object":"urn:memory-graph:x:m2","label":"x","validFrom":"2026-03","active":true,"confidence":0.5},
{"@id":"urn:memory-graph:x:e1","rel:r_x":{"@id":"urn:memory-graph:x:m2"}},
{"@id":"urn:memory-graph:x:r2","@type":["rdf:Statement","prov:Entity"],"subject":"urn:memory-graph:x:e1","predicate":"rel:lives_in","object":"urn:memory-graph:x:m2","label":"lives_in","validFrom":"2026-01-01T00:00:00Z","validUntil":"2026-02-01T00:00:00Z","active":false,"confidence":0.5},
{"@id":"urn:memory-graph:x:r1","evidence":"urn:memory-graph:x:t1"}
]}
`
	if diff := cmp.Diff(want, graph); diff != "" {
		t.Error(diff)
	}
}

func TestTranslator_OfAnEmptyMemoryIsWhole(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	translated(t, transfer.ToJSONLD(&b), `{"record":"memory-graph","version":1}`+"\n")
	if !json.Valid(b.Bytes()) {
		t.Errorf("%s", &b)
	}
}
