package llm

// Reasons for leaving out a part of an answer. They are the keys of Found.Dropped.
const (
	DroppedID       = "entity_id"      // an id below 1, or a duplicate id
	DroppedName     = "entity_name"    // no name, a pronoun, a number, or a sentence
	DroppedWords    = "description"    // a description whose words are not in the turn: the entity is kept without it
	DroppedAbsent   = "name_not_said"  // the name is not in the turn
	DroppedExample  = "example_name"   // a name from the prompt's examples
	DroppedEntities = "entity_limit"   // more entities than one turn may have
	DroppedEnd      = "unknown_end"    // an end of the relation is not an entity of the answer, or was left out
	DroppedSelf     = "self_edge"      // both ends are the same
	DroppedQuote    = "quote_not_said" // the quote is not in the turn
	DroppedQuoted   = "quoted_or_code" // the quote is only in quoted text or code of the turn
	// The quote and its clause do not name both ends, and have no word that may refer to them.
	DroppedOther = "quote_elsewhere"
	DroppedWho   = "user_not_meant" // a fact about the user from a clause about somebody else
	// The clause is a question, denial, wish, supposition or order, or others say it about the user.
	DroppedManner    = "not_stated"
	DroppedVerb      = "other_verb"      // a job, a home or a preference whose words do not state one
	DroppedOver      = "holds_no_longer" // given as active, but the clause says that it has ended
	DroppedReversed  = "reversed"        // head and tail are reversed
	DroppedTypes     = "types"           // the types of the ends do not fit the relation
	DroppedSameWords = "same_words"      // the same words already state another fact about the same two
	DroppedRelation  = "relation_name"   // not a verb, or a verb reserved for the memory's own records
	DroppedBasis     = "basis"           // neither stated nor implied
	DroppedScore     = "confidence"      // not between 0 and 1
	DroppedTime      = "time"            // an unreadable time, or an end before the beginning
	DroppedUnsaid    = "time_not_said"   // a time that the turn does not state: the fact is kept without it
	DroppedEnded     = "end_not_said"    // an end from a sentence that states none
	DroppedLasting   = "ended_too"       // the answer also has the same fact as ended
	DroppedSpeaker   = "not_of_the_user" // from an assistant's turn that is not about the user
	DroppedTwice     = "duplicate"
	DroppedMore      = "relation_limit" // more relations than one turn may have
)
