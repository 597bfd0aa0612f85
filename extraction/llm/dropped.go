package llm

// Why something of an answer was left out: the keys of Found.Dropped.
const (
	DroppedID       = "entity_id"      // an id below 1, or given twice
	DroppedName     = "entity_name"    // no name, a pronoun, a number, or a sentence
	DroppedWords    = "description"    // words of an entity that the turn does not have: it stays, without them
	DroppedAbsent   = "name_not_said"  // the name does not stand in the turn
	DroppedExample  = "example_name"   // a name of the prompt's own examples
	DroppedEntities = "entity_limit"   // more entities than are taken from a turn
	DroppedEnd      = "unknown_end"    // a relation's end is no entity of the answer, or one that was left out
	DroppedSelf     = "self_edge"      // both ends are one
	DroppedQuote    = "quote_not_said" // the quote does not stand in the turn
	DroppedQuoted   = "quoted_or_code" // the quote stands only where the turn quotes others, or in code
	// the quote and its clause do not name both ends, nor have a word that may mean them
	DroppedOther = "quote_elsewhere"
	DroppedWho   = "user_not_meant" // a fact of the user, where the clause speaks of somebody else
	// the clause asks, denies, wishes, supposes or orders it, or others say it of the user
	DroppedManner    = "not_stated"
	DroppedVerb      = "other_verb"      // a job, a home or a liking, of words that say none
	DroppedOver      = "holds_no_longer" // as if it held, where the clause says that it does no longer
	DroppedReversed  = "reversed"        // head and tail are the wrong way round
	DroppedTypes     = "types"           // the ends are not of the types that the relation is between
	DroppedSameWords = "same_words"      // the same words said something else of the same two
	DroppedRelation  = "relation_name"   // no verb, or one that only the memory uses of its own records
	DroppedBasis     = "basis"           // neither stated nor implied
	DroppedScore     = "confidence"      // not between 0 and 1
	DroppedTime      = "time"            // a time that cannot be read, or an end before the beginning
	DroppedUnsaid    = "time_not_said"   // a time that the turn does not say: the fact stays, without it
	DroppedEnded     = "end_not_said"    // an end, of a sentence that speaks of none
	DroppedLasting   = "ended_too"       // the same fact is in the answer as ended
	DroppedSpeaker   = "not_of_the_user" // an assistant's turn that does not speak of the user
	DroppedTwice     = "duplicate"
	DroppedMore      = "relation_limit" // more relations than are taken from a turn
)
