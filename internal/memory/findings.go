package memory

// Mention is a name in the text of an episode, or a name that a caller gave with it.
type Mention struct {
	Name  string // as it is written there; a first name in small letters gets its capital
	Type  string // one of EntityTypes; "" where nothing tells
	Role  string // "mention", "title", "self", "tag", ...; "" is "mention"
	Known bool   // an entity of the graph has this name
	// Unsure marks a word that may be no name, such as the first one of a sentence. It links episodes, and never makes an
	// entity by itself.
	Unsure      bool
	Start, Stop int // byte offsets in the content; both 0 where the name does not stand in it
}

// Findings are what an extractor found in one turn. Extractors set the method and the confidence of each draft. The
// origin follows from how the turn came, never from what it says, and is set before the store takes the findings.
type Findings struct {
	// Mentions are the names in the text.
	Mentions []Mention
	// Entities are those of which the text says more than the name: a description, aliases. Entities that only stand in a
	// relation are not listed.
	Entities []EntityDraft
	// Relations have Head, Tail, their types where known, Quote (verbatim from the text), Ended, and the times that the
	// text gives.
	Relations []RelationDraft
	// Dropped counts by reason what checks took out; nil for none.
	Dropped map[string]int
	// DroppedItems are the same one by one, for logs; at most MaxDroppedItems.
	DroppedItems []DroppedItem
}

// DroppedItem is a part of an extractor's answer that a check took out.
type DroppedItem struct {
	What   string // the fact, or the name of the entity
	Reason string // a key of Findings.Dropped
}

// MaxDroppedItems is the maximum number of items of one turn that are kept for logs.
const MaxDroppedItems = 50

// Drop counts a part that a check took out.
func (f *Findings) Drop(reason, what string) {
	if f.Dropped == nil {
		f.Dropped = map[string]int{}
	}
	f.Dropped[reason]++
	if len(f.DroppedItems) < MaxDroppedItems {
		f.DroppedItems = append(f.DroppedItems, DroppedItem{what, reason})
	}
}
