package transfer_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/transfer"
)

// hostile are texts that break careless writers.
var hostile = []string{`=HYPERLINK("http://x")`, "+1", "-1+1", "@SUM(A1)", "\tx", `"><script>alert(1)</script>`,
	"]]>&amp;", "a\"b,c\nd\re", "\u0001\ufffe\u202e", "＝1", "'quoted", `\u003c`, "--><!--", "%22", "é\u0301", "x"}

// lines returns an export with a text in every place that can have one.
func lines(t testing.TB, text string) string {
	t.Helper()
	export, err := os.ReadFile("testdata/out.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(export), "TEXT", string(quoted[1:len(quoted)-1]))
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
		translated(t, to, lines(t, text))
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
		translated(t, transfer.ToCSV(&files[0], &files[1], &files[2]), lines(t, text))
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
		translated(t, transfer.ToJSONLD(&b), lines(t, text))
		var doc struct {
			Graph []map[string]any `json:"@graph"`
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil || len(doc.Graph) != 7 || bytes.ContainsAny(b.Bytes(), "<>&") {
			t.Errorf("%q: %d objects, %v", text, len(doc.Graph), err)
		}
	}
	var b bytes.Buffer
	translated(t, transfer.ToJSONLD(&b), lines(t, "x"))
	_, graph, _ := strings.Cut(b.String(), `"@graph":[`)
	want, err := os.ReadFile("testdata/out.jsonld")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), graph); diff != "" {
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
