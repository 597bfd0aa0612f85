package vault

import (
	"fmt"

	"memory-graph/internal/memory"
)

// Kind says what a person changed.
type Kind string

// The kinds, in the order in which they are applied.
const (
	EntityAdded        Kind = "entity_added"
	Renamed            Kind = "entity_renamed"
	TypeChanged        Kind = "type_changed"
	DescriptionChanged Kind = "description_changed"
	ConfidenceChanged  Kind = "confidence_changed"
	AliasAdded         Kind = "alias_added"
	AliasRemoved       Kind = "alias_removed"
	ObservationAdded   Kind = "observation_added"
	ObservationRemoved Kind = "observation_removed"
	Merged             Kind = "entities_merged"
	FactRemoved        Kind = "fact_removed"
	FactEnded          Kind = "fact_ended"
	FactReopened       Kind = "fact_reopened"
	FactRedated        Kind = "fact_dates_changed"
	FactCorrected      Kind = "fact_corrected"
	FactAdded          Kind = "fact_added"
	EntityRemoved      Kind = "entity_removed"
)

// order has the kinds in the order in which they are applied.
var order = []Kind{EntityAdded, AliasRemoved, Renamed, TypeChanged, DescriptionChanged, ConfidenceChanged, AliasAdded,
	ObservationRemoved, ObservationAdded, Merged, FactRemoved, FactEnded, FactReopened, FactRedated, FactCorrected,
	FactAdded, EntityRemoved}

// State is the state of a change.
type State string

// The states.
const (
	Open     State = "open"           // it can be applied
	Applied  State = "applied"        // it was
	Known    State = "already_so"     // the memory already has it
	Conflict State = "conflict"       // the memory changed since the export: nothing was done
	Untrust  State = "needs_a_person" // it changes what somebody with more trust said: nothing was done
	Declined State = "declined"       // the person did not accept it
	Failed   State = "failed"
)

// Change is one thing that a person changed in a vault.
type Change struct {
	Kind   Kind   `json:"kind"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Entity string `json:"entity,omitempty"` // the id of the page; "" for a new one
	Name   string `json:"name"`             // of the page
	Was    string `json:"was,omitempty"`
	Is     string `json:"is,omitempty"`
	State  State  `json:"state"`
	Why    string `json:"why,omitempty"` // for a conflict or a failure
	Result string `json:"result,omitempty"`

	page   *Page     // of a new entity
	id     memory.ID // Entity
	into   memory.ID // of a merge: the entity that stays
	was    Fact      // the line at the last export
	is     Fact      // the line now
	within *leaf     // the page that the change belongs to
}

// String returns the change as a sentence.
func (c Change) String() string {
	switch c.Kind {
	case EntityAdded:
		return fmt.Sprintf("add %s as a new entity of type %s", c.Name, c.Is)
	case Renamed:
		return fmt.Sprintf("rename %s to %s", c.Was, c.Is)
	case TypeChanged:
		return fmt.Sprintf("%s: change the type from %s to %s", c.Name, c.Was, c.Is)
	case DescriptionChanged:
		return fmt.Sprintf("%s: change the description from %q to %q", c.Name, short(c.Was), short(c.Is))
	case ConfidenceChanged:
		return fmt.Sprintf("%s: change the confidence from %s to %s", c.Name, c.Was, c.Is)
	case AliasAdded:
		return fmt.Sprintf("%s: add the name %s", c.Name, c.Is)
	case AliasRemoved:
		return fmt.Sprintf("%s: remove the name %s", c.Name, c.Was)
	case ObservationAdded:
		return fmt.Sprintf("%s: add the observation %q", c.Name, short(c.Is))
	case ObservationRemoved:
		return fmt.Sprintf("%s: remove the observation %q", c.Name, short(c.Was))
	case Merged:
		return fmt.Sprintf("merge %s into %s", c.Was, c.Is)
	case FactRemoved:
		return fmt.Sprintf("%s: remove the fact %s, as if it never held", c.Name, c.Was)
	case FactEnded:
		return fmt.Sprintf("%s: end the fact %s", c.Name, c.Is)
	case FactReopened:
		return fmt.Sprintf("%s: let the fact %s hold again", c.Name, c.Is)
	case FactRedated:
		return fmt.Sprintf("%s: change the dates of %s to %s", c.Name, c.Was, c.Is)
	case FactCorrected:
		return fmt.Sprintf("%s: correct the fact %s to %s", c.Name, c.Was, c.Is)
	case FactAdded:
		return fmt.Sprintf("%s: add the fact %s", c.Name, c.Is)
	case EntityRemoved:
		return fmt.Sprintf("remove %s, and end its facts", c.Name)
	}
	return string(c.Kind)
}

// words returns a fact in the form of a diff.
func (f Fact) words() string {
	text := f.Relation + " " + f.Target + f.when()
	if f.Ended && f.Until == "" {
		text += " (ended)"
	}
	return text
}

func short(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return clip(s, most) + "…"
}
