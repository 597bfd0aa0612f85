package transfer

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// ToGraphML returns a translator that writes GraphML: a node for each entity and memory, a directed edge for each fact,
// ended ones too. Turns are not in it.
func ToGraphML(w io.Writer) *Translator {
	t := newTranslator(&graphML{w: w, memories: bitset{}})
	t.noTurns = true
	return t
}

// graphML writes GraphML.
type graphML struct {
	w        io.Writer
	memories bitset
	err      error
}

// graphMLKeys are the data of nodes and edges, with their types.
var graphMLKeys = []struct{ id, of, typ string }{
	{"name", "node", "string"}, {"type", "node", "string"}, {"kind", "node", "string"},
	{"description", "node", "string"}, {"node_confidence", "node", "double"}, {"node_origin", "node", "string"},
	{"node_created_at", "node", "string"},
	{"relation", "edge", "string"}, {"label", "edge", "string"}, {"class", "edge", "string"}, {"fact", "edge", "string"},
	{"valid_from", "edge", "string"}, {"valid_until", "edge", "string"}, {"active", "edge", "boolean"},
	{"confidence", "edge", "double"}, {"origin", "edge", "string"}, {"created_at", "edge", "string"},
}

func (g *graphML) write(parts ...string) {
	for _, p := range parts {
		if g.err == nil {
			_, g.err = io.WriteString(g.w, p)
		}
	}
}

// data writes an element with a value; "" is left out.
func (g *graphML) data(key, value string) {
	if value != "" {
		g.write("<data key=\"", key, "\">", escapeXML(value), "</data>")
	}
}

// escapeXML escapes a text. Characters that XML cannot have become U+FFFD.
func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

func (g *graphML) begin(namespace string) error {
	g.write(xml.Header, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" ",
		"xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns ",
		"http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n")
	for _, k := range graphMLKeys {
		name := strings.TrimPrefix(k.id, "node_")
		g.write("<key id=\"", k.id, "\" for=\"", k.of, "\" attr.name=\"", name, "\" attr.type=\"", k.typ, "\"/>\n")
	}
	g.write("<graph id=\"memory\" edgedefault=\"directed\">\n<desc>", escapeXML(namespace), "</desc>\n")
	return g.err
}

func (g *graphML) turn(outLine) error { return nil }

func (g *graphML) entity(l outLine) error {
	id := nodeID(l.Kind, l.ID)
	if id[0] == 'm' {
		g.memories.set(l.ID)
	}
	g.write("<node id=\"", id, "\">")
	g.data("name", l.Name)
	g.data("type", l.Type)
	g.data("kind", l.Kind)
	g.data("description", l.Description)
	g.data("node_confidence", number(l.Confidence))
	g.data("node_origin", l.Origin)
	g.data("node_created_at", instant(l.CreatedAt))
	g.write("</node>\n")
	return g.err
}

func (g *graphML) fact(l outLine) error {
	g.write("<edge id=\"r", strconv.FormatInt(l.ID, 10), "\" source=\"", g.memories.node(l.HeadID), "\" target=\"",
		g.memories.node(l.TailID), "\">")
	g.data("relation", l.Relation)
	g.data("label", l.label())
	g.data("class", l.EdgeClass)
	g.data("fact", l.Fact)
	g.data("valid_from", l.from())
	g.data("valid_until", l.until())
	g.data("active", strconv.FormatBool(l.active()))
	g.data("confidence", number(l.Confidence))
	g.data("origin", l.Origin)
	g.data("created_at", instant(l.CreatedAt))
	g.write("</edge>\n")
	return g.err
}

func (g *graphML) evidence(string, string) error { return nil }

func (g *graphML) end() error {
	g.write("</graph>\n</graphml>\n")
	return g.err
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
