package transfer

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"strconv"
)

// ToJSONLD returns a translator that writes JSON-LD: things of schema.org, facts as rdf:Statement with their times, and
// turns as their sources in PROV. A fact that is active is also a plain triple.
func ToJSONLD(w io.Writer) *Translator { return newTranslator(&jsonLD{w: w, memories: bitset{}}) }

type jsonLD struct {
	w        io.Writer
	memories bitset
	base     string // of ids
	more     bool   // an object was written
}

// jsonLDContext is the context. It names no address that a reader would have to load.
const jsonLDContext = `{"@context":{"schema":"https://schema.org/","prov":"http://www.w3.org/ns/prov#",` +
	`"rdf":"http://www.w3.org/1999/02/22-rdf-syntax-ns#","mg":"urn:memory-graph:vocabulary:",` +
	`"xsd":"http://www.w3.org/2001/XMLSchema#",` +
	`"rel":{"@id":"urn:memory-graph:relation:","@prefix":true},` +
	`"name":"schema:name","description":"schema:description","text":"schema:text","type":"schema:additionalType",` +
	`"created":{"@id":"schema:dateCreated","@type":"xsd:dateTime"},` +
	`"user":"mg:user","project":"mg:project","session":"mg:session","role":"mg:role",` +
	`"speaker":"mg:speaker","source":"mg:source","origin":"mg:origin","confidence":"mg:confidence","class":"mg:class",` +
	`"label":"mg:label","active":"mg:active","validFrom":"schema:validFrom","validUntil":"schema:validThrough",` +
	`"recorded":{"@id":"prov:generatedAtTime","@type":"xsd:dateTime"},"subject":{"@id":"rdf:subject","@type":"@id"},` +
	`"predicate":{"@id":"rdf:predicate","@type":"@id"},"object":{"@id":"rdf:object","@type":"@id"},` +
	`"evidence":{"@id":"prov:wasDerivedFrom","@type":"@id"}},"@graph":[`

// schemaTypes are the classes of schema.org for types of entities.
var schemaTypes = map[string]string{"person": "schema:Person", "organization": "schema:Organization",
	"location": "schema:Place", "event": "schema:Event", "project": "schema:Project", "file": "schema:DigitalDocument",
	"product": "schema:Product", "software": "schema:SoftwareApplication", "tool": "schema:SoftwareApplication"}

func (j *jsonLD) begin(namespace string) error {
	j.base = "urn:memory-graph:" + url.PathEscape(namespace) + ":"
	_, err := io.WriteString(j.w, jsonLDContext)
	return err
}

// ldObject is one object of the graph. Its fields are written in this order.
type ldObject struct {
	ID          string   `json:"@id"`
	Type        any      `json:"@type,omitempty"`
	Name        string   `json:"name,omitempty"`
	Kind        string   `json:"type,omitempty"`
	Description string   `json:"description,omitempty"`
	Text        string   `json:"text,omitempty"`
	Subject     string   `json:"subject,omitempty"`
	Predicate   string   `json:"predicate,omitempty"`
	Object      string   `json:"object,omitempty"`
	Label       string   `json:"label,omitempty"`
	Class       string   `json:"class,omitempty"`
	From        string   `json:"validFrom,omitempty"`
	Until       string   `json:"validUntil,omitempty"`
	Active      *bool    `json:"active,omitempty"`
	Confidence  *float64 `json:"confidence,omitempty"`
	Origin      string   `json:"origin,omitempty"`
	Role        string   `json:"role,omitempty"`
	Speaker     string   `json:"speaker,omitempty"`
	Source      string   `json:"source,omitempty"`
	Session     string   `json:"session,omitempty"`
	Project     string   `json:"project,omitempty"`
	User        string   `json:"user,omitempty"`
	Created     string   `json:"created,omitempty"`
	Recorded    string   `json:"recorded,omitempty"`
	Evidence    string   `json:"evidence,omitempty"`
}

func (j *jsonLD) object(o any) error {
	var b bytes.Buffer
	if j.more {
		b.WriteByte(',')
	}
	b.WriteByte('\n')
	j.more = true
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(true) // a page may contain the file
	if err := enc.Encode(o); err != nil {
		return err
	}
	_, err := j.w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

func (j *jsonLD) turn(l outLine) error {
	return j.object(ldObject{ID: j.base + "t" + strconv.FormatInt(l.ID, 10), Type: []string{"schema:Message",
		"prov:Entity"}, Text: l.Content, Origin: l.Origin, Role: l.Role, Speaker: l.Speaker, Source: l.Source,
		Session: l.Session, Project: l.Project, User: l.User, Created: instant(l.OccurredAt),
		Recorded: instant(l.CreatedAt)})
}

func (j *jsonLD) entity(l outLine) error {
	id := nodeID(l.Kind, l.ID)
	if id[0] == 'm' {
		j.memories.set(l.ID)
	}
	typ := schemaTypes[l.Type]
	if typ == "" {
		typ = "schema:Thing"
	}
	return j.object(ldObject{ID: j.base + id, Type: typ, Name: l.Name, Kind: l.Type, Description: l.Description,
		Confidence: &l.Confidence, Origin: l.Origin, Recorded: instant(l.CreatedAt)})
}

func (j *jsonLD) fact(l outLine) error {
	head, tail := j.base+j.memories.node(l.HeadID), j.base+j.memories.node(l.TailID)
	relation, active := "rel:"+url.PathEscape(l.Relation), l.active()
	if err := j.object(ldObject{ID: j.base + "r" + strconv.FormatInt(l.ID, 10), Type: []string{"rdf:Statement",
		"prov:Entity"}, Subject: head, Predicate: relation, Object: tail, Label: l.label(), Class: l.EdgeClass, Text: l.Fact,
		From: l.from(), Until: l.until(), Active: &active, Confidence: &l.Confidence, Origin: l.Origin,
		Recorded: instant(l.CreatedAt)}); err != nil || !active {
		return err
	}
	return j.object(map[string]any{"@id": head, relation: map[string]string{"@id": tail}})
}

func (j *jsonLD) evidence(fact, turn string) error {
	return j.object(ldObject{ID: j.base + fact, Evidence: j.base + turn})
}

func (j *jsonLD) end() error {
	_, err := io.WriteString(j.w, "\n]}\n")
	return err
}
