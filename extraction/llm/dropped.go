package llm

// Reasons for leaving out a part of an answer. They are the keys of memory.Findings.Dropped.
const (
	DroppedID       = "entity_id"       // an id below 1, or a duplicate id
	DroppedName     = "entity_name"     // no name, a pronoun, or a sentence; for the head of a fact also a number
	DroppedWords    = "description"     // a description whose words are not in the turn: the entity is kept without it
	DroppedAbsent   = "name_not_said"   // the name is not in the turn, in the lines before it or among the known names
	DroppedExample  = "example_name"    // a name from the prompt's examples
	DroppedEntities = "entity_limit"    // more entities than one turn may have
	DroppedEnd      = "unknown_end"     // an end of the relation is not an entity of the answer, or was left out
	DroppedSelf     = "self_edge"       // both ends are the same
	DroppedQuote    = "quote_not_said"  // the quote is not in the turn
	DroppedQuoted   = "quoted_or_code"  // the quote is only in quoted text, code or material of the turn
	DroppedOther    = "quote_elsewhere" // the quote names neither end, although the turn names one
	DroppedManner   = "not_stated"      // the quote is a question or a condition
	DroppedReversed = "reversed"        // the same words already state the fact with head and tail exchanged
	DroppedRelation = "relation_name"   // not a verb, or a verb reserved for the memory's own records
	DroppedBasis    = "basis"           // neither stated nor implied
	DroppedScore    = "confidence"      // not between 0 and 1
	DroppedUnsure   = "entity_unsure"   // an entity below the minimum confidence
	DroppedTime     = "time"            // an unreadable time, or an end before the beginning: the fact is kept without it
	DroppedUnsaid   = "time_not_said"   // a time although the turn names none: the fact is kept without it
	DroppedLasting  = "ended_too"       // the answer also has the same fact as ended
	DroppedSpeaker  = "not_of_the_user" // from an assistant's turn that is not about the user
	DroppedTwice    = "duplicate"
	DroppedMore     = "relation_limit" // more relations than one turn may have
)
