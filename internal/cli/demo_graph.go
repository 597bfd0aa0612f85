package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"

	"memory-graph/internal/memory"
)

// demoLookup is one question to the graph and the facts that answer it.
type demoLookup struct {
	Question string     `json:"question"`
	About    string     `json:"about"`
	Tool     string     `json:"tool"`
	TookMS   float64    `json:"took_ms"`
	Facts    []demoFact `json:"facts"`
}

type demoFact struct {
	ID         string    `json:"id"`
	Head       string    `json:"head"`
	Relation   string    `json:"relation"`
	Tail       string    `json:"tail"`
	Confidence float64   `json:"confidence"`
	ValidFrom  time.Time `json:"valid_from,omitzero"`
	ValidUntil time.Time `json:"valid_until,omitzero"`
	Evidence   []string  `json:"evidence"`
}

// lookUp asks the questions that name their entities, with the graph tools.
func (r *demoReport) lookUp(ctx context.Context, host *client.Client, conv conversation) error {
	for _, l := range conv.Lookups {
		var answer struct {
			Links     []demoFact `json:"links"`     // of retrieve_linked
			Relations []demoFact `json:"relations"` // of graph_traverse
		}
		start := time.Now()
		if err := call(ctx, host, l.Tool, l.Arguments, &answer); err != nil {
			return err
		}
		took := since(start)
		facts := append(answer.Links, answer.Relations...)
		if len(facts) == 0 {
			return memory.Errorf(memory.Internal, "%s found nothing for %v.", l.Tool, l.Arguments)
		}
		r.Lookups = append(r.Lookups, demoLookup{Question: l.Ask, About: l.Why, Tool: l.Tool, TookMS: took, Facts: facts})
	}
	return nil
}

func (l demoLookup) write(w io.Writer, paint func(colour, text string) string) {
	fmt.Fprintf(w, "\n%s %s\n", paint("1", "? "+l.Question), paint("2", "("+l.About+")"))
	fmt.Fprintf(w, "  by %s, in %.1f ms\n", l.Tool, l.TookMS)
	t := table{indent: "  ", columns: []column{{title: "FACT"}, {title: "CONFIDENCE", right: true}, {title: "SINCE"},
		{title: "UNTIL"}, {title: "EVIDENCE"}}}
	for _, f := range l.Facts {
		until := ""
		if !f.ValidUntil.IsZero() {
			until = localTime(f.ValidUntil)
		}
		t.add("", f.Head+" → "+f.Relation+" → "+f.Tail, fmt.Sprintf("%.2f", f.Confidence), localTime(f.ValidFrom), until,
			strings.Join(f.Evidence, ", "))
	}
	t.write(w, paint)
}
