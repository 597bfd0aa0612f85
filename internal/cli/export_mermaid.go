package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/transfer"
)

// mermaid is a format that export writes and import does not read.
const mermaid transfer.Format = "mermaid"

// mostDrawn is roughly the largest number of facts that Mermaid viewers display.
const mostDrawn = 500

// writeMermaid writes the active facts as a Mermaid flowchart, with a node per entity and an arrow per fact.
func (a *app) writeMermaid(ctx context.Context, o opened, w io.Writer) (lines int, err error) {
	types := map[string]string{}
	if err := o.ReferenceEntities(ctx, o.cfg.Namespace, func(e memory.ReferenceEntity) error {
		types[e.Name] = e.Type
		return nil
	}); err != nil {
		return 0, err
	}
	line := func(format string, args ...any) {
		if err == nil {
			lines++
			_, err = fmt.Fprintf(w, format+"\n", args...)
		}
	}
	line("flowchart LR")
	facts, nodes := 0, map[string]string{}
	node := func(name string) string {
		id, ok := nodes[name]
		if !ok {
			id = fmt.Sprintf("n%d", len(nodes)+1)
			nodes[name] = id
			label := mermaidText(name)
			if typ := types[name]; typ != "" {
				label += "<br><small>" + mermaidText(typ) + "</small>"
			}
			line(`  %s["%s"]`, id, label)
		}
		return id
	}
	fail := o.ReferenceRelations(ctx, o.cfg.Namespace, func(r memory.ReferenceRelation) error {
		facts++
		from, to := node(r.From), node(r.To)
		line("  %s -->|\"%s\"| %s", from, mermaidText(r.Type), to)
		return err
	})
	if facts > mostDrawn {
		fmt.Fprintf(a.stderr, "The diagram has %s; most viewers display at most about %d.\n",
			many(int64(facts), "fact", "facts"), mostDrawn)
	}
	return lines, cmp.Or(err, fail)
}

// mermaidText escapes stored text for a label, in which Mermaid interprets # as an escape and renders HTML.
func mermaidText(s string) string {
	s = strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(retrieval.Sanitize(s))
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "|",
		"#124;").Replace(s)
}
