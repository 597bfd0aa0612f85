package llm

// Why something of an answer was left out: the keys of Found.Dropped.
const (
	DroppedID       = "entity_id"       // an id below 1, or given twice
	DroppedName     = "entity_name"     // no name, a pronoun, a number, or a sentence
	DroppedWords    = "description"     // words of an entity that the turn does not have: it stays, without them
	DroppedAbsent   = "name_not_said"   // the name does not stand in the turn
	DroppedExample  = "example_name"    // a name of the prompt's own examples
	DroppedEntities = "entity_limit"    // more entities than are taken from a turn
	DroppedEnd      = "unknown_end"     // a relation's end is no entity of the answer, or one that was left out
	DroppedSelf     = "self_edge"       // both ends are one
	DroppedQuote    = "quote_not_said"  // the quote does not stand in the turn
	DroppedQuoted   = "quoted_or_code"  // the quote stands only where the turn quotes others, or in code
	DroppedOther    = "quote_elsewhere" // the quote has neither of the two names, though the turn has one
	DroppedRelation = "relation_name"   // no verb, or one that only the memory uses of its own records
	DroppedBasis    = "basis"           // neither stated nor implied
	DroppedScore    = "confidence"      // not between 0 and 1
	DroppedTime     = "time"            // a time that cannot be read, or an end before the beginning
	DroppedUnsaid   = "time_not_said"   // a time, of a turn that says none: the fact stays, without it
	DroppedEnded    = "end_not_said"    // an end, of a turn that speaks of none
	DroppedLasting  = "ended_too"       // the same fact is in the answer as ended
	DroppedSpeaker  = "not_of_the_user" // an assistant's turn that does not speak of the user
	DroppedTwice    = "duplicate"
	DroppedMore     = "relation_limit" // more relations than are taken from a turn
)
